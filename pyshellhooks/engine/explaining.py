"""Why a hook runs, or does not: what ``explain`` says. Runs nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..errors import Stop
from ..hooks.dialect import nameless
from ..hooks.model import HookEvent, HookSpec
from ..hooks.wire import JSON
from .system import System
from .telling import Telling

_SHOWN = 200  # characters of a subject in a message


class Why:
    """What ``explain`` says about one hook."""

    __slots__ = ("command", "event", "id", "matches", "name", "origin", "reason")

    def __init__(self, spec: HookSpec, matches: bool, reason: str) -> None:
        self.id = spec.id
        self.event = spec.event
        self.command = spec.command
        self.name = spec.name
        self.origin = str(spec.origin)
        self.matches = matches
        self.reason = reason

    def as_json(self) -> dict[str, JSON]:
        """Give it as a JSON object."""
        return {name: getattr(self, name) for name in ("id", "event", "command", "matches", "reason", "origin")}

    def __repr__(self) -> str:
        return f"Why({self.id}: {'runs' if self.matches else 'does not run'}, {self.reason})"


class Plan(list[Why]):
    """What ``explain`` says about all hooks, and, in ``notices``, what is odd about the event's fields."""

    __slots__ = ("notices",)

    def __init__(self, hooks: Iterable[Why], notices: Iterable[str] = ()) -> None:
        super().__init__(hooks)
        self.notices = tuple(notices)


def explain(system: System, telling: Telling) -> list[Why]:
    """Say for every hook of a system whether one native event would run it, and why or why not."""
    wanted = {spec: index for spec in system.specs if (index := system.wants(spec, telling)) is not None}
    matching = {spec: index for spec, index in wanted.items() if spec.id not in system.disabled}
    chosen = system.distinct(matching)
    told = telling.event
    lacks: Callable[[str], bool] = getattr(system.executor, "lacks", lambda kind: False)
    locked = system.standing.verdict(told.row) if system.standing is not None else None
    found: list[Why] = []
    for spec in system.specs:
        if locked is not None and spec.event == told.row.native:
            found.append(Why(spec, False, f"the event is denied: {locked.reason}"))
        elif spec in chosen and lacks(spec.kind):
            found.append(Why(spec, False, f'left out: hooks of type "{spec.kind}" need a handler of the host'))
        elif spec in chosen:
            found.append(Why(spec, True, _why(system, spec, telling.words(wanted[spec]), True)))
        elif spec.event != told.row.native:
            found.append(Why(spec, False, f"it is for {spec.event}, not for {told.row.native}"))
        elif spec.id in system.disabled:
            found.append(Why(spec, False, "left out: it is disabled"))
        elif spec in matching:
            twin = next((other for other in chosen if other.key == spec.key), spec)
            found.append(Why(spec, False, f"the same command runs already, as {twin.id} ({twin.origin})"))
        else:
            reason = _why(system, spec, told, False)
            if telling.wording is not None and spec.matcher:
                reason += f", nor {' or '.join(telling.wording.names)}"
            found.append(Why(spec, False, reason))
    for one, spec in system.left_out.explained if system.left_out is not None else ():
        if spec.event == told.row.native:
            found.append(Why(spec, False, f"left out: {one.reason}{'; ' + one.mend if one.mend else ''}"))
        else:
            found.append(Why(spec, False, f"it is for {spec.event}, not for {told.row.native}"))
    return found


def _why(system: System, spec: HookSpec, event: HookEvent, matches: bool) -> str:
    try:
        own = system.dialect.why(spec, event)
    except (Stop, Exception):
        return "whether its matcher matches can't be told, so that it runs"
    if own:
        return own
    if not spec.matcher:
        return "it has no matcher"
    if matches and nameless(event.row, event.subjects):
        return "the call names no tool, and runs the hooks of every matcher"
    subjects = " or ".join(f'"{subject[:_SHOWN]}"' for subject in event.subjects)
    verb = "matches" if matches else "does not match"
    return f'its matcher "{spec.matcher}" {verb} {event.row.subject} {subjects}'
