"""The processes of the system: Linux's /proc, macOS's libproc, or psutil.

``process_table`` chooses the source once. Zombies have no state: they are left out everywhere.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib import import_module
from typing import Any


class ProcessState:
    """One process at one moment; ``start`` distinguishes it from a later one with the same pid.

    ``headless``: its main thread has ended, and others still run. ``origin``: the ``start`` of the process that started it,
    which may have ended meanwhile; ``""`` if the system does not keep it.
    """

    __slots__ = ("group", "headless", "origin", "parent", "pid", "session", "start")

    def __init__(
        self, pid: int, parent: int, group: int, session: int, start: str, *, headless: bool = False, origin: str = ""
    ) -> None:
        self.pid = pid
        self.parent = parent
        self.group = group
        self.session = session
        self.start = start
        self.headless = headless
        self.origin = origin


class ProcessTable:
    """A source of processes. This one knows none, for a system without any source."""

    def pids(self) -> list[int]:
        """Return the number of every process, zombies included or not."""
        return []

    def read(self, pid: int) -> ProcessState | None:
        """Return the current state of a process, or None if it has ended or can't be read."""
        return None

    def exists(self, pid: int) -> bool:
        """Return whether a process or its zombie exists."""
        return False

    def children(self, pid: int) -> list[int]:
        """Return the current children of a process, with or without zombies."""
        states = [self.read(number) for number in self.pids()]
        return [state.pid for state in states if state is not None and state.parent == pid]

    def environment(self, pid: int) -> list[bytes]:
        """Return the variables that a process was started with, as ``NAME=VALUE``; an empty list if it can't be read."""
        return []

    def threads(self, pid: int) -> list[int]:
        """Return the threads of a process, if their environment can be read as that of a process."""
        return []

    def identity(self, pid: int) -> str:
        """Return the ``start`` of a process or its zombie, if other states can have it as their ``origin``; else ``""``."""
        return ""

    def memory(self, pid: int) -> int | None:
        """Return the memory that a process takes now, in bytes, or None if it is not known."""
        return None


class ProcTable(ProcessTable):
    """Linux's /proc."""

    def pids(self) -> list[int]:
        try:
            return [int(name) for name in os.listdir("/proc") if name.isdigit()]
        except OSError:
            return []

    def read(self, pid: int) -> ProcessState | None:
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()  # the name in parentheses may contain any character
            ended = fields[0] in b"ZX"
            if ended and int(fields[17]) < 2:
                return None
            parent, group, session = int(fields[1]), int(fields[2]), int(fields[3])
            return ProcessState(pid, parent, group, session, fields[19].decode(), headless=ended)
        except (OSError, IndexError, ValueError):
            return None

    def exists(self, pid: int) -> bool:
        return os.path.exists(f"/proc/{pid}")

    def children(self, pid: int) -> list[int]:
        from .subreaper import children

        return children(pid)

    def environment(self, pid: int) -> list[bytes]:
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                return file.read().split(b"\0")
        except OSError:
            return []

    def threads(self, pid: int) -> list[int]:
        try:
            return [int(name) for name in os.listdir(f"/proc/{pid}/task")]
        except OSError:
            return []


class PsutilTable(ProcessTable):
    """The processes by psutil, on other systems."""

    def __init__(self, psutil: Any) -> None:
        self._psutil = psutil

    def pids(self) -> list[int]:
        return [int(pid) for pid in self._psutil.pids()]

    def read(self, pid: int) -> ProcessState | None:
        try:
            process = self._psutil.Process(pid)
            if process.status() == self._psutil.STATUS_ZOMBIE:
                return None
            start = str(process.create_time())
            return ProcessState(pid, process.ppid() or 0, os.getpgid(pid), os.getsid(pid), start)
        except (OSError, self._psutil.Error):
            return None

    def exists(self, pid: int) -> bool:
        return bool(self._psutil.pid_exists(pid))

    def environment(self, pid: int) -> list[bytes]:
        try:
            variables = self._psutil.Process(pid).environ()
        except (OSError, self._psutil.Error):
            return []
        return [os.fsencode(f"{name}={value}") for name, value in variables.items()]

    def memory(self, pid: int) -> int | None:
        try:
            return int(self._psutil.Process(pid).memory_info().rss)
        except (OSError, self._psutil.Error):
            return None


@cache
def process_table() -> ProcessTable:
    """Return the source of processes on this system."""
    if os.path.isdir("/proc/self"):
        return ProcTable()
    if sys.platform == "darwin":
        from .libproc import LibProc, LibProcTable

        try:
            return LibProcTable(LibProc())
        except (ImportError, OSError, AttributeError):  # a Python without ctypes, or a library without these calls
            pass
    try:
        return PsutilTable(import_module("psutil"))
    except ImportError:
        return ProcessTable()
