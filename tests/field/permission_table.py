"""The rows of ``permissions_claude_code.toml``: settings with permission rules, and calls that an agent makes one by one.

A row is a table ``[name]``. Its keys:

``permissions`` the key of the project's settings; ``user`` and ``local`` hold it in the settings of the user and of the
                person's own copy. ``text`` instead of it: the text of the project's settings
``trusted``     the person has accepted the project
``hook``        what a hook of PreToolUse answers to every call: the name of an answer of ``HOOKS``
``mode``        the mode with which the agent starts (``--permission-mode``)
``calls``       the calls: a text is a command of its shell, a table has the ``tool`` and its ``input``
``ours``        ``calls``: the decision of ours on each call where it differs, and ``because``: the reason

The agent asks a hook of PermissionRequest, which grants everything, so that each call has one of three outcomes: it
ran ("allow"), it ran because the hook was asked ("ask"), or it did not run ("deny").
"""

from __future__ import annotations

import hashlib
import json
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent
TABLE = FOLDER / "permissions_claude_code.toml"
ANSWERS = FOLDER / "permissions_claude_code.json"
KEYS = frozenset(["permissions", "user", "local", "text", "trusted", "hook", "mode", "calls", "ours"])
_NO_SETUP = frozenset(["ours"])
#: What the hook of PermissionRequest prints: it grants.
GRANT = {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}}


def _decided(decision: str, **other: Any) -> str:
    answer = {
        "hookEventName": "PreToolUse",
        "permissionDecision": decision,
        "permissionDecisionReason": "HOOK",
        **other,
    }
    return "printf '%s\\n' " + shlex.quote(json.dumps({"hookSpecificOutput": answer}))


#: The name of a hook -> its command.
HOOKS = {
    "silent": "exit 0",
    "allow": _decided("allow"),
    "ask": _decided("ask"),
    "deny": _decided("deny"),
    "exit-two": "echo HOOK >&2; exit 2",
    "rewrite": "printf '%s\\n' "
    + shlex.quote(
        json.dumps(
            {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "touch changed"}}}
        )
    ),
    "allow-rewrite": _decided("allow", updatedInput={"command": "touch changed"}),
}


class Call(NamedTuple):
    """One call of the model."""

    tool: str
    input: Mapping[str, Any]


class Row(NamedTuple):
    """One session."""

    name: str
    setup: Mapping[str, Any]
    ours: Mapping[str, Any]

    def __str__(self) -> str:
        return self.name

    @property
    def calls(self) -> list[Call]:
        """Return the calls, in order."""
        return [_call(row) for row in self.setup["calls"]]

    @property
    def digest(self) -> str:
        """Return a digest of all that the agent reads: an answer that was recorded for another setup does not count."""
        text = json.dumps([self.setup, HOOKS.get(self.setup.get("hook", "")), GRANT])
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def differences(self) -> Mapping[str, str]:
        """Return the values of the calls on which ours decide in another way, and how."""
        calls: Mapping[str, str] = self.ours.get("calls", {})
        return calls

    @property
    def hook_commands(self) -> list[str]:
        """Return the commands of the hooks of PreToolUse."""
        return [HOOKS[self.setup["hook"]]] if "hook" in self.setup else []

    def write(self, root: Path) -> None:
        """Write the home and the project below ``root``, with the files that the calls read."""
        project = root / "project"
        for name in ("objects", "refs"):
            (project / ".git" / name).mkdir(parents=True)
        (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        (project / "src" / "deep").mkdir(parents=True)
        for name in ("note.txt", "secret.env", "src/a.ts", "src/deep/b.ts"):
            (project / name).write_text("old\n")
        places = {
            "permissions": project / ".claude" / "settings.json",
            "local": project / ".claude" / "settings.local.json",
            "user": root / "home" / ".claude" / "settings.json",
        }
        for key, path in places.items():
            if key in self.setup:
                _write(path, json.dumps({"permissions": self.setup[key]}))
        if self.setup.get("trusted"):
            state = {"projects": {str(project.resolve()): {"hasTrustDialogAccepted": True}}}
            _write(root / "home" / ".claude" / ".claude.json", json.dumps(state))
        if "text" in self.setup:
            _write(places["permissions"], self.setup["text"])

    def hooks(self, record: Path) -> dict[str, Any]:
        """Return the hooks of the session; those of PermissionRequest append what they read to ``record``."""
        grant = f"tr -d '\\n' >> '{record}'; echo >> '{record}'; printf '%s\\n' {shlex.quote(json.dumps(GRANT))}"
        commands = {"PermissionRequest": grant}
        if "hook" in self.setup:
            commands["PreToolUse"] = HOOKS[self.setup["hook"]]
        return {event: [{"hooks": [{"type": "command", "command": command}]}] for event, command in commands.items()}


def _call(row: Any) -> Call:
    if isinstance(row, str):
        return Call("Bash", {"command": row, "description": "work"})
    return Call(row["tool"], row["input"])


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@cache
def rows() -> Sequence[Row]:
    """Read the table."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return tuple(_row(name, row) for name, row in table.items())


def _row(name: str, row: Mapping[str, Any]) -> Row:
    if unknown := set(row) - KEYS:
        raise ValueError(f"{name}: there is no key {sorted(unknown)}")
    setup = {key: value for key, value in row.items() if key not in _NO_SETUP}
    return Row(name, setup, row.get("ours", {}))
