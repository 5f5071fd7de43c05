"""Find and kill what a run left behind (POSIX).

A group signal misses children that left the group (``setsid``, bash's ``set -m``). What belongs to a run is told by
kinship, session, group, and by the cookie in the environment. A found process is killed through a pidfd, after its
start time was read again: between the look and the blow its number may have become another's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from time import monotonic, sleep
from typing import Any

from .base import COOKIE, KILL

_STOP = 17 if os.uname().sysname == "Darwin" else 19
_SECONDS = 0.4  # a fork bomb must not hold the ladder


class Seen:
    """One process at one moment; ``start`` tells it from a later one with its number."""

    __slots__ = ("group", "parent", "pid", "session", "start")

    def __init__(self, pid: int, parent: int, group: int, session: int, start: str) -> None:
        self.pid = pid
        self.parent = parent
        self.group = group
        self.session = session
        self.start = start


def kill_all(roots: Iterable[int], cookie: str | None, strike: Callable[[], None]) -> None:
    """Kill all but ourselves that descends from ``roots``, is in their session or group, or carries the cookie.

    First everything found is stopped, until a look finds nothing new: a running process may start another between
    the look and the blow, and the child of a dead one cannot be told from a stranger's. ``strike`` kills the groups of
    ``roots`` themselves, by those who know that the numbers are still theirs.
    """
    numbers = set(roots)
    known: dict[int, Seen] = {}
    until = monotonic() + _SECONDS
    mark = None if cookie is None else cookie.encode("utf-8", "surrogateescape")
    while monotonic() < until:
        new = [seen for seen in _find(numbers, known, mark) if seen.pid not in known]
        if not new:
            break
        for seen in new:
            known[seen.pid] = seen
            _send(seen, _STOP)
    strike()
    for seen in known.values():
        _send(seen, KILL)
    while (left := _find(numbers, known, mark)) and monotonic() < until:
        sleep(0.001)
        for seen in left:
            known[seen.pid] = seen
            _send(seen, KILL)


def _find(roots: set[int], known: Mapping[int, Seen], mark: bytes | None) -> list[Seen]:
    me = os.getpid()
    processes = [seen for seen in _processes() if seen.pid != me]
    doomed: dict[int, Seen] = {}
    for seen in processes:
        before = known.get(seen.pid)
        same = before is not None and before.start == seen.start
        if seen.pid in roots or same or (mark is not None and carries(seen.pid, mark)):
            doomed[seen.pid] = seen
    grown = True
    while grown:
        grown = False
        for seen in processes:
            if seen.pid not in doomed:
                kin = (seen.parent, seen.session, seen.group)
                if any(number in doomed or number in roots for number in kin):
                    doomed[seen.pid] = seen
                    grown = True
    return list(doomed.values())


def _processes() -> list[Seen]:
    """Give every living process; zombies are dead already."""
    try:
        names = os.listdir("/proc")
    except OSError:
        return _processes_elsewhere()
    found = []
    for name in names:
        if name.isdigit():
            seen = _look(int(name))
            if seen is not None:
                found.append(seen)
    return found or _processes_elsewhere()


def _look(pid: int) -> Seen | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()  # the name before it may hold anything
        if fields[0] in b"ZX":
            return None
        return Seen(pid, int(fields[1]), int(fields[2]), int(fields[3]), fields[19].decode())
    except (OSError, IndexError, ValueError):
        return None


def _processes_elsewhere() -> list[Seen]:
    """Do without /proc (macOS): psutil if it is there, else the group signal was all."""
    try:
        psutil: Any = import_module("psutil")
    except ImportError:
        return []
    found = []
    for process in psutil.process_iter(["ppid", "create_time", "status"]):
        info = process.info
        if info["status"] == psutil.STATUS_ZOMBIE:
            continue
        try:
            pid = process.pid
            found.append(Seen(pid, info["ppid"] or 0, os.getpgid(pid), os.getsid(pid), str(info["create_time"])))
        except OSError:
            continue
    return found


def carries(pid: int, mark: bytes) -> bool:
    """Say whether a process was started with this cookie, alone or among those of runs around its own."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            variables = file.read().split(b"\0")
    except OSError:
        return _carries_elsewhere(pid, mark)
    prefix = f"{COOKIE}=".encode()
    return any(mark in v[len(prefix) :].split(b",") for v in variables if v.startswith(prefix))


def _carries_elsewhere(pid: int, mark: bytes) -> bool:
    if os.path.isdir("/proc/self"):
        return False
    try:
        psutil: Any = import_module("psutil")
    except ImportError:
        return False
    try:
        value = psutil.Process(pid).environ().get(COOKIE, "")
    except (OSError, psutil.Error):
        return False
    return mark.decode("utf-8", "surrogateescape") in value.split(",")


def _send(seen: Seen, number: int) -> None:
    try:
        if not hasattr(os, "pidfd_open"):
            os.kill(seen.pid, number)
            return
        pidfd = os.pidfd_open(seen.pid)
    except OSError:
        return
    try:
        again = _look(seen.pid)
        if again is not None and again.start == seen.start:
            import signal

            signal.pidfd_send_signal(pidfd, number)
    except OSError:
        pass
    finally:
        os.close(pidfd)
