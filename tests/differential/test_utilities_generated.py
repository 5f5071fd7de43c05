"""Generated calls of every utility, ours and the real one: a few of each. ``python -m tests.differential.utilities_generator`` runs longer."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from conformance.oracles import COREUTILS
from pyshellhooks.command import Registry
from pyshellhooks.utilities._index import INDEX
from tests import oracles
from tests.differential.utilities_cases import Case, Generator, safe
from tests.differential.utilities_generator import (
    ASKED,
    Difference,
    Explained,
    Search,
    compare,
    load_explained,
    shrink,
)
from tests.differential.utilities_runs import PATH, Answer, Place
from tests.differential.utilities_values import FILES, NOT_ASKED, OPERANDS

pytestmark = pytest.mark.oracle

SEED = 1
TURNS = 5
KNOWN = load_explained()


@pytest.fixture
def place() -> Iterator[Place]:
    oracles.need("bash", "grep", "find", "sed", *COREUTILS, path=PATH)
    if os.geteuid() == 0:
        oracles.native("setpriv", PATH)  # the real programs are not run with all that root may do
    with Place() as place:
        yield place


@pytest.mark.parametrize("name", ASKED)
def test_as_the_real_one(name: str, place: Place) -> None:
    oracles.need(name, path=PATH)
    search = Search(place, SEED, [name], KNOWN)
    for _ in range(TURNS):
        search.turn()
    assert not search.differences, "\n".join(found.shown() for found in search.differences)
    assert search.tallies[name].runs == TURNS


@pytest.mark.parametrize("known", [known for known in KNOWN if known.case], ids=lambda known: known.id)
def test_an_explained_difference_is_still_there(known: Explained, place: Place) -> None:
    """And its own entry explains it."""
    assert known.case is not None
    oracles.need(known.case.utility, path=PATH)
    found = compare(place, known.case)
    assert isinstance(found, Difference), f"{known.id} differs no more: take it out"
    assert known.explains(found), found.shown()
    assert known.reason


def test_every_utility_has_operands() -> None:
    assert set(INDEX) == set(OPERANDS) | NOT_ASKED


def test_the_same_seed_makes_the_same_calls() -> None:
    utility = Registry(INDEX).get("sort")
    assert utility is not None
    first, second = (
        [generator.case() for _ in range(50)] for generator in (Generator(utility, 3), Generator(utility, 3))
    )
    assert first == second
    assert first != [Generator(utility, 4).case() for _ in range(50)]


@pytest.mark.parametrize(
    "words",
    [
        *(
            "rm -rf /",
            "cp f /x",
            "mv ../../x f",
            "rm -r ..",
            "cp --target-directory=/x f",
            "tee d/../../x",
            "ln -t/x f",
        ),
        *("rm ld/../../f", "hostname f"),
    ],
)
def test_calls_that_are_not_run(words: str, place: Place) -> None:
    case = Case(words.split()[0], tuple(words.split()[1:]))
    assert not safe(case)
    with pytest.raises(AssertionError):
        place.real(case)


@pytest.mark.parametrize("words", ["rm -rf d/../f", "realpath /", "cp f d", "realpath ..", "rm -r ."])
def test_calls_that_are_run(words: str) -> None:
    assert safe(Case(words.split()[0], tuple(words.split()[1:])))


def test_a_difference_is_seen_and_made_small(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here ours is cat that knows no -n."""
    ours = Place.ours

    def without(self: Place, case: Case) -> Answer:
        return ours(self, case._replace(words=tuple(word for word in case.words if word != "-n")))

    monkeypatch.setattr(Place, "ours", without)
    found = compare(place, Case("cat", ("-n", "-s", "f", "g"), stdin="x\n"))
    assert isinstance(found, Difference)
    assert found.kinds == ("stdout",)
    small = shrink(place, found)
    assert small.case.words in (("-n", "f"), ("-n", "g"), ("-n",))
    assert len(small.case.files) <= 1
    assert '{ id = "NAME"' in small.case.pasted() or "{ id = 'NAME'" in small.case.pasted()
    assert compare(place, Case("cat", ("-s", "f"))) is None


def test_files_that_a_call_leaves_are_compared(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here ours is chmod that makes nothing executable."""
    ours = Place.ours
    monkeypatch.setattr(Place, "ours", lambda self, case: ours(self, case._replace(words=("644", "f"))))
    found = compare(place, Case("chmod", ("755", "f")))
    assert isinstance(found, Difference)
    assert found.kinds == ("files",)
    assert compare(place, Case("chmod", ("644", "f"), files=tuple(FILES))) is None
