"""The decisions of OpenHands' own hook module, beside those of ``openhands@shipped`` and of the default edition.

``openhands_runs.json`` has the module's decisions; ``record_openhands.py`` made it from the wheel that it names.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.errors import ConfigError
from pyshellhooks.hooks.verdict import Verdict
from tests.contract.openhands_cases import CASES

pytestmark = pytest.mark.not_on_windows("needs-tools")  # the hooks are written for Unix

RUNS: dict[str, Any] = json.loads(Path(__file__).with_name("openhands_runs.json").read_text(encoding="utf-8"))["runs"]
#: Case -> why we deny although the program goes on.
STRICTER = {
    "held pipe": "the program waits for a pipe that a background child holds, past the timeout (openhands 5.3)",
}
#: Case -> why our text of a reason or context is another one.
OTHER_TEXTS = {
    "syntax error": "the message of another shell",
    "Stop, exit 2: echo >&2": "the program goes on with no text, and we with the usual one",
}


def fired(name: str, edition: str, folder: Path) -> Verdict | None:
    """Fire the event of a case with its hooks; None if the config does not load."""
    case = CASES[name]
    text = json.dumps(case["config"]).replace("$W", str(folder))
    try:
        engine = HookEngine.load(text, f"openhands@{edition}", cwd=str(folder))
    except ConfigError:
        return None
    return engine.fire(case["event"], {"session_id": "s1", **case["fields"]})


def goes_on(verdict: Verdict) -> bool:
    return verdict.proceeds and verdict.followup is None


def test_each_case_has_a_run() -> None:
    assert RUNS.keys() == CASES.keys()
    assert len(STRICTER) + len(OTHER_TEXTS) <= len(CASES) / 20


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CASES)
def test_the_shipped_edition_does_as_the_program(name: str, tmp_path: Path) -> None:
    run, verdict = RUNS[name], fired(name, "shipped", tmp_path)
    if run.get("refused"):
        assert verdict is None or not verdict.hooks
        return
    assert verdict is not None
    if name in STRICTER:
        assert run["goes_on"] and not goes_on(verdict)
        return
    assert goes_on(verdict) == run["goes_on"], verdict.notices
    if name not in OTHER_TEXTS:
        reason = verdict.reason if verdict.followup is None else verdict.followup
        assert goes_on(verdict) or reason == run["reason"]
        assert verdict.context == (run["context"] or "")
    assert len(verdict.hooks) == run["hooks"]
    if "got" in run:
        assert (tmp_path / "got").read_text(encoding="utf-8").replace(str(tmp_path), "$W") == run["got"]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CASES)
def test_the_default_edition_is_never_weaker(name: str, tmp_path: Path) -> None:
    run, verdict = RUNS[name], fired(name, "documented", tmp_path)
    if verdict is None:
        assert run.get("refused")
    elif not run.get("goes_on", True):
        assert not goes_on(verdict)
    elif not goes_on(verdict) and name not in STRICTER:
        assert verdict.notices, "a deny that the program loses is named"
