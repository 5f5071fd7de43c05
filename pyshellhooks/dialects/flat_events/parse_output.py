"""The parser of a hook's output in the flat form: exit codes, answers, failures (firebender 6)."""

from __future__ import annotations

from ...hooks.failure_notices import deny_ignored, failing, status_hint
from ...hooks.model import Decision, HookEvent, HookOutcome, HookRun, HookSpec
from ...hooks.output import (
    Block,
    WrongType,
    after,
    exit_status,
    failure,
    find_block,
    read_object,
    salvaged,
    spelled,
    text_of,
    typed,
)
from ...jsontext.compact import JSON
from ...notice import STRICT, Notice
from .config import DEFAULT_LOOP_LIMIT
from .payload import Delivery
from .places import Location
from .rows import FlatEvent
from .vendor import Vendor

DENY_CODE = 2

_WORDS = {
    "allow": Decision.ALLOW,
    "approve": Decision.ALLOW,
    "ask": Decision.ASK,
    "deny": Decision.DENY,
    "block": Decision.DENY,
}
_VERBS = ("permission", "decision")
_HINTS = (*_VERBS, "continue")
#: A key of an answer -> the capability without which the event ignores it.
_NEEDS = {
    "permission": "deny",
    "decision": "deny",
    "continue": "deny",
    "updated_input": "rewrite",
    "updated_mcp_tool_output": "output",
    "followup_message": "followup",
    "additional_context": "context",
    "env": "env",
    "pluginPaths": "plugins",
}


class Reader:
    """The parser of one run."""

    __slots__ = ("_faults", "_notices", "event", "quirks", "run", "spec", "vendor")

    def __init__(
        self, run: HookRun, spec: HookSpec, event: HookEvent, vendor: Vendor, quirks: frozenset[str] = frozenset()
    ) -> None:
        self.run = run
        self.spec = spec
        self.event = event
        self.vendor = vendor
        self.quirks = quirks
        self._notices: list[Notice] = []

    @property
    def row(self) -> FlatEvent:
        """The event's row, with the columns of this form."""
        return self.vendor.events[self.event.row.native]

    @property
    def can(self) -> frozenset[str]:
        """The capabilities of the event, such as ``deny``."""
        return self.event.row.can

    def read(self) -> HookOutcome:
        """Return the outcome of the run."""
        failed = failure(self.run)
        if failed is not None:
            return failed
        if self.run.classify() == "ok":
            outcome = self.read_evaluation() if self.spec.kind == "prompt" else self.read_success()
        elif self.run.kind == "exited" and exit_status(self.run) == DENY_CODE:
            outcome = self.blocked()
        else:
            outcome = self.failed()
        outcome.notices += tuple(self._notices)
        outcome.faults += tuple([notice for notice in self._notices if notice.fault])
        return after(outcome, self.run)

    def note(self, what: str, hint: str = "", *, kind: str = "answer-ignored", fault: bool = False) -> None:
        """Add a notice to the outcome; a fault denies under ``strict``."""
        self._notices.append(Notice(what, kind, hint=hint, fault=STRICT if fault else None))

    # -- exit codes ---------------------------------------------------------------------------------------------------

    def blocked(self) -> HookOutcome:
        """Read exit status 2: a deny, whatever is on stdout."""
        stderr = text_of(self.run.stderr)
        if "deny" not in self.can:
            hint = (
                "exit with 0"
                if "followup" not in self.can
                else "exit with 0; followup_message makes the agent continue"
            )
            return failing(
                "nonzero", f"exit status 2 can't block {self.event.row.native}", kind="status-ignored", hint=hint
            )
        agent, user = "", ""
        try:
            value = read_object(text_of(self.run.stdout))
            agent, user = _message(value, "agent_message", "reason"), _message(value, "user_message")
        except WrongType:
            pass
        reason = agent or user or stderr or self.default()
        return HookOutcome("nonzero", Decision.DENY, reason=reason, user_message=user)

    def failed(self) -> HookOutcome:
        """Read any other status: the hook failed, and its stdout is ignored."""
        status = exit_status(self.run)
        others = []
        if "deny" in self.can and find_block(text_of(self.run.stdout), _block, _HINTS) is not None:
            others = [deny_ignored(f"exit status {status}")]
        message = f"exit status {status} is a failure of the hook"
        place = self.misplaced() if status in (126, 127) else ""
        if place:
            message += f"; {place}"
        hint = status_hint(self.event.row) if "deny" in self.can else "exit with 0"
        return failing("nonzero", message, *others, hint=hint)

    def misplaced(self) -> str:
        """Return a hint for a script that is not found: its path may be meant for the other file (firebender 4)."""
        place: Location | None = self.spec.extra.get("place")
        folder, users = self.vendor.folder, place is not None and place.scope == "user"
        path = next(iter(self.spec.command.split()), "").removeprefix("./").rstrip(";&|")
        if users and path.startswith(f"{folder}/"):
            hint = path.removeprefix(f"{folder}/")
            return f"paths of the user's own hooks are relative to ~/{folder}: did you mean ./{hint}?"
        if not users and path.startswith(("hooks/", "scripts/")):
            return f"paths of a project's hooks are relative to its root: did you mean {folder}/{path}?"
        return ""

    def default(self) -> str:
        """Return the default reason of a deny."""
        line = self.spec.title.strip().partition("\n")[0]
        return f"blocked by hook {line if len(line) <= 60 else line[:57] + '...'}"

    # -- answers ------------------------------------------------------------------------------------------------------

    def read_success(self) -> HookOutcome:
        """Read the stdout of a run with exit status 0."""
        text = text_of(self.run.stdout).lstrip("\ufeff")  # PowerShell writes a byte order mark
        if not text:
            return self.silent()
        try:
            value = read_object(text)
            return self.envelope(value, text)
        except WrongType as error:
            problem = str(error)
        if "deny" in self.can:
            block = find_block(text, _block, _HINTS)
            if block is not None:
                block.reason = block.reason or block.user_message
                return salvaged(block, problem, self.default())
            return self.unreadable(problem)
        return failing("bad_output", problem)

    def silent(self) -> HookOutcome:
        """Read an empty stdout: no decision, unless the host requires an answer (firebender 9.4)."""
        delivery = self.event.delivery
        strict = isinstance(delivery, Delivery) and delivery.strict_empty
        if "deny" in self.can and (strict or "unreadable_answer_blocks" in self.quirks):
            return self.unreadable("stdout is empty, but an answer is required")
        return HookOutcome()

    def unreadable(self, problem: str) -> HookOutcome:
        """Return the failure of an answer that can't be read."""
        outcome = failing("bad_output", problem)
        if "unreadable_answer_blocks" in self.quirks:
            outcome.decision, outcome.reason = Decision.DENY, problem
        return outcome

    def envelope(self, value: dict[str, JSON], text: str) -> HookOutcome:
        """Read the object. Raises ``WrongType`` if its decision can't be read."""
        self.report_ignored_parts(value)
        outcome = HookOutcome()
        outcome.user_message = self.message(value, "user_message")
        if "deny" in self.can:
            self.decide(value, outcome)
        if "rewrite" in self.can and value.get("updated_input") is not None:
            typed(value, "updated_input", dict, {})
            if not outcome.blocks:
                outcome.rewrite = spelled(text, "updated_input")
        if "output" in self.can and value.get("updated_mcp_tool_output") is not None:
            self.replace_output(value, text, outcome)
        if "context" in self.can:
            outcome.context = self.message(value, "additional_context")
        if "followup" in self.can:
            self.follow_up(self.message(value, "followup_message"), outcome)
        if "env" in self.can:
            self.variables(value, outcome)
        if "plugins" in self.can and isinstance(value.get("pluginPaths"), list):
            outcome.effects = {**outcome.effects, "plugin_paths": value["pluginPaths"]}
        return outcome

    def report_ignored_parts(self, value: dict[str, JSON]) -> None:
        """Report the parts of an answer that the event ignores, and those of other systems."""
        native = self.event.row.native
        for key, need in _NEEDS.items():
            if value.get(key) is not None and need not in self.can:
                blocks = need == "deny" and _block({key: value[key]}) is not None
                if need != "deny" or blocks:
                    self.note(f"{key} is ignored: {native} does not support it", "leave it out")
        if "hookSpecificOutput" in value:
            form = '{"permission": "deny", "agent_message": "..."}'
            self.note("hookSpecificOutput is Claude Code's and is ignored", f"write {form}", fault=True)

    def decide(self, value: dict[str, JSON], outcome: HookOutcome) -> None:
        """Read the decision, of two the stricter one, with the reason for the model and the message for the person."""
        for verb in _VERBS:
            word = typed(value, verb, str, "").strip().lower()
            if not word:
                continue
            if word not in _WORDS:
                raise WrongType(f'unknown {verb} "{word[:40]}" (expected allow, deny or ask)')
            if _WORDS[word] > outcome.decision:
                outcome.decision = _WORDS[word]
        if not typed(value, "continue", bool, True):
            outcome.decision = Decision.DENY
        if outcome.decision is Decision.ASK:
            self.limit_confirmation(outcome)
        agent, reason = self.message(value, "agent_message"), self.message(value, "reason")
        outcome.reason = agent or reason
        if outcome.blocks and not outcome.reason:
            outcome.reason = outcome.user_message or self.default()

    def limit_confirmation(self, outcome: HookOutcome) -> None:
        """Handle ``ask``: the verdict has it, even if the document does not define it for the event (decisions ask)."""
        if "ask" in self.can:
            return
        row, native = self.row, self.row.native
        if row.ask == "deny":
            self.note(f"ask is a deny for {native}", "use deny or allow")
            outcome.decision = Decision.DENY
        elif row.ask in self.quirks:
            self.note(f"ask is not enforced for {native}", "use deny or allow")
            outcome.decision = Decision.NONE
        else:
            self.note(f"ask is not documented for {native}; it counts as ask", "use deny or allow")

    def message(self, value: dict[str, JSON], key: str) -> str:
        """Read a text; report one of another type and ignore it."""
        text = value.get(key)
        if text is None or isinstance(text, str):
            return text or ""
        self.note(f"{key} is not a string; it is ignored", "give a string")
        return ""

    def replace_output(self, value: dict[str, JSON], text: str, outcome: HookOutcome) -> None:
        """Read the result that replaces the tool's: an object, for MCP tools only (firebender 5)."""
        if not isinstance(value["updated_mcp_tool_output"], dict):
            self.note("updated_mcp_tool_output is not an object; it is ignored", "give an object", fault=True)
        elif "MCP" not in self.event.subjects:
            self.note("updated_mcp_tool_output is for MCP tools only; it is ignored", "leave it out", fault=True)
        else:
            outcome.output = spelled(text, "updated_mcp_tool_output")

    def follow_up(self, message: str, outcome: HookOutcome) -> None:
        """Accept a follow-up if there were fewer than the hook's own limit (firebender 7)."""
        if not message.strip():
            return
        payload = self.event.payload
        if self.row.completed and payload.get("status") != "completed":
            self.note("the subagent did not complete; its follow-up is dropped", kind="followup-refused")
            return
        limit, count = self.spec.extra.get("loop_limit", DEFAULT_LOOP_LIMIT), payload.get("loop_count")
        if limit is not None and isinstance(count, (int, float)) and count >= limit:
            what = f"this follow-up is dropped: there were {count} before it, and loop_limit is {limit}"
            self.note(what, "raise loop_limit to let the agent continue", kind="followup-refused")
            return
        outcome.followup = message

    def variables(self, value: dict[str, JSON], outcome: HookOutcome) -> None:
        """Read variables for later hooks; report a name or value that no environment can hold, and ignore it."""
        env = value.get("env")
        if env is None:
            return
        if not isinstance(env, dict):
            self.note("env is not an object; it is ignored", "give an object of strings")
            return
        good = {name: text for name, text in env.items() if isinstance(text, str) and is_variable(name, text)}
        bad = [name for name in env if name not in good]
        if bad:
            self.note(
                f"env: invalid variables: {', '.join(name[:40] for name in bad)}", "use names and strings without NUL"
            )
        if good:
            outcome.effects = {**outcome.effects, "env": good}

    # -- prompts ------------------------------------------------------------------------------------------------------

    def read_evaluation(self) -> HookOutcome:
        """Read the answer of the host's evaluator: ``{"ok": false, "reason": "..."}`` (firebender 9.1)."""
        try:
            value = read_object(text_of(self.run.stdout))
            if not isinstance(value.get("ok"), bool):
                raise WrongType("ok is not true or false")
        except WrongType as error:
            return self.unreadable(str(error)) if "deny" in self.can else failing("bad_output", str(error))
        outcome = HookOutcome()
        if value["ok"]:
            return outcome
        reason = self.message(value, "reason").strip()
        if "deny" in self.can:
            outcome.decision = Decision.DENY
            outcome.reason = reason or self.default()
        elif "followup" in self.can:
            self.follow_up(reason, outcome)
        return outcome


def _message(value: dict[str, JSON], *keys: str) -> str:
    values = [value.get(key) for key in keys]
    return next((text.strip() for text in values if isinstance(text, str) and text.strip()), "")


def _block(value: dict[str, JSON]) -> Block | None:
    """Return the block of an object that denies, whatever its other keys; else None."""
    words = [value.get(verb) for verb in _VERBS]
    denied = any(isinstance(word, str) and word.strip().lower() in ("deny", "block") for word in words)
    if denied or value.get("continue") is False:
        return Block(_message(value, "agent_message", "reason"), user_message=_message(value, "user_message"))
    return None


def is_variable(name: str, text: str) -> bool:
    """Return whether an environment can hold a variable."""
    return bool(name) and "=" not in name and "\0" not in name and "\0" not in text
