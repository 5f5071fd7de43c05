"""expr answers as the real one does (tables/expr.json says which version was asked)."""

from __future__ import annotations

import pytest
from recorded import Case, check_live, label, load, replay


@pytest.mark.portable
@pytest.mark.parametrize("case", load("expr"), ids=label)
def test_answers(case: Case) -> None:
    replay(case)


@pytest.mark.oracle
def test_the_table_is_what_the_tool_says() -> None:
    check_live("expr")
