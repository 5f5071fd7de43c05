"""Guards × payloads beside bash and jq: no allow that bash would not give. The whole table: ``python -m tests.differential.guards_beside_bash``."""

from __future__ import annotations

import pytest

from tests.differential.guards_beside_bash import compare, guards, payloads

pytestmark = pytest.mark.oracle


def test_the_table_is_large_enough() -> None:
    assert len(guards()) > 200 and len(payloads()) > 300


@pytest.mark.timeout(300)
def test_ours_answer_as_the_real_ones_do() -> None:
    found = compare(step_guards=23, step_payloads=7)
    assert found.tally["compared"] > 400
    assert not found.lines, "\n".join(found.lines[:5])
