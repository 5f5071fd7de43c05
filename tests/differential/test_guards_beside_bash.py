"""Guards × payloads beside bash and jq: no allow that bash would not give. The whole table: ``python -m tests.differential.guards_beside_bash``."""

from __future__ import annotations

import pytest
from rotation import decide

from tests.differential.guards_beside_bash import compare, guards, payloads

pytestmark = pytest.mark.oracle


def test_the_table_is_large_enough() -> None:
    assert len(guards()) > 200 and len(payloads()) > 300


@pytest.mark.timeout(300)
def test_ours_answer_as_the_real_ones_do() -> None:
    first = int(decide())
    found = compare(step_guards=23, step_payloads=7, first=first)
    assert found.tally["compared"] > 400
    again = f"python -m tests.differential.guards_beside_bash --guards 23 --payloads 7 --first {first}"
    assert not found.lines, "\n".join([*found.lines[:5], f"again: {again}"])
