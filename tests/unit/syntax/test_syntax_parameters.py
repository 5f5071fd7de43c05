"""``${…}`` in all its forms (POSIX XCU 2.6.2, bash manual 3.5.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyshellhooks.syntax import nodes as n
from pyshellhooks.syntax.parser import Modes, parse

Read = Callable[..., Any]


def dq(text: str) -> tuple[tuple[str, str], ...]:
    """Text as in double quotes."""
    return (('"', text),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("${x}", ("${", "x")),
        ("${10}", ("${", "10")),
        ("${@}", ("${", "@")),
        ("${#}", ("${", "#")),
        ("${?}", ("${", "?")),
        ("${-}", ("${", "-")),
        ("${$}", ("${", "$")),
        ("${!}", ("${", "!")),
        ("${x\\\ny}", ("${", "xy")),
        ("${#x}", ("${", "#x")),
        ("${##}", ("${", "##")),
        ("${#@}", ("${", "#@")),
        ("${#-}", ("${", "#-")),
        ("${#x[@]}", ("${", "#x[@]")),
        ("${#x[1]}", ("${", "#x[1]")),
        ("${#-a}", ("${", "#", "-", "a")),
        ("${#:-a}", ("${", "#", ":-", "a")),
        ("${#%a}", ("${", "#", "%", "a")),
        ("${!x}", ("${", "!x")),
        ("${!1}", ("${", "!1")),
        ("${!#}", ("${", "!#")),
        ("${!x:-a}", ("${", "!x", ":-", "a")),
        ("${!-a}", ("${", "!", "-", "a")),
        ("${!x@}", ("${", "x", "names@")),
        ("${!x*}", ("${", "x", "names*")),
        ("${!x[@]}", ("${", "x[@]", "keys")),
        ("${!x[*]}", ("${", "x[*]", "keys")),
        ("${!x[1]}", ("${", "!x[1]")),
        ("${!x@Q}", ("${", "!x", "@", "Q")),
        ("${x[@]}", ("${", "x[@]")),
        ("${x[1]}", ("${", "x[1]")),
        ("${x[a b]}", ("${", "x[a b]")),
        ("${x[y[1]]}", ("${", "x[y[1]]")),
        ("${x-}", ("${", "x", "-", ())),
        ("${x:-a}", ("${", "x", ":-", "a")),
        ("${x:=a b}", ("${", "x", ":=", "a b")),
        ("${x:?a}", ("${", "x", ":?", "a")),
        ("${x+a}", ("${", "x", "+", "a")),
        ("${x-'a}'}", ("${", "x", "-", (("'", "a}"),))),
        ("${x-\\}}", ("${", "x", "-", (("\\", "}"),))),
        ("${x-a{b}", ("${", "x", "-", "a{b")),
        ("${x-${y-z}}", ("${", "x", "-", (("${", "y", "-", "z"),))),
        ("${x-<(a)}", ("${", "x", "-", (("<(", ["a"]),))),
        ("${x-a<b|c;d}", ("${", "x", "-", "a<b|c;d")),
        ("${x#a}", ("${", "x", "#", "a")),
        ("${x##*/}", ("${", "x", "##", "*/")),
        ("${x%.*}", ("${", "x", "%", ".*")),
        ("${x%%$y}", ("${", "x", "%%", (("$", "y"),))),
        ("${x[@]#a}", ("${", "x[@]", "#", "a")),
        ("${x/a/b}", ("${", "x", "/", "a", "b")),
        ("${x/a}", ("${", "x", "/", "a")),
        ("${x/a/}", ("${", "x", "/", "a", ())),
        ("${x//a/b/c}", ("${", "x", "//", "a", "b/c")),
        ("${x/#a/b}", ("${", "x", "/#", "a", "b")),
        ("${x/%a/b}", ("${", "x", "/%", "a", "b")),
        ("${x/#/b}", ("${", "x", "/#", (), "b")),
        ("${x//\\//_}", ("${", "x", "//", (("\\", "/"),), "_")),
        ("${x////_}", ("${", "x", "//", "/", "_")),
        ("${x///_}", ("${", "x", "//", "/_")),
        ("${x/'/'/b}", ("${", "x", "/", (("'", "/"),), "b")),
        ("${x^}", ("${", "x", "^")),
        ("${x^^}", ("${", "x", "^^")),
        ("${x,,[A-C]}", ("${", "x", ",,", "[A-C]")),
        ("${x~~}", ("${", "x", "~~")),
        ("${x@Q}", ("${", "x", "@", "Q")),
        ("${@@Q}", ("${", "@", "@", "Q")),
        ("${x[@]@A}", ("${", "x[@]", "@", "A")),
        ("${x:1}", ("${", "x", "slice", dq("1"))),
        ("${x:1:2}", ("${", "x", "slice", dq("1"), dq("2"))),
        ("${x: -1}", ("${", "x", "slice", dq(" -1"))),
        ("${x::2}", ("${", "x", "slice", (), dq("2"))),
        ("${@:2}", ("${", "@", "slice", dq("2"))),
        ("${x:(1?2:3):4}", ("${", "x", "slice", dq("(1?2:3)"), dq("4"))),
        ("${x:1?2:3}", ("${", "x", "slice", dq("1?2:3"))),
        ("${x:$y:${z}}", ("${", "x", "slice", (("$", "y"),), (("${", "z"),))),
    ],
)
def test_forms(words: Read, text: str, expected: Any) -> None:
    assert words(text) == (expected,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"${x:-a b}"', ("${", "x", ":-", dq("a b"))),
        ("\"${x:-'a'}\"", ("${", "x", ":-", dq("'a'"))),
        ("\"${x:-'a}'}\"", ("${", "x", ":-", dq("'a}'"))),
        ('"${x:-\\}\\z}"', ("${", "x", ":-", dq("}\\z"))),
        ('"${x:-\\\'a}"', ("${", "x", ":-", dq("\\'a"))),
        ('"${x:-"a b"}"', ("${", "x", ":-", (("dq", ('"', "a b")),))),
        ('"${x:-a"$y"}"', ("${", "x", ":-", (('"', "a"), ("dq", ("$", "y"))))),
        ("\"${x#'a'}\"", ("${", "x", "#", (("'", "a"),))),
        ("\"${x#'}'}\"", ("${", "x", "#", (("'", "}"),))),
        ('"${x/\'a\'/"b"}"', ("${", "x", "/", (("'", "a"),), (("dq", ('"', "b")),))),
        ('"${x/a/<(b)}"', ("${", "x", "/", "a", "<(b)")),
    ],
)
def test_inside_double_quotes(words: Read, text: str, expected: Any) -> None:
    """Defaults follow the rules of double quotes, patterns quote as outside them (bash 5.2)."""
    assert words(text) == (("dq", expected),)


@pytest.mark.parametrize("text", ["x!", "a.b", "", " x ", "x@", "#x:1", "x:", "1[0]", "x[1]y", "/", "x@QQ", "a b"])
def test_bad_substitutions_wait_for_run_time(words: Read, text: str) -> None:
    assert words("${" + text + "}") == (("${", text, "bad"),)


def test_posix_mode_takes_single_quotes_in_double_quotes_as_they_are(words: Read) -> None:
    assert words('"${x:-it\'s}"', Modes(posix=True)) == (("dq", ("${", "x", ":-", dq("it's"))),)


def test_parts_of_a_slice_and_a_subscript(expression: Read) -> None:
    command = parse("x ${a:i+1:n} ${a[i + 1]} ${a[07]} ${a[$k]} ${a['k k']} ${a[1 2]}").items[0][0]
    assert isinstance(command, n.Simple)
    nodes = [word.parts[0] for word in command.words[1:] if isinstance(word, n.Word)]
    found = [node for node in nodes if isinstance(node, n.Parameter)]
    assert (expression(found[0].arith), expression(found[0].arith2)) == (("i", "+", 1), "n")
    indexes = [node.index.arith if node.index else None for node in found[1:]]
    assert [expression(index) for index in indexes] == [("i", "+", 1), 7, (("$", "k"),), None, None]
