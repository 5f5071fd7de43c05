"""The call that a utility receives: its arguments, streams, files and environment, as a process has them."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from ..cancel import CancelScope, about_to_block
from ..errors import GLIBC_MESSAGES, message_of
from ..fs.identity import time_zone
from ..host import current
from ..limits import Limits
from ..streams.base import Stream
from ..streams.capture import LineWriter
from ..streams.pipe import as_text
from ..text import encode
from .flags import Options

if TYPE_CHECKING:
    from ..fs.base import FileSystem


class Running(Protocol):
    """A command started by ``Call.start``."""

    @property
    def signaled(self) -> int | None:
        """The signal that ended it, once ``wait`` has returned, or None."""

    def wait(self) -> int:
        """Wait for the end. Return the status: 128 + n for signal n, or an exit status of the same number."""

    def signal(self, number: int, group: bool = True) -> None:
        """Send a signal (Linux's number) to the command, with ``group`` also to its children. Only with a scope."""


class Start(Protocol):
    """Runs another command for a utility (rule 10): utilities, files and PATH, never functions.

    A stream that is None is the caller's own. The caller releases the streams. With a ``scope`` the command runs beside
    the caller, at most until the scope is cancelled. ``ignore``: signals that the command ignores from its start.
    """

    def __call__(
        self,
        argv: Sequence[str],
        *,
        stdin: Stream | None = None,
        stdout: Stream | None = None,
        stderr: Stream | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        scope: CancelScope | None = None,
        ignore: Collection[int] = (),
    ) -> Running: ...


class Diagnostics(Stream):
    """The stderr of a utility. A failed write has no effect except that ``failed`` is set.

    A closed pipe raises, as SIGPIPE would end the process, unless it ``ignores_pipes``. ``stream`` is for utilities
    that write data to stderr.
    """

    __slots__ = ("failed", "ignores_pipes", "stream")

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.failed = self.ignores_pipes = False

    def write(self, data: bytes, /) -> None:
        try:
            self.stream.write(data)
        except OSError as error:
            if isinstance(error, BrokenPipeError) and not self.ignores_pipes:
                raise
            self.failed = True

    def isatty(self) -> bool:
        return self.stream.isatty()


class Call:
    """One call of a utility.

    ``argv`` begins with the name; ``args`` are the operands and ``opts`` the options after parsing (for a utility
    declared without flags, ``args`` is all of ``argv[1:]``). ``env`` is the environment of a process. ``cwd`` is an
    absolute path of ``fs``. ``programs`` are the names of in-process programs. ``umask`` is the shell's, to be applied
    to modes on creation.

    ``on_signal`` is called on another thread for a signal that would end this process, and must not block; it returns
    True if it handled the signal. ``signaled`` is set by a utility that ends itself by a signal. ``unwritten`` is the
    error that lost output before a message.
    """

    __slots__ = (
        "args",
        "argv",
        "cwd",
        "env",
        "fs",
        "limits",
        "name",
        "on_signal",
        "opts",
        "out",
        "programs",
        "reads_text",
        "replaced",
        "scope",
        "signaled",
        "start",
        "stderr",
        "stdin",
        "stdout",
        "umask",
        "unwritten",
    )

    def __init__(
        self,
        argv: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: str,
        fs: FileSystem,
        stdin: Stream,
        stdout: Stream,
        stderr: Stream,
        scope: CancelScope,
        limits: Limits,
        start: Start,
        programs: Container[str] = (),
        umask: int = 0o022,
    ) -> None:
        self.argv = argv
        self.name = argv[0].rpartition("/")[2]
        self.args: list[str] = list(argv[1:])
        self.opts = _NO_OPTIONS
        self.env = env
        self.cwd = cwd
        self.fs = fs
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = Diagnostics(stderr)
        self.scope = scope
        self.limits = limits
        self.start = start
        self.programs = programs
        self.umask = umask
        self.reads_text = False
        self.on_signal: Callable[[int], bool] | None = None
        self.replaced = False  # by the command that ``exec`` runs
        self.signaled: int | None = None
        self.unwritten: OSError | None = None
        # The usual output: buffered, flushed at the end of the call and before each message on stderr.
        self.out = LineWriter(stdout)

    def exec(
        self,
        argv: Sequence[str],
        *,
        stdin: Stream | None = None,
        stdout: Stream | None = None,
        stderr: Stream | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        ignore: Collection[int] = (),
    ) -> int:
        """Run another command in place of this one, including its signals and its end. Return the status."""
        self.out.flush()
        running = self.start(argv, stdin=stdin, stdout=stdout, stderr=stderr, env=env, cwd=cwd, ignore=ignore)
        self.replaced = True
        status = running.wait()
        self.signaled = running.signaled
        return status

    @property
    def zone(self) -> str | None:
        """The value of TZ for clocks; None means the machine's zone."""
        return time_zone(self.fs, self.env.get("TZ"))

    def operands(self) -> list[str]:
        """Return the operands, which are paths, on Windows in the one form of scripts (decisions paths on Windows)."""
        # The file system of a fused pipeline is made when it is first read, which costs as much as a subshell.
        if self.args and self.fs.has_drives():
            return [self.fs.in_one_form(name) for name in self.args]
        return self.args

    def path(self, name: str) -> str:
        """Return the absolute path of a name."""
        return self.fs.absolute(self.cwd, name)

    def read_text(self, is_text: bool = True) -> None:
        """Read pipes as text from now on: the CR LF of native programs become LF (decisions native children)."""
        if is_text and current().crlf:
            self.reads_text = True
            self.stdin = as_text(self.stdin)

    def open(self, name: str, flags: int = os.O_RDONLY, mode: int = 0o666) -> Stream:
        """Open a file by the user's name for it, which OSErrors contain. ``-`` is not special here."""
        try:
            if flags & os.O_CREAT:
                mode &= ~self.umask
            stream = self.fs.open(self.path(name), flags, mode).retain()
            return as_text(stream) if self.reads_text else stream
        except OSError as error:
            raise OSError(error.errno, message_of(error), name) from None

    def open_input(self, name: str) -> Stream:
        """Open a file for reading; ``-`` is standard input, to be released like a file. A directory raises EISDIR."""
        if name == "-":
            return self.stdin.retain()
        stream = self.open(name)
        return stream

    def error(self, message: str) -> None:
        """Write ``name: message`` to stderr."""
        self.check()  # a call may have many wrong operands
        try:
            self.out.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            self.unwritten = self.unwritten or error
        self.stderr.write(encode(f"{self.name}: {message}\n"))

    def fail(self, name: str, error: OSError) -> None:
        """Write ``name: file: reason`` to stderr."""
        self.error(f"{name}: {reason(error)}")

    def check(self) -> None:
        """Raise ``Stop`` if the run was cancelled. To be called once per block, line or turn."""
        if self.scope.stop is not None:
            self.scope.check()

    def sleep(self, seconds: float) -> None:
        """Wait. Raise ``Stop`` if the run is cancelled before."""
        self.out.flush()
        self.scope.sleep(seconds)

    def about_to_block(self) -> None:
        """Announce a wait for something outside (rule 7). Streams and ``sleep`` announce theirs."""
        about_to_block()


_NO_OPTIONS = Options()


def reason(error: OSError) -> str:
    """Return glibc's message for an OSError, on every system."""
    return GLIBC_MESSAGES.get(error.errno or 0) or message_of(error)
