"""Every script of the tables ends in time, says why, and leaves nothing (rule 15)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from clock import patient
from hostile_patterns import GROWTH, NATIVE, PATTERNS
from hostile_runs import NOISE, STALL, Outcome, Ticker, run_one, run_table
from hostile_scripts import ENDLESS, LOOPS, RECURSION, WAITING
from process_state import descriptors, settled

from conformance.oracles import find
from pyshellhooks import Shell

pytestmark = [
    pytest.mark.not_on_windows("needs-program"),
    pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="FIFOs and native children of POSIX"),
]

TIMEOUT = 0.4
# What the contract allows, and what a loaded machine of CI may add to it.
IN_PROCESS, STUBBORN = 0.3, 1.5
WORKERS = 8  # pipes of jq workers: as many as scripts wanted one at once, and the spare

TABLES = {
    "loops": (LOOPS, 4),
    "recursion": (RECURSION, 3),
    "waiting": (WAITING, 8),
    "endless": (ENDLESS, 4),
    "patterns": (PATTERNS, 3),
    "growth": (GROWTH, 2),
    "native": (NATIVE, 4),
}
SCRIPTS = [(table, name) for table, (scripts, _) in TABLES.items() for name in scripts]


class Batch:
    """The outcomes of one table, and what its run did to this process."""

    def __init__(self, outcomes: dict[str, Outcome], gap: float, descriptors: int, settled: bool) -> None:
        self.outcomes = outcomes
        self.gap = gap
        self.descriptors = descriptors
        self.settled = settled


@pytest.fixture(scope="module")
def batches(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Batch]:
    known: dict[str, Batch] = {}

    def batch(table: str) -> Batch:
        if table not in known:
            scripts, width = TABLES[table]
            present = {name: row for name, row in scripts.items() if not missing(row[0])}
            root = Path(tmp_path_factory.mktemp(table))
            # The warm jq worker, its spare and what they are reached by stay: they are there before the count.
            Shell().run("jq -n 'last(range(1e12))'", timeout=0.1)
            Shell().run("jq -n 'last(range(10))'", timeout=60)
            before = len(descriptors())
            with Ticker() as ticker:
                outcomes = run_table(present, root, TIMEOUT, width)
            quiet = settled()
            known[table] = Batch(outcomes, ticker.gap, len(descriptors()) - before, quiet)
            record(table, known[table])
        return known[table]

    return batch


def missing(script: str) -> bool:
    """Say whether a script needs a program that this machine lacks (macOS has no setsid)."""
    return "setsid" in script and find("setsid") is None


def record(table: str, batch: Batch) -> None:
    """Append the times to the file that HOSTILE_TABLE names."""
    path = os.environ.get("HOSTILE_TABLE")
    if path:
        with open(path, "a") as file:
            file.write(f"{table}: longest stall of another thread {batch.gap:.3f} s\n")
            for name, outcome in batch.outcomes.items():
                file.write(f"{table}/{name}\t{outcome.seconds:.2f}\t{outcome.ended}\n")


@pytest.mark.parametrize(("table", "name"), SCRIPTS)
def test_it_ends_in_time_with_a_reason(table: str, name: str, batches: Callable[[str], Batch], tmp_path: Path) -> None:
    script, expected = TABLES[table][0][name]
    outcome = batches(table).outcomes.get(name)
    if outcome is None:
        pytest.skip("a program that the script needs is missing")
    ends = expected.split("|")
    if outcome.ended == "deadline" and "deadline" not in ends:  # a loaded machine: what it comes to alone, with time
        alone = run_one(Shell(), script, tmp_path / "alone", TIMEOUT * 25)
        assert alone.ended in ends, alone
    else:
        assert outcome.ended in ends, outcome
    assert not outcome.left, outcome
    bound = TIMEOUT + (STUBBORN if table == "native" else IN_PROCESS) + NOISE
    if outcome.seconds >= patient(bound):  # the load of that time is gone: what it takes alone
        outcome = run_one(Shell(), script, tmp_path / "again", TIMEOUT)
    assert outcome.seconds < patient(bound), (script, outcome)


@pytest.mark.parametrize("table", TABLES)
def test_the_process_around_them_is_as_before(table: str, batches: Callable[[str], Batch]) -> None:
    batch = batches(table)
    assert batch.gap < patient(STALL)
    assert batch.settled, "threads of the pool are still at work"
    assert batch.descriptors <= WORKERS


def test_the_tables_are_large_enough() -> None:
    assert len(SCRIPTS) >= 80


def test_fifty_at_once(tmp_path: Path) -> None:
    everything = {**LOOPS, **WAITING}
    scripts = {
        name: everything[name] for name in list(everything)[:: len(everything) // 50][:50] if name != "jobs-hundred"
    }
    before = len(descriptors())
    with Ticker() as ticker:
        outcomes = run_table(scripts, tmp_path, 0.5, 50)
    for name, (_, expected) in scripts.items():
        assert outcomes[name].ended in expected.split("|"), (name, outcomes[name])
        assert outcomes[name].seconds < patient(0.5 + IN_PROCESS + 2 * NOISE), (name, outcomes[name])
        assert not outcomes[name].left
    assert ticker.gap < patient(STALL)
    assert settled()
    assert len(descriptors()) <= before
