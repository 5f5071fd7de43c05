"""``did you mean`` (DESIGN, "One hook, walked")."""

from __future__ import annotations

import pytest

from pyshellhooks.hooks.suggest import did_you_mean, nearest

pytestmark = pytest.mark.portable

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
    ],
)
def test_of_two_spellings_the_nearer_one_is_meant(name: str, meant: str) -> None:
    assert nearest(name, EVENTS) == meant == nearest(name, reversed(EVENTS))


def test_a_hint() -> None:
    assert did_you_mean("comand", ["command"]) == 'did you mean "command"?'
    assert did_you_mean("x", []) == ""
