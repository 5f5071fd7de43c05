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
from .event_views import EventViews

_REMEMBERED = 512  # subjects
_LONG = 1000  # characters; longer subjects are not cached

UNDECIDED = -2  # instead of an index of words: the hook must be evaluated for each event
Chosen = tuple[HookSpec, int]  # a hook, and the index of the words in which it receives the event
Key = tuple[str, tuple[str, ...], tuple[str, ...], bool]


class Candidates:
    """The candidates for an event: each hook with the index of its words, or with ``UNDECIDED``.

    ``sure``: no candidate has ``UNDECIDED``. ``chosen``: the hooks that run, once they are known for all such events.
    """

    __slots__ = ("candidates", "chosen", "sure")

    def __init__(self, candidates: Sequence[Chosen]) -> None:
        self.candidates = tuple(candidates)
        self.sure = all(index != UNDECIDED for _, index in self.candidates)
        self.chosen: tuple[Chosen, ...] | None = None if self.candidates else ()


class Selection:
    """The hooks of one system by event, with a cache of the candidates."""

    __slots__ = ("_by_event", "_known", "dialect")

    def __init__(self, dialect: Dialect, specs: Sequence[HookSpec]) -> None:
        self.dialect = dialect
        self._by_event: dict[str, list[HookSpec]] = {}
        for spec in specs:
            self._by_event.setdefault(spec.event, []).append(spec)
        self._known: dict[Key, Candidates] = {}

    def has_hooks(self, native: str) -> bool:
        """Return whether any hook is for an event, whatever its matcher."""
        return native in self._by_event

    def of(self, views: EventViews) -> Candidates:
        """Return the candidates for an event, in config order."""
        event, translation = views.event, views.translation
        native, subjects = event.row.native, event.subjects
        key: Key = (native, subjects, (), False)
        if translation is not None:
            key = (native, subjects, translation.names, translation.same_name)
        candidates = self._known.get(key)
        if candidates is None:
            candidates = Candidates(
                [
                    (spec, index)
                    for spec in self._by_event.get(native, ())
                    if (index := self._view_index(spec, views)) is not None
                ]
            )
            if sum(map(len, subjects)) < _LONG:
                if len(self._known) >= _REMEMBERED:
                    self._known.clear()
                self._known[key] = candidates
        return candidates

    def _view_index(self, spec: HookSpec, views: EventViews) -> int | None:
        """Return the index of a hook's words for events with these subjects, or ``UNDECIDED``; None if it is not for them."""
        try:
            if self.dialect.has_conditions(spec):
                return UNDECIDED if views.may_match(spec) else None
            return views.matching_view(spec)
        except (Exception, Stop):  # evaluated again for each event, which then reports the error
            return UNDECIDED

    def forget(self) -> None:
        """Clear the cache."""
        self._known.clear()
