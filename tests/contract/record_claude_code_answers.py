"""Asks the real Claude Code what it makes of the answers that we say, and records it with the binary's version.

    pip download claude-agent-sdk --no-deps && unzip claude_agent_sdk-*.whl     # the binary lies in _bundled/
    python -m tests.contract.record_claude_code_answers claude_agent_sdk/_bundled/claude

Nothing of it needs a network: the program talks to a scripted Messages API on loopback. It is run with ``-p``, a
project's settings with one command hook that prints what ``answer`` said, and a model that wants one tool call.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from pyshellhooks import Verdict, dialects
from pyshellhooks.hooks.render import HookOutput
from tests.messages_api import call, environment, serving, text
from tests.recorded import write

FILE = Path(__file__).with_name("claude_code_answers.json")
SECRET = "the-secret-result"
CALLS: dict[str, dict[str, Any]] = {
    "Bash": {"command": "echo first >> ran; cat secret.txt", "description": "x"},
    "Read": {"file_path": "secret.txt"},
}
LONG = 1000  # characters of an answer; of a longer one the digest is recorded
SHELLS = {"stdout": "another result", "stderr": "", "interrupted": False, "isImage": False}


def _case(name: str, event: str, tool: str = "Bash", **parts: Any) -> dict[str, Any]:
    return {"name": name, "event": event, "tool": tool, "verdict": parts}


_REASON = {"reason": "because-no"}
CASES = [
    _case("nothing to say", "PreToolUse"),
    _case("allow", "PreToolUse", decision="allow", **_REASON),
    _case("deny", "PreToolUse", decision="deny", **_REASON),
    _case("deny in words that look like an answer", "PreToolUse", decision="deny", reason='{"continue":true}\nbecause-no'),
    _case("deny with half a surrogate pair and a NUL", "PreToolUse", decision="deny", reason="because-no \ud800 \0"),
    _case("deny with a very long reason", "PreToolUse", decision="deny", reason="because-no " + "x" * 100_000),
    _case("ask", "PreToolUse", decision="ask", **_REASON),
    _case("halt", "PreToolUse", halt=True, **_REASON),
    _case("deny and halt", "PreToolUse", decision="deny", halt=True, **_REASON),
    _case("defer", "PreToolUse", decision="deny", halt=True, effects={"defer": True}, **_REASON),
    _case("rewrite", "PreToolUse", updated_input_text='{"command": "echo other >> ran"}'),
    _case("rewrite, allowed", "PreToolUse", decision="allow", updated_input_text='{"command": "echo other >> ran"}'),
    _case("rewrite, to be asked", "PreToolUse", decision="ask", updated_input_text='{"command": "echo other >> ran"}'),
    _case("context before a call", "PreToolUse", context="by-the-way"),
    _case("deny after a call", "PostToolUse", decision="deny", **_REASON),
    _case("a result withheld", "PostToolUse", decision="deny", withholds=True, **_REASON),
    _case("a result withheld that is no text", "PostToolUse", "Read", decision="deny", withholds=True, **_REASON),
    _case("another result", "PostToolUse", updated_output_text=json.dumps(SHELLS)),
    _case("another result that is a text", "PostToolUse", updated_output_text='"another result"'),
    _case("another result that lacks a key", "PostToolUse", updated_output_text='{"stdout": "another result"}'),
    _case("another result in no form of a text", "PostToolUse", "Read", updated_output_text='"another result"'),
    _case("halt after a call", "PostToolUse", decision="deny", halt=True, **_REASON),
    _case("context after a call", "PostToolUse", context="by-the-way"),
    _case("deny after a batch", "PostToolBatch", decision="deny", withholds=True, **_REASON),
    _case("prompt denied", "UserPromptSubmit", decision="deny", **_REASON),
    _case("prompt to be asked", "UserPromptSubmit", decision="ask", **_REASON),
    _case("prompt rewritten", "UserPromptSubmit", updated_input_text='"another prompt"'),
    _case("prompt halted", "UserPromptSubmit", halt=True, **_REASON),
    _case("context of a prompt", "UserPromptSubmit", context="by-the-way"),
    _case("context of a session", "SessionStart", context="by-the-way"),
    _case("stop refused", "Stop", followup="because-no"),
    _case("stop refused, and halted", "Stop", followup="because-no", halt=True, reason="enough"),
    _case("context on a stop", "Stop", context="by-the-way"),
]  # fmt: skip
#: Answers that are not ours: what they show is why ours are as they are.
RAW = {
    "halt alone": ("PreToolUse", HookOutput('{"continue": false, "stopReason": "because-no"}')),
    "a result of another form": (
        "PostToolUse",
        HookOutput('{"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": "another result"}}'),
    ),
    "a result that lacks keys": (
        "PostToolUse",
        HookOutput(
            '{"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput":'
            ' {"stdout": "another result", "stderr": ""}}}'
        ),
    ),
    "context on a stop": (
        "Stop",
        HookOutput('{"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": "by-the-way"}}'),
    ),
}


def run_program(binary: str, event: str, tool: str, said: HookOutput) -> tuple[dict[str, Any], str]:
    """Run the program once with a hook that answers so: what it did, and what the hook was given."""
    left = [call("toolu_1", tool, CALLS[tool])]
    with (
        serving(lambda body: [left.pop() if left else text("done")]) as server,
        tempfile.TemporaryDirectory() as home,
    ):
        project = Path(home, "project")
        (project / ".claude").mkdir(parents=True)
        (project / "secret.txt").write_text(SECRET)
        Path(home, "out").write_bytes(said.stdout.encode())
        Path(home, "err").write_bytes(said.stderr.encode())
        once = f"[ -e '{home}/in' ] && exit 0; " if event == "Stop" else ""
        command = f"{once}cat > '{home}/in'; cat '{home}/out'; cat '{home}/err' >&2; exit {said.exit_code}"
        hooks = {event: [{"hooks": [{"type": "command", "command": command}]}]}
        (project / ".claude" / "settings.json").write_text(json.dumps({"hooks": hooks}))
        done = subprocess.run(
            [binary, "-p", "go", "--model", "claude-sonnet-4-5", "--output-format", "json", "--max-turns", "8"]
            + ["--permission-mode", "bypassPermissions", "--setting-sources", "project"],
            cwd=project,
            env=environment(home, server.server_port),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
            check=False,
        )
        ran = project / "ran"
        told = Path(home, "in").read_text(encoding="utf-8").replace(home, "/home/me")
        return _seen(server.asked, ran.read_text().split() if ran.exists() else [], done), told


def _seen(
    asked: list[list[dict[str, Any]]], ran: list[str], done: subprocess.CompletedProcess[bytes]
) -> dict[str, Any]:
    """Return what can be seen from outside: what ran, how often the model was asked, and what it was told."""
    payload = json.dumps(asked[1:] or asked, ensure_ascii=False)
    words = ("because-no", "by-the-way", "another result", SECRET, '"is_error": true', "another prompt")
    return {
        "ran": ran,
        "asked": len(asked),
        "told": [word.replace('"', "") for word in words if word in payload],
        "shown": "because-no" in done.stdout.decode("utf-8", "replace"),
    }


def record(binary: str) -> dict[str, Any]:
    """Ask about every case."""
    version = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    rows = []
    responses: dict[str, Any] = {}
    payloads: dict[str, str] = {}
    dialect = dialects.get("claude_code")
    for tool in CALLS:  # what a hook is told of a result says which form it has
        _, told = run_program(binary, "PostToolUse", tool, HookOutput())
        responses[tool] = json.loads(told)
        payloads[f"PostToolUse {tool}"] = told
    for case in CASES:
        event, tool = case["event"], case["tool"]
        fields = responses[tool] if event == "PostToolUse" else {"tool_name": tool, "tool_input": CALLS[tool]}
        answer = dialect.answer(event, Verdict(event, **case["verdict"]), fields)
        seen, told = run_program(binary, event, tool, answer)
        payloads.setdefault(event, told)
        rows.append({"name": case["name"], "fields": fields, "said": shown(answer), "seen": seen})
        print(f"{case['name']}: {seen}", file=sys.stderr)
    raw = {name: run_program(binary, event, "Bash", answer)[0] for name, (event, answer) in RAW.items()}
    return {"rows": rows, "version": version, "raw": raw, "payloads": payloads}


def shown(said: HookOutput) -> dict[str, Any]:
    """Return an answer as it is recorded."""
    text = said.stdout if len(said.stdout) <= LONG else hashlib.sha256(said.stdout.encode()).hexdigest()
    return {"stdout": text, "exit_code": said.exit_code, "stderr": said.stderr}


if __name__ == "__main__":
    found = record(os.path.abspath(sys.argv[1]))
    write(FILE, **found)
    print(f"{len(found['rows'])} answers, {found['version']}, in {FILE}")
