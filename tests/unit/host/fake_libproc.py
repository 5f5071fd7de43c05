"""A fake of macOS's libSystem: libproc and sysctl, with the answers in Apple's layouts.

The layouts are XNU's, written here as formats of ``struct`` and not with the structures that the package uses:
``struct proc_bsdinfo`` (136 bytes, bsd/sys/proc_info.h), ``struct proc_uniqidentifierinfo`` (56 bytes,
bsd/sys/proc_info_private.h), ``struct rusage_info_v0`` (96 bytes, bsd/sys/resource.h) and the text of ``KERN_PROCARGS2``
(``sysctl_procargsx``, bsd/kern/kern_sysctl.c).
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable
from typing import Any

_BSD_INFO = struct.Struct("=12I16s32s5Ii2Q")
_UNIQUE_IDS = struct.Struct("=16s2Q2i2Q")
_USAGE = struct.Struct("=16s10Q")
_ARG_MAX = 1 << 20


class FakeProcess:
    """One process. ``restricted``: the kernel gives its arguments without the variables, as for programs of /bin."""

    def __init__(
        self,
        pid: int,
        parent: int,
        unique_id: int,
        parent_unique_id: int,
        *,
        group: int = 0,
        zombie: bool = False,
        variables: Iterable[bytes] = (),
        words: Iterable[bytes] = (b"sh",),
        restricted: bool = False,
    ) -> None:
        self.pid, self.parent, self.group, self.zombie = pid, parent, group or pid, zombie
        self.unique_id, self.parent_unique_id = unique_id, parent_unique_id
        self.variables, self.words, self.restricted = list(variables), list(words), restricted

    def bsd_info(self) -> bytes:
        status = 5 if self.zombie else 2
        numbers = (0x10, status, 0, self.pid, self.parent, 501, 20, 501, 20, 501, 20, 0)
        return _BSD_INFO.pack(*numbers, b"name", b"name", 3, self.group, 1, 0, 0, 0, 1_700_000_000, self.pid)

    def unique_ids(self) -> bytes:
        return _UNIQUE_IDS.pack(b"u" * 16, self.unique_id, self.parent_unique_id, 1, 1, 0, 0)

    def arguments(self) -> bytes:
        """The number of arguments, the program's path, NULs up to a word, the arguments, the variables, "", Apple's strings."""
        path = b"/bin/a\0"
        text = path + b"\0" * (-len(path) % 8) + b"".join(word + b"\0" for word in self.words)
        if not self.restricted:
            text += b"".join(variable + b"\0" for variable in self.variables)
            text += b"\0ptr_munge=\0main_stack=\0"
        return struct.pack("=i", len(self.words)) + text


class FakeSystem:
    """The library. ``processes`` is the table of the kernel; a subclass may read it from elsewhere."""

    def __init__(self, processes: Iterable[FakeProcess] = (), footprint: int = 0) -> None:
        self.table = {process.pid: process for process in processes}
        self.footprint = footprint

    def processes(self) -> dict[int, FakeProcess]:
        return self.table

    def process(self, pid: int) -> FakeProcess | None:
        return self.processes().get(pid)

    def proc_listpids(self, kind: int, value: int, buffer: Any, size: int) -> int:
        assert kind in (1, 6)
        found = self.processes().values()
        pids = [process.pid for process in found if kind == 1 or process.parent == value]
        if buffer is None:
            return (len(found) + 20) * 4
        data = struct.pack(f"={len(pids)}i", *pids)[:size]
        _fill(buffer, data)
        return len(data)

    def proc_pidinfo(self, pid: int, flavor: int, zombies: int, buffer: Any, size: int) -> int:
        process = self.process(pid)
        if process is None or (process.zombie and not zombies):
            return 0
        data = {18: lambda: process.bsd_info() + process.unique_ids(), 17: process.unique_ids}[flavor]()
        if size < len(data):
            return 0
        _fill(buffer, data)
        return len(data)

    def proc_pid_rusage(self, pid: int, flavor: int, buffer: Any) -> int:
        assert flavor == 0
        if pid != os.getpid():
            return -1
        _fill(buffer, _USAGE.pack(b"u" * 16, 1, 2, 3, 4, 5, 6, self.footprint * 2, self.footprint, 7, 0))
        return 0

    def sysctl(self, name: Any, length: int, buffer: Any, size: Any, new: None, new_size: int) -> int:
        numbers = ctypes.cast(name, ctypes.POINTER(ctypes.c_int))[:length]
        room = ctypes.cast(size, ctypes.POINTER(ctypes.c_size_t))
        if numbers == [1, 8]:
            _fill(buffer, struct.pack("=i", _ARG_MAX))
            return 0
        assert numbers[:2] == [1, 49], numbers
        process = self.process(numbers[2])
        if process is None or process.zombie or room[0] - 4 > _ARG_MAX:
            return -1
        data = process.arguments()
        if room[0] < len(data):  # the kernel copies the end of the text
            data = data[:4] + data[4:][-(room[0] - 4) :]
        _fill(buffer, data)
        room[0] = len(data)
        return 0


class ProcBackedSystem(FakeSystem):
    """The same library over Linux's /proc, so that real processes can be found through it."""

    def processes(self) -> dict[int, FakeProcess]:
        found = (self.process(int(name)) for name in os.listdir("/proc") if name.isdigit())
        return {process.pid: process for process in found if process is not None}

    def process(self, pid: int) -> FakeProcess | None:
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
            with open(f"/proc/{pid}/environ", "rb") as file:
                variables = [variable for variable in file.read().split(b"\0") if variable]
        except OSError:
            return None
        unique, group = int(fields[19]) << 22 | pid, int(fields[2])
        zombie = fields[0] == b"Z"
        return FakeProcess(pid, int(fields[1]), unique, 0, group=group, zombie=zombie, variables=variables)


def _fill(buffer: Any, data: bytes) -> None:
    ctypes.memmove(buffer, data, len(data))
