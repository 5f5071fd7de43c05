"""Arithmetic (bash manual 6.5)."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from pyshellhooks.errors import ShellSyntaxError
from pyshellhooks.syntax import nodes as n
from pyshellhooks.syntax.parser import parse, parse_arithmetic

Read = Callable[..., Any]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        (" ", 0),
        ("1", 1),
        ("010", 8),
        ("0x1F", 31),
        ("2#101", 5),
        ("16#fF", 255),
        ("36#Zz", 35 * 36 + 35),
        ("64#_", 63),
        ("64#aZ@", 10 * 4096 + 61 * 64 + 62),
        ("9223372036854775808", -(2**63)),
        ("18446744073709551617", 1),
        ("x", "x"),
        ("x[1+y]", ("x", "1+y")),
        ("x[y[1]]", ("x", "y[1]")),
        ("x[a b]", ("x", "a b")),
        ("x['a b']", ("x", (("'", "a b"),))),
        ("x[@]", ("x", "@")),
        ("1+2*3", (1, "+", (2, "*", 3))),
        ("1-2-3", ((1, "-", 2), "-", 3)),
        ("2**3**4", (2, "**", (3, "**", 4))),
        ("-2**2", (("-", 2), "**", 2)),
        ("1<<2+3", (1, "<<", (2, "+", 3))),
        ("1|2^3&4", (1, "|", (2, "^", (3, "&", 4)))),
        ("1==2<3", (1, "==", (2, "<", 3))),
        ("a||b&&c", ("a", "||", ("b", "&&", "c"))),
        ("!a+~b", (("!", "a"), "+", ("~", "b"))),
        ("(1+2)*3", ((1, "+", 2), "*", 3)),
        ("a?b:c?d:e", ("a", "?", "b", ("c", "?", "d", "e"))),
        ("a?b,c:d", ("a", "?", ("b", ",", "c"), "d")),
        ("a=b=1", ("a", "=", ("b", "=", 1))),
        ("a+=1,b<<=2", (("a", "+=", 1), ",", ("b", "<<=", 2))),
        ("x[1]=2", (("x", "1"), "=", 2)),
        ("++a - --b", (("++", "a"), "-", ("--", "b"))),
        ("a++ + b--", (("a", "++"), "+", ("b", "--"))),
        ("x[1]++", (("x", "1"), "++")),
        ("1++2", (1, "+", ("+", 2))),
        ("1--2", (1, "-", ("-", 2))),
        ("- -1", ("-", ("-", 1))),
        ("a\n+\n1", ("a", "+", 1)),
        ("x[$y]", ("x", (("$", "y"),))),
        ("x[$(echo ])]", ("x", (("$(", ["echo", "]"]),))),
    ],
)
def test_expressions(expression: Read, text: str, expected: Any) -> None:
    assert expression(parse_arithmetic(text)) == expected


# Recorded from bash 5.2.15: `echo $((text))`.
ERRORS = [
    ("1 +", '1 +: syntax error: operand expected (error token is "+")'),
    ("1 2", '1 2: syntax error in expression (error token is "2")'),
    ("* 2", '* 2: syntax error: operand expected (error token is "* 2")'),
    ("(1", '(1: missing `)\' (error token is "1")'),
    ("1)", '1): syntax error in expression (error token is ")")'),
    ("1 = 2", '1 = 2: attempted assignment to non-variable (error token is "= 2")'),
    ("1+x=5", '1+x=5: attempted assignment to non-variable (error token is "=5")'),
    ("08", '08: value too great for base (error token is "08")'),
    ("1a", '1a: value too great for base (error token is "1a")'),
    ("65#1", '65#1: invalid arithmetic base (error token is "65#1")'),
    ("2#", '2#: invalid integer constant (error token is "2#")'),
    ("1 ? 2", '1 ? 2: `:\' expected for conditional expression (error token is "2")'),
    ("1 ? : 2", '1 ? : 2: expression expected (error token is ": 2")'),
    ("a @ b", 'a @ b: syntax error: invalid arithmetic operator (error token is "@ b")'),
    ("1 . 2", '1 . 2: syntax error: invalid arithmetic operator (error token is ". 2")'),
    ("$x+1", '$x+1: syntax error: operand expected (error token is "$x+1")'),
    ("1+$(echo 1)", '1+$(echo 1): syntax error: operand expected (error token is "$(echo 1)")'),
    ("`echo 1`", '`echo 1`: syntax error: operand expected (error token is "`echo 1`")'),
    ("1$[1]", '1$[1]: syntax error: invalid arithmetic operator (error token is "$[1]")'),
    ("'1'", "'1': syntax error: operand expected (error token is \"'1'\")"),
]


@pytest.mark.parametrize(("text", "message"), ERRORS)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(ShellSyntaxError) as caught:
        parse_arithmetic(text)
    assert caught.value.diagnostic.message == message


@pytest.mark.oracle
def test_the_errors_are_those_of_bash(program: Callable[[str], str]) -> None:
    script = 'for e; do (let "$e") 2>&1; done'
    given = [text for text, _ in ERRORS]
    run = subprocess.run([program("bash"), "-c", script, "bash", *given], capture_output=True, text=True)
    shown = [line.split(": let: ", 1)[1] for line in run.stdout.splitlines()]
    assert shown == [message for _, message in ERRORS]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$x", (("$", "x"),)),
        ("$x + ${y}", ((("$", "x"),), "+", (("${", "y"),))),
        ("a[$i]", ("a", (("$", "i"),))),
        ("a[$i+1] = $(b)", (("a", (("$", "i"), "+1")), "=", (("$(", ["b"]),))),
        ('"$x" * 2', ((("$", "x"),), "*", 2)),
        ("-$x", ("-", (("$", "x"),))),
        ("($x)", (("$", "x"),)),
        ("$x ? 1 : 0", ((("$", "x"),), "?", 1, 0)),
        ("1$x", None),
        ("$x$y", None),
        ("${x}b", None),
        ("1 $op 2", None),
        ("$x = 1", None),
        ("$x++", None),
        ("++$x", None),
        ("$x[1]", None),
        ("16#$x", None),
        ("a['$i']", None),
        ("1 +", None),
        ("x y", None),
        ("'1'", None),
    ],
)
def test_values_that_are_known_before_it_runs(expression: Read, text: str, expected: Any) -> None:
    """Where an expansion could be more than an operand, or the text is wrong, bash finds out at run time."""
    command = parse(f"(( {text} ))").items[0][0]
    assert isinstance(command, n.ArithCommand)
    assert expression(command.expression.expr) == expected
