"""In whose words each hook is told of an event: the caller's, or the system's (decisions tool names)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..hooks.dialect import Dialect, EventSpec
from ..hooks.fields import replaced
from ..hooks.model import HookEvent, HookOutcome, HookSpec
from ..hooks.tools import argument
from ..hooks.verdict import Verdict
from ..hooks.wire import JSON, JsonText, loads
from ..hooks.words import Wording, text_of
from ..notice import Notice

CALLER = -1  # told in the caller's words; any other number is an index of ``Wording.names``
#: No tool has this name, and no word of it: a matcher that takes it takes everything.
NO_TOOL = "Zqx_9"


class Telling:
    """One native event, as it is told to each of a system's hooks. It never changes; a chain makes new ones.

    ``event`` is the one that verdicts are about: in the caller's words, but where the system's events are never told in
    any others (``wording`` then speaks of ``event`` itself).
    """

    __slots__ = ("_make", "_told", "dialect", "event", "faults", "wording")

    def __init__(
        self,
        dialect: Dialect,
        event: HookEvent,
        wording: Wording | None = None,
        make: Callable[[str], HookEvent] | None = None,
        faults: dict[Notice, None] | None = None,
    ) -> None:
        self.dialect = dialect
        self.event = event
        self.wording = wording
        self._make = make
        self._told: dict[int, HookEvent] = {}
        # What could not be told to hooks that were told in the system's words; a chain has one of these.
        self.faults: dict[Notice, None] = {} if faults is None else faults

    def words(self, index: int) -> HookEvent:
        """Return the event in one wording."""
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

    def may_want(self, spec: HookSpec) -> bool:
        """Say whether a hook takes the event's subjects in any of its words."""
        row, takes = self.event.row, self.dialect.takes
        return any(takes(spec, row, event.subjects) for event in self.all_words())

    def all_words(self) -> Iterator[HookEvent]:
        """Yield the event in each wording that matchers are tried on, the caller's first."""
        yield self.event
        if self.wording is not None and self._make is not None:
            yield from map(self.words, range(len(self.wording.names)))

    def _order(self, spec: HookSpec, wording: Wording) -> Iterator[int]:
        """Yield the wordings in the order in which a hook is asked whether it wants them.

        The name that its matcher takes decides. One that takes both names was written for the system's words, unless
        it spells the caller's out: ``bash`` takes ``bash_tool`` by accident.
        """
        callers_first = not wording.same_name and wording.call.name in spec.matcher
        if callers_first:
            yield CALLER
        yield from range(len(wording.names))
        if not callers_first:
            yield CALLER

    def back(self, index: int, outcome: HookOutcome) -> HookOutcome:
        """Return the outcome of a hook that was told in these words in the caller's."""
        if self.wording is None or (index == CALLER and self._make is not None):
            return outcome
        self.faults.update(dict.fromkeys(self.wording.faults))
        return self.wording.back(outcome)

    def after(self, index: int, said: HookOutcome, outcome: HookOutcome) -> Telling:
        """Return the event as the next hook of a chain is told of it.

        ``said`` is the outcome in the words that its hook was told in, ``outcome`` the same in the caller's. What is
        told next is what would run now, told anew: a rewrite of which something was left out on the way back must not
        look to the next guard as if it had come through.
        """
        dialect, event = self.dialect, self.event
        changed = dialect.rewritten(event, outcome)
        if changed is event:
            return self
        if changed.subjects != event.subjects:  # the hooks behind were found by them
            raise ValueError(f"{dialect.full_name} changes an event's subjects with a rewrite")
        if self.wording is None or self._make is None:
            return Telling(dialect, changed, self.wording, self._make, self.faults)
        place = event.row.places.get("tool_input", "tool_input")
        given = changed.payload.get(place)
        wording, own = self.wording, said
        if given is not event.payload.get(place):
            wording = wording.again(given)
        if said.output is not None and index == CALLER:
            own = own.replace(output=self.wording.output_there(said.output))
        own = own.replace(rewrite=None if outcome.rewrite is None else text_of(wording.input()), output=own.output)
        found = Telling(dialect, changed, wording, self._make, self.faults)
        for number in range(len(wording.names)):
            told = found._told[number] = dialect.rewritten(self.words(number), own)
            if "host_tool_input" in told.payload or given != told.payload.get(place):
                told.payload["host_tool_input"] = given
        return found

    def __repr__(self) -> str:
        return f"Telling({self.event.row.native}, {self.wording and self.wording.names})"


def rewritten_fields(row: EventSpec, fields: Mapping[str, JSON], verdict: Verdict) -> Mapping[str, JSON]:
    """Return the fields as the hooks of one native event leave them to the next."""
    if verdict.updated_input_text is not None:
        text = verdict.updated_input_text
        value = loads(text) if text.startswith('"') else JsonText(text)
        before, fields = fields, replaced(row, fields, row.target, value)
        if "content" in fields and argument(fields, "file_path") != argument(before, "file_path"):
            fields = {name: value for name, value in fields.items() if name != "content"}  # of the file before
    if verdict.updated_output_text is not None:
        fields = replaced(row, fields, "tool_output", verdict.updated_output)
    return fields
