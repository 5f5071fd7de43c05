"""The watchdog: no deadline is lost or early, whoever arms it and whatever the thread is doing then."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from math import inf

import pytest
from clock import patient
from test_threads_and_forks import in_threads

from pyshellhooks import Shell, cancel
from pyshellhooks.cancel import CancelScope, Timer, Watchdog

FAR = 3600.0  # seconds


def eventually(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + patient(30)
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.001)


def test_a_hundred_threads_arm_and_let_go() -> None:
    dog = Watchdog()
    fired: list[tuple[float, float]] = []
    dead: list[int] = []

    def work(number: int) -> None:
        for turn in range(100):
            when = time.monotonic() + (number * 7 + turn * 13) % 50 / 1000
            dog.at(when, lambda when=when: fired.append((when, time.monotonic())))  # type: ignore[misc]
            dog.at(when + FAR, lambda: dead.append(1)).cancel()
            dog.at(time.monotonic() + FAR, lambda: dead.append(2))

    assert in_threads(100, work) == []
    eventually(lambda: len(fired) == 10_000)
    assert not dead and all(at >= when for when, at in fired)


def test_a_far_deadline_takes_no_lock() -> None:
    dog = Watchdog()
    rung = threading.Event()
    dog.at(time.monotonic() + FAR, rung.set)
    eventually(lambda: time.monotonic() < dog._sleeping_until < inf)
    with dog._condition:  # a second taker would wait for ever: it is no RLock
        far = [dog.at(time.monotonic() + 2 * FAR, rung.set) for _ in range(100)]
    dog.at(time.monotonic() + 0.001, rung.set)
    assert rung.wait(60)
    assert len(far) == 100


def test_a_thread_that_ends_when_idle_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancel, "_IDLE_SECONDS", 0.001)
    dog = Watchdog()
    threads = set()
    for turn in range(300):
        rung = threading.Event()
        dog.at(time.monotonic() + turn % 5 / 5000, rung.set)
        threads.add(dog._thread)
        assert rung.wait(60)
        time.sleep(turn % 7 / 3500)
    assert len(threads) > 1  # it did end, now and then


def test_dead_processes_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancel, "_MANY", 64)
    dog = Watchdog()
    dog._bound = 64
    rung = threading.Event()
    kept = [dog.at(time.monotonic() + FAR, rung.set) for _ in range(100)]
    for _ in range(5000):
        timers = [dog.at(time.monotonic() + FAR, rung.set) for _ in range(10)]
        for timer in timers:
            timer.cancel()
    assert len(dog._arrived) + len(dog._sorted) < 1000
    assert {id(timer) for timer in kept} <= {id(timer) for timer in (*dog._sorted, *dog._arrived)}


def test_a_thread_that_dies_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    dog = Watchdog()
    monkeypatch.setattr(threading, "excepthook", lambda args: None)

    class Unsortable(float):
        def __lt__(self, other: float) -> bool:
            raise MemoryError

    rung = threading.Event()
    dog._arrived.extend([Timer(Unsortable(0), rung.set), Timer(Unsortable(1), rung.set)])
    dog.at(time.monotonic() + FAR, rung.set)
    eventually(lambda: dog._thread is not None and not dog._thread.is_alive())
    dog._sorted.clear()
    dog.at(time.monotonic() + 0.001, rung.set)
    assert rung.wait(60)


def test_nested_scopes_end_by_the_nearest_deadline() -> None:
    with CancelScope(timeout=FAR) as outer, CancelScope(timeout=0.05, parent=outer) as middle:
        with CancelScope(timeout=FAR, parent=middle) as inner:
            eventually(lambda: inner.stop is not None)
            assert inner.cancel_called == middle.cancel_called == "deadline"
        assert outer.stop is None
        with CancelScope(timeout=FAR, parent=middle) as late:
            assert late.cancel_called == "deadline"  # made below one that is over


def test_deadlines_of_runs_in_many_threads() -> None:
    shell = Shell(spawn=False)
    ended: list[tuple[str, bytes]] = []

    def work(number: int) -> None:
        if number % 4:
            result = shell.run("for i in 1 2 3; do echo $i; done", timeout=FAR)
        else:
            result = shell.run("while :; do :; done; echo never", timeout=0.05)
        ended.append((result.ended.reason, result.stdout))

    assert in_threads(100, work) == []
    assert ended.count(("deadline", b"")) == 25
    assert ended.count(("", b"1\n2\n3\n")) == 75
