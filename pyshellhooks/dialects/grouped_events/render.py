"""Rendering of a verdict as an answer of Claude Code's form: the inverse of ``parse_json`` (claude_code 6).

Claude Code's own reaction to these answers is recorded (tests/contract/claude_code_answers.json): it runs a call
despite a mere ``continue: false``, and it drops a result that does not fit the tool's schema.
"""

from __future__ import annotations

from ...hooks.model import Decision
from ...hooks.render import MESSAGE, WITHHOLD, HookOutput, Rendering, nested, parsed, plain, same_form, text_in_form
from ...hooks.tools import mcp_parts
from ...jsontext.compact import JSON, JsonText, WireError, dumps, loads
from .blocks import is_spared
from .form import AnswerForm
from .parse_json import is_terminal
from .rows import LOGGED, OutputRules, output_rules_of

#: Key that every event honours -> the effect in the verdict.
_UNIVERSAL_EFFECTS = {"suppressOutput": "suppress_output", "terminalSequence": "terminal_sequence"}
_SHELL: dict[str, type] = {"stdout": str, "stderr": str, "interrupted": bool, "isImage": bool}


class Renderer:
    """Renderer of one verdict."""

    __slots__ = ("answer", "form", "native", "quirks", "rendering", "output_rules")

    def __init__(self, rendering: Rendering, form: AnswerForm, quirks: frozenset[str]) -> None:
        self.rendering = rendering
        self.form = form
        self.native = rendering.row.native
        self.output_rules: OutputRules = output_rules_of(rendering.row)
        self.quirks = quirks
        self.answer: dict[str, JSON] = {}

    def render(self) -> HookOutput:
        """Return the output of a hook that expresses the verdict."""
        rendering = self.rendering
        self.fit()
        if "worktreePath" in self.output_rules.fields:
            return self.worktree()
        specific: dict[str, JSON] = {}
        self.universal()
        self.decide(specific)
        if rendering.rewrite is not None and "updatedInput" in self.output_rules.fields:
            if self.form.allows_rewrites:
                specific["permissionDecision"] = Decision.ALLOW.value
            specific["updatedInput"] = JsonText(rendering.rewrite)
        if rendering.output is not None:
            self.result(specific)
        if rendering.context:
            specific["additionalContext"] = rendering.context
        for key, (effect, _) in self.form.effects.items():
            if key in self.output_rules.fields and effect in rendering.effects:
                specific[key] = rendering.effects[effect]
        if specific:
            self.answer["hookSpecificOutput"] = nested({"hookEventName": self.native, **specific})
        if self.by_status:
            return self.status_2()
        return rendering.json_output(self.answer)

    @property
    def by_status(self) -> bool:
        """Return whether JSON has no field for a block here, so that the exit status must express it."""
        rendering = self.rendering
        if rendering.halt:
            return False
        refused = rendering.denied and not self.output_rules.block and not self.output_rules.decides
        return bool(self.output_rules.exit2) and (
            refused or (rendering.followup is not None and not self.output_rules.block)
        )

    # -- fitting ------------------------------------------------------------------------------------------------------

    def fit(self) -> None:
        """Collect the parts that this event's answer can express, and fit the verdict to them."""
        rendering, output_rules, fields = self.rendering, self.output_rules, self.output_rules.fields
        can = self._usual_parts()
        # ``defer`` is not rendered: the program heeds it only with ``-p`` and beside no other call, and otherwise runs
        # the call (claude_code 6). The verdict becomes a deny that halts.
        effects = self.expressible()
        if "additionalContext" not in fields or ("followup" in can and rendering.followup is None):
            can.discard("context")  # on a stop it would make the agent continue
        if output_rules.decides == "decision" and rendering.decision is not Decision.ALLOW:
            can.discard("rewrite")  # only an allow has a field for it
        if is_spared(rendering.row, rendering.field(rendering.row.subject)):
            can.discard("deny")
        if "updatedToolOutput" in fields:
            self.fit_result(can)
        elif "displayContent" in fields and rendering.output is not None:
            if rendering.output[:1] != '"':
                rendering.note("a message that is not text", "its JSON is shown")
            rendering.output = dumps(plain(rendering.output) or " ")  # an empty text would leave the message as it was
        elif output_rules.block == "halt":
            can.add(WITHHOLD)  # a block of this event ends the loop
        elif rendering.row.guards == "result":
            self._fit_blocked_result(can)
        if output_rules.status_2(self.quirks) == LOGGED:
            can.discard("deny")
        if self.native in self.form.halts:
            self._halt_only(can)
        if rendering.effects.get("updated_permissions") and (
            rendering.decision is not Decision.ALLOW or rendering.halt
        ):
            effects.discard("updated_permissions")
        if "elicitation" in effects and not isinstance(parsed(rendering.effects.get("elicitation")), dict):
            effects.discard("elicitation")
            if rendering.decision is Decision.ALLOW:
                can.discard("allow")  # no hook provided the content to accept
        rendering.fit(can, effects)
        if output_rules.block == "halt" and rendering.denied and not rendering.halt:
            rendering.note("a deny after which the agent continues", "a block of this event ends the loop")

    def _usual_parts(self) -> set[str]:
        """Return the parts of the event's row, and the message to the person if its answer has one."""
        row = self.rendering.row
        if "systemMessage" in self.form.honoured(row.native):
            return {*row.can, MESSAGE}
        return set(row.can)

    def _halt_only(self, can: set[str]) -> None:
        """Turn a deny into a halt, where the program reads no other refusal."""
        can -= {"deny", WITHHOLD}
        if self.rendering.denied and not self.rendering.halt:
            self.rendering.note("deny", "it becomes a halt")
            self.rendering.halt = True

    def _fit_blocked_result(self, can: set[str]) -> None:
        """Fit a result that a block replaces by its reason; only that of an MCP tool can be replaced otherwise."""
        if self.output_rules.block == "deny":
            can.add(WITHHOLD)
            if not mcp_parts(str(self.rendering.field("tool_name") or "")):
                can.discard("output")

    def expressible(self) -> set[str]:
        """Return the effects that this event's answer can express, if their values have the right types."""
        rendering, output_rules = self.rendering, self.output_rules
        honoured = self.form.honoured(rendering.row.native)
        effects = {name for key, name in _UNIVERSAL_EFFECTS.items() if key in honoured}
        if not _is_sequence(rendering.effects.get("terminal_sequence")):
            effects.discard("terminal_sequence")
        effects |= set(output_rules.effects)
        for key in output_rules.fields & self.form.effects.keys():
            name, kind = self.form.effects[key]
            if isinstance(parsed(rendering.effects.get(name)), kind):
                effects.add(name)
            else:
                effects.discard(name)
        return effects

    def fit_result(self, can: set[str]) -> None:
        """Check whether the answer can replace the result, and turn a text into the form of the original result."""
        rendering = self.rendering
        original, tool = parsed(rendering.field("tool_response")), str(rendering.field("tool_name") or "")
        if rendering.withholds:
            instead = as_result(original, rendering.block_reason)
            rendering.output = None if instead is None else dumps(instead)
            if instead is not None:
                can.add(WITHHOLD)
        elif rendering.output is not None and not mcp_parts(tool) and not _fits(original, _loaded(rendering.output)):
            instead = as_result(original, plain(rendering.output))
            if instead is None:
                can.discard("output")
            else:
                rendering.output = dumps(instead)

    # -- rendering ----------------------------------------------------------------------------------------------------

    def universal(self) -> None:
        """Set the fields that every event has."""
        rendering = self.rendering
        if rendering.halt:
            self.answer["continue"] = False
            self.answer["stopReason"] = rendering.block_reason
        if rendering.user_message:
            self.answer["systemMessage"] = rendering.user_message
        if rendering.effects.get("suppress_output"):
            self.answer["suppressOutput"] = True
        if "terminal_sequence" in rendering.effects:
            self.answer["terminalSequence"] = rendering.effects["terminal_sequence"]

    def decide(self, specific: dict[str, JSON]) -> None:
        """Set the decision. A halt denies as well: with ``continue`` alone a call would run before the turn ends."""
        rendering, decision = self.rendering, self.rendering.decision
        if rendering.halt and "deny" in rendering.row.can and rendering.row.guards != "result":
            decision = Decision.DENY
        if rendering.followup is not None:
            if self.output_rules.block:
                self.answer.update(decision="block", reason=rendering.followup or rendering.block_reason)
        elif decision is Decision.NONE:
            if "elicitation" in rendering.effects:
                rendering.note("an answer to the server without a decision", "it is omitted")
        elif self.output_rules.decides == "permissionDecision":
            specific["permissionDecision"] = decision.value
            reason = rendering.block_reason if decision is Decision.DENY else rendering.reason
            if reason:
                specific["permissionDecisionReason"] = reason
        elif self.output_rules.decides == "decision":
            specific["decision"] = nested(self.request(decision))
        elif self.output_rules.decides == "action":
            specific.update(self.elicitation(decision))
        elif decision is Decision.DENY and self.output_rules.block:
            self.answer.update(decision="block", reason=rendering.block_reason)

    def request(self, decision: Decision) -> dict[str, JSON]:
        """Return the ``decision`` object of PermissionRequest."""
        rendering = self.rendering
        if decision is Decision.DENY:
            halted: dict[str, JSON] = {"interrupt": True} if rendering.halt else {}
            return {"behavior": "deny", "message": rendering.block_reason, **halted}
        decision_object: dict[str, JSON] = {"behavior": "allow"}
        if rendering.rewrite is not None:
            decision_object["updatedInput"] = JsonText(rendering.rewrite)
        if rendering.effects.get("updated_permissions"):
            decision_object["updatedPermissions"] = rendering.effects["updated_permissions"]
        return decision_object

    def elicitation(self, decision: Decision) -> dict[str, JSON]:
        """Return the answer to an elicitation: the hook's own, unless it is weaker than the decision."""
        effect = parsed(self.rendering.effects.get("elicitation"))
        answer: dict[str, JSON] = effect if isinstance(effect, dict) else {}
        if decision is Decision.DENY and answer.get("action") not in ("decline", "cancel"):
            if answer:
                self.rendering.note("an answer with a deny", "the request is declined")
            return {"action": "decline"}
        return {key: answer[key] for key in ("action", "content") if key in answer}

    def result(self, specific: dict[str, JSON]) -> None:
        """Set the replaced result, or the text to display instead."""
        output = JsonText(self.rendering.output or "null")
        if "displayContent" in self.output_rules.fields:
            specific["displayContent"] = output
        elif mcp_parts(str(self.rendering.field("tool_name") or "")):
            specific["updatedMCPToolOutput"] = output
        else:
            specific["updatedToolOutput"] = output

    def status_2(self) -> HookOutput:
        """Render a block as exit status 2 with its reason on stderr; older clients then ignore stdout."""
        rendering = self.rendering
        if self.answer and "json_on_exit_0_only" in self.quirks:
            rendering.note("other fields with a block", "it is omitted")
            self.answer = {}
        reason = rendering.followup if rendering.followup is not None else rendering.block_reason
        return rendering.json_output(self.answer, 2, reason or rendering.block_reason)

    def worktree(self) -> HookOutput:
        """Render the path of a worktree as the last line of stdout. Without a path the event fails."""
        rendering = self.rendering
        if rendering.halt:
            self.universal()
            return rendering.json_output(self.answer)
        if rendering.denied:
            if rendering.user_message or rendering.effects:
                rendering.note("other fields with a deny", "it is omitted")
            return self.status_2()
        path = rendering.effects.get("worktree_path")
        if isinstance(path, str) and path and path == path.strip() and path.isprintable() and path[0] != "{":
            if rendering.user_message or len(rendering.effects) > 1:
                rendering.note("other fields with a path", "it is omitted")
            return rendering.json_output({})._replace(stdout=path)
        rendering.note("a missing worktree path", "the worktree is not created")
        rendering.decision = Decision.DENY
        return self.status_2()


def as_result(original: JSON, text: str) -> JSON:
    """Return a text in the form of a tool's result; None if that form can't hold a text."""
    if _is_shells(original):
        return {"stdout": text, "stderr": "", "interrupted": original["interrupted"] is True, "isImage": False}
    return text_in_form(original, text)


def _fits(original: JSON, value: JSON) -> bool:
    """Return whether a result has the form of the original one; a shell's needs only the keys of ``_SHELL``."""
    if _is_shells(original) and isinstance(value, dict):
        original = {key: original[key] for key in _SHELL}
    return same_form(original, value)


def _is_shells(value: JSON) -> bool:
    return isinstance(value, dict) and all(type(value.get(key)) is kind for key, kind in _SHELL.items())


def _loaded(text: str) -> JSON:
    try:
        return loads(text)
    except WireError:
        return None


def _is_sequence(value: JSON) -> bool:
    return isinstance(value, str) and is_terminal(value)
