"""What a jq program may hold: as much as neither the garbage collector nor one call in C takes long over."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest

from pyshellhooks import Limits, MemoryFS, Shell, Stopped
from pyshellhooks.utilities.jq.compiler import operators
from pyshellhooks.utilities.jq.compiler.in_place import Draft

ELEMENTS = "of jq has more than 250000 elements"
CONTAINERS = "holds more than 40000 arrays and objects"
SMALL = Limits(memory=16_000_000)
LARGER = Limits(memory=64_000_000)


@pytest.fixture
def collector() -> Iterator[None]:
    """Take what other tests hold out of the collector's sight; from then on it looks where a quarter more is there."""
    gc.freeze()
    gc.collect()
    looked = gc.get_stats()[2]["collections"]
    held = [[number] for number in range(300_000)]
    if gc.get_stats()[2]["collections"] == looked:
        gc.unfreeze()
        pytest.skip(f"the collector goes through {len(held)} arrays in steps")
    del held
    gc.collect()
    yield
    gc.unfreeze()


class Turns:
    """A run that counts how often others may have their turn."""

    checks = 0

    def check(self) -> None:
        self.checks += 1

    def made(self, size: int) -> None: ...
    def text(self, size: int) -> None: ...
    def array(self, length: int) -> None: ...


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("reduce range(60) as $i ([1]; . + .) | length", ELEMENTS),
        ("reduce range(60) as $i ([[1]]; [. + . | add | [., .] | add]) | length", ELEMENTS),
        ("setpath([300000]; 1) | length", ELEMENTS),
        ("[limit(3e5; repeat(null))] | length", ELEMENTS),
        ("[limit(3e5; def f: null, f; f)] | length", ELEMENTS),
    ],
)
def test_a_run_ends_where_it_holds_too_much(program: str, said: str) -> None:
    result = Shell(fs=MemoryFS(), cwd="/", spawn=False, limits=SMALL).run(f"jq -n '{program}'", timeout=60)
    assert isinstance(result.ended, Stopped)
    assert result.ended.reason == "limit"
    assert said in result.ended.detail


@pytest.mark.one_in(3)
@pytest.mark.usefixtures("collector")
@pytest.mark.parametrize(
    "program",
    [
        "[range(8e5) | [.]] | length",
        "[range(8e5) | {a: []}] | length",
        "reduce range(1e6) as $i ([]; . + [[$i]]) | length",
    ],
)
def test_a_run_ends_where_it_holds_too_many_containers(program: str) -> None:
    result = Shell(fs=MemoryFS(), cwd="/", spawn=False, limits=LARGER).run(f"jq -n '{program}'", timeout=60)
    assert isinstance(result.ended, Stopped)
    assert CONTAINERS in result.ended.detail


@pytest.mark.slow
@pytest.mark.usefixtures("collector")
@pytest.mark.parametrize("text", ["[],", '{"a":[]},'])
def test_an_input_of_too_many_containers(text: str) -> None:
    given = "[" + text * 500_000 + "1]"
    result = Shell(fs=MemoryFS(), cwd="/", spawn=False, limits=LARGER).run(
        "jq length", stdin=given.encode(), timeout=60
    )
    assert isinstance(result.ended, Stopped)
    assert CONTAINERS in result.ended.detail


def test_garbage_is_freed() -> None:
    shell = Shell(fs=MemoryFS(), cwd="/", spawn=False, limits=SMALL)
    assert shell.run("jq -n 'reduce range(3e5) as $i (0; [[[$i]]] | length)'", timeout=60).stdout == b"1\n"


def _object(first: int, end: int) -> dict[str, Any]:
    return {str(number): number for number in range(first, end)}


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (list(range(20_000)), list(range(5))),
        (list(range(5)), list(range(20_000))),
        (_object(0, 20_000), _object(19_000, 40_000)),
        (_object(0, 5), _object(0, 40_000)),
    ],
)
def test_large_sums_are_made_in_pieces(a: Any, b: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operators, "_PIECE", 64)
    turns: Any = Turns()
    expected = {**a, **b} if isinstance(a, dict) else a + b
    before = a.copy(), b.copy()
    total = operators.add(turns, a, b)
    assert total == expected
    assert list(total) == list(expected)
    assert (a, b) == before
    assert turns.checks >= len(b) // 64
    draft = Draft(turns, a)
    draft.add([], b)
    draft.add([], draft.value)
    assert draft.value == (expected if isinstance(a, dict) else [*expected, *expected])
    assert (a, b) == before
