"""The kill ladder: what a run started is gone afterwards, whatever it did to get away."""

from __future__ import annotations

import os
from time import monotonic

import pytest
from clock import patient
from host_runs import Run

from pyshellhooks.host import terminate
from tests import oracles

pytestmark = [pytest.mark.not_on_windows("needs-signal"), oracles.BIN_SH]

SLEEPER = "sh -c 'echo ready; exec sleep 30'"  # its word shows that it has got to where it is meant to be
ESCAPES = {
    "child": f"exec {SLEEPER}",
    "grandchild": f"{SLEEPER} & wait",
    "nohup": f"nohup {SLEEPER} 2>/dev/null & wait",
    "double fork": f"( ( {SLEEPER} & ) & ) ; sleep 30",
    "leader gone": f"{SLEEPER} & exit 0",
    "ignores TERM": f"trap '' TERM; {SLEEPER} & while :; do sleep 0.01; done",
    "own session": f"setsid {SLEEPER} & wait",
    "own session, leader gone": f"setsid {SLEEPER} & exit 0",
    "own session, ignores TERM": f"trap '' TERM; setsid {SLEEPER} & wait",
    "own session, double fork, leader gone": f'setsid sh -c "({SLEEPER} &) ; exit" & exit 0',
    "own group": f'bash -c "set -m; {SLEEPER} & wait" 2>&-',
    "without the cookie": f"trap '' TERM; setsid env -i {SLEEPER} & while :; do sleep 0.01; done",
}


@pytest.mark.parametrize("script", ESCAPES.values(), ids=ESCAPES.keys())
def test_nothing_is_left(script: str) -> None:
    with Run() as run:
        child = run.start(script)
        run.wait_for_output(b"ready")
        begun = monotonic()
        assert terminate.end([child], grace_until=begun + 0.2, sweep=run.cookie) == []
        assert monotonic() - begun < patient(0.2 + 0.8)
        assert run.alive() == []
        assert child.poll() is not None
        run.pipe_bridges.wait_eof(run.out, run.scope)  # hangs if anything, cookie or not, still holds our pipe


def test_the_tree_of_one_child_spares_its_siblings() -> None:
    with Run() as run:
        one, other = run.start(f"setsid {SLEEPER} & wait"), run.start("exec sleep 30")
        run.wait_for_output(b"ready")
        one.kill_tree()
        assert one.wait(run.scope) == 137
        assert other.poll() is None
        assert run.alive() == [other.pid]


def test_the_polite_way_is_tried_first() -> None:
    with Run() as run:
        child = run.start("trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.01; done")
        run.wait_for_output(b"ready")
        begun = monotonic()
        terminate.end([child], grace_until=begun + 60)
        assert monotonic() - begun < patient(5)
        assert child.poll() == 5
        run.pipe_bridges.sync(run.out)
        assert run.out.getvalue() == b"ready\nbye\n"


def test_unregistered_children_are_found_by_their_cookie() -> None:
    with Run() as run:
        child = run.start("sleep 30")
        terminate.end([], grace_until=monotonic(), sweep=run.cookie)
        assert child.poll() is not None


def test_a_reaped_child_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    with Run() as run:
        child = run.start("exit 0")
        child.wait(run.scope)
        monkeypatch.setattr(os, "killpg", lambda *a: pytest.fail("signalled a number that is not ours"))
        assert terminate.end([child], grace_until=monotonic()) == []


def test_another_runs_children_are_spared() -> None:
    with Run() as run, Run() as other:
        bystander = other.start("sleep 30")
        run.start("sleep 30")
        terminate.end([], grace_until=monotonic(), sweep=run.cookie)
        assert bystander.poll() is None


def test_a_tree_that_grows_all_the_time() -> None:
    with Run(timeout=2) as run:
        child = run.start("trap '' TERM; echo ready; while :; do setsid env -i sleep 30 & sleep 0.001; done")
        run.wait_for_output(b"ready")
        child.kill_tree()
        assert child.wait(run.scope) == 137
        run.pipe_bridges.wait_eof(run.out, run.scope)
