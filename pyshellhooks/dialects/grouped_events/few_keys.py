"""Answers of few keys, by a table: a deny with its reason, a context, and a message for the person.

Systems of this form have Claude Code's events and groups, or its exit status 2, and read only some of its keys. A block
in the words of another system counts here with a notice; under ``invalid_answers_pass`` it is lost as in the agent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

from ...hooks.dialect import EventSpec
from ...hooks.failure_notices import failing, strict_fault
from ...hooks.model import HookOutcome
from ...hooks.output import Block, foreign_key_notices
from ...jsontext.compact import JSON, JsonText
from ...notice import Notice
from .blocks import apply_block
from .form import AnswerForm
from .rows import output_rules_of
from .run_reader import INVALID_ANSWERS_PASS, RunReader, lost

if TYPE_CHECKING:
    from ...hooks.render import HookOutput, Rendering

Path = tuple[str, ...]
_BLOCKS = ("block", "deny")
#: A text without any of these words, in lower case, contains no block.
_HINTS = ("continue", "decision", "permission", "behavior")


class FewKeys(AnswerForm):
    """The keys of a system's answers, each as a path; ``()`` if the system has no such key.

    ``decision``: the key whose word ``deny`` blocks. ``default_reason``: the reason of a block without one, in which
    ``{}`` is the event. ``others``: further keys at the top level that the system reads.
    """

    __slots__ = ("context", "decision", "message", "reason", "rewrite")

    def __init__(
        self,
        title: str,
        rows: Iterable[EventSpec],
        *,
        decision: Path,
        reason: Path,
        context: Path = (),
        message: Path = (),
        rewrite: Path = (),
        others: tuple[str, ...] = (),
        default_reason: str = "Blocked by hook",
    ) -> None:
        super().__init__(title, rows, universal=(), others=others, default_reason=default_reason)
        self.decision = decision
        self.reason = reason
        self.context = context
        self.message = message
        self.rewrite = rewrite
        paths = [path for path in (decision, reason, context, message, rewrite) if path]
        self.top_level = dict.fromkeys([*[path[0] for path in paths], *others]).keys()


def at(value: JSON, path: Path) -> JSON:
    """Return the value at a path; None if there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if path else None


def text_at(value: JSON, path: Path) -> str:
    """Return the text at a path; ``""`` for anything else."""
    found = at(value, path)
    return found if isinstance(found, str) else ""


def wrong_type(value: JSON, path: Path) -> str:
    """Return why there can be no text at a path, such as a list in its place; ``""`` if there can be one."""
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
        if value is not None and not isinstance(value, str if key == path[-1] else Mapping):
            return f"{key} is not {'a string' if key == path[-1] else 'an object'}"
    return ""


def foreign_block(value: Mapping[str, JSON]) -> Block | None:
    """Return the block of an object in the words of any system of this form, or None."""
    specific = value.get("hookSpecificOutput")
    inner: Mapping[str, JSON] = specific if isinstance(specific, Mapping) else {}
    request = inner.get("decision")
    words = [one.get(key) for one in (value, inner) for key in ("decision", "permissionDecision", "permission")]
    words += [request.get("behavior")] if isinstance(request, Mapping) else []
    halts = value.get("continue") is False
    if not halts and not any(isinstance(word, str) and word.lower() in _BLOCKS for word in words):
        return None
    texts = [value.get("stopReason")] if halts else []
    texts += [value.get("reason"), inner.get("permissionDecisionReason"), inner.get("reason")]
    return Block(next((text for text in texts if isinstance(text, str) and text), ""))


class FewKeysReader(RunReader):
    """Reader of one run. A subclass has the system's keys."""

    __slots__ = ()

    form: ClassVar[FewKeys]

    def denies(self, value: Mapping[str, JSON]) -> bool:
        """Return whether an answer blocks in the system's own words."""
        return text_at(value, self.form.decision) == "deny"

    def object(self, value: Mapping[str, JSON]) -> HookOutcome:
        """Read one JSON object."""
        outcome = HookOutcome()
        block = foreign_block(value)
        if self.denies(value):
            self.apply(outcome, text_at(value, self.form.reason))
        elif block is not None:
            outcome = self.foreign(block)
        elif problem := wrong_type(value, self.form.decision):
            outcome = failing("bad_output", problem)
        else:
            problems = foreign_key_notices(value, self.form.title, self.form.top_level)
            outcome.notices, outcome.faults = problems, problems
        if "context" in self.event.row.can or "followup" in self.event.row.can:
            outcome.context = text_at(value, self.form.context)
        outcome.user_message = text_at(value, self.form.message)
        return outcome

    def apply(self, outcome: HookOutcome, reason: str) -> None:
        """Apply a block; on an event that can't be blocked it is a notice."""
        effect = output_rules_of(self.event.row).block
        if effect:
            apply_block(outcome, self.event, effect, reason or self.default_reason)
            return
        native = self.event.row.native
        notice = strict_fault(f"a deny is ignored on {native}", hint="block on an event that can be blocked")
        outcome.notices += (notice,)
        outcome.faults += (notice,)

    def foreign(self, block: Block) -> HookOutcome:
        """Return the outcome of a block in the words of another system, which the agent does not read."""
        problem = f'a block without "{".".join(self.form.decision)}": "deny"'
        if INVALID_ANSWERS_PASS in self.quirks:
            return lost(problem)
        outcome = HookOutcome()
        hint = f"write {self.example}"
        outcome.notices = (Notice(f"{problem}: {self.form.title} goes on", "off-in-agent", hint=hint),)
        self.apply(outcome, block.reason)
        return outcome

    @property
    def example(self) -> str:
        """A deny in the system's own words, for hints."""
        text = '"deny"'
        for key in reversed(self.form.decision):
            text = f'{{"{key}": {text}}}'
        return text

    def block(self) -> Block | None:
        """Return the block in an output that the agent can't read, or None."""
        return self.find_block(foreign_block, _HINTS) if output_rules_of(self.event.row).block else None


def render(rendering: Rendering, form: FewKeys) -> HookOutput:
    """Render a verdict with the keys of a system."""
    from ...hooks.render import MESSAGE, WITHHOLD

    can = set(rendering.row.can)
    if rendering.row.guards == "result" and "deny" in can:
        can.add(WITHHOLD)
    if form.message and "context" not in can:
        can.add(MESSAGE)
    rendering.fit(can)
    answer: dict[str, JSON] = {}
    if rendering.denied or rendering.followup is not None:
        if rendering.context:
            rendering.note("a context beside a block", "it is omitted")
            rendering.context = ""
        _put(answer, form.decision, "deny")
        _put(answer, form.reason, rendering.followup or rendering.block_reason)
    if rendering.rewrite is not None:
        _put(answer, form.rewrite, JsonText(rendering.rewrite))
    if rendering.context:
        _put(answer, form.context, rendering.context)
    if rendering.user_message:
        _put(answer, form.message, rendering.user_message)
    return rendering.json_output(answer)


def _put(answer: dict[str, JSON], path: Path, value: JSON) -> None:
    """Set the value at a path of an answer."""
    *outer, last = path
    for key in outer:
        answer = answer.setdefault(key, {})
    answer[last] = value
