"""Interleaved rounds and medians: what a shared, noisy machine can still say truly."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Mapping

Act = Callable[[], object]


def seconds(contenders: Mapping[str, tuple[Act, int]], rounds: int) -> dict[str, list[float]]:
    """Return the time of one act in each round, for each contender.

    A contender is an act and how often it is done in one round. The rounds go around, so that a slow moment of the
    machine hits everyone.
    """
    for act, _ in contenders.values():
        act()
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, (act, count) in contenders.items():
            began = time.perf_counter()
            for _ in range(count):
                act()
            times[name].append((time.perf_counter() - began) / count)
    return times


def least_cpu(contenders: Mapping[str, tuple[Act, int]], rounds: int) -> dict[str, float]:
    """Return the least CPU time of this process for one act of each contender, over rounds that go around."""
    for act, _ in contenders.values():
        act()
    least = dict.fromkeys(contenders, float("inf"))
    for _ in range(rounds):
        for name, (act, count) in contenders.items():
            began = time.process_time()
            for _ in range(count):
                act()
            least[name] = min(least[name], (time.process_time() - began) / count)
    return least


def beside(ours: Act, real: Act, rounds: int) -> tuple[float, float]:
    """Return the least CPU time of an act of this process, and of one that starts processes: theirs, starting included."""
    least = [float("inf"), float("inf")]
    for turn in range(rounds + 1):
        for at, (act, clock) in enumerate(((ours, time.process_time), (real, children))):
            began = clock()
            act()
            if turn:  # the first one warms up
                least[at] = min(least[at], clock() - began)
    return least[0], least[1]


def children() -> float:
    """Return the CPU time of all children that have ended: with what starting them cost."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def spelled(seconds: float) -> str:
    """Write a time with a unit that fits."""
    for unit, factor in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= factor:
            return f"{seconds / factor:.1f} {unit}"
    return f"{seconds / 1e-9:.0f} ns"
