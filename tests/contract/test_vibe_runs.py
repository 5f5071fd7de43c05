"""What Mistral Vibe 3.0.3 did with its hooks, beside ``vibe@shipped`` and the default edition."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.hooks.verdict import Verdict
from tests.contract.vibe_cases import COMMAND, RESULT, Case, cases
from tests.recorded import read

pytestmark = pytest.mark.not_on_windows("needs-tools")  # the hooks are written for Unix

CASES = {case.name: case for case in cases()}
RUNS: dict[str, dict[str, Any]] = {row["id"]: row for row in read(Path(__file__).parent / "vibe_runs.json")["cases"]}
#: Case -> why ``shipped`` differs from the program; at most one in twenty, and never weaker.
DIFFERENT = {
    "a-child-holds-the-pipe": "the program waits for a pipe that a background child holds, past the timeout (vibe 5.5)",
}
#: The arguments of bash as the program runs them.
UNCHANGED = {"command": COMMAND["command"], "timeout_seconds": COMMAND["timeout"]}


def fired(case: Case, edition: str, folder: Path) -> Verdict:
    """Fire the event of a case with its hooks."""
    file = folder / ".vibe" / "hooks.toml"
    file.parent.mkdir()
    file.write_text(case.config, encoding="utf-8")
    engine = HookEngine.load(str(file), f"vibe@{edition}", cwd=str(folder))
    call = {"tool_name": case.tool, "tool_call_id": "t1", "tool_input": COMMAND}
    fields: dict[str, dict[str, Any]] = {
        "pre_tool": call,
        "post_tool": {**call, "tool_output_text": RESULT},
        "post_agent": {"agent_name": case.agent, "parent_session_id": None if case.is_main else "p"},
    }
    return engine.fire(case.event, fields[case.event])


def denies(case: Case, run: dict[str, Any]) -> bool:
    """Return whether the program denies the call, replaces its result, or asks for another round."""
    if case.event != "post_tool" or run["result"] is None:
        return bool(run["denies"])
    return bool(run["result"][:1] != [RESULT])


def of_verdict(case: Case, verdict: Verdict) -> tuple[bool, bool, str]:
    """Return whether it denies, whether it rewrites, and the context."""
    if case.event == "post_agent":
        return verdict.followup is not None, False, ""
    context = verdict.context if verdict.decision != "deny" else ""
    return verdict.decision == "deny", verdict.updated_input is not None, context


def of_program(case: Case, run: dict[str, Any]) -> tuple[bool, bool, str]:
    is_denied = denies(case, run)
    is_rewritten = run["input"] is not None and run["input"] != UNCHANGED and case.event == "pre_tool"
    context = "" if is_denied or not run["result"] else "\n".join(run["result"][1:])
    return is_denied, is_rewritten, context


def test_all_cases_are_recorded() -> None:
    assert list(RUNS) == list(CASES)
    assert len(CASES) > 250


def test_few_cases_differ() -> None:
    assert len(DIFFERENT) * 20 <= len(CASES)
    assert DIFFERENT.keys() <= CASES.keys()


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CASES)
def test_the_shipped_edition_does_as_the_program(name: str, tmp_path: Path) -> None:
    case, run = CASES[name], RUNS[name]
    verdict = fired(case, "shipped", tmp_path)
    if name in DIFFERENT:
        assert of_verdict(case, verdict)[0] and not denies(case, run)
        return
    assert of_verdict(case, verdict) == of_program(case, run), verdict.notices


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CASES)
def test_the_default_edition_is_never_weaker(name: str, tmp_path: Path) -> None:
    case, run = CASES[name], RUNS[name]
    verdict = fired(case, "documented", tmp_path)
    is_denied, is_rewritten, _ = of_verdict(case, verdict)
    if denies(case, run):
        assert is_denied
    elif is_denied and name not in DIFFERENT:
        assert verdict.notices, "a deny that the program loses is named"
    if is_rewritten:
        assert of_program(case, run)[1]
