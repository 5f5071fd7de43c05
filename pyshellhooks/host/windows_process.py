"""A native child on Windows, in its own Job Object."""

from __future__ import annotations

import sys

assert sys.platform == "win32"

import _winapi  # noqa: E402
import errno  # noqa: E402
import msvcrt  # noqa: E402
import os  # noqa: E402
import threading  # noqa: E402
from collections.abc import Sequence  # noqa: E402
from time import monotonic  # noqa: E402

from ..cancel import ENDED, CancelScope, about_to_block  # noqa: E402
from ..errors import message_of  # noqa: E402
from . import winapi  # noqa: E402
from . import windows_text as text  # noqa: E402
from .base import COOKIE, Process, Start, with_cookie  # noqa: E402
from .windows import WindowsHost  # noqa: E402

_SLICE = 0.01  # seconds until a cancel is noticed; the child's end is noticed at once
_REAP_SECONDS = 0.4
_NEW_GROUP, _NO_WINDOW, _SUSPENDED = 0x200, 0x08000000, 0x4
_LONGEST, _LONGEST_OF_CMD = 32766, 8191
_IGNORED = frozenset((0, 17, 18, 23, 28))  # a probe, CHLD, CONT, URG, WINCH
_STOPPING = frozenset((19, 20, 21, 22))


class WindowsProcess(Process):
    """A child, its handle, and the job of the child and all its descendants.

    The job dies with the host. After the child's end its descendants live on in the job, which the host keeps until the
    run's end.
    """

    __slots__ = ("_handle", "_host", "_job", "_lock", "_status")

    def __init__(self, host: WindowsHost, handle: int, pid: int, job: int, name: str, cookie: str) -> None:
        self.pid = pid
        self.name = name
        self.cookie = cookie
        self.signaled = None
        self._host = host
        self._handle = handle
        self._job = job
        self._lock = threading.Lock()
        self._status: int | None = None

    def poll(self) -> int | None:
        with self._lock:
            if self._status is None and _winapi.WaitForSingleObject(self._handle, 0) == _winapi.WAIT_OBJECT_0:
                code = _winapi.GetExitCodeProcess(self._handle) & 0xFFFFFFFF
                self._status = text.status_of(code) if self.signaled is None else 128 + self.signaled
                _winapi.CloseHandle(self._handle)
                self._host.children.discard(self)
                if self._job:
                    self._leave_job()
            return self._status

    def _leave_job(self) -> None:
        job, self._job = self._job, 0
        if winapi.active_processes(job):
            self._host.keep_job(self.cookie, job)
        else:
            _winapi.CloseHandle(job)

    def wait(self, scope: CancelScope) -> int:
        if (status := self.poll()) is not None:
            return status
        about_to_block()
        while (status := self.poll()) is None:
            if scope.stop is not None and scope.stop.reason == ENDED:
                scope.check()  # the run has ended normally: background children stay
            if scope.stop is not None and monotonic() >= (scope.hard or 0.0):
                self.kill_tree()
                self.ended(monotonic() + _REAP_SECONDS)
                self.poll()
                scope.check()
            self._wait_slice(_SLICE)
        return status

    def _wait_slice(self, seconds: float) -> None:
        with self._lock:
            if self._status is not None:
                return
            copy = _duplicate(self._handle, inherit=False)  # another thread may reap and close meanwhile
        try:
            _winapi.WaitForSingleObject(copy, max(0, int(seconds * 1000)))
        finally:
            _winapi.CloseHandle(copy)

    def signal(self, number: int, *, group: bool = True) -> None:
        # Not CTRL_BREAK_EVENT either: see ``send_term``. The job ends with the child, whatever ``group`` is.
        if number in _STOPPING:
            raise OSError(errno.ENOTSUP, "Operation not supported")
        if number not in _IGNORED:
            self.terminate(number)

    def send_term(self) -> None:
        # A child without our console gets no CTRL_BREAK_EVENT, and GenerateConsoleCtrlEvent for a group that is not on
        # our console may reach every process that is, such as the host itself. So the child only gets its grace.
        pass

    def ended(self, until: float) -> bool:
        while True:
            with self._lock:
                if self._status is not None:
                    return True
                if _winapi.WaitForSingleObject(self._handle, 0) == _winapi.WAIT_OBJECT_0:
                    return True
            left = until - monotonic()
            if left <= 0:
                return False
            self._wait_slice(min(left, 0.05))

    def kill_tree(self) -> None:
        self.terminate(9)

    def terminate(self, number: int) -> None:
        """End the child and everything in its job."""
        with self._lock:
            if self._status is not None:
                return
            if _winapi.WaitForSingleObject(self._handle, 0) != _winapi.WAIT_OBJECT_0:
                self.signaled = number
            if self._job:
                winapi.terminate_job(self._job, 128 + number)
            try:
                _winapi.TerminateProcess(self._handle, 128 + number)
            except OSError:  # ended already
                pass


class _StartupInfo:
    """The attributes that ``_winapi.CreateProcess`` reads; subprocess.STARTUPINFO would import subprocess."""

    dwFlags = 0x100  # STARTF_USESTDHANDLES
    wShowWindow = 0

    def __init__(self, handles: Sequence[int]) -> None:
        self.hStdInput, self.hStdOutput, self.hStdError = handles
        self.lpAttributeList = {"handle_list": list(handles)}


def start(host: WindowsHost, parameters: Start) -> WindowsProcess:
    """Start the program; see ``Host.spawn``. Descriptors above 2 are not passed on. Called under the gate."""
    executable, env, cwd, fds, cookie = (
        parameters.executable,
        parameters.env,
        parameters.cwd,
        parameters.fds,
        parameters.cookie,
    )
    program, line = _command(parameters.argv, executable)
    variables = host.child_env({**env, COOKIE: with_cookie(env.get(COOKIE, ""), cookie)})
    if any("\0" in item for item in (line, cwd, *variables, *variables.values())):
        raise OSError(errno.EINVAL, "Invalid argument", executable)
    directory = text.native_path(cwd)
    text.check_directory(directory)
    handles: list[int] = []
    opened: list[int] = []
    try:
        for number in (0, 1, 2):
            fd = fds.get(number, -1)
            if fd < 0:
                fd = os.open(os.devnull, os.O_RDONLY if number else os.O_WRONLY)
                opened.append(fd)
            handles.append(_duplicate(msvcrt.get_osfhandle(fd), inherit=True))
        process, thread, pid, _ = _winapi.CreateProcess(
            program,
            line,
            None,
            None,
            True,
            _SUSPENDED | _NEW_GROUP | _NO_WINDOW,
            variables,
            directory,
            _StartupInfo(handles),
        )
    except OSError as error:
        raise _shell_error(error, executable) from None
    finally:
        for handle in handles:
            _winapi.CloseHandle(handle)
        for fd in opened:
            os.close(fd)
    # Suspended until it is in its job: otherwise it could start a child outside of it.
    job = winapi.new_job()
    if job and not winapi.assign(job, process):
        _winapi.CloseHandle(job)
        job = 0
    try:
        winapi.resume(thread)
    except OSError:
        _winapi.TerminateProcess(process, 1)
        raise
    finally:
        _winapi.CloseHandle(thread)
    return WindowsProcess(host, process, pid, job, parameters.name, cookie)


def _command(argv: Sequence[str], executable: str) -> tuple[str, str]:
    program = text.native_path(executable)
    longest = _LONGEST
    if program.lower().endswith((".bat", ".cmd")):
        cmd = os.path.join(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "cmd.exe")
        line = text.batch_command_line(cmd, program, argv[1:])
        program, longest = cmd, _LONGEST_OF_CMD
    else:
        line = text.command_line(argv)
    if len(line) > longest:
        raise OSError(errno.E2BIG, "Argument list too long", executable)
    return program, line


def _duplicate(handle: int, *, inherit: bool) -> int:
    me = _winapi.GetCurrentProcess()
    return int(_winapi.DuplicateHandle(me, handle, me, 0, inherit, _winapi.DUPLICATE_SAME_ACCESS))


def _shell_error(error: OSError, executable: str) -> OSError:
    if error.winerror in (193, 216):  # not a program, or one for another processor
        return OSError(errno.ENOEXEC, "Exec format error", executable)
    if error.winerror == 206:
        return OSError(errno.E2BIG, "Argument list too long", executable)
    return OSError(error.errno, message_of(error), executable)
