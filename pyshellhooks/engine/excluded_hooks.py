"""Hooks that are loaded only to be reported, never run: untrusted, dropped for a mistake, or switched off.

A project's guard that is left out without a report is off in silence. Its file is therefore read anyway (never run),
and each verdict in which it would have taken part names it; under ``strict`` that is a deny. The same holds for a hook
that its system drops for a mistake (gemini 1, everruns 2). A hook that a person has switched off on purpose is only a
diagnostic and a row of ``explain`` (decisions left out).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..errors import Diagnostic, Stop
from ..hooks.dialect import GUARDED, Dialect
from ..hooks.model import HookSpec
from ..hooks.notices import hook_notice
from ..notice import Notice
from .config.excluded import ExcludedHook, OffInAgent
from .selection import UNDECIDED, Selection

if TYPE_CHECKING:
    from .event_views import EventViews
    from .system import System


class ExcludedHooks:
    """The hooks that one system's engine leaves out; an engine that leaves out none has no such object."""

    __slots__ = ("_reasons", "_selection", "explained", "off_in_agent", "rows")

    def __init__(self, rows: Iterable[ExcludedHook], dialect: Dialect) -> None:
        first_of_file = {
            row.file: row for row in reversed(list(rows)) if isinstance(row, OffInAgent)
        }  # the first of each file
        self.off_in_agent = tuple(row.notice for row in reversed(first_of_file.values()))
        self.rows = tuple(row for row in rows if not isinstance(row, OffInAgent))
        self.explained = tuple((row, row.spec) for row in self.rows if row.spec is not None)
        self._reasons = {spec: row for row, spec in self.explained if row.reported}
        self._selection = Selection(dialect, tuple(self._reasons))

    def notices(self, system: System, views: EventViews) -> tuple[Notice, ...]:
        """Return a notice for each left-out hook that an event would run; a fault denies under ``strict``."""
        notices: list[Notice] = []
        for spec, index in self._selection.of(views).candidates:
            if spec.id in system.disabled:
                continue
            if index == UNDECIDED and not _would_run(spec, views):
                continue
            if not _runs_anyway(system, spec, views):
                notices.append(hook_notice(spec, _notice(self._reasons[spec], "skipped")))
        # The hooks of an unreadable file are unknown: any of them may have been a guard of this event.
        if views.event.row.guards in GUARDED:
            notices += [_notice(row, row.file) for row in self.rows if row.spec is None]
        return tuple(notices)

    def listens(self, natives: Iterable[str]) -> bool:
        """Return whether a verdict on one of these events may have a notice of a left-out hook."""
        names = frozenset(natives)
        for row in self.rows:
            if row.spec is None:
                return True
            if row.reported and row.spec.event in names:
                return True
        return False


def _notice(row: ExcludedHook, about: str) -> Notice:
    return row.notice.changed(message=f"{about}: {row.notice.message}")


def _would_run(spec: HookSpec, views: EventViews) -> bool:
    """Return whether a hook would run on an event; True if its matcher, which is not trusted, fails with an error."""
    try:
        return spec.event == views.event.row.native and views.matching_view(spec) is not None
    except (Exception, Stop):
        return True


def _runs_anyway(system: System, spec: HookSpec, views: EventViews) -> bool:
    """Return whether an equal hook, the same command of a trusted file, runs on this event."""
    return any(
        other.event == spec.event and len(system.dialect.deduplicate([other, spec])) == 1
        for other, _ in system.select(views)
    )


def excluded_hooks(rows: Sequence[ExcludedHook], dialect: Dialect) -> ExcludedHooks | None:
    """Return the left-out hooks of a system; None without any, which costs nothing when an event is fired."""
    return ExcludedHooks(rows, dialect) if rows else None


def switch_off(
    systems: Sequence[System], disabled: Iterable[str], left_out: Sequence[ExcludedHook]
) -> list[Diagnostic]:
    """Switch hooks off by their ids; return a warning for each of them, and for each unknown id."""
    ids = frozenset(disabled)
    diagnostics: list[Diagnostic] = []
    # The id of a hook that is left out is spelled correctly, so it gets no warning as unknown.
    known = {row.spec.id for row in left_out if row.spec is not None}
    for system in systems:
        muted = {spec.id for spec in system.specs if spec.extra.get("muted")}
        system.switch_off(ids | muted)
        for spec in system.specs:
            known.add(spec.id)
            if spec.id in system.disabled:
                by = "disabled" if spec.id in ids else "disabled_contributions"
                message = f'{by} switches off "{spec.id}"'
                diagnostics.append(spec.origin.diagnostic(message, "", "warning", code="switched-off"))
    diagnostics += [
        Diagnostic("disabled", 0, 0, f'no hook has the id "{id}"', severity="warning", code="hook-unknown")
        for id in sorted(ids - known)
    ]
    return diagnostics
