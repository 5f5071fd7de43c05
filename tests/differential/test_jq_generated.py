"""Generated programs, our jq and the real one: a short run. ``python -m tests.differential.jq_generator`` runs longer."""

from __future__ import annotations

import json
import subprocess

import pytest
from jq_beside import MARKS, need_jq
from jq_grammar import Node, signatures
from jq_ingredients import LEFT_OUT

pytestmark = MARKS

PAIRS = 6000
SECONDS = 15.0  # what a machine can't do in that time is not done: the same cases in the same order otherwise
SEED = 11


@pytest.fixture(autouse=True)
def real() -> str:
    """Find the real jq; required in CI, else the test is skipped."""
    return need_jq()


def test_every_builtin_is_in_the_grammar(real: str) -> None:
    listed = set(json.loads(subprocess.run([real, "-nc", "builtins"], capture_output=True, check=True).stdout))
    made = {f"{signature.name}/{len(signature.arguments)}" for signature in signatures()}
    assert listed - made == LEFT_OUT
    assert made <= listed


def test_generated_pairs() -> None:
    from jq_generator import Generator, Tally, run, timed

    tally = Tally()
    run(timed(Generator(SEED), SECONDS, PAIRS), tally, most=3)
    assert not tally.differences, "\n".join(found.line() for found in tally.differences)
    assert tally.pairs >= 300


def test_generated_pairs_of_all_engines() -> None:
    from jq_engines import Binding, worker, worker_answers
    from jq_generator import Generator, Tally, run, timed

    tally, binding = Tally(), Binding()
    answered = worker_answers[0]
    try:
        cases = timed(Generator(SEED + 1), SECONDS, 60)
        run(cases, tally, most=3, engines={"worker": worker, "binding": binding})
    finally:
        binding.close()
    assert not tally.differences, "\n".join(found.line() for found in tally.differences)
    assert worker_answers[0] > answered
    assert binding.asked


# Programs that are compiled without the parser, and what looks like them.
PATHS = [
    ".a",
    ".a.b",
    " .a.b\n",
    ".a.b.c.d",
    ".and.if",
    ".__loc__",
    "._x1",
    ".a .b",
    ". a",
    ".a..b",
    ".",
    "..a",
    ".a.",
    ".é",
    ".1",
    ".a-b",
    ".a\t",
    ".a\v",
]
DEFAULTS = [
    "",
    "// empty",
    "//empty",
    '// "x"',
    '//"a b/c # d"',
    '// ""',
    '// "\\n"',
    '// "\n"',
    '// "é"',
    '// "a" // "b"',
    "// null",
    "//",
    "// empty empty",
    '// "a"b"',
    '// "',
    "//= 1",
    "//// 1",
    "// emptyx",
    "# c",
    '// "x" # c',
]
INPUTS = (
    '{"a":{"b":{"c":{"d":1}}},"and":{"if":true},"__loc__":"l","_x1":null,"é":1}',
    '{"a":false}',
    '{"a":{"b":"t"}}',
    "null",
    "[1]",
    '"a"',
    "{}",
)


@pytest.mark.parametrize("path", PATHS)
def test_paths_with_defaults(path: str) -> None:
    from jq_runs import Case, ours, theirs

    for default in DEFAULTS:
        for options in (("-c",), ("-r", "-e")):
            case = Case(options, Node(f"{path} {default}"), INPUTS)
            real = theirs(case)
            assert ours(case) == real, case.line()


# ``break`` is an error that a ``try`` catches; variables that stand twice in a pattern.
BREAKS = [
    "label $o | (break $o)?",
    "[label $o | (1, break $o)?, 2]",
    "[label $o | (1, (break $o)?), 2]",
    "label $o | try (break $o)",
    "[label $o | .[break $o]?]",
    "[label $o | (break $o) // 1]",
    "[label $o | (1, break $o) // 2]",
    "[label $o | try (break $o) catch 5, 6]",
    "[label $a | label $b | try (break $a) catch .]",
    "[label $a | label $b | try (break $b) catch .]",
    "[range(3) | label $a | try (break $a) catch .]",
    "[label $a | first(try (break $a) catch .)]",
    "[label $o | try (try (break $o) catch error) catch .]",
    '[label $o | try error("x") catch (break $o), 7]',
    "[label $o | (try (1,2) catch 9) | ., break $o]",
    "[label $o | try ((1,2) | ., break $o) catch 9]",
    "[label $o | reduce (1, break $o) as $x (0; .+$x)]",
    "[label $o | foreach (1, break $o) as $x (0; .+$x)]",
    "[label $o | isvalid(break $o)]",
    "[label $o | (. as [$x] ?// $x | break $o), 8]",
    "[label $o | (1 as [$x] ?// $x | $x, break $o), 8]",
    "[label $o | (1 as $x ?// $y | $x, break $o), 8]",
    "[label $o | ([[1]] as [$x] ?// $x | $x, break $o), 8]",
    "[label $o | ([[1]] as [$x] ?// [[$x]] | $x, break $o), 8]",
    "[until(. == 3; 3 as $x ?// $y | 3)]",
    "[label $o | path(.a | ., break $o)]",
    "[label $o | try path(.a | break $o) catch .]",
    "[.[]? // (label $o | break $o)]",
    "[label $o | try (break $o) catch break $o, 4]",
    "[label $o | def f: try (break $o) catch 3; f, 4]",
    "[label $o | def f(g): try g catch 3; f(break $o), 4]",
    "[label $o | def f: label $o | try (break $o) catch .; f, 4]",
    '[label $o | {"a":1} | del(.a, break $o)]',
    '[label $o | try ({"a":1} | .a |= (break $o)) catch 4]',
    '[label $o | {"a":1} | .a |= (break $o)]',
    "[label $o | try ([1,2]|map(break $o)) catch 4]",
    "[label $o | try ([1,2]|sort_by(break $o)) catch 4]",
    '[try error({"__jq":0}) catch .]',
    '[label $o | try error({"__jq":0}) catch .]',
    '[label $o | error({"__jq":0})]',
    '[label $o | 1, error({"__jq":0}), 3]',
    '[label $o | error({"__jq":1})]',
    '[label $o | (error({"__jq":0}))?]',
    '[1, (label $o | 2, error({"__jq":0})), 3]',
    'try error({"__jq":"x"}) catch .',
    'error({"__jq":3})',
    "[[1,2],[3,4]] | . as [$x,$x] ?// $y | $x",
    "[1,[2]] | . as {$a,a:[$a]} ?// [$a,$a] | $a",
    "[[1,2],3] | . as [[$a,$b],$a] ?// [$b,[$a]] | [$a,$b]",
    "[1,[2]] | . as [$x,$x] | $x",
]


@pytest.mark.parametrize("program", BREAKS)
def test_breaks_and_patterns(program: str) -> None:
    from jq_runs import Case, ours, theirs

    case = Case(("-c",), Node(program), ("null",))
    assert ours(case) == theirs(case)
