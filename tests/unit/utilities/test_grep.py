"""grep against a table recorded from GNU grep 3.8 (tables/grep.json), and against the machine's grep."""

import pytest
from recorded import Case, label, load, ours, real

_USAGE = "Usage: grep [OPTION]... PATTERNS [FILE]...\n"
CASES = load("grep")


def _expected(case: Case) -> Case:
    # GNU's usage line is its own: ours gives the reason and the hint.
    return case | {"stderr": case["stderr"].replace(_USAGE, "", 1)}


@pytest.mark.portable
@pytest.mark.parametrize("case", CASES, ids=label)
def test_as_recorded(case: Case) -> None:
    answer = ours(case)
    expected = _expected(case)
    assert answer == {key: expected[key] for key in answer}


@pytest.mark.oracle
def test_the_table_is_what_the_machine_answers(program: object) -> None:
    program("grep")  # type: ignore[operator]
    for case in CASES[::8]:
        answer = real(case)
        assert answer == {key: case[key] for key in answer}
