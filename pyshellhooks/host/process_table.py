"""A source of the system's processes; ``process_sources`` has those of each system."""

from __future__ import annotations


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
