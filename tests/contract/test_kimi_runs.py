"""The decisions of Kimi Code's and the Kimi CLI's own hook code, beside those of ``kimi@shipped``, ``kimi@cli`` and the default.

``kimi_runs.json`` has their decisions; ``record_kimi.py`` made it from the packages that it names.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.errors import ConfigError
from pyshellhooks.hooks.verdict import Verdict
from tests.contract.kimi_cases import CASES

pytestmark = pytest.mark.not_on_windows("needs-tools")  # the hooks are written for Unix

RUNS: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("kimi_runs.json").read_text(encoding="utf-8"))
ROWS = [(edition, name) for edition in RUNS for name in CASES]
#: Case -> why we deny although the program goes on.
STRICTER = {
    "held pipe": "the program waits for a pipe that a background child holds, past the timeout (kimi 4.3, 6.5)",
}
#: Case -> why our text of a reason or context is another one.
OTHER_TEXTS: dict[str, str] = {}


def fired(name: str, edition: str, folder: Path) -> Verdict | None:
    """Fire the event of a case with its hooks; None if the config does not load."""
    case = CASES[name]
    text = json.dumps({"hooks": case["entries"]}).replace("$W", str(folder))
    try:
        engine = HookEngine.load(text, f"kimi@{edition}", cwd=str(folder))
    except ConfigError:
        return None
    return engine.fire(case["event"], {"session_id": "s1", **case["fields"]})


def goes_on(verdict: Verdict) -> bool:
    return verdict.proceeds and verdict.followup is None


def test_each_case_has_a_run() -> None:
    assert all(runs.keys() == CASES.keys() for runs in RUNS.values())
    assert len(STRICTER) + len(OTHER_TEXTS) <= len(CASES) / 20


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("edition", "name"), ROWS)
def test_the_edition_does_as_its_program(edition: str, name: str, tmp_path: Path) -> None:
    run, verdict = RUNS[edition][name], fired(name, edition, tmp_path)
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
        assert verdict.context == (run["context"] or "").replace("\n\n", "\n")
    written = tmp_path / "got"
    got = written.read_text(encoding="utf-8").replace(str(tmp_path), "$W") if written.exists() else None
    assert got == run["got"]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("edition", "name"), ROWS)
def test_the_default_edition_is_never_weaker(edition: str, name: str, tmp_path: Path) -> None:
    run, verdict = RUNS[edition][name], fired(name, "documented", tmp_path)
    if verdict is None:
        assert run.get("refused")
    elif not run.get("goes_on", True):
        assert not goes_on(verdict)
    elif not goes_on(verdict) and name not in STRICTER and run.get("goes_on"):
        assert verdict.notices or edition == "cli", "a deny that the program loses is named"
