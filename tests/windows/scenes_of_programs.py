"""Scenes of the resident engine and of trust, through the functions that their commands call."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from typing import Any

from pyshellhooks.resident import client

from .running import call_main, outputs
from .scenes import call, config, scene
from .scratch import Scratch

_GUARD = 'p=$(jq -r .tool_input.file_path); case ${p##*/} in .env) echo "no $p" >&2; exit 2 ;; esac'
_SPELLINGS = ("C:\\x", "C:/x", "/c/x")


def _settings(scratch: Scratch) -> None:
    file = scratch.project / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text(json.dumps(config(_GUARD), indent=2), encoding="utf-8", newline="\n")


def _command(scratch: Scratch, *words: str) -> dict[str, Any]:
    return call_main(words, scratch)


def _answer(scratch: Scratch, payload: bytes, *words: str) -> dict[str, Any]:
    """Answer a payload as ``pyshellhooks-hook`` does where no engine runs."""
    with contextlib.chdir(scratch.project), outputs() as (stdout, stderr):
        sys.stdin = io.TextIOWrapper(io.BytesIO(payload), encoding="utf-8")
        arguments, sys.argv = sys.argv, ["pyshellhooks-hook", *words]
        try:
            status = client.main()
        finally:
            sys.argv = arguments
        return {"status": status, "stdout": stdout(), "stderr": stderr()}


def _payload(scratch: Scratch, name: str, marks: int = 0) -> bytes:
    fields = {"hook_event_name": "PreToolUse", "cwd": scratch.path("project"), **call(scratch.path(f"project/{name}"))}
    return b"\xef\xbb\xbf" * marks + json.dumps(fields).encode()


@scene("resident", *_SPELLINGS)
def _hook_denies(scratch: Scratch) -> dict[str, Any]:
    _settings(scratch)
    return _answer(scratch, _payload(scratch, ".env"), "claude_code", "--trust-project")


@scene("resident", *_SPELLINGS)
def _hook_passes(scratch: Scratch) -> dict[str, Any]:
    _settings(scratch)
    return _answer(scratch, _payload(scratch, "a.py"), "claude_code", "--trust-project")


@scene("resident")
def _hook_with_a_mark(scratch: Scratch) -> dict[str, Any]:
    _settings(scratch)
    return _answer(scratch, _payload(scratch, "a.py", marks=1), "claude_code", "--trust-project")


@scene("resident")
def _hook_with_two_marks(scratch: Scratch) -> dict[str, Any]:
    _settings(scratch)
    return _answer(scratch, _payload(scratch, "a.py", marks=2), "claude_code", "--trust-project")


@scene("resident")
def _hook_with_no_json(scratch: Scratch) -> dict[str, Any]:
    _settings(scratch)
    return _answer(scratch, b'{"hook_event_name": ', "claude_code", "--trust-project")


@scene("resident", *_SPELLINGS)
def _hook_with_config(scratch: Scratch) -> dict[str, Any]:
    _settings(scratch)
    file = scratch.path("project/.claude/settings.json")
    return _answer(scratch, _payload(scratch, ".env"), "claude_code", "--config", file)


@scene("resident")
def _install(scratch: Scratch) -> dict[str, Any]:
    _settings(scratch)
    found = _command(scratch, "serve", "--install", "claude", "--yes")
    return {**found, "settings": (scratch.project / ".claude" / "settings.json").read_text(encoding="utf-8")}


@scene("resident")
def _install_and_back(scratch: Scratch) -> dict[str, Any]:
    _settings(scratch)
    before = (scratch.project / ".claude" / "settings.json").read_bytes()
    _command(scratch, "serve", "--install", "claude", "--yes")
    found = _command(scratch, "serve", "--uninstall", "claude", "--yes")
    return {**found, "same": (scratch.project / ".claude" / "settings.json").read_bytes() == before}


@scene("resident", "C:\\x", "c:\\x", "C:/x", "/c/x")
def _trust(scratch: Scratch) -> dict[str, Any]:
    _settings(scratch)
    first = _command(scratch, "trust", scratch.path("project"), "--yes")
    return {"first": first, "second": _command(scratch, "trust", "--show")}


@scene("resident")
def _untrusted(scratch: Scratch) -> dict[str, Any]:
    _settings(scratch)
    return _answer(scratch, _payload(scratch, ".env"), "claude_code")
