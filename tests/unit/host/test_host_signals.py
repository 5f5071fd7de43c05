"""Signals on their way to native children: to the group or the leader, by the numbers of the system."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable

import pytest

from tests import oracles

pytestmark = [pytest.mark.not_on_windows("needs-signal"), oracles.BIN_SH]

if sys.platform != "win32":
    from host_runs import Run

    from pyshellhooks.host.signals import forward, from_native, to_native

LEADER = (
    "trap 'echo leader; exit 5' USR1; sh -c 'trap \"echo member; exit\" USR1; echo up; while :; do sleep 0.02; done' & "
)


@pytest.mark.parametrize("group", [True, False])
def test_a_signal_goes_to_the_group_or_to_its_leader(group: bool) -> None:
    with Run() as run:
        child = run.start(LEADER + "wait")
        run.wait_for_output(b"up\n")
        child.signal(10, group=group)
        assert child.wait(run.scope) == 5
        run.wait_for_output(b"leader\n")
        if group:
            run.wait_for_output(b"member\n")
        assert (b"member" in run.out.getvalue()) is group


@pytest.mark.parametrize("number", [1, 10, 12, 14, 34, 64])
def test_the_number_that_ended_it_is_the_one_that_was_sent(number: int) -> None:
    with Run() as run:
        child = run.start("echo up; while :; do sleep 1; done")
        run.wait_for_output(b"up\n")
        child.signal(number)
        assert (child.wait(run.scope), child.signaled) == (128 + number, number)


def test_numbers_of_another_system(monkeypatch: pytest.MonkeyPatch) -> None:
    # macOS (its signal.h); it has neither PWR nor realtime signals.
    monkeypatch.setattr(sys, "platform", "darwin")
    numbers = {"BUS": 10, "SYS": 12, "URG": 16, "STOP": 17, "TSTP": 18, "CONT": 19, "CHLD": 20, "IO": 23}
    for name, number in {**numbers, "USR1": 30, "USR2": 31}.items():
        monkeypatch.setattr(signal, f"SIG{name}", number)
    monkeypatch.delattr(signal, "SIGPWR")
    here = (1, 9, 15, 7, 10, 12, 17, 18, 19, 20)
    there = (1, 9, 15, 10, 30, 31, 20, 19, 17, 18)
    assert tuple(to_native(number) for number in here) == there
    assert tuple(from_native(number) for number in there) == here
    assert (to_native(30), to_native(34)) == (None, None)


# The signals that others send to end a shell or to tell it something, and that it can trap (POSIX XBD signal.h).
FORWARDED = ["SIGHUP", "SIGINT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGALRM"]


def test_signals_that_end_or_notify_a_shell_are_handed_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    handlers: dict[int, Callable[[int, object], None]] = {}
    monkeypatch.setattr(signal, "signal", handlers.__setitem__)
    delivered: list[int] = []
    forward(delivered.append)
    numbers = [getattr(signal, name) for name in FORWARDED]
    assert sorted(handlers) == sorted(numbers)
    for number in numbers:
        handlers[number](number, None)
    assert delivered == numbers
