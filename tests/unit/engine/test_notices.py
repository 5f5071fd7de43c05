"""What people are told about a hook: ``title (file:line:column): what; mend``."""

from __future__ import annotations

import pytest

from pyshellhooks.hooks.model import Decision, HookOutcome, HookRun, HookSpec, Origin
from pyshellhooks.hooks.notices import hook_notice, hook_notices
from pyshellhooks.hooks.verdict import HookResult
from pyshellhooks.notice import STRICT, Notice

SPEC = HookSpec("PreToolUse", "./guard.sh", timeout=5.0, origin=Origin("crush.json", line=3, column=7))


def notices(outcome: HookOutcome, run: HookRun | None = None) -> tuple[str, ...]:
    return hook_notices([HookResult(SPEC, run or HookRun(), outcome)])


@pytest.mark.parametrize(
    ("outcome", "run", "hint"),
    [
        (HookOutcome("timed_out", notices=("timed out",)), HookRun("stopped", None), "raise its timeout"),
        (HookOutcome("nonzero", notices=("exit status 1",)), HookRun(status=1), "exit with 0"),
        (HookOutcome("nonzero", notices=("exit status 137",)), HookRun("signaled", 137), "by hand"),
        (HookOutcome("bad_output", notices=("stdout is an array",)), HookRun(), "one JSON object"),
        (HookOutcome("too_much_output", notices=("9 bytes",)), HookRun(), "print less"),
    ],
)
def test_an_end_without_a_hint_gets_that_of_its_kind(outcome: HookOutcome, run: HookRun, hint: str) -> None:
    (notice,) = notices(outcome, run)
    assert notice.startswith(f"./guard.sh (crush.json:3:7): {outcome.notices[0]}; ") and hint in notice


def test_a_notice_keeps_its_own_hint() -> None:
    fault = Notice("command not found", "command-not-found", command="jq", hint="install it", status=127, fault=STRICT)
    run = HookRun(status=127, notices=(fault,), faults=(fault,))
    assert notices(HookOutcome("nonzero", notices=("exit status 127",)), run) == (
        "./guard.sh (crush.json:3:7): jq: command not found; install it (status 127); exit status 127",
    )


def test_an_answer_by_status_is_no_failure() -> None:
    assert notices(HookOutcome("nonzero", Decision.DENY, reason="no"), HookRun(status=2)) == ()
    assert notices(HookOutcome("nonzero", followup="go on"), HookRun(status=2)) == ()
    assert notices(HookOutcome("nonzero"), HookRun(status=3)) != ()


def test_a_hook_of_no_file_is_named_by_its_id() -> None:
    assert hook_notice(HookSpec("Stop", "x\ny", id="mine"), Notice("odd")) == "x... (mine): odd"
