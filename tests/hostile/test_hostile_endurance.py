"""Nothing stays of a hundred thousand fires (few in a usual run; all: ``HOSTILE_ENDURANCE=all pytest ...``), and no answer is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.not_on_windows("needs-device")

FIRES = 100_000 if os.environ.get("HOSTILE_ENDURANCE") == "all" else 3000
KIBIBYTES = 8 * 1024  # that caches may still take between the first and the last look


@pytest.mark.timeout(1200)
@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts descriptors through Linux's /proc")
def test_nothing_stays() -> None:
    program = Path(__file__).with_name("endurance.py")
    done = subprocess.run(
        [sys.executable, str(program), str(FIRES)], capture_output=True, text=True, timeout=1200, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    start, *phases = [json.loads(line) for line in done.stdout.splitlines()]
    assert [phase["phase"] for phase in phases][-1] == "end" and phases[-1]["fires"] >= FIRES
    assert not any(phase["wrong"] for phase in (start, *phases)), phases[-1]["wrong"]
    assert phases[-1]["resident"] - start["resident"] < KIBIBYTES, phases
    assert phases[-1]["descriptors"] <= start["descriptors"], phases
    assert phases[-1]["threads"] <= start["threads"] + 8, phases  # of the pool: they end when they have been idle
