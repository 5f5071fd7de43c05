"""A matcher that comes to no end: no hook's timeout counts while it is tried, so it is not tried for long, nor twice."""

from __future__ import annotations

import pytest

from pyshellhooks.dialects.matchers import Bounded
from pyshellhooks.errors import Stop
from pyshellhooks.hooks.model import Pattern
from pyshellhooks.patterns.matcher import Matcher


class Endless(Matcher):
    """Never knows, but of "Bash"; keeps the seconds that it was given."""

    def __init__(self) -> None:
        self.given: list[float] = []

    def search(self, text: str, scope: object = None, most: float | None = None) -> bool:
        if text == "Bash":
            return True
        self.given.append(10.0 if most is None else most)
        raise Stop("regex", "it took too long")


def _assert_search_stops(pattern: Pattern, subject: str) -> None:
    with pytest.raises(Stop) as stopped:
        pattern.search(subject)
    assert (stopped.value.reason, stopped.value.detail) == ("regex", "it took too long")


def test_the_same_subject_is_not_tried_again() -> None:
    matcher = Endless()
    pattern = Bounded(matcher)
    for _ in range(3):
        _assert_search_stops(pattern, "a" * 40 + "!")
    assert len(matcher.given) == 1
    assert pattern.search("Bash")


def test_all_events_together_lose_little_time_to_it() -> None:
    matcher = Endless()
    pattern = Bounded(matcher)
    for number in range(100):
        _assert_search_stops(pattern, f"a{number}!")
    assert matcher.given[0] <= 0.5
    assert sum(matcher.given) < 2.0
    assert min(matcher.given) > 0
