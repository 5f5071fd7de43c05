"""Loops, cold starts and first uses: whole processes, timed or counted from outside."""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import sys

from .guard import PAYLOAD, SCRIPT
from .measure import Act, seconds, spelled
from .report import Table, compared

BARE = "python -c pass"
TURNS = 100_000
LOOP = f"i=0; while [ $i -lt {TURNS} ]; do i=$((i+1)); done; echo $i"


START = "import sys; from pyshellhooks.cli import main; sys.exit(main())"  # as the console script has it


def environment() -> dict[str, str]:
    """Return an environment in which bytecode is kept, as that of an installed package is: else every start compiles."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def process(*argv: str) -> Act:
    """Run a program to its end."""
    env = environment()

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
    return {
        BARE: (process(python, "-c", "pass"), 1),
        "pyshellhooks sh -c :": (process(python, "-c", START, "sh", "-c", ":"), 1),
        "from pyshellhooks import Shell; Shell().run(':')": (
            process(python, "-c", "from pyshellhooks import Shell; Shell().run(':')"),
            1,
        ),
        "bash -c :": (process("bash", "-c", ":"), 1),
    }


COUNTERS = (
    ("perf", "stat", "-x,", "-e", "instructions:u"),
    ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"),
)
_COUNT = re.compile(r"^(\d+),[^,]*,instructions|I +refs: +([\d,]+)", re.MULTILINE)


def instructions(*argv: str) -> int | None:
    """Count the instructions of a program, the least of three; None where nothing here can count them."""
    env = {**environment(), "PYTHONHASHSEED": "0"}
    for counter in COUNTERS:
        if shutil.which(counter[0]) is None:
            continue
        counts = []
        for _ in range(3):
            done = subprocess.run([*counter, *argv], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=env)
            found = _COUNT.search(done.stderr)
            if found is None:
                break
            counts.append(int((found[1] or found[2]).replace(",", "")))
        else:
            return min(counts)
    return None


# What is done first in a process: script, input, and whether a shell has run something else before.
FIRST = {
    "the guard": (SCRIPT, PAYLOAD.decode(), False),
    "jq": ("jq -r .a", '{"a":1}', True),
    "grep -E": ("grep -E 'a|b'", "a\n", True),
    "grep -P": (r"grep -P '(?<!x)rm\s+-rf'", "rm -rf\n", True),
    "awk": ("awk '{print $1}'", "a b\n", True),
    "sed": ("sed s/a/b/", "a\n", True),
}
_FIRST = """
import json, os, sys, time
clock = time.process_time
script, data, warm = json.loads(sys.argv[1])
times = [clock()]
from pyshellhooks import Shell
Shell
times.append(clock())
shell = Shell(env={"PATH": os.environ["PATH"]})
if warm:
    shell.run("cat", stdin=b"x", timeout=30)
for _ in range(2):
    times.append(clock())
    assert shell.run(script, stdin=data.encode(), timeout=30).status == 0
    times.append(clock())
print(json.dumps([times[1] - times[0], times[3] - times[2], times[5] - times[4]]))
"""


def first_use(name: str, rounds: int) -> tuple[float, ...]:
    """Return the least CPU seconds of the import, of the first act in a process and of the second."""
    found = []
    for _ in range(rounds):
        argv = [sys.executable, "-c", _FIRST, json.dumps(FIRST[name])]
        done = subprocess.run(argv, capture_output=True, text=True, check=True, env=environment())
        found.append(json.loads(done.stdout))
    return tuple(map(min, zip(*found, strict=True)))


def show_first_uses(rounds: int) -> None:
    """Print what starting costs in instructions, and first uses in CPU time."""
    print("\nfirst uses")
    bare = instructions(sys.executable, "-c", "pass")
    if bare is not None:
        ours = instructions(sys.executable, "-c", START, "sh", "-c", ":") or 0
        print(f"  sh -c : takes {ours / bare:.2f} times the instructions of python -c pass ({ours:,} and {bare:,})")
    else:
        print("  neither perf nor valgrind counts instructions here")
    imports = []
    for name in FIRST:
        whole, first, second = first_use(name, rounds)
        imports.append(whole)
        print(f"  {name:12} first {spelled(first):>9}, then {spelled(second):>9}")
    print(f"  {'import':12}       {spelled(statistics.median(imports)):>9}")
