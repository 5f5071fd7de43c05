"""The words of a system's answers, as data: its keys, its effects, and its name for messages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ...hooks.dialect import EventSpec
from .rows import output_rules_of


class AnswerForm:
    """The keys of a system's answers.

    ``universal``: the keys that every event honours. ``others``: further keys at the top level that are known.
    ``effects``: key of ``hookSpecificOutput`` -> the effect in the verdict, and its JSON type. ``long_output``: the
    characters of a context that the model sees; the program puts more into a file. ``allows_rewrites``: a rewrite needs
    an allow beside it, and an allow has no other meaning. ``refuses_nulls``: null for a text makes the answer invalid.
    ``fewer``: event -> the universal keys that count there, if not all do. ``halts``: the events on which the program
    reads no other refusal than ``continue: false``. ``default_reason``: the reason of exit status 2 without a message
    on stderr, in which ``{}`` is the event; ``""``: the program does not block without a message.
    """

    __slots__ = (
        "all_fields",
        "allows_rewrites",
        "default_reason",
        "effects",
        "fewer",
        "halts",
        "long_output",
        "refuses_nulls",
        "title",
        "top_level",
        "universal",
    )

    def __init__(
        self,
        title: str,
        rows: Iterable[EventSpec],
        *,
        universal: tuple[str, ...],
        others: tuple[str, ...] = (),
        effects: Mapping[str, tuple[str, type]] | None = None,
        long_output: int = 0,
        allows_rewrites: bool = False,
        refuses_nulls: bool = False,
        fewer: Mapping[str, Collection[str]] | None = None,
        halts: Collection[str] = (),
        default_reason: str = "",
    ) -> None:
        self.title = title
        self.universal = universal
        # A dict's keys have a fixed order, for messages.
        keys = [*universal, "decision", "reason", "hookSpecificOutput", *others]
        self.top_level: Collection[str] = dict.fromkeys(keys).keys()
        self.effects = effects or {}
        self.long_output = long_output
        self.allows_rewrites = allows_rewrites
        self.refuses_nulls = refuses_nulls
        self.fewer = fewer or {}
        self.halts = frozenset(halts)
        self.default_reason = default_reason
        fields = [name for row in rows for name in output_rules_of(row).fields]
        self.all_fields = frozenset([*fields, "hookEventName"])

    def honoured(self, native: str) -> Collection[str]:
        """Return the universal keys that count on an event."""
        return self.fewer.get(native, self.universal)
