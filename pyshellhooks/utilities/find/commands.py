"""Starting commands for find and xargs: what cannot be started is told apart from what failed.

``Call.start`` words a missing command as the shell does and gives 127; here the caller's own words are wanted.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Mapping, Sequence

from ...command import Call
from ...streams.base import Stream
from ...streams.capture import Capture
from .._index import INDEX

ARGUMENTS = 128 * 1024  # bytes of arguments a command gets at most, as GNU's default is
_HEADROOM = 2048
_SYSTEM = 2 * 1024 * 1024  # Linux's ARG_MAX with the usual stack
_SHELLS = ("sh", "bash", "dash", "kill")


def most_bytes(env: Mapping[str, str]) -> int:
    """Give how many bytes of arguments the system leaves beside the environment."""
    return (
        _SYSTEM
        - _HEADROOM
        - sum(len(name.encode("utf-8", "surrogatepass")) + 2 + size_of(env[name]) - 1 for name in env)
    )


def size_of(argument: str) -> int:
    """Give the bytes an argument takes, its end included."""
    return len(argument.encode("utf-8", "surrogateescape")) + 1 if not argument.isascii() else len(argument) + 1


def split_path(call: Call) -> list[str]:
    """Cut PATH at its colons; drives of Windows keep theirs (``C:/bin:D:/x``)."""
    parts = call.env.get("PATH", "").split(":")
    if not call.fs.is_absolute("C:/"):
        return parts
    out: list[str] = []
    for part in parts:
        if out and len(out[-1]) == 1 and out[-1].isalpha() and part[:1] in ("/", "\\"):
            out[-1] += ":" + part
        else:
            out.append(part)
    return out


def program_extensions(call: Call) -> list[str]:
    """Give what may follow the name of a program: nothing, and on Windows the extensions of PATHEXT."""
    if not call.fs.is_absolute("C:/"):
        return [""]
    return ["", *call.env.get("PATHEXT", ".COM;.EXE;.BAT;.CMD").lower().split(";")]


def is_program(call: Call, path: str) -> bool:
    """Say whether a path leads to a file that may be executed."""
    try:
        return stat.S_ISREG(call.fs.stat(path).st_mode) and call.fs.access(path, os.X_OK)
    except OSError:
        return False


def _is_known(call: Call, name: str) -> bool:
    if name in INDEX or name in _SHELLS:
        return True
    places = [f"{part or '.'}/{name}{end}" for part in split_path(call) for end in program_extensions(call)]
    return any(is_program(call, call.path(place)) for place in places)


def _check_file(call: Call, name: str, cwd: str | None) -> OSError | None:
    """Say what keeps a name with a slash from being executed."""
    path = call.fs.absolute(cwd or call.cwd, name)
    try:
        if stat.S_ISREG(call.fs.stat(path).st_mode) and call.fs.access(path, os.X_OK):
            return None
        return OSError(errno.EACCES, "Permission denied")
    except OSError as error:
        return error


class Launched:
    """A command that was started; ``wait`` gives its status, or raises the OSError that kept it from starting."""

    __slots__ = ("_captured", "_call", "_name", "_wait", "trouble")

    def __init__(
        self, call: Call, name: str, wait: Callable[[], int], captured: Capture | None, trouble: OSError | None
    ) -> None:
        self._call = call
        self._name = name
        self._wait = wait
        self._captured = captured
        self.trouble = trouble

    def wait(self) -> int:
        """Wait for the end."""
        status = self._wait()
        if self._captured is None:
            return status
        said = self._captured.getvalue()
        if self.trouble is None and status == 127 and said.rstrip(b"\n").endswith(b": command not found"):
            self.trouble = OSError(errno.ENOENT, "No such file or directory")
        if self.trouble is not None:
            raise self.trouble
        self._call.stderr.write(said)
        return status


def launch(
    call: Call,
    argv: Sequence[str],
    *,
    stdin: Stream | None = None,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    beside: bool = False,
) -> Launched:
    """Start a command, on another thread if ``beside``; OSError if it is a file that may not be executed.

    A name that nothing is known of is started all the same, so that the run notes that a command was missing (and a
    host's own utilities are found); only its message is kept back.
    """
    name = argv[0]
    trouble: OSError | None = None
    captured: Capture | None = None
    if "/" in name:
        trouble = _check_file(call, name, cwd)
        if trouble is not None and trouble.errno not in (errno.ENOENT, errno.ENOTDIR):
            raise trouble
    if trouble is not None or ("/" not in name and not _is_known(call, name)):
        captured = Capture(call.limits.output, "standard error")
        captured.retain()
    running = call.start(argv, stdin=stdin, stderr=captured, env=env, cwd=cwd, scope=call.scope if beside else None)
    return Launched(call, name, running.wait, captured, trouble)
