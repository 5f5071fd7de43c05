"""Errors say what was found, where, and what was expected; the first line is bash's."""

from __future__ import annotations

import pytest

from pyshellhooks.errors import ShellSyntaxError, Stop
from pyshellhooks.syntax.parser import Modes, Parser, parse
from pyshellhooks.syntax.source import Source


@pytest.mark.parametrize(
    ("text", "line", "column", "message", "hint"),
    [
        ("a\nif b; fi", 2, 7, "syntax error near unexpected token `fi'", "expected `then`; `if` on line 2 has no `fi` yet"),
        ("fi", 1, 1, "syntax error near unexpected token `fi'", "no `if` is open here"),
        ("a; done", 1, 4, "syntax error near unexpected token `done'", "no `do` is open here"),
        ("a )", 1, 3, "syntax error near unexpected token `)'", "no `(` is open here"),
        ("a;;", 1, 2, "syntax error near unexpected token `;;'", "no `case` is open here"),
        ("; a", 1, 1, "syntax error near unexpected token `;'", "a command can't begin with it"),
        ("a | | b", 1, 5, "syntax error near unexpected token `|'", "a command can't begin with it"),
        ("a >\nb", 1, 4, "syntax error near unexpected token `newline'", "expected a file name"),
        ("a > > b", 1, 5, "syntax error near unexpected token `>'", "expected a file name"),
        ("{ a; )", 1, 6, "syntax error near unexpected token `)'", "expected `}`; `{` on line 1 has no `}` yet"),
        ("(a; }", 1, 5, "syntax error near unexpected token `}'", "expected `)`; `(` on line 1 has no `)` yet"),
        ("{ }", 1, 3, "syntax error near unexpected token `}'", "expected a command; `{` on line 1 has no `}` yet"),
        ("(a) b", 1, 5, "syntax error near unexpected token `b'", "expected a newline, `;`, `&` or an operator"),
        ("f() a", 1, 5, "syntax error near unexpected token `a'", "expected the function's body, such as `{ …; }`"),
        ("for x a", 1, 7, "syntax error near unexpected token `a'", "expected `do`; `for` on line 1 has no `done` yet"),
        ("case x in a b", 1, 13, "syntax error near unexpected token `b'", "expected `|` or `)` after the pattern; `case` on line 1 has no `esac` yet"),
        ("for ((1;2))", 1, 5, "syntax error: arithmetic expression required", "`for ((` takes three expressions with `;` between them"),
        ("a\n\n[[ x y ]]", 3, 6, "syntax error near unexpected token `y'", "expected a binary operator such as `==`; `[[` on line 3 has no `]]` yet"),
    ],
)  # fmt: skip
def test_unexpected(text: str, line: int, column: int, message: str, hint: str) -> None:
    with pytest.raises(ShellSyntaxError) as caught:
        parse(Source(text, "hook.sh"))
    found = caught.value.diagnostic
    assert (found.file, found.line, found.column, found.message, found.hint) == ("hook.sh", line, column, message, hint)
    assert not caught.value.incomplete


@pytest.mark.parametrize(
    ("text", "line", "message", "hint"),
    [
        ("a\n\nif b; then c", 3, "syntax error: unexpected end of file", "`if` on line 3 has no `fi`"),
        ("while a; do\nb\n", 3, "syntax error: unexpected end of file", "`while` on line 1 has no `done`"),
        ("{ a", 1, "syntax error: unexpected end of file", "`{` on line 1 has no `}`"),
        ("( a", 1, "syntax error: unexpected end of file", "`(` on line 1 has no `)`"),
        ("f() {\n a", 2, "syntax error: unexpected end of file", "`{` on line 1 has no `}`"),
        ("case a in", 1, "syntax error: unexpected end of file", "`case` on line 1 has no `esac`"),
        ("[[ a", 1, "syntax error: unexpected end of file", "`[[` on line 1 has no `]]`"),
        ("a &&", 1, "syntax error: unexpected end of file", "the text ends inside a command"),
        ("a\nb 'c\n\n", 2, "unexpected EOF while looking for matching `''", "`'` on line 2, column 3 is never closed"),
        ('a "b\n$(c', 2, "unexpected EOF while looking for matching `)'", "`$(` on line 2, column 1 is never closed"),
        ('a "b', 1, "unexpected EOF while looking for matching `\"'", '`"` on line 1, column 3 is never closed'),
        ("a ${b", 1, "unexpected EOF while looking for matching `}'", "`${` on line 1, column 3 is never closed"),
        ("a `b", 1, "unexpected EOF while looking for matching ``'", "`` ` `` on line 1, column 3 is never closed"),
        ("a $((1", 1, "unexpected EOF while looking for matching `)'", "`((` on line 1, column 4 is never closed"),
        ("a=(b", 1, "unexpected EOF while looking for matching `)'", "`(` on line 1, column 3 is never closed"),
        ("a $'b", 1, "unexpected EOF while looking for matching `''", "`$'` on line 1, column 3 is never closed"),
    ],
)
def test_the_text_ends_too_early(text: str, line: int, message: str, hint: str) -> None:
    with pytest.raises(ShellSyntaxError) as caught:
        parse(text)
    found = caught.value.diagnostic
    assert (found.line, found.message, found.hint) == (line, message, hint)
    assert caught.value.incomplete


def test_lines_before_the_error_run_first() -> None:
    parser = Parser(Source("a\nb\nfi\n"))
    assert parser.next() is not None and parser.next() is not None
    with pytest.raises(ShellSyntaxError):
        parser.next()
    assert parser.offset == 4


@pytest.mark.parametrize(
    "opener",
    ["$(", '"$(', "(", "{ ", "if a; then ", "while a; do ", "case a in b) ", "<(", "${x:-", '"${x:-', "$((", "a=($(", "[[ (", "[[ ! ", "f() { ", "a[$(", "((", "$[", "${x[${y["],
)  # fmt: skip
def test_depth_is_bounded(opener: str) -> None:
    """Nested too deep is the end of the run, never a RecursionError; fewer levels are an ordinary error."""
    with pytest.raises((Stop, ShellSyntaxError)) as caught:
        parse(opener * 3000)
    if isinstance(caught.value, Stop):
        assert caught.value.reason == "limit"
        with pytest.raises(ShellSyntaxError):
            parse(opener * 20)


def test_the_bound_is_that_of_the_modes() -> None:
    parse("(" * 10 + "a" + ")" * 10, Modes(depth=10))
    with pytest.raises(Stop, match="nested in each other"):
        parse("( " * 11 + "a" + ")" * 11, Modes(depth=10))


@pytest.mark.parametrize("wrap", [("( ", " )"), ("{ ", "; }"), ("if a; then ", "; fi"), ("a $(", ")"), ('a "$(', ')"')])
def test_fifty_levels_are_fine(wrap: tuple[str, str]) -> None:
    assert len(parse(wrap[0] * 45 + "a" + wrap[1] * 45).items) == 1
