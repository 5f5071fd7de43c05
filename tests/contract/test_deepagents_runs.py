"""What deepagents-code 0.1.88 did with 220 hooks, beside ``deepagents@shipped`` and the default edition."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.hooks.verdict import Verdict
from tests.contract.deepagents_cases import FIELDS, Case, cases
from tests.recorded import read

pytestmark = pytest.mark.not_on_windows("needs-tools")  # the hooks are written for Unix

CASES = {case.name: case for case in cases()}
RUNS: dict[str, dict[str, Any]] = {
    row["id"]: row for row in read(Path(__file__).parent / "deepagents_runs.json")["cases"]
}
#: Case -> why ``shipped`` differs from the program; at most one in twenty, and never weaker.
DIFFERENT = {
    "a-child-holds-the-pipe": "the program waits for a pipe that a background child holds, past the timeout (deepagents 6.5)",
}
#: Events on which ``continue: false`` prevents the act (deepagents 7.11), and those where it ends more.
PREVENTED = frozenset(["PreToolUse", "UserPromptSubmit", "PreCompact"])
ENDED = frozenset(["PermissionRequest", "SessionStart", "SubagentStart", "Stop"])
DEFAULTS = frozenset(["", "Hook blocked the operation", "Blocked by hook"])


def fired(case: Case, edition: str, folder: Path) -> Verdict:
    """Fire the event of a case with its hooks."""
    file = folder / ".deepagents" / "hooks.json"
    file.parent.mkdir()
    file.write_text(case.config, encoding="utf-8")
    engine = HookEngine.load(str(file), f"deepagents@{edition}", cwd=str(folder))
    return engine.fire(case.event, {**FIELDS[case.event], **case.fields})


def blocks(case: Case, run: dict[str, Any]) -> bool:
    """Return whether the program prevents the act, or ends more than it."""
    if run["permission"] == "deny":
        return True
    return not run["goes_on"] and case.event in PREVENTED | ENDED


def of_program(case: Case, run: dict[str, Any]) -> dict[str, Any]:
    """Return the program's decision as a verdict has it."""
    decision = "deny" if blocks(case, run) and case.event in PREVENTED | {"PermissionRequest"} else run["permission"]
    context = [*run["context"], *(run["feedback"] if case.event == "PostToolUseFailure" else [])]
    context = _usual(context)
    if case.event == "PostToolUse" and (run["feedback"] or not run["goes_on"]):
        decision = "deny"
    return {
        "decision": decision,
        "halt": run["interrupt"] or (not run["goes_on"] and case.event in ENDED),
        "context": sorted("\n".join(context).split("\n")),
        "followup": "\n".join(_usual(run["feedback"])) if run["continues"] and run["goes_on"] else None,
        "hides_prompt": run["hides_prompt"],
        "bell": "".join(run["bell"]),
    }


def _usual(reasons: list[str]) -> list[str]:
    """Return reasons with our words for a block without one."""
    return ["blocked by hook" if reason in DEFAULTS else reason for reason in reasons]


def of_verdict(verdict: Verdict) -> dict[str, Any]:
    context = verdict.context if verdict.event != "Stop" else ""  # there it is a part of the follow-up
    return {
        "decision": verdict.decision.value,
        "halt": verdict.halt,
        "context": sorted(context.split("\n")),
        "followup": verdict.followup,
        "hides_prompt": bool(verdict.effects.get("suppress_original_prompt")),
        "bell": verdict.effects.get("terminal_sequence", ""),
    }


def test_all_cases_are_recorded() -> None:
    assert list(RUNS) == list(CASES)
    assert len(CASES) > 200


def test_few_cases_differ() -> None:
    assert len(DIFFERENT) * 20 <= len(CASES)
    assert DIFFERENT.keys() <= CASES.keys()


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CASES)
def test_the_shipped_edition_does_as_the_program(name: str, tmp_path: Path) -> None:
    case, run = CASES[name], RUNS[name]
    verdict = fired(case, "shipped", tmp_path)
    if name in DIFFERENT:
        assert of_verdict(verdict) != of_program(case, run)
        assert not (blocks(case, run) and verdict.proceeds)
        return
    assert of_verdict(verdict) == of_program(case, run), verdict.notices
    reason = run["reason"] or run["stop_reason"]
    if blocks(case, run) and reason not in DEFAULTS:
        assert verdict.reason == reason


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CASES)
def test_the_default_edition_is_never_weaker(name: str, tmp_path: Path) -> None:
    case, run = CASES[name], RUNS[name]
    verdict = fired(case, "documented", tmp_path)
    if blocks(case, run):
        assert not verdict.proceeds
    elif verdict.decision.value == "deny" and of_program(case, run)["decision"] != "deny":
        assert verdict.notices, "a deny that the program loses is named"
