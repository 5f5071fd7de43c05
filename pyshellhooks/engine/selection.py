"""The hooks that an event runs; matchers that depend on the subjects alone are evaluated once and cached.

Most hooks are not for most calls, and an agent has few tools. So a thousand hooks cost no more than the few that take the
tool of this call. Hooks with further conditions (rules on arguments, hooks that run once), and hooks whose matcher could
not be evaluated, are evaluated for each event.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import Stop
from ..hooks.dialect import Dialect
from ..hooks.model import HookSpec
from .event_views import Telling

_REMEMBERED = 512  # subjects
_LONG = 1000  # characters; longer subjects are not cached

ASK = -2  # instead of an index of words: the hook must be evaluated for each event
Chosen = tuple[HookSpec, int]  # a hook, and the index of the words in which it receives the event
Key = tuple[str, tuple[str, ...], tuple[str, ...], bool]


class Found:
    """The candidates for an event: each hook with the index of its words, or with ``ASK``.

    ``sure``: no candidate has ``ASK``. ``chosen``: the hooks that run, once they are known for all such events.
    """

    __slots__ = ("candidates", "chosen", "sure")

    def __init__(self, candidates: Sequence[Chosen]) -> None:
        self.candidates = tuple(candidates)
        self.sure = all(index != ASK for _, index in self.candidates)
        self.chosen: tuple[Chosen, ...] | None = None if self.candidates else ()


class Selection:
    """The hooks of one system by event, with a cache of the candidates."""

    __slots__ = ("_by_event", "_known", "dialect")

    def __init__(self, dialect: Dialect, specs: Sequence[HookSpec]) -> None:
        self.dialect = dialect
        self._by_event: dict[str, list[HookSpec]] = {}
        for spec in specs:
            self._by_event.setdefault(spec.event, []).append(spec)
        self._known: dict[Key, Found] = {}

    def hears(self, native: str) -> bool:
        """Return whether any hook is for an event, whatever its matcher."""
        return native in self._by_event

    def of(self, telling: Telling) -> Found:
        """Return the candidates for an event, in config order."""
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
        """Return the index of a hook's words for events with these subjects, or ``ASK``; None if it is not for them."""
        try:
            if self.dialect.looks_further(spec):
                return ASK if telling.may_want(spec) else None
            return telling.wants(spec)
        except (Exception, Stop):  # evaluated again for each event, which then reports the error
            return ASK

    def forget(self) -> None:
        """Clear the cache."""
        self._known.clear()
