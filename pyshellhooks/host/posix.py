"""The host on Linux, macOS and other POSIX systems."""

from __future__ import annotations

import errno
import os
import select
import stat
import sys
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..cancel import CancelScope, starting_watchdog, watchdog
from ..text import decode, encode
from . import threads
from .base import KILL, Children, Host, Process, Start
from .wakeup import wait_ready, wake_events

if TYPE_CHECKING:
    import pwd

    from .process_table import ProcessState


class PosixHost(Host):
    """The operating system of a POSIX interpreter."""

    windows = False
    extra_fds = True
    pid_base = 1 << 22  # PID_MAX_LIMIT of Linux; macOS ends at 99998
    atomic_write = select.PIPE_BUF
    can_use_subreaper = sys.platform == "linux"

    # XNU, bsd/vfs/vfs_lookup.c: ``/.vol/DEVICE/INODE``, and since macOS 15 ``/.nofollow/PATH`` and ``/.resolve/N/PATH``.
    path_prefixes = frozenset((".vol", ".nofollow", ".resolve") if sys.platform == "darwin" else ())

    def __init__(self) -> None:
        self.children = Children()
        self._kin: deque[tuple[str, ProcessState]] = deque(maxlen=4096)  # the oldest are dropped
        # Cookie, and the identity of a child by which the processes that it starts are found.
        self._starters: deque[tuple[str, str]] = deque(maxlen=4096)
        self._environment: tuple[dict[bytes, bytes], dict[str, str]] = ({}, {})
        # A forked process has its parent's children, threads and bells only in memory.
        for orphan in (self.children, threads.pool, wake_events, watchdog, starting_watchdog):
            os.register_at_fork(after_in_child=orphan.forget)

    def environ(self) -> dict[str, str]:
        # Decoding takes 15 us, a comparison with the last environment less than one. Python has no public access to the
        # dictionary behind os.environb, and iterating over os.environb takes as long as decoding.
        raw: dict[bytes, bytes] = getattr(os.environb, "_data", None) or dict(os.environb)
        seen, decoded = self._environment
        if seen != raw:
            seen = raw.copy()
            decoded = {decode(name): decode(value) for name, value in seen.items()}
            self._environment = seen, decoded
        return decoded.copy()

    def getcwd(self) -> str:
        return decode(os.getcwdb())

    def getpid(self) -> int:
        return os.getpid()

    def getppid(self) -> int:
        return os.getppid()

    def uid(self) -> int:
        return os.getuid()

    def gid(self) -> int:
        return os.getgid()

    def euid(self) -> int:
        return os.geteuid()

    def owners_count(self, path: str) -> bool:
        from .mount_points import owners_count

        return owners_count(path)

    def umask(self) -> int:
        # os.umask can only be read by setting it, for all threads of the host.
        try:
            with open("/proc/self/status", "rb") as file:
                for line in file:
                    if line.startswith(b"Umask:"):
                        return int(line[6:], 8)
        except (OSError, ValueError):
            pass
        mask = self._umask_of_new_file()
        return 0o022 if mask is None else mask

    def _umask_of_new_file(self) -> int | None:
        """Return the mask by the mode of a new file, which no other program can see; None if there can't be one."""
        import tempfile

        try:
            with tempfile.TemporaryDirectory(prefix="pyshellhooks-") as directory:
                fd = os.open(f"{directory}/mask", os.O_CREAT | os.O_EXCL | os.O_RDONLY | os.O_CLOEXEC, 0o777)
                try:
                    return ~os.fstat(fd).st_mode & 0o777
                finally:
                    os.close(fd)
        except OSError:
            return None

    def resident(self) -> int | None:
        try:
            with open("/proc/self/statm", "rb") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
        except (OSError, ValueError, IndexError):
            pass
        from .process_sources import process_table

        current = process_table().memory(os.getpid())
        if current is not None:
            return current
        import resource

        # The peak, which never falls: in bytes on macOS, in KiB elsewhere.
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024

    def hostname(self) -> str:
        return os.uname().nodename

    def home(self, user: str = "") -> str | None:
        entry = _entry(user or os.getuid())
        return None if entry is None else entry.pw_dir

    def user_name(self) -> str | None:
        entry = _entry(os.getuid())
        return None if entry is None else entry.pw_name

    def egid(self) -> int:
        return os.getegid()

    def groups(self) -> list[int]:
        return os.getgroups()

    def account(self, user: str | int) -> tuple[str, int, int] | None:
        entry = _entry(user)
        return None if entry is None else (entry.pw_name, entry.pw_uid, entry.pw_gid)

    def group_name(self, number: int) -> str | None:
        import grp

        try:
            return grp.getgrgid(number).gr_name
        except (KeyError, OverflowError):
            return None

    def groups_of(self, user: str, gid: int) -> list[int]:
        return os.getgrouplist(user, gid)

    def system(self) -> tuple[str, str, str, str]:
        name = os.uname()
        return name.sysname, name.release, name.version, name.machine

    def processors(self, *, installed: bool = False) -> int:
        if not installed and sys.platform == "linux":
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1

    def niceness(self) -> int:
        return os.getpriority(os.PRIO_PROCESS, 0)

    def terminal_name(self, fd: int) -> str | None:
        try:
            return os.ttyname(fd)
        except OSError:
            return None

    def is_own_terminal(self, device: int) -> bool:
        own: set[int] = set()
        try:
            own.add(os.stat("/dev/tty").st_rdev)
            with open("/proc/self/stat", "rb") as file:
                number = int(
                    file.read().rpartition(b")")[2].split()[4]
                )  # tty_nr, as the kernel packs a device (proc(5))
            own.add(os.makedev(number >> 8 & 0xFFF, number & 0xFF | number >> 12 & 0xFFF00))
        except (OSError, ValueError, IndexError):
            pass
        for fd in (0, 1, 2):
            try:
                if os.isatty(fd):
                    own.add(os.fstat(fd).st_rdev)
            except OSError:
                continue
        return device in own

    def temporary_directory(self) -> str:
        return "/tmp"

    def which(self, name: str, path: str, cwd: str) -> str | None:
        for element in path.split(":"):
            if element.startswith("/"):
                directory = element
            else:  # an empty element is the working directory (POSIX XBD 8.3)
                directory = f"{cwd}/{element}" if element else cwd
            if directory == "/":
                directory = ""
            program = self.find_executable(f"{directory}/{name}")
            if program is not None:
                return program
        return None

    def find_executable(self, path: str) -> str | None:
        try:
            native = encode(path)
            mode = os.stat(native).st_mode
            if stat.S_ISDIR(mode) or not mode & 0o111:
                return None
            effective = os.access in os.supports_effective_ids
            if os.access(native, os.X_OK, effective_ids=effective):
                return path
        except (OSError, ValueError):
            pass
        return None

    def child_env(self, env: Mapping[str, str]) -> dict[str, str]:
        return dict(env)

    def shell_env(self, env: Mapping[str, str], exists: Callable[[str], bool] | None = None) -> dict[str, str]:
        return dict(env)

    def start(self, parameters: Start) -> Process:
        from .posix_process import PosixProcess
        from .posix_spawn import start
        from .process_sources import process_table

        process = PosixProcess(self, start(self, parameters), parameters.name, parameters.cookie)
        identity = process_table().identity(process.pid)
        if identity:
            self._starters.append((parameters.cookie, identity))
        return process

    def sweep(self, processes: Sequence[Process], cookie: str | None) -> None:
        from .posix_process import PosixProcess

        family = [process for process in processes if isinstance(process, PosixProcess) and process.owns_pid()]
        if not family and cookie is None:
            return
        from .orphans import kill_all

        def kill_children() -> None:
            for process in family:
                process.signal(KILL)

        seen: list[ProcessState] = []
        subreaper = 0
        if cookie is not None:
            seen = self._descendants_of(cookie)
            # A worker has one run at a time, and ends if that leaves processes: its subreaper's children are this run's.
            subreaper = self.subreaper
        else:
            for process in family:
                seen += process.kin
        origins = [identity for owner, identity in self._starters.copy() if owner == cookie]
        roots = [process.pid for process in family]
        kill_all(roots, cookie, kill_children, seen=seen, origins=origins, subreaper=subreaper)

    def remember_descendants(self, cookie: str, kin: Iterable[ProcessState]) -> None:
        """Remember the descendants of a child before TERM: after their parent's end they can't be found from it."""
        self._kin.extend((cookie, seen) for seen in kin)

    def _descendants_of(self, cookie: str) -> list[ProcessState]:
        return [seen for owner, seen in self._kin.copy() if owner == cookie]

    def has_descendants(self, known: Collection[int]) -> bool:
        from .orphans import read_process
        from .subreaper import children

        if not self.subreaper:
            return False
        me = os.getpid()
        descendants = {*children(self.subreaper), *children(me)}.difference(known, (me,))
        return any(read_process(pid) is not None for pid in descendants)

    def is_broken(self, fd: int) -> bool:
        # XNU watches nothing for an empty mask, and reports a pipe without a reader by POLLHUP (bsd/kern/sys_generic.c).
        poll = select.poll()
        poll.register(fd, select.POLLOUT)
        return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))

    def pipe(self) -> tuple[int, int]:
        return os.pipe()

    def unblock(self, fd: int) -> None:
        os.set_blocking(fd, False)

    def own_end(self, fd: int) -> int | None:
        # O_NONBLOCK belongs to the open file description, which children share. On Linux a pipe can be opened again.
        if sys.platform != "linux":
            return None
        try:
            import fcntl

            access = fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE
            if access == os.O_RDWR:
                return None
            return os.open(f"/proc/self/fd/{fd}", access | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:  # no /proc, a pipe of another user, or no reader (ENXIO)
            return None

    def buffered(self, fd: int) -> int:
        import fcntl
        import termios

        try:
            return int.from_bytes(fcntl.ioctl(fd, termios.FIONREAD, b"\0\0\0\0"), sys.byteorder)
        except OSError as error:
            if error.errno in (errno.EBADF, errno.EIO):
                raise
            return 0

    def read_now(self, fd: int, size: int) -> bytes | None:
        try:
            return os.read(fd, size)
        except BlockingIOError:
            return None

    def write_now(self, fd: int, data: bytes) -> int:
        try:
            return os.write(fd, data)
        except BlockingIOError:
            return 0

    def wait_readable(self, fd: int, scope: CancelScope | None) -> None:
        wait_ready(fd, False, scope)

    def wait_writable(self, fd: int, scope: CancelScope | None) -> None:
        wait_ready(fd, True, scope)


def _entry(user: str | int) -> pwd.struct_passwd | None:
    """Return the passwd entry of a user by name or number, or None."""
    import pwd

    try:
        return pwd.getpwnam(user) if isinstance(user, str) else pwd.getpwuid(user)
    except (KeyError, OverflowError, ValueError):
        return None
