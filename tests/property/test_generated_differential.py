"""Generated scripts on us and on real shells: the same output, status and messages, or a difference that is explained.

``python -m tests.property.run_differential`` runs 20,000; here are some hundred with other seeds.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import oracles
from tests.property.differential_runs import Judge, Known, load_known, scripts
from tests.property.real_and_ours import COMPARED, PATH, Answer, Comparison, Place, differences, minimised

pytestmark = pytest.mark.oracle

KNOWN = load_known()


@pytest.fixture
def place() -> Iterator[Place]:
    oracles.need(*COMPARED, path=PATH)
    with Place() as place:
        yield place


@pytest.mark.one_in(6, slow=6)
@pytest.mark.parametrize("seed", range(6))
def test_bash(seed: int, place: Place) -> None:
    judge = Judge(place, "bash", KNOWN)
    found = [judge(text) for text in scripts(seed, 50)]
    assert not [(each.kinds, each.smallest) for each in found if each and not each.cause]


@pytest.mark.one_in(3, slow=3)
@pytest.mark.parametrize("seed", range(3))
def test_dash(seed: int, place: Place) -> None:
    oracles.need("dash", path=PATH)
    judge = Judge(place, "dash", KNOWN)
    found = [judge(text) for text in scripts(seed, 50, bash=False)]
    assert not [(each.kinds, each.smallest) for each in found if each and not each.cause]


@pytest.mark.one_in(5, slow=5)
@pytest.mark.parametrize("known", KNOWN, ids=[known.id for known in KNOWN])
def test_a_known_difference_still_differs(known: Known, place: Place) -> None:
    """And its own entry explains it."""
    oracles.need(known.shell, path=PATH)
    judge = Judge(place, known.shell, [known])
    kinds = judge.compare(known.script)
    for _ in range(19 if known.sometimes else 0):
        kinds = kinds or judge.compare(known.script)
    if known.sometimes and not kinds:
        pytest.skip("a race decides whether it differs: not in twenty runs")
    assert kinds, f"{known.id} differs no more: take it out"
    assert judge.cause(known.script, kinds) == known.id
    assert known.reason


def test_a_difference_is_seen_and_cut_down(place: Place) -> None:
    """With an embedded shell that is told ``set -f``, what globs differs, and nothing else is left of the script."""
    compare = Comparison(place, options=("-f",))
    assert compare("echo a\nx=1; echo *.txt\necho b") == "stdout"
    assert compare.smallest("echo a\nx=1; echo *.txt\necho b", "stdout").strip() == "echo *"
    assert compare("echo a") == ""


def test_answers_that_count_as_equal() -> None:
    ours = Answer(b"a", b"bash: line 3: x: command not found\n", 127)
    assert differences(ours, Answer(b"a", b"bash: line 9: x: command not found\n", 127)) == ""
    assert differences(ours, Answer(b"a", b"bash: line 3: y: command not found\n", 127)) == "stderr"
    assert differences(ours, Answer(b"b", b"", 0), messages=False) == "stdout status"
    assert differences(ours, Answer(b"a", ours.stderr, 127, "stopped")) == "ended"


def test_minimising_removes_irrelevant_parts() -> None:
    assert minimised("a b\nc needle d\n" * 3, lambda text: "needle" in text) == "needle"
