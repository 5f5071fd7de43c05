"""Run cells of the table and say when each ended and how long it kept the GIL: ``python tests/hostile/jq_stalls.py``."""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Callable, Sequence

from hostile_jq import Cell, cells
from hostile_jq_inputs import LARGEST, READ_AT_ONCE

from pyshellhooks.cancel import CancelScope, set_active_scope
from pyshellhooks.command import Call, execute
from pyshellhooks.errors import Stop
from pyshellhooks.fs.memory import MemoryFS
from pyshellhooks.limits import Limits
from pyshellhooks.streams import BytesReader, NullStream, Stream
from pyshellhooks.utilities.jq import jq

TIMEOUT = 1.0
LATE = 0.3  # seconds after the timeout
HELD = 0.3  # CPU seconds without another thread's turn


class _Start:
    """What tells a utility that there may be no processes."""

    spawn_allowed = False


class Fared:
    """How a cell ended."""

    __slots__ = ("cell", "ended", "held", "seconds")

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.ended = ""
        self.seconds = 0.0
        self.held = 0.0

    def is_bad(self, timeout: float) -> bool:
        """Say whether it was late, kept the GIL, or let an exception out."""
        return self.seconds > timeout + LATE or self.held > HELD or self.ended.startswith("!")

    def line(self) -> str:
        return f"{self.seconds:5.2f} s, held {self.held:4.2f} s  {self.ended:40.40}  {self.cell.name[:150]}"


class Heartbeat:
    """Wakes every 5 ms and asks how much CPU the worker got since: what it got while nobody else could run.

    The worker's own clock counts, not the wall's: on a busy machine a thread waits for a core as well. Without a worker
    it is the clock of the whole process. ``deadline``: the moment (``time.monotonic``) from which on ``late`` counts.
    """

    def __init__(self, worker: threading.Thread | None, deadline: float = float("inf")) -> None:
        self.held = 0.0
        self._worker = worker
        self._deadline = deadline
        self._due: float | None = None  # what the clock said there
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def _beat(self) -> None:
        clock = self._clock()
        last = 0.0 if self._worker is not None else time.clock_gettime(clock)
        while not self._over.is_set():
            time.sleep(0.005)
            try:
                now = time.clock_gettime(clock)
            except OSError:  # the worker has ended
                return
            if self._due is None and time.monotonic() >= self._deadline:
                self._due = last
            self.held = max(self.held, now - last)
            last = now

    def _clock(self) -> int:
        if self._worker is None:
            return time.CLOCK_PROCESS_CPUTIME_ID
        assert self._worker.ident is not None
        return time.pthread_getcpuclockid(self._worker.ident)

    def late(self) -> float:
        """Return the CPU seconds since the deadline."""
        return 0.0 if self._due is None else time.clock_gettime(self._clock()) - self._due

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._over.set()
        self._thread.join()


def held_by(work: Callable[[], None], patience: float | None = None) -> tuple[float, bool]:
    """Do something on a thread of its own: for how long it let no other run, and whether it ended in time (seconds)."""
    ready, go = threading.Event(), threading.Event()

    def begin() -> None:
        ready.set()
        go.wait()
        work()

    worker = threading.Thread(target=begin, daemon=True)
    worker.start()
    ready.wait()
    with Heartbeat(worker) as heartbeat:
        time.sleep(0.006)
        go.set()
        worker.join(patience)
        ended = not worker.is_alive()
    return heartbeat.held, ended


def run(cell: Cell, timeout: float = TIMEOUT, size: int = LARGEST) -> Fared:
    """Run a cell on a thread of its own."""
    fared = Fared(cell)
    given = cell.stream(size)

    def work() -> None:
        stdin: Stream = BytesReader(given) if isinstance(given, bytes) else given
        began = time.perf_counter()
        with CancelScope(timeout=timeout) as scope:
            set_active_scope(scope)  # as a run does
            try:
                fared.ended = str(_called(cell, stdin, scope))
            except Stop as stop:
                fared.ended = f"{stop.reason} {stop.limit}"
                stop.__traceback__ = None  # as the shell does: its frames hold what the program had made
            except BaseException as error:
                fared.ended = f"! {type(error).__name__}: {error}"[:200]
        fared.seconds = time.perf_counter() - began

    fared.held, ended = held_by(work, timeout * 60)
    if not ended:
        fared.ended, fared.seconds = "! does not end", timeout * 60
    return fared


def _called(cell: Cell, stdin: Stream, scope: CancelScope) -> int:
    call = Call(
        ["jq", *cell.words],
        env={"TZ": "UTC"},
        cwd="/",
        fs=MemoryFS(),
        stdin=stdin.retain(),
        stdout=NullStream(),
        stderr=NullStream(),
        scope=scope,
        limits=Limits(),
        start=_Start(),  # type: ignore[arg-type]
    )
    return execute(jq, call)


def least(cell: Cell, timeout: float = TIMEOUT, size: int = LARGEST, attempts: int = 3) -> Fared:
    """Run a cell again where it was bad: what a busy machine did to it, it will not do thrice."""
    best = run(cell, timeout, size)
    while best.is_bad(timeout) and attempts > 1:
        attempts -= 1
        again = run(cell, timeout, size)
        seconds, held = min(best.seconds, again.seconds), min(best.held, again.held)
        best = again if again.ended.startswith("!") or not best.ended.startswith("!") else best
        best.seconds, best.held = seconds, held
    return best


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--timeout", type=float, default=TIMEOUT)
    parser.add_argument("--every", type=int, default=1, help="only every Nth cell")
    parser.add_argument("--size", type=int, default=LARGEST, help=f"bytes of inputs; {READ_AT_ONCE} are read at once")
    parser.add_argument("--bad", action="store_true", help="print only those that are late, hold the GIL, or raise")
    parser.add_argument("words", nargs="*", help="only cells whose name has one of these")
    options = parser.parse_args(argv)
    chosen = [cell for cell in cells() if not options.words or any(word in cell.name for word in options.words)]
    bad = 0
    for cell in chosen[:: options.every]:
        fared = least(cell, options.timeout, options.size, 2)
        bad += fared.is_bad(options.timeout)
        if fared.is_bad(options.timeout) or not options.bad:
            print(("BAD " if fared.is_bad(options.timeout) else "    ") + fared.line(), flush=True)
    print(f"{len(chosen[:: options.every])} cells, {bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
