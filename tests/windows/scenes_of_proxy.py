"""Scenes of the MCP proxy: a guard of a file server's paths, asked by a proxy in a process of its own."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from typing import IO, Any

from .running import PACKAGE
from .scenes import config, scene
from .scratch import Scratch

_SECONDS = 60.0  # for one answer
_GUARD = 'p=$(jq -r .tool_input.path); case ${p##*/} in .env) echo "no $p" >&2; exit 2 ;; esac'
#: A server that answers each call with the arguments that reached it.
_SERVER = """
import json, sys
for line in sys.stdin.buffer:
    call = json.loads(line)
    text = json.dumps(call["params"]["arguments"])
    answer = {"jsonrpc": "2.0", "id": call["id"], "result": {"content": [{"type": "text", "text": text}]}}
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\\n")
    sys.stdout.buffer.flush()
"""
_SPELLINGS = ("C:\\x", "c:\\x", "C:/x", "/c/x")


def _answers(scratch: Scratch, command: str, name: str) -> dict[str, Any]:
    """Return the proxy's answer to one call of ``write_file``, and its status after the end of its input."""
    settings, server = scratch.project / "settings.json", scratch.project / "server.py"
    settings.write_text(json.dumps(config(command)), encoding="utf-8", newline="\n")
    server.write_text(_SERVER, encoding="utf-8", newline="\n")
    words = [
        "-m",
        "pyshellhooks",
        "mcp-proxy",
        "--name",
        "files",
        "--config",
        str(settings),
        "--dialect",
        "claude_code",
    ]
    process = subprocess.Popen(
        [sys.executable, *words, "--", sys.executable, str(server)],
        cwd=scratch.project,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        lines: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=_read, args=(process.stdout, lines), daemon=True).start()
        arguments = {"path": scratch.path(f"project/{name}"), "content": "x"}
        call = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "write_file", "arguments": arguments},
        }
        process.stdin.write(json.dumps(call).encode() + b"\n")
        process.stdin.flush()
        try:
            answer = json.loads(lines.get(timeout=_SECONDS))
            process.stdin.close()
            return {"answer": _reached(scratch, answer), "status": process.wait(_SECONDS)}
        finally:
            process.kill()


def _read(stream: IO[bytes], lines: queue.Queue[bytes]) -> None:
    for line in stream:
        lines.put(line)


def _reached(scratch: Scratch, answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer in which the arguments that reached the server are read: a path in the caller's form is the right one."""
    for block in answer.get("result", {}).get("content", ()):
        if block["text"].startswith("{"):
            block["text"] = scratch.told_back(json.loads(block["text"]))
    return answer


@scene("mcp_proxy", *_SPELLINGS)
def _proxy_denies(scratch: Scratch) -> dict[str, Any]:
    return _answers(scratch, _GUARD, ".env")


@scene("mcp_proxy", *_SPELLINGS)
def _proxy_passes(scratch: Scratch) -> dict[str, Any]:
    return _answers(scratch, _GUARD, "a.py")


@scene("mcp_proxy", *_SPELLINGS)
def _proxy_rewrites(scratch: Scratch) -> dict[str, Any]:
    new = '.tool_input | .path = (.path | sub("a.py$"; "b.py"))'
    output = f'{{hookSpecificOutput: {{hookEventName: "PreToolUse", updatedInput: ({new})}}}}'
    return _answers(scratch, f"jq -c '{output}'", "a.py")
