"""Copilot: detection, places, the two spellings of payloads, PowerShell, and http hooks (docs/contracts/copilot.md)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pyshellhooks import HookEngine, dialects
from pyshellhooks.dialects.copilot import Copilot
from pyshellhooks.hooks.dialect import HostContext
from pyshellhooks.hooks.model import HookRun, Origin
from pyshellhooks.jsontext.compact import WireError
from pyshellhooks.resident import fallback

CALL = {"tool_name": "bash", "tool_input": {"command": "ls"}}


def item(**keys: Any) -> str:
    return json.dumps({"version": 1, "hooks": {"preToolUse": [keys]}})


@pytest.mark.parametrize(
    "hooks",
    [
        {"preToolUse": [{"bash": "x"}]},
        {"preToolUse": [{"command": "x", "timeoutSec": 5}]},
        {"agentStop": [{"command": "x"}]},
        {"userPromptSubmitted": []},
    ],
)
def test_its_shape_is_recognised(hooks: dict[str, Any]) -> None:
    found = dialects.detect("hooks.json", {"version": 1, "hooks": hooks})
    assert found is not None and found.name == "copilot"


def test_a_path_in_its_folder_is_recognised() -> None:
    found = dialects.detect(
        "/p/.github/hooks/any-name.json", {"version": 1, "hooks": {"preToolUse": [{"command": "x"}]}}
    )
    assert found is not None and found.name == "copilot"
    assert dialects.detect("/p/.github/hooks/notes.txt", None) is None


def names(folder: str) -> list[str]:
    return ["a.json", "notes.md"] if folder.endswith(("/hooks", "/policy.d")) else []


def test_places() -> None:
    place = HostContext("/w/p/sub", env={}, home="/h", worktree="/w/p", names=names)
    assert [(file.path, file.scope) for file in Copilot().places(place)] == [
        ("/etc/github-copilot/policy.d/a.json", "system"),
        ("/h/.copilot/hooks/a.json", "user"),
        ("/h/.copilot/settings.json", "user"),
        ("/w/p/.github/hooks/a.json", "project"),
        ("/w/p/.github/copilot/settings.json", "project"),
        ("/w/p/.github/copilot/settings.local.json", "project"),
    ]


def test_places_on_windows_and_of_the_editions() -> None:
    place = HostContext("C:/w", env={"COPILOT_HOME": "C:/own"}, home="C:/h", windows=True, names=names)
    paths = [file.path for file in Copilot().places(place)]
    assert paths[:2] == ["C:/ProgramData/GitHub/Copilot/policy.d/a.json", "C:/own/hooks/a.json"]
    assert [file.path for file in Copilot("cloud").places(place)] == ["C:/w/.github/hooks/a.json"]
    assert [file.path for file in Copilot("vscode").places(place)] == [
        "C:/w/.github/hooks/a.json",
        "C:/w/.claude/settings.json",
        "C:/w/.claude/settings.local.json",
    ]
    assert "C:/w/.claude/settings.json" in [file.path for file in Copilot("shipped").places(place)]


PAYLOADS: list[tuple[str, dict[str, Any]]] = [
    ("sessionStart", {"source": "new", "initialPrompt": "p"}),
    ("userPromptSubmitted", {"prompt": "p"}),
    ("userPromptTransformed", {"prompt": "p", "transformedPrompt": "t"}),
    ("preToolUse", {"toolName": "bash", "toolArgs": {}}),
    (
        "permissionRequest",
        {"hookName": "permissionRequest", "toolName": "bash", "toolInput": {}, "permissionSuggestions": []},
    ),
    ("postToolUse", {"toolName": "bash", "toolArgs": {}, "toolResult": {"resultType": "success"}}),
    ("postToolUseFailure", {"toolName": "bash", "toolArgs": {}, "error": "e"}),
    ("agentStop", {"transcriptPath": "", "stopReason": "end_turn", "stop_hook_active": False}),
    ("subagentStart", {"transcriptPath": "", "agentName": "a"}),
    ("preCompact", {"transcriptPath": "", "trigger": "auto", "customInstructions": ""}),
    ("errorOccurred", {"error": {}, "errorContext": "c", "recoverable": True}),
    ("sessionEnd", {"reason": "complete"}),
]


@pytest.mark.parametrize(("event", "keys"), PAYLOADS)
def test_a_payload_without_a_name_shows_its_event(event: str, keys: dict[str, Any]) -> None:
    base = {"sessionId": "s", "timestamp": 1700000000000, "cwd": "/w"}
    assert Copilot().read(json.dumps({**base, **keys}))[0] == event


def test_a_payload_of_nothing_is_refused() -> None:
    with pytest.raises(WireError, match="of no event of Copilot"):
        Copilot().read('{"sessionId": "s"}')


def test_a_payload_in_pascal_case_has_copilots_names_again() -> None:
    payload = {
        "hook_event_name": "PostToolUse",
        "session_id": "s",
        "timestamp": "2023-11-14T22:13:20.000Z",
        "tool_name": "Read",
        "tool_input": {"path": "/a"},
        "tool_result": {"result_type": "success", "text_result_for_llm": "x"},
    }
    event, fields = Copilot().read(json.dumps(payload))
    assert (event, fields["tool_name"], fields["timestamp"]) == ("postToolUse", "view", 1700000000000)
    assert fields["toolResult"] == {"resultType": "success", "textResultForLlm": "x"}


def test_powershell_alone_runs_on_windows_only() -> None:
    dialect = Copilot()
    (spec,) = dialect.load(item(powershell="exit 2"), Origin("a.json")).specs
    for windows in (False, True):
        place = HostContext("C:/w" if windows else "/w", env={}, windows=windows)
        dialect.prepare(place)
        assert list(dialect.arrange([spec], place)) == ([spec] if windows else [])
    event = dialect.make_event(dialect.events["preToolUse"], False, CALL, place, None)
    assert dialect.job(event, spec, place).argv == ("powershell", "-NoProfile", "-NonInteractive", "-Command", "exit 2")


def test_an_http_hook_that_fails_denies_a_call() -> None:
    seen: list[Any] = []

    def answer(request: Any, *rest: Any) -> Any:
        seen.append(request)
        raise OSError("404")

    text = item(type="http", url="https://h/", headers={"A": "$T $U"}, allowedEnvVars=["T"])
    engine = HookEngine.load(text, "copilot", handlers={"http": answer}, env={"T": "t", "U": "u"})
    assert engine.fire("preToolUse", CALL).decision == "deny"
    assert len(seen) == 1


def test_the_last_resort_knows_both_spellings() -> None:
    for name in ("preToolUse", "PreToolUse", "PermissionRequest"):
        stdout, status, _ = fallback.denied("copilot", json.dumps({"hook_event_name": name}).encode(), "lost")
        assert status == 0 and json.loads(stdout)["permissionDecision"] == "deny"
    unnamed = json.dumps({"toolName": "bash", "toolArgs": {}}).encode()
    assert json.loads(fallback.denied("copilot", unnamed, "lost")[0])["behavior"] == "deny"
    assert fallback.denied("copilot", b'{"stopReason": "end_turn"}', "lost")[:2] == (b"", 1)


def test_eight_stops_in_a_row() -> None:
    block = HookRun(stdout=b'{"decision": "block", "reason": "go on"}')

    class Always:
        def run(self, job: object, scope: object) -> HookRun:
            return block

    config = json.dumps({"version": 1, "hooks": {"agentStop": [{"bash": "x"}]}})
    engine = HookEngine.load(config, "copilot", executor=Always())
    followups = [engine.fire("agentStop", {"session_id": "s"}).followup for _ in range(9)]
    assert followups == ["go on"] * 8 + [None]
