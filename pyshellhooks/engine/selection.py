"""Which hooks an event is for: what its subjects decide is asked once for each of them, and remembered.

Most hooks are not for most calls, and an agent has few tools. So a thousand hooks cost what the few cost that take the
tool of this call. What looks further than the subjects (rules on arguments, hooks that run once), and a matcher that
could not be evaluated, is asked about every event.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import Stop
from ..hooks.dialect import Dialect
from ..hooks.model import HookSpec
from .telling import Telling

_REMEMBERED = 512  # subjects
_LONG = 1000  # characters of subjects that are not worth remembering

ASK = -2  # in the place of the words in which a hook is told: whether it wants the event must be asked
Chosen = tuple[HookSpec, int]  # a hook, and the words in which it is told
Key = tuple[str, tuple[str, ...], tuple[str, ...], bool]


class Found:
    """The hooks that may want an event: each with the words in which it is told, or with ``ASK``.

    ``sure``: none is to be asked. ``chosen``: those that run then, where that is known.
    """

    __slots__ = ("candidates", "chosen", "sure")

    def __init__(self, candidates: Sequence[Chosen]) -> None:
        self.candidates = tuple(candidates)
        self.sure = all(index != ASK for _, index in self.candidates)
        self.chosen: tuple[Chosen, ...] | None = None if self.candidates else ()


class Selection:
    """Finds the candidates among some hooks of one system."""

    __slots__ = ("_by_event", "_known", "dialect")

    def __init__(self, dialect: Dialect, specs: Sequence[HookSpec]) -> None:
        self.dialect = dialect
        self._by_event: dict[str, list[HookSpec]] = {}
        for spec in specs:
            self._by_event.setdefault(spec.event, []).append(spec)
        self._known: dict[Key, Found] = {}

    def hears(self, native: str) -> bool:
        """Say whether any hook is for an event, whatever its matcher."""
        return native in self._by_event

    def of(self, telling: Telling) -> Found:
        """Return the hooks that may want an event, in config order."""
        event, words = telling.event, telling.wording
        native, subjects = event.row.native, event.subjects
        key = (native, subjects, words.names, words.same_name) if words is not None else (native, subjects, (), False)
        found = self._known.get(key)
        if found is None:
            found = Found(
                [
                    (spec, index)
                    for spec in self._by_event.get(native, ())
                    if (index := self._ask(spec, telling)) is not None
                ]
            )
            if sum(map(len, subjects)) < _LONG:
                if len(self._known) >= _REMEMBERED:
                    self._known.clear()
                self._known[key] = found
        return found

    def _ask(self, spec: HookSpec, telling: Telling) -> int | None:
        """Say in which words a hook is told of events with these subjects, or ``ASK``; None where it does not want them."""
        try:
            if self.dialect.looks_further(spec):
                return ASK if telling.may_want(spec) else None
            return telling.wants(spec)
        except (Exception, Stop):  # each event that runs it says so
            return ASK

    def forget(self) -> None:
        """Drop what was remembered."""
        self._known.clear()
