"""What Copilot CLI 1.0.102 did with 59 hooks, and what ``copilot@shipped`` and the default edition make of them."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.hooks.verdict import Verdict

pytestmark = pytest.mark.not_on_windows("needs-program")  # one hook is a program of Unix

RUNS: dict[str, dict[str, Any]] = {
    run["id"]: run
    for run in tomllib.loads(Path(__file__).with_name("copilot_runs.toml").read_text(encoding="utf-8"))["run"]
}
CALL = {"tool_name": "bash", "tool_input": {"command": "echo ran", "description": "d"}}
FIELDS: dict[str, dict[str, Any]] = {"userPromptSubmitted": {"prompt": "hello"}, "sessionStart": {"source": "new"}}


def fired(name: str, edition: str, folder: Path) -> Verdict:
    """Fire the event of a run with its hooks."""
    run = RUNS[name]
    config: dict[str, Any] = {"version": run.get("version", 1), "hooks": {run["key"]: json.loads(run["items"])}}
    if config["version"] == 0:
        del config["version"]
    engine = HookEngine.load(json.dumps(config), f"copilot@{edition}", cwd=str(folder))
    return engine.fire(run["key"], FIELDS.get(run["key"], CALL))


def changed(verdict: Verdict) -> bool:
    return verdict.updated_input_text is not None


def test_all_runs_are_there() -> None:
    assert len(RUNS) == 59


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", RUNS)
def test_the_shipped_edition_does_as_the_program(name: str, tmp_path: Path) -> None:
    verdict, run = fired(name, "shipped", tmp_path), RUNS[name]
    is_prompt = run["key"] == "userPromptSubmitted"
    assert changed(verdict) == run.get("changed", False)
    assert (verdict.proceeds and (is_prompt or not changed(verdict))) == run["ran"], verdict.notices


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", RUNS)
def test_the_default_edition_is_never_weaker(name: str, tmp_path: Path) -> None:
    verdict, run = fired(name, "documented", tmp_path), RUNS[name]
    if not run["ran"]:
        assert not verdict.proceeds or changed(verdict)
    elif not verdict.proceeds:
        assert verdict.notices, "a deny that the program loses is named"


def test_a_deny_ends_the_row_and_a_rewrite_reaches_the_next_hook(tmp_path: Path) -> None:
    fired("a-deny-and-another-hook", "shipped", tmp_path)
    assert not (tmp_path / "second").exists()
    fired("a-chain", "shipped", tmp_path)
    seen = json.loads((tmp_path / "seen.json").read_text(encoding="utf-8"))
    assert seen["toolArgs"] == {"command": "true", "description": "one"}
