"""The package's English gets plainer: no room has a habit more often than before."""

from __future__ import annotations

import ast

import pytest

from tests.architecture.prose import counted, listed, occurrences, prose

pytestmark = [pytest.mark.not_on_windows("same-everywhere"), pytest.mark.slow]  # all comments of the package are read

SOURCE = '''
"""What nobody asked: it is none."""
def told():
    "Say whether it stands."
    raise ValueError("there is no x, where it was")  # told elsewhere
'''


def test_no_habit_grows() -> None:
    allowed = listed()
    grown = {key: count for key, count in counted().items() if count > allowed.get(key, 0)}
    assert not grown, f"see docs/glossary.md; python -m tests.architecture.prose ROOM prints the places: {grown}"


def test_the_counts_are_those_of_today() -> None:
    found = counted()
    fallen = {key: count for key, count in listed().items() if found.get(key, 0) != count}
    assert not fallen, f"run python -m tests.architecture.prose: {fallen}"


def test_the_habits_of_a_source() -> None:
    found = [(kind, habit) for kind, _, text in prose(SOURCE, ast.parse(SOURCE)) for habit in occurrences(kind, text)]
    assert found == [
        ("docstring", "ask"),
        ("docstring", "is none"),
        ("docstring", "nobody"),
        ("docstring", "say"),
        ("docstring", "stand"),
        ("docstring", "opening"),
        ("comment", "tell"),
        ("text", "where as if"),
        ("text", "is none"),
    ]
