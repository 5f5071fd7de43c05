"""Here-documents (POSIX XCU 2.7.4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Read = Callable[..., Any]


def plain(text: str) -> tuple[tuple[str, str], ...]:
    """A body without expansions."""
    return (('"', text),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <<E\nb\nE\n", plain("b\n")),
        ("a <<E\nE\n", ()),
        ("a << E\nb\nE", plain("b\n")),
        ("a <<E\nb", plain("b\n")),
        ("a <<E", ()),
        ("a <<E\n E\nE \nEE\nE\n", plain(" E\nE \nEE\n")),
        ("a <<-E\n\tb\n\t\tc\n\tE\n", plain("b\nc\n")),
        ("a <<-E\n\tb \tc\nE\n", plain("b \tc\n")),
        ("a <<'E'\n$b `c` \\d\\\nE\n", (("'", "$b `c` \\d\\\n"),)),
        ('a <<"E F"\nb\nE F\n', (("'", "b\n"),)),
        ("a <<\\E\n$b\nE\n", (("'", "$b\n"),)),
        ("a <<E'F'\n$b\nEF\n", (("'", "$b\n"),)),
        ("a <<$b\nc\n$b\n", plain("c\n")),
        ("a <<E\n$b\"c\" 'd'\nE\n", (("$", "b"), ('"', "\"c\" 'd'\n"))),
        ('a <<E\n\\$b \\`c \\\\ \\" \\d\nE\n', plain('$b `c \\ \\" \\d\n')),
        ("a <<E\nb\\\nc\nE\n", plain("bc\n")),
        ("a <<E\nb\\\nE\nE\n", plain("bE\n")),
        ("a <<E\nb\\\\\nE\n", plain("b\\\n")),
        ("a <<E\n$(b\n)\nE\n", (("$(", ["b"]), ('"', "\n"))),
        ('a <<E\n${b:-"c"}\nE\n', (("${", "b", ":-", (("dq", ('"', "c")),)), ('"', "\n"))),
        ("a <<E\n$((1+2))\nE\n", (("$((", plain("1+2"), (1, "+", 2)), ('"', "\n"))),
    ],
)
def test_bodies(tree: Read, text: str, expected: Any) -> None:
    ((_, (_, _, body)),) = tree(text)
    assert body == expected


def test_the_line_continues_behind_the_operator(tree: Read) -> None:
    assert tree("a <<E && b\nx\nE\nc\n") == [(["a", ("<<", "E", plain("x\n"))], "&&", ["b"]), ["c"]]


def test_two_on_a_line(tree: Read) -> None:
    first, second = tree("a <<E; b <<-'F'\nx\nE\n\ty\nF\n")
    assert first == ["a", ("<<", "E", plain("x\n"))]
    assert second == ["b", ("<<-", "F", (("'", "y\n"),))]


@pytest.mark.parametrize(
    "text",
    [
        "if a <<E\nx\nE\nthen b; fi",
        "{ a <<E\nx\nE\n}",
        "while a <<E; do\nx\nE\nb; done",
        "case y in z) a <<E;;\nx\nE\nesac",
        "y=(\n1) a <<E\nx\nE",
        "[[ y ]] && a <<E ||\nx\nE\nb",
        "f() { a <<E; }\nx\nE\n",
    ],
)
def test_inside_a_construct(tree: Read, text: str) -> None:
    assert "('<<', 'E', (('\"', 'x\\n'),))" in repr(tree(text))


def test_in_a_command_substitution(tree: Read) -> None:
    doc = ("<<", "E", plain("x\n"))
    assert tree("a $(b <<E\nx\nE\n) c") == [["a", (("$(", ["b", doc]),), "c"]]
    assert tree("a $(b <<E\nx\nE) c") == [["a", (("$(", ["b", doc]),), "c"]]
    # bash 5.2: a body that has not come by the ) comes after the line
    assert tree("a $(b <<E) c\nx\nE\nd") == [["a", (("$(", ["b", doc]),), "c"], ["d"]]
    # and the outer one waits for the outer newline
    assert tree("a <<E $(\nb)\nx\nE\n") == [["a", (("$(", ["b"]),), doc]]


def test_a_body_that_does_not_parse_waits_for_run_time(tree: Read) -> None:
    """bash reports it when the command runs, and goes on after it."""
    ((_, (_, _, body)), rest) = tree("a <<E\n$(\nE\nb\n")
    assert body == (("$", "$(\n", "bad"),)
    assert rest == ["b"]


def test_lines_count_through(tree: Read) -> None:
    from pyshellhooks.syntax.parser import parse

    commands = parse("a <<E\n1\n2\nE\nb\n")
    assert [command.line for command, _ in commands.items] == [1, 5]  # type: ignore[union-attr]
