"""What just fits into a limit runs to its end, and one more does not: each bound is the most that a run may have."""

from __future__ import annotations

import pytest

from pyshellhooks import Limits, Shell

FILES = {"/w/a": "", "/w/b": "", "/w/c": ""}

# A limit and its value; a script that has as much, and the output of it; one that has one more.
AT_THE_LIMIT = [
    ("output", 5, "printf 12345", "12345", "printf 123456"),
    ("output", 5, "printf 123; printf 45", "12345", "printf 123; printf 456"),
    ("output", 5, "printf 12345 >&2; printf 12345", "12345", "printf 123456 >&2"),
    ("output", 0, ":", "", "printf 1"),
    ("substitution", 5, 'x=$(printf 12345); printf "$x"', "12345", "x=$(printf 123456)"),
    ("array", 90, 'a=({1..90}); printf "${#a[@]}"', "90", "a=({1..91})"),
    ("array", 90, 'mapfile a < <(seq 90); printf "${#a[@]}"', "90", "mapfile a < <(seq 91)"),
    ("array", 90, 'a[89]=x a[1]=y; printf "${!a[*]}"', "1 89", "for i in {1..91}; do a[i]=x; done"),
    ("expansion", 3, "x='a b c'; printf %s $x", "abc", "x='a b c d'; printf %s $x"),
    ("glob", 3, "printf %s *", "abc", "> d; printf %s *"),
    ("stages", 3, ": | : | printf x", "x", ": | : | : | printf x"),
    ("written", 5, "printf 12345 > a; printf x", "x", "printf 123456 > a"),
    ("files", 2, "mkdir d; > e; printf x", "x", "mkdir d; > e; > f"),
    ("script", 8, "printf x", "x", "printf xy"),
    ("string", 64, 'printf -v x %64s; printf "${#x}"', "64", "printf -v x %65s"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "most", "fits", "output", "over"), AT_THE_LIMIT, ids=[f"{row[0]}: {row[2]}" for row in AT_THE_LIMIT]
)
def test_a_limit_is_the_most(name: str, most: int, fits: str, output: str, over: str) -> None:
    within, beyond = (Shell.sandbox(FILES, cwd="/w", limits=Limits(**{name: most})).run(one) for one in (fits, over))
    assert (within.ok, within.text) == (True, output)
    assert (beyond.ended.reason, beyond.ended.limit) == ("limit", name)
