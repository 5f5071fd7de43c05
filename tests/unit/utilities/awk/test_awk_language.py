"""The parts of the language that have no place in a one-liner: options, messages, the parser against noise."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyshellhooks.utilities.awk.lexer import Lexer, Source
from pyshellhooks.utilities.awk.parser import Parser, parse
from pyshellhooks.utilities.awk.values import AwkError, looks_numeric, parse_number

Run = Callable[..., tuple[int, bytes, bytes]]

PIECES = st.sampled_from(
    [
        *(
            "BEGIN",
            "END",
            "function",
            "f(",
            "if",
            "else",
            "while",
            "for",
            "do",
            "(",
            ")",
            "{",
            "}",
            "[",
            "]",
            ";",
            "\n",
        ),
        *(
            "x",
            "y",
            "a",
            "$",
            "$1",
            "1",
            "0.5",
            '"s"',
            "/re/",
            "/",
            "+",
            "-",
            "++",
            "--",
            "*",
            "^",
            "%",
            "!",
            "~",
            "!~",
        ),
        *(
            "<",
            "<=",
            "==",
            ">",
            ">>",
            "|",
            "&&",
            "||",
            "?",
            ":",
            ",",
            "=",
            "+=",
            "/=",
            "in",
            "getline",
            "print",
            "printf",
        ),
        *("delete", "next", "exit", "return", "switch", "case", "default", "length", "substr(", "split(", "@", "\\\n"),
        *("#c\n", "'", "é", "\\", '"', "@/x/", "break", "continue", "|&", "**", "sub(", "gsub(", "sprintf(", "\x00"),
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=25).map(" ".join))
def test_the_parser_returns_a_program_or_an_error(text: str) -> None:
    try:
        program = Parser(Lexer(Source(((text, "cmd. line"),)))).program()
    except AwkError as error:
        assert error.message
    else:
        assert program.rules is not None


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=12).map(" ".join))
def test_running_noise_is_a_status(text: str) -> None:
    from pyshellhooks import MemoryFS, Shell

    safe = text.replace("\x00", "").replace("'", "").replace("while", "if").replace("for", "if").replace("do", "if")
    result = Shell(fs=MemoryFS(), spawn=False, cwd="/", env={}).run(f"awk '{safe}' </dev/null", timeout=60)
    assert "crashed" not in str(result.ended)
    assert result.status in (0, 1, 2)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=12) | st.text(alphabet="0123456789+-.eExX_infa \t", max_size=8).map(str.encode))
def test_numbers_of_texts(text: bytes) -> None:
    number = parse_number(text)
    whole = looks_numeric(text)
    assert isinstance(number, float)
    assert whole is None or whole == number or number != number


def test_programs_are_remembered() -> None:
    assert parse((("BEGIN{x=1}", "cmd. line"),)) is parse((("BEGIN{x=1}", "cmd. line"),))


@pytest.mark.parametrize(
    "option",
    [
        *("-c", "--traditional", "--trad", "-bc", "-P", "--posix", "--pos", "-OP", "-M", "--bignum", "--big", "-sM"),
        *("-n", "--non-decimal-data", "--non", "-nF:", "-l x", "-lx", "--load x", "--load=x", "--lo x"),
        *("--lint=fatal", "-Lfatal"),
    ],
)
def test_refused_options_are_named(run_utility: Run, option: str) -> None:
    status, out, err = run_utility(["awk", *option.split(), "BEGIN{print 1}"])
    assert (status, out) == (2, b"")
    assert err.startswith(b"awk: option '--")
    assert err.endswith(b"' is not supported\n")


@pytest.mark.parametrize("option", ["-Z", "--nonsense"])
def test_unknown_options_are_named(run_utility: Run, option: str) -> None:
    status, _, err = run_utility(["awk", option, "BEGIN{print 1}"])
    assert status == 1
    assert option.lstrip("-").encode() in err


def test_version_and_help(run_utility: Run) -> None:
    assert run_utility(["awk", "--version"])[1].startswith(b"GNU Awk 5.2")
    assert run_utility(["awk", "-V"])[0] == 0
    status, out, _ = run_utility(["awk", "--help"])
    assert status == 0
    assert b"--field-separator=FS" in out


def test_no_program(run_utility: Run) -> None:
    status, out, err = run_utility(["awk"])
    assert (status, out) == (1, b"")
    assert err.startswith(b"Usage: awk ")


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ('BEGIN{} @include "x"', b"@include is not supported but at the beginning of a line"),
        ('@load "x"\nBEGIN{}', b"@load is not supported"),
        ('@namespace "x"\nBEGIN{}', b"@namespace is not supported"),
    ],
)
def test_refused_constructs_are_named(run_utility: Run, program: str, message: bytes) -> None:
    status, out, err = run_utility(["awk", program])
    assert (status, out) == (2, b"")
    assert message in err


# Recorded from gawk 5.2.1 (Debian 1:5.2.1-2), called as awk.
MESSAGES = [
    ("BEGIN{print (1}", 1, "awk: cmd. line:1: BEGIN{print (1}\nawk: cmd. line:1:               ^ syntax error\n"),
    ("BEGIN{return 1}", 1, "awk: cmd. line:1: BEGIN{return 1}\n"
     "awk: cmd. line:1:       ^ `return' used outside function context\n"),
    ("BEGIN{x=0; print 1/x}", 2, "awk: cmd. line:1: fatal: division by zero attempted\n"),
    ("BEGIN{print 1%0}", 1, "awk: cmd. line:1: error: division by zero attempted in `%'\n"),
    ("BEGIN{print foo(1)}", 2, "awk: cmd. line:1: fatal: function `foo' not defined\n"),
    ("BEGIN{next}", 1, "awk: cmd. line:1: error: `next' used in BEGIN action\n"),
    ("BEGIN{print $(-1)}", 2, "awk: cmd. line:1: fatal: attempt to access field -1\n"),
    ("BEGIN{NF=-1}", 2, "awk: cmd. line:1: fatal: NF set to negative value\n"),
    ('BEGIN{print match("abc", "(")}', 2, "awk: cmd. line:1: fatal: invalid regexp: Unmatched ( or \\(: /(/\n"),
    ("/(/", 1, "awk: cmd. line:1: error: Unmatched ( or \\(: /(/\n"),
    ('BEGIN{print "\\q"}', 0, "awk: cmd. line:1: warning: escape sequence `\\q' treated as plain `q'\n"),
    ("BEGIN{a[1]=1; a=2}", 2, "awk: cmd. line:1: fatal: attempt to use array `a' in a scalar context\n"),
    ("BEGIN{a=1; a[1]=2}", 2, "awk: cmd. line:1: fatal: attempt to use scalar `a' as an array\n"),
]  # fmt: skip


@pytest.mark.parametrize(("program", "status", "message"), MESSAGES, ids=lambda item: str(item)[:30])
def test_messages_are_gawk_s(run_utility: Run, program: str, status: int, message: str) -> None:
    got, _, err = run_utility(["awk", program])
    assert (got, err.decode()) == (status, message)


def test_an_error_names_the_record(run_utility: Run) -> None:
    status, _, err = run_utility(["awk", "{x = 0\nif (NR == 2) print 1/x}"], stdin=b"a\nb\n")
    assert (status, err) == (2, b"awk: cmd. line:2: (FILENAME=- FNR=2) fatal: division by zero attempted\n")


def test_output_before_an_error_is_there(run_utility: Run) -> None:
    assert run_utility(["awk", "{print}", "a", "none"], files={"a": b"x\n"})[:2] == (2, b"x\n")


def test_sandbox(run_utility: Run) -> None:
    for program in ('BEGIN{system("x")}', 'BEGIN{print > "f"}', 'BEGIN{getline < "f"}', 'BEGIN{"x" | getline}'):
        status, _, err = run_utility(["awk", "-S", program])
        assert status == 2
        assert b"not allowed in sandbox mode" in err
