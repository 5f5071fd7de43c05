"""Hooks that do their worst: the engine answers in time, and says that they timed out or were stopped."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
from clock import patient
from hostile_patterns import GROWTH, NATIVE, PATTERNS
from hostile_runs import ENV, NOISE, STALL, Ticker, furnish, left_in, side_by_side
from hostile_scripts import ENDLESS, LOOPS, RECURSION, WAITING
from process_state import settled

from pyshellhooks import HookEngine

pytestmark = [
    pytest.mark.not_on_windows("needs-program"),
    pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="FIFOs and native children of POSIX"),
]

TIMEOUT = 0.3
TABLES = {
    "loops": LOOPS,
    "recursion": RECURSION,
    "waiting": WAITING,
    "endless": ENDLESS,
    "patterns": PATTERNS,
    "growth": GROWTH,
}


def chosen() -> list[tuple[str, str, str]]:
    """Take every fifth script that must not end by itself, and a few with children that do not want to end."""
    rows = [
        (table, name, script)
        for table, rows in TABLES.items()
        for name, (script, ended) in rows.items()
        if "exited" not in ended
    ]
    stubborn = [("native", name, NATIVE[name][0]) for name in ("ignores-term", "holds-pipe", "forks", "drains-never")]
    return rows[::5] + stubborn


@pytest.mark.one_in(3, slow=3)
def test_hooks_that_never_end(tmp_path: Path) -> None:
    wrong: list[str] = []

    def judge(table: str, name: str, script: str) -> None:
        cwd = furnish(tmp_path / f"{table}-{name}")
        # What a guard would say if it were let off: it must not be heard.
        command = f'{script}\necho \'{{"decision":"allow"}}\''
        config = {"hooks": {"PreToolUse": [{"command": command, "timeout": TIMEOUT}]}}
        for strict in (False, True):
            engine = HookEngine.load(config, "crush", env=ENV, cwd=cwd, strict=strict)
            begun = time.perf_counter()
            verdict = engine.fire("PreToolUse", tool_name="bash", tool_input={"command": "ls"})
            seconds = time.perf_counter() - begun
            ended = verdict.hooks[0].outcome.ended
            bound = TIMEOUT + (2.0 if table == "native" else 1.5) + NOISE  # timeout + grace + 0.5 (rule 15)
            if ended not in ("timed_out", "stopped", "too_much_output") or not verdict.notices:
                wrong.append(f"{name}: {ended}")
            # A timeout is every system's own, and open in this one; a limit is ours, and denies (ADR 9).
            if verdict.decision != ("deny" if strict or ended != "timed_out" else "none"):
                wrong.append(f"{name}: {verdict.decision} with strict={strict}")
            if seconds > patient(bound):
                wrong.append(f"{name}: {seconds:.2f} s")
        if left := left_in(cwd):
            wrong.append(f"{name}: left {left}")
        subprocess.run(["/bin/rm", "-rf", cwd], check=False)

    rows = chosen()
    assert len(rows) >= 40
    with Ticker() as ticker:
        side_by_side([lambda row=row: judge(*row) for row in rows], 3)
    assert wrong == []
    assert ticker.gap < patient(STALL)
    assert settled()
