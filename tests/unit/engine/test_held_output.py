"""A background job that has a hook's output open: Codex waits for it, and loses the block at the timeout (codex 7.5).

codex-cli 0.171.0 blocked the call or let it pass as each row says, with a timeout of 2 seconds and jobs of 5 or 1 seconds.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.hooks.verdict import Verdict

pytestmark = pytest.mark.not_on_windows("needs-tools")

DENY = "echo no >&2; exit 2"
#: The hook, and whether the program lost its block.
ROWS: dict[str, tuple[str, bool]] = {
    "both": (f"sleep 3 & {DENY}", True),
    "a short job": (f"sleep 0.2 & {DENY}", False),
    "output elsewhere": (f"sleep 3 >/dev/null 2>&1 & {DENY}", False),
    "stdout only": (f"sleep 3 2>/dev/null & {DENY}", True),
    "stderr only": (f"sleep 3 >/dev/null & {DENY}", True),
    "an answer": ("""sleep 3 & echo '{"decision": "block", "reason": "r"}'""", True),
    "a group": (f"{{ sleep 3; echo x; }} & {DENY}", True),
    "a program": (f"/bin/sleep 3 & {DENY}", True),
    "no job": (DENY, False),
}


def fired(command: str, edition: str, folder: Path) -> Verdict:
    hook = {"type": "command", "command": command, "timeout": 1}
    config = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [hook]}]}}
    with HookEngine.load(config, f"codex@{edition}", cwd=str(folder)) as engine:
        return engine.fire("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})


@pytest.mark.parametrize("name", ROWS)
def test_the_shipped_edition_waits_for_the_job(name: str, tmp_path: Path) -> None:
    command, is_lost = ROWS[name]
    verdict = fired(command, "shipped", tmp_path)
    assert verdict.proceeds is is_lost
    assert (verdict.hooks[0].ended == "timed_out") is is_lost


@pytest.mark.parametrize("name", ROWS)
def test_the_default_edition_denies_with_a_notice(name: str, tmp_path: Path) -> None:
    command, is_lost = ROWS[name]
    verdict = fired(command, "documented", tmp_path)
    assert verdict.decision == "deny"
    named = any("has the hook's output open" in one for one in verdict.notices)
    assert named if is_lost else not named or name == "a short job"


def test_a_job_of_a_hook_that_blocks_nothing_has_no_notice(tmp_path: Path) -> None:
    verdict = fired("sleep 1 & exit 0", "documented", tmp_path)
    assert verdict.proceeds and not verdict.notices
