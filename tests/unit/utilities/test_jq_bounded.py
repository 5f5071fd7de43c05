"""Which programs may run in the host's own process: those whose work is bounded and small."""

from __future__ import annotations

from math import inf

import pytest

from pyshellhooks.utilities.jq.bounded import Size, bound_steps
from pyshellhooks.utilities.jq.engine import ALONE, HERE
from pyshellhooks.utilities.jq.regexes import bound
from pyshellhooks.utilities.jq.syntax import parse

pytestmark = pytest.mark.portable

PAYLOAD = Size(64, 1024, 6, inf)  # a hook's payload: 64 values in 1 KiB


def _steps(program: str, data: Size = PAYLOAD) -> float:
    return bound_steps(parse(program), data, 64)


@pytest.mark.parametrize(
    "program",
    [
        '.tool_input.command // ""',
        "env.EVENT | fromjson",
        "$ENV.EVENT | fromjson | .tool.command",
        '.tool_input.command | test("rm\\\\s+-rf\\\\s+/")',
        '.tool_input.command | test("(^|[;&|])\\\\s*sudo "; "i")',
        '.tool_input.command | gsub("\\\\s+"; " ")',
        '.a | map(select(.x | test("^rm ")))',
        'to_entries | map("\\(.key)=\\(.value)") | join(" ")',
        "with_entries(select(.value != null))",
        "reduce .items[] as $x (0; . + $x.n)",
        "reduce .items[] as $x ({}; .n = (.n // 0) + 1)",
        'reduce .items[] as $x ({}; .["\\($x.k)"] += [$x])',
        "reduce .items[] as $x ([]; . + [$x])",
        "foreach .items[] as $x (0; . + 1; [., $x])",
        "group_by(.k) | map({k: .[0].k, n: length})",
        ".[] | .[] | .[]",
        "[.. | strings]",
        "recurse(.children[]?)",
        'walk(if type == "string" then ltrimstr("x") else . end)',
        "[range(100)]",
        "def f(x): x + 1; f(.a) | f(.)",
        ".a |= ascii_downcase | del(.b)",
        ".items[].n += 1",
        ". as [$a, {b: $c}] ?// $a | $a",
        'try error("x") catch .',
        "[limit(3; .items[])], first(.items[]), last(.items[])",
        "any(.items[]; .x == 1), all(.x), add, min_by(.a)",
        '@sh "rm \\(.a)", @base64, @base64d',
        "label $out | .items[] | if . then break $out else . end",
        "[paths] | length",
        ".price * 2",
        "$x | tojson",
    ],
)
def test_runs_here(program: str) -> None:
    assert _steps(program) <= HERE


@pytest.mark.parametrize(
    "program",
    [
        "repeat(1)",
        "[limit(5; repeat(1))]",
        "first(repeat(.))",
        "until(. > 5; . + 1)",
        "while(true; .)",
        "recurse(. + 1)",
        "recurse(.a)",
        "def f: f; f",
        "def f: 1 + f; f",
        "def f(g): def h: g | h; h; f(.)",
        "def a: b; def b: a; a",
        "range(1e9)",
        "[range(1; 1e12)]",
        "range(.n)",
        "range(0; 10; .by)",
        "last(range(1e12))",
        '"a" * 1000000000',
        '"a" * .n',
        ".a * .b",
        "reduce .[] as $x (.; . + .)",
        'reduce .[] as $x ("x"; . + .)',
        "reduce range(.n) as $x (0; .)",
        "reduce range(100000) as $x (null; [.])",
        "walk([., .])",
        "|".join(["(., .)"] * 40),
        "|".join(["[., .]"] * 40),
        "|".join([". + ."] * 40),
        "|".join(["[.[], .[]]"] * 40),
        "def d: ., .; " + "|".join(["d"] * 40),
        "{a: .[], b: .[], c: .[], d: .[], e: .[], f: .[]}",
        "combinations",
        ".a[.n] = 1",
        ".a[1000000000] = 1",
        "setpath([5e8]; 1)",
        'setpath(["a", .n]; 1)',
        '.a | test("^(a+)+$")',
        '.a | test("(a|ab)*c")',
        ".a | test(.b)",
        '.a | test("(?=x)y")',
        "nosuchfunction",
        "input as $x | $x | until(.; .)",
    ],
)
def test_needs_a_worker(program: str) -> None:
    assert _steps(program) > ALONE


def test_small_numbers_are_no_danger() -> None:
    small = Size(64, 1024, 6, 100)
    for program in ("[range(.n)]", '"ab" * .n', ".a[.n] = 1", "[range(length)]", ".a * .b"):
        assert _steps(program) > ALONE
        assert _steps(program, small) <= HERE


def test_larger_input_costs_more() -> None:
    program = "[.[] as $x | .[] as $y | [$x, $y]]"
    assert _steps(program) < _steps(program, Size(1024, 16384, 6, inf)) < _steps(program, Size(1e6, 1e7, 6, inf))
    assert _steps(program, Size(1e6, 1e7, 6, inf)) > ALONE


def test_judging_is_quick_whatever_the_program() -> None:
    # Calls are followed wherever they lead, but only so far.
    nest = "def f0: .; " + " ".join(f"def f{n + 1}: f{n} | f{n};" for n in range(30)) + " f30"
    assert _steps(nest) == inf


@pytest.mark.parametrize(
    ("pattern", "degree"),
    [
        ("rm -rf", 1),
        ("^rm ", 0),
        (r"rm\s+-rf\s+/", 2),
        (r"^\s*(sudo\s+)?rm", 2),
        (".*a.*b", 3),
        ("[a-z]+@[a-z.]+", 2),
        (r"\.env$|secrets?", 1),
        ("(foo|bar)+", 2),
        ("a{2,}b", 2),
    ],
)
def test_patterns_with_a_bound(pattern: str, degree: int) -> None:
    found = bound(pattern, "")
    assert found is not None
    assert found[1] == degree


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+$", "^(a|ab)*$", r"(\w+\s?)*$", "(a?b?)*c", r"(.)\1", "(?=a)b", "(?i)a", "(a*)*", "((a|b)+c)*", "((ab?)*c)+"]
    + ["(a|aa)" * 12, "(a?){20}", "a{1,99999}{1,9999}", "[[:alpha:]]+", r"\p{L}+", "(", "[a", "*a"],
)
def test_patterns_without_a_bound(pattern: str) -> None:
    assert bound(pattern, "") is None


def test_extended_patterns_are_not_judged() -> None:
    assert bound("a b", "x") is None
