"""A field of an event's payload, as a row of a dialect's table has it."""

from __future__ import annotations

from ..jsontext.compact import JSON


class _Absent:
    """The default of a key that the payload has only if the caller gives it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: JSON = _Absent()


#: Kind of a field -> the exact types that are taken without a check of the value. Other kinds take all values.
EXACT_TYPES: dict[str, frozenset[type]] = {
    "string": frozenset([str]),
    "string or null": frozenset([str, type(None)]),
    "boolean": frozenset([bool]),
    "integer": frozenset([int]),
    "number": frozenset([int, float]),
    "array": frozenset([list]),
    "strings": frozenset([list]),
    "object": frozenset([dict]),
    "words": frozenset([str, list]),
    "arguments": frozenset([dict]),
    "arguments or text": frozenset([dict]),
}


class Field:
    """One key of an event's payload: its native name, its neutral name and its default.

    ``default``: ``ABSENT`` for a key that is present only if the caller gives it. ``sample``: the value that
    ``fire --sample`` shows. ``kind``: "string", "json" (the value may be JSON text), or a JSON type's name for
    documentation. ``needed``: a matcher or a guard decides by it, so a missing one is a fault, unless a field of
    ``unless`` is given. ``takes``: the kind that a caller may give, if it differs from the payload's: "any", "words"
    (a command line, or a list), "arguments" (an object, or its JSON text as a model wrote it), "arguments or text" (the
    same, but the dialect itself handles text). ``values``: the only values allowed. ``known``: the values that the
    contract lists for a field that may hold others. ``about``: a description, if the name needs one; for schemas and
    typed models.
    """

    __slots__ = (
        "about",
        "default",
        "kind",
        "known",
        "native",
        "needed",
        "neutral",
        "sample",
        "takes",
        "unless",
        "values",
    )

    def __init__(
        self,
        native: str,
        neutral: str = "",
        default: JSON = "",
        kind: str = "string",
        sample: JSON = None,
        *,
        needed: bool = False,
        unless: tuple[str, ...] = (),
        takes: str = "",
        values: tuple[str, ...] = (),
        known: tuple[str, ...] = (),
        about: str = "",
    ) -> None:
        self.native = native
        self.neutral = neutral or native
        self.default = default
        self.kind = kind
        self.sample = sample
        self.needed = needed
        self.unless = unless
        self.takes = takes or kind
        self.values = values
        self.known = known
        self.about = about
