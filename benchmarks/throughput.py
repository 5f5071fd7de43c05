"""``python -m benchmarks.throughput [--seconds S] [--fires N]``: fires a second, alone and side by side, and what stays.

The guard of ``guard.py`` through ``HookEngine.fire``. Threads share one interpreter, so that they are worth what waits;
with ``isolation="process"`` each thread has a warm process, and all cores work. The CPU time of a fire (ours and that of
our processes) is what a loaded machine can still say.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import statistics
import threading
import time
from pathlib import Path

from .guard import CALL, engine_of
from .measure import spelled
from .report import Table

THREADS = (1, 4, 16)
AT_ONCE = 200  # coroutines
GOAL = 10_000  # fires a second on two cores
FIRES = 100_000
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def cpu_seconds() -> float:
    """Return the CPU time of this process and of those that it has started and that run."""
    spent = time.process_time()
    for task in Path("/proc/self/task").glob("*/children"):
        for pid in task.read_text().split():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            spent += (int(fields[11]) + int(fields[12])) / _TICKS
    return spent


class Rate:
    """What a time of firing came to: fires a second, CPU seconds a fire, and the times of single fires."""

    def __init__(self, seconds: float, cpu: float, times: list[float]) -> None:
        self.per_second = len(times) / seconds
        self.cpu = cpu / len(times)
        cuts = statistics.quantiles(times, n=100)
        self.p50, self.p99 = cuts[49], cuts[98]

    def cells(self) -> tuple[str, ...]:
        """Return a row of the table."""
        return f"{self.per_second:,.0f}", spelled(self.p50), spelled(self.p99), spelled(self.cpu)


def side_by_side(threads: int, isolation: str, seconds: float) -> Rate:
    """Fire from so many threads for a while."""
    with engine_of(isolation) as engine:
        for _ in range(20):
            engine.fire("PreToolUse", tool_name="bash", tool_input=CALL, session_id="s0")
        ready, times = threading.Barrier(threads + 1), [[] for _ in range(threads)]  # type: list[list[float]]
        until = 0.0

        def fire(number: int) -> None:
            own = times[number]
            ready.wait()
            while (began := time.perf_counter()) < until:
                verdict = engine.fire("PreToolUse", tool_name="bash", tool_input=CALL, session_id=f"s{number}")
                assert verdict.hooks[0].ended == "ok", verdict
                own.append(time.perf_counter() - began)

        workers = [threading.Thread(target=fire, args=(number,)) for number in range(threads)]
        for worker in workers:
            worker.start()
        began, spent = time.perf_counter(), cpu_seconds()
        until = began + seconds
        ready.wait()
        for worker in workers:
            worker.join()
        return Rate(time.perf_counter() - began, cpu_seconds() - spent, [one for own in times for one in own])


def concurrently(rounds: int) -> Rate:
    """Fire from two hundred coroutines at once, several times."""
    times: list[float] = []
    with engine_of("thread") as engine:

        async def fire(number: int) -> None:
            began = time.perf_counter()
            await engine.afire("PreToolUse", tool_name="bash", tool_input=CALL, session_id=f"s{number}")
            times.append(time.perf_counter() - began)

        async def all_of_them() -> None:
            await asyncio.gather(*map(fire, range(AT_ONCE)))

        asyncio.run(all_of_them())
        times.clear()
        began, spent = time.perf_counter(), cpu_seconds()
        for _ in range(rounds):
            asyncio.run(all_of_them())
        return Rate(time.perf_counter() - began, cpu_seconds() - spent, times)


def rates(seconds: float) -> Table:
    """Measure every way of firing."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    rows = [(f"{count} threads", *side_by_side(count, "thread", seconds).cells()) for count in THREADS]
    rows += [
        (f'{count} threads, isolation="process"', *side_by_side(count, "process", seconds).cells())
        for count in sorted({1, cores, 2 * cores})
    ]
    rows.append((f"{AT_ONCE} afire at once", *concurrently(max(2, round(seconds * 5))).cells()))
    return Table(
        "fires of the guard a second",
        ("", "a second", "p50", "p99", "CPU of one"),
        rows,
        f"{cores} cores; goal {GOAL:,}",
    )


def stays(fires: int = FIRES) -> Table:
    """Fire often, and say what the process holds at the start, in the middle and at the end."""
    rows: list[tuple[str, ...]] = []
    with engine_of("thread") as engine:
        for count in (1000, fires // 2, fires - fires // 2):
            for number in range(count):
                engine.fire("PreToolUse", tool_name="bash", tool_input=CALL, session_id=f"s{number % 2000}")
            gc.collect()
            done = engine.stats()["fires"]
            rows.append(
                (f"after {done:,} fires", f"{resident() / 1e6:.1f} MB", str(threading.active_count()), descriptors())
            )
    return Table("what stays", ("", "resident", "threads", "descriptors"), rows)


def resident() -> int:
    """Return the bytes of memory that this process takes; 0 where nobody says it."""
    from pyshellhooks.host import current

    return current().resident() or 0


def descriptors() -> str:
    """Count the open descriptors of this process."""
    folder = Path("/proc/self/fd")
    return str(len(list(folder.iterdir()))) if folder.exists() else "?"


def main() -> None:
    """Measure and print both tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.throughput", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each way of firing is tried")
    parser.add_argument(
        "--fires", type=int, default=FIRES, help="how many fires must leave nothing behind; 0: not tried"
    )
    options = parser.parse_args()
    print(rates(options.seconds).text())
    if options.fires:
        print(stays(options.fires).text())


if __name__ == "__main__":
    main()
