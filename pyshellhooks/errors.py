"""Exceptions and diagnostics.

::

    PyShellHooksError
    ├── ShellSyntaxError      a script that does not parse; carries a Diagnostic
    ├── ConfigError           a config that does not load; carries Diagnostics
    ├── UnknownEventError     an event that the dialect does not have
    ├── UnknownDialectError   a dialect or edition that does not exist
    ├── AnswerError           what a hook in Python wants to answer has no words on its event; a ValueError
    ├── MisspeltFieldError    a field of an event under a name that can only be meant for another; a TypeError
    ├── SessionBusyError      a session that runs a script already; a RuntimeError
    ├── UntrackedFilesError   files that nobody keeps a record of, asked for their changes or a snapshot; a ValueError
    └── UsageError            a utility or builtin called wrongly; becomes "name: message" and a status
    Stop (BaseException)      the whole run ends: deadline, cancel or a breached limit (rule 1)

``Stop`` is a ``BaseException`` so that no ``except Exception`` or ``except OSError`` in
a utility can turn the end of a run into a mere status.
"""

from __future__ import annotations

from collections.abc import Sequence


class Diagnostic:
    """One thing to tell a person: where, what, and how to mend it.

    ``line``, ``column`` and ``end_column`` count from 1 in characters; 0 means unknown. ``end_column`` is the first column
    behind what is meant, ``source`` the line itself where whoever tells it had the text. ``code`` is stable: what it stands
    for is in docs/diagnostics.md.
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

    @property
    def path(self) -> str:
        """The file, as it was named."""
        return self.file

    @property
    def mend(self) -> str:
        """What to do about it; ``""`` where nothing can be said."""
        return self.hint

    @property
    def place(self) -> str:
        """``file:line:column``, as far as they are known."""
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
        """Return the fields as a JSON object."""
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
    """Root of what this library raises on purpose."""


class Opened:
    """A construct that the text had opened and not closed: ``if``, ``$(``, ``"``, a here-document (``<<EOF``)."""

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

    ``diagnostic`` says where and what, in bash's words; its hint is what was expected and what is open since where.
    ``source_line`` is the line it points at, ``opened`` everything that was open there, the outermost first.
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
        self.offending = offending  # what bash shows in the second line of its message; "" if it has none


class ConfigError(PyShellHooksError):
    """A config file does not load."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("\n".join(map(str, diagnostics)))
        self.diagnostics = tuple(diagnostics)


class UnknownEventError(PyShellHooksError):
    """The dialect has no such event."""


class UnknownDialectError(PyShellHooksError):
    """No such dialect, or no such edition of it."""


class AnswerError(PyShellHooksError, ValueError):
    """What a hook in Python wants to answer has no words on its event in its system, or it has answered already."""


class MisspeltFieldError(PyShellHooksError, TypeError):
    """A field of an event has a name that is nobody's, and close to one that is."""


class WorkingDirectoryError(PyShellHooksError, OSError):
    """The directory to run in is missing, or is none; ``errno``, ``strerror`` and ``filename`` say what is wrong."""

    def __str__(self) -> str:
        return f"cwd: {self.filename}: {self.strerror}"


class SessionBusyError(PyShellHooksError, RuntimeError):
    """A session was used while it runs a script: from another thread, another task, or a command of that script."""


class UntrackedFilesError(PyShellHooksError, ValueError):
    """Files lie on a disk, or where else nobody records what they were: no snapshot can be made, no change named."""


class UsageError(PyShellHooksError):
    """A utility or builtin was called wrongly.

    The wrapper prints ``name: message``; ``status`` overrides the utility's own usage status.
    """

    def __init__(self, message: str, status: int | None = None, *, hint: bool = True) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.hint = hint  # add GNU's "Try 'x --help' for more information."


class Stop(BaseException):
    """The run ends now. Nothing in a script can see, catch or hide it (rule 1)."""

    def __init__(self, reason: str, detail: str = "", limit: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason  # "deadline" | "cancelled" | "limit" | "regex" | "refused" | "lost" | "killed"
        self.detail = detail
        self.limit = limit  # the bound of ``Limits`` that was breached; "": none that could be raised
