"""Runs of lines have the lines that ``search`` finds one by one: what ``grep -w`` does with much data (GNU grep 3.8, -w)."""

from __future__ import annotations

import random

import pytest

from pyshellhooks import Shell
from pyshellhooks.patterns.engines import Regex, compile_patterns
from pyshellhooks.patterns.lines import LineFinder

WORDS = [
    "needle",
    "needles",
    "a-needle",
    "-needle",
    "xneedle",
    "needle_",
    "éneedle",
    "needleé",
    "ünder",
    "nee",
    "dle",
    "",
    "9",
    "\udcff",
]


def made(pattern: str, ignore_case: bool, utf8: bool) -> Regex:
    return compile_patterns(
        (pattern,),
        syntax="extended",
        dialect="grep",
        ignore_case=ignore_case,
        newline_anchors=True,
        newline_dot=False,
        captures=False,
        word=True,
        utf8=utf8,
    )


def placed(regex: Regex, data: bytes) -> list[int]:
    """Return the starts of the lines with a match."""
    found: list[int] = []
    for low, high in LineFinder(*regex.spec, regex).runs(data, 0, None):
        while low < high:
            found.append(low)
            low = data.find(b"\n", low) + 1
    return found


@pytest.mark.one_in(8)
@pytest.mark.parametrize(
    "pattern", ["needle", "needle|dle", "n..dle?", "^needle", "dle$", "", "x*", "(é|x)?needle", "[^x]needle", "-needle"]
)
@pytest.mark.parametrize("utf8", [True, False])
@pytest.mark.parametrize("ignore_case", [True, False])
@pytest.mark.parametrize("letters", ["ascii", "any"])
def test_the_same_lines(pattern: str, utf8: bool, ignore_case: bool, letters: str) -> None:
    chance = random.Random(pattern)
    words = [word for word in WORDS if word.isascii() or letters == "any"]
    lines = [" ".join(chance.choice(words) for _ in range(chance.randrange(4))) for _ in range(1500)]
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
    assert len(data) > 10_000
    regex = made(pattern, ignore_case, utf8)
    wanted: list[int] = []
    at = 0
    for line in data.splitlines(keepends=True):
        if regex.search(line.removesuffix(b"\n")) is not None:
            wanted.append(at)
        at += len(line)
    assert len(wanted) > 0
    assert placed(regex, data) == wanted


@pytest.mark.parametrize(("pattern", "lines"), [(r"\B", 1), (r"x|\B", 1), (r"^\B$", 0), (r"\B\B", 1), (r"\Bb", 1)])
def test_no_match_begins_between_the_bytes_of_a_letter(pattern: str, lines: int) -> None:
    """Perl's words are ASCII's: every place in ``aéa`` is an edge of one (GNU grep 3.8 -P)."""
    data = "aéa\nab\n".encode() * 2000
    shell = Shell(spawn=False, env={"LC_ALL": "C.UTF-8"})
    result = shell.run(f"grep -cP '{pattern}'", stdin=data, timeout=20)
    assert result.stdout == b"%d\n" % (lines * 2000)
