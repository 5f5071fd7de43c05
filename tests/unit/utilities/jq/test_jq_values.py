"""Values that are large, deep or without end: sorting in runs, writing in pieces, and all of it interruptible."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

from pyshellhooks.errors import Stop
from pyshellhooks.utilities.jq.colors import Paint
from pyshellhooks.utilities.jq.compiler import operators
from pyshellhooks.utilities.jq.errors import JqError
from pyshellhooks.utilities.jq.json import ordering, writer
from pyshellhooks.utilities.jq.json.numbers import Literal, compare_numbers, negate, read_number, to_int, to_long
from pyshellhooks.utilities.jq.json.ordering import compare, ordered
from pyshellhooks.utilities.jq.json.values import describe, dump_truncated, equal, truth
from pyshellhooks.utilities.jq.json.writer import Layout, compact, pieces, write


class LimitedRun:
    """A run that ends after so many checks, or at so many characters."""

    def __init__(self, checks: int = 10**9, characters: int = 10**9) -> None:
        self.checks = checks
        self.characters = characters

    def check(self) -> None:
        self.checks -= 1
        if self.checks < 0:
            raise Stop("deadline")

    def array(self, length: int) -> None: ...
    def made(self, size: int) -> None: ...

    def text(self, size: int) -> None:
        if size > self.characters:
            raise Stop("limit")


RUN: Any = LimitedRun()


def _impatient(checks: int = 50) -> Any:
    return LimitedRun(checks=checks)


def _nested(depth: int, innermost: Any = 1, alternate: bool = False) -> Any:
    value = innermost
    for level in range(depth):
        value = {"a": value} if alternate and level % 2 else [value]
    return value


def _endless(depth: int = 60) -> Any:
    """A value that takes no room, and has more elements than anyone can count."""
    value: Any = 1
    for _ in range(depth):
        value = [value, value]
    return value


# -- sorting


@pytest.mark.parametrize("run_length", [40, 1000, 10**9])
@pytest.mark.parametrize(
    "make",
    [
        lambda chance: chance.randint(0, 50),
        lambda chance: chance.choice([1, 2, 2.0, 3.5, -0.0, 0]),
        lambda chance: chance.choice("abc") * chance.randint(0, 9),
        lambda chance: [chance.randint(0, 3), chance.choice("ab")],
        lambda chance: chance.choice(
            [None, True, False, 1, "a", [], {}, {"a": 1}, {"a": 2}, {"b": 0}, [1], [1, 2], 1.5]
        ),
        lambda chance: read_number(chance.choice(["1", "1.0", "1.00000000000000000000001", "1e1000", "1e1001", "0.1"])),
        lambda chance: _nested(12, chance.randint(0, 9)),
    ],
)
def test_sorting_in_runs(monkeypatch: pytest.MonkeyPatch, run_length: int, make: Any) -> None:
    monkeypatch.setattr(ordering, "_LONGEST", run_length)
    chance = random.Random(1)
    for size in (0, 1, 2, 7, 200):
        keys = [make(chance) for _ in range(size)]
        places = ordered(RUN, list(range(size)), keys)
        assert sorted(places) == list(range(size))
        for first, second in zip(places, places[1:], strict=False):
            order = compare(keys[first], keys[second])
            assert order < 0 or (order == 0 and first < second)
        assert [compare(a, b) for a, b in zip(ordered(RUN, keys), [keys[place] for place in places], strict=True)] == [
            0
        ] * size


def test_nans_stay_where_they_are_among_themselves() -> None:
    nan = float("nan")
    for others in ([1, 2], [1, "a"], [_nested(20), 1]):
        keys = [others[1], nan, others[0], nan, nan]
        assert ordered(RUN, list(range(5)), keys)[:3] == [1, 3, 4]
        assert ordered(RUN, list(range(5)), [[key, -place] for place, key in enumerate(keys)])[:3] == [1, 3, 4]


# -- depth


@pytest.mark.one_in(3, slow=3)
@pytest.mark.slow
def test_depth_of_comparisons() -> None:
    for depth, deep in ((10_000, False), (10_002, True), (50_000, True)):
        for alternate in (False, True):
            a, b = _nested(depth - 1, alternate=alternate), _nested(depth - 1, alternate=alternate)
            if deep:
                for keys in (None, [[a], [b]]):
                    with pytest.raises(JqError, match="Comparison too deep"):
                        ordered(RUN, [a, b], keys)
                with pytest.raises(JqError, match="Equality check too deep"):
                    equal(a, b)
                with pytest.raises(JqError, match="Comparison too deep"):
                    compare(a, b)
            else:
                assert equal(a, b)
                assert compare(a, b) == 0
            assert not equal(a, [[], b])
    assert describe(_nested(50_000)) == "array ([[[[[[[[[[[[[[[[[[[[[[[[[...])"


@pytest.mark.slow
def test_depth_of_merging() -> None:
    a: Any = {"a": 1}
    for _ in range(9_999):
        a = {"a": a}
    assert equal(operators.multiply(RUN, a, a), a)
    with pytest.raises(JqError, match="Object merge too deep"):
        operators.multiply(RUN, {"a": {"a": a}}, {"a": {"a": a}})


# -- what takes long


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "work",
    [
        lambda run: equal(_endless(), _endless(), run),
        lambda run: compare(_endless(), _endless(), run),
        lambda run: ordered(run, [_endless(), _endless()]),
        lambda run: compact(run, _endless()),
        lambda run: list(pieces(run, _endless(), Layout("  "))),
        lambda run: list(Paint(Layout("  ")).pieces(run, _endless())),
        lambda run: operators.multiply(run, *[_tree(60)] * 2),
        lambda run: operators.subtract(run, [1.5] * 10_000, [2.5] * 10_000),
        lambda run: operators.divide(run, "ab" * 10**7, "b"),
        lambda run: operators.divide(run, "ab" * 10**7, ""),
        lambda run: ordered(run, [str(number) for number in range(10**6)]),
    ],
)
def test_interruption(work: Any) -> None:
    with pytest.raises(Stop):
        work(_impatient(20))


def _tree(depth: int) -> Any:
    value: Any = {"a": 1}
    for _ in range(depth):
        value = {"a": value, "b": value}
    return value


def test_limits_of_strings() -> None:
    small: Any = LimitedRun(characters=100_000)
    assert len(compact(small, ["a" * 99_000])) == 99_004
    for work in (
        lambda: compact(small, "a" * 100_000),
        lambda: compact(small, ["a" * 100_000]),
        lambda: compact(small, ["a"] * 100_000),
        lambda: compact(small, _endless()),
        lambda: operators.add(small, "a" * 50_001, "b" * 50_000),
        lambda: operators.multiply(small, "ab", 50_001),
    ):
        with pytest.raises(Stop):
            work()


# -- pieces


def test_splitting_in_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(2)
    for _ in range(2000):
        monkeypatch.setattr(operators, "_PIECE", chance.randint(1, 9))
        text = "".join(chance.choices("aab,", k=chance.randint(0, 40)))
        separator = "".join(chance.choices("aab,", k=chance.randint(0, 4)))
        parts = text.split(separator) if text and separator else list(text)
        assert operators.divide(RUN, text, separator) == parts


def test_writing_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    value = {
        "k" * 9: ["a\x7f" * 20, {"b" * 30: "é\n" * 9}, [1, 2.0, 0.5] * 9, {str(key): key for key in range(20)}],
        "e": [[], {}],
    }
    layouts = [Layout(), Layout("  "), Layout("\t", sort=True), Layout(ascii=True)]
    expected = [write(RUN, value, layout) for layout in layouts]
    assert expected[0].startswith('{"kkkkkkkkk":["a\\u007fa')
    for name, size in (
        ("_MOST_CHARACTERS", 7),
        ("_CHUNK", 3),
        ("_MOST_ITEMS", 2),
        ("_MOST_LEVELS", 1),
        ("_KEPT", 7),
        ("_PIECE", 5),
    ):
        monkeypatch.setattr(writer, name, size)
        assert [write(RUN, value, layout) for layout in layouts] == expected
        assert ["".join(pieces(RUN, value, layout)) for layout in layouts] == expected


# -- small things


def test_numbers() -> None:
    number = read_number("1.50")
    assert type(number) is Literal
    assert pickle.loads(pickle.dumps(number)).text == "1.50"
    assert [to_int(n) for n in (1e300, -1e300, 1.9, -1.9, float("nan"), 3)] == [2**31 - 1, -(2**31), 1, -1, 0, 3]
    assert [to_long(n) for n in (1e300, -1e300, 2.0**62, float("nan"))] == [2**63 - 1, -(2**63), 2**62, 0]
    assert str(negate(operators.subtract(RUN, 1, 1))) == "-0.0"
    assert negate(read_number("0")) == 0
    assert type(operators.add(RUN, 2**53 - 1, 1)) is float
    assert type(operators.add(RUN, 2**53 - 2, 1)) is int


def test_numbers_with_millions_of_digits() -> None:
    long = read_number("9" * 3_000_000)
    longer = read_number("9" * 3_000_000 + "." + "0" * 1_000_000 + "1")
    assert type(long) is Literal
    assert type(longer) is Literal
    assert compare_numbers(long, longer) == -1
    assert describe(long) == f"number ({'9' * 26}...)"
    assert read_number("0" * 3_000_000 + "7") == 7
    assert float(read_number("0." + "0" * 3_000_000 + "1e3000000")) == 0.1
    with pytest.raises(ValueError):
        read_number("1" * 3_000_000 + "x")


def test_truth_and_equality() -> None:
    assert [truth(value) for value in (None, False, True, 0, "", [])] == [False, False, True, True, True, True]
    assert not equal(True, 1)
    assert not equal([True], [1])
    assert not equal([1, 2, 3, 4, 5, 6, 7, 8, True], [1, 2, 3, 4, 5, 6, 7, 8, 1])
    nan = [float("nan")]
    assert equal(nan, nan)
    assert not equal(nan, [nan[0]])


def test_truncation() -> None:
    assert dump_truncated("a" * 27) == '"' + "a" * 27 + '"'
    assert dump_truncated("a" * 28) == '"' + "a" * 24 + '..."'
    assert dump_truncated([1, 2, "ab"], 11) == '[1,2,"ab"]'
    assert dump_truncated([1, 2, "ab"], 10) == "[1,2,...]"
