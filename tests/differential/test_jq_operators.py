"""The operators and the order on all pairs of odd values, beside the real jq."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from jq_beside import MARKS, RUN, attempt, need_jq, read, run_real_jq

from pyshellhooks.utilities.jq.compiler import operators
from pyshellhooks.utilities.jq.functions.arrays import max_by, min_by
from pyshellhooks.utilities.jq.json.ordering import ordered
from pyshellhooks.utilities.jq.json.values import kind
from pyshellhooks.utilities.jq.json.writer import compact

pytestmark = MARKS

SCALARS = r"""
null|true|false|0|1|-1|2|3|0.5|-0|-0.0|1.0|1.10|1.1|3.99|1e3|1e-3|100|9007199254740993|12345678901234567890|1e308|1e1000
-1e1000|-1e1001|1e-400|NaN|-5.5|2147483648|9223372036854775807|-9223372036854775808
""|"a"|"b"|"ab"|","|"a,b,,c"|"aXbxc"|"aaa"|"aa"|"é"|"😀é"|"aé😀b"|"\u0000"|"\u007f\t\""
"this is a rather long string, over thirty"|"ünïcödé strïng öf thïrty bytes ünd möre"|"1234567890123456789012345"
"12345678901234567890123456"|"123456789012345678901234567"|"1234567890123456789012345678"|"12345678901234567890123456é"
"1234567890123456789012345é"|"123456789012345678901234é"|"12345678901234567890123😀"|"123456789012345678901234😀"
"12345678901234567890123😀😀"|"1234567890123456789012\"\"\"\""|"12345678901234567890\u0001\u0001\u0001"
"""
CONTAINERS = r"""
[]|[1]|[1.0]|[1,2,3]|[2]|[NaN]|["a","b",null,1,true]|[[1],[2]]|[[1.0]]|[1,[2,{"a":[3]}],"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]
[1,2,3,4,5,6,7,8,9,10,11,12]|[1,2,3,4,5,6,7,8,9,10,11,12.0]
{}|{"a":1}|{"a":2,"b":3}|{"b":{"x":1}}|{"b":{"y":2,"x":{"z":1}}}|{"b":{"x":{"q":1}},"c":4}|{"b":null}
{"a":{"b":{"c":{"d":"eeeeeeeeeeeeeeeeeeeeeeeeeeee"}}}}|{"é":"é","ключ":"значение слово"}|{"x":1,"a":{"b":[]}}|{"a":NaN}
"""
TEXTS = [text for line in (SCALARS + CONTAINERS).split("\n") if line for text in line.split("|")]
VALUES = [read(text) for text in TEXTS]
KINDS = ["null boolean number string array object", "number", "string", "array object", "number null"]

OPERATORS = {
    "+": operators.add,
    "-": operators.subtract,
    "*": operators.multiply,
    "/": operators.divide,
    "%": operators.modulo,
    "<": operators.less,
    "<=": operators.less_equal,
    ">": operators.greater,
    ">=": operators.greater_equal,
    "==": operators.equals,
    "!=": operators.differs,
}


@pytest.fixture(autouse=True)
def _jq() -> None:
    need_jq()


def _stdin(texts: list[str]) -> str:
    return f"[{','.join(texts)}]".replace("NaN", "nan")


def _many(a: Any, b: Any) -> bool:
    """Tell whether a string would be repeated very often."""
    kinds = {kind(a), kind(b)}
    return kinds == {"string", "number"} and max(float(item) for item in (a, b) if kind(item) == "number") > 100


@pytest.mark.parametrize("sign", OPERATORS)
def test_operator(sign: str) -> None:
    many = 'def many($a; $b): [$a, $b] | (map(type) | sort) == ["number", "string"] and any(.[]; type == "number" and . > 100);'
    skip = "many($a; $b)" if sign == "*" else "false"
    program = f"{many} .[] as $a | .[] as $b | if {skip} then 0 else try [$a {sign} $b] catch . end"
    answers = run_real_jq(_stdin(TEXTS), "-c", program).splitlines()
    wrong = {}
    for (a, b), answer in zip(product(VALUES, repeat=2), answers, strict=True):
        if sign == "*" and _many(a, b):
            assert answer == "0"
        elif (ours := attempt(OPERATORS[sign], a, b)) != answer:
            wrong[compact(RUN, a), compact(RUN, b)] = (answer, ours)
    assert not wrong


def test_too_many_repetitions() -> None:
    for text in ('"a"', '"é"', '"日本"'):
        times = {'"a"': 2147483639, '"é"': 1073741820, '"日本"': 357913940}[text]
        assert run_real_jq(text, "-c", f"try [. * {times}] catch .").rstrip("\n") == attempt(
            operators.multiply, read(text), times
        )


def test_negation() -> None:
    answers = run_real_jq(_stdin(TEXTS), "-c", ".[] | try [-.] catch .").splitlines()
    assert [attempt(operators.negate, value) for value in VALUES] == answers


def _by_value(chosen: list[Any]) -> list[Any]:
    return ordered(RUN, list(range(len(chosen))), [[value] for value in chosen])


SORTS: dict[str, Callable[[list[Any]], Any]] = {
    "sort": lambda chosen: ordered(RUN, chosen),
    "sort_by(type)": lambda chosen: ordered(RUN, chosen, [[kind(value)] for value in chosen]),
    "[to_entries | sort_by(.value)[].key]": _by_value,
    "[to_entries | sort_by(.value, -.key)[].key]": lambda chosen: ordered(
        RUN, list(range(len(chosen))), [[value, -key] for key, value in enumerate(chosen)]
    ),
    "[to_entries | min_by(.value).key, max_by(.value).key]": lambda chosen: [
        extreme(RUN, list(range(len(chosen))), list(chosen)) for extreme in (min_by, max_by)
    ],
}


@pytest.mark.parametrize("program", SORTS)
def test_sorting(program: str) -> None:
    chance = random.Random(7)
    inputs = []
    for kinds, count in product(KINDS, (0, 1, 2, 10, 40, 90)):
        pool = [text for text, value in zip(TEXTS, VALUES, strict=True) if kind(value) in kinds]
        inputs += [chance.choices(pool, k=count) for _ in range(6)]
    answers = run_real_jq("\n".join(map(_stdin, inputs)), "-c", program).splitlines()
    wrong = {}
    for texts, answer in zip(inputs, answers, strict=True):
        ours = compact(RUN, SORTS[program]([read(text) for text in texts]))
        if ours != answer:
            wrong[",".join(texts)] = (answer, ours)
    assert not wrong
