"""Rendering of a verdict as the answer of a hook: the rules that all systems share.

The rule (docs/dialect-answers.md): an answer is never weaker than the verdict. If a system cannot express a part of
it, the answer has the nearest part that is as strict or stricter, and a notice reports the change. An ``ask`` becomes a
deny; so does a rewrite, with the reason, and never silently the original. A halt becomes a deny. A deny becomes a halt,
or a text for the model; it is lost, with a notice, only if the system cannot refuse anything on the event.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from ..jsontext.compact import (
    JSON,
    JsonText,
    WireError,
    compact,
    document,
    dumps,
    join,
    loads,
    members,
    replace_lone_surrogates,
    validate,
)
from ..text import lines
from .aggregate import shallow_merge
from .dialect import EventSpec
from .model import Decision
from .verdict import Verdict

#: Parts of an answer beside the words of ``EventSpec.can``: a text for the person, and a flag that withholds an
#: existing result from the model.
MESSAGE, WITHHOLD = "message", "withhold"
#: Effects that replace an input of the model or of the program.
_REPLACING = frozenset(["llm_request", "llm_response", "tool_config", "tool_error"])
#: Effects that a deny or a rewrite on an event already implies; no answer has a field for them.
_IMPLIED = frozenset(["discard_prompt"])
#: The neutral names of events about an existing result.
_RESULTS = frozenset(["after_tool", "after_model"])

DENIED = "blocked by hook"
#: Levels that a rewrite or a result may have. If a system's decoder rejected the answer, the original would be used;
#: the strictest (serde_json) rejects more than 128 levels, and the answer itself has some.
DEEPEST = 100
_NESTING = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{}]')


class HookOutput(NamedTuple):
    """A verdict as a hook's output: stdout, exit status and stderr; and notices of the parts it cannot express."""

    stdout: str = ""
    exit_code: int = 0
    stderr: str = ""
    notices: tuple[str, ...] = ()


class Rendering:
    """A verdict while it becomes an answer; ``fit`` reduces it to the parts that the system can express.

    ``fields``: the fields of the event, by their native or neutral names. A system that merges a rewrite into the
    tool's input takes only the changed members, so the original input must be known.
    """

    __slots__ = (
        "context",
        "decision",
        "effects",
        "fields",
        "followup",
        "halt",
        "notices",
        "output",
        "reason",
        "rewrite",
        "row",
        "title",
        "user_message",
        "withholds",
    )

    def __init__(self, title: str, row: EventSpec, verdict: Verdict, fields: Mapping[str, JSON] | None = None) -> None:
        self.title = title
        self.row = row
        self.fields = fields or {}
        self.decision = verdict.decision
        self.halt = verdict.halt
        self.reason = verdict.reason
        self.user_message = verdict.user_message
        self.context = verdict.context
        self.rewrite = verdict.updated_input_text
        self.output = _sound(verdict.updated_output_text)
        self.followup = verdict.followup
        self.effects = {name: value for name, value in verdict.effects.items() if name not in _IMPLIED}
        self.withholds = verdict.withholds
        if self.withholds:
            self.decision = Decision.DENY
        self.notices: list[str] = []

    # -- read by the dialects -----------------------------------------------------------------------------------------

    @property
    def denied(self) -> bool:
        """Whether the act is refused."""
        return self.decision is Decision.DENY

    @property
    def blocked(self) -> bool:
        """Whether the act is refused, or the turn ends."""
        return self.halt or self.denied

    @property
    def block_reason(self) -> str:
        """The reason of a deny or halt; never blank, since a system may ignore a block without one (codex 8.4)."""
        for text in (self.reason, self.user_message):
            if text.strip():
                return text
        return DENIED

    @property
    def word(self) -> str | None:
        """The decision as a word; None for ``Decision.NONE``."""
        return None if self.decision is Decision.NONE else self.decision.value

    @property
    def why(self) -> str | None:
        """The reason of the decision; never empty for a deny."""
        if not self.word:
            return None
        if self.denied:
            return self.block_reason
        return self.reason or None

    def field(self, name: str) -> JSON:
        """Return a field by its native name, even if the event has it under its neutral name; None if it is missing."""
        if name in self.fields:
            return self.fields[name]
        field = self.row.named.get(name)
        return self.fields.get(field.neutral) if field is not None else None

    def note(self, what: str, instead: str) -> None:
        """Add a notice that the system cannot express ``what``, and what the answer does instead."""
        self.notices.append(f"{self.title} can't express {what} on {self.row.native}: {instead}")

    def refuse(self, what: str, reason: str) -> None:
        """Deny instead of a part that the system cannot express, or drop it if a turn's end cannot be denied."""
        if self.row.guards == "stop" and "deny" not in self.row.can:
            self.note(what, "it is omitted")
            if self.decision is Decision.ASK:
                self.decision = Decision.NONE
            return
        self.note(what, "the answer is a deny")
        if self.decision < Decision.ASK and not self.halt:
            self.reason = ""  # the reason of an allow
        self.decision = Decision.DENY
        self.withholds = self.withholds or bool(_RESULTS.intersection(self.row.neutral))
        self.reason = lines(self.reason, reason)

    def json_output(self, answer: Mapping[str, JSON], exit_code: int = 0, stderr: str = "") -> HookOutput:
        """Return the output: the answer as JSON on stdout, without members that are None; nothing if it is empty."""
        fields = _without_none(answer)
        text = replace_lone_surrogates(document(fields)) if fields else ""
        return HookOutput(text, exit_code, replace_lone_surrogates(stderr), tuple(self.notices))

    # -- fitting ------------------------------------------------------------------------------------------------------

    def fit(
        self, can: Collection[str], effects: Collection[str] = (), patch: Callable[[str], str | None] | None = None
    ) -> None:
        """Reduce the verdict to the parts that the system can express.

        ``can``: words of ``EventSpec.can``, ``MESSAGE`` and ``WITHHOLD``. ``effects``: the effects that the answer can
        have. ``patch`` turns the whole new input into the system's form of a rewrite; None if that is not possible.
        """
        for name in [name for name in self.effects if name not in effects]:
            self._lose_effect(name)
        if self.rewrite is not None:
            self._fit_rewrite(can, patch or whole_input)
        if self.output is not None and "output" not in can:
            self._fit_output(can)
        if self.decision is Decision.ASK and "ask" not in can:
            self.refuse("ask", "" if self.reason else "a hook wants this to be confirmed")
        if self.halt and "halt" not in can:
            self._fit_halt(can)
        if self.withholds and WITHHOLD not in can:
            self._fit_withholding(can)
        if self.denied and "deny" not in can:
            if self.withholds and WITHHOLD in can:
                self.note("deny", "its reason replaces the result")
            else:
                self._fit_deny(can)
        if self.decision is Decision.ALLOW and not self._has_place_for_allow(can):
            self.note("allow", "it is omitted, which is as strict")
            self.decision = Decision.NONE
        if self.blocked:
            self.rewrite = None
        if self.halt:
            self.followup = None
        self._fit_texts(can)

    def _has_place_for_allow(self, can: Collection[str]) -> bool:
        """Return whether the answer can express an allow: an answer with a followup can't."""
        has_followup = self.followup is not None and "followup" in can
        return "allow" in can and not has_followup

    def _lose_effect(self, name: str) -> None:
        value = self.effects.pop(name)
        if name in _REPLACING and value is not None:
            self.refuse(name, f"a hook set {name}, which {self.title} does not support")
        else:
            self.note(name, "it is omitted")

    def _fit_rewrite(self, can: Collection[str], patch: Callable[[str], str | None]) -> None:
        text = self.rewrite
        self.rewrite = None
        if text is None or self.blocked:
            return
        if "rewrite" in can:
            try:
                self.rewrite = patch(text) if _is_readable(text) else None
            except WireError:
                pass
        if self.rewrite is None:
            self.refuse("this rewrite", f"a hook changed the input in a way that {self.title} does not support")

    def _fit_output(self, can: Collection[str]) -> None:
        text, self.output = plain(self.output or "null"), None
        reason = f"a hook replaced the result, which {self.title} does not support"
        self.refuse("a replaced result", text if WITHHOLD in can else reason)

    def _fit_halt(self, can: Collection[str]) -> None:
        self.halt = False
        if "deny" in can:
            self.note("halt", "it becomes a deny")
            self.decision = Decision.DENY
        elif "followup" in can:
            self.note("halt", "the output is empty, so the agent stops")
            self.followup, self.decision = None, Decision.NONE
        else:
            self.note("halt", "the agent continues")
            is_about_result = bool(_RESULTS.intersection(self.row.neutral))
            self.decision = Decision.DENY if is_about_result else Decision.NONE
            if is_about_result and WITHHOLD in can:
                self.withholds = True

    def _fit_withholding(self, can: Collection[str]) -> None:
        if "halt" in can and not self.halt:
            self.note("a withheld result", "it becomes a halt")
            self.halt = True
        elif not self.halt:
            self.note("a withheld result", "the model sees it")

    def _fit_deny(self, can: Collection[str]) -> None:
        """Replace a deny on an event that cannot be denied."""
        self.decision = Decision.NONE
        if self.halt:
            return
        may_give_context = "halt" not in can or bool(_RESULTS.intersection(self.row.neutral))
        if "followup" in can:
            self.note("deny", "the agent continues with its reason")
            self.followup = self.followup or self.block_reason
        elif "context" in can and may_give_context:
            self.note("deny", "the model gets its reason")
            self.context = lines(self.context, self.block_reason)
        elif "halt" in can:
            self.note("deny", "it becomes a halt")
            self.halt = True
        else:
            self.note("deny", "the agent continues")

    def _fit_texts(self, can: Collection[str]) -> None:
        if self.followup is not None and "followup" not in can:
            self.note("a follow-up", "it becomes context" if "context" in can else "it is omitted")
            self.context = lines(self.context, self.followup)
            self.followup = None
            if "context" not in can:
                self.context = ""
        if self.context and "context" not in can:
            self.note("context", "it is omitted")
            self.context = ""
        if self.user_message and MESSAGE not in can:
            if self.blocked and not self.reason:
                self.reason = self.user_message
            elif self.user_message != self.reason:
                self.note("a message for the person", "it is omitted")
            self.user_message = ""
        decides = self.blocked or self.decision is not Decision.NONE
        if self.reason and not decides:
            self.note("a reason without a decision", "it is omitted")
            self.reason = ""


# -- rewrites ---------------------------------------------------------------------------------------------------------


def whole_input(text: str) -> str | None:
    """Return a whole new input, for systems that replace the old one; None if it is not an object."""
    return compact(text) if text.lstrip()[:1] == "{" else None


def changes(original: JSON, text: str) -> str | None:
    """Return the members of a new input that differ from the original's; None if one of the two is not an object."""
    before = input_text(original)
    if before is None:
        return None
    try:
        old = {key: compact(raw) for key, raw in members(before)}
        new = {key: compact(raw) for key, raw in members(text)}
    except WireError:
        return None
    return join([(key, raw) for key, raw in new.items() if old.get(key) != raw])


def as_patch(original: JSON, text: str) -> str | None:
    """Return a new input as a patch for a system that merges it into the original; None if it cannot be one.

    A merge cannot remove a key, for example.
    """
    patch, before = changes(original, text), input_text(original)
    if patch is None or before is None:
        return None
    merged, refused = shallow_merge(before, [patch])
    if merged is None:  # the patch changes nothing, or is refused
        merged = before
    if refused or _of(merged) != _of(text):
        return None
    return patch


def _of(text: str) -> dict[str, str]:
    return {key: compact(raw) for key, raw in members(text)}


def input_text(original: JSON) -> str | None:
    """Return a tool's input as JSON text; None if it is missing or not an object."""
    if isinstance(original, str):
        try:
            validate(original)
        except WireError:
            return None
        text = str.__str__(original)
    elif isinstance(original, Mapping):
        text = dumps(original)
    else:
        return None
    return text if text.lstrip()[:1] == "{" else None


# -- results ----------------------------------------------------------------------------------------------------------


def plain(text: str) -> str:
    """Return JSON text as a person would read it: a string without its quotes."""
    if text[:1] != '"':
        return text
    value = loads(text)
    return value if isinstance(value, str) else text


def nested(fields: Mapping[str, JSON]) -> JsonText:
    """Return an object inside an answer, without members that are None; its values may be ``JsonText``."""
    return JsonText(document(_without_none(fields)))


def as_json(text: str | None) -> JsonText | None:
    """Return JSON text as a value of an answer."""
    return None if text is None else JsonText(text)


def _without_none(fields: Mapping[str, JSON]) -> dict[str, JSON]:
    return {key: value for key, value in fields.items() if value is not None}


def _sound(text: str | None) -> str | None:
    """Return a result as JSON text; a text that is not JSON, or nested too deeply, as a JSON string."""
    if text is None:
        return None
    return text.strip() if _is_readable(text) else dumps(str.__str__(text))


def _is_readable(text: str) -> bool:
    """Return whether every system's decoder accepts a text: it is JSON, and at most ``DEEPEST`` levels deep."""
    try:
        validate(text)
    except WireError:
        return False
    if text.count("[") + text.count("{") <= DEEPEST:
        return True
    depth = 0
    for match in _NESTING.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match[0], 0)
        if depth > DEEPEST:
            return False
    return True


def mcp_result(text: str) -> JsonText:
    """Return a text in the form of an MCP tool's result."""
    return JsonText(document({"content": [{"type": "text", "text": text}]}))


def parsed(value: JSON) -> JSON:
    """Return a value, parsed if it is JSON text."""
    try:
        return loads(value) if isinstance(value, JsonText) else value
    except WireError:
        return value


def text_in_form(original: JSON, text: str) -> JSON:
    """Return a text in the form of a tool's result; None if the result's form is not one for text."""
    if isinstance(original, str):
        return text
    if not isinstance(original, list) or not original:
        return None
    if all(isinstance(one, dict) and one.get("type") == "text" for one in original):
        return [{"type": "text", "text": text}]
    return None


def same_form(original: JSON, value: JSON) -> bool:
    """Return whether a result has the form of another: at least its keys, values of its types, the same ``type``.

    Claude Code silently ignores a result that does not fit the tool's schema, and uses the original.
    """
    if isinstance(original, dict) and isinstance(value, dict):
        if original.get("type") != value.get("type"):
            return False
        return all(key in value and same_form(item, value[key]) for key, item in original.items())
    if isinstance(original, list) and isinstance(value, list):
        return all(any(same_form(one, item) for one in original) for item in value)
    return original is not None and _kind(original) is _kind(value)


def _kind(value: JSON) -> type:
    kind = type(value)
    return float if kind is int else kind
