"""In whose words each hook is told of an event: the caller's, or the system's (contracts/README.md, "tool names")."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..hooks.dialect import Dialect
from ..hooks.model import HookEvent, HookOutcome, HookSpec
from ..hooks.tools import TOLD
from ..hooks.words import Wording

CALLER = -1  # told in the caller's words; any other number is an index of ``Wording.names``
#: No tool has this name: a matcher that takes it takes everything, and says nothing of whose words it was written for.
NO_TOOL = "no such tool"


class Telling:
    """One native event, as it is told to each of a system's hooks. It never changes; a chain makes new ones.

    ``event`` is the one that verdicts are about: in the caller's words, but where the system's events are never told in
    any others (``wording`` then speaks of ``event`` itself).
    """

    __slots__ = ("_make", "_told", "dialect", "event", "wording")

    def __init__(
        self,
        dialect: Dialect,
        event: HookEvent,
        wording: Wording | None = None,
        make: Callable[[str], HookEvent] | None = None,
    ) -> None:
        self.dialect = dialect
        self.event = event
        self.wording = wording
        self._make = make
        self._told: dict[int, HookEvent] = {}

    def words(self, index: int) -> HookEvent:
        """Give the event in one wording."""
        if index == CALLER or self._make is None:
            return self.event
        found = self._told.get(index)
        if found is None:
            assert self.wording is not None
            found = self._told[index] = self._make(self.wording.names[index])
        return found

    def wants(self, spec: HookSpec) -> int | None:
        """Say in which words a hook wants the event; None: in none."""
        dialect, wording = self.dialect, self.wording
        if wording is None or self._make is None:
            return CALLER if dialect.matches(spec, self.event) else None
        for index in self._order(spec, wording):
            if dialect.matches(spec, self.words(index)):
                return index
        return None

    def _order(self, spec: HookSpec, wording: Wording) -> Iterator[int]:
        """Give the wordings in the order in which a hook is asked whether it wants them.

        The name that its matcher takes decides; where it takes any name, it was written for the system's words.
        """
        own_first = self.dialect.aims_at(spec, NO_TOOL) or (wording.same_name and wording.call.how == TOLD)
        if not own_first:
            yield CALLER
        yield from range(len(wording.names))
        if own_first:
            yield CALLER

    def back(self, index: int, outcome: HookOutcome) -> HookOutcome:
        """Give the outcome of a hook that was told in these words in the caller's."""
        if self.wording is None or (index == CALLER and self._make is not None):
            return outcome
        return self.wording.back(outcome)

    def after(self, index: int, said: HookOutcome, outcome: HookOutcome) -> Telling:
        """Give the event as the next hook of a chain is told of it.

        ``said`` is the outcome in the words that its hook was told in, ``outcome`` the same in the caller's.
        """
        event = self.dialect.rewritten(self.event, outcome)
        if event is self.event:
            return self
        found = Telling(self.dialect, event, self.wording, self._make)
        if self.wording is not None and self._make is not None:
            own = self.wording.forward(said) if index == CALLER else said
            for number in range(len(self.wording.names)):
                found._told[number] = self.dialect.rewritten(self.words(number), own)
        return found

    def __repr__(self) -> str:
        return f"Telling({self.event.row.native}, {self.wording and self.wording.names})"
