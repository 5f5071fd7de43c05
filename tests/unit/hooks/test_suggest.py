"""``did you mean`` (rule 16)."""

from __future__ import annotations

import pytest

from pyshellhooks.hooks.suggest import did_you_mean, misspelt, nearest

EVENTS = ("BeforeTool", "before_tool", "SessionStart", "session_start")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("BeforeTol", "BeforeTool"),
        ("before_tol", "before_tool"),
        ("sessionstart", "SessionStart"),
        ("session-start", "session_start"),
        ("SESSION_START", "session_start"),
        ("nothing", ""),
        ("BeforeTool" * 100_000, ""),  # nothing that long is compared
    ],
)
def test_the_nearer_of_two_spellings_is_suggested(name: str, meant: str) -> None:
    assert nearest(name, EVENTS) == meant == nearest(name, reversed(EVENTS))


def test_a_hint() -> None:
    assert did_you_mean("comand", ["command"]) == 'did you mean "command"?'
    assert did_you_mean("x", []) == ""


NAMES = (
    "tool_name",
    "tool_input",
    "tool_call_id",
    "tool_calls",
    "prompt",
    "content",
    "message",
    "model",
    "turn_id",
    "name",
)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("tool_nam", "tool_name"),
        ("toolname", "tool_name"),
        ("tool-name", "tool_name"),
        ("toolInput", "tool_input"),
        ("tool_imput", "tool_input"),
        ("tool_inptu", "tool_input"),
        ("promt", "prompt"),
        ("prmopt", "prompt"),
        ("Prompt", "prompt"),
        # Names of their own, as SDKs have them.
        ("messages", ""),
        ("models", ""),
        ("tool_call_ids", ""),
        ("context", ""),
        ("run_id", ""),
        ("mode", ""),
        ("nam", ""),
        ("tool", ""),
        ("completion_id", ""),
        ("", ""),
        ("x" * 100_000, ""),
    ],
)
def test_names_that_can_only_be_misspelt(name: str, meant: str) -> None:
    assert misspelt(name, NAMES) == meant == misspelt(name, reversed(NAMES))
