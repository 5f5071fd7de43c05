"""What a verdict about a result says, and which events an engine listens to."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.errors import UnknownEventError

BLOCK = json.dumps({"decision": "block", "reason": "lint fails"})


def engine(event: str, *commands: str, **options: Any) -> HookEngine:
    hooks = [{"hooks": [{"type": "command", "command": command}]} for command in commands]
    return HookEngine.load({"hooks": {event: hooks}}, "claude_code", spawn=False, **options)


@pytest.mark.parametrize(
    ("commands", "strict", "withheld"),
    [
        ((f"echo '{BLOCK}'",), False, False),  # claude_code 6: the tool has run, and the model sees its result
        (("echo lint fails >&2; exit 2",), False, False),
        (("true",), False, False),
        ((f"echo '{BLOCK}'", "exit 1"), False, False),
        ((f"echo '{BLOCK}'", "exit 1"), True, True),  # the failed hook might have wanted it withheld
        (("exit 1",), True, True),
        (("""echo '{"continue": false, "stopReason": "enough"}'""",), False, True),
    ],
)
def test_a_result_is_withheld_unless_every_block_keeps_it(
    commands: tuple[str, ...], strict: bool, withheld: bool
) -> None:
    verdict = engine("PostToolUse", *commands, strict=strict).fire(
        "PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_output="x"
    )
    assert verdict.withholds is withheld
    assert verdict.as_json()["withholds"] is withheld


def test_of_several_systems_one_that_withholds_is_enough() -> None:
    from pyshellhooks.hooks.verdict import Verdict, join_verdicts

    stands, withholds = Verdict("after_tool", "deny"), Verdict("after_tool", "deny", withholds=True)
    assert (
        join_verdicts("after_tool", [withholds, stands]).withholds
        and join_verdicts("after_tool", [stands, withholds]).withholds
    )
    assert not join_verdicts("after_tool", [stands, stands]).withholds


def test_listens() -> None:
    guard = engine("PreToolUse", "exit 2")
    assert guard.listens("PreToolUse") and guard.listens("before_tool")
    assert not guard.listens("after_tool") and not guard.listens("Stop")
    with pytest.raises(UnknownEventError, match="before_tool"):
        guard.listens("befor_tool")
    switched_off = engine("PreToolUse", "exit 2", disabled=[guard.specs[0].id])
    assert not switched_off.listens("before_tool")
