"""What Codex 0.171.0 did with 101 hooks, and what ``codex@shipped`` and the default edition make of them.

The runs are not part of the repository: where they lie beside it (``../shared/real-programs``) they are compared, and
otherwise the tests are left out.
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

import pyshellhooks
from pyshellhooks import HookEngine
from pyshellhooks.hooks.verdict import Verdict

pytestmark = pytest.mark.not_on_windows("needs-tools")  # the hooks are written for Unix

RUNS = Path(pyshellhooks.__file__).parents[2] / "shared" / "real-programs"
MATRIX, RESULTS = RUNS / "codex" / "matrix.py", RUNS / "results" / "cxm.jsonl"
#: Cases whose call is not the usual one, so that the record of the run does not show whether it went on.
OTHER_CALLS = frozenset(["start-envfile"])
GUARDS = frozenset(["PreToolUse", "UserPromptSubmit", "SessionStart"])


def cases() -> list[tuple[str, Any]]:
    if not RESULTS.is_file():
        return []
    spec = importlib.util.spec_from_file_location("codex_matrix", MATRIX)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [(name, case) for name, case in module.CASES.items() if case[0] in GUARDS and name not in OTHER_CALLS]


CASES = dict(cases())


def ran_call(name: str) -> bool:
    """Return whether the program ran the call as the model wrote it."""
    lines = map(json.loads, RESULTS.read_text(encoding="utf-8").splitlines())
    return next(bool(line["ran"]) for line in lines if line["case"] == name)


def fired(name: str, edition: str, folder: Path) -> Verdict:
    """Fire the event of a case with its hooks."""
    event, commands, options = CASES[name]
    handlers = []
    for command in commands if isinstance(commands, list) else [commands]:
        handler = dict(command) if isinstance(command, dict) else {"type": "command", "command": command}
        if "timeout" in options:
            handler["timeout"] = options["timeout"]
        if "command" in handler:
            handler["command"] = handler["command"].replace("$W", str(folder))
        handlers.append(handler)
    group = {"hooks": handlers, **({"matcher": options["matcher"]} if "matcher" in options else {})}
    engine = HookEngine.load(json.dumps({"hooks": {event: [group]}}), f"codex@{edition}", cwd=str(folder))
    fields: dict[str, dict[str, Any]] = {
        "PreToolUse": {"tool_name": "Bash", "tool_input": {"command": "echo ran"}},
        "UserPromptSubmit": {"prompt": "hello"},
        "SessionStart": {"source": "startup"},
    }
    return engine.fire(event, fields[event])


@pytest.mark.skipif(not CASES, reason="the runs are not here")
def test_the_runs_are_read() -> None:
    assert len(CASES) > 70


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CASES)
def test_the_shipped_edition_does_as_the_program(name: str, tmp_path: Path) -> None:
    verdict = fired(name, "shipped", tmp_path)
    ours = verdict.proceeds and verdict.updated_input is None
    assert ours == ran_call(name), verdict.notices


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CASES)
def test_the_default_edition_is_never_weaker(name: str, tmp_path: Path) -> None:
    verdict = fired(name, "documented", tmp_path)
    if not ran_call(name):
        assert not verdict.proceeds or verdict.updated_input is not None
    elif not verdict.proceeds:
        assert verdict.notices, "a deny that the program loses is named"
