"""Interleaved rounds and medians: what a shared, noisy machine can still say truly."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping

Act = Callable[[], object]


def median_seconds(contenders: Mapping[str, tuple[Act, int]], rounds: int) -> dict[str, float]:
    """Give the median time of one act for each contender.

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
    return {name: statistics.median(found) for name, found in times.items()}


def least_cpu(contenders: Mapping[str, tuple[Act, int]], rounds: int) -> dict[str, float]:
    """Give the least CPU time of this process for one act of each contender, over rounds that go around."""
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


def spelled(seconds: float) -> str:
    """Write a time with a unit that fits."""
    for unit, factor in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= factor:
            return f"{seconds / factor:.1f} {unit}"
    return f"{seconds / 1e-9:.0f} ns"


def show(title: str, found: Mapping[str, float], ours: str, note: str = "") -> None:
    """Print a table: times, and each as a multiple of ours."""
    print(f"\n{title}" + (f"  ({note})" if note else ""))
    for name, seconds in sorted(found.items(), key=lambda item: item[1]):
        ratio = "" if name == ours else f"{seconds / found[ours]:9.3g} × {ours}"
        print(f"  {name:44} {spelled(seconds):>10} {ratio}")
