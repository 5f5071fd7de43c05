"""What the schema of a verdict promises, real verdicts keep."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from pyshellhooks import HookEngine, cli
from pyshellhooks.hooks.model import ENDED, Decision, HookRun
from pyshellhooks.notice import FAULTS
from pyshellhooks.types import verdict

CONFIG = """{"hooks": {"PreToolUse": [
    {"command": "echo no >&2; exit 2"}, {"command": "no_such_command"}, {"command": "echo '{\\"context\\": \\"x\\"}'"},
    {"command": "echo '{\\"decision\\": \\"allow\\", \\"updated_input\\": {\\"command\\": \\"ls\\"}}'"}, {"command": "exit 1"}
]}}"""


def literals(model: Any, name: str) -> set[Any]:
    """Return the words of a field, without null."""
    kind = model.model_fields[name].annotation
    return {word for part in (kind, *get_args(kind)) for word in get_args(part) if isinstance(word, str)} | {
        word for word in get_args(kind) if isinstance(word, str)
    }


def test_the_words_are_those_of_the_engine() -> None:
    assert literals(verdict.Hook, "ended") == set(ENDED)
    assert literals(verdict.Hook, "decision") == literals(verdict.Verdict, "decision") == set(Decision)
    assert literals(verdict.Fault, "fault") == set(FAULTS)


def test_a_real_verdict_is_one() -> None:
    with HookEngine.load(CONFIG, "crush", spawn=False) as engine:
        found = engine.fire("PreToolUse", tool_name="bash", tool_input={"command": "rm"}).as_json()
    read = verdict.Verdict.model_validate_json(json.dumps(found))
    assert list(found) == list(verdict.Verdict.model_fields) and not read.model_extra
    assert read.decision == "deny" and len(read.hooks) == 5 and read.faults
    for own, told in ((verdict.Hook, found["hooks"][0]), (verdict.Fault, found["faults"][0])):
        assert list(told) == list(own.model_fields)


@pytest.mark.parametrize("run", [HookRun("stopped", None, reason="deadline"), HookRun("not_started", None)])
def test_a_hook_that_did_not_end(run: HookRun) -> None:
    from pyshellhooks.engine import RecordedExecutor

    with HookEngine.load(CONFIG, "crush", executor=RecordedExecutor(lambda job, scope: run)) as engine:
        found = engine.fire("PreToolUse", tool_name="bash", tool_input={}).as_json()
    assert verdict.Verdict.model_validate(found).hooks[0].exit_code is None


def test_the_command_prints_it(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["schema", "verdict"]) == 0
    shown = json.loads(capfd.readouterr().out)
    assert shown["$id"] == "urn:pyshellhooks:schema:verdict" and set(shown["required"]) == set(shown["properties"])
