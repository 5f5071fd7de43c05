"""The mathematical builtins against the real jq, to the last bit where the library's functions are Python's too."""

from __future__ import annotations

import json
import math
import random
import struct
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from jq_beside import answers

from pyshellhooks.utilities.jq.errors import JqError
from pyshellhooks.utilities.jq.functions.mathematics import function
from pyshellhooks.utilities.jq.json.numbers import read_number
from pyshellhooks.utilities.jq.json.writer import compact

pytestmark = pytest.mark.oracle

ODD = """
0 -0 1 -1 2 -2 3 0.5 -0.5 1.5 -1.5 2.5 -2.5 0.1 1e-5 0.49999999999999994 3.141592653589793 2.718281828459045 10 -10 22.5
100 170 171 171.7 -171.5 200 308 309 308.3 -323 -330 709.5 710 745 -745 1000 -1000 1e5 1e10 -1e10 4503599627370495.5
4503599627370497.5 9007199254740993 1e17 1e20 1e100 1e200 -1e300 1.7976931348623157e308 5e-324 -5e-324 1e-310
2.2250738585072014e-308 1e-300 1e-100 -1e-20 1e-17 0.9999999999999999 1.0000000000000002 -0.9999999999999999 2147483647
2147483648 -2147483649 65000 70000 1023 1024 -1074 -1075 0.3 0.75 1e1000 -1e1000 nan 1.10 100000000000000000001
""".split()
OTHERS = ["null", "true", '"a"', "[1]", "{}"]
# What differs from glibc in the last places (see mathematics.py), or from one glibc to the next.
ROUNDED = {"gamma", "j0", "j1", "lgamma", "lgamma_r", "tgamma", "y0", "y1"}
NEAR = {"exp10", "hypot"}
APART = {"infinite", "nan", "jn", "yn"}


class QuietRun:
    """A run without end."""

    def check(self) -> None: ...


RUN: Any = QuietRun()


def _by_chance(seed: int, count: int) -> Iterator[str]:
    chance = random.Random(seed)
    for _ in range(count):
        kind = chance.randrange(4)
        number = (
            chance.uniform(-10, 10),
            chance.uniform(-200, 200),
            struct.unpack("<d", chance.randbytes(8))[0],
            chance.choice((-1, 1)) * 10 ** chance.uniform(-20, 20),
        )[kind]
        if math.isfinite(number):
            yield repr(number)


def _answer(name: str, arguments: tuple[str, ...]) -> Any:
    values = [json.loads(text) if text in OTHERS else read_number(text) for text in arguments]
    arity = len(values) if len(values) > 1 else 0
    try:
        return function.functions[f"{name}/{arity}"].run(RUN, *([None] if arity else []), *values)
    except JqError as error:
        return error.value


def _is_near(ours: Any, theirs: Any, tolerance: float) -> bool:
    if isinstance(ours, list) and isinstance(theirs, list):
        return all(_is_near(a, b, tolerance) for a, b in zip(ours, theirs, strict=True))
    if not isinstance(ours, int | float) or not isinstance(theirs, int | float):
        return bool(ours == theirs)
    # Near a zero glibc's functions of Bessel are right to so many places after the point.
    return abs(ours - theirs) <= max(tolerance * abs(theirs), 1e-15 if tolerance > 1e-14 else 0.0)


def _check(name: str, arguments: list[tuple[str, ...]], lines: list[str]) -> None:
    tolerance = 1e-12 if name in ROUNDED | {"jn", "yn"} else 5e-16 if name in NEAR else 0.0
    wrong = []
    for each, line in zip(arguments, lines, strict=True):
        ours = compact(RUN, _answer(name, each))
        if ours != line and not (tolerance and _is_near(json.loads(ours), json.loads(line), tolerance)):
            wrong.append(f"{name}({'; '.join(each)}): ours {ours}, jq {line}")
    assert not wrong, f"{len(wrong)} of {len(lines)} differ\n" + "\n".join(wrong[:20])


def _names(arity: int) -> list[str]:
    return sorted(name[:-2] for name in function.functions if name.endswith(f"/{arity}") and name[:-2] not in APART)


def test_functions_of_one_number() -> None:
    inputs = [*ODD, *OTHERS, *_by_chance(1, 400)]
    names = _names(0)
    calls = ",".join(f"((try {name} catch .) | tojson)" for name in names)
    lines = [json.loads(line) for line in answers(f"[{calls}]", inputs)]
    for index, name in enumerate(names):
        _check(name, [(text,) for text in inputs], [line[index] for line in lines])


def test_functions_of_two_numbers() -> None:
    odd = [*ODD[::2], "nan", "-0"]
    arguments = [*product(odd, odd), *zip(_by_chance(2, 800), _by_chance(3, 700), strict=False)]
    arguments += [*product(OTHERS, ["1", "null"]), ("1", "[1]")]
    inputs = [f"[{a},{b}]" for a, b in arguments]
    names = _names(2)
    calls = ",".join(f"((try {name}($a; $b) catch .) | tojson)" for name in names)
    lines = [json.loads(line) for line in answers(f". as [$a, $b] | [{calls}]", inputs)]
    for index, name in enumerate(names):
        _check(name, arguments, [line[index] for line in lines])


def test_fma() -> None:
    few = ["0", "-0", "1", "-1", "0.1", "1e-310", "1e200", "-1e200", "1e1000", "nan", "5e-324", "-1e-162", "3"]
    arguments: list[tuple[str, ...]] = [*product(few, few, few)]
    arguments += [
        (a, b, repr(-float(a) * float(b))) for a, b in zip(_by_chance(4, 500), _by_chance(5, 500), strict=False)
    ]
    arguments = [each for each in arguments if "inf" not in each[2]]
    arguments += [("1", "2", "null"), ("1", '"a"', "null"), ("[1]", "null", "3")]
    lines = answers(". as [$a, $b, $c] | try fma($a; $b; $c) catch .", [f"[{','.join(each)}]" for each in arguments])
    _check("fma", arguments, lines)


@pytest.mark.parametrize("name", ["jn", "yn"])
def test_bessel_functions_of_any_order(name: str) -> None:
    orders = ["-3", "-2.9", "-1", "0", "1", "2", "3", "7.9", "50", "600"]
    arguments = [
        *product(orders, ["0", "-0", "0.5", "1", "2.5", "20", "59", "61", "300", "1e4", "1e300", "-1", "nan", "1e1000"])
    ]
    arguments += [("null", "1"), ("1", "null")]
    lines = answers(f". as [$n, $x] | try {name}($n; $x) catch .", [f"[{n},{x}]" for n, x in arguments])
    _check(name, arguments, lines)


def test_the_sign_of_nan() -> None:
    names = [
        name for name in _names(0) if not name.startswith("is") and name not in ("frexp", "lgamma_r", "modf", "abs")
    ]
    inputs = [text for text in ODD if text != "100000000000000000001"]
    calls = ",".join(f"({name} | copysign(1; .))" for name in names)
    for text, line in zip(inputs, answers(f"[{calls}]", inputs), strict=True):
        ours = [int(math.copysign(1, _answer(name, (text,)))) for name in names]
        assert dict(zip(names, ours, strict=True)) == dict(zip(names, json.loads(line), strict=True)), text
