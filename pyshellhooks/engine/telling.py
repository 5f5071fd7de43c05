"""In whose words each hook is told of an event: the caller's, or the system's (contracts/README.md, "tool names")."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..hooks.dialect import Dialect, EventSpec
from ..hooks.fields import replaced
from ..hooks.model import HookEvent, HookOutcome, HookSpec
from ..hooks.tools import TOLD, argument
from ..hooks.verdict import Verdict
from ..hooks.wire import JSON, JsonText, loads
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


def rewritten_fields(row: EventSpec, fields: Mapping[str, JSON], verdict: Verdict) -> Mapping[str, JSON]:
    """Give the fields as the hooks of one native event leave them to the next."""
    if verdict.updated_input_text is not None:
        text = verdict.updated_input_text
        value = loads(text) if text.startswith('"') else JsonText(text)
        before, fields = fields, replaced(row, fields, row.target, value)
        if "content" in fields and argument(fields, "file_path") != argument(before, "file_path"):
            fields = {name: value for name, value in fields.items() if name != "content"}  # of the file before
    if verdict.updated_output_text is not None:
        fields = replaced(row, fields, "tool_output", verdict.updated_output)
    return fields
