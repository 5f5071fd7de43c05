"""Loops and cold starts: whole processes, timed from outside."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys

from .measure import Act, seconds, spelled
from .report import Table, compared

BARE = "python -c pass"
TURNS = 100_000
LOOP = f"i=0; while [ $i -lt {TURNS} ]; do i=$((i+1)); done; echo $i"


def process(*argv: str) -> Act:
    """Run a program to its end."""

    # An installed package has its bytecode; where the caller's environment forbids it, every start would compile.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def act() -> None:
        subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True, env=env)

    return act


def counting() -> dict[str, tuple[Act, int]]:
    """A counting loop, in-process and in real shells."""
    from pyshellhooks import Shell

    shell = Shell()

    def ours() -> None:
        result = shell.run(LOOP, timeout=120)
        assert result.stdout == f"{TURNS}\n".encode(), result

    found: dict[str, tuple[Act, int]] = {"pyshellhooks Shell.run": (ours, 1)}
    for name in ("bash", "dash"):
        if shutil.which(name):
            found[name] = (process(name, "-c", LOOP), 1)
    return found


def starts(rounds: int) -> Table:
    """Measure cold starts; and what ours take over bare Python."""
    found = seconds(cold(), rounds)
    bare = statistics.median(found[BARE])
    over = [
        f"{spelled(statistics.median(times) - bare)} over bare Python: {name}"
        for name, times in found.items()
        if "hooks" in name
    ]
    return compared("cold starts", found, BARE, "; ".join(over))


def cold() -> dict[str, tuple[Act, int]]:
    """Fresh processes; the command is started as its console script would start it."""
    python = sys.executable
    start = "import sys; from pyshellhooks.cli import main; sys.exit(main())"
    return {
        BARE: (process(python, "-c", "pass"), 1),
        "pyshellhooks sh -c :": (process(python, "-c", start, "sh", "-c", ":"), 1),
        "from pyshellhooks import Shell; Shell().run(':')": (
            process(python, "-c", "from pyshellhooks import Shell; Shell().run(':')"),
            1,
        ),
        "bash -c :": (process("bash", "-c", ":"), 1),
    }
