"""date answers as the real one does (tables/date.json says which version was asked)."""

from __future__ import annotations

import pytest
from recorded import Case, check_live, label, load, replay

from pyshellhooks import Shell


@pytest.mark.portable
@pytest.mark.parametrize("case", load("date"), ids=label)
def test_answers(case: Case) -> None:
    replay(case)


@pytest.mark.oracle
def test_the_table_is_what_the_tool_says() -> None:
    check_live("date")


@pytest.mark.portable
@pytest.mark.parametrize("words", ["-s 2020-01-01", "--set=now", "-us 10:00", "010100001970", "0101000070.30"])
def test_the_clock_is_never_set(words: str) -> None:
    """No case asks the real one: as root it would do it."""
    result = Shell(spawn=False).run(f"date {words}")
    assert (result.status, result.stdout) == (1, b"")
    assert result.stderr == b"date: cannot set date: Operation not permitted\n"
