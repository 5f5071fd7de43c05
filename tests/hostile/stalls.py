"""Run the table of stalls and print what is bad: ``python tests/hostile/stalls.py``.

Each cell runs under a deadline in a process that can be killed: it has to end in time, let other threads run, keep within
``Limits.memory``, and not crash.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

# As a command it stands alone; its neighbours are in two directories.
sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parents[1])]

from clock import patient  # noqa: E402
from hostile_runs import side_by_side  # noqa: E402
from jq_stalls import HELD, LATE, Heartbeat  # noqa: E402
from memory_of_runs import peak  # noqa: E402
from stall_cells import MANY, Cell, cells, ready, sized  # noqa: E402

TIMEOUT = 0.4
MEMORY = 256  # MiB of Limits.memory here
SLACK = 200  # MiB that a run may take beside that: Limits.string's 16 Mi characters, copied a few times
ADDRESS_SPACE = 6 << 30
HUNG = 6.0  # seconds, of the CPU or of a machine with time, after which a cell is killed


class Fared:
    """How a cell ended: CPU seconds past the deadline and with the GIL held, wall seconds, MiB at most."""

    def __init__(self, ended: str, late: float, held: float, seconds: float, mebibytes: int, place: str) -> None:
        self.ended = ended
        self.late = late
        self.held = held
        self.seconds = seconds
        self.mebibytes = mebibytes
        self.place = place  # where it stood after its time

    def faults(self, timeout: float) -> list[str]:
        """Say what is bad about it."""
        found = [self.ended] if self.ended.startswith(("!", "crashed", "abandoned")) else []
        if self.late > patient(LATE) or self.seconds > patient(timeout + LATE) + 1:
            found.append(f"late {self.late:.2f} CPU s, {self.seconds:.1f} s")
        if self.held > patient(HELD):
            found.append(f"held {self.held:.2f} s")
        if self.mebibytes > MEMORY + SLACK:
            found.append(f"{self.mebibytes} MiB")
        return found


class Worker:
    """A process that runs cells, one after another; killed with the first that does not come back."""

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._process: subprocess.Popen[str] | None = None

    def run(self, cell: Cell, timeout: float) -> Fared:
        """Run a cell."""
        process = self._process
        if process is None or process.poll() is not None:
            process = self._process = subprocess.Popen(
                [sys.executable, __file__, "--worker", self._directory],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps([cell.script, cell.host, timeout]) + "\n")
        process.stdin.flush()
        begun, until = _cpu(process.pid), time.monotonic() + patient(timeout + HUNG)
        while not select.select([process.stdout], [], [], 0.1)[0]:
            if _cpu(process.pid) - begun > timeout + HUNG or time.monotonic() > until:
                break
        else:
            if line := process.stdout.readline():
                *fared, is_left_behind = json.loads(line)
                if (
                    is_left_behind
                ):  # a search that nothing interrupts takes processor time from the cells after this one
                    self.close()
                return Fared(*fared)
        self.close()
        where = Path(self._directory, f"{process.pid}.place")
        place = where.read_text() if where.exists() else ""
        return Fared("! never ends, or ends the process", 0.0, 0.0, 0.0, 0, place)

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def least(self, cell: Cell, timeout: float, attempts: int = 2) -> Fared:
        """Run a cell again where it was bad: what a busy machine did to it, it will not do twice."""
        fared = self.run(cell, timeout)
        while attempts > 1 and fared.faults(timeout) and not fared.ended.startswith("!"):
            attempts -= 1
            again = self.run(cell, timeout)
            fared = min(fared, again, key=lambda one: len(one.faults(timeout)))
        return fared


def _cpu(pid: int) -> float:
    """Return the CPU seconds of a process; 0 where nobody says."""
    try:
        user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    except OSError:
        return 0.0
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def prepare(directory: str) -> None:
    """Make ``$IN``."""
    for name, text in sized().items():
        Path(directory, name.lower()).write_text(text, encoding="utf-8")
    if hasattr(os, "mkfifo"):
        os.mkfifo(Path(directory, "fifo"))


def place_of(thread: threading.Thread) -> str:
    """Say where a thread stands in the package."""
    frame = sys._current_frames().get(thread.ident or 0)
    found: list[str] = []
    while frame is not None and len(found) < 3:
        path = frame.f_code.co_filename
        if "pyshellhooks/" in path:
            found.append(f"{path.rpartition('pyshellhooks/')[2]}:{frame.f_lineno} {frame.f_code.co_name}")
        frame = frame.f_back
    return " < ".join(found)


def work(directory: str) -> None:
    """Run the cells that stdin names."""
    import resource  # Windows has none, and collects these tests too

    from hostile_runs import end_text

    from pyshellhooks import Limits, MemoryFS, Shell
    from pyshellhooks.host.threads import abandoned

    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    limits = Limits(memory=MEMORY << 20)
    texts = sized()
    contents = {f"/in/{name.lower()}": text for name, text in texts.items()}
    many = {f"v{number}": "1" for number in range(1, MANY + 1)}
    # What is made once for the whole process is no part of a cell.
    warm = "echo b | grep -E '(a|b)$' | sed s/b/c/ | awk '{ print $1 }' | sort -g | jq -R . ; [[ a =~ a ]]"
    Shell(fs=MemoryFS(), cwd="/", spawn=False).run(warm, timeout=20)
    own_place = Path(directory, f"{os.getpid()}.place")
    for line in sys.stdin:
        script, host, timeout = json.loads(line)
        script, values = ready(script)
        env = values | {name: text for name, text in texts.items() if re.search(rf"\${name}\b", script)}
        env |= {"PATH": "/usr/bin:/bin", "IN": directory if host else "/in", **(many if "MANY" in script else {})}
        with tempfile.TemporaryDirectory() as own:
            fs = (
                None
                if host
                else MemoryFS({name: text for name, text in contents.items() if name in script.replace("$IN", "/in")})
            )
            shell = Shell(env=env, spawn=False, limits=limits, fs=fs, cwd=own if host else "/")
            ended = [""]

            def run(
                shell: Shell = shell, script: str = script, timeout: float = timeout, ended: list[str] = ended
            ) -> None:
                try:
                    result = shell.run(script, timeout=timeout)
                    ended[0] = f"{end_text(result.ended)} {result.ended.detail}"[:150]
                except BaseException as error:
                    ended[0] = f"! {type(error).__name__}: {error}"[:150]

            Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
            before, began = peak(), time.monotonic()
            with Heartbeat(None, began + timeout) as heartbeat:
                thread = threading.Thread(target=run)
                thread.start()
                thread.join(timeout + LATE)
                place = place_of(thread)
                own_place.write_text(place)
                thread.join()
            seconds = time.monotonic() - began
        fared = [ended[0], heartbeat.late(), heartbeat.held, seconds, peak() - before, place, bool(abandoned)]
        print(json.dumps(fared), flush=True)


def chosen(words: Sequence[str], every: int, first: int) -> list[Cell]:
    """Return every so many cells of those whose name has one of the words."""
    return [cell for cell in cells() if not words or any(word in cell.name for word in words)][first::every]


def fare(todo: Sequence[Cell], timeout: float = TIMEOUT, width: int = 2) -> Iterator[tuple[Cell, Fared]]:
    """Run cells, so many at once."""
    found: list[tuple[Cell, Fared]] = []
    with tempfile.TemporaryDirectory() as directory:
        prepare(directory)
        waiting = list(reversed(todo))

        def job() -> None:
            worker = Worker(directory)
            try:
                while waiting:
                    cell = waiting.pop()
                    found.append((cell, worker.least(cell, timeout)))
            finally:
                worker.close()

        runner = threading.Thread(target=side_by_side, args=([job] * width, width), daemon=True)
        runner.start()
        given = 0
        while runner.is_alive() or given < len(found):
            if given < len(found):
                yield found[given]
                given += 1
            else:
                time.sleep(0.02)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--timeout", type=float, default=TIMEOUT)
    parser.add_argument("--every", type=int, default=1, help="only every Nth cell")
    parser.add_argument("--first", type=int, default=0, help="the first of them")
    parser.add_argument("--width", type=int, default=2, help="processes at once")
    parser.add_argument("--verbose", action="store_true", help="print the good ones too")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("words", nargs="*", help="only cells whose name has one of these")
    options = parser.parse_args(argv)
    if options.worker:
        work(options.worker)
        return 0
    bad = count = 0
    for cell, fared in fare(chosen(options.words, options.every, options.first), options.timeout, options.width):
        faults = fared.faults(options.timeout)
        count += 1
        bad += bool(faults)
        if faults or options.verbose:
            said = "; ".join(faults) or f"{fared.seconds:.2f} s, held {fared.held:.2f} s, {fared.mebibytes} MiB"
            print(
                f"{'BAD' if faults else '   '} {cell.name!r:.140}  {said}  ({fared.ended:.40})  {fared.place}",
                flush=True,
            )
    print(f"{count} cells, {bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
