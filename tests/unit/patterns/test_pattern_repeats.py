"""Counts that would take an engine's compiler for ever are refused before it sees them."""

from __future__ import annotations

import time

import pytest
from clock import patient

from pyshellhooks import Shell
from pyshellhooks.patterns import engines
from pyshellhooks.patterns.matcher import Matcher, compile_matcher
from pyshellhooks.patterns.perl import compile_perl
from pyshellhooks.patterns.tree import PatternError
from pyshellhooks.utilities.jq.regex.oniguruma import compile_onig
from pyshellhooks.utilities.jq.regex.subject import Subject

NESTED = [
    "(?:x{65535}){65535}",
    "((a{1000}b){1000}){2}",
    "(?:(?:x{900}){900}){900}",
    "(?:" * 14 + "ab" + "){2}" * 14,  # a copy before the loop too: 3 to the 14th, 2.4 GB
    "[" + "".join(f"{chr(point)}-{chr(point + 1)}" for point in range(0x1000, 0x1834, 3)) + "]{65535}",  # 27 s, 6 GB
]


@pytest.mark.parametrize("pattern", NESTED)
def test_nested_counts_are_refused_at_once(pattern: str) -> None:
    began = time.perf_counter()
    with pytest.raises(PatternError, match="too large"):
        compile_perl(pattern)
    engines.use_re2(False)
    try:
        with pytest.raises(PatternError):
            compile_matcher(pattern, "js")
    finally:
        engines.use_re2(True)
    assert time.perf_counter() - began < patient(5)


@pytest.mark.parametrize("operator", ["+", "+?", "++", "{1,}"])
def test_nested_loops_that_are_written_twice_are_refused_at_once(operator: str) -> None:
    """Each doubles what is in it: thirty would take gigabytes and hours, with the GIL held."""
    pattern = "(?:" * 30 + "x" + f"y){operator}" * 30
    began = time.perf_counter()
    with pytest.raises(PatternError, match="too large"):
        compile_perl(pattern)
    engines.use_re2(False)
    try:
        if operator != "++":
            with pytest.raises(PatternError, match="too large"):
                Matcher(pattern, "js")
    finally:
        engines.use_re2(True)
    assert time.perf_counter() - began < patient(5)


def test_jq_matches_with_them_at_once() -> None:
    pattern = "(?:" * 30 + "x" + "y)+" * 30
    began = time.perf_counter()
    for text in ("x" + "y" * 30, "x" + "y" * 30 + "é"):
        assert compile_onig(f"(?={pattern})x").test(text) is True
    assert compile_onig(f"(?={pattern})x").test("x" + "y" * 29) is False
    assert time.perf_counter() - began < patient(5)


@pytest.mark.parametrize(
    "pattern",
    ["(?:" * 30 + "x" + "y)*" * 30, "(?:" * 10 + "x" + "y)+" * 10, "(?:a+b)+" * 30, "(?:" * 10 + "ab" + "){2}" * 10],
)
def test_ordinary_loops_pass(pattern: str) -> None:
    assert compile_perl(pattern) is not None


@pytest.mark.parametrize("pattern", ["x{3,5}", "(a{10}b){10}", r"\{99999999\}", "[{9999999}]"])
def test_ordinary_counts_pass(pattern: str) -> None:
    assert compile_perl(pattern) is not None


def test_grep_reports_it_and_fails() -> None:
    result = Shell(spawn=False).run("grep -P '(?:x{65535}){65535}'", stdin=b"x\n", timeout=60)
    assert result.status == 2
    assert b"too large" in result.stderr


# Operators for a group of more than ten operations, with the fewest and the most repeats. A long body is compiled once.
COUNTS = [
    ("*", 0, 3), ("*?", 0, 3), ("*+", 0, 3), ("{0,}", 0, 3), ("+", 1, 3), ("+?", 1, 3), ("{1,}", 1, 3), ("{2,}", 2, 3),
    ("?", 0, 1), ("??", 0, 1), ("{0,2}", 0, 2), ("{0,2}?", 0, 2), ("{2}", 2, 2),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "least", "most"), COUNTS)
@pytest.mark.parametrize("longest", [False, True])
@pytest.mark.parametrize("opening", ["(", "(?:"])
def test_a_long_group_repeats_as_its_operator_requires(
    operator: str, least: int, most: int, longest: bool, opening: str
) -> None:
    pairs = "[ab][cd][ef][gh][ij][kl][mn][op][qr][st][uv][wx]"
    pattern = compile_onig(f"^{opening}{pairs}){operator}$", longest=longest)
    for times in range(4):
        found = pattern.search(Subject("acegikmoqsuw" * times), 0)
        assert (found is not None) is (least <= times <= most), times
