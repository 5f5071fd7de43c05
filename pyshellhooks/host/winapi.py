"""Calls of Windows that Python does not have."""

from __future__ import annotations

import sys

assert sys.platform == "win32"

import _winapi  # noqa: E402
import ctypes  # noqa: E402
import msvcrt  # noqa: E402
import os  # noqa: E402
from ctypes import wintypes  # noqa: E402

_kernel = ctypes.WinDLL("kernel32", use_last_error=True)
_KILL_ON_JOB_CLOSE = 0x2000
_EXTENDED_LIMIT, _ACCOUNTING = 9, 1


class _BasicLimit(ctypes.Structure):
    _fields_ = [
        ("PerProcessUserTimeLimit", ctypes.c_int64),
        ("PerJobUserTimeLimit", ctypes.c_int64),
        ("LimitFlags", wintypes.DWORD),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", wintypes.DWORD),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", wintypes.DWORD),
        ("SchedulingClass", wintypes.DWORD),
    ]


class _ExtendedLimit(ctypes.Structure):
    _fields_ = [
        ("BasicLimitInformation", _BasicLimit),
        ("IoInfo", ctypes.c_uint64 * 6),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    ]


class _Accounting(ctypes.Structure):
    _fields_ = [
        ("Times", ctypes.c_int64 * 4),
        ("TotalPageFaultCount", wintypes.DWORD),
        ("TotalProcesses", wintypes.DWORD),
        ("ActiveProcesses", wintypes.DWORD),
        ("TotalTerminatedProcesses", wintypes.DWORD),
    ]


class _ProcessInformation(ctypes.Structure):
    _fields_ = [
        ("ExitStatus", ctypes.c_void_p),
        ("PebBaseAddress", ctypes.c_void_p),
        ("AffinityMask", ctypes.c_void_p),
        ("BasePriority", ctypes.c_void_p),
        ("UniqueProcessId", ctypes.c_void_p),
        ("ParentProcessId", ctypes.c_void_p),
    ]


class _MemoryCounters(ctypes.Structure):
    _fields_ = [
        ("cb", wintypes.DWORD),
        ("PageFaultCount", wintypes.DWORD),
        ("PeakWorkingSetSize", ctypes.c_size_t),
        ("WorkingSetSize", ctypes.c_size_t),
        ("Others", ctypes.c_size_t * 6),
    ]


_kernel.CreateJobObjectW.restype = wintypes.HANDLE
_kernel.CreateJobObjectW.argtypes = [ctypes.c_void_p, wintypes.LPCWSTR]
_kernel.SetInformationJobObject.argtypes = [wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD]
_kernel.QueryInformationJobObject.argtypes = [
    wintypes.HANDLE,
    ctypes.c_int,
    ctypes.c_void_p,
    wintypes.DWORD,
    ctypes.c_void_p,
]
_kernel.AssignProcessToJobObject.argtypes = [wintypes.HANDLE, wintypes.HANDLE]
_kernel.TerminateJobObject.argtypes = [wintypes.HANDLE, wintypes.UINT]
_kernel.ResumeThread.argtypes = [wintypes.HANDLE]
_kernel.ResumeThread.restype = wintypes.DWORD
_kernel.SetNamedPipeHandleState.argtypes = [wintypes.HANDLE, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]


_kernel.K32GetProcessMemoryInfo.argtypes = [wintypes.HANDLE, ctypes.c_void_p, wintypes.DWORD]
_THIS_PROCESS = wintypes.HANDLE(-1)


def resident_memory() -> int | None:
    """Return the bytes of this process in memory, or None if the system does not report them."""
    counters = _MemoryCounters()
    size = counters.cb = ctypes.sizeof(counters)
    if not _kernel.K32GetProcessMemoryInfo(_THIS_PROCESS, ctypes.byref(counters), size):
        return None
    return int(counters.WorkingSetSize)


_kernel.CreateFileW.restype = wintypes.HANDLE
_kernel.CreateFileW.argtypes = [
    wintypes.LPCWSTR,
    wintypes.DWORD,
    wintypes.DWORD,
    ctypes.c_void_p,
    wintypes.DWORD,
    wintypes.DWORD,
    wintypes.HANDLE,
]
_READ, _WRITE, _SHARE_ALL = 0x80000000, 0x40000000, 7
_ACCESS = {os.O_RDONLY: _READ, os.O_WRONLY: _WRITE, os.O_RDWR: _READ | _WRITE}
_READ_ONLY, _NORMAL = 0x1, 0x80
# The ways to create a file, by the flags CREAT, EXCL and TRUNC, as in the C runtime's ``open``.
_CREATE_NEW, _CREATE_ALWAYS, _OPEN_EXISTING, _OPEN_ALWAYS, _TRUNCATE_EXISTING = 1, 2, 3, 4, 5


def open_shared(path: str, flags: int, mode: int) -> int:
    """Open a file as ``os.open`` does, but so that it can be renamed and removed meanwhile. Raises ``OSError``."""
    if not flags & os.O_CREAT:
        way = _TRUNCATE_EXISTING if flags & os.O_TRUNC else _OPEN_EXISTING
    elif flags & os.O_EXCL:
        way = _CREATE_NEW
    else:
        way = _CREATE_ALWAYS if flags & os.O_TRUNC else _OPEN_ALWAYS
    access = _ACCESS[flags & (os.O_WRONLY | os.O_RDWR)]
    attributes = _NORMAL if mode & 0o200 or not flags & os.O_CREAT else _READ_ONLY
    handle = _kernel.CreateFileW(path, access, _SHARE_ALL, None, way, attributes, None)
    if handle in (None, wintypes.HANDLE(-1).value):
        error = ctypes.WinError(ctypes.get_last_error())
        error.filename = path
        raise error
    try:
        return msvcrt.open_osfhandle(
            handle, flags & (os.O_APPEND | os.O_WRONLY | os.O_RDWR) | os.O_BINARY | os.O_NOINHERIT
        )
    except OSError:
        _winapi.CloseHandle(handle)
        raise


def new_job() -> int:
    """Create a Job Object whose processes die with its last handle, and return the handle; 0 if the system refuses."""
    job = _kernel.CreateJobObjectW(None, None)
    if not job:
        return 0
    limit = _ExtendedLimit()
    limit.BasicLimitInformation.LimitFlags = _KILL_ON_JOB_CLOSE
    _kernel.SetInformationJobObject(job, _EXTENDED_LIMIT, ctypes.byref(limit), ctypes.sizeof(limit))
    return int(job)


def assign(job: int, process: int) -> bool:
    """Assign a process, and so its future children, to a job. Return whether that worked."""
    return bool(_kernel.AssignProcessToJobObject(job, process))


def terminate_job(job: int, code: int) -> None:
    """End every process of a job."""
    _kernel.TerminateJobObject(job, code)


def active_processes(job: int) -> int:
    """Return the number of living processes of a job."""
    info = _Accounting()
    if not _kernel.QueryInformationJobObject(job, _ACCOUNTING, ctypes.byref(info), ctypes.sizeof(info), None):
        return 0
    return int(info.ActiveProcesses)


def resume(thread: int) -> None:
    """Resume the thread of a process that was started suspended. Raises ``OSError``."""
    if _kernel.ResumeThread(thread) == 0xFFFFFFFF:
        raise ctypes.WinError(ctypes.get_last_error())


def unblock_pipe(handle: int) -> None:
    """Set a pipe to PIPE_NOWAIT. Raises ``OSError``."""
    mode = wintypes.DWORD(1)
    if not _kernel.SetNamedPipeHandleState(handle, ctypes.byref(mode), None, None):
        raise ctypes.WinError(ctypes.get_last_error())


def parent_pid() -> int:
    """Return the parent's process id. ``os.getppid`` uses a process snapshot, which is slow and missing in Wine."""
    info = _ProcessInformation()
    query = ctypes.WinDLL("ntdll").NtQueryInformationProcess
    query.argtypes = [wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.ULONG, ctypes.c_void_p]
    query(wintypes.HANDLE(-1), 0, ctypes.byref(info), ctypes.sizeof(info), None)
    return int(info.ParentProcessId or 0)
