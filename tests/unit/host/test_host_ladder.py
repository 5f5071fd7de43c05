"""The kill ladder: what a run started is gone afterwards, whatever it did to get away."""

from __future__ import annotations

import os
import sys
from time import monotonic

import pytest

if sys.platform == "win32":
    pytest.skip("POSIX processes", allow_module_level=True)

from host_runs import Run

from pyshellhooks.host import ladder

ESCAPES = {
    "child": "sleep 30",
    "grandchild": "sleep 30 & echo; wait",
    "nohup": "nohup sleep 30 >&- & wait",
    "double fork": "( ( sleep 30 & ) & ) ; sleep 30",
    "leader gone": "sleep 30 & exit 0",
    "ignores TERM": "trap '' TERM; sleep 30 & while :; do sleep 0.01; done",
    "own session": "setsid sleep 30 & wait",
    "own session, leader gone": "setsid sleep 30 & exit 0",
    "own session, ignores TERM": "trap '' TERM; setsid sleep 30 & wait",
    "own group": "bash -c 'set -m; sleep 30 & wait' 2>&-",
    "without the cookie": "env -i sleep 30 & env -i PATH=$PATH setsid sleep 30 & wait",
}


@pytest.mark.parametrize("script", ESCAPES.values(), ids=ESCAPES.keys())
def test_nothing_is_left(script: str) -> None:
    with Run() as run:
        child = run.start(f"echo ready; {script}")
        run.wait_for_output(b"ready")
        begun = monotonic()
        assert ladder.end([child], grace_until=begun + 0.2, sweep=run.cookie) == []
        assert monotonic() - begun < 0.2 + 0.8
        assert run.alive() == []
        assert child.poll() is not None


def test_the_tree_of_one_child_spares_its_siblings() -> None:
    with Run() as run:
        one, other = run.start("setsid sleep 30 & echo ready; wait"), run.start("exec sleep 30")
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
        ladder.end([child], grace_until=begun + 2)
        assert monotonic() - begun < 1
        assert child.poll() == 5
        run.plumbing.sync(run.out)
        assert run.out.getvalue() == b"ready\nbye\n"


def test_children_that_nobody_handed_over_are_found_by_their_cookie() -> None:
    with Run() as run:
        child = run.start("sleep 30")
        ladder.end([], grace_until=monotonic(), sweep=run.cookie)
        assert child.poll() is not None


def test_a_reaped_child_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    with Run() as run:
        child = run.start("exit 0")
        child.wait(run.scope)
        monkeypatch.setattr(os, "killpg", lambda *a: pytest.fail("signalled a number that is not ours"))
        assert ladder.end([child], grace_until=monotonic()) == []


def test_another_runs_children_are_spared() -> None:
    with Run() as run, Run() as other:
        bystander = other.start("sleep 30")
        run.start("sleep 30")
        ladder.end([], grace_until=monotonic(), sweep=run.cookie)
        assert bystander.poll() is None
