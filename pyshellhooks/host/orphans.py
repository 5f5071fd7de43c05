"""Search and kill of a run's remaining processes (POSIX).

A group signal misses children that left the group (``setsid``, bash's ``set -m``). A run's processes are found by their
ancestors, session and group, and by the cookie in their environment. A found process is killed after its start time was
read again, where possible through a pidfd: its pid may have been reused meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from time import monotonic, sleep

from .base import COOKIE, KILL
from .process_sources import process_table
from .process_table import ProcessState

_STOP = 17 if os.uname().sysname == "Darwin" else 19
_SECONDS = 0.4  # a fork bomb must not hold the ladder
_MOST_KIN = 1000
_QUIET, _LOOKS = 3, 20  # scans in a row that must find no process; most scans while processes come and go


def kill_all(
    roots: Iterable[int],
    cookie: str | None,
    kill_children: Callable[[], None],
    *,
    seen: Iterable[ProcessState] = (),
    origins: Iterable[str] = (),
    subreaper: int = 0,
) -> None:
    """Kill the descendants of ``roots``, the processes of their sessions and groups, and those with the cookie.

    This includes the processes ``seen`` before, those that the ``origins`` started, and the orphans that ``subreaper`` has
    adopted, but never this process.
    First all found processes are stopped, until a scan finds no new one: a running process may start another between
    the scan and the kill, and the child of a dead process can't be assigned to the run. ``kill_children`` kills the groups of
    ``roots`` through the objects that know whether the numbers are still valid.
    """
    scan = _KillScan(roots, cookie, origins, subreaper)
    until = monotonic() + _SECONDS
    for state in seen:
        scan.resume(state)
    while scan.signal_new(_STOP) and monotonic() < until:
        pass
    kill_children()
    for state in scan.doomed.values():
        _send(state, KILL)
    while (scan.signal_new(KILL) or scan.is_living()) and monotonic() < until:
        sleep(0.001)


class _KillScan:
    """The processes to kill, found in repeated scans.

    A scan signals each process as soon as it finds it, since a chain of forks may be faster than a scan. To be fast, a
    scan skips the processes that an earlier one took for strangers. When it finds no other, it checks them again: a
    process in the middle of an exec has an empty environment.
    """

    def __init__(self, roots: Iterable[int], cookie: str | None, origins: Iterable[str], subreaper: int) -> None:
        self.doomed: dict[int, ProcessState] = {}
        self._roots = set(roots)
        # Where the system keeps the process that started another, the starts of all processes of the run.
        self._origins = {*origins, *map(process_table().identity, self._roots)} - {""}
        self._mark = None if cookie is None else cookie.encode("utf-8", "surrogateescape")
        self._subreaper = subreaper
        self._spared = {os.getpid(), subreaper}
        self._strangers: set[int] = set()
        self._missed = False

    def resume(self, seen: ProcessState) -> None:
        """Stop a process that was seen earlier, if its start time is still the same."""
        now = read_process(seen.pid)
        if now is not None and now.start == seen.start and seen.pid not in self._spared:
            self._strike(now, _STOP)

    def signal_new(self, number: int) -> bool:
        """Send this signal to the processes that are new. Return whether there are any."""
        if self._signal_new_in_scan(number):
            return True
        self._strangers.clear()
        if self._signal_new_in_scan(number):
            return True
        # Scan several times: a chain of forks may be between two processes during one scan.
        quiet = looks = 0
        while quiet < _QUIET and looks < _LOOKS:
            sleep(0.0005)
            if self._signal_new_in_scan(number):
                return True
            quiet = 0 if self._missed else quiet + 1
            looks += 1
        return False

    def is_living(self) -> bool:
        """Kill the processes that still live again. Return whether there are any."""
        living = [seen for seen in self.doomed.values() if _still_lives(seen)]
        for seen in living:
            _send(seen, KILL)
        return bool(living)

    def _signal_new_in_scan(self, number: int) -> bool:
        others: list[ProcessState] = []
        before = len(self.doomed)
        self._missed = False
        for seen in processes(self._spared | self._strangers):
            if seen is None:
                self._missed = True
                continue
            known = self.doomed.get(seen.pid)
            if known is not None and known.start == seen.start:
                continue
            if self._is_descendant(seen) or self._is_marked(seen):
                self._strike(seen, number)
            else:
                others.append(seen)
        grown = True
        while grown:
            strangers = []
            for seen in others:
                if self._is_descendant(seen):
                    self._strike(seen, number)
                else:
                    strangers.append(seen)
            grown = len(strangers) < len(others)
            others = strangers
        self._strangers.update(seen.pid for seen in others)
        return len(self.doomed) > before

    def _is_descendant(self, seen: ProcessState) -> bool:
        if seen.pid in self._roots or seen.origin in self._origins:
            return True
        if self._subreaper and seen.parent == self._subreaper:
            return True
        return any(kin in self.doomed or kin in self._roots for kin in (seen.parent, seen.session, seen.group))

    def _is_marked(self, seen: ProcessState) -> bool:
        mark = self._mark
        if mark is None:
            return False
        if seen.headless:
            return any(has_cookie(thread, mark) for thread in process_table().threads(seen.pid))
        return has_cookie(seen.pid, mark)

    def _strike(self, seen: ProcessState, number: int) -> None:
        self.doomed[seen.pid] = seen
        if seen.origin:
            self._origins.add(seen.start)
        _send(seen, number)


def processes(spared: Collection[int] = ()) -> Iterator[ProcessState | None]:
    """Yield every living process that is not ``spared``, the highest pid first; None for one that has just ended.

    Each is read when it is yielded. Zombies are left out.
    """
    table = process_table()
    for pid in sorted(table.pids(), reverse=True):
        if pid not in spared:
            seen = table.read(pid)
            if seen is not None or not table.exists(pid):
                yield seen


def descendants(pid: int) -> list[ProcessState]:
    """Return the living descendants of a process that are connected to it by living ones, at most 1000."""
    table = process_table()
    states: list[ProcessState] = []
    left = [pid]
    while left and len(states) < _MOST_KIN:
        for number in table.children(left.pop()):
            seen = table.read(number)
            if seen is not None:
                states.append(seen)
                left.append(number)
    return states


def read_process(pid: int) -> ProcessState | None:
    """Return the current state of a process, or None if it has ended."""
    return process_table().read(pid)


def _still_lives(seen: ProcessState) -> bool:
    """Return whether the process that was seen lives; its number may belong to another one now."""
    now = read_process(seen.pid)
    return now is not None and now.start == seen.start


def has_cookie(pid: int, mark: bytes) -> bool:
    """Return whether a process was started with this cookie, alone or among the cookies of outer runs."""
    prefix = f"{COOKIE}=".encode()
    variables = process_table().environment(pid)
    return any(mark in v[len(prefix) :].split(b",") for v in variables if v.startswith(prefix))


def _send(seen: ProcessState, number: int) -> None:
    try:
        if not hasattr(os, "pidfd_open"):
            if _still_lives(seen):
                os.kill(seen.pid, number)
            return
        pidfd = os.pidfd_open(seen.pid)
    except OSError:
        return
    try:
        if _still_lives(seen):
            import signal

            signal.pidfd_send_signal(pidfd, number)
    except OSError:
        pass
    finally:
        os.close(pidfd)
