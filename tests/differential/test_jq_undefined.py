"""Names that are not defined: generated programs with the real jq beside (conformance/cases/utilities/jq_undefined.toml has more)."""

from __future__ import annotations

import random
import subprocess
import tempfile

import pytest
from jq_beside import MARKS, need_jq

from pyshellhooks.utilities.jq.compiler.name_errors import find_mistakes
from pyshellhooks.utilities.jq.compiler.scopes import Scope
from pyshellhooks.utilities.jq.errors import CompileError
from pyshellhooks.utilities.jq.parser.syntax import parse_program

pytestmark = MARKS
ROOT = Scope(None, "$ARGS", "", 0)
PROGRAMS = 300


def _words(program: str) -> str:
    try:
        error = find_mistakes(program, parse_program(program), ROOT)
    except CompileError as mistaken:
        error = mistaken
    return "" if error is None else f"{error}\n"


LEAVES = """
foo|bar|baz(1)|$u|$v|break $l|break  $m|qux(zip; zap)|.|1|"s"|.a|empty|$x|f|g|f(foo)|h|{$x}|$ENV|$__loc__|$$$$v|f(.)|g(1; 2)
|@base64|"é"|f2|x::y
""".replace("\n", "").split("|")
ONE = r"""
(A) | [A] | map(A) | split(A) | {a: A} | {(A): 1} | {$u: A, b: 2} | {($v): A} | {$v: if A then {end: 1} else "a\(1,2)" end | 2, $u}
| .[A] | A.a | A[]? | try A | -(A) | "a\(A)b" | @base64 "x\(A)" | path(A) | label $l § A | def f: A; f | def f(h): h; f(A)
| def g($x): A; g(1) | def f: A; 1 | def f(g): 1; f(A) | first(A) | limit(3; A) | . as $x § A | A as $x § $x | . as [$x, $u] § A
| . as [$u] ?// {a: $v} § A | input § A | error(A) | def f: def g: A; g; f | def f($x; h): A; f(1; 2) | fma(1; A; 2) | has(A)
| .[A:]? | reduce .[] as [$u, {($v): $x}] (0; A) | # c¶ A | strftime(A)
"""
TWO = r"""
(A) § (A) | (A), (A) | (A) + (A) | (A) - (A) | (A) == (A) | (A) and (A) | (A) // (A) | (A) = (A) | (A) |= (A) | (A) += (A)
| (A) //= (A) | if A then A end | try (A) catch (A) | reduce (A) as $x (0; A) | foreach (A) as [$x] (0; A)
| foreach A as [$x, {($u): $v}] (A; $x) | (A) as $x § A | {a: A, b: A} | {(A): A} | . as {(A): $x, (A): $y} § 1
| . as [{(A): $x}, {(A): $y}] § 1 | . as {a: $x, (A): $y} ?// {(A): $x} § $x | "\(A) \(A)" | .[A:A] | (A)[A] | def f: A; A
| def f(g): A; A | setpath(A; A) | pow(A; A) | f(A; A) | limit(A; A) | range(A; A) | def f: A; def g: A; f, g
| def f: f, A; f § A | def f(g2): g2 § A; f(A) | [(A), (A)]
"""


def _shapes(text: str) -> list[str]:
    return [
        shape.replace("§", "|").replace("¶", "\n")
        for shape in " ".join(text.split()).replace("(A) |= (A)", "(A) ‡= (A)").split(" | ")
    ]


SHAPES = [shape.strip(" |").replace("‡", "|") for shape in [*_shapes(ONE), *_shapes(TWO)]]


def _make(source: random.Random, depth: int) -> str:
    """Make a program in which names are missing all over."""
    if depth <= 0 or source.random() < 0.18:
        return source.choice(LEAVES)
    pieces = source.choice(SHAPES).split("A")
    made = pieces[0]
    for piece in pieces[1:]:
        made += _make(source, depth - 1) + piece
    return made


@pytest.mark.parametrize("seed", range(3))
def test_generated_programs(seed: int) -> None:
    jq = need_jq()
    source = random.Random(seed)
    refused = 0
    with tempfile.TemporaryDirectory() as directory:
        for _ in range(PROGRAMS // 3):
            program = _make(source, source.randint(1, 4))
            if source.random() < 0.2:
                program = program.replace(" ", "\n", source.randint(1, 4))
            # An input of bad JSON is read only by what compiles.
            done = subprocess.run(
                [jq, "--", program], input=b"]", capture_output=True, timeout=60, cwd=directory, env={}
            )
            error = done.stderr.decode()
            refused += done.returncode == 3
            assert _words(program) == (error if done.returncode == 3 else ""), program
    assert refused > PROGRAMS // 5
