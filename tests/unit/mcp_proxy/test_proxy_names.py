"""What matchers call a server's tools, in the words of each system; and what the proxy is called with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine, cli
from pyshellhooks.cli.mcp_proxy import default_name

EXIT_2 = "echo no >&2; exit 2"
GROUP = [{"type": "command", "command": EXIT_2}]


def nested(event: str, matcher: str) -> dict[str, Any]:
    return {"hooks": {event: [{"matcher": matcher, "hooks": GROUP}]}}


def flat(event: str, matcher: str) -> dict[str, Any]:
    return {"version": 1, "hooks": {event: [{"matcher": matcher, "command": EXIT_2}]}}


# What a matcher of each system says for the tool read_file of the server files, by its contract; and whether it is asked.
MATCHERS = [
    ("claude_code", nested("PreToolUse", "mcp__files__read_file"), True),  # claude_code 3
    ("claude_code", nested("PreToolUse", "mcp__files__.*"), True),
    ("claude_code", nested("PreToolUse", "mcp__.*__read.*"), True),
    ("claude_code", nested("PreToolUse", "mcp__files"), False),
    ("claude_code", nested("PreToolUse", "Read"), False),
    ("gemini", nested("BeforeTool", "mcp__files__read_file"), True),  # gemini 1
    ("gemini@shipped", nested("BeforeTool", "mcp_files_read_file"), True),
    ("crush", {"hooks": {"PreToolUse": [{"matcher": "^mcp_files_read_file$", "command": EXIT_2}]}}, True),  # crush 4
    ("crush", {"hooks": {"PreToolUse": [{"matcher": "^view$", "command": EXIT_2}]}}, False),
    ("cursor", flat("beforeMCPExecution", "MCP:read_file"), True),  # cursor 2
    ("cursor", flat("beforeMCPExecution", "MCP:write_file"), False),
    ("cursor", flat("preToolUse", "MCP:read_file"), True),
    ("firebender", flat("preToolUse", "MCP"), True),  # firebender 3
    ("firebender", flat("beforeMCPExecution", "MCP:read_file"), True),
    ("firebender", flat("preToolUse", "Read"), False),
    ("gemini", nested("BeforeTool", "^mcp_files_read_file$"), True),  # gemini 1: the program's spelling
    ("gemini@document", nested("BeforeTool", "^mcp_files_"), True),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "config", "asked"), MATCHERS)
def test_matchers_match_as_in_their_agents(dialect: str, config: dict[str, Any], asked: bool) -> None:
    """The event as the proxy fires it: ``test_proxy_messages.py`` has what it sends."""
    with HookEngine.load(json.dumps(config), dialect) as engine:
        verdict = engine.fire(
            "before_tool",
            tool_name="mcp__files__read_file",
            tool_input={"path": "x"},
            tool_call_id="1",
            command="npx x",
        )
        assert verdict.decision == ("deny" if asked else "none")
        assert not verdict.notices


COMMANDS = [
    ("npx -y @modelcontextprotocol/server-filesystem /tmp", "server-filesystem"),
    ("npx -y @upstash/context7-mcp@1.2.3 --api-key x", "context7-mcp"),
    ("uvx mcp-server-git --repository .", "mcp-server-git"),
    ("uv run --with mcp server.py", "mcp"),
    ("uv tool run mcp-server-time", "mcp-server-time"),
    ("python -m mcp_server_fetch", "mcp_server_fetch"),
    ("python3 /opt/my-server.py --x", "my-server"),
    ("node dist/index.js", "index"),
    (r"C:\tools\Server.exe", "Server"),
    ("/usr/local/bin/github-mcp-server stdio", "github-mcp-server"),
    ("deno run -A main.ts", "main"),
    ("npx", "npx"),
]


@pytest.mark.parametrize(("command", "name"), COMMANDS)
def test_a_server_without_a_name_has_its_programs(command: str, name: str) -> None:
    assert default_name(command.split()) == name


def run(words: list[str], capfd: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    try:
        status = cli.main(["mcp-proxy", *words])
    except SystemExit as stop:
        status = int(stop.code or 0)
    shown = capfd.readouterr()
    return status, shown.out, shown.err


WRONG = {
    "no server": ([], "write the server after --"),
    "nothing behind --": (["--"], "write the server after --"),
    "a server before --": (["npx", "server"], "write the server after --"),
    "an odd name": (["--name", "a b", "--", "x"], "--name a b: a name has only"),
    "a name with __": (["--name", "a__b", "--", "x"], "and no __"),
    "an empty name": (["--name", "", "--", "x"], "a name has only"),
    "no name to be made": (["--", "…"], "pass --name NAME"),
    "no such directory": (["--project", "gone", "--", "x"], "gone: no such directory"),
    "no such config": (["--config", "gone.json", "--", "x"], "gone.json: error: No such file"),
    "no such kind": (["--tool", "x=shel", "--", "x"], "shel"),
    "no such program": (
        ["--name", "x", "--", "no-such-program-here"],
        "no-such-program-here: program of the server not found",
    ),
    "no such answer": (["--ask", "maybe", "--", "x"], "maybe"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_call_names_the_fix(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words, said = WRONG[case]
    status, out, err = run(words, capfd)
    assert (status, out) == (1, "") and said in err and "internal" not in err


def test_json_of_the_server_is_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Standard output is the protocol's: a word behind ``--`` asks us for nothing."""
    monkeypatch.chdir(tmp_path)
    status, out, _ = run(["--name", "x", "--", "no-such-program-here", "--json", "--help"], capfd)
    assert (status, out) == (1, "")


def test_a_dry_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crush.json").write_text(json.dumps(MATCHERS[7][1]), encoding="utf-8")
    words = ["--dry-run", "--json", "--name", "files", "--config", "crush.json", "--", "no-such-program", "--json"]
    status, out, _ = run(words, capfd)
    document = json.loads(out)
    assert (status, document["server"], document["command"]) == (0, "files", ["no-such-program", "--json"])
    assert [(row["event"], row["matcher"]) for row in document["hooks"]] == [("PreToolUse", "^mcp_files_read_file$")]
    status, out, _ = run([word for word in words if word != "--json"], capfd)
    assert status == 0 and "mcp__files__TOOL" in out and "^mcp_files_read_file$" in out


def test_untrusted_hooks_are_reported_and_are_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "crush.json").write_text(json.dumps(MATCHERS[7][1]), encoding="utf-8")
    words = ["--dry-run", "--project", str(tmp_path), "--name", "files"]
    status, out, err = run([*words, "--", "x"], capfd)
    assert status == 1 and "pyshellhooks trust" in err
    status, out, err = run([*words, "--trust-project", "--", "x"], capfd)
    assert status == 0 and "^mcp_files_read_file$" in out


@pytest.mark.parametrize(
    ("given", "value", "sent"),
    [
        ({"n": 1}, {"n": 1}, None),
        ({"n": 1}, {"n": True}, {"n": True}),  # 1 == True in Python
        ({"n": 1}, {"n": 1.0}, {"n": 1.0}),
        ({"n": False}, {"n": 0}, {"n": 0}),
        ({"n": [{"x": 1}]}, {"n": [{"x": True}]}, {"n": [{"x": True}]}),
        ({}, {"n": 1}, {"n": 1}),
    ],
)
def test_a_rewrite_of_a_type_reaches_the_server(given: Any, value: Any, sent: Any) -> None:
    calls = pytest.importorskip("pyshellhooks.mcp_proxy.calls")
    params = {"name": "x", "arguments": given}
    assert json.dumps(calls._with_arguments(params, given, value)["arguments"]) == json.dumps(sent or given)
