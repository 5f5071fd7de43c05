"""What Gemini CLI's hooks are given (gemini 2)."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.dialects.gemini import Gemini
from pyshellhooks.dialects.gemini.payload import own_names, timestamp
from pyshellhooks.dialects.gemini.redaction import Redaction
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.hooks.model import HookJob


def job(event: str, fields: dict[str, Any] | str, native: str = "", **options: Any) -> HookJob:
    """Fire one hook and give what it was asked."""
    executor = RecordedExecutor()
    text = json.dumps({"hooks": {native or event: [{"hooks": [{"type": "command", "command": "x"}]}]}})
    HookEngine.load(text, "gemini", executor=executor, cwd="/w", env={"A": "1"}, **options).fire(event, fields)
    return executor.jobs[0]


def payload_of(event: str, fields: dict[str, Any] | str, native: str = "") -> dict[str, Any]:
    found = json.loads(job(event, fields, native).stdin)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("now", "text"),
    [
        (0.0, "1970-01-01T00:00:00.000Z"),
        (1767323045.6789, "2026-01-02T03:04:05.678Z"),
        (1e9, "2001-09-09T01:46:40.000Z"),
    ],
)
def test_timestamps(now: float, text: str) -> None:
    assert timestamp(now) == text


def test_the_time_is_now_unless_it_is_passed() -> None:
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", payload_of("SessionStart", {})["timestamp"])
    assert payload_of("SessionStart", {"timestamp": "then"})["timestamp"] == "then"


@pytest.mark.parametrize(
    ("fields", "response"),
    [
        ({"tool_output": "text"}, {"llmContent": "text", "returnDisplay": "text"}),
        ({"tool_output": {"llmContent": "a"}}, {"llmContent": "a"}),
        ({"tool_output": {"x": 1}}, {"llmContent": {"x": 1}, "returnDisplay": '{"x":1}'}),
        ({"tool_output": [1]}, {"llmContent": [1], "returnDisplay": "[1]"}),
        ({"tool_error": "bad"}, {"error": {"message": "bad"}}),
        (
            {"tool_output": "t", "tool_error": {"code": 1}},
            {"llmContent": "t", "returnDisplay": "t", "error": {"code": 1}},
        ),
        ({"tool_response": {"x": 1}}, {"x": 1}),
    ],
)
def test_tool_output_under_neutral_names(fields: dict[str, Any], response: Any) -> None:
    assert payload_of("AfterTool", {"tool_name": "t", **fields})["tool_response"] == response
    assert payload_of("AfterTool", json.dumps({"tool_name": "t", **fields}))["tool_response"] == response


@pytest.mark.parametrize(
    ("fields", "active"),
    [
        ({}, False),
        ({"loop_count": 0}, False),
        ({"loop_count": 2}, True),
        ({"loop_count": 2, "stop_hook_active": False}, False),
    ],
)
def test_stop_hook_active(fields: dict[str, Any], active: bool) -> None:
    assert payload_of("after_agent", fields, "AfterAgent")["stop_hook_active"] is active


def test_the_environment() -> None:
    env = job("SessionStart", {"session_id": "s", "project_dir": "/p"}).env
    assert env == {
        "A": "1",
        "GEMINI_PROJECT_DIR": "/p",
        "GEMINI_CWD": "/w",
        "GEMINI_SESSION_ID": "s",
        "CLAUDE_PROJECT_DIR": "/p",
    }


def test_a_nul_reaches_no_variable() -> None:
    assert job("SessionStart", {"session_id": "a\0b"}).env["GEMINI_SESSION_ID"] == "ab"


@pytest.mark.parametrize("event", ["AfterModel", "AfterTool", "Notification"])
def test_spread_out_json_becomes_one_line(event: str) -> None:
    spread = '{\n  "a": [ 1.50,\t2 ]\n}'
    names = ["llm_request", "llm_response", "tool_input", "tool_response", "mcp_context", "details"]
    known = {field.native for field in Gemini().events[event].fields}
    text = "{" + ", ".join(f'"{name}": {spread}' for name in names if name in known) + "}"
    stdin = job(event, text).stdin
    assert stdin.count(b"\n") == 1 and stdin.count(b'{"a":[1.50,2]}') == len(known.intersection(names))


def test_lone_surrogates_are_replaced() -> None:
    """jq refuses a text that has one, and a guard that can't read its payload guards nothing."""
    assert '"prompt":"a\N{REPLACEMENT CHARACTER}"'.encode() in job("BeforeAgent", {"prompt": "a\ud800"}).stdin


@pytest.mark.parametrize(
    ("tool", "names"),
    [
        ("Bash", ("run_shell_command",)),
        ("run_shell_command", ()),
        ("Grep", ("search_file_content", "grep_search")),
        ("mcp_git_push", ("mcp__git__push",)),
        ("mcp__git__push", ("mcp_git_push",)),
        ("unheard_of", ()),
    ],
)
def test_own_names(tool: str, names: tuple[str, ...]) -> None:
    assert own_names(tool) == names
    assert own_names("mcp__git__push", frozenset(["single_underscore_mcp"])) == ("mcp_git_push",)


# decisions tool names: the document's spelling of an MCP tool (gemini 1), the program's, and what other systems write.
CALLERS = [
    "mcp__github__create_issue",
    "mcp_github_create_issue",
    "mcp_github__create_issue",
    "mcp:github:create_issue",
]
SPELLINGS = [
    "^mcp__github__create_issue$",
    "^mcp_github_create_issue$",
    "mcp__github__.*",
    "^mcp_github_",
    "create_issue",
]


@pytest.mark.parametrize("caller", CALLERS)
@pytest.mark.parametrize(("native", "neutral"), [("BeforeTool", "before_tool"), ("AfterTool", "after_tool")])
def test_mcp_matchers_of_either_spelling_match(native: str, neutral: str, caller: str) -> None:
    call: dict[str, Any] = {"tool_name": caller, "tool_input": {"title": "x"}, "tool_output": "done"}
    given = call if native == "AfterTool" else {key: value for key, value in call.items() if key != "tool_output"}
    for edition, matcher in product(Gemini.editions, SPELLINGS):
        group = {"matcher": matcher, "hooks": [{"type": "command", "command": "x"}]}
        text = json.dumps({"hooks": {native: [group]}})
        engine = HookEngine.load(text, f"gemini@{edition}", executor=RecordedExecutor())
        asked = len(engine.fire(neutral, given).hooks)
        as_shipped = re.search(matcher, "mcp_github_create_issue") or re.search(matcher, caller)
        assert asked == (1 if edition != "shipped" or as_shipped else 0), (edition, matcher)
        # A native name is exact.
        exact = {**given, "tool_response": {"llmContent": "done"}} if native == "AfterTool" else given
        exact.pop("tool_output", None)
        assert len(engine.fire(native, exact).hooks) == (1 if re.search(matcher, caller) else 0), (edition, matcher)


def test_an_mcp_tool_is_sent_in_the_spelling_that_its_matcher_takes() -> None:
    groups = [{"matcher": matcher, "hooks": [{"type": "command", "command": matcher}]} for matcher in SPELLINGS[:2]]
    groups.append({"hooks": [{"type": "command", "command": "no matcher"}]})
    text = json.dumps({"hooks": {"BeforeTool": groups}})
    documented, shipped = CALLERS[:2]
    for caller in CALLERS:
        executor = RecordedExecutor()
        HookEngine.load(text, "gemini", executor=executor).fire("before_tool", tool_name=caller, tool_input={"n": 1.50})
        payloads = {one.command: json.loads(one.stdin) for one in executor.jobs}
        names = {command: payload["tool_name"] for command, payload in payloads.items()}
        # A hook without a matcher gets the document's name.
        assert names == {SPELLINGS[0]: documented, SPELLINGS[1]: shipped, "no matcher": documented}
        for payload in payloads.values():
            assert payload.get("host_tool_name", payload["tool_name"]) == caller and "host_tool_input" not in payload


SECRETS = [
    "-----BEGIN RSA PRIVATE KEY-----",
    "-----BEGIN CERTIFICATE-----",
    "postgres://me:pw@host/db",
    "ghp_" + "a" * 36,
    "AIza" + "a" * 35,
    "AKIA" + "A" * 16,
    "eyJhbGciOi.eyJzdWIi.sig",
    "sk_live_" + "a" * 24,
    "xoxb-1234567890",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_values_that_look_like_secrets(secret: str) -> None:
    on = Redaction(True, allowed=["MINE"])
    assert on.applied({"MINE": secret, "GEMINI_CLI_X": secret}) == {"GEMINI_CLI_X": secret}
    assert Redaction().applied({"MINE": secret}) == {"MINE": secret}


def test_redaction_in_the_order_of_its_rules() -> None:
    env = {
        "GIT_CONFIG_KEY_0": "1",
        "OWN_TOKEN": "1",
        "PATH": "1",
        "HOME": "1",
        "CLIENT_ID": "1",
        "my_auth": "1",
        "PLAIN": "1",
    }
    on = Redaction(True, allowed=["own_token", "CLIENT_ID"], blocked=["HOME", "OWN_TOKEN"])
    assert set(on.applied(env)) == {"GIT_CONFIG_KEY_0", "OWN_TOKEN", "CLIENT_ID", "PATH", "PLAIN"}
    assert set(Redaction().applied({**env, "GITHUB_SHA": "x"})) == {"GIT_CONFIG_KEY_0", "PATH", "HOME"}


def test_a_hostile_variable_takes_no_time() -> None:
    hostile = {name: text * 20_000 for name, text in (("A", "eyJ"), ("B", "://a:"), ("C", "-----BEGIN "))}
    assert set(Redaction(True).applied(hostile)) == {"A", "B", "C"}
