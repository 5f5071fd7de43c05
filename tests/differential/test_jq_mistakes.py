"""What our parser says to wrong programs, word for word as jq 1.8.2.

The table is made by ``record_jq_mistakes.py``. ``JQ_MISTAKES_SEED=2`` changes other programs than the usual ones.
"""

from __future__ import annotations

import os
import random

import pytest
import record_jq_mistakes as recorder
from jq_beside import need_jq

from pyshellhooks.utilities.jq.compiler.name_errors import find_mistakes
from pyshellhooks.utilities.jq.compiler.scopes import Scope
from pyshellhooks.utilities.jq.errors import CompileError
from pyshellhooks.utilities.jq.parser.syntax import parse_program
from tests.recorded import read

TABLE = read(recorder.TABLE)
MISTAKES: dict[str, str] = {text: words for kind, text, words in TABLE["cases"] if kind == "syntax"}
UNDEFINED: dict[str, str] = {text: words for kind, text, words in TABLE["cases"] if kind == "names"}
RANDOM = 400
EMPTY = Scope(None, "", None, 0)


def _syntax(text: str) -> str:
    try:
        parse_program(text)
    except CompileError as error:
        return f"{error}\n"
    return ""


def _names(text: str) -> str:
    found = find_mistakes(text, parse_program(text), EMPTY)
    return "" if found is None else f"{found}\n"


def test_the_table_is_of_the_jq_we_claim_to_be() -> None:
    assert TABLE["version"] == "jq-1.8.2"
    assert len(MISTAKES) > 500
    assert len(UNDEFINED) > 60


def test_mistakes() -> None:
    differing = {text: ours for text, words in MISTAKES.items() if (ours := _syntax(text)) != words}
    assert differing == {}


def test_undefined_names() -> None:
    differing = {text: ours for text, words in UNDEFINED.items() if (ours := _names(text)) != words}
    assert differing == {}


@pytest.mark.oracle
@pytest.mark.not_on_windows("needs-program")
def test_the_record_equals_the_real_jqs_answers() -> None:
    program = need_jq()
    assert [
        text for text, words in {**MISTAKES, **UNDEFINED}.items() if recorder.real_message(program, text) != words
    ] == []


@pytest.mark.oracle
@pytest.mark.not_on_windows("needs-program")
def test_changed_programs_beside_the_real_jq() -> None:
    program = need_jq()
    chance = random.Random(int(os.environ.get("JQ_MISTAKES_SEED", "1")))
    differing = {}
    for _ in range(RANDOM):
        text = recorder.change(chance, chance.choice(recorder.seeds()))
        ours, theirs = _syntax(text), recorder.real_message(program, text)
        if ours != theirs and (ours or recorder.is_syntax(theirs)):
            differing[text] = (ours, theirs)
    assert differing == {}
