"""What the library asks of an operating system."""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Collection, Mapping, Sequence

from ..cancel import CancelScope, Gate
from ..errors import Stop
from ..forks import renewed_after_fork

TERM, KILL, CONT = 15, 9, 18  # Linux's numbers, as everywhere above the system calls
COOKIE = "PYSHELLHOOKS_RUN"
_BURIED = 4  # of the children that were left behind: so many are looked at when another is started


def with_cookie(outer: str, cookie: str) -> str:
    """Add a run's cookie to those of the runs around it, so that each of them finds the child."""
    return cookie if not outer or outer == cookie else f"{outer},{cookie}"


class Process(ABC):
    """A native child, leader of its own session (POSIX) or job (Windows).

    Only its owner reaps it, once; after that nothing is ever sent to its number, which may be another's by then.
    """

    __slots__ = ("cookie", "name", "pid", "signaled")

    pid: int
    name: str
    cookie: str
    signaled: int | None  # the signal that ended it (Linux's number)

    @abstractmethod
    def poll(self) -> int | None:
        """Return the shell status (0-255, 128 + signal) or None while it runs.

        ``Stop("lost")`` when somebody else took the status, as a host does that ignores SIGCHLD: an unknown status
        must never look like success.
        """

    @abstractmethod
    def wait(self, scope: CancelScope) -> int:
        """Wait for the end and give the status.

        When the scope is cancelled the child is asked to end (``ask``) and has until ``scope.hard``: if it ends by
        then, its status is given as usual; if not, its tree is killed and the scope's ``Stop`` raised.
        """

    @abstractmethod
    def signal(self, number: int, *, group: bool = True) -> None:
        """Send a signal (Linux's number) to the child's group, or to it alone. Nothing happens once it is reaped.

        Windows has no signals: what ends a process here ends it there, with this signal's status; what only stops one
        is ENOTSUP. None of them can be caught or ignored.
        """

    @abstractmethod
    def ask(self) -> None:
        """Ask it once to end by itself: TERM to the group. Windows has nothing that surely arrives."""

    @abstractmethod
    def ended(self, until: float) -> bool:
        """Wait up to ``until`` (``time.monotonic``) for its end, and leave it unreaped; True if it has ended."""

    @abstractmethod
    def kill_tree(self) -> None:
        """Kill it with everything it started, as far as that can be told, and do not wait. Its owner still reaps."""


class Start:
    """What a native program is started with (``Host.spawn``), and its ``name`` in messages."""

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
    """The children that were started and not reaped yet, by the cookie of their run.

    ``spawn`` enters them under the gate, so that the ladder that follows ``revoke`` misses none.
    """

    def __init__(self) -> None:
        self._by_cookie: dict[str, set[Process]] = {}
        self._left: deque[Process] = deque()  # by runs that are over
        self.started = 0  # all that there ever were
        self.renew_locks()
        renewed_after_fork(self)

    def renew_locks(self) -> None:
        """See ``forks``."""
        self._lock = threading.Lock()

    def add(self, process: Process) -> None:
        """Enter a child."""
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
        """Return those of one run."""
        with self._lock:
            return list(self._by_cookie.get(cookie, ()))

    def leave(self, cookie: str) -> None:
        """Take over those that a run has left behind: it is over, and nobody else will wait for them."""
        self._left.extend(self.of(cookie))

    def bury(self) -> None:
        """Reap some of those that were left and have ended since; more than a run starts, so that they don't add up."""
        for _ in range(min(len(self._left), _BURIED)):
            try:
                process = self._left.popleft()
                if process.poll() is None:
                    self._left.append(process)
            except (IndexError, Stop):  # another thread was quicker; lost, which nobody asks about any more
                continue

    def forget(self) -> None:
        """Start anew in a forked process, whose children they are not."""
        self.__init__()  # type: ignore[misc]


class Host(ABC):
    """The operating system, as far as a shell needs it. Paths and environments are shell text."""

    windows: bool  # `C:/x`, PATHEXT, no execute bits; nobody outside this room asks another way
    path_separator: str  # what native children put between the elements of PATH
    extra_fds: bool  # descriptors above 2 reach native children
    pid_base: int  # virtual process ids count from here: no real one is as high (rule 3)
    children: Children
    can_keep: bool = False  # a worker can stand under a keeper (host.reaper)
    keeper: int = 0  # in such a worker: the keeper's number
    served: int = 0  # there: the number of the host, whose runs they are

    @abstractmethod
    def environ(self) -> dict[str, str]:
        """Return the environment of this process, untranslated; see ``shell_env``."""

    @abstractmethod
    def getcwd(self) -> str:
        """Return the working directory, ``/``-separated."""

    def relative(self, path: str) -> str:
        """Write a path from the working directory on, where it lies in it: short, and a terminal can still open it."""
        try:
            here = f"{self.getcwd().rstrip('/')}/"
        except OSError:  # it has gone
            return path
        inside = path.replace(os.sep, "/")
        return inside.removeprefix(here) if inside.startswith(here) else path

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
        """Return this process's file mode mask without touching it; 0o022 where that cannot be read."""

    def resident(self) -> int | None:
        """Return the bytes of memory that this process takes now, or None where there is no cheap way."""
        return None

    @abstractmethod
    def hostname(self) -> str: ...

    def home(self, user: str = "") -> str | None:
        """Return a user's home directory (this one's without a name), or None if that is not known."""
        return None

    def user_name(self) -> str | None:
        """Return the user's name, or None."""
        return None

    def owners_count(self, path: str) -> bool:
        """Say whether the owner of a file at a path tells who may have written it."""
        return True

    def is_own(self, uid: int, path: str) -> bool:
        """Say whether what belongs to ``uid`` at a path is this user's or root's, as far as owners mean anything there."""
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
        """Name the kernel, its release, its version and the machine, as ``uname`` does."""

    def processors(self, *, installed: bool = False) -> int:
        """Count the processors that this process may use, or all that there are."""
        return os.cpu_count() or 1

    def niceness(self) -> int:
        """Return this process's niceness; 0 where there is none."""
        return 0

    def terminal_name(self, fd: int) -> str | None:
        """Return the file name of the terminal behind a descriptor, or None."""
        return None

    def is_own_terminal(self, device: int) -> bool:
        """Say whether the number of a device is that of a terminal of this process."""
        return False

    @abstractmethod
    def temporary_directory(self) -> str: ...

    @abstractmethod
    def which(self, name: str, path: str, cwd: str) -> str | None:
        """Search the shell's PATH for a program; an empty element is ``cwd``, relative ones start there."""

    @abstractmethod
    def find_executable(self, path: str) -> str | None:
        """Return the file that running ``path`` (absolute) means, or None if it cannot be run."""

    @abstractmethod
    def child_env(self, env: Mapping[str, str]) -> dict[str, str]:
        """Turn the shell's exported variables into what a native child expects."""

    @abstractmethod
    def shell_env(self, env: Mapping[str, str]) -> dict[str, str]:
        """Turn a native environment into what a script expects."""

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

        ``fds`` gives the child's descriptors as child number -> ours. A missing 0, 1 or 2 is closed to the child: it
        gets the null device opened the wrong way round, so that using it is EBADF and no file takes its place.
        ``env`` is the shell's; ``child_env`` is applied here. The cookie goes along as ``PYSHELLHOOKS_RUN``,
        but under a keeper not into an environment that was emptied (ADR 2). OSError with
        ENOENT, EACCES, ENOEXEC, E2BIG, EINVAL (a NUL), ENOTSUP (descriptors that cannot be renumbered).
        """
        self.children.bury()
        with gate:
            process = self.start(Start(argv, executable, env, cwd, fds, cookie, umask))
            self.children.add(process)
        return process

    @abstractmethod
    def start(self, given: Start) -> Process:
        """Do what ``spawn`` says; called under the gate."""

    @abstractmethod
    def sweep(self, processes: Sequence[Process], cookie: str | None) -> None:
        """Kill these processes' trees and, given a cookie, everything whose environment carries it. Bounded."""

    def has_descendants(self, known: Collection[int]) -> bool:
        """Say whether any process but the ``known`` lives that descends from this one; only under a keeper."""
        return False

    def is_broken(self, fd: int) -> bool:
        """Say whether nobody holds the reading end of a pipe any more. A write would say so too, with SIGPIPE."""
        return False

    # Descriptors.

    @abstractmethod
    def pipe(self) -> tuple[int, int]:
        """Make a pipe whose ends no child inherits by itself: (read, write)."""

    @abstractmethod
    def unblock(self, fd: int) -> None:
        """Make a pipe end that only we hold non-blocking."""

    @abstractmethod
    def own_end(self, fd: int) -> int | None:
        """Return a non-blocking descriptor of our own for a pipe that others share, or None where there is no way."""

    @abstractmethod
    def buffered(self, fd: int) -> int:
        """Return how many bytes wait in a pipe. 0 at the end of file, too."""

    @abstractmethod
    def read_now(self, fd: int, size: int) -> bytes | None:
        """Read from an unblocked pipe: bytes, ``b""`` at the end, None when there is nothing yet."""

    @abstractmethod
    def write_now(self, fd: int, data: bytes) -> int:
        """Write to an unblocked pipe what fits; gives how much. BrokenPipeError when the reader has gone."""

    @abstractmethod
    def wait_readable(self, fd: int, scope: CancelScope | None) -> None:
        """Wait until reading does not block; ``Stop`` when cancelled. Announces the wait."""

    @abstractmethod
    def wait_writable(self, fd: int, scope: CancelScope | None) -> None:
        """Wait until a small write (``atomic_write`` bytes) does not block; ``Stop`` when cancelled."""

    atomic_write: int = 512
