"""Data stays data: see ``values_in_contexts``. Here the values that once ran, or that stand for a kind; the rest takes two minutes.

``python -m tests.property.run_values`` runs them all.
"""

from __future__ import annotations

import pytest

from tests import oracles
from tests.property.real_and_ours import COMPARED, PATH, Place
from tests.property.values_in_contexts import HEAD, VALUES, contexts, differing, script, sections

pytestmark = pytest.mark.oracle
FIRST = 12


@pytest.mark.one_in(2, slow=2)
@pytest.mark.parametrize("value", VALUES[:FIRST])
def test_a_value_in_every_context(value: str) -> None:
    oracles.need(*COMPARED, path=PATH)
    with Place() as place:
        assert differing(place, value) == []


def test_each_context_has_its_section() -> None:
    with Place() as place:
        answer = place.ours(script("1"), timeout=60)
    assert list(sections(answer.stdout)) == list(sections(answer.stderr)) == list(range(len(contexts())))


def test_a_difference_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """With another variable on one side there must be many."""
    oracles.need(*COMPARED, path=PATH)

    class Crooked(Place):
        def ours(self, script: str, options: tuple[str, ...] = (), timeout: float = 5) -> object:  # type: ignore[override]
            return super().ours(script.replace(HEAD, HEAD.replace("one=1", "one=2")), options, timeout)

    with Crooked() as place:
        assert any("$((v))" in line for line in differing(place, "one"))
