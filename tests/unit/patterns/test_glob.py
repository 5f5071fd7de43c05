"""Shell patterns: what the table of bash's answers does not show."""

import time

import pytest
from clock import patient

from pyshellhooks.patterns.glob import compile_component, compile_glob, escape, has_magic, split_path, unescape


@pytest.mark.parametrize(
    ("text", "magic", "extended"),
    [
        ("abc", False, False),
        ("a*", True, True),
        ("a\\*", False, False),
        ("[", False, False),
        ("[a]", True, True),
        ("\\[a]", False, False),
        ("@(a)", False, True),
        ("\\@(a)", False, False),
        ("a?", True, True),
    ],
)
def test_has_magic(text: str, magic: bool, extended: bool) -> None:
    assert has_magic(text) is magic
    assert has_magic(text, extglob=True) is extended


@pytest.mark.parametrize("text", ["", "plain", "*?[a]\\", "@(a|b)", "é!\n", "\udcff-[^x]"])
def test_an_escaped_text_matches_itself_only(text: str) -> None:
    pattern = escape(text)
    assert not has_magic(pattern, extglob=True)
    assert unescape(pattern) == text
    glob = compile_glob(pattern)
    assert glob.literal == text
    assert glob.matches(text)
    assert not glob.matches(text + "x")


def test_ignore_case_keeps_positions() -> None:
    glob = compile_glob("*S[a-c]?", ignore_case=True)
    assert glob.matches("İİsBx")
    assert glob.search("İİsBx") == (0, 5)
    assert compile_glob("@(Yes|no)", ignore_case=True).matches("YES")
    assert compile_glob("[[:upper:]]K", ignore_case=True).matches("Ak")
    assert not compile_glob("[[:upper:]]", ignore_case=True).matches("a")  # bash 5.2.15 asks of the letter as it stands
    assert not compile_glob("[!a]", ignore_case=True).matches("A")


def test_an_invalid_byte_is_one_character() -> None:
    assert compile_glob("a?b").matches("a\udcffb")
    assert not compile_glob("a[[:alpha:][:punct:]]b").matches("a\udcffb")


@pytest.mark.parametrize(
    ("pattern", "name", "matches"),
    [
        ("*", ".hidden", False),
        ("?x", ".x", False),
        ("[.]x", ".x", False),
        (".*", ".x", True),
        ("\\.x*", ".xy", True),
        ("*x", "x", True),
        ("@(.x|y)", ".x", True),
        ("@(*|y)", ".x", False),
        ("?(a).x", ".x", True),
        ("!(a)", ".x", False),
        ("!(a)", "b", True),
        (".!(a)", ".b", True),
        ("*(.)x", ".x", True),
    ],
)
def test_a_leading_dot_must_be_named(pattern: str, name: str, matches: bool) -> None:
    assert compile_component(pattern, extglob=True)(name) is matches
    if not matches:
        assert compile_component(pattern, extglob=True, dotglob=True)(name)


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        ("/a/*/b", ["", "a", "*", "b"]),
        ("a\\/b", ["a", "b"]),
        ("a\\\\/b", ["a\\\\", "b"]),
        ("[a/b]", ["[a", "b]"]),
        ("\\*/x\\", ["\\*", "x\\"]),
    ],
)
def test_split_path(pattern: str, parts: list[str]) -> None:
    assert split_path(pattern) == parts


@pytest.mark.parametrize(
    "pattern",
    [
        "*a" * 30 + "*b",
        "*?a" * 30 + "b",
        "*(*(*(a)))b",
        "+(a|aa|aaa|+(a))b",
        "*(a|!(b)|*(a))b",
        "!(!(!(*(a)b)))c",
        "@(" * 90 + "a" + ")*b" * 90,
        "[[:" * 2000,
        "@(" * 5000,
        "[" + "[:alpha:]" * 3000,
    ],
)
def test_hostile_patterns_end(pattern: str) -> None:
    started = time.perf_counter()
    glob = compile_glob(pattern)
    text = "a" * 200
    glob.matches(text)
    glob.search(text)
    glob.suffix(text, True)
    assert time.perf_counter() - started < patient(2)


def test_long_work_polls_for_cancellation() -> None:
    asked = 0

    def check() -> None:
        nonlocal asked
        asked += 1

    compile_glob("*" + "?" * 50 + "[b]*x*").matches("a" * 100_000, check)
    assert asked > 10
    asked = 0
    compile_glob("+(a)b").matches("a" * 500, check)
    assert asked > 100
