"""Permission rules of Claude Code: ours decide on each recorded call as the program did, or differ as listed.

``permissions_claude_code.toml`` holds the sessions, ``permissions_claude_code.json`` the outcome of each call in the real
program (version and date are in its head; ``record_permissions.py`` runs the program).
"""

from __future__ import annotations

import os
from pathlib import Path
from unittest import mock

import pytest

from pyshellhooks import HookEngine
from tests import recorded, rotation
from tests.field import record_permissions
from tests.field.permission_table import ANSWERS, Row, rows
from tests.field.record_mishaps import version

PROGRAM = "CLAUDE"  # the variable that names the program
SHARE = 16  # of the rows, how many are asked again in one run
MOST_DIFFERENCES = 0.05  # of all calls
#: Decision of ours -> the outcomes in the program that agree with it. Where no rule decides, its own rules may ask.
AGREE = {
    "deny": {"deny"},
    "ask": {"ask"},
    "allow": {"allow"},
    "none": {"allow", "ask"},
}


def decisions(row: Row, root: Path, edition: str = "claude_code") -> list[str]:
    """Return the decisions of ours on the calls of a row."""
    row.write(root)
    (root / "home").mkdir(exist_ok=True)
    env = {"PATH": os.environ["PATH"], "HOME": str(root / "home"), "CLAUDE_CONFIG_DIR": str(root / "home" / ".claude")}
    hooks = [("PreToolUse", command) for command in row.hook_commands]
    with mock.patch.dict(os.environ, env, clear=True):
        trust = bool(row.setup.get("trusted"))
        engine = HookEngine.discover(str(root / "project"), edition, hooks=hooks, trust_project=trust or "store")
        with engine:
            cwd = str(root / "project")
            fields = [{"tool_name": call.tool, "tool_input": call.input, "cwd": cwd} for call in row.calls]
            return [engine.fire("PreToolUse", one).decision.value for one in fields]


def agrees(row: Row, ours: str, theirs: str) -> bool:
    """Return whether a decision of ours and the outcome of a call agree, in the mode of the session."""
    mode = row.setup.get("mode", "default")
    if mode == "bypassPermissions" and ours == "none":
        return theirs == "allow"  # it asks only because of a rule
    if row.setup.get("hook") == "ask" and ours == "ask":
        return theirs == "deny"  # ``-p`` has nobody who could answer a hook's question
    if mode == "dontAsk" and theirs == "deny":
        return ours != "allow"
    return theirs in AGREE[ours]


def outcomes() -> dict[str, list[str]]:
    """Return the recorded outcomes by the name of the row."""
    return {case["id"]: case["outcomes"] for case in recorded.read(ANSWERS)["cases"]}


def test_every_row_was_recorded_as_it_is_now() -> None:
    table = recorded.read(ANSWERS)
    assert table["date"]
    assert {case["id"]: case["setup"] for case in table["cases"]} == {str(row): row.digest for row in rows()}


@pytest.mark.parametrize("row", rows(), ids=str)
def test_ours_decide_as_the_program_or_as_listed(row: Row, tmp_path: Path) -> None:
    theirs = outcomes()[str(row)]
    ours = decisions(row, tmp_path)
    values = [" ".join(map(str, call.input.values())) for call in row.calls]
    differing = {
        value: decision
        for value, decision, outcome in zip(values, ours, theirs, strict=True)
        if not agrees(row, decision, outcome)
    }
    assert differing == row.differences


def test_the_listed_differences_are_few_and_have_reasons() -> None:
    listed = [decision for row in rows() for decision in row.differences.values()]
    assert len(listed) <= MOST_DIFFERENCES * sum(len(row.calls) for row in rows())
    assert all(row.ours["because"] for row in rows() if row.ours)


def test_no_call_that_the_program_denies_passes_here() -> None:
    for row in rows():
        denied = [
            " ".join(map(str, call.input.values()))
            for call, outcome in zip(row.calls, outcomes()[str(row)], strict=True)
            if outcome == "deny"
        ]
        assert not {value for value in denied if row.differences.get(value) in ("none", "allow")}, row


@pytest.mark.slow
def test_the_program_decides_as_recorded() -> None:
    program = os.environ.get(PROGRAM)
    if not program:
        pytest.skip(f"{PROGRAM} names no program")
    if version("claude_code", program) != recorded.read(ANSWERS)["version"]:
        pytest.skip("it is not the version that was recorded")
    for row in rows()[rotation.first(SHARE) :: SHARE]:
        assert record_permissions.ask(program, row)["outcomes"] == outcomes()[str(row)]
