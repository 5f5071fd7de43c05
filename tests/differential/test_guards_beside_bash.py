"""Guards × payloads beside bash and jq: no allow that bash would not give. The whole tables: ``python -m tests.differential.guards_beside_bash``, ``written_guards``."""

from __future__ import annotations

import pytest
from rotation import decide

from tests import oracles
from tests.differential import written_guards
from tests.differential.guards_beside_bash import COMPARED, PATH, compare, guards, payloads

pytestmark = pytest.mark.oracle


def test_the_table_is_large_enough() -> None:
    assert len(guards()) > 200 and len(payloads()) > 300
    assert len(written_guards.guards()) > 200 and len(written_guards.payloads()) > 700


@pytest.mark.one_in(2, slow=2)
@pytest.mark.timeout(300)
def test_the_embedded_shell_answers_as_real_ones_do() -> None:
    oracles.need(*COMPARED, path=PATH)
    first = int(decide())
    found = compare(step_guards=23, step_payloads=7, first=first)
    assert found.tally["compared"] > 400
    again = f"python -m tests.differential.guards_beside_bash --guards 23 --payloads 7 --first {first}"
    assert not found.lines, "\n".join([*found.lines[:5], f"again: {again}"])


@pytest.mark.one_in(2, slow=2)
@pytest.mark.timeout(300)
def test_guards_that_people_write_answer_as_on_the_real_ones() -> None:
    oracles.need(*COMPARED, path=PATH)
    first = int(decide())
    found = written_guards.compare(step_guards=13, step_payloads=37, first=first)
    assert found.tally["compared"] > 200
    again = f"python -m tests.differential.written_guards --guards 13 --payloads 37 --first {first}"
    assert not found.lines, "\n".join([*found.lines[:5], f"again: {again}"])
