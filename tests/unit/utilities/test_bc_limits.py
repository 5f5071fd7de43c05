"""The size of bc's numbers is bounded wherever one can grow: GNU's has no bound but the memory, so that no case shows it."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import pytest
from clock import patient

from pyshellhooks import Limits, Shell
from pyshellhooks.errors import Stop
from pyshellhooks.utilities.bc import numbers
from pyshellhooks.utilities.bc.numbers import MOST_DIGITS, ONE

LONG = (10**200_000, 0)


@pytest.mark.parametrize(
    "operation",
    [
        pytest.param(lambda: numbers.ten(MOST_DIGITS + 1), id="ten"),
        pytest.param(lambda: numbers.multiply(LONG, LONG, 0), id="multiply"),
        pytest.param(lambda: numbers.divide(LONG, (3, 0), 150_000), id="divide"),
        pytest.param(lambda: numbers.power((2, 0), 99_999_999, 0), id="power"),
        pytest.param(lambda: numbers.power((1, 1), MOST_DIGITS + 1, 0), id="power-of-a-fraction"),
        pytest.param(lambda: numbers.root(LONG, 100_000), id="root"),
        pytest.param(lambda: numbers.parse("1" * (MOST_DIGITS + 1), 10), id="constant"),
        pytest.param(lambda: numbers.parse("F" * MOST_DIGITS, 16), id="constant-in-another-base"),
    ],
)
def test_a_number_that_is_too_large_stops_the_run(operation: Callable[[], object]) -> None:
    with pytest.raises(Stop, match="digits"):
        operation()


def test_values_just_below_are_computed() -> None:
    began = monotonic()
    assert numbers.multiply(LONG, (10**90_000, 0), 0) == (10**290_000, 0)
    assert numbers.divide(LONG, ONE, 90_000) == (10**290_000, 90_000)
    assert numbers.parse("F" * 200_000, 16) == (16**200_000 - 1, 0)
    assert numbers.parse("1." + "0" * 9 + "1", 2) == (1 * 10**10 + 10**10 // 2**10, 10)
    assert monotonic() - began < patient(5)


@pytest.mark.parametrize(
    "program", [")\n" * 3000, "{\n" * 50 + ")\n" * 3000, "if (1) {\n" + "1 1\n" * 3000, "( " * 90 + ")" * 3000]
)
def test_a_program_of_mistakes_ends(program: str) -> None:
    result = Shell(spawn=False).run("bc; echo $?", stdin=program.encode(), timeout=20)
    assert b"syntax error" in result.stderr
    assert result.stdout == b"0\n"


def test_nothing_of_a_line_with_a_mistake_is_run() -> None:
    program = b"= 1\n= 2\nif (1) 3 )\n{ 4\n) 5\n}\nif (1) { 6 ) ; 6 }\n7\n"
    assert Shell(spawn=False).run("bc", stdin=program).stdout == b"7\n"


def test_variables_are_bounded_together() -> None:
    program = "".join(f"x{number}=2^80000\n" for number in range(1000)).encode()
    shell = Shell(spawn=False, limits=Limits(memory=2_000_000))
    assert "variables" in str(shell.run("bc || echo allowed", stdin=program).ended)
    again = b"x=2^80000\n" * 1000 + b"1\n"
    assert shell.run("bc", stdin=again).stdout == b"1\n"


def test_a_string_that_never_ends_is_bounded() -> None:
    result = Shell(spawn=False, limits=Limits(string=200_000)).run(
        "bc || echo allowed", stdin=b'"a\n' + b"b\n" * 200_000
    )
    assert (result.stdout, "limit" in str(result.ended)) == (b"", True)
