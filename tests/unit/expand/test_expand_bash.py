"""What bash 5.2.15 answered to scripts about this room, replayed on the embedded shell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.interp.bash_tables import Case, label, load, outdated, replay

HERE = Path(__file__).parent
TABLES = sorted(path.stem for path in (HERE / "tables").glob("*.json"))


@pytest.mark.portable
@pytest.mark.parametrize("case", load(HERE, *TABLES), ids=label)
def test_as_recorded(case: Case) -> None:
    replay(case)


@pytest.mark.oracle
@pytest.mark.parametrize("name", TABLES)
def test_recorded_as_bash_has_it(name: str, program: Callable[[str], str]) -> None:
    assert outdated(program("bash"), load(HERE, name)) == []
