"""The wording in which each hook receives an event: the caller's tool names, or the system's (decisions tool names)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..hooks.dialect import Dialect, EventSpec
from ..hooks.fields import with_field
from ..hooks.model import HookEvent, HookOutcome, HookSpec
from ..hooks.tool_translation import ToolTranslation, text_of
from ..hooks.tools import argument
from ..hooks.verdict import Verdict
from ..jsontext.compact import JSON, JsonText, loads
from ..notice import Notice
from .scripts.event_paths import EventPaths

CALLER_VIEW = -1  # the caller's words; any other number is an index of ``ToolTranslation.names``
#: A name that no tool has, not even in part: a matcher that takes it takes everything.
NO_TOOL = "Zqx_9"


class EventViews:
    """One native event in each wording that a system's hooks may receive. It never changes; a chain makes new ones.

    ``event`` is the one that verdicts are about. It has the caller's words, unless the system's hooks receive this event
    in the system's words only (``translation`` then describes ``event`` itself).
    """

    __slots__ = ("_make", "_views", "dialect", "event", "faults", "paths", "translation")

    def __init__(
        self,
        dialect: Dialect,
        event: HookEvent,
        translation: ToolTranslation | None = None,
        make: Callable[[str], HookEvent] | None = None,
        faults: dict[Notice, None] | None = None,
    ) -> None:
        self.dialect = dialect
        self.event = event
        self.translation = translation
        self.paths: EventPaths | None = None  # on Windows, the caller's spelling of paths
        self._make = make
        self._views: dict[int, HookEvent] = {}
        # Losses in translation for hooks that received the system's words; all events of a chain share this one.
        self.faults: dict[Notice, None] = {} if faults is None else faults

    def view(self, index: int) -> HookEvent:
        """Return the event in one wording."""
        if index == CALLER_VIEW or self._make is None:
            return self.event
        view = self._views.get(index)
        if view is None:
            assert self.translation is not None
            view = self._views[index] = self._make(self.translation.names[index])
        return view

    def matching_view(self, spec: HookSpec) -> int | None:
        """Return the index of the words in which a hook's matcher takes the event; None if it takes it in no words."""
        dialect, translation = self.dialect, self.translation
        if translation is None or self._make is None:
            return CALLER_VIEW if dialect.matches(spec, self.event) else None
        for index in self._order(spec, translation):
            if dialect.matches(spec, self.view(index)):
                return index
        return None

    def may_match(self, spec: HookSpec) -> bool:
        """Return whether a hook takes the event's subjects in any wording."""
        row, matches_subject = self.event.row, self.dialect.matches_subject
        return any(matches_subject(spec, row, event.subjects) for event in self.all_views())

    def all_views(self) -> Iterator[HookEvent]:
        """Yield the event in each wording that matchers are tried on, the caller's first."""
        yield self.event
        if self.translation is not None and self._make is not None:
            yield from map(self.view, range(len(self.translation.names)))

    def _order(self, spec: HookSpec, translation: ToolTranslation) -> Iterator[int]:
        """Yield the wordings in the order in which a hook's matcher is tried on them.

        The name that its matcher takes decides. One that takes both names was written for the system's words, unless
        it spells the caller's out: ``bash`` takes ``bash_tool`` by accident.
        """
        callers_first = not translation.same_name and translation.call.name in spec.matcher
        if callers_first:
            yield CALLER_VIEW
        yield from range(len(translation.names))
        if not callers_first:
            yield CALLER_VIEW

    def back(self, index: int, outcome: HookOutcome) -> HookOutcome:
        """Translate the outcome of a hook from the words that it received to the caller's."""
        if self.translation is None or (index == CALLER_VIEW and self._make is not None):
            return outcome
        self.faults.update(dict.fromkeys(self.translation.faults))
        return self.translation.back(outcome)

    def after(self, index: int, parsed: HookOutcome, outcome: HookOutcome) -> EventViews:
        """Return the event as the next hook of a chain receives it.

        ``parsed`` is the outcome in the words that its hook received, ``outcome`` the same in the caller's. The next hook
        receives the call that would run now, translated again: if part of a rewrite was lost in translation, the next
        guard must not see that part as if it would run.
        """
        dialect, event = self.dialect, self.event
        changed = dialect.rewritten(event, outcome)
        if changed is event:
            return self
        if changed.subjects != event.subjects:  # the later hooks were selected by the old subjects
            raise ValueError(f"{dialect.full_name} changes an event's subjects with a rewrite")
        if self.translation is None or self._make is None:
            return EventViews(dialect, changed, self.translation, self._make, self.faults)
        place = event.row.places.get("tool_input", "tool_input")
        tool_input = changed.payload.get(place)
        translation, own = self.translation, parsed
        if tool_input is not event.payload.get(place):
            translation = translation.again(tool_input)
        if parsed.output is not None and index == CALLER_VIEW:
            own = own.replace(output=self.translation.translated_output(parsed.output))
        own = own.replace(rewrite=None if outcome.rewrite is None else text_of(translation.input()), output=own.output)
        chained = EventViews(dialect, changed, translation, self._make, self.faults)
        for number in range(len(translation.names)):
            view = chained._views[number] = dialect.rewritten(self.view(number), own)
            if "host_tool_input" in view.payload or tool_input != view.payload.get(place):
                view.payload["host_tool_input"] = tool_input
        return chained

    def __repr__(self) -> str:
        return f"EventViews({self.event.row.native}, {self.translation and self.translation.names})"


def rewritten_fields(row: EventSpec, fields: Mapping[str, JSON], verdict: Verdict) -> Mapping[str, JSON]:
    """Return the fields for the next native event, with the rewrites of this one's hooks."""
    if verdict.updated_input_text is not None:
        text = verdict.updated_input_text
        value = loads(text) if text.startswith('"') else JsonText(text)
        before, fields = fields, with_field(row, fields, row.target, value)
        if "content" in fields and argument(fields, "file_path") != argument(before, "file_path"):
            fields = {name: value for name, value in fields.items() if name != "content"}  # of the former path
    if verdict.updated_output_text is not None:
        fields = with_field(row, fields, "tool_output", verdict.updated_output)
    return fields
