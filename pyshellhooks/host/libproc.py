"""Processes on macOS, by libproc and sysctl.

The calls and structures are those of XNU: ``bsd/sys/proc_info.h``, ``bsd/sys/proc_info_private.h``, ``bsd/sys/resource.h``
and ``bsd/kern/kern_sysctl.c`` (``sysctl_procargsx``). They are the same in every macOS from 11 on, on both processors.
"""

from __future__ import annotations

import ctypes
import os
import struct
from typing import Any

from .process_table import ProcessState, ProcessTable

PROC_ALL_PIDS, PROC_PPID_ONLY = 1, 6
PROC_PIDUNIQIDENTIFIERINFO, PROC_PIDT_BSDINFOWITHUNIQID = 17, 18
RUSAGE_INFO_V0 = 0
CTL_KERN, KERN_ARGMAX, KERN_PROCARGS2 = 1, 8, 49

_SPARE_PIDS = 64  # processes that may start between the count and the list


class UniqueIds(ctypes.Structure):
    """``struct proc_uniqidentifierinfo``; unlike a pid, a unique id is never used again.

    ``parent_unique_id`` stays that of the process that called fork when this parent has ended.
    """

    _fields_ = [
        ("uuid", ctypes.c_uint8 * 16),
        ("unique_id", ctypes.c_uint64),
        ("parent_unique_id", ctypes.c_uint64),
        ("id_version", ctypes.c_int32),
        ("original_parent_version", ctypes.c_int32),
        ("reserved", ctypes.c_uint64 * 2),
    ]


class BsdInfo(ctypes.Structure):
    """``struct proc_bsdinfo``."""

    _fields_ = [
        ("flags", ctypes.c_uint32),
        ("status", ctypes.c_uint32),
        ("exit_status", ctypes.c_uint32),
        ("pid", ctypes.c_uint32),
        ("ppid", ctypes.c_uint32),
        ("ids", ctypes.c_uint32 * 6),
        ("reserved", ctypes.c_uint32),
        ("comm", ctypes.c_char * 16),
        ("name", ctypes.c_char * 32),
        ("files", ctypes.c_uint32),
        ("pgid", ctypes.c_uint32),
        ("job_control", ctypes.c_uint32),
        ("terminal", ctypes.c_uint32),
        ("terminal_pgid", ctypes.c_uint32),
        ("nice", ctypes.c_int32),
        ("start_seconds", ctypes.c_uint64),
        ("start_microseconds", ctypes.c_uint64),
    ]


class BsdInfoWithIds(ctypes.Structure):
    """``struct proc_bsdinfowithuniqid``."""

    _fields_ = [("bsd", BsdInfo), ("unique", UniqueIds)]


class ResourceUsage(ctypes.Structure):
    """``struct rusage_info_v0``."""

    _fields_ = [
        ("uuid", ctypes.c_uint8 * 16),
        ("user_time", ctypes.c_uint64),
        ("system_time", ctypes.c_uint64),
        ("idle_wakeups", ctypes.c_uint64),
        ("interrupt_wakeups", ctypes.c_uint64),
        ("page_ins", ctypes.c_uint64),
        ("wired_size", ctypes.c_uint64),
        ("resident_size", ctypes.c_uint64),
        ("footprint", ctypes.c_uint64),
        ("start_time", ctypes.c_uint64),
        ("exit_time", ctypes.c_uint64),
    ]


class LibProc:
    """The four calls, with Python's values. Raises ``OSError`` or ``AttributeError`` if the library has no such call."""

    def __init__(self, library: Any = None) -> None:
        system = library or ctypes.CDLL("/usr/lib/libSystem.B.dylib", use_errno=True)
        self._list, self._info, self._usage = system.proc_listpids, system.proc_pidinfo, system.proc_pid_rusage
        self._sysctl = system.sysctl
        if library is None:
            integer, pointer, size = ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t
            self._list.argtypes = [ctypes.c_uint32, ctypes.c_uint32, pointer, integer]
            self._info.argtypes = [integer, integer, ctypes.c_uint64, pointer, integer]
            self._usage.argtypes = [integer, integer, pointer]
            self._sysctl.argtypes = [pointer, ctypes.c_uint, pointer, pointer, pointer, size]

    def pids(self, kind: int, value: int) -> list[int]:
        """Return the numbers of all processes, or of those whose parent is ``value``."""
        wanted = self._list(kind, value, None, 0) // 4 + _SPARE_PIDS
        numbers = (ctypes.c_int * wanted)()
        length = self._list(kind, value, ctypes.byref(numbers), ctypes.sizeof(numbers))
        return [number for number in numbers[: max(length, 0) // 4] if number > 0]

    def info(self, pid: int, flavor: int, into: ctypes.Structure, *, zombies: bool = False) -> bool:
        """Fill a structure. Return whether the process exists and may be read."""
        size = ctypes.sizeof(into)
        return bool(self._info(pid, flavor, int(zombies), ctypes.byref(into), size) == size)

    def footprint(self, pid: int) -> int | None:
        """Return the memory that a process takes now, in bytes: that of ``footprint`` and of Activity Monitor."""
        usage = ResourceUsage()
        if self._usage(pid, RUSAGE_INFO_V0, ctypes.byref(usage)) != 0:
            return None
        return int(usage.footprint)

    def arguments(self, pid: int) -> bytes:
        """Return the arguments and variables of a process as the kernel copies them; ``b""`` if they can't be read."""
        name = (ctypes.c_int * 3)(CTL_KERN, KERN_PROCARGS2, pid)
        size = ctypes.c_size_t(self._most_arguments())
        text = ctypes.create_string_buffer(size.value)
        if self._sysctl(ctypes.byref(name), 3, ctypes.byref(text), ctypes.byref(size), None, 0) != 0:
            return b""
        return text.raw[: size.value]

    def _most_arguments(self) -> int:
        """Return ``ARG_MAX``: with a smaller buffer the kernel copies the end of the text and not its beginning."""
        name, most = (ctypes.c_int * 2)(CTL_KERN, KERN_ARGMAX), ctypes.c_int(0)
        size = ctypes.c_size_t(ctypes.sizeof(most))
        is_known = self._sysctl(ctypes.byref(name), 2, ctypes.byref(most), ctypes.byref(size), None, 0) == 0
        if is_known and most.value > 0:
            return most.value
        return 1 << 20  # the usual value


class LibProcTable(ProcessTable):
    """The processes of macOS that this user may read.

    The kernel gives no variables of a program that it restricts (those of ``/bin``). So their cookie can't be found, but
    their ``origin`` can.
    """

    def __init__(self, library: LibProc) -> None:
        self._library = library

    def pids(self) -> list[int]:
        return self._library.pids(PROC_ALL_PIDS, 0)

    def read(self, pid: int) -> ProcessState | None:
        info = BsdInfoWithIds()
        if not self._library.info(pid, PROC_PIDT_BSDINFOWITHUNIQID, info):
            return None
        try:
            session = os.getsid(pid)
        except OSError:  # it has just ended
            return None
        unique = info.unique
        start, origin = str(unique.unique_id), str(unique.parent_unique_id)
        return ProcessState(pid, info.bsd.ppid, info.bsd.pgid, session, start, origin=origin)

    def exists(self, pid: int) -> bool:
        return self.identity(pid) != ""

    def children(self, pid: int) -> list[int]:
        return self._library.pids(PROC_PPID_ONLY, pid)

    def environment(self, pid: int) -> list[bytes]:
        return variables_of(self._library.arguments(pid))

    def identity(self, pid: int) -> str:
        ids = UniqueIds()
        if not self._library.info(pid, PROC_PIDUNIQIDENTIFIERINFO, ids, zombies=True):
            return ""
        return str(ids.unique_id)

    def memory(self, pid: int) -> int | None:
        return self._library.footprint(pid)


def variables_of(text: bytes) -> list[bytes]:
    """Return the variables in the text of ``KERN_PROCARGS2``.

    It has the number of arguments, the path of the program, NULs up to a word's end, the arguments, and the variables up to
    an empty one. An empty first argument looks like such a NUL, and the first variable then counts as an argument.
    """
    if len(text) < 4:
        return []
    (count,) = struct.unpack_from("=i", text)
    rest = text[4:].partition(b"\0")[2].lstrip(b"\0")
    variables = rest.split(b"\0")[max(count, 0) :]
    return variables[: variables.index(b"")] if b"" in variables else variables
