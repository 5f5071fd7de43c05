"""Matchers of tool calls: by the tool's name, and by a value in the arguments (everruns 3)."""

from __future__ import annotations

from collections.abc import Sequence

from ...hooks.model import HookEvent, Pattern
from ...jsontext.compact import JSON, WireError, dumps, loads
from .tables import ARGUMENTS

_GLOB_MARKS = frozenset("*?[]{}")


class Unreadable(Exception):
    """The arguments cannot be parsed, so that no value can be looked up in them."""


class ToolMatcher:
    """The matcher of one hook; all given conditions must hold."""

    __slots__ = ("glob", "name", "path", "regex")

    def __init__(
        self,
        name: str | None = None,
        glob: Sequence[str] | None = None,
        path: Sequence[str] | None = None,
        regex: Pattern | None = None,
    ) -> None:
        self.name = name
        self.glob = glob
        self.path = path
        self.regex = regex  # of match_regex or deny_regex: both are the same test (everruns 3)

    def search(self, subject: str) -> bool:
        """Return whether the conditions on the tool's name hold."""
        if self.name is not None and subject != self.name:
            return False
        return self.glob is None or any(
            subject.startswith(part[:-1]) if part.endswith("*") else subject == part for part in self.glob
        )

    @property
    def fires(self) -> bool:
        """Whether the matcher can match at all: one with a regex but no path never does (everruns 3)."""
        return self.path is not None or self.regex is None

    def matches_arguments(self, event: HookEvent) -> bool:
        """Return whether the condition on the arguments holds, with the changes of earlier hooks."""
        try:
            texts = self._texts(event)
        except Unreadable:
            return True  # a guard must run if its condition can't be tested
        if self.regex is None:
            return any(texts)
        return any(map(self.regex.search, texts))

    def _texts(self, event: HookEvent) -> list[str]:
        """Return the extracted text; under a neutral event, also those under other systems' names of the argument."""
        path = self.path or ()
        arguments = parsed(event)
        values = [extract(arguments, path)]
        if event.neutral and path and isinstance(arguments, dict) and path[0] not in arguments:
            values += [
                extract(arguments, (other, *path[1:])) for other in ARGUMENTS.get(path[0], ()) if other in arguments
            ]
        return values


def parsed(event: HookEvent) -> JSON:
    """Return an event's arguments, parsed on the first call. Raises ``Unreadable``."""
    if event.delivery is None:
        try:
            event.delivery = (loads(event.payload["arguments"]),)
        except WireError as error:
            raise Unreadable from error
    return event.delivery[0]


def path_of(text: str) -> tuple[str, ...]:
    """Parse ``$.a.b``: object keys only; empty ones are skipped."""
    return tuple(key for key in text.removeprefix("$.").split(".") if key)


def extract(value: JSON, path: Sequence[str]) -> str:
    """Return the value at a path as text: a string as it is, ``""`` for null or if it is missing, else compact JSON."""
    for key in path:
        if not isinstance(value, dict):
            return ""
        value = value.get(key)
    if value is None:
        return ""
    return value if isinstance(value, str) else dumps(value)


def alternatives(text: str) -> tuple[str, ...] | None:
    """Parse a glob: alternatives, each a name or a prefix with ``*``; return None for any other glob."""
    values = []
    for part in text.split("|"):
        part = part.strip()
        if _GLOB_MARKS.intersection(part.removesuffix("*")):
            return None
        if part:
            values.append(part)
    return tuple(values)
