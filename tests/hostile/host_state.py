"""Run every shell case and every hostile script in a process of its own; print what changed in that process.

Started by ``test_hostile_host_state``: ``python host_state.py DIRECTORY``. An audit hook ends it where the library calls
what only the host may (rule 2); what it compares is printed as JSON.
"""

from __future__ import annotations

import json
import locale
import os
import resource
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

FORBIDDEN = ("os.chdir", "os.fchdir", "os.putenv", "os.unsetenv", "os.fork", "os.forkpty", "os.system", "os.exec")
SECONDS = 0.05
called: list[str] = []


def audit(event: str, args: tuple[Any, ...]) -> None:
    if event in FORBIDDEN or event in (
        "resource.setrlimit",
        "resource.prlimit",
        "signal.pthread_kill",
        "os.kill",
        "os.killpg",
    ):
        if event in ("os.kill", "os.killpg") and args[0] not in (0, os.getpid(), os.getppid(), os.getpgid(0)):
            return  # a child of the run
        called.append(f"{event}{args!r:.80}")


def guard(module: Any, name: str) -> None:
    """Audit what has no event of its own."""
    original = getattr(module, name)

    def guarded(*args: Any, **options: Any) -> Any:
        called.append(f"{name}{args!r:.80}")
        return original(*args, **options)

    setattr(module, name, guarded)


def state() -> dict[str, Any]:
    status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":\t" in line)
    streams = (sys.stdin, sys.stdout, sys.stderr, sys.__stdin__, sys.__stdout__, sys.__stderr__)
    return {
        "cwd": os.getcwd(),
        "umask": status["Umask"],
        "signals": [repr(signal.getsignal(number)) for number in sorted(signal.valid_signals())],
        "masks": [status[name] for name in ("SigBlk", "SigIgn", "SigCgt")],
        "environment": dict(os.environ),
        "locale": [locale.setlocale(category) for category in (locale.LC_CTYPE, locale.LC_COLLATE, locale.LC_NUMERIC)],
        "time zone": list(time.tzname),
        "limits": [
            resource.getrlimit(number)
            for number in range(resource.RLIM_NLIMITS if hasattr(resource, "RLIM_NLIMITS") else 10)
        ],
        "recursion": sys.getrecursionlimit(),
        "switching": sys.getswitchinterval(),
        "streams": [id(stream) for stream in streams],
        "path": list(sys.path),
        "hooks": [repr(hook) for hook in (sys.excepthook, threading.excepthook, sys.unraisablehook)],
        "group": [os.getpgid(0), os.getsid(0), os.getppid()],
    }


def leftovers() -> dict[str, Any]:
    from process_state import descriptors

    children = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
            line = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if int(fields[1]) == os.getpid() and "jq_worker" not in line:
            children.append(f"{fields[0].decode()} {line}")
    strangers = [
        t.name
        for t in threading.enumerate()
        if t is not threading.main_thread() and not t.name.startswith("pyshellhooks")
    ]
    return {"descriptors": len(descriptors()), "children": children, "threads": strangers}


def scripts() -> list[str]:
    import hostile_patterns
    import hostile_scripts

    from conformance.case import CASES, ShellCase, load

    rooms = [CASES / "shell", CASES / "utilities"]
    found = [case.script for case in load(rooms) if isinstance(case, ShellCase) and not case.virtual]
    for module, tables in ((hostile_scripts, "LOOPS RECURSION WAITING"), (hostile_patterns, "NATIVE")):
        for table in tables.split():
            found += [script for script, _ in getattr(module, table).values()]
    return found + [
        "kill -9 $$", "kill 0", "kill -9 0", "kill $PPID", "kill -9 -1", "kill -TERM -- -$$", "kill -STOP $PPID", "umask 0",
        "cd /; cd /nowhere", "trap : INT TERM HUP CHLD PIPE", "ulimit -n 3", "ulimit -t 1; ulimit -f 0", "export A=1 PATH=/x",
        "LC_ALL=C; export LC_ALL TZ=Asia/Tokyo; date", "exec 0<&- 1>&- 2>&-", "exec > /dev/null 2>&1", "set -m; sleep 0 &",
        "unset PATH HOME", "exit 3", "suspend", "disown -a", "trap 'kill -9 $$' EXIT", "kill -9 $BASHPID", "(kill -9 $$)",
    ]  # fmt: skip


def main() -> None:
    root = Path(sys.argv[1])
    sys.path[:0] = [str(Path(__file__).resolve().parents[up]) for up in range(3)]
    from hostile_runs import ENV, furnish, side_by_side
    from process_state import settled

    from pyshellhooks import Shell

    shell = Shell()
    shell.run("jq -n 'last(range(1e12))'; /bin/true", timeout=0.1)
    shell.run("jq -n 'last(range(10))'; /bin/true", timeout=60)
    every = scripts()
    before, had = state(), leftovers()
    sys.addaudithook(audit)
    guard(os, "umask")
    guard(signal, "signal")
    guard(locale, "setlocale")
    guard(sys, "setrecursionlimit")
    wide = sum(1 for _ in every)

    def job(number: int, script: str) -> Any:
        return lambda: shell.run(script, timeout=SECONDS, env=ENV, cwd=furnish(root / str(number)), grace=0.05)

    side_by_side([job(number, script) for number, script in enumerate(every)], 4)
    quiet = settled()
    forbidden = list(called)
    after, has = state(), leftovers()
    changed = {name: [before[name], after[name]] for name in before if before[name] != after[name]}
    print(
        json.dumps({"scripts": wide, "called": forbidden, "changed": changed, "had": had, "has": has, "settled": quiet})
    )


if __name__ == "__main__":
    main()
