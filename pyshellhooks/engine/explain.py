"""The reasons why hooks run on an event, or do not, for ``explain``. Runs nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..errors import Stop
from ..hooks.dialect import nameless
from ..hooks.model import HookEvent, HookSpec
from ..hooks.notices import hook_notice
from ..jsontext.compact import JSON
from ..notice import Notice
from .event_views import CALLER_VIEW, EventViews
from .system import System

_SHOWN = 200  # characters of a subject in a message


class Why:
    """Whether an event would run one hook, and the reason."""

    __slots__ = ("command", "event", "hint", "id", "left_out", "matches", "message", "name", "origin")

    def __init__(self, spec: HookSpec, matches: bool, message: str, left_out: bool = False, hint: str = "") -> None:
        self.id = spec.id
        self.event = spec.event
        self.command = spec.command
        self.name = spec.name
        self.origin = str(spec.origin)
        self.matches = matches
        self.message = message
        self.hint = hint
        self.left_out = left_out  # it would run, if not for the reason

    @property
    def reason(self) -> str:
        """Why it runs or does not, with the hint."""
        if not self.hint:
            return self.message
        return f"{self.message}; {self.hint}"

    def as_json(self) -> dict[str, JSON]:
        """Return it as a JSON object."""
        return {name: getattr(self, name) for name in ("id", "event", "command", "matches", "reason", "origin")}

    def __repr__(self) -> str:
        effect = "runs" if self.matches else "does not run"
        return f"Why({self.id}: {effect}, {self.reason})"


class Plan(list[Why]):
    """The result of ``explain``: a row per hook, and in ``notices`` the problems with the event's fields."""

    __slots__ = ("notices",)

    def __init__(self, hooks: Iterable[Why], notices: Iterable[str] = ()) -> None:
        super().__init__(hooks)
        self.notices = tuple(notices)


def explain(system: System, views: EventViews) -> list[Why]:
    """Return for every hook of a system whether one native event would run it, and why or why not."""
    wanted: dict[HookSpec, int] = {}
    for spec in system.specs:
        index = system.matching_view(spec, views)
        if index is not None:
            wanted[spec] = index
    matching = {spec: index for spec, index in wanted.items() if spec.id not in system.disabled}
    chosen = system.distinct(matching)
    event = views.event
    locked = None
    if system.trust_state is not None:
        locked = system.trust_state.verdict(event.row)
    rows: list[Why] = []
    # Each gets the first reason that applies: a lock overrides all, a switch overrides a duplicate.
    for spec in system.specs:
        if locked is not None and spec.event == event.row.native:
            rows.append(Why(spec, False, f"the event is denied: {locked.reason}"))
        elif spec in chosen and system.runner.lacks(spec.kind):
            message = f'skipped: the host must provide a handler for hooks of type "{spec.kind}"'
            rows.append(Why(spec, False, message, True))
        elif spec in chosen:
            rows.append(Why(spec, True, _why_it_runs(system, spec, views.view(wanted[spec]))))
        elif spec.event != event.row.native:
            rows.append(Why(spec, False, f"it is for {spec.event}, not for {event.row.native}"))
        elif spec.id in system.disabled:
            rows.append(Why(spec, False, "skipped: it is disabled"))
        elif spec in matching:
            twin = next((other for other in chosen if other.key == spec.key), spec)
            rows.append(Why(spec, False, f"the same command already runs, as {twin.id} ({twin.origin})"))
        else:
            rows.append(Why(spec, False, _why_not(system, spec, list(views.all_views()))))
    return rows + _why_left_out(system, event.row.native)


def _why_left_out(system: System, native: str) -> list[Why]:
    """Return why each hook that was loaded only to be reported does not run on an event."""
    if system.left_out is None:
        return []
    rows: list[Why] = []
    for row, spec in system.left_out.explained:
        if spec.event == native:
            rows.append(Why(spec, False, f"skipped: {row.notice.message}", True, row.notice.hint))
        else:
            rows.append(Why(spec, False, f"it is for {spec.event}, not for {native}"))
    return rows


def off_in_agent(system: System, views: EventViews) -> list[Notice]:
    """Return notices of the hooks that would run here and are off in their agent."""
    notices: list[Notice] = []
    for spec, index in system.select(views):
        event = views.view(index) if index != CALLER_VIEW else views.event
        try:
            job = system.dialect.job(event, spec, system.host_context)
        except Exception:  # a run reports the error
            continue
        notices += [hook_notice(spec, reason.notice(False)) for reason in system.off_reasons(job, event)]
    return notices


def permission_notices(system: System, views: EventViews) -> tuple[Notice, ...]:
    """Return a notice of the permission rule that decides on an event; () if none does."""
    if system.permissions is None or not system.permissions.decides(views.event.row.native):
        return ()
    return system.permissions.explained(views)


def _why_it_runs(system: System, spec: HookSpec, event: HookEvent) -> str:
    try:
        own = system.dialect.why(spec, event)
    except (Stop, Exception):
        return "its matcher could not be evaluated, so it runs"
    if own:
        return own
    if not spec.matcher:
        return "it has no matcher"
    if nameless(event.row, event.subjects):
        return "the call names no tool, so every matcher matches"
    return f'its matcher "{spec.matcher}" matches {_tried([event])}'


def _why_not(system: System, spec: HookSpec, events: Sequence[HookEvent]) -> str:
    """Return why a hook does not run: the subjects that its matcher does not match, or its dialect's reason."""
    dialect = system.dialect
    for event in events:
        try:
            own = dialect.why(spec, event)
            if own:
                return own
            if dialect.has_conditions(spec) and dialect.matches_subject(spec, event.row, event.subjects):
                return f'its matcher "{spec.matcher}" matches {_tried([event])}, but not the rest of this call'
        except (Stop, Exception):
            return "its matcher could not be evaluated"
    return f'its matcher "{spec.matcher}" does not match {_tried(events)}'


def _tried(events: Sequence[HookEvent]) -> str:
    subjects = dict.fromkeys(f'"{subject[:_SHOWN]}"' for event in events for subject in event.subjects)
    return f"{events[0].row.subject} {' or '.join(subjects)}"
