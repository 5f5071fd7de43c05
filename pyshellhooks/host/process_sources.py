"""The processes of the system: Linux's /proc, macOS's libproc, or psutil.

``process_table`` chooses the source once. Zombies have no state: they are left out everywhere.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

from .process_table import ProcessState, ProcessTable


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


_table: ProcessTable | None = None


def process_table() -> ProcessTable:
    """Return the source of processes on this system, chosen at the first call."""
    global _table
    if _table is None:
        _table = _choose()
    return _table


def _choose() -> ProcessTable:
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
