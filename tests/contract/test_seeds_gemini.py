"""The seed document of Gemini CLI, taken as data: its tables, schemas and event sections against what we do.

The document is not part of the repository: where it lies beside it (``../shared/seeds``) its facts are read and run;
elsewhere the twins in conformance/cases/gemini/seed_twins.toml stand for them.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine, Verdict
from pyshellhooks.dialects.gemini import tables

ROOT = Path(__file__).resolve().parents[2]
SEED = ROOT.parent / "shared" / "seeds" / "003_aeef33619e80f3a7.txt"

pytestmark = [
    pytest.mark.skipif(not SEED.is_file(), reason="the seed document does not lie beside this repository"),
]

MODEL = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "config": {"temperature": 1}}
FIELDS: dict[str, dict[str, Any]] = {
    "BeforeTool": {"tool_name": "run_shell_command", "tool_input": {"command": "ls"}},
    "AfterTool": {
        "tool_name": "read_file",
        "tool_input": {},
        "tool_response": {"llmContent": "x", "returnDisplay": "x"},
    },
    "BeforeAgent": {"prompt": "p"},
    "AfterAgent": {"prompt": "p", "prompt_response": "r"},
    "BeforeModel": {"llm_request": MODEL},
    "BeforeToolSelection": {"llm_request": MODEL},
    "AfterModel": {"llm_request": MODEL, "llm_response": {"candidates": []}},
}


@cache
def text() -> str:
    return SEED.read_text(encoding="utf-8")


@cache
def sections() -> dict[str, str]:
    """Return each event's section by its name."""
    parts = re.split(r"^### `(\w+)`$", text(), flags=re.MULTILINE)
    return {name: body.split("\n## ")[0] for name, body in zip(parts[1::2], parts[2::2], strict=True)}


def bullets(event: str, title: str) -> str:
    """Return a list of a section: the lines below ``* **title**:``, or nothing."""
    found = re.search(rf"^\* \*\*{title}\*\*:(.*?)(?=^\* \*\*|\Z)", sections()[event], re.MULTILINE | re.DOTALL | re.I)
    return found[1] if found else ""


def table(heading: str) -> list[list[str]]:
    """Return the rows of the table below a heading, without back-quotes."""
    body = text().split(f"\n{heading}\n", 1)[1]
    rows = re.search(r"^\| --- .*?\n((?:\|.*\n)+)", body, re.MULTILINE)
    assert rows is not None
    return [[cell.strip().replace("`", "") for cell in row.strip("|").split(" | ")] for row in rows[1].splitlines()]


def block(before: str) -> str:
    """Return the code block that follows a text."""
    found = re.search(r"```\n(.*?)```", text().split(before, 1)[1], re.DOTALL)
    assert found is not None
    return found[1]


def fire(event: str, command: str, fields: dict[str, Any] | None = None, **group: Any) -> Verdict:
    config = {"hooks": {event: [{**group, "hooks": [{"type": "command", "command": command}]}]}}
    with HookEngine.load(config, "gemini", spawn=False, env={}) as engine:
        return engine.fire(event, FIELDS.get(event, {}) if fields is None else fields)


def answer(event: str, value: dict[str, Any], fields: dict[str, Any] | None = None) -> Verdict:
    return fire(event, f"echo '{json.dumps(value)}'", fields)


def test_the_events_are_the_documents() -> None:
    assert set(sections()) == set(tables.EVENTS)


@pytest.mark.parametrize("event", list(tables.EVENTS))
def test_input_fields(event: str) -> None:
    names = re.findall(r"^  \+ `(\w+)`", bullets(event, "Input Fields"), re.MULTILINE)
    own = [field.native for field in tables.EVENTS[event].fields][5:]
    assert names and [name for name in own if name in names] == names
    # What the document does not name is optional and sent for MCP tools only.
    assert set(own) - set(names) <= {"mcp_context", "original_request_name", "tool_response"} - set(names)


def test_base_input() -> None:
    names = re.findall(r'^"(\w+)": string', block("## Base input schema\n\n["), re.MULTILINE)
    own = [field.native for field in tables.EVENTS["PreCompress"].fields][:5]
    assert names == own
    asked = f'[.{", .".join(names)}] | all(type == "string")'
    verdict = fire("PreCompress", f"jq -e '{asked}' > /dev/null && echo all")
    assert verdict.user_message == "all"


def test_config_tables() -> None:
    definition, hook = table("### Hook definition"), table("### Hook configuration")
    assert [row[0] for row in definition] == list(tables.DEFINITION_FIELDS)
    assert [row[0] for row in hook] == [name for name in tables.HOOK_FIELDS if name != "env"]
    shown = next(row[3] for row in hook if row[0] == "timeout")
    assert f"milliseconds (default: {tables.DEFAULT_TIMEOUT * 1000:g})" in shown
    assert [row[0] for row in definition + hook if "Yes" in row[2]] == ["hooks", "type", "command"]
    values: dict[str, object] = {"string": "command", "number": 5000, "boolean": True}
    entry = {row[0]: values[row[1]] for row in hook} | {"command": "exit 2"}
    group = {row[0]: values.get(row[1], [entry]) for row in definition} | {"matcher": "run_"}
    with HookEngine.load({"hooks": {"BeforeTool": [group]}}, "gemini") as engine:
        assert engine.diagnostics == () and engine.fire("BeforeTool", FIELDS["BeforeTool"]).decision == "deny"


def test_common_output_fields() -> None:
    rows = {row[0]: row[1] for row in table("## Common output fields")}
    assert set(rows) == {"systemMessage", "suppressOutput", "continue", "stopReason", "decision", "reason"}
    values: dict[str, object] = {"string": "text", "boolean": True}
    verdict = answer("BeforeTool", {name: values[kind] for name, kind in rows.items()} | {"decision": "block"})
    assert (verdict.decision, verdict.reason, verdict.user_message) == ("deny", "text", "text")
    assert verdict.effects == {"suppress_output": True} and not verdict.halt
    stopped = answer("BeforeTool", {"continue": False, "stopReason": "for the user"})
    assert stopped.halt and stopped.user_message == "for the user"


@pytest.mark.parametrize("event", list(tables.EVENTS))
def test_exit_code_2(event: str) -> None:
    stated = re.search(r"^\* \*\*Exit Code 2 \((.+?)\)", sections()[event], re.MULTILINE)
    verdict = fire(event, "echo why >&2; exit 2")
    assert stated is not None or verdict.proceeds
    if stated is not None and stated[1] == "Retry":
        assert (verdict.followup, verdict.decision) == ("why", "none")
    elif stated is not None:
        assert (verdict.decision, verdict.reason, verdict.halt) == ("deny", "why", False)


@pytest.mark.parametrize("event", ["SessionStart", "SessionEnd", "Notification", "PreCompress", "BeforeToolSelection"])
def test_flow_control_that_is_ignored(event: str) -> None:
    assert re.search(r"ignore|not\*\* support|cannot", sections()[event])
    verdict = answer(event, {"decision": "deny", "continue": False, "reason": "r", "systemMessage": "m"})
    assert verdict.proceeds and not verdict.halt
    assert verdict.user_message == ("" if event == "BeforeToolSelection" else "m")


@pytest.mark.parametrize("event", ["SessionStart", "SessionEnd", "Notification", "PreCompress"])
def test_values_that_matchers_name(event: str) -> None:
    values = re.findall(r'"(\w+)"', bullets(event, "Input Fields"))
    assert values == list(tables.EVENTS[event].matches)
    subject = tables.EVENTS[event].subject
    for value in values:
        assert len(fire(event, "true", {subject: value}, matcher=value).hooks) == 1
        assert fire(event, "true", {subject: "?"}, matcher=value).hooks == ()


def test_matchers_and_tool_names() -> None:
    section = text().split("### Matchers and tool names\n", 1)[1].split("\n### ", 1)[0]
    example = re.search(r'matcher: "(.+?)"', section)
    pattern = re.search(r"`(mcp__<server_name>__<tool_name>)`", section)
    builtin = re.search(r"built-in tool \(e\.g\., `(\w+)`,\s+`(\w+)`\)", section)
    assert example is not None and pattern is not None and builtin is not None
    assert fire("BeforeTool", "exit 2", {"tool_name": builtin[1]}, matcher=example[1]).decision == "deny"
    assert fire("BeforeTool", "exit 2", {"tool_name": builtin[2]}, matcher=example[1]).hooks == ()
    name = pattern[1].replace("<server_name>", "git").replace("<tool_name>", "push")
    assert fire("AfterTool", "exit 2", {"tool_name": name}, matcher="^mcp__git__").decision == "deny"


# event -> hookSpecificOutput's field in the document -> a value, and the part of the verdict that it becomes.
SPECIFIC: dict[str, dict[str, tuple[Any, str]]] = {
    "BeforeTool": {"tool_input": ({"timeout": 1}, "updated_input")},
    "AfterTool": {"additionalContext": ("c", "context")},
    "BeforeAgent": {"additionalContext": ("c", "context")},
    "AfterAgent": {"clearContext": (True, "effects.clear_context")},
    "BeforeModel": {
        "llm_request": ({"model": "other"}, "effects.llm_request"),
        "llm_response": ({"candidates": []}, "effects.llm_response"),
    },
    "BeforeToolSelection": {"toolConfig": ({"mode": "ANY", "allowedFunctionNames": ["a"]}, "effects.tool_config")},
    "AfterModel": {"llm_response": ({"candidates": []}, "effects.llm_response")},
    "SessionStart": {"additionalContext": ("c", "context")},
}


@pytest.mark.parametrize("event", list(tables.EVENTS))
def test_specific_output_fields(event: str) -> None:
    named = set(re.findall(r"`hookSpecificOutput\.(\w+)", sections()[event]))
    assert named == set(SPECIFIC.get(event, {}))
    for name, (value, part) in SPECIFIC.get(event, {}).items():
        shown = answer(event, {"hookSpecificOutput": {name: value}}).as_json()
        for key in part.split("."):
            shown = shown[key]
        merged: Any = value
        if name in ("tool_input", "llm_request"):
            merged = {**FIELDS[event][name], **value}
        assert shown == merged


def test_modes_of_tool_selection() -> None:
    modes = re.findall(r'"([A-Z]+)', bullets("BeforeToolSelection", "Relevant Output Fields").split("\n    -")[0])
    assert modes == ["AUTO", "ANY", "NONE"]
    for mode in modes:
        verdict = answer("BeforeToolSelection", {"hookSpecificOutput": {"toolConfig": {"mode": mode}}})
        assert verdict.effects["tool_config"]["mode"] == mode


def test_the_stable_model_api() -> None:
    from pyshellhooks.dialects.gemini import schema

    request, response = block("**LLMRequest**:"), block("**LLMResponse**:")
    assert set(re.findall(r'^"(\w+)": ', request, re.MULTILINE)) == (
        set(schema.LLMRequest.model_fields) | set(schema.Message.model_fields)
    )
    stated = set(re.findall(r'"(\w+)": ', response))
    known = {*schema.LLMResponse.model_fields, *schema.Candidate.model_fields, *schema.Content.model_fields}
    assert stated <= known | set(schema.Usage.model_fields)
    sent = {**MODEL, "toolConfig": {"mode": "AUTO", "allowedFunctionNames": ["a"]}}
    verdict = fire("BeforeModel", "jq -c .llm_request >&2; exit 2", {"llm_request": sent})
    assert json.loads(verdict.reason) == sent
