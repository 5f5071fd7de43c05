"""Rust matchers: the answers and the mistakes of the regex crate, with and without google-re2."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pyshellhooks.errors import Stop
from pyshellhooks.patterns import engines, timed_regex
from pyshellhooks.patterns.matcher import Matcher, compile_matcher
from pyshellhooks.patterns.tree import PatternError
from tests.recorded import read

TABLE = read(Path(__file__).parent / "tables" / "rust_matchers.json")
CASES: list[tuple[str, str, bool | list[object]]] = [tuple(case) for case in TABLE["cases"]]


@pytest.fixture(params=[True, False], ids=["re2", "regex"])
def engine(request: pytest.FixtureRequest) -> Iterator[None]:
    engines.use_re2(request.param)
    yield
    engines.use_re2(True)


def answer(pattern: str, text: str) -> bool | list[object]:
    try:
        return Matcher(pattern, "rust").search(text)
    except PatternError as error:
        return [error.message, error.offset]


@pytest.mark.usefixtures("engine")
def test_answers_as_the_crate_does() -> None:
    assert len(CASES) >= 60
    got = [(pattern, text, answer(pattern, text)) for pattern, text, _ in CASES]
    assert got == CASES


def test_patterns_that_would_backtrack_for_ever_are_linear_or_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timed_regex, "REGEX_TIMEOUT", 0.1)
    if engines.load_re2():
        assert Matcher(r"^(\w+\s?)*$", "rust").search("a" * 5000 + "!") is False
    with pytest.raises(Stop, match="took too long"):
        Matcher(r"(x|xx|xxx|x*y)*(y|z)[x&&[^x]]?[^x]\b{end}", "rust").search("x" * 5000)


@pytest.mark.usefixtures("engine")
def test_patterns_that_only_re2_takes_are_reported_or_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The translated text is compiled when a subject that is not ASCII comes: in the middle of an event."""

    def compile(text: str, flags: int, cache_pattern: bool) -> None:
        raise RecursionError  # as for a thousand stars in a row; how many it takes hangs on the frames that are left

    monkeypatch.setattr("regex.compile", compile)
    try:
        matcher = Matcher(r"\ba**", "rust")
    except PatternError as error:
        assert error.message == "expression nests too deeply"
        return
    assert matcher.search("a") is True
    with pytest.raises(Stop, match="nests too deeply"):
        matcher.search("é")


def test_deep_nesting_is_refused() -> None:
    for opening, closing in ("()", "[]"):
        with pytest.raises(PatternError, match="nested parentheses/brackets"):
            compile_matcher(opening * 300 + "a" + closing * 300, "rust")
