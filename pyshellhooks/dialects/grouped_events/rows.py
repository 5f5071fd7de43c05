"""The columns that only events of Claude Code's form have: the parts of an answer that each event honours."""

from __future__ import annotations

from typing import Any

from ...hooks.dialect import ABSENT, EventSpec, Field
from ...jsontext.compact import JSON

#: The effect of exit status 2 on events where the program only logs that the hook failed.
LOGGED = "log"


class OutputRules:
    """The parts of an answer that one event honours, and their effects.

    ``block``: the effect of ``decision: "block"``; ``exit2``: the effect of exit status 2. Each is a name that
    ``blocks.apply_block`` takes: ``deny``, ``discard`` (deny, and the prompt is erased), ``result`` (the result stays,
    the model gets the reason), ``halt`` (the loop ends), ``followup`` (the agent continues), ``decline``, ``context``
    (the model gets the reason as context), or ``""``: no effect. ``fields``: the honoured keys of
    ``hookSpecificOutput``. ``text``: plain text on stdout is context, or an effect of that name, or ``user_message``.
    ``defers``: a call can be deferred. ``effects``: those that are not in ``tables.EFFECTS``. ``spares``: a value of
    the subject that can't be blocked. ``refuses``: further events in whose form an answer counts; anything in it but
    an allow is a deny. ``under``: a quirk, and the effect of exit status 2 under it.
    """

    __slots__ = ("block", "decides", "defers", "effects", "exit2", "fields", "refuses", "spares", "text", "under")

    def __init__(
        self,
        block: str = "",
        exit2: str = "",
        fields: str = "",
        *,
        text: str = "",
        defers: bool = False,
        effects: tuple[str, ...] = (),
        spares: str = "",
        refuses: tuple[str, ...] = (),
        under: tuple[str, str] = ("", ""),
    ) -> None:
        self.block = block
        self.exit2 = exit2
        self.fields = frozenset(fields.split())
        #: The key of ``hookSpecificOutput`` that has the decision; "" without one.
        self.decides = next((key for key in ("permissionDecision", "action", "decision") if key in self.fields), "")
        self.text = text
        self.defers = defers
        self.effects = effects
        self.spares = spares
        self.refuses = refuses
        self.under = under

    def status_2(self, quirks: frozenset[str]) -> str:
        """Return the effect of exit status 2 under these quirks."""
        quirk, instead = self.under
        return instead if quirk in quirks else self.exit2


NO_OUTPUT = OutputRules()


class GroupedEvent(EventSpec):
    """A row of the table, with the parts of an answer that the event honours."""

    __slots__ = ("output_rules",)

    def __init__(self, native: str, output_rules: OutputRules = NO_OUTPUT, **columns: Any) -> None:
        super().__init__(native, **columns)
        self.output_rules = output_rules


def output_rules_of(row: EventSpec) -> OutputRules:
    """Return the parts of an answer that an event honours."""
    return row.output_rules if isinstance(row, GroupedEvent) else NO_OUTPUT


def field(
    native: str, neutral: str = "", sample: JSON = None, kind: str = "string", default: JSON = "", **more: Any
) -> Field:
    """Make a field, whose default is an empty text."""
    return Field(native, neutral, default, kind, sample, **more)


def needed(native: str, neutral: str = "", kind: str = "string", **more: Any) -> Field:
    """Make a field on which the decision of a matcher or a guard depends."""
    return field(native, neutral, kind=kind, needed=True, takes="arguments" if kind == "json" else "", **more)


def optional(native: str, neutral: str = "", sample: JSON = None, kind: str = "string", **more: Any) -> Field:
    """Make a field whose key is absent unless the caller passes it."""
    return Field(native, neutral, ABSENT, kind, sample, **more)
