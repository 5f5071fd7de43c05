"""One story for every adapter: what the hooks are, what the model does, and what a driver of an SDK must show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from pyshellhooks import HookEngine

Turn = str | Sequence[tuple[str, Mapping[str, Any]]]  # what the model says, or the calls that it makes at once


def shell(command: str, name: str = "shell") -> tuple[str, dict[str, str]]:
    """Return a call of the shell."""
    return (name, {"command": command})


def claude(event: str, command: str, matcher: str | None = None) -> dict[str, Any]:
    """Return the settings of one hook in Claude Code's form."""
    entry = {"hooks": [{"type": "command", "command": command}], **({"matcher": matcher} if matcher else {})}
    return {"hooks": {event: [entry]}}


def gemini(event: str, command: str, matcher: str = "") -> dict[str, Any]:
    """Return the settings of one hook in Gemini CLI's form, which is Claude Code's."""
    return claude(event, command, matcher)


NO_RM = claude(
    "PreToolUse", "jq -r .tool_input.command | grep -q 'rm -rf' && { echo 'rm is off' >&2; exit 2; }; exit 0", "Bash"
)
BUN = claude(
    "PreToolUse",
    """jq -c 'if (.tool_input.command | startswith("npm ")) then {hookSpecificOutput: {hookEventName: "PreToolUse",
    permissionDecision: "allow", updatedInput: {command: (.tool_input.command | sub("npm"; "bun"))}}} else empty end'""",
    "Bash",
)
ASK = claude(
    "PreToolUse",
    """echo asked >> log; jq -c 'if (.tool_input.command | startswith("git push")) then {hookSpecificOutput:
    {hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason: "push it?"}} else empty end'""",
    "Bash",
)
BEFORE = claude(
    "PreToolUse",
    """echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "said before"}}'""",
)
AFTER = claude(
    "PostToolUse",
    """echo '{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "said after"}}'""",
)
MASK = claude(
    "PostToolUse",
    """jq -c '{hookSpecificOutput: {hookEventName: "PostToolUse",
    updatedToolOutput: (.tool_response | .stdout |= gsub("s3cret"; "***"))}}'""",
    "Bash",
)
SPELL_OUT = {  # Everruns' hooks may rewrite a prompt; Claude Code's may not
    "event": "user_prompt_submit",
    "executor": {
        "type": "bash",
        "command": """jq -c '{decision: "mutate", patch: {message: (.data.message | sub("asap"; "now"))}}' \
        <<< "$EVERRUNS_HOOK_PAYLOAD_JSON" """,
    },
}
SEES = claude("PostToolUse", "jq -r '.tool_response | tostring' >> log")
HALT = claude("PreToolUse", """echo '{"continue": false, "stopReason": "enough for today"}'""")
HALT_AFTER = claude("PostToolUse", """echo '{"continue": false, "stopReason": "enough for today"}'""")
CRASH = claude("PreToolUse", "echo broken >&2; exit 1")
START = claude("SessionStart", "echo begun >> log; echo 'the house uses tabs'")
PROMPT = claude(
    "UserPromptSubmit", "grep -q hunter2 && { echo 'no secrets here' >&2; exit 2; }; echo 'the branch is main'"
)
STOP = claude(
    "Stop", "echo stop >> log; jq -e .stop_hook_active >/dev/null && exit 0; echo 'run the tests first' >&2; exit 2"
)
STOP_ALWAYS = claude("Stop", "echo 'never enough' >&2; exit 2")
SUBAGENT = claude("SubagentStop", "echo subagent >> log")
WITHHOLD = gemini("AfterTool", """echo '{"decision": "deny", "reason": "the result is secret"}'""")
ELSEWHERE = gemini("BeforeTool", "exit 2", "^execute$")  # another agent's name of a shell


def engine(cwd: Path, *configs: Mapping[str, Any], dialect: str = "claude_code", **options: Any) -> HookEngine:
    """Load hooks that run in a directory of the test's own."""
    merged: dict[str, Any] = {}
    for config in configs:
        for event, entries in config["hooks"].items():
            merged.setdefault(event, []).extend(entries)
    return HookEngine.load({"hooks": merged}, dialect, cwd=str(cwd), **options)


@dataclass
class Outcome:
    """What came of a run: the agent's last word, the results of calls as the model sees them, and open questions."""

    said: str
    results: list[tuple[str, bool]]  # text, and whether the model sees an error; in the order of the calls
    questions: list[str] = field(default_factory=list)


@dataclass
class Story:
    """A model that follows a script, and the hooks. ``tools`` are names of shells; ``boom`` raises."""

    turns: Sequence[Turn]
    engine: HookEngine
    prompt: str = "go"
    tools: Sequence[str] = ("shell",)
    kinds: Mapping[str, str] = field(default_factory=dict)
    ask: str = "deny"
    on_ask: Callable[..., Any] | None = None
    stream: bool = False
    subagent: bool = (
        False  # the first call is the subagent's: the driver names it ``explore`` and gives it ``subagent_turns``
    )
    subagent_turns: Sequence[Turn] = ()
    subagent_hooks: bool = True
    ran: list[str] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)  # one text for each request: all that the model was told


class Driver(Protocol):
    """Runs a story on an SDK."""

    marks_errors: bool  # whether the model sees that a result is an error
    subagents: bool
    argument: str  # what the subagent's tool calls its argument
    # ``rejected``: what the model sees of a call to which a person said no, where the SDK has words of its own for it
    # A driver may say too: ``shell``, what hooks are told that the shell is called, ``named``, why its tools can't be
    # named as one likes, and ``rewrites``, why a prompt can't be rewritten: then it must be blocked.

    def __init__(self, story: Story) -> None: ...

    def run(self) -> Outcome:
        """Run the agent until it is done, or has a question."""

    def resume(self, yes: bool) -> Outcome:
        """Go on after a question; all open ones get the same answer."""


def run_shell(story: Story, command: str) -> str:
    """Do what the tool does."""
    if command == "boom":
        raise ValueError("the tool broke")
    story.ran.append(command)
    return f"ran {command}"
