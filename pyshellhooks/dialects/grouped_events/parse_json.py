"""Reader of an answer in JSON: the universal fields, and those that its event honours (claude_code 6)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...hooks.failure_notices import failing
from ...hooks.model import Decision, HookEvent, HookOutcome
from ...hooks.output import Block, WrongType, foreign_key_notices, spelled, typed
from ...hooks.suggest import did_you_mean
from ...hooks.tools import mcp_parts
from ...jsontext.compact import JSON, dumps
from ...notice import STRICT, Notice
from ...text import lines
from .blocks import DEFAULT_REASON, apply_block
from .form import AnswerForm
from .rows import OutputRules, output_rules_of

_PERMISSIONS = {"allow": Decision.ALLOW, "ask": Decision.ASK, "deny": Decision.DENY, "defer": Decision.DENY}
_ACTIONS = ("accept", "decline", "cancel")
_TEXTS = ("permissionDecisionReason", "reason", "stopReason", "systemMessage")
_TERMINAL = re.compile(r"(?>\x07|\x1b\](?:0|1|2|9|99|777);[^\x00-\x1f\x7f-\x9f]*+(?:\x07|\x1b\\)){1,1000}+")


class Reader:
    """Reader of one answer object. Raises ``WrongType`` if the system's own decoder would refuse it."""

    __slots__ = ("output_rules", "by_schema", "event", "form", "native", "only_stops", "outcome", "text", "value")

    def __init__(
        self, value: Mapping[str, JSON], text: str, event: HookEvent, form: AnswerForm, by_schema: bool = False
    ) -> None:
        self.value = value
        self.form = form
        self.by_schema = by_schema  # an answer that the program's schema refuses has no effect
        self.text = text
        self.event = event
        self.native = event.row.native
        self.output_rules = output_rules_of(event.row)
        self.outcome = HookOutcome()
        self.only_stops = False  # it has ``continue: false`` and no deny

    def read(self) -> HookOutcome:
        """Return the outcome of the object."""
        self.decision()
        specific = typed(self.value, "hookSpecificOutput", dict, {})
        if specific:
            self.specific(specific)
        self.universal()
        top_level = self.form.top_level
        inner = [key for key in self.value if key not in top_level and key in self.form.all_fields]
        for problem in foreign_key_notices(self.value, self.form.title, [*top_level, *inner]):
            self.outcome.notices += (problem,)
            self.outcome.faults += (problem,)
        if inner:
            self.report_top_level_keys(inner)
        for key in self.value:
            if key not in top_level and key not in inner and (hint := did_you_mean(key, top_level)):
                self.notice(f"{key} is ignored at the top level", hint)
        if self.form.refuses_nulls and self.outcome.blocks:
            self._report_nulls(specific)
        return self.outcome

    def _report_nulls(self, specific: Mapping[str, JSON]) -> None:
        """Report texts that are null in an answer that blocks."""
        nulls = [key for key in _TEXTS if self.value.get(key, "") is None or specific.get(key, "") is None]
        if nulls:
            message = f"{' and '.join(nulls)} is null: {self.form.title} rejects the whole output"
            self.notice(message, "write a string, or leave it out", kind="off-in-agent")

    def notice(self, what: str, hint: str = "", fault: bool = False, kind: str = "answer-ignored") -> None:
        """Add a notice about the answer; a fault is a deny under ``strict``."""
        notice = Notice(what, kind, hint=hint, fault=STRICT if fault else None)
        self.outcome.notices += (notice,)
        if fault:
            self.outcome.faults += (notice,)

    def report_top_level_keys(self, keys: list[str]) -> None:
        """Report, in one notice, keys at the top level that belong in ``hookSpecificOutput``."""
        message = f"{' and '.join(keys)} {'are' if len(keys) > 1 else 'is'} ignored at the top level"
        hint = f'put {"them" if len(keys) > 1 else "it"} into "hookSpecificOutput": {{"hookEventName": "{self.native}", …}}'
        self.notice(message, hint, fault=self.value.get("permissionDecision") in ("deny", "ask", "defer"))

    def effect(self, name: str, value: JSON) -> None:
        """Add an effect."""
        self.outcome.effects = {**self.outcome.effects, name: value}

    def universal(self) -> None:
        """Read the fields of every event. ``continue: false`` stops everything and overrides decisions."""
        outcome, value = self.outcome, self.value
        goes_on = typed(value, "continue", bool, True)
        why = typed(value, "stopReason", str, "")
        messages = [typed(value, "systemMessage", str, "")]
        if typed(value, "suppressOutput", bool, False):
            self.effect("suppress_output", True)
        sequence = typed(value, "terminalSequence", str, "")
        if sequence and is_terminal(sequence):
            self.effect("terminal_sequence", sequence)
        elif sequence:
            self.notice("terminalSequence is ignored", "use only OSC 0, 1, 2, 9, 99, 777 and BEL")
        if not goes_on:
            self.only_stops = outcome.decision is not Decision.DENY
            outcome.halt = True
            outcome.followup = None
            outcome.effects = {key: item for key, item in outcome.effects.items() if key != "defer"}
            outcome.reason = outcome.reason if outcome.decision is Decision.DENY and outcome.reason else why
            if "deny" in self.event.row.can:
                outcome.decision = Decision.DENY
            messages.append(why)
        outcome.user_message = lines(outcome.user_message, *messages)

    def decision(self) -> None:
        """Read the legacy ``decision`` at the top level and apply its effect on this event."""
        word = typed(self.value, "decision", str, "")
        reason = typed(self.value, "reason", str, "")
        if not word:
            return
        if word not in ("approve", "block"):
            raise WrongType(f'decision must be "approve" or "block", not "{word[:40]}"')
        if word == "approve":
            if self.output_rules.decides == "permissionDecision" and not self.output_rules.refuses:
                self.outcome.decision = Decision.ALLOW
                self.outcome.reason = reason
        elif self.output_rules.block:
            apply_block(self.outcome, self.event, self.output_rules.block, reason or DEFAULT_REASON)
        else:
            self.notice(
                f'decision "block" is ignored on {self.native}', "block on an event that can be blocked", fault=True
            )

    def specific(self, value: Mapping[str, JSON]) -> None:
        """Read ``hookSpecificOutput``: the keys that this event honours."""
        name = typed(value, "hookEventName", str, "")
        if name != self.native and name not in self.output_rules.refuses:
            self.read_answer_of_other_event(value, name)
            return
        if self.output_rules.refuses:
            self.refusal(value)
            return
        honoured = self.output_rules.fields
        self._report_ignored_keys(value)
        if "additionalContext" in honoured:
            self.context(typed(value, "additionalContext", str, ""))
        if self.output_rules.decides == "permissionDecision":
            self.permission(value)
        elif self.output_rules.decides == "decision":
            self.request(value)
        elif self.output_rules.decides == "action":
            self.elicitation(value)
        if "updatedInput" in honoured and _is_present(value, "updatedInput", dict):
            self.outcome.rewrite = spelled(self.text, "hookSpecificOutput", "updatedInput")
        self.output(value, honoured)
        for key in honoured & self.form.effects.keys():
            effect, kind = self.form.effects[key]
            if _is_present(value, key, kind):
                self.effect(effect, value[key])
        if "worktreePath" in honoured and typed(value, "worktreePath", str, ""):
            self.effect("worktree_path", value["worktreePath"])

    def _report_ignored_keys(self, value: Mapping[str, JSON]) -> None:
        """Report the keys of ``hookSpecificOutput`` that this event ignores; an ignored deny is a fault."""
        honoured = self.output_rules.fields
        for key in value:
            if key == "hookEventName" or key in honoured or value[key] is None:
                continue
            hint = did_you_mean(key, honoured)
            blocks = key == "permissionDecision" and value[key] in ("deny", "ask", "defer")
            self.notice(f"{key} is ignored on {self.native}", hint or "leave it out", fault=blocks)

    def refusal(self, value: Mapping[str, JSON]) -> None:
        """Deny a skill's command for any decision or change but an allow, in the form of one of three events."""
        word = typed(value, "permissionDecision", str, "")
        inner = typed(value, "decision", dict, {})
        behavior = typed(inner, "behavior", str, "")
        if word not in ("", *_PERMISSIONS) or behavior not in ("", "allow", "deny"):
            raise WrongType(f'unknown decision "{(word or behavior)[:40]}" (expected allow, deny, ask or defer)')
        reason = typed(value, "permissionDecisionReason", str, "") or typed(inner, "message", str, "")
        why = ""
        if "deny" in (word, behavior):
            why = reason or DEFAULT_REASON
        elif word in ("ask", "defer"):
            why = lines(reason, "a skill can't wait for an approval")
        elif _is_present(value, "updatedInput", dict) or _is_present(inner, "updatedInput", dict):
            why = "a hook rewrites the command of a skill, which can't be rewritten"
        elif typed(inner, "updatedPermissions", list, []):
            why = "a hook changes permissions, which can't be done for the command of a skill"
        if why and self.outcome.decision is not Decision.DENY:
            apply_block(self.outcome, self.event, "deny", why)
        self.outcome.halt = self.outcome.halt or typed(inner, "interrupt", bool, False)

    def read_answer_of_other_event(self, value: Mapping[str, JSON], name: str) -> None:
        """Read an answer for another event, which the program ignores. Here an ``ask`` in it still counts.

        Raises ``WrongType`` for anything else; the caller then searches it for a deny (decisions stricter).
        """
        problem = f'hookSpecificOutput is for "{name[:40]}"' if name else "hookSpecificOutput has no hookEventName"
        problem = f'{problem}: {self.form.title} ignores it; write "hookEventName": "{self.native}"'
        is_ask = self.output_rules.decides == "permissionDecision" and _word(value.get("permissionDecision")) == "ask"
        if self.by_schema or not is_ask or self.output_rules.refuses:
            raise WrongType(problem)
        self.permission({key: value[key] for key in ("permissionDecision", "permissionDecisionReason") if key in value})
        self.outcome.ended = "bad_output"
        self.outcome.notices += failing("bad_output", f"{problem}; its ask counts").notices

    def context(self, text: str) -> None:
        """Set the context; on a stop it makes the agent continue."""
        if len(text) > self.form.long_output > 0:
            message = f"additionalContext has {len(text)} characters; {self.form.title} would put it into a file"
            self.notice(message, "print less", kind="long-output")
        self.outcome.context = lines(self.outcome.context, text)  # a block may have added its reason
        if text and "followup" in self.event.row.can and self.outcome.followup is None:
            self.outcome.followup = text

    def permission(self, value: Mapping[str, JSON]) -> None:
        """Read ``permissionDecision``. A deferred call must not run now: ``defer`` ends the loop, to be resumed."""
        key = "permissionDecision"
        older = "decision" in self.output_rules.fields
        if older and value.get(key) is None:
            key = "decision"
        word = typed(value, key, str, "")
        reason = typed(value, "permissionDecisionReason", str, "")
        if older:
            reason = reason or typed(value, "reason", str, "")
        if not word:
            return
        decision = _PERMISSIONS.get(word)
        if decision is None or (word == "defer" and not self.output_rules.defers):
            raise WrongType(f'unknown {key} "{word[:40]}" (expected allow, ask, deny or defer)')
        outcome = self.outcome
        if outcome.decision is Decision.DENY and decision is not Decision.DENY:
            self.notice(f'decision "block" overrides {key} "{word}"', "use only one of them")
            return
        outcome.decision = decision
        default = {"deny": DEFAULT_REASON, "defer": "a hook has deferred the call"}.get(word, "")
        outcome.reason = reason or outcome.reason or default
        if word == "defer":
            outcome.halt = True
            self.effect("defer", True)
        elif word == "ask":
            outcome.user_message = reason

    def request(self, value: Mapping[str, JSON]) -> None:
        """Read the ``decision`` object of PermissionRequest."""
        outcome = self.outcome
        inner = typed(value, "decision", dict, {})
        behavior = typed(inner, "behavior", str, "")
        if not inner:
            return
        if behavior not in ("allow", "deny"):
            raise WrongType(f'decision.behavior must be "allow" or "deny", not "{behavior[:40]}"')
        if behavior == "deny":
            outcome.decision = Decision.DENY
            outcome.reason = typed(inner, "message", str, "") or DEFAULT_REASON
            outcome.halt = typed(inner, "interrupt", bool, False)
            return
        outcome.decision = Decision.ALLOW
        if _is_present(inner, "updatedInput", dict):
            outcome.rewrite = spelled(self.text, "hookSpecificOutput", "decision", "updatedInput")
        if typed(inner, "updatedPermissions", list, []):
            self.effect("updated_permissions", inner["updatedPermissions"])

    def elicitation(self, value: Mapping[str, JSON]) -> None:
        """Read the answer to an elicitation that a hook gives in the user's place."""
        action = typed(value, "action", str, "")
        content = typed(value, "content", dict, {})
        if not action:
            return
        if action not in _ACTIONS:
            raise WrongType(f'unknown action "{action[:40]}" (expected one of: {", ".join(_ACTIONS)})')
        self.outcome.decision = Decision.ALLOW if action == "accept" else Decision.DENY
        if action != "accept":
            self.outcome.reason = f"a hook answered with {action}"
        self.effect("elicitation", {"action": action, **({"content": content} if content else {})})

    def output(self, value: Mapping[str, JSON], honoured: frozenset[str]) -> None:
        """Read the replacement of the tool's output or of the displayed message."""
        if "updatedToolOutput" in honoured and value.get("updatedToolOutput") is not None:
            self.outcome.output = spelled(self.text, "hookSpecificOutput", "updatedToolOutput")
        if "updatedMCPToolOutput" in honoured and value.get("updatedMCPToolOutput") is not None:
            if mcp_parts(str(self.event.payload.get("tool_name", ""))):
                self.outcome.output = spelled(self.text, "hookSpecificOutput", "updatedMCPToolOutput")
            else:
                self.notice("updatedMCPToolOutput counts for MCP tools only", "take updatedToolOutput")
        if "displayContent" in honoured and typed(value, "displayContent", str, ""):
            self.outcome.output = dumps(value["displayContent"])


#: A text without any of these words, in lower case, contains no block.
HINTS = ("continue", "decision", "behavior", "action")


def blocks_in(value: Mapping[str, JSON], event: HookEvent) -> Block | None:
    """Return the block of an object on this event, or None; its other fields and their types do not matter."""
    output_rules = output_rules_of(event.row)
    specific = value.get("hookSpecificOutput")
    inner: Mapping[str, JSON] = specific if isinstance(specific, dict) else {}
    reason = _first(value.get("reason"))
    halt = value.get("continue") is False
    if halt:
        why = _first(value.get("stopReason"), value.get("reason"))
        return Block(why, halt=True, user_message=_first(value.get("stopReason")))
    if output_rules.block and _word(value.get("decision")) in ("block", "deny"):
        return Block(reason)
    if output_rules.decides == "permissionDecision" and _refuses_permission(inner, output_rules):
        return Block(_first(inner.get("permissionDecisionReason"), inner.get("reason")))
    if output_rules.decides == "decision" or output_rules.refuses:
        decision = inner.get("decision")
        if isinstance(decision, dict) and _word(decision.get("behavior")) == "deny":
            return Block(_first(decision.get("message")))
    if output_rules.decides == "action" and _word(inner.get("action")) in ("decline", "cancel"):
        return Block(f"a hook answered with {_word(inner.get('action'))}")
    return None


def _refuses_permission(inner: Mapping[str, JSON], output_rules: OutputRules) -> bool:
    """Return whether a ``hookSpecificOutput`` refuses the permission, as this event reads it."""
    word = _word(inner.get("permissionDecision"))
    if "decision" in output_rules.fields:
        word = word or _word(inner.get("decision"))
    return word in ("deny", "defer") or (word == "ask" and bool(output_rules.refuses))


def is_terminal(text: str) -> bool:
    """Return whether a text consists of permitted terminal sequences only; one match takes up to a thousand."""
    at = 0
    while at < len(text):
        match = _TERMINAL.match(text, at)
        if match is None:
            return False
        at = match.end()
    return True


def _is_present(value: Mapping[str, JSON], key: str, kind: type) -> bool:
    """Return whether a field is present, even if empty. Raises ``WrongType`` if it has another type."""
    typed(value, key, kind, None)
    return value.get(key) is not None


def _word(value: JSON) -> str:
    return value.lower() if isinstance(value, str) else ""


def _first(*values: JSON) -> str:
    return next((value for value in values if isinstance(value, str) and value), "")
