"""Runs of lines: the same lines that the pattern matches when it is shown one after the other."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from pyshellhooks.patterns.engines import compile_patterns, load_re2
from pyshellhooks.patterns.lines import LineFinder, between
from pyshellhooks.patterns.perl import compile_perl

ASCII = ["error", "errors", "terror", "ERROR", "id=12", "id=", "x", "xx", "7", "a.b", "aa", "user", "needle"]
BEYOND = ["größe", "straße", "érror", "error", "errorß", "é", "日本語", "7"]
POSIX = [
    "error",
    "^error",
    "needle$",
    "^$",
    "",
    ".",
    "x*",
    "[0-9]+",
    "(error|needle)s?",
    "(^| )x( |$)",
    "\\<err",
    "err\\>",
    "\\berror\\b",
    "r\\b.*\\<x",
    "(.)\\1",
    "([a-z]+) \\1",
    "[^e]r",
    "é|x",
    "[[:alpha:]]+ß",
    "a{1001}|7",
    "id=[0-9]",
    "id=[0-9]+( |$)",
]
PERL = [
    "error",
    "err\\w+$",
    "^\\S+ x",
    "\\bx\\b",
    "(?i)error",
    "x(?! 7)",
    "(?<=id=)\\d",
    "(\\w+) \\1",
    "e.*?r\\d",
    "x++",
    "id=\\K1",
    "[^\\n]x",
    "(?:a|x)+",
    "\\p{Lu}",
    "(a|b)*?7$",
]


def texts(words: list[str], chance: random.Random) -> Iterator[bytes]:
    """Make data with lines that match rarely, often and nearly always."""
    for dense in (0.05, 0.5, 0.95):
        lines = []
        for _ in range(900):
            some = (
                [chance.choice(words) for _ in range(chance.randrange(5))] if chance.random() < dense else ["---", "-"]
            )
            lines.append(" ".join(some))
        yield "\n".join(lines).encode() + b"\n"


def found(finder: LineFinder, data: bytes) -> list[bytes]:
    """Return the lines in runs."""
    return [line for low, high in finder.runs(data, 0, None) for line in data[low:high].splitlines()]


@pytest.mark.one_in(10)
@pytest.mark.parametrize("pattern", POSIX)
@pytest.mark.parametrize("words", [ASCII, BEYOND], ids=["ascii", "beyond"])
@pytest.mark.parametrize("ignore_case", [False, True])
@pytest.mark.parametrize("utf8", [True, False])
def test_posix(pattern: str, words: list[str], ignore_case: bool, utf8: bool) -> None:
    regex = compile_patterns(
        (pattern,),
        syntax="extended",
        dialect="grep",
        ignore_case=ignore_case,
        newline_anchors=True,
        newline_dot=False,
        captures=False,
        utf8=utf8,
    )
    finder = LineFinder(*regex.spec, regex)
    for data in texts(words, random.Random(pattern)):
        expected = [line for line in data.splitlines() if regex.test(line)]
        assert found(finder, data) == expected
        assert finder.count(data, None) == len(expected)
        others = b"".join([data[low:high] for low, high in between(finder.runs(data, 0, None), len(data))])
        assert others.splitlines() == [line for line in data.splitlines() if not regex.test(line)]
        assert regex.others(data) in (None, others)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("pattern", ["x", "error", "[0-9]+", "id=[0-9]+ ", "(error|é)s?", "(.)\\1", "[a-z]+$"])
@pytest.mark.parametrize("words", [ASCII, BEYOND], ids=["ascii", "beyond"])
@pytest.mark.parametrize("word", [False, True])
def test_matches_and_their_surroundings(pattern: str, words: list[str], word: bool) -> None:
    regex = compile_patterns(
        (pattern,), syntax="extended", newline_anchors=True, newline_dot=False, captures=False, word=word
    )
    for data in texts(words, random.Random(pattern)):
        data += data.replace(b"\n", b" ")  # and a long line
        pieces = list(regex.parts(data))
        assert b"".join([part for piece in pieces for part in piece]) == data
        expected = [line[low:high] for line in data.split(b"\n") for (low, high), *_ in regex.matches(line)]
        assert [part for piece in pieces for part in piece[1::2]] == expected
        assert regex.texts(data) == expected


@pytest.mark.parametrize("pattern", PERL)
@pytest.mark.parametrize("words", [ASCII, BEYOND], ids=["ascii", "beyond"])
def test_perl(pattern: str, words: list[str]) -> None:
    perl = compile_perl(pattern)
    finder = LineFinder(perl.tree, perl.options, perl, exact=perl.linear is not None, alone=True)
    for data in texts(words, random.Random(pattern)):
        assert found(finder, data) == [line for line in data.splitlines() if perl.test(line)]


@pytest.mark.parametrize(
    ("pattern", "exact"),
    [
        ("id=\\d+", True),
        ("(?<name>a|b)*x", True),
        ("[[:alpha:]\\-]x{2,}?", True),
        ("\\x41\\.", True),
        ("a(?=b)", False),
        ("(a)\\1", False),
        ("a\\Kb", False),
        ("a++", False),
        ("(?>a|ab)c", False),
    ],
)
def test_patterns_for_a_linear_engine(pattern: str, exact: bool) -> None:
    perl = compile_perl(pattern)
    assert perl.tree is not None
    assert (perl.linear is not None) is exact


@pytest.mark.parametrize("pattern", ["\\R", "(?s)a.b", "(a*)*", "\\p{L}", "a\\Qb\\E", "(?|a|b)", "\\Gx", "(?1)(a)"])
def test_patterns_for_the_other_engine(pattern: str) -> None:
    assert compile_perl(pattern).tree is None


def test_bytes_that_are_not_utf8_are_no_characters() -> None:
    # printf 'a\xffb\n' | LC_ALL=C.UTF-8 grep -c 'a.b' says 0 (GNU grep 3.8).
    data = b"a\xffb\naxb\n" * 3000
    regex = compile_patterns(("a.b",), syntax="extended", newline_anchors=True, newline_dot=False, captures=False)
    assert LineFinder(*regex.spec, regex).count(data, None) == 3000


def test_runs_are_found_with_few_questions() -> None:
    if not load_re2():
        pytest.skip("needs google-re2")
    regex = compile_patterns(("[0-9]",), syntax="extended", newline_anchors=True, newline_dot=False, captures=False)
    assert len(list(LineFinder(*regex.spec, regex).runs(b"line 7\n" * 5000, 0, None))) < 20
