"""The event of another system on which a hook can run."""

from __future__ import annotations

from ..hooks.adapted import common_name
from ..hooks.dialect import Dialect, EventSpec
from .losses import EVENT, Losses
from .matchers import KINDS_OF_CONDITION

_AFTER = ("succeeded", "failed")  # conditions on the end of a call


def event_for(row: EventSpec, target: Dialect) -> EventSpec | None:
    """Return the other system's event for one of this system; None if it has none."""
    rows = [other for other in target.events.values() if common_name(other, row)]
    same = [other for other in rows if other.when == row.when]
    plain = [other for other in rows if not other.when]
    after = [other for other in rows if other.when == _AFTER[0]] if row.when != _AFTER[1] else []
    return next(iter([*same, *plain, *after]), None)


def report_condition(row: EventSpec, other: EventSpec, target: Dialect, losses: Losses, *, guards: bool) -> None:
    """Report that the other system fires its event on fewer or on more calls."""
    if row.when == other.when or row.when in KINDS_OF_CONDITION:
        return
    if other.when in _AFTER:
        message = f"{target.title} fires {other.native} only after a call that has {other.when}"
        losses.of_guard(guards, EVENT, message)
    elif row.when in _AFTER:
        message = f"{target.title} fires {other.native} after every call, not only after one that has {row.when}"
        losses.changed(EVENT, message)
