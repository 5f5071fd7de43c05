"""An event of a system as the matrix needs it, and the words of denies that several systems have."""

from __future__ import annotations

import json
from typing import Any

BAD, GOOD = "rm -rf /srv", "ls /srv"
TEXT = "@TEXT@"  # where the bad or the good text stands in a call


class Event:
    """An event that can be denied: what a call of it looks like, and how a guard of it says no."""

    def __init__(
        self,
        native: str,
        guards: str,
        look: str,
        answer: Any,
        *,
        tool: str = "",
        bad: str = BAD,
        good: str = GOOD,
        otherwise: str = "",
        **call: Any,
    ) -> None:
        self.system = ""
        self.native = native
        self.guards = guards  # what a deny holds back: call, prompt, result, act, stop
        self.look = look  # where in the payload the text stands, for jq
        self.answer = answer  # the JSON of a deny, or the exit status of one
        self.tool = tool  # the name that a matcher is written for
        self.bad, self.good = bad, good
        self.otherwise = otherwise  # what a hook must print to let it pass
        self.call = {**({"tool_name": tool} if tool else {}), **call}

    @property
    def name(self) -> str:
        return f"{self.system}/{self.native}"

    @property
    def mark(self) -> str:
        """What the guard looks for."""
        return "rm -rf" if self.bad == BAD else self.bad

    @property
    def field(self) -> str:
        """The field of the call that holds the text."""
        return next(key for key, value in self.call.items() if TEXT in json.dumps(value))

    def fields(self, text: str) -> dict[str, Any]:
        """Return the call with a text in its place."""
        return {key: _filled(value, text) for key, value in self.call.items()}


def _filled(value: Any, text: str) -> Any:
    if isinstance(value, dict):
        return {key: _filled(item, text) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, text) for item in value]
    return text if value == TEXT else value


DENY = {"decision": "deny", "reason": "no"}
BLOCK = {"decision": "block", "reason": "no"}
NESTED = {"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "no"}}
HALT = {"continue": False, "stopReason": "no"}
PERMISSION = {"permission": "deny", "agent_message": "no"}
FOLLOW_UP = {"followup_message": "go on"}


def specific(event: str, **fields: Any) -> dict[str, Any]:
    """Write Claude Code's form."""
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


COMMAND = {"command": TEXT}
TOOL_LOOK = ".tool_input.command"
NO = {"behavior": "deny", "message": "no"}
PRE = {"permissionDecision": "deny", "permissionDecisionReason": "no"}
TASK = {"task_id": "1", "task_subject": TEXT, "team_name": "t"}
MESSAGES = {"model": "m", "messages": [{"role": "user", "content": TEXT}], "config": {}}
REPLY = {"candidates": [{"content": {"role": "model", "parts": [TEXT]}}]}
SUBAGENT = {"subagent_type": "explore", "status": "completed", "summary": TEXT}
READ = {"file_path": "/srv/notes.txt", "content": TEXT}
