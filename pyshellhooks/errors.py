"""Exceptions and diagnostics.

::

    PyShellHooksError
    ├── ShellSyntaxError      a script that does not parse; carries a Diagnostic
    ├── ConfigError           a config that does not load; carries Diagnostics
    ├── UnknownEventError     an event that the dialect does not have
    ├── UnknownDialectError   a dialect or edition that does not exist
    ├── AnswerError           an output of a hook in Python that its event does not have in its system; a ValueError
    ├── MisspeltFieldError    a field of an event whose name is a misspelling of another one; a TypeError
    ├── SessionBusyError      a session that runs a script already; a RuntimeError
    ├── UntrackedFilesError   changes or a snapshot of files that have no record; a ValueError
    └── UsageError            a utility or builtin called wrongly; becomes "name: message" and a status
    Stop (BaseException)      the whole run ends: deadline, cancel or an exceeded limit (rule 1)

``Stop`` is a ``BaseException`` so that no ``except Exception`` or ``except OSError`` in
a utility can turn the end of a run into an exit status.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence

#: The same messages on every system: strerror of Windows and musl differs from glibc's.
GLIBC_MESSAGES = {
    errno.ENOENT: "No such file or directory",
    errno.EACCES: "Permission denied",
    errno.EPERM: "Operation not permitted",
    errno.EEXIST: "File exists",
    errno.ENOTDIR: "Not a directory",
    errno.EISDIR: "Is a directory",
    errno.EINVAL: "Invalid argument",
    errno.ENOTEMPTY: "Directory not empty",
    errno.EBADF: "Bad file descriptor",
    errno.ELOOP: "Too many levels of symbolic links",
    errno.ENAMETOOLONG: "File name too long",
    errno.EROFS: "Read-only file system",
    errno.ENOSPC: "No space left on device",
    errno.EXDEV: "Invalid cross-device link",
    errno.EPIPE: "Broken pipe",
    errno.ENOEXEC: "Exec format error",
    errno.ESPIPE: "Illegal seek",
    errno.EMFILE: "Too many open files",
    errno.ENOTSUP: "Operation not supported",
    errno.ETXTBSY: "Text file busy",
    errno.EIO: "Input/output error",
    errno.EBUSY: "Device or resource busy",
}


def message_of(error: Exception) -> str:
    """Return the message of an error; of an ``OSError`` without its number and path, and never in Windows's words."""
    if not isinstance(error, OSError):
        return str(error)
    if getattr(error, "winerror", None) is not None and error.errno is not None:
        return GLIBC_MESSAGES.get(error.errno) or os.strerror(error.errno)
    return error.strerror or str(error)


class Diagnostic:
    """A text for a person about a file: the place, the problem, and the fix (``hint``).

    ``line``, ``column`` and ``end_column`` (int) count from 1 in characters; 0 means unknown. ``end_column`` is the
    first column after the marked text, ``source`` the text of the line, or ``""`` if it is not known. ``severity`` is
    "error", "warning" or "hint". ``code`` is stable: docs/diagnostics.md explains each.
    """

    __slots__ = ("code", "column", "end_column", "file", "hint", "line", "message", "severity", "source")

    def __init__(
        self,
        file: str,
        line: int,
        column: int,
        message: str,
        hint: str = "",
        severity: str = "error",
        *,
        code: str = "",
        end_column: int = 0,
        source: str = "",
    ) -> None:
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.hint = hint
        self.severity = severity  # "error" | "warning" | "hint"
        self.code = code
        self.end_column = end_column
        self.source = source

    def at(self, file: str, line: int, column: int, end_column: int = 0, source: str = "") -> Diagnostic:
        """Return a copy at another place."""
        return Diagnostic(
            file, line, column, self.message, self.hint, self.severity,
            code=self.code, end_column=end_column, source=source,
        )  # fmt: skip

    @property
    def path(self) -> str:
        """The same as ``file``."""
        return self.file

    @property
    def place(self) -> str:
        """``file:line:column``, without the unknown parts."""
        where = (self.line, self.column) if self.column else (self.line,)
        return ":".join([self.file, *map(str, where)]) if self.line else self.file

    def __str__(self) -> str:
        text = f"{self.place}: {self.severity}: {self.message}"
        return f"{text}\n  hint: {self.hint}" if self.hint else text

    def __repr__(self) -> str:
        return f"Diagnostic({self!s})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Diagnostic) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, int, int, str, str, str, str]:
        return (self.file, self.line, self.column, self.message, self.hint, self.severity, self.code)

    def as_json(self) -> dict[str, object]:
        """Return the fields as a JSON object (dict)."""
        return {
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "end_column": self.end_column,
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
        }


class PyShellHooksError(Exception):
    """Base class of the exceptions of this library."""


class Opened:
    """A construct that is open at a syntax error: ``if``, ``$(``, ``"``, a here-document (``<<EOF``)."""

    __slots__ = ("column", "line", "source_line", "what")

    def __init__(self, what: str, line: int, column: int, source_line: str) -> None:
        self.what = what
        self.source_line = source_line
        self.line = line
        self.column = column

    def __repr__(self) -> str:
        return f"Opened({self.what!r}, {self.line}, {self.column})"


class ShellSyntaxError(PyShellHooksError):
    """A script does not parse.

    ``diagnostic`` has the place and bash's message; its hint names the expected token and the open constructs.
    ``source_line`` is the text of its line, ``opened`` (tuple of ``Opened``) the open constructs, the outermost first.
    ``incomplete`` (bool): the text ended inside a construct.
    """

    def __init__(
        self,
        diagnostic: Diagnostic,
        *,
        incomplete: bool = False,
        source_line: str = "",
        opened: Sequence[Opened] = (),
        offending: str = "",
    ) -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic
        self.incomplete = incomplete  # the text ended inside a construct
        self.source_line = source_line
        self.opened = tuple(opened)
        self.offending = offending  # the second line of bash's message; "" if it has none


class ConfigError(PyShellHooksError):
    """A config file does not load; ``diagnostics`` is a tuple of ``Diagnostic``."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("\n".join(map(str, diagnostics)))
        self.diagnostics = tuple(diagnostics)


class UnknownEventError(PyShellHooksError):
    """The dialect has no such event."""


class UnknownDialectError(PyShellHooksError):
    """No such dialect, or no such edition of it."""


class AnswerError(PyShellHooksError, ValueError):
    """A hook in Python returned an output that its event does not have in its system, or it has answered already."""


class MisspeltFieldError(PyShellHooksError, TypeError):
    """A field of an event has an unknown name that is close to a known one."""


class WorkingDirectoryError(PyShellHooksError, OSError):
    """The working directory is missing or is not a directory; see ``errno``, ``strerror`` and ``filename``."""

    def __str__(self) -> str:
        return f"cwd: {self.filename}: {message_of(self)}"


class SessionBusyError(PyShellHooksError, RuntimeError):
    """A session was used while it runs a script: by another thread, another task, or a command of that script."""


class UntrackedFilesError(PyShellHooksError, ValueError):
    """A snapshot or a list of changes was requested for a file system that keeps no record, such as the host's disk."""


class UsageError(PyShellHooksError):
    """A utility or builtin was called wrongly.

    Its caller prints ``name: message``; ``status`` (int or None) overrides the utility's own usage status.
    """

    def __init__(self, message: str, status: int | None = None, *, hint: bool = True) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.hint = hint  # add GNU's "Try 'x --help' for more information."


class Stop(BaseException):
    """The run ends now. A script can't see, catch or hide it (rule 1)."""

    def __init__(self, reason: str, detail: str = "", limit: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason  # "deadline" | "cancelled" | "limit" | "regex" | "refused" | "lost" | "killed"
        self.detail = detail
        self.limit = limit  # the exceeded field of ``Limits``, or ""
