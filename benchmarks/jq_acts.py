"""What is measured of jq, in a process that has one tree: reads ``name count`` and answers ``wall cpu`` (seconds, total).

Run by ``benchmarks/jq.py`` with PYTHONPATH=TREE, so that two states of the repository take turns.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

Act = Callable[[], object]

GUARD = """INPUT=$(cat)
CMD=$(echo "$INPUT" | jq -r '.tool_input.command')
case $CMD in *'rm -rf'*) exit 2 ;; esac
"""
PATH = ".tool_input.command"
PROGRAMS = {
    "select": '.tags[] | select(.k == "a") | .v',
    "map": "[.tags | map(.v + 1)[]] | add",
    "test": '.tool_input.command | test("rm +-(rf|fr)")',
    "//": '.tool_input.cmd // .tool_input.file // "none"',
    "interpolation": '"\\(.tool_name): \\(.tool_input.command) in \\(.cwd)"',
}
ON_LINES = {".": ".", ".a": ".a", "select": "select(.n>5)|.s"}


def payload() -> bytes:
    """Make a payload of 1 KB."""
    tags = [{"k": "abc"[n % 3], "v": n, "note": "word " * 4} for n in range(12)]
    call = {"command": "git commit -m 'a normal command' && make test", "description": "commit and test"}
    value = {
        "event": "PreToolUse",
        "session_id": "s1",
        "cwd": "/tmp",
        "tool_name": "bash",
        "tool_input": call,
        "tags": tags,
    }
    return json.dumps(value).encode() + b"\n"


def lines(size: int) -> bytes:
    """Make JSON lines."""
    made: list[str] = []
    length = number = 0
    while length < size:
        number += 1
        row = {
            "n": number % 11,
            "a": {"b": number, "c": [1.5, None, True]},
            "s": f"line {number} of a log",
            "t": "é" * (number % 3),
        }
        made.append(json.dumps(row, ensure_ascii=False))
        length += len(made[-1]) + 1
    return ("\n".join(made) + "\n").encode()


def large(size: int) -> bytes:
    """Make one payload with many fields."""
    content = [{"n": n, "s": f"text {n}"} for n in range(size // 32)]
    return json.dumps({"tool_name": "bash", "content": content, "tool_input": {"command": "ls"}}).encode()


def called(words: list[str], data: bytes, spawn: bool = False) -> Act:
    """Call the utility, without a shell around it."""
    from pyshellhooks.cancel import CancelScope
    from pyshellhooks.command import Call, execute
    from pyshellhooks.fs.memory import MemoryFS
    from pyshellhooks.limits import Limits
    from pyshellhooks.streams import BytesReader, Capture
    from pyshellhooks.utilities.jq import jq

    class Start:
        spawn_allowed = spawn

    fs, limits, start = MemoryFS(), Limits(), Start()

    def act() -> None:
        out = Capture(1 << 26)
        with CancelScope(timeout=120) as scope:
            call = Call(
                ["jq", *words],
                env={},
                cwd="/",
                fs=fs,
                stdin=BytesReader(data).retain(),
                stdout=out,
                stderr=out,
                scope=scope,
                limits=limits,
                start=start,  # type: ignore[arg-type]
            )
            assert execute(jq, call) == 0, out.getvalue()[-300:]

    return act


def shell(script: str, data: bytes, spawn: bool = True) -> Act:
    """Run a script in a warm shell."""
    from pyshellhooks import Limits, Shell

    warm = Shell(env={"PATH": os.environ["PATH"]}, spawn=spawn, limits=Limits(output=1 << 26))

    def act() -> None:
        result = warm.run(script, stdin=data, timeout=120)
        assert result.status == 0, result.stderr

    return act


def make(name: str, folder: Path) -> Act:
    """Make an act by its name."""
    kind, _, rest = name.partition(" ")
    small = payload()
    if kind == "guard":
        return shell(GUARD, small)
    if kind == "path":
        return called(["-r", PATH], small)
    if kind == "small":
        return called(["-r", PROGRAMS[rest]], small)
    if kind == "shell":
        return shell(f"jq -r '{PROGRAMS[rest]}' >/dev/null", small)
    if kind == "lines":
        where, _, program = rest.partition(" ")
        return called(["-c", ON_LINES[program]], (folder / "lines").read_bytes(), where == "worker")
    if kind == "large":
        return called(["-r", PATH], (folder / "large").read_bytes(), rest == "worker")
    raise KeyError(name)


def spent() -> float:
    """Return the CPU seconds of this process and of the children that it has or had."""
    total = time.process_time()
    times = os.times()
    total += times.children_user + times.children_system
    tick = os.sysconf("SC_CLK_TCK")
    for task in os.listdir("/proc/self/task"):
        try:
            children = Path(f"/proc/self/task/{task}/children").read_text().split()
            for child in children:
                fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
                total += (int(fields[11]) + int(fields[12])) / tick
        except OSError:
            continue
    return total


def first_use() -> None:
    """Print the CPU seconds that the first call of jq takes in a process, and the tenth."""
    from pyshellhooks import Shell

    warm = Shell(env={"PATH": os.environ["PATH"]})
    warm.run("cat", stdin=b"x", timeout=5)
    times = []
    for _ in range(10):
        began = time.process_time()
        warm.run("jq -r .tool_input.command", stdin=b'{"tool_input":{"command":"ls"}}', timeout=30)
        times.append(time.process_time() - began)
    print(times[0], times[-1])


def main() -> None:
    """Serve."""
    if sys.argv[1] == "first":
        first_use()
        return
    folder = Path(sys.argv[1])
    acts: dict[str, Act] = {}
    for line in sys.stdin:
        count, _, name = line.strip().partition(" ")
        try:
            if name not in acts:
                acts[name] = make(name, folder)
                acts[name]()
            cpu, began = spent(), time.perf_counter()
            for _ in range(int(count)):
                acts[name]()
            print(time.perf_counter() - began, spent() - cpu, flush=True)
        except BaseException as error:
            print("failed", f"{type(error).__name__}: {error}".replace("\n", " ")[:120], flush=True)
            acts.pop(name, None)


if __name__ == "__main__":
    main()
