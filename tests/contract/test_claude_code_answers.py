"""What the real Claude Code made of our answers, as ``record_claude_code_answers`` recorded it (claude_code 6)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from record_claude_code_answers import CASES, FILE, RAW, SECRET, shown
from said_again import Bench

from pyshellhooks import Verdict, dialects
from pyshellhooks.hooks.model import Decision
from tests.recorded import read

RECORD = read(FILE)
SEEN = {row["name"]: row for row in RECORD["cases"]}
NAMES = [case["name"] for case in CASES]


def verdict_of(case: dict[str, Any]) -> Verdict:
    return Verdict(case["event"], **case["verdict"])


def test_the_record_is_whole() -> None:
    assert list(SEEN) == NAMES and list(RECORD["raw"]) == list(RAW)
    assert RECORD["version"].endswith("(Claude Code)")


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_our_answers_are_still_as_recorded(case: dict[str, Any]) -> None:
    row = SEEN[case["name"]]
    answer = dialects.get("claude_code").answer(case["event"], verdict_of(case), row["fields"])
    assert shown(answer) == row["said"], "run record_claude_code_answers again"


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_program_did_as_the_verdict_decides(case: dict[str, Any]) -> None:
    verdict, event, seen = verdict_of(case), case["event"], SEEN[case["name"]]["seen"]
    stopped = verdict.halt or verdict.decision is Decision.DENY
    if event == "PreToolUse":
        if stopped or verdict.decision is Decision.ASK:  # with -p nobody can be asked
            assert seen["ran"] == []
        else:
            assert seen["ran"] == (["other"] if verdict.updated_input_text else ["first"])
        assert ("because-no" in seen["told"]) == (stopped and not verdict.halt or _is_ask(verdict))
        assert seen["asked"] == (1 if verdict.halt else 2)
    if event == "PostToolUse" and (verdict.withholds or verdict.updated_output_text):
        assert SECRET not in seen["told"]
        assert "because-no" in seen["told"] or "another result" in seen["told"] or seen["asked"] == 1
    if event == "PostToolUse" and stopped and not verdict.withholds:
        assert "because-no" in seen["told"] or seen["asked"] == 1
    if event == "PostToolBatch" and verdict.withholds:
        assert seen["asked"] == 1
    if event == "UserPromptSubmit" and not verdict.context:  # it can't be rewritten, nor can anybody be asked
        assert seen["asked"] == 0 and seen["ran"] == []
    if event == "Stop":
        assert seen["asked"] == (3 if verdict.followup and not verdict.halt else 2)
    assert ("by-the-way" in seen["told"]) == bool(verdict.context and event != "Stop")


def _is_ask(verdict: Verdict) -> bool:
    return verdict.decision is Decision.ASK and bool(verdict.reason)


def test_why_our_answers_have_more_fields() -> None:
    """What the program makes of answers that say it in fewer words."""
    raw = RECORD["raw"]
    assert raw["halt alone"]["ran"] == ["first"]  # so that a halt denies as well
    for name in ("a result of another form", "a result that lacks keys"):
        assert SECRET in raw[name]["told"] and "another result" not in raw[name]["told"]
    assert raw["context on a stop"]["asked"] == 3  # so that context alone is not said there


@pytest.mark.parametrize("event", RECORD["payloads"])
def test_its_own_payloads_are_read(event: str) -> None:
    bench = Bench("claude_code")
    text = RECORD["payloads"][event]
    native, fields = bench.dialect.read(text)
    assert native == event.partition(" ")[0]
    verdict = bench.engine.fire(native, fields)
    assert json.loads(bench.executor.jobs[-1].stdin) == json.loads(text)
    assert list(json.loads(bench.executor.jobs[-1].stdin)) == list(json.loads(text))
    # The recorded directory is not on this machine, where hooks start in the engine's.
    assert {notice.kind for notice in verdict.notices} <= {"directory-missing"}
