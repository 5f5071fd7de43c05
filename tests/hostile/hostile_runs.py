"""Run scripts that do their worst, many at once, and note what they did to the process around them."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from pyshellhooks import Shell
from pyshellhooks.ended import Ended

# What a loaded machine may add to a promise: the promises (0.3 s, 1.5 s, a stall of 0.5 s) are held on a quiet one, and
# HOSTILE_TABLE writes the real times; here the bounds only have to catch what hangs.
NOISE = 1.2
STALL = 2.5

ENV = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": "/"}


class Ticker:
    """A thread that should tick every 5 ms; ``gap`` is the longest it ever had to wait."""

    def __init__(self) -> None:
        self.gap = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        last = time.perf_counter()
        while not self._over.is_set():
            time.sleep(0.005)
            now = time.perf_counter()
            self.gap = max(self.gap, now - last)
            last = now

    def __enter__(self) -> Ticker:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._over.set()
        self._thread.join()


class Outcome:
    """What one script came to: how it ended, after how long, and the processes that it left."""

    def __init__(self, ended: str, seconds: float, left: list[str], detail: str) -> None:
        self.ended = ended
        self.seconds = seconds
        self.left = left
        self.detail = detail

    def __repr__(self) -> str:
        return f"{self.ended} after {self.seconds:.2f} s, left {self.left}: {self.detail}"


def end_text(ended: Ended) -> str:
    """Put an end in the words of the tables."""
    if ended.kind == "exited":
        return f"exited {ended.status}"
    if ended.kind == "signaled":
        return f"signaled {ended.number}"
    return ended.reason if ended.kind == "stopped" else f"abandoned {ended.reason}"


def furnish(directory: Path) -> str:
    """Make the directory of one script."""
    directory.mkdir()
    os.mkfifo(directory / "fifo")
    (directory / "text").write_text("text\n")
    (directory / "aaa").write_text("a" * 40 + "!\n")
    return str(directory)


def left_in(directory: str) -> list[str]:
    """Find the processes that still work in a script's directory (none can hide that: not by setsid, not by env -i)."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")) if os.path.isdir("/proc") else ():
        try:
            if f"{os.readlink(f'/proc/{pid}/cwd')}/".startswith(f"{directory}/"):
                with open(f"/proc/{pid}/stat", "rb") as stat, open(f"/proc/{pid}/cmdline", "rb") as line:
                    if stat.read().rpartition(b")")[2].split()[0] not in b"ZX":
                        found.append(line.read().replace(b"\0", b" ").decode("utf-8", "replace"))
        except OSError:
            continue
    return found


def run_one(shell: Shell, script: str, directory: Path, timeout: float) -> Outcome:
    """Run one script in a directory of its own."""
    cwd = furnish(directory)
    begun = time.perf_counter()
    result = shell.run(script, timeout=timeout, env=ENV, cwd=cwd)
    seconds = time.perf_counter() - begun
    left = left_in(cwd)
    subprocess.run(["/bin/rm", "-rf", cwd], check=False)  # shutil cannot remove what is nested deeper than its stack
    detail = f"{result.ended!r} {result.stderr[-200:]!r}"
    return Outcome(end_text(result.ended), seconds, left, detail)


def side_by_side(jobs: Iterable[Callable[[], None]], width: int) -> None:
    """Run jobs on so many threads."""
    todo = iter(list(jobs))
    lock = threading.Lock()

    def work() -> None:
        while True:
            with lock:
                job = next(todo, None)
            if job is None:
                return
            job()

    workers = [threading.Thread(target=work, daemon=True) for _ in range(width)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def run_table(table: Mapping[str, tuple[str, str]], root: Path, timeout: float, width: int) -> dict[str, Outcome]:
    """Run a table of scripts side by side."""
    shell = Shell()
    outcomes: dict[str, Outcome] = {}

    def job(name: str, script: str) -> Callable[[], None]:
        def run() -> None:
            outcomes[name] = run_one(shell, script, root / name, timeout)

        return run

    side_by_side([job(name, script) for name, (script, _) in table.items()], width)
    return outcomes
