"""Measuring what a program holds is not felt by the other threads of the host."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator

import pytest

from pyshellhooks import Limits
from pyshellhooks.utilities.support.gauge import Gauge


@pytest.fixture
def quick_turns() -> Iterator[None]:
    """Let threads take turns as often as they can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.one_in(3, slow=3)
@pytest.mark.slow
@pytest.mark.usefixtures("quick_turns")
def test_a_count_does_not_disturb_another_threads_values(monkeypatch: pytest.MonkeyPatch) -> None:
    stats = gc.get_stats()
    counts = iter(range(1 << 30))
    # Each measurement finds that the collector has been there.
    monkeypatch.setattr(gc, "get_stats", lambda: [*stats[:2], {"collections": next(counts)}])
    refused: list[SystemError] = []
    done = threading.Event()

    def build() -> None:
        while not done.is_set():
            try:
                tuple(number for number in range(7))
            except SystemError as error:
                refused.append(error)

    builder = threading.Thread(target=build)
    builder.start()
    try:
        gauge = Gauge(Limits(), "jq")
        for _ in range(40):
            gauge.made(1 << 24)
    finally:
        done.set()
        builder.join()
    assert not refused
