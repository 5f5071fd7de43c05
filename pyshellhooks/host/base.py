"""Interface of an operating system: ``Host`` and its native children, ``Process``."""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence

from ..cancel import CancelScope, Gate
from ..errors import Stop
from ..forks import renewed_after_fork

TERM, KILL, CONT = 15, 9, 18  # Linux's numbers, as everywhere outside of ``host``
COOKIE = "PYSHELLHOOKS_RUN"
_BURIED = 4  # children of earlier runs that are polled when another child is started


def with_cookie(outer: str, cookie: str) -> str:
    """Append a run's cookie to those of its outer runs, so that each of them finds the child."""
    if not outer or outer == cookie:
        return cookie
    return f"{outer},{cookie}"


class Process(ABC):
    """A native child, leader of its own session (POSIX) or job (Windows).

    Only its owner reaps it, once. After that its number gets no signal, since the system may have reused it.
    """

    __slots__ = ("cookie", "name", "pid", "signaled")

    pid: int
    name: str
    cookie: str
    signaled: int | None  # the signal that ended it (Linux's number)

    @abstractmethod
    def poll(self) -> int | None:
        """Return the shell status (0-255, 128 + signal), or None while the child runs.

        Raises ``Stop("lost")`` if other code took the status, as in a host that ignores SIGCHLD: an unknown status
        must never look like success.
        """

    @abstractmethod
    def wait(self, scope: CancelScope) -> int:
        """Wait for the end and return the status.

        When the scope is cancelled the child gets TERM (``send_term``) and has until ``scope.hard``: if it ends by then, its
        status is returned as usual; if not, its tree is killed and the scope's ``Stop`` is raised.
        """

    @abstractmethod
    def signal(self, number: int, *, group: bool = True) -> None:
        """Send a signal (Linux's number) to the child's group, or to the child alone; do nothing once it is reaped.

        Windows has no signals: one that ends a process on Linux ends it there, with this signal's status; one that
        stops a process is ENOTSUP. The child can't catch or ignore them.
        """

    @abstractmethod
    def send_term(self) -> None:
        """Send TERM to the group, once. Windows has no reliable equivalent, so nothing is sent there."""

    @abstractmethod
    def ended(self, until: float) -> bool:
        """Wait for the end up to ``until`` (``time.monotonic``), without reaping. Return whether the child ended."""

    @abstractmethod
    def kill_tree(self) -> None:
        """Kill the child and all its descendants that can be found, without waiting. The owner still reaps it."""


class Start:
    """The parameters of ``Host.spawn``, and the program's ``name`` in messages."""

    __slots__ = ("argv", "cookie", "cwd", "env", "executable", "fds", "name", "umask")

    def __init__(
        self,
        argv: Sequence[str],
        executable: str,
        env: Mapping[str, str],
        cwd: str,
        fds: Mapping[int, int],
        cookie: str,
        umask: int,
    ) -> None:
        self.argv = argv
        self.executable = executable
        self.env = env
        self.cwd = cwd
        self.fds = fds
        self.cookie = cookie
        self.umask = umask
        self.name = argv[0] if argv else executable


class Children:
    """The children that are not reaped yet, by the cookie of their run.

    ``spawn`` adds them under the gate, so that ``terminate.end`` after ``revoke`` misses none.
    """

    def __init__(self) -> None:
        self._by_cookie: dict[str, set[Process]] = {}
        self._left: deque[Process] = deque()  # children of runs that are over
        self.started = 0  # the number of all children ever started
        self.renew_locks()
        renewed_after_fork(self)

    def renew_locks(self) -> None:
        """See ``forks``."""
        self._lock = threading.Lock()

    def add(self, process: Process) -> None:
        """Add a child."""
        with self._lock:
            self._by_cookie.setdefault(process.cookie, set()).add(process)
            self.started += 1

    def discard(self, process: Process) -> None:
        """Remove a child that was reaped or lost."""
        with self._lock:
            family = self._by_cookie.get(process.cookie)
            if family is not None:
                family.discard(process)
                if not family:
                    del self._by_cookie[process.cookie]

    def of(self, cookie: str) -> list[Process]:
        """Return the children of one run."""
        with self._lock:
            return list(self._by_cookie.get(cookie, ()))

    def leave(self, cookie: str) -> None:
        """Take over the children of a run that is over, to reap them later."""
        self._left.extend(self.of(cookie))

    def reap_ended(self) -> None:
        """Reap some of the ended children of earlier runs: more than one per new child, so that they don't add up."""
        for _ in range(min(len(self._left), _BURIED)):
            try:
                process = self._left.popleft()
                if process.poll() is None:
                    self._left.append(process)
            except (IndexError, Stop):  # another thread took it, or its status is lost, which no caller needs
                continue

    def forget(self) -> None:
        """Drop all children in a forked process: they are children of its parent."""
        self.__init__()  # type: ignore[misc]


class CannotStart(OSError):
    """The system can't start any program with these arguments, or in this directory. ``strerror`` names the cause."""

    def __init__(self, number: int, why: str, filename: str, *, hint: str) -> None:
        super().__init__(number, why, filename)
        self.why = why
        self.hint = hint


class Host(ABC):
    """The operating system, as far as a shell needs it. Paths and environments are shell text."""

    windows: bool  # `C:/x`, PATHEXT, no execute bits; the only test for Windows outside this room
    crlf: bool = False  # whether native programs end lines with CR LF
    extra_fds: bool  # whether descriptors above 2 reach native children
    pid_base: int  # the first virtual process id, above all real ones (rule 3)
    path_prefixes: frozenset[str] = frozenset()  # first parts of a path that change how the system reads the rest
    children: Children
    can_use_subreaper: bool = False  # whether a worker can run under a subreaper (``host.subreaper``)
    subreaper: int = 0  # in such a worker: the subreaper's process id
    served: int = 0  # in such a worker: the process id of the host that it works for

    @abstractmethod
    def environ(self) -> dict[str, str]:
        """Return the environment of this process, untranslated; see ``shell_env``."""

    @abstractmethod
    def getcwd(self) -> str:
        """Return the working directory, ``/``-separated."""

    def relative(self, path: str) -> str:
        """Return a path relative to the working directory if it is inside, for messages; otherwise the path itself."""
        try:
            here = f"{self.getcwd().rstrip('/')}/"
        except OSError:  # the directory was removed
            return path
        inside = path.replace(os.sep, "/")
        if not inside.startswith(here):
            return path
        return inside.removeprefix(here)

    @abstractmethod
    def getpid(self) -> int: ...

    @abstractmethod
    def getppid(self) -> int: ...

    @abstractmethod
    def uid(self) -> int: ...

    @abstractmethod
    def gid(self) -> int: ...

    @abstractmethod
    def euid(self) -> int: ...

    @abstractmethod
    def umask(self) -> int:
        """Return this process's file mode mask without changing it; 0o022 if it can't be read."""

    def resident(self) -> int | None:
        """Return the resident memory of this process in bytes, or None if the system has no cheap way to read it."""
        return None

    @abstractmethod
    def hostname(self) -> str: ...

    def home(self, user: str = "") -> str | None:
        """Return the home directory of a user (default: the current one), or None if it is not known."""
        return None

    def user_name(self) -> str | None:
        """Return the user's name, or None."""
        return None

    def owners_count(self, path: str) -> bool:
        """Return whether the file system at a path has real owners of files."""
        return True

    def is_own(self, uid: int, path: str) -> bool:
        """Return whether ``uid`` is this user or root, or the file system at the path has no real owners."""
        return uid in (self.euid(), 0) or not self.owners_count(path)

    def egid(self) -> int:
        """Return the effective group's number."""
        return self.gid()

    def groups(self) -> list[int]:
        """Return the numbers of this process's supplementary groups."""
        return []

    def account(self, user: str | int) -> tuple[str, int, int] | None:
        """Look up a user by name or number: (name, uid, gid), or None."""
        return None

    def group_name(self, number: int) -> str | None:
        """Return a group's name, or None."""
        return None

    def groups_of(self, user: str, gid: int) -> list[int]:
        """Return the numbers of the groups that a user is in, ``gid`` the first."""
        return [gid]

    @abstractmethod
    def system(self) -> tuple[str, str, str, str]:
        """Return the kernel's name, release and version, and the machine, as ``uname`` prints them."""

    def processors(self, *, installed: bool = False) -> int:
        """Return the number of processors that this process may use, or of all installed ones."""
        return os.cpu_count() or 1

    def niceness(self) -> int:
        """Return this process's niceness; 0 on systems without it."""
        return 0

    def terminal_name(self, fd: int) -> str | None:
        """Return the file name of the terminal behind a descriptor, or None."""
        return None

    def is_own_terminal(self, device: int) -> bool:
        """Return whether a device number is that of a terminal of this process."""
        return False

    @abstractmethod
    def temporary_directory(self) -> str: ...

    @abstractmethod
    def which(self, name: str, path: str, cwd: str) -> str | None:
        """Return the path of a program in the shell's PATH, or None. Empty and relative elements are below ``cwd``.

        On Windows, which has no execute bits, a text file of that very name counts after all programs. A placeholder counts last.
        """

    def is_placeholder(self, path: str) -> bool:
        """Return whether a program may be one of Windows that only offers to install the program of its name."""
        return False

    def ran_nothing(self, path: str, status: int) -> bool:
        """Return whether a program ended with the status of a placeholder without a program."""
        return False

    @abstractmethod
    def find_executable(self, path: str) -> str | None:
        """Return the file that is executed for ``path`` (absolute), or None if it leads to nothing executable."""

    @abstractmethod
    def child_env(self, env: Mapping[str, str]) -> dict[str, str]:
        """Return the environment of a native child for the shell's exported variables."""

    @abstractmethod
    def shell_env(self, env: Mapping[str, str], exists: Callable[[str], bool] | None = None) -> dict[str, str]:
        """Return the exported variables of a script for a native environment; those of a script stay as they are.

        ``exists`` returns whether a directory exists for the script; by default on the disk.
        """

    def spawn(
        self,
        argv: Sequence[str],
        *,
        executable: str,
        env: Mapping[str, str],
        cwd: str,
        fds: Mapping[int, int],
        gate: Gate,
        cookie: str,
        umask: int = -1,
    ) -> Process:
        """Start a native program under the gate.

        ``fds`` maps the child's descriptors to ours. A missing 0, 1 or 2 is closed for the child: it gets the null
        device opened in the wrong direction, so that its use is EBADF and no other file gets its number.
        ``env`` is the shell's; ``child_env`` is applied here. The variable ``PYSHELLHOOKS_RUN`` contains the cookie,
        but under a subreaper it is not added to an environment that was emptied (ADR 2). Raises ``OSError`` with
        ENOENT, EACCES, ENOEXEC, E2BIG, EINVAL (a NUL), ENOTSUP (descriptors that can't be renumbered).
        """
        self.children.reap_ended()
        with gate:
            process = self.start(Start(argv, executable, env, cwd, fds, cookie, umask))
            self.children.add(process)
        return process

    @abstractmethod
    def start(self, parameters: Start) -> Process:
        """Start the program of ``spawn``. Called under the gate."""

    @abstractmethod
    def sweep(self, processes: Sequence[Process], cookie: str | None) -> None:
        """Kill these processes' trees and, with a cookie, all processes with it in their environment. Bounded."""

    def has_descendants(self, known: Collection[int]) -> bool:
        """Return whether this process has living descendants except the ``known``. Always False without a subreaper."""
        return False

    def is_broken(self, fd: int) -> bool:
        """Return whether the reading end of a pipe is closed everywhere, without a write and its SIGPIPE."""
        return False

    # Descriptors.

    def open_file(self, path: str, flags: int, mode: int) -> int:
        """Open a file so that it can be renamed and removed meanwhile. Raises ``OSError``."""
        return os.open(path, flags, mode)

    @abstractmethod
    def pipe(self) -> tuple[int, int]:
        """Create a pipe whose ends children do not inherit: (read, write)."""

    @abstractmethod
    def unblock(self, fd: int) -> None:
        """Set an end of a pipe to non-blocking. No other process may share it."""

    @abstractmethod
    def own_end(self, fd: int) -> int | None:
        """Return a separate non-blocking descriptor of a pipe that other processes share, or None if impossible."""

    @abstractmethod
    def buffered(self, fd: int) -> int:
        """Return the number of bytes that can be read from a pipe; 0 at the end of file, too."""

    @abstractmethod
    def read_now(self, fd: int, size: int) -> bytes | None:
        """Read from a non-blocking pipe. Return the bytes, ``b""`` at the end of file, or None if it is empty."""

    @abstractmethod
    def write_now(self, fd: int, data: bytes) -> int:
        """Write to a non-blocking pipe as much as fits. Return the number of bytes. Raises ``BrokenPipeError``."""

    @abstractmethod
    def wait_readable(self, fd: int, scope: CancelScope | None) -> None:
        """Wait until a read does not block, after ``about_to_block``. Raises ``Stop`` when the scope is cancelled."""

    @abstractmethod
    def wait_writable(self, fd: int, scope: CancelScope | None) -> None:
        """Wait until a write of ``atomic_write`` bytes does not block. Raises ``Stop`` when the scope is cancelled."""

    atomic_write: int = 512
