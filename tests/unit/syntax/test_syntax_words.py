"""Words: quoting, expansions and where they end (POSIX XCU 2.2 and 2.3, bash manual 3.1.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyshellhooks.syntax.parser import Modes

Read = Callable[..., Any]
X = ("$", "x")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", "a"),
        ("a#b", "a#b"),
        ("a=b", "a=b"),
        ("'a b'", (("'", "a b"),)),
        ("'a\\'", (("'", "a\\"),)),
        ("a\\ b", ("a", ("\\", " "), "b")),
        ("\\\\", (("\\", "\\"),)),
        ("a\\\nb", "ab"),
        ("\\", (("\\", "\\"),)),
        ('""', (("dq",),)),
        ('"a b"', (("dq", ('"', "a b")),)),
        ('"a\\"\\$\\`\\\\\\z"', (("dq", ('"', 'a"$`\\\\z')),)),
        ('"a\\\nb"', (("dq", ('"', "ab")),)),
        ('"a$x b"', (("dq", ('"', "a"), X, ('"', " b")),)),
        ("\"'$x'\"", (("dq", ('"', "'"), X, ('"', "'")),)),
        ('"$"', (("dq", ('"', "$")),)),
        ('"a$ $%"', (("dq", ('"', "a$ $%")),)),
        ("$", "$"),
        ("a$", "a$"),
        ("$%", "$%"),
        ("$x", (X,)),
        ("$x$x", (X, X)),
        ("$xy.z", (("$", "xy"), ".z")),
        ("$x\\\ny", (("$", "xy"),)),
        ("$\\\nx", (X,)),
        ("$10", (("$", "1"), "0")),
        ("$@$*$#$?$-$$$!", tuple(("$", c) for c in "@*#?-$!")),
        ('$"a"', (("dq", ('"', "a")),)),
        ("\"$'a'\"", (("dq", ('"', "$'a'")),)),
        ("$'a\\tb'", (("$'", "a\tb"),)),
        ("a'b'\"c\"$x\\d", ("a", ("'", "b"), ("dq", ('"', "c")), X, ("\\", "d"))),
        ("{a,b}", "{a,b}"),
        ("~/x", "~/x"),
        ("*[a-z]?", "*[a-z]?"),
        ("a{b", "a{b"),
        ("`a`", (("`", ["a"]),)),
        ("`a \\`b\\``", (("`", ["a", (("`", ["b"]),)]),)),
        ("`a \\$x '\\\\'`", (("`", ["a", (X,), (("'", "\\"),)]),)),
        ('"`a "b"`"', (("dq", ("`", ["a", (("dq", ('"', "b")),)])),)),
        ('"`a \\"b\\"`"', (("dq", ("`", ["a", (("dq", ('"', "b")),)])),)),
        ("``", (("`",),)),
        ("$(a)", (("$(", ["a"]),)),
        ("$( )", (("$(",),)),
        ("$(a;b)c", (("$(", ["a"], ["b"]), "c")),
        ('"$(a "b")"', (("dq", ("$(", ["a", (("dq", ('"', "b")),)])),)),
        ("$(a)$(b)", (("$(", ["a"]), ("$(", ["b"]))),
        ("$(case y in z) a;; esac)", (("$(", ("case", "y", (["z"], [["a"]], ";;"))),)),
        ("$(a # )\n)", (("$(", ["a"]),)),
        ("$((1+2))", (("$((", (('"', "1+2"),), (1, "+", 2)),)),
        ("$(((1)))", (("$((", (('"', "(1)"),), 1),)),
        ("$[1+2]", (("$((", (('"', "1+2"),), (1, "+", 2)),)),
        ("$((a); b)", (("$(", ("(", ["a"]), ["b"]),)),
        ("<(a)", (("<(", ["a"]),)),
        ("y=<(a)z", ("y=", ("<(", ["a"]), "z")),
    ],
)
def test_parts(words: Read, text: str, expected: Any) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b", ["a", "b"]),
        ("a\tb  c", ["a", "b", "c"]),
        ("a \\\n b", ["a", "b"]),
        ("a # b", "a"),
        ("a #b\n", "a"),
        ("a\\ b c", [("a", ("\\", " "), "b"), "c"]),
        ("} then if", ["}", "then", "if"]),
        ("a=1 b=2", ["a=1", "b=2"]),
    ],
)
def test_several(words: Read, text: str, expected: Any) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\\n\\t\\\\\\'\\\"\\?", "\n\t\\'\"?"),
        ("\\a\\b\\e\\E\\f\\r\\v", "\a\b\x1b\x1b\f\r\v"),
        ("\\101\\60\\7", "A0\x07"),
        ("\\x41\\x4\\xg", "A\x04\\xg"),
        ("\\x{41}", "A"),
        ("\\u00e4\\u20ac\\U0001F600", "ä€😀"),
        ("\\xc3\\xa4", "ä"),
        ("\\303\\244", "ä"),
        ("\\xc3ä", "\udcc3ä"),
        ("\\xff", "\udcff"),
        ("\\ca\\c?\\c\\\\", "\x01\x7f\x1c"),
        ("a\\0b", "a"),
        ("\\q\\8", "\\q\\8"),
        ("\\ud800", "\udced\udca0\udc80"),
        ("\\U110000", "\udcf4\udc90\udc80\udc80"),
    ],
)
def test_ansi_quotes(words: Read, text: str, expected: str) -> None:
    """As bash 5.2 prints them in C.UTF-8."""
    assert words(f"$'{text}'") == (("$'", expected),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@(a|b c)", "@(a|b c)"),
        ("x!(a)*(b)", "x!(a)*(b)"),
        ("?(a|+(b))c", "?(a|+(b))c"),
        ("@('a'|$x)", ("@(", ("'", "a"), "|", X, ")")),
        ("!(a)", "!(a)"),
    ],
)
def test_extended_globs(words: Read, text: str, expected: Any) -> None:
    assert words(text, Modes(extglob=True)) == expected


def test_extended_glob_as_a_command(tree: Read) -> None:
    assert tree("!(a)", Modes(extglob=True)) == [["!(a)"]]
    assert tree("!(a)") == [("|", "!", ("(", ["a"]))]


def test_a_quoted_character_begins_no_extended_glob(tree: Read) -> None:
    with pytest.raises(Exception, match="unexpected token"):
        tree("x \\@(a)", Modes(extglob=True))


def test_posix_mode_has_no_process_substitution(tree: Read) -> None:
    with pytest.raises(Exception, match="unexpected token"):
        tree("x <(a)", Modes(posix=True))
