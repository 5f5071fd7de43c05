"""JavaScript matchers: the answers and the mistakes that node gives, with and without google-re2."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from clock import patient

from pyshellhooks.errors import Stop
from pyshellhooks.patterns import engines, timed_regex
from pyshellhooks.patterns.matcher import Matcher, compile_matcher
from pyshellhooks.patterns.tree import PatternError
from tests.recorded import read

TABLE = read(Path(__file__).parent / "tables" / "js_matchers.json")
CASES: list[tuple[str, str, bool | str]] = [tuple(case) for case in TABLE["cases"]]

NODE = """
const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map(([pattern, text]) => {
  try { return new RegExp(pattern).test(text); }
  catch (error) { return error.message.slice(error.message.lastIndexOf("/: ") + 3); }
})));
"""


@pytest.fixture(params=[True, False], ids=["re2", "regex"])
def engine(request: pytest.FixtureRequest) -> Iterator[None]:
    engines.use_re2(request.param)
    yield
    engines.use_re2(True)


def answer(pattern: str, text: str) -> bool | str:
    try:
        return Matcher(pattern, "js").search(text)
    except PatternError as error:
        return error.message


@pytest.mark.usefixtures("engine")
def test_answers_as_node_does() -> None:
    assert len(CASES) >= 120
    got = [(pattern, text, answer(pattern, text)) for pattern, text, _ in CASES]
    assert got == CASES


@pytest.mark.oracle
def test_the_table_equals_nodes_answers(program: Callable[[str], str]) -> None:
    node = program("node")
    request = json.dumps([[pattern, text] for pattern, text, _ in CASES])
    done = subprocess.run([node, "-e", NODE], input=request, capture_output=True, text=True, check=True, timeout=15)
    assert json.loads(done.stdout) == [said for _, _, said in CASES]


@pytest.mark.parametrize(
    ("pattern", "offset"),
    [("ab(c", 2), ("ab)", 2), ("a|*", 2), ("x[a", 1), ("x[z-a]", 2), ("a(?i:b)", 1), ("a{2,1}", 1), ("ab\\", 2)],
)
def test_a_mistake_has_its_place(pattern: str, offset: int) -> None:
    with pytest.raises(PatternError) as caught:
        compile_matcher(pattern, "js")
    assert caught.value.offset == offset


@pytest.mark.parametrize("pattern", [r"^(a+)+\1?$", r"^(?=(a|aa)+$)(?!a)", r"(x+x+)+(?=y)"])
def test_an_endless_one_ends(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timed_regex, "REGEX_TIMEOUT", 0.1)
    started = time.monotonic()
    try:
        Matcher(pattern, "js").search("a" * 3000 + "x" * 3000)
    except Stop as stop:
        assert stop.reason == "regex"
    assert time.monotonic() - started < patient(2)


def test_backtracking_is_stopped_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timed_regex, "REGEX_TIMEOUT", 0.1)
    with pytest.raises(Stop, match="took too long"):
        Matcher(r"(?=a)(x|a|aa|aaa|a*b)*(b|c)[^a]\b", "js").search("a" * 5000)


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(PatternError):
        compile_matcher("(" * 5000 + ")" * 5000, "js")
