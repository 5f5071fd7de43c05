"""What Gemini CLI's own runner made of our answers, as ``record_gemini_answers`` recorded it (gemini 2.3, 4)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from record_gemini_answers import FIELDS, FILE, KINDS, cases
from said_again import refused

from pyshellhooks import Verdict, dialects
from pyshellhooks.hooks.model import Decision
from pyshellhooks.jsontext.compact import well_formed
from tests.recorded import read

RECORD = read(FILE)
SILENCE = {"stops": False, "blocks": False, "asks": False, "reason": "", "context": None, "input": None}
ROWS = {(row["edition"], row["event"], row["kind"]): row for row in RECORD["cases"]}
CASES = cases()


def test_the_record_is_whole() -> None:
    assert list(ROWS) == CASES and RECORD["version"].startswith("@google/gemini-cli-core ")


@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_the_program_does_as_the_verdict_decides(case: tuple[str, str, str]) -> None:
    edition, event, kind = case
    row = ROWS[case]
    verdict = Verdict(event, **KINDS[kind])
    dialect = dialects.get(edition)
    answer = dialect.answer(event, verdict, FIELDS[event])
    assert answer.stdout == row["stdout"], "run record_gemini_answers again"
    seen: dict[str, Any] = {**SILENCE, "response": False, "tools": None, **(row["seen"] or {})}
    can = dialect.events[event].can
    stopped = seen["stops"] or seen["blocks"]
    if refused(verdict) and {"deny", "followup"} & can:
        assert stopped and well_formed(verdict.reason) in seen["reason"]
    if verdict.halt and "halt" in can:
        assert seen["stops"]
    if verdict.decision is Decision.ASK and "deny" in can:
        assert seen["asks"] if "ask" in can else seen["blocks"]
    if verdict.updated_input_text and "deny" in can:
        assert seen["blocks"] or seen["input"] == json.loads(verdict.updated_input_text)
        as_patch = edition == "gemini@documented" and "takes a key away" in kind
        assert seen["blocks"] == (event != "BeforeTool" or as_patch)
    if verdict.updated_output_text and event == "AfterTool":
        assert seen["blocks"] and "shown instead" in seen["reason"]
    if verdict.followup and event == "AfterAgent":
        assert seen["blocks"] and seen["reason"] == verdict.followup
    if verdict.context and "context" in can:
        assert seen["context"] == verdict.context
    if kind == "another response" and event in ("BeforeModel", "AfterModel"):
        assert seen["response"] and seen["blocks"] == (event == "BeforeModel" and edition == "gemini@shipped")
    if kind == "no tools" and event == "BeforeToolSelection":
        assert seen["tools"]["functionCallingConfig"]["mode"] == "NONE"
    if not answer.notices and not refused(verdict) and not verdict.followup and "response" not in kind:
        assert not stopped


@pytest.mark.parametrize("event", FIELDS)
def test_the_letter_of_the_document_writes_the_same(event: str) -> None:
    letter, default = dialects.get("gemini@document"), dialects.get("gemini")
    for parts in KINDS.values():
        verdict = Verdict(event, **parts)
        said, same = (one.answer(event, verdict, FIELDS[event]) for one in (letter, default))
        assert (said.stdout, said.stderr, said.exit_code) == (same.stdout, same.stderr, same.exit_code)


def test_silence_is_no_answer() -> None:
    """An empty answer would be an allow there."""
    assert all(row["seen"] is None for row in RECORD["cases"] if not row["stdout"])
