"""Numbers beside the real jq: as they are read, printed, negated, compared and computed with."""

from __future__ import annotations

import json
import random
from itertools import product

import pytest
from jq_beside import MARKS, RUN, attempt, need_jq, run_real_jq

from pyshellhooks.utilities.jq.compiler import operators
from pyshellhooks.utilities.jq.json.numbers import absolute, negate, read_number, spell_number

pytestmark = MARKS

ODD = """
    nan NaN snan -nan +nan inf -inf Infinity -infinity +inf +1 +.5 -.5e3 5.e1 5. .5 00 -00 007 -007 0 -0 0.0 -0.0 0e5 0e-9
    -0E+3 0.00000 0.000000 0.0000000 0.000001 0.0000001 0.00001 0.0001 0.00010 1e999999999 1e1000000000 9.99e999999999
    99e999999998 1e-999999999 1e-1147483646 6e-1147483647 5e-1147483647 4e-1147483647 15e-1147483648 149e-1147483648
    150e-1147483648 99999e-1147483650 0e-2000000000 1e2000000000 1e1999999999 1e-1999999999 1e-2000000000 1e00000000000005
    1e-00 1e+00 1e99999999999999 0e99999999999999 9007199254740991 9007199254740992 9007199254740993 9007199254740994
    -9007199254740992 100000000000000000000000001 12345678901234567890 1e17 100000000000000000 1e16 1e-5 1e-4 1.000 1E400
    1e-400 123e-7 99999999999999995 0.1 0.10 0.1000000000000000055 4.9e-324 2e-324 3e-324 1.7976931348623157e308
    1.7976931348623159e308 17976931348623158e292 2.2250738585072014e-308
""".split()
REFUSED = "nan1 nan123 NaN0x infinit infi inf1 1e 1e+ . + - -. 1..2 1.2.3 1_0 0x1 .e5 1e5. e5 １ ² nanq +-1 --1 1e5e5 s 1,0 1e1.5"


@pytest.fixture(autouse=True)
def _jq() -> None:
    need_jq()


def _digits(chance: random.Random, count: int) -> str:
    return "".join(chance.choices("0123456789", k=count))


def _spelling(chance: random.Random) -> str:
    whole = chance.choice(
        [
            _digits(chance, chance.randint(1, 3)),
            _digits(chance, chance.randint(1, 25)),
            "9" * chance.randint(1, 20),
            "1" + "0" * chance.randint(0, 25),
            str(2**53 + chance.randint(-3, 3)),
            _digits(chance, 17) + chance.choice(["5", "50000001", "4999"]),
        ]
    )
    fraction = chance.choice(
        [
            "",
            "",
            ".",
            "." + _digits(chance, chance.randint(1, 4)),
            "." + _digits(chance, chance.randint(1, 25)),
            "." + "0" * chance.randint(1, 9) + _digits(chance, 2),
            ".0",
        ]
    )
    if len(fraction) > 1 and chance.random() < 0.1:
        whole = ""
    exponent = ""
    if chance.random() < 0.4:
        size = chance.choice(
            [0, 1, 2, 3, 5, 6, 7, 10, 15, 16, 17, 20, 22, 100, 300, 308, 310, 323, 325, 380, 390, 400, 1000]
        )
        exponent = chance.choice("eE") + chance.choice(["", "+", "-"]) + str(size)
    return chance.choice(["", "", "-", "+"]) + whole + fraction + exponent


SPELLINGS = [*ODD, *(_spelling(random.Random(seed)) for seed in range(4000))]
SOME = SPELLINGS[:: len(SPELLINGS) // 60] + ["0", "1", "-1", "2", "-0", "0.5", "1e1000", "-1e1000", "2e1000", "nan"]


def test_reading_and_spelling() -> None:
    answers = run_real_jq(f"[{','.join(SPELLINGS)}]", "-c", ".[] | [., . + 0, -., length, -(. + 0)]").splitlines()
    wrong = {}
    for text, answer in zip(SPELLINGS, answers, strict=True):
        number = read_number(text)
        double = operators.add(RUN, number, 0)
        ours = [number, double, negate(number), absolute(number), negate(double)]
        if f"[{','.join(map(spell_number, ours))}]" != answer:
            wrong[text] = (answer, ours)
    assert not wrong


def test_texts_that_are_no_number() -> None:
    for text in ["", " ", " 1", "1 ", *REFUSED.split()]:
        with pytest.raises(ValueError):
            read_number(text)
        assert run_real_jq(json.dumps(text), "-c", "try tonumber catch 0") == "0\n"


def test_order() -> None:
    answers = run_real_jq(
        f"[{','.join(SOME)}]", "-c", ".[] as $a | .[] as $b | [$a < $b, $a == $b, $a <= $b, $a > $b]"
    ).splitlines()
    tests = (operators.less, operators.equals, operators.less_equal, operators.greater)
    numbers = [read_number(text) for text in SOME]
    wrong = {}
    for ((left, a), (right, b)), answer in zip(
        product(zip(SOME, numbers, strict=True), repeat=2), answers, strict=True
    ):
        if [test(RUN, a, b) for test in tests] != json.loads(answer):
            wrong[left, right] = answer
    assert not wrong


@pytest.mark.parametrize(
    ("sign", "operator"),
    [
        ("+", operators.add),
        ("-", operators.subtract),
        ("*", operators.multiply),
        ("/", operators.divide),
        ("%", operators.modulo),
    ],
)
def test_arithmetic(sign: str, operator: operators.Operator) -> None:
    program = f".[] as $a | .[] as $b | try [$a {sign} $b | ., -.] catch ."
    answers = run_real_jq(f"[{','.join(SOME)}]", "-c", program).splitlines()

    def both(run: object, a: object, b: object) -> object:
        result = operator(RUN, a, b)
        return [result, operators.negate(RUN, result)]

    numbers = [read_number(text) for text in SOME]
    wrong = {}
    for (a, b), answer in zip(product(numbers, repeat=2), answers, strict=True):
        ours = attempt(both, a, b)
        if (ours[1:-1] if ours[0] == "[" else ours) != answer:
            wrong[spell_number(a), spell_number(b)] = (answer, ours)
    assert not wrong


def test_numbers_computed_and_read() -> None:
    """Where a computed double is integral or infinite we know it from one that was read."""
    cases = [
        "9007199254740993 9007199254740992",
        "10000000000000000001 10000000000000000000",
        "1e1000 1e1001",
        "1e-400 0",
    ]
    for case in cases:
        read, other = case.split()
        answer = run_real_jq("", "-nc", f"{read} as $r | ({other} | . + 0) as $c | [$r == $c, $r < $c, $r > $c]")
        a, b = read_number(read), operators.add(RUN, read_number(other), 0)
        ours = [operators.equals(RUN, a, b), operators.less(RUN, a, b), operators.greater(RUN, a, b)]
        assert ours == json.loads(answer), case
