"""Mathematical builtins: answers of jq 1.8.2 that every C library gives, and the gamma and Bessel functions' accuracy."""

from __future__ import annotations

import math
from typing import Any

import pytest

from pyshellhooks.utilities.jq.errors import JqError
from pyshellhooks.utilities.jq.functions import bessel, gamma
from pyshellhooks.utilities.jq.functions.mathematics import function
from pyshellhooks.utilities.jq.json.reader import read_text
from pyshellhooks.utilities.jq.json.writer import compact


class CountingRun:
    """A run that counts how often it is asked."""

    def __init__(self) -> None:
        self.checks = 0

    def check(self) -> None:
        self.checks += 1

    def array(self, length: int) -> None: ...
    def made(self, size: int) -> None: ...
    def text(self, size: int) -> None: ...


RUN: Any = CountingRun()

# Builtin, input or arguments, what jq answers.
ANSWERS = [
    ("floor", "-1.5", "-2"),
    ("floor", "1.5", "1"),
    ("floor", "-0.5", "-1"),
    ("floor", "1e300", "1e+300"),
    ("floor", "1e1000", "1.7976931348623157e+308"),
    ("floor", "nan", "null"),
    ("ceil", "-1.5", "-1"),
    ("ceil", "-0.5", "-0"),
    ("ceil", "1.2", "2"),
    ("round", "0.5", "1"),
    ("round", "-0.5", "-1"),
    ("round", "1.5", "2"),
    ("round", "2.5", "3"),
    ("round", "-2.5", "-3"),
    ("round", "0.49999999999999994", "0"),
    ("round", "4503599627370497.5", "4503599627370498"),
    ("rint", "0.5", "0"),
    ("rint", "1.5", "2"),
    ("rint", "2.5", "2"),
    ("rint", "-0.5", "-0"),
    ("nearbyint", "2.5", "2"),
    ("nearbyint", "-3.5", "-4"),
    ("trunc", "-1.7", "-1"),
    ("trunc", "1.7", "1"),
    ("sqrt", "4", "2"),
    ("sqrt", "-1", "null"),
    ("sqrt", "2", "1.4142135623730951"),
    ("log", "0", "-1.7976931348623157e+308"),
    ("log", "-1", "null"),
    ("log", "1", "0"),
    ("log2", "8", "3"),
    ("log2", "0", "-1.7976931348623157e+308"),
    ("log10", "1000", "3"),
    ("exp", "0", "1"),
    ("exp", "1000", "1.7976931348623157e+308"),
    ("exp", "-1000", "0"),
    ("exp10", "0", "1"),
    ("exp10", "2", "100"),
    ("exp10", "400", "1.7976931348623157e+308"),
    ("exp10", "-400", "0"),
    ("exp2", "10", "1024"),
    ("exp2", "2000", "1.7976931348623157e+308"),
    ("cosh", "-1000", "1.7976931348623157e+308"),
    ("sinh", "-1000", "-1.7976931348623157e+308"),
    ("atanh", "1", "1.7976931348623157e+308"),
    ("atanh", "-1", "-1.7976931348623157e+308"),
    ("atanh", "2", "null"),
    ("frexp", "8", "[0.5,4]"),
    ("frexp", "0", "[0,0]"),
    ("frexp", "1e1000", "[1.7976931348623157e+308,0]"),
    ("frexp", "nan", "[null,0]"),
    ("frexp", "5e-324", "[0.5,-1073]"),
    ("modf", "-1.25", "[-0.25,-1]"),
    ("modf", "1e1000", "[0,1.7976931348623157e+308]"),
    ("logb", "8", "3"),
    ("logb", "0", "-1.7976931348623157e+308"),
    ("logb", "5e-324", "-1074"),
    ("logb", "-1e1000", "1.7976931348623157e+308"),
    ("significand", "10", "1.25"),
    ("significand", "0", "0"),
    ("significand", "-0.1", "-1.6"),
    ("significand", "1e1000", "1.7976931348623157e+308"),
    ("tgamma", "5", "24"),
    ("tgamma", "0", "1.7976931348623157e+308"),
    ("tgamma", "-1", "null"),
    ("tgamma", "172", "1.7976931348623157e+308"),
    ("tgamma", "-200.5", "-0"),
    ("lgamma", "1", "0"),
    ("lgamma", "2", "0"),
    ("lgamma", "0", "1.7976931348623157e+308"),
    ("lgamma", "-1", "1.7976931348623157e+308"),
    ("lgamma_r", "-0.5", "[1.2655121234846454,-1]"),
    ("lgamma_r", "1", "[0,1]"),
    ("lgamma_r", "nan", "[null,1]"),
    ("j0", "0", "1"),
    ("j0", "1e1000", "0"),
    ("j0", "nan", "null"),
    ("y0", "0", "-1.7976931348623157e+308"),
    ("y0", "-1", "null"),
    ("y1", "0", "-1.7976931348623157e+308"),
    ("y1", "1e1000", "0"),
    ("abs", "-5.50", "5.50"),
    ("abs", "-0", "-0"),
    ("abs", "-1e-1000", "1E-1000"),
    ("abs", "null", '{"error":"null (null) cannot be negated"}'),
    ("abs", "true", '{"error":"boolean (true) cannot be negated"}'),
    ("abs", '"a"', '"a"'),
    ("abs", "[]", "[]"),
    ("abs", "-100000000000000000001", "100000000000000000001"),
    ("abs", "nan", "null"),
    ("isnan", "nan", "true"),
    ("isnan", "1", "false"),
    ("isnan", '"a"', "false"),
    ("isinfinite", "1e1000", "true"),
    ("isinfinite", "1", "false"),
    ("isinfinite", "{}", "false"),
    ("isfinite", "1", "true"),
    ("isfinite", "1e1000", "false"),
    ("isfinite", "null", "false"),
    ("isnormal", "0", "false"),
    ("isnormal", "1", "true"),
    ("isnormal", "5e-324", "false"),
    ("isnormal", "nan", "false"),
    ("isnormal", '"x"', "false"),
    ("sin", '"a"', '{"error":"string (\\"a\\") number required"}'),
    ("sin", "null", '{"error":"null (null) number required"}'),
    ("sin", "[1,2,3,4,5,6,7,8,9,10,11,12,13,14]", '{"error":"array ([1,2,3,4,5,6,7,8,9,10,11,...]) number required"}'),
    ("cbrt", "-8", "-2"),
    ("fabs", "-1.10", "1.1"),
    ("pow", "2 10", "1024"),
    ("pow", "-8 0.5", "null"),
    ("pow", "0 -1", "1.7976931348623157e+308"),
    ("pow", "-2 1025", "-1.7976931348623157e+308"),
    ("pow", "1e200 2", "1.7976931348623157e+308"),
    ("pow", "-0 -1", "-1.7976931348623157e+308"),
    ("atan2", "0 -0", "3.141592653589793"),
    ("fmin", "nan 1", "1"),
    ("fmax", "-1 nan", "-1"),
    ("fdim", "5 3", "2"),
    ("fdim", "3 5", "0"),
    ("fmod", "5 0", "null"),
    ("fmod", "-7 3", "-1"),
    ("remainder", "5 3", "-1"),
    ("drem", "1 0", "null"),
    ("copysign", "1 -0", "-1"),
    ("ldexp", "1 10", "1024"),
    ("ldexp", "1 1e10", "0"),
    ("ldexp", "-1 5000", "-1.7976931348623157e+308"),
    ("ldexp", "1 2.9", "4"),
    ("scalb", "1 0.5", "null"),
    ("scalb", "1 4", "16"),
    ("scalbln", "3 -1", "1.5"),
    ("scalbln", "1 nan", "0"),
    ("nextafter", "1 2", "1.0000000000000002"),
    ("nexttoward", "0 -1", "-5e-324"),
    ("hypot", "3 4", "5"),
    ("hypot", "1e300 1e300", "1.4142135623730952e+300"),
    ("hypot", "nan -1e1000", "1.7976931348623157e+308"),
    ("jn", "2 0", "0"),
    ("yn", "-3 0", "1.7976931348623157e+308"),
    ("pow", '"a" null', '{"error":"string (\\"a\\") number required"}'),
    ("pow", "1 []", '{"error":"array ([]) number required"}'),
    ("fma", "2 3 4", "10"),
    ("fma", "1e1000 0 1", "null"),
    ("fma", "0.1 10 -1", "5.551115123125783e-17"),
    ("fma", '1 "x" null', '{"error":"string (\\"x\\") number required"}'),
    ("fma", "5e-324 0.5 0", "0"),
    ("fma", "1e308 10 -1e309", "-1.7976931348623157e+308"),
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("name", "texts", "answer"), ANSWERS)
def test_answers(name: str, texts: str, answer: str) -> None:
    values = [read_text(RUN, text) for text in texts.split(" ")]
    arity = len(values) if len(values) > 1 else 0
    try:
        ours = function.functions[f"{name}/{arity}"].run(RUN, *([None] if arity else []), *values)
    except JqError as error:
        ours = {"error": error.value}
    assert compact(RUN, ours) == answer


def test_the_gamma_function_is_rounded_correctly() -> None:
    assert [gamma.tgamma(float(n)) for n in range(1, 171)] == [float(math.factorial(n - 1)) for n in range(1, 171)]
    assert gamma.tgamma(0.5) == 1.772453850905516  # the root of pi
    assert gamma.lgamma(1 + 2.0**-52) == pytest.approx(-0.5772156649015329 * 2.0**-52, rel=1e-15)
    assert gamma.lgamma(-2.5) == pytest.approx(math.log(8 * math.sqrt(math.pi) / 15), rel=1e-14)


@pytest.mark.parametrize("x", [0.01, 1.0, 7.5, 30.0, 59.9, 60.1, 400.0, 1e15, 1e200])
def test_the_wronskian_of_the_bessel_functions(x: float) -> None:
    """``J1 Y0 - J0 Y1`` is ``2/(pi x)``: both series hold it, each in its range."""
    wronskian = bessel.j1(x) * bessel.y0(x) - bessel.j0(x) * bessel.y1(x)
    assert wronskian == pytest.approx(2 / (math.pi * x), rel=1e-13)


@pytest.mark.parametrize(("order", "x"), [(2, 0.5), (7, 59.0), (50, 40.0), (120, 100.0), (3000, 2900.0), (30, 1000.0)])
def test_the_recurrence_of_higher_orders(order: int, x: float) -> None:
    below, here, above = (bessel.jn(RUN, n, x) for n in (order - 1, order, order + 1))
    assert below + above == pytest.approx(2 * order / x * here, rel=1e-10, abs=1e-13)


def test_high_orders_are_interruptible() -> None:
    run: Any = CountingRun()
    bessel.jn(run, 100_000, 1e9)
    bessel.yn(run, 100_000, 1e9)
    bessel.jn(run, 100_000, 9e4)
    assert run.checks > 60
