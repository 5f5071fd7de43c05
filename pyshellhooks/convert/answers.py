"""The answers of a hook that another system reads, and those that it loses.

Nothing here is a table of its own: one dialect renders each part of a verdict, and the other one parses the result.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from ..hooks.dialect import Dialect, EventSpec, HostContext
from ..hooks.fields import sample
from ..hooks.model import Decision, HookEvent, HookOutcome, HookRun, HookSpec
from ..hooks.render import HookOutput
from ..hooks.verdict import Verdict
from ..jsontext.compact import JSON
from .script_texts import ScriptTexts

#: The parts of a verdict whose loss weakens a guard, and the other parts; words of ``EventSpec.can``.
DECISIONS = ("deny", "ask", "halt", "rewrite", "output", "followup")
OTHER_PARTS = ("allow", "context", "env", "plugins")
#: Kinds of notices on an answer that the agent does not honour.
_NOT_HONOURED = frozenset(["off-in-agent", "bad-output", "answer-ignored", "rewrite-refused"])
_REASON = "no reason"
_NEW = "rewritten"
_EFFECTS: Mapping[str, dict[str, JSON]] = {"env": {"env": {"NAME": _NEW}}, "plugins": {"plugin_paths": [_NEW]}}
#: Values with which people write a refusal in any system, and the oldest of these forms.
_REFUSALS = ("deny", "block", "reject")
_OLD_BLOCK = '{"decision": "block", "reason": "no"}'
_HALT_STATUS = 49  # the only exit status that halts in any system


def event_of(dialect: Dialect, row: EventSpec) -> HookEvent:
    """Return an example of an event."""
    context = HostContext("/work", env={}, home="/home/user", project_dir="/work")
    dialect.prepare(context)
    return dialect.make_event(row, False, sample(row, False), context, None)


def outcome_of(dialect: Dialect, row: EventSpec, run: HookRun, spec: HookSpec | None = None) -> HookOutcome:
    """Return the outcome of a run of a hook on an example of an event; without ``spec`` of a hook without further keys."""
    return dialect.parse(run, spec or dialect.added(row.native, "true"), event_of(dialect, row))


def needs_allow(dialect: Dialect, row: EventSpec) -> bool:
    """Return whether an event has a rewrite, but none without an allow beside it."""
    if "rewrite" not in row.can:
        return False
    answer = dialect.answer(row.native, _verdict(row, "rewrite"), sample(row, False))
    run = HookRun(status=answer.exit_code, stdout=answer.stdout.encode(), stderr=answer.stderr.encode())
    return outcome_of(dialect, row, run).rewrite is None


def _verdict(row: EventSpec, part: str) -> Verdict:
    """Return a verdict that consists of one part."""
    if part in ("deny", "ask", "allow"):
        return Verdict(row.native, Decision(part), reason=_REASON)
    if part == "halt":
        return Verdict(row.native, Decision.DENY if "deny" in row.can else Decision.NONE, halt=True, reason=_REASON)
    if part == "rewrite":
        return Verdict(row.native, updated_input_text=json.dumps(_rewritten(row, row.target)))
    if part == "output":
        return Verdict(row.native, updated_output_text=json.dumps(_rewritten(row, "tool_output")))
    if part == "followup":
        return Verdict(row.native, followup=_REASON)
    if part in _EFFECTS:
        return Verdict(row.native, effects=_EFFECTS[part])
    return Verdict(row.native, context=_REASON)


def _rewritten(row: EventSpec, field: str) -> JSON:
    """Return the example's value of a field with another text in each place; for a missing one, a text."""
    value = sample(row, True).get(field)
    if not isinstance(value, dict):
        return _NEW
    return {key: _NEW if isinstance(inner, str) else inner for key, inner in value.items()}


class AnswerForms:
    """How a hook of one event writes each part of an answer, and whether an event of another system reads it.

    ``spec``: the hook of the other system, if it has keys that count for its answers.
    """

    def __init__(
        self, source: Dialect, row: EventSpec, target: Dialect, other: EventSpec, spec: HookSpec | None = None
    ) -> None:
        self.source = source
        self.row = row
        self.target = target
        self.other = other
        self.spec = spec
        self._deny = self._words("deny")

    def may(self, part: str, texts: ScriptTexts) -> bool:
        """Return whether a hook may answer with a part."""
        if part not in self.row.can:
            return False
        if not texts.whole:
            return True
        if part == "deny":
            return texts.may_exit_2 or any(map(texts.has_value, {*_REFUSALS, *self._deny[1]}))
        if part == "followup":
            return texts.may_exit_2 or any(map(texts.has_value, _REFUSALS)) or self._may_write(self._words(part), texts)
        if part == "halt" and self._halts_by_status() and texts.has_word(str(_HALT_STATUS)):
            return True
        words = self._words(part)
        return self._may_write((words[0] - self._deny[0], words[1] - self._deny[1]), texts)

    def _may_write(self, words: tuple[frozenset[str], frozenset[str]], texts: ScriptTexts) -> bool:
        """Return whether a text has the value that is the decision, or else all keys of the part."""
        keys, values = words
        if not keys and not values:  # the event has the part in a form that the renderer does not use
            return "updated" in texts.text
        if values & {"ask", "allow"} or not keys:
            return any(map(texts.has_value, values))
        return all(map(texts.has_word, keys - {"reason", "stopReason", "systemMessage", "hookEventName"}))

    def lost(self, part: str, texts: ScriptTexts) -> bool:
        """Return whether the other system loses a part that the hook may answer with, in the words of the hook."""
        if not self.may(part, texts):
            return False
        if part in ("deny", "followup"):
            return self._loses_block(part, texts)
        return part not in self.other.can or not self._reads(part)

    def _loses_block(self, part: str, texts: ScriptTexts) -> bool:
        """Return whether the other system loses a refusal, in any form in which a text may write it."""
        if texts.may_exit_2 and not self._reads_block(HookRun(status=2, stderr=b"no")):
            return True
        if texts.has_value("block") and not self._reads_block(HookRun(stdout=_OLD_BLOCK.encode())):
            return True
        keys, values = self._words(part)
        writes_it = any(map(texts.has_value, values - {"block"})) if values else any(map(texts.has_word, keys))
        return writes_it and not self._reads(part)

    def lost_behind_client(self, part: str, texts: ScriptTexts) -> str:
        """Return the effect of a part that the other system can't express, if the client renders it; ``""`` if it can.

        ``lost``: nothing of it is left. ``deny``: a stricter answer takes its place (docs/dialect-answers.md).
        """
        if not self.may(part, texts):
            return ""
        if part == "rewrite" and self.is_rewrite_without_allow_lost():
            return "deny"
        if part in self.other.can:
            return ""
        refusing = "deny" in self.other.can or "halt" in self.other.can
        if part == "deny":
            return "halt" if "halt" in self.other.can else "lost"
        if part in ("followup", *OTHER_PARTS):
            return "lost"
        return "deny" if refusing else "lost"

    def rewrite_allows(self, texts: ScriptTexts) -> bool:
        """Return whether a rewrite also allows the call in the other system, and does not in this one (Codex)."""
        if not self.may("rewrite", texts) or "rewrite" not in self.other.can:
            return False
        answer = self._answer("rewrite")
        run = HookRun(status=answer.exit_code, stdout=answer.stdout.encode(), stderr=answer.stderr.encode())
        here, there = outcome_of(self.source, self.row, run), self._outcome_there(run)
        return there.decision is Decision.ALLOW and here.decision is not Decision.ALLOW

    def is_rewrite_without_allow_lost(self) -> bool:
        """Return whether the other system needs an allow beside a rewrite, and this one does not."""
        return needs_allow(self.target, self.other) and not needs_allow(self.source, self.row)

    # -- the words of an answer ---------------------------------------------------------------------------------------

    def _answer(self, part: str) -> HookOutput:
        return self.source.answer(self.row.native, _verdict(self.row, part), self._fields())

    def _fields(self) -> Mapping[str, JSON]:
        return sample(self.row, False)

    def _words(self, part: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return the keys of a part's JSON, and its values that are words of the system."""
        try:
            root = json.loads(self._answer(part).stdout or "{}")
        except ValueError:
            return frozenset(), frozenset()
        keys, values = set[str](), set[str]()
        for key, value in _members(root):
            if value == _NEW:
                continue  # an argument of the tool
            keys.add(key)
            if isinstance(value, str) and value.isidentifier() and value != self.row.native:
                values.add(value)
        return frozenset(keys), frozenset(values)

    def _halts_by_status(self) -> bool:
        return outcome_of(self.source, self.row, HookRun(status=_HALT_STATUS, stderr=b"no")).halt

    def _outcome_there(self, run: HookRun) -> HookOutcome:
        return outcome_of(self.target, self.other, run, self.spec)

    def _reads_block(self, run: HookRun) -> bool:
        """Return whether a run blocks in the other system as it does in this one."""
        here, there = outcome_of(self.source, self.row, run), self._outcome_there(run)
        if _strength(here) and any(getattr(notice, "kind", "") in _NOT_HONOURED for notice in there.notices):
            return False
        return _strength(there) >= _strength(here)

    def _reads(self, part: str) -> bool:
        """Return whether the other system reads a part as this one writes it."""
        answer = self._answer(part)
        run = HookRun(status=answer.exit_code, stdout=answer.stdout.encode(), stderr=answer.stderr.encode())
        outcome = self._outcome_there(run)
        if any(getattr(notice, "kind", "") in _NOT_HONOURED for notice in outcome.notices):
            return False
        return _has(outcome, part)


def _strength(outcome: HookOutcome) -> int:
    """Return how much an outcome holds back: nothing, the end of a turn, or the act itself."""
    if outcome.blocks or outcome.keeps_result:
        return 2
    return 1 if outcome.followup is not None else 0


def _has(outcome: HookOutcome, part: str) -> bool:
    """Return whether an outcome has a part of a verdict."""
    if part in ("deny", "ask", "allow"):
        return outcome.decision >= Decision(part) or outcome.blocks or outcome.keeps_result
    if part == "halt":
        return outcome.halt
    if part == "rewrite":
        return outcome.rewrite is not None
    if part == "output":
        return outcome.output is not None
    if part == "followup":
        return outcome.followup is not None
    return part != "context" or bool(outcome.context)


def _members(value: JSON) -> Iterator[tuple[str, JSON]]:
    """Yield the members of an object, and of the objects in it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key, inner
            yield from _members(inner)
