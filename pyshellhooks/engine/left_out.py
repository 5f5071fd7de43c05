"""Hooks that were loaded to be told, not to be asked: what missing trust leaves out, mistakes drop, or was switched off.

A project's guard that is left out, and nobody says so, is off in silence. Its file is therefore read all the same
(never run), and each verdict that it would have taken part in names it; under ``strict`` that is a deny. The same holds
for a hook that its system drops for a mistake (gemini 1, everruns 2): no guard is silently off. What a person
switched off on purpose is a diagnostic and a row of ``explain`` (decisions left out).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..errors import Diagnostic, Stop
from ..hooks.dialect import GUARDED, Dialect
from ..hooks.facts import doubt
from ..hooks.model import HookSpec
from ..notice import Notice
from .notices import told
from .selection import ASK, Selection

if TYPE_CHECKING:
    from .system import System
    from .telling import Telling


class LeftOut:
    """One hook that is not asked, or a file (``spec`` is None) whose hooks could not even be read."""

    __slots__ = ("fault", "file", "mend", "reason", "said", "spec", "told", "untrusted")

    def __init__(
        self,
        spec: HookSpec | None,
        reason: str,
        mend: str = "",
        *,
        file: str = "",
        told: bool = True,
        untrusted: bool = False,
        fault: bool = True,
        said: Diagnostic | None = None,
    ) -> None:
        self.spec = spec
        self.reason = reason
        self.mend = mend
        self.file = file or (spec.origin.file if spec is not None else "")
        self.told = told  # on every verdict; else it is told once, in diagnostics
        self.untrusted = untrusted  # for want of trust
        self.fault = fault  # a deny under ``strict``; else its agent does not ask it either
        self.said = said  # what tells it where the config is read

    def __repr__(self) -> str:
        return f"LeftOut({self.spec or self.file}: {self.reason})"


class OffInAgent(LeftOut):
    """A file, or a part of one, that is loaded here and not by its agent: no hook of it is left out here."""

    __slots__ = ("notice",)

    def __init__(self, said: Diagnostic) -> None:
        super().__init__(None, said.message, said.hint, file=said.file, told=False, said=said)
        self.notice = Notice(f"{said.place}: {said.message}", "off-in-agent", mend=said.hint)


class LeavingOut:
    """What the engine of one system leaves out; there is none where it leaves nothing out."""

    __slots__ = ("_reasons", "_selection", "explained", "off_in_agent", "rows")

    def __init__(self, rows: Iterable[LeftOut], dialect: Dialect) -> None:
        first_of_file = {
            one.file: one for one in reversed(list(rows)) if isinstance(one, OffInAgent)
        }  # of each file the first
        self.off_in_agent = tuple(one.notice for one in reversed(first_of_file.values()))
        self.rows = tuple(one for one in rows if not isinstance(one, OffInAgent))
        self.explained = tuple((one, one.spec) for one in self.rows if one.spec is not None)
        self._reasons = {spec: one for one, spec in self.explained if one.told}
        self._selection = Selection(dialect, tuple(self._reasons))

    def notices(self, system: System, telling: Telling) -> tuple[Notice, ...]:
        """Return a notice of each hook that an event would have asked. Those that are faults deny under ``strict``."""
        found = [
            told(spec, _notice(self._reasons[spec], "left out"))
            for spec, index in self._selection.of(telling).candidates
            if spec.id not in system.disabled
            and (index != ASK or _wanted(spec, telling))
            and not _asked(system, spec, telling)
        ]
        if telling.event.row.guards in GUARDED:
            found += [_notice(one, one.file) for one in self.rows if one.spec is None]
        return tuple(found)

    def listens(self, natives: Iterable[str]) -> bool:
        """Say whether a verdict on one of these events has something to tell."""
        names = frozenset(natives)
        return any(one.spec is None or (one.told and one.spec.event in names) for one in self.rows)


def _notice(one: LeftOut, about: str) -> Notice:
    text = f"{about}: {one.reason}"
    return doubt(text, "hook-left-out", one.mend) if one.fault else Notice(text, "hook-left-out", mend=one.mend)


def _wanted(spec: HookSpec, telling: Telling) -> bool:
    """Say whether a hook would be for an event. Its matcher is a stranger's: one that can't be tried counts."""
    try:
        return spec.event == telling.event.row.native and telling.wants(spec) is not None
    except (Exception, Stop):
        return True


def _asked(system: System, spec: HookSpec, telling: Telling) -> bool:
    """Say whether an equal hook that is trusted is asked: the same command of another file."""
    return any(
        one.event == spec.event and len(system.dialect.deduplicate([one, spec])) == 1
        for one, _ in system.select(telling)
    )


def leaving_out(rows: Sequence[LeftOut], dialect: Dialect) -> LeavingOut | None:
    """Return what a system has to tell; None costs nothing when an event is fired."""
    return LeavingOut(rows, dialect) if rows else None
