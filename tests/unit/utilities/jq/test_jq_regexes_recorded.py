"""Regular expressions: recorded answers of jq 1.8.2, and which engine gives them."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks.cancel import CancelScope
from pyshellhooks.errors import Stop
from pyshellhooks.patterns.engines import load_re2, use_re2
from pyshellhooks.utilities.jq.errors import JqError
from pyshellhooks.utilities.jq.functions import regexes
from pyshellhooks.utilities.jq.regex.oniguruma import compile_onig
from pyshellhooks.utilities.jq.regex.subject import Subject
from tests.clock import patient
from tests.recorded import read

TABLE = Path(__file__).parents[3] / "differential" / "jq_regexes.json"
ROWS: list[tuple[str, str, str, list[Any]]] = read(TABLE)["cases"]


class Run:
    """A run with a scope."""

    def __init__(self, scope: Any = None) -> None:
        self.scope = scope

    def check(self) -> None:
        if self.scope is not None:
            self.scope.check()

    def array(self, length: int) -> None: ...
    def made(self, size: int) -> None: ...
    def text(self, size: int) -> None: ...


RUN: Any = Run()


def attempt(function: Any, *arguments: Any) -> Any:
    try:
        return function(RUN, *arguments)
    except JqError as error:
        return error.value


@pytest.fixture(params=[True, False], ids=["re2", "without re2"])
def engines(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Have RE2, or not."""
    regexes.forget()
    use_re2(request.param)
    yield request.param
    use_re2(True)
    regexes.forget()


def test_recorded(engines: bool) -> None:
    for text, pattern, flags, expected in ROWS:
        found = [
            attempt(function, text, pattern, flags)
            for function in (
                regexes.match_list,
                regexes.is_match,
                regexes.scan_list,
                regexes.split_list,
                regexes.capture_list,
            )
        ]
        # As texts: the order of keys counts.
        assert json.dumps(found) == json.dumps(expected[:5]), (text, pattern, flags)


def test_arguments() -> None:
    assert attempt(regexes.test, None, "a", None) == "null (null) cannot be matched, as it is not a string"
    assert attempt(regexes.test, "a", 1, None) == "number (1) is not a string"
    assert attempt(regexes.test, "a", "a", ["g"]) == 'array (["g"]) is not a string'
    assert attempt(regexes.test, "a", "a", "gq") == "gq is not a valid modifier string"
    assert attempt(regexes.test_one, "a", ["a", "x", "y"]) is True
    assert attempt(regexes.test_one, "a", []) == "array not a string or array"
    assert attempt(regexes.test_one, "a", None) == "null not a string or array"
    assert attempt(regexes.scan_list, "a", "a", 1) == 'string ("g") and number (1) cannot be added'
    assert attempt(regexes.split_list, "a", "a", 1) == 'number (1) and string ("g") cannot be added'


def test_pieces_of_sub() -> None:
    pieces = regexes.sub_pieces(RUN, "xaybz", "(?<l>[ab])", "g")
    assert pieces == ([("x", {"l": "a"}), ("y", {"l": "b"})], "z")
    assert regexes.sub_pieces(RUN, "xyz", "a", "g") == ([], "xyz")


BOMBS = (
    r"(a+)+$",
    r"(x+x+)+y",
    r"(.*)*=",
    r"(a|aa)+$",
    r"(a*)*b",
    r"(?:a|b|ab)*c",
    r"(?>a+|b)*(?<=a)c",
    r"(a)\1*\1*\1*c",
)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("bomb", BOMBS)
def test_bombs_end(bomb: str, engines: bool) -> None:
    """With RE2 at once if it has all that is in them, else with the time given."""
    text = "a" * 5000 + "=!"
    started = time.monotonic()
    is_linear = engines and load_re2() is not None and bomb in BOMBS[:2]
    linear = 0
    with CancelScope(timeout=patient(10) if is_linear else 0.5) as scope:
        run: Any = Run(scope)
        for function in (regexes.is_match, regexes.match_list):
            try:
                function(run, text, bomb, None)
            except Stop as stop:
                assert stop.reason in ("regex", "deadline")
            else:
                linear += 1
    assert linear == 2 or not is_linear
    assert time.monotonic() - started < 20  # regex measures CPU time, and the machine may be busy


def test_re_gets_harmless_patterns_only() -> None:
    for pattern in BOMBS:
        assert compile_onig(pattern)._fast is None, pattern
    for pattern in (r"^\s*git\b", "foo|bar|baz", "[0-9]+x", r"a.*b"):
        assert compile_onig(pattern)._fast is not None, pattern
    assert compile_onig(r"a.*b.*c")._fast_longest < 1000


def test_unsupported_patterns_are_refused() -> None:
    for pattern in (r"(?<n>a\k<n+0>?)", "(*MAX{2})a", "(" * 2000 + ")" * 2000, "a." * 30_000):
        with pytest.raises(Stop) as caught:
            regexes.is_match(RUN, "aaa", pattern, None)
        assert caught.value.reason == "refused"


@pytest.mark.slow
def test_engines_agree_on_places() -> None:
    """The spans of all engines for patterns that each of them can run."""
    chance = random.Random(7)
    for _ in range(300):
        pattern = "".join(
            chance.choice(("a", "b", "[ab]", "(a|b)", "(ab|a)", ".", r"\w", "é?", "(?:b|c)", "$", "^"))
            + chance.choice(("", "", "?"))
            for _ in range(3)
        )
        pattern = pattern.replace("$?", "$").replace("^?", "^")
        text = "".join(chance.choices("abcé\n", k=6))
        found = []
        for wanted in (True, False):
            use_re2(wanted)
            program = compile_onig(pattern)
            found.append(list(program.search(Subject(text), 0) or ()))
            finder = program._find()
        use_re2(True)
        found.append(list(finder.search(Subject(text), 0, None) or ()))
        assert found[0] == found[1] == found[2], (pattern, text)


def test_the_machine_polls_the_deadline() -> None:
    asked = 0

    class Scope:
        """Counts who asks."""

        def check(self) -> None:
            nonlocal asked
            asked += 1
            if asked > 3:
                raise Stop("deadline", "")

        def remaining(self) -> float:
            return 9.0

    scope: Any = Scope()
    with pytest.raises(Stop):
        compile_onig(r"(a|aa)*c")._find().search(Subject("a" * 200), 0, scope)
    assert asked > 3
