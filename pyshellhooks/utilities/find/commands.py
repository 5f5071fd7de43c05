"""Start of commands for find and xargs, which distinguish a command that cannot be started from one that failed."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping, Sequence

from ...command import Call
from ...command.call import Running
from ...errors import UsageError
from ...streams.base import Stream

ARGUMENTS = 128 * 1024  # maximum bytes of a command's arguments, as GNU's default
_HEADROOM = 2048
_SYSTEM = 2 * 1024 * 1024  # Linux's ARG_MAX with the usual stack


def most_bytes(env: Mapping[str, str]) -> int:
    """Return the maximum bytes of arguments that the system allows, besides the environment."""
    return (
        _SYSTEM
        - _HEADROOM
        - sum(len(name.encode("utf-8", "surrogatepass")) + 2 + size_of(env[name]) - 1 for name in env)
    )


def size_of(argument: str) -> int:
    """Return the size of an argument in bytes, including its terminating NUL."""
    if argument.isascii():
        return len(argument) + 1
    return len(argument.encode("utf-8", "surrogateescape")) + 1


def inserted(fixed: Sequence[str], words: Sequence[str], pattern: str, item: str, most: int) -> list[str]:
    """Return ``fixed`` and the words with a pattern replaced by an item; raise UsageError beyond ``most`` bytes."""
    out = list(fixed)
    total = sum(map(size_of, out))
    for word in words:
        out.append(word.replace(pattern, item) if pattern else item)
        size = size_of(out[-1])
        # An empty pattern would be replaced without end, so that the command is too long.
        if (word and not pattern) or size >= most:
            raise UsageError("command too long", 1, hint=False)
        total += size
        if total > most:
            raise UsageError("argument list too long", 1, hint=False)
    return out


def split_path(call: Call) -> list[str]:
    """Split PATH at its colons, except those of Windows drives (``C:/bin:D:/x``)."""
    parts = call.env.get("PATH", "").split(":")
    if not call.fs.is_absolute("C:/"):
        return parts
    out: list[str] = []
    for part in parts:
        follows_letter = bool(out) and len(out[-1]) == 1 and out[-1].isalpha()
        if follows_letter and part[:1] in ("/", "\\"):
            out[-1] += ":" + part
        else:
            out.append(part)
    return out


def program_extensions(call: Call) -> list[str]:
    """Return the possible extensions of a program's name: an empty one, and on Windows those of PATHEXT."""
    if not call.fs.is_absolute("C:/"):
        return [""]
    return ["", *call.env.get("PATHEXT", ".COM;.EXE;.BAT;.CMD").lower().split(";")]


def is_program(call: Call, path: str) -> bool:
    """Return whether a path is an executable file."""
    try:
        return stat.S_ISREG(call.fs.stat(path).st_mode) and call.fs.access(path, os.X_OK)
    except OSError:
        return False


def _check_file(call: Call, name: str, cwd: str | None) -> OSError | None:
    """Return the error that prevents the execution of a name with a slash, or None."""
    path = call.fs.absolute(cwd or call.cwd, name)
    try:
        if stat.S_ISREG(call.fs.stat(path).st_mode) and call.fs.access(path, os.X_OK):
            return None
        return OSError(errno.EACCES, "Permission denied")
    except OSError as error:
        return error


class Launched:
    """A command that was started.

    ``wait`` returns its status, or raises the OSError that prevented its start; after that, ``signaled`` is the signal
    that ended it.
    """

    __slots__ = ("_running", "_trouble")

    def __init__(self, running: Running | None, trouble: OSError | None = None) -> None:
        self._running = running
        self._trouble = trouble

    def wait(self) -> int:
        """Wait for the command and return its status."""
        if self._running is None:
            raise self._trouble or OSError(errno.ENOENT, "No such file or directory")
        return self._running.wait()

    @property
    def signaled(self) -> int | None:
        """The signal that ended the command, or None."""
        if self._running is None:
            return None
        return self._running.signaled


def launch(
    call: Call,
    argv: Sequence[str],
    *,
    stdin: Stream | None = None,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    beside: bool = False,
) -> Launched:
    """Start a command, on another thread if ``beside``; raise OSError for a file that may not be executed."""
    name = argv[0]
    if "/" in name:
        trouble = _check_file(call, name, cwd)
        if trouble is not None and trouble.errno not in (errno.ENOENT, errno.ENOTDIR):
            raise trouble
    try:
        return Launched(call.start(argv, stdin=stdin, env=env, cwd=cwd, scope=call.scope if beside else None))
    except OSError as error:
        return Launched(None, error)
