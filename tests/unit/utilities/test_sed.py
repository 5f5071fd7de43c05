"""sed against a table recorded from GNU sed 4.9 (tables/sed.json), and against the machine's sed."""

import pytest
from recorded import Case, label, load, ours, real

from pyshellhooks.pattern.engines import load_re2

CASES = load("sed")
# Without google-re2 groups may differ, because `regex` takes the first alternative and not the longest (engines.py).
NEEDS_RE2 = {"s/\\(foo\\|foobar\\)\\(bar\\)*/[\\1|\\2]/"}


def _reason(case: Case) -> Case:
    # After the reason GNU prints its whole help; ours refers to --help.
    text = case["stderr"]
    head, usage, _ = text.partition("Usage: sed ")
    return case | ({"stderr": head} if usage else {})


@pytest.mark.portable
@pytest.mark.parametrize("case", CASES, ids=label)
def test_as_recorded(case: Case) -> None:
    if case["argv"][-1] in NEEDS_RE2 and not load_re2():
        pytest.skip("a known difference without google-re2")
    answer, expected = ours(case), _reason(case)
    if "Usage: sed " in case["stderr"]:
        answer["stderr"] = answer["stderr"].partition("Usage:")[0].partition("Try ")[0]
    assert answer == {key: expected[key] for key in answer}


@pytest.mark.oracle
def test_the_table_is_what_the_machine_answers(program: object) -> None:
    program("sed")  # type: ignore[operator]
    for case in CASES[::8]:
        answer = real(case)
        assert answer == {key: case[key] for key in answer}
