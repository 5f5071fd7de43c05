"""What the hook modules of Qwen Code 0.24.4 did with 978 hooks, and what ``qwen@shipped`` and the default edition make of them.

``qwen_answers.json`` was recorded in November 2026 with Node 20: the modules of the npm package (``HookRegistry``,
``HookPlanner``, ``HookRunner``, ``HookAggregator`` and the functions that read their result) were imported alone from the
program's bundle, without a model or an account. 658 cases were written by hand, 320 generated.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.hooks.verdict import Verdict

pytestmark = pytest.mark.not_on_windows("needs-tools")  # the hooks are written for Unix

RECORD = json.loads((Path(__file__).parent / "qwen_answers.json").read_text(encoding="utf-8"))
CASES: dict[str, dict[str, Any]] = {case["case"]: case for case in RECORD["cases"]}
#: Cases in which ``shipped`` denies although the program goes on.
STRICTER = {
    "wrong-type-hookSpecificOutput-beside-deny": "the program fails on a text there, and goes on",
    "PermissionRequest decision-empty-then-allow": "an unknown behavior denies alone, and beside an allow here too",
    "PermissionRequest decision-other-then-allow": "an unknown behavior denies alone, and beside an allow here too",
}
#: Whether the call ran in the whole program, offline against a scripted model, for cases of which there is a run.
RUNS = {
    "two-deny-allow": True,
    "two-allow-deny": False,
    "silent-exit-2": True,
    "allow-stderr-exit-2": True,
    "deny-stdout-exit-1": False,
    "deny-stderr-exit-0": False,
    "updated-input": True,
    "nested-ask": False,
    "matcher 'ShellTool'": False,
}
STOPS = ("Stop", "SubagentStop")
#: Cases whose context differs: the text of a lost block is no context here.
OTHER_CONTEXT = frozenset(["UserPromptSubmit noise", "UserPromptExpansion noise"])


def fired(case: dict[str, Any], edition: str, folder: Path) -> Verdict:
    event = case["event"]
    with HookEngine.load(json.dumps({"hooks": case["hooks"]}), f"qwen@{edition}", cwd=str(folder)) as engine:
        return engine.fire(event, {**RECORD["fields"][event], **case.get("fields", {})})


def goes_on(verdict: Verdict) -> bool:
    """Return whether the call runs, the prompt is sent or the agent stops. A permission without a decision is asked."""
    if verdict.event in STOPS:
        return verdict.followup is None
    if verdict.event == "PermissionRequest":
        return not verdict.blocked
    return not verdict.blocked and verdict.decision != "ask"


def test_the_record_is_read() -> None:
    assert len(CASES) == 978
    assert len(STRICTER) < len(CASES) / 20


def test_the_modules_do_as_the_whole_program() -> None:
    assert {name: CASES[name]["answer"]["goes_on"] for name in RUNS} == RUNS


@pytest.mark.one_in(8)
@pytest.mark.parametrize("name", CASES)
def test_the_shipped_edition_does_as_the_program(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    answer = case["answer"]
    verdict = fired(case, "shipped", tmp_path)
    assert len(verdict.hooks) == answer["hooks"]
    if name in STRICTER:
        assert answer["goes_on"] and not goes_on(verdict)
        return
    assert goes_on(verdict) == answer["goes_on"], verdict.notices
    if answer["goes_on"] and name not in OTHER_CONTEXT:
        assert verdict.context.replace("<", "&lt;").replace(">", "&gt;") == answer.get("context", "")
    if answer.get("decision") == "allow":
        assert verdict.decision == "allow"
        assert verdict.updated_input == answer.get("input")


@pytest.mark.one_in(8)
@pytest.mark.parametrize("name", CASES)
def test_the_default_edition_is_never_weaker(name: str, tmp_path: Path) -> None:
    """Weaker is only: a stop that the document says is one, and a permission that two silent hooks deny by accident."""
    case = CASES[name]
    verdict = fired(case, "documented", tmp_path)
    if case["answer"]["goes_on"]:
        assert goes_on(verdict) or verdict.notices, "a deny that the program loses is named"
    elif goes_on(verdict):
        asked = verdict.event == "PermissionRequest" and len(verdict.hooks) > 1 and verdict.decision == "none"
        assert asked or (verdict.event in STOPS and verdict.halt and verdict.notices)
