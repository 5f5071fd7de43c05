"""The host on Windows."""

from __future__ import annotations

import sys

assert sys.platform == "win32"

import _winapi  # noqa: E402
import errno  # noqa: E402
import msvcrt  # noqa: E402
import os  # noqa: E402
import stat  # noqa: E402
import threading  # noqa: E402
from collections.abc import Callable, Mapping, Sequence  # noqa: E402
from time import sleep  # noqa: E402

from ..cancel import CancelScope, about_to_block  # noqa: E402
from ..windows_paths import script_path_or_relative, slashed  # noqa: E402
from . import windows_text as text  # noqa: E402
from .base import Children, Host, Process, Start  # noqa: E402

PIPE_SIZE = 65536
LONGEST_PAUSE = 0.01


class WindowsHost(Host):
    """The operating system of a native Windows interpreter."""

    windows = True
    crlf = True
    extra_fds = False  # C runtimes inherit them through a block in STARTUPINFO, which Python can't fill
    pid_base = 1 << 30
    atomic_write = 4096

    def __init__(self) -> None:
        self.children = Children()
        self._lock = threading.Lock()
        self._jobs: dict[str, list[int]] = {}  # jobs whose child was reaped and which have other processes

    def environ(self) -> dict[str, str]:
        return dict(os.environ)

    def getcwd(self) -> str:
        return script_path_or_relative(os.getcwd(), os.path.isdir)

    def getpid(self) -> int:
        return os.getpid()

    def getppid(self) -> int:
        from . import winapi

        return winapi.parent_pid()

    def uid(self) -> int:
        return 0

    def gid(self) -> int:
        return 0

    def euid(self) -> int:
        return 0

    def owners_count(self, path: str) -> bool:
        return False

    def umask(self) -> int:
        return 0o022

    def resident(self) -> int | None:
        from . import winapi

        return winapi.resident_memory()

    def hostname(self) -> str:
        return os.environ.get("COMPUTERNAME", "localhost")

    def home(self, user: str = "") -> str | None:
        return None if user else self.shell_env(self.environ()).get("HOME")

    def user_name(self) -> str | None:
        return self.environ().get("USERNAME")

    def account(self, user: str | int) -> tuple[str, int, int] | None:
        own = self.user_name()
        if own is None or user not in (own, self.uid()):
            return None
        return own, self.uid(), self.gid()

    def group_name(self, number: int) -> str | None:
        return self.user_name() if number == self.gid() else None

    def system(self) -> tuple[str, str, str, str]:
        # The output of MSYS2's uname, by which scripts recognize a shell on Windows.
        version = sys.getwindowsversion()
        release = f"{version.major}.{version.minor}"
        machine = os.environ.get("PROCESSOR_ARCHITECTURE", "AMD64").lower()
        names = {"amd64": "x86_64", "arm64": "aarch64", "x86": "i686"}
        return (
            f"MSYS_NT-{release}-{version.build}",
            f"{release}.{version.build}",
            str(version.build),
            names.get(machine, machine),
        )

    def temporary_directory(self) -> str:
        for name in ("TMPDIR", "TEMP", "TMP"):
            if os.path.isdir(os.environ.get(name, "")):
                return script_path_or_relative(os.environ[name], os.path.isdir)
        return slashed(os.environ.get("SYSTEMROOT", "C:/Windows")) + "/Temp"

    def which(self, name: str, path: str, cwd: str) -> str | None:
        script = placeholder = None
        for element in text.split_list(path):
            directory = slashed(text.native_path(element)) if element else cwd
            if not (text.drive_of(directory) or directory.startswith("/")):
                directory = f"{cwd}/{directory}"
            full = f"{directory.rstrip('/')}/{name}"
            program = self.find_executable(full)
            if program is None:
                script = script or (full if _is_script(full) else None)
            elif text.is_placeholder(program):
                placeholder = placeholder or (None if text.is_wsl_stub(program) else program)
            elif not text.is_wsl_stub(program):
                return program
        return script or placeholder

    def is_placeholder(self, path: str) -> bool:
        return text.is_placeholder(path)

    def ran_nothing(self, path: str, status: int) -> bool:
        return status in text.PLACEHOLDER_STATUSES and text.is_placeholder(path)

    def find_executable(self, path: str) -> str | None:
        path = slashed(path)
        if text.has_reserved_name(path):
            return None
        native = text.native_path(path)
        known = text.extensions(os.environ.get("PATHEXT", ""))
        if os.path.splitext(native)[1].lower() in known and _is_file(native):
            return path
        for extension in known:
            if _is_file(native + extension):
                return path + extension
        # Windows has no execute bits: a script is a file with a #! line.
        return path if _is_file(native) and _has_shebang(native) else None

    def child_env(self, env: Mapping[str, str]) -> dict[str, str]:
        return text.child_env(env, os.environ)

    def shell_env(self, env: Mapping[str, str], exists: Callable[[str], bool] | None = None) -> dict[str, str]:
        return text.shell_env(env, os.path.isdir if exists is None else exists)

    def start(self, parameters: Start) -> Process:
        from .windows_process import start

        return start(self, parameters)

    def keep_job(self, cookie: str, job: int) -> None:
        """Take over a job with living processes from a reaped child."""
        with self._lock:
            self._jobs.setdefault(cookie, []).append(job)
            self._drop_empty_jobs()

    def _drop_empty_jobs(self) -> None:
        from . import winapi

        for cookie, jobs in list(self._jobs.items()):
            for job in [job for job in jobs if not winapi.active_processes(job)]:
                jobs.remove(job)
                _winapi.CloseHandle(job)
            if not jobs:
                del self._jobs[cookie]

    def sweep(self, processes: Sequence[Process], cookie: str | None) -> None:
        from . import winapi
        from .windows_process import WindowsProcess

        for process in processes:
            if isinstance(process, WindowsProcess):
                process.terminate(9)
        with self._lock:
            for job in self._jobs.pop(cookie, []) if cookie is not None else []:
                winapi.terminate_job(job, 1)
                _winapi.CloseHandle(job)

    def open_file(self, path: str, flags: int, mode: int) -> int:
        from . import winapi

        return winapi.open_shared(path, flags, mode)

    def pipe(self) -> tuple[int, int]:
        reader, writer = _winapi.CreatePipe(None, PIPE_SIZE)
        return (
            msvcrt.open_osfhandle(reader, os.O_RDONLY | os.O_BINARY | os.O_NOINHERIT),
            msvcrt.open_osfhandle(writer, os.O_WRONLY | os.O_BINARY | os.O_NOINHERIT),
        )

    def unblock(self, fd: int) -> None:
        # A reading end keeps its mode, which the child's end would share; each read is preceded by PeekNamedPipe.
        pass

    def own_end(self, fd: int) -> int | None:
        return None

    def buffered(self, fd: int) -> int:
        try:
            return int(_winapi.PeekNamedPipe(msvcrt.get_osfhandle(fd), 0)[0])
        except OSError:
            return 0

    def read_now(self, fd: int, size: int) -> bytes | None:
        try:
            there = int(_winapi.PeekNamedPipe(msvcrt.get_osfhandle(fd), 0)[0])
        except OSError:
            return b""
        return os.read(fd, min(there, size)) if there else None

    def write_now(self, fd: int, data: bytes) -> int:
        from . import winapi

        handle = msvcrt.get_osfhandle(fd)
        winapi.unblock_pipe(handle)
        size = min(len(data), PIPE_SIZE)
        # A pipe with PIPE_NOWAIT takes a piece as a whole or not at all.
        while size:
            try:
                done = _winapi.WriteFile(handle, data[:size])[0]
            except OSError:
                raise BrokenPipeError(errno.EPIPE, "Broken pipe") from None
            if done:
                return int(done)
            size //= 2
        return 0

    def wait_readable(self, fd: int, scope: CancelScope | None) -> None:
        mode = os.fstat(fd).st_mode
        if stat.S_ISFIFO(mode):
            ready = _pipe_ready
        elif os.isatty(fd):
            ready = _console_ready
        else:
            return
        handle = msvcrt.get_osfhandle(fd)
        if ready(handle):
            return
        about_to_block()
        pause = 0.0002
        while not ready(handle):
            if scope is not None:
                scope.check()
            sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    def wait_writable(self, fd: int, scope: CancelScope | None) -> None:
        # Windows can't test whether a pipe has room; a caller that must not block uses ``write_now``.
        if scope is not None:
            scope.check()
        if stat.S_ISFIFO(os.fstat(fd).st_mode):
            about_to_block()
            sleep(0.001)


def _pipe_ready(handle: int) -> bool:
    try:
        return bool(_winapi.PeekNamedPipe(handle, 0)[0])
    except OSError:
        return True  # the end of file, or nothing to peek at


def _console_ready(handle: int) -> bool:
    return bool(_winapi.WaitForSingleObject(handle, 0) == 0)


def _is_file(path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def _has_shebang(path: str) -> bool:
    return _head(path, 2) == b"#!"


def _is_script(path: str) -> bool:
    """Return whether a path is that of a text file, which may be a script without a first line for its interpreter."""
    native = text.native_path(path)
    return not text.has_reserved_name(path) and _is_file(native) and b"\0" not in _head(native, 256)


def _head(path: str, size: int) -> bytes:
    """Return the first bytes of a file. One that can't be read is like a binary file: no script."""
    try:
        with open(path, "rb") as file:
            return file.read(size)
    except OSError:
        return b"\0"
