"""Regular expressions against the real jq: patterns and texts by chance, with RE2 and without."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jq_beside import MARKS, need_jq, run_real_jq
from jq_patterns import Maker

from pyshellhooks.errors import Stop
from pyshellhooks.patterns.engines import use_re2
from pyshellhooks.utilities.jq.errors import JqError
from pyshellhooks.utilities.jq.functions import regexes
from tests.recorded import read

pytestmark = MARKS

RECORDED = Path(__file__).with_name("jq_regexes.json")
CASES = 500
# Of each case one line: the matches, whether there are any, and what scan, splits, capture and gsub make of them.
PROGRAM = r"""
.[] | . as [$text, $re, $flags] | $text
| [ (try [match($re; $flags)] catch .), (try test($re; $flags) catch .), (try [scan($re; $flags)] catch .),
    (try split($re; $flags) catch .), (try [capture($re; $flags)] catch .), (try gsub($re; "<\(tojson)>"; $flags) catch .) ]
"""


class Scope:
    """A time that is never over."""

    stop = None

    def check(self) -> None: ...

    def remaining(self) -> float:
        return 5.0


class QuietRun:
    """A run without end."""

    scope = Scope()

    def check(self) -> None: ...
    def array(self, length: int) -> None: ...
    def made(self, size: int) -> None: ...
    def text(self, size: int) -> None: ...


RUN: Any = QuietRun()


def _try(function: Any, *arguments: Any) -> Any:
    try:
        return function(RUN, *arguments)
    except JqError as error:
        return error.value


def _gsub(run: Any, text: str, regex: str, flags: str) -> str:
    pieces, after = regexes.sub_pieces(run, text, regex, flags + "g")
    out = "".join(
        f"{before}<{json.dumps(named, ensure_ascii=False, separators=(',', ':'))}>" for before, named in pieces
    )
    return out + after


def answers(text: str, regex: str, flags: str) -> list[Any]:
    """Return what our functions make of a case."""
    return [
        _try(function, text, regex, flags)
        for function in (
            regexes.match_list,
            regexes.is_match,
            regexes.scan_list,
            regexes.split_list,
            regexes.capture_list,
            _gsub,
        )
    ]


@pytest.fixture(params=[True, False], ids=["re2", "without re2"])
def engines(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Have RE2, or not."""
    regexes.forget()
    use_re2(request.param)
    yield request.param
    use_re2(True)
    regexes.forget()


@pytest.mark.parametrize("seed", range(6))
def test_generated_patterns(seed: int, engines: bool) -> None:
    need_jq()
    cases = Maker(seed + int(os.environ.get("JQ_SEED", "0"))).cases(CASES)
    lines = run_real_jq(json.dumps(cases), "-c", PROGRAM).splitlines()
    assert len(lines) == len(cases)
    compared = 0
    for case, line in zip(cases, lines, strict=True):
        if "-limit-" in line:
            continue  # Oniguruma gave up
        try:
            found = answers(*case)
        except Stop as stop:
            assert stop.reason in ("refused", "regex"), case  # what no engine here can do
            continue
        compared += 1
        # As texts: the order of keys counts.
        assert json.dumps(found) == json.dumps(json.loads(line)), case
    assert compared > CASES * 0.95


def test_the_record_equals_jqs_answers() -> None:
    need_jq()
    rows = read(RECORDED)["cases"]
    lines = run_real_jq(json.dumps([row[:3] for row in rows]), "-c", PROGRAM).splitlines()
    assert [json.loads(line) for line in lines] == [row[3] for row in rows]
