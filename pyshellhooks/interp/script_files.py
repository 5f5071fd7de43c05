"""Choice of the interpreter of a script file: its own, a substitute, or none (decisions shebang, ADR 8).

The choice is made without running anything, so ``doctor`` reports the same. Facts about a file are cached under its
size and times. Whether a program is on PATH is checked each time, because it may have been installed meanwhile.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..analysis.needed_commands import Needs, needed_commands
from ..errors import ShellSyntaxError, Stop
from ..state import variables
from ..state.run import REFUSED
from ..text import decode
from .builtin import ABSENT_BUILTINS, BUILTINS
from .probe import SHELLS, Shebang
from .resolve import PYTHONS

if TYPE_CHECKING:
    from ..command.registry import Registry
    from ..fs.base import FileSystem, Stat
    from ..host.base import Host
    from ..state.context import ExecutionContext
    from ..state.run import Run

EMBEDDED = 'use scripts="embedded" (--scripts embedded)'
LARGEST = 1 << 20  # bytes of a script that are read; the rest is ignored
PARSED = 1 << 16  # bytes of the largest script that is parsed for its needs: 5 us a byte, without deadline checks
_REMEMBERED = 256
_MARK = b"\xef\xbb\xbf"
_places: dict[tuple[str, str | None, str], str] = {}


class ProgramSearch:
    """The surroundings that the choice depends on, besides the file. ``path`` is PATH, or None if it is not set."""

    __slots__ = ("cwd", "fs", "host", "path", "registry", "scripts", "spawn")

    def __init__(
        self, fs: FileSystem, host: Host, cwd: str, path: str | None, registry: Registry, scripts: str, spawn: bool
    ) -> None:
        self.fs = fs
        self.host = host
        self.cwd = cwd
        self.path = path
        self.registry = registry
        self.scripts = scripts
        self.spawn = spawn

    def program(self, name: str) -> str | None:
        """Search PATH for a program."""
        return None if self.path is None else self.host.which(name, self.path, self.cwd)

    def installed(self, name: str) -> str | None:
        """Search PATH for a program that is not a placeholder."""
        program = self.program(name)
        return None if program is None or self.host.is_placeholder(program) else program

    def missing(self, names: Iterable[str]) -> list[str]:
        """Return the names that are not on PATH; [] if PATH is unset: a real shell's default PATH is unknown."""
        if self.path is None:
            return []
        return [name for name in names if not self._is_there(name)]

    def _is_there(self, name: str) -> bool:
        """Return whether a name is on PATH. Its last known place is tried first: PATH may have many directories."""
        key = (name, self.path, self.cwd)
        last = _places.get(key)
        if last is not None and self.host.find_executable(last) is not None:
            return True
        program = self.program(name)
        if program is None:
            return False
        if len(_places) >= _REMEMBERED:
            _places.clear()
        _places[key] = program
        return True


def program_search_of(ctx: ExecutionContext) -> ProgramSearch:
    """Return the surroundings of a running shell, with the PATH that a child would get."""
    run = ctx.run
    path = variables.get(ctx, "PATH") if "PATH" in ctx.exports else None
    return ProgramSearch(ctx.fs, run.host, ctx.cwd, path, run.registry, run.scripts, run.spawn)


class Choice:
    """The chosen way to run a script file.

    ``program``, ``words``   the interpreter, and its words before the script's path; None: no program runs it
    ``embedded``             the embedded shell runs it
    ``status``               the status if it cannot be run (126, 127); else 0
    ``own``                  why it would run outside of this library (``Run.notice``); ``""`` if it would not
    ``message``, ``hint``    a text for a person, if there is anything to report, and its hint
    ``fault``                a program runs it, but a part of it will not run (else a failure is in ``status``)
    """

    __slots__ = ("embedded", "fault", "hint", "message", "own", "program", "status", "words")

    def __init__(
        self,
        program: str | None = None,
        words: Iterable[str] = (),
        *,
        embedded: bool = False,
        status: int = 0,
        message: str = "",
        hint: str = "",
        own: str = "",
        fault: bool = False,
    ) -> None:
        self.fault = fault
        self.program = program
        self.words = tuple(words)
        self.embedded = embedded
        self.status = status
        self.message = message
        self.hint = hint
        self.own = own

    @property
    def notice(self) -> str:
        """The text for a verdict, without the script's name; ``""`` if there is nothing to report."""
        message = f"{self.message}; {self.hint}" if self.hint else self.message
        return f"{message} (status {self.status})" if self.status else message

    def add_notice(self, run: Run, name: str) -> None:
        """Add the notice about the script ``name`` to a run."""
        if self.own:
            kind = "process-refused"
        elif self.status:
            kind = "interpreter-not-found"
        elif self.fault:
            kind = "command-not-found"
        else:
            kind = "stand-in"
        run.notice(
            self.message,
            kind,
            command=name,
            hint=self.hint,
            status=self.status,
            fault=self.fault or bool(self.status),
            own=self.own,
        )


def choose(where: ProgramSearch, path: str, shebang: Shebang) -> Choice:
    """Choose the interpreter of the script at ``path``."""
    native = where.fs.host_path(path)
    is_shell = shebang.base.lower().removesuffix(".exe") in SHELLS
    if is_shell and where.scripts == "embedded":
        return Choice(embedded=True)
    program = _interpreter(where, shebang) if native is not None and where.spawn else None
    python = _python(where, native, shebang, program)
    if python is not None:
        return python
    unsure: list[str] = []
    if is_shell and where.scripts == "auto":
        failing = _failing(where, path, shebang, program)
        if isinstance(failing, Choice):
            return failing
        unsure = failing
    if program is None:
        return _no_interpreter(where, path, native, shebang)
    words = (shebang.path, *shebang.argv)
    if unsure:
        message = f"{_are(unsure)} not on PATH, and {program} runs this script, which may need {_it(unsure)}"
        return Choice(program, words, message=message, hint=f"install {_it(unsure)}, or {EMBEDDED}")
    missing = _certainly_missing(where, path) if is_shell else []
    if missing:  # the 127 occurs inside the script, so its effect on a guard is invisible from here
        message = f"{_are(missing)} not on PATH, and {program} ran the script anyway"
        return Choice(program, words, message=message, hint=f"install {_it(missing)}", fault=True)
    return Choice(program, words)


def _no_interpreter(where: ProgramSearch, path: str, native: str | None, shebang: Shebang) -> Choice:
    """Return the failure of a script that neither its interpreter nor the embedded shell can run."""
    if not where.spawn:
        message = f"needs {shebang.path}, and processes are not allowed (spawn=False)"
        return Choice(status=126, message=message, hint="rewrite it for sh, or allow processes", own=REFUSED)
    if native is None:
        message = f"needs {shebang.path}, which cannot see this file system"
        return Choice(status=126, message=message, hint="rewrite it for sh, or put it on the disk", own=REFUSED)
    searched = f'not found and "{shebang.base}" not in PATH' if "/" in shebang.path else "not found in PATH"
    hint = f"install {shebang.base}, or write another interpreter in the first line of {path}"
    return Choice(status=127, message=f'interpreter "{shebang.path}" {searched}', hint=hint)


def _python(where: ProgramSearch, native: str | None, shebang: Shebang, program: str | None) -> Choice | None:
    """Return the substitute for a script's Python that is missing or may be a placeholder, if there is one."""
    if native is None or not where.spawn or shebang.base not in PYTHONS:
        return None
    if program is not None and not where.host.is_placeholder(program):
        return None
    python = python_for(where, shebang.base)
    if python is None:
        return None
    return Choice(python.program, (*python.words, *shebang.argv), message=python.message, hint=python.hint)


def python_for(where: ProgramSearch, name: str) -> Choice | None:
    """Return a substitute if PATH has no Python of that name: another name on PATH, or the host's own interpreter."""
    command = _other_python(where, name)
    if command is None:
        return None
    return Choice(
        command[0],
        command,
        message=f"{name} is not on PATH; {' '.join(command)} ran instead",
        hint=f"install {name}",
    )


def _other_python(where: ProgramSearch, name: str) -> tuple[str, ...] | None:
    """Return the words that start a Python of another name than ``name``, or None."""
    for other in PYTHONS:
        program = where.installed(other) if other != name else None
        if program:
            return (program,)
    launcher = where.installed("py")  # of Windows
    if launcher is not None:
        return launcher, "-3"
    # In a program that embeds Python, ``sys.executable`` is that program: a second instance of it would start.
    if getattr(sys, "frozen", False):
        return None
    base = sys.executable.replace("\\", "/").rpartition("/")[2].lower()
    if not base.startswith(("python", "pypy")):
        return None
    program = where.host.find_executable(sys.executable)
    return None if program is None else (program,)


def _interpreter(where: ProgramSearch, shebang: Shebang) -> str | None:
    """Find an interpreter: as written, else its base name on PATH (WSL's stub there counts as missing)."""
    if "/" in shebang.path or "\\" in shebang.path:
        native = where.fs.host_path(where.fs.absolute(where.cwd, shebang.path))
        if native is not None:
            program = where.host.find_executable(native)
            if program is not None:
                return program
    return where.program(shebang.base)


def _failing(where: ProgramSearch, path: str, shebang: Shebang, program: str | None) -> Choice | list[str]:
    """Return the embedded shell if the real one is known to fail, else the names that the script may fail to find."""

    def embedded(why: str, hint: str) -> Choice:
        return Choice(embedded=True, message=f"{why}; the embedded shell ran the script", hint=hint)

    if not where.spawn:
        return embedded(f"processes are not allowed, so {shebang.path} did not run", f"{EMBEDDED} if this is intended")
    if where.fs.host_path(path) is None:
        return embedded(f"{shebang.path} cannot see this file system", f"{EMBEDDED} if this is intended")
    facts = _facts(where, path)
    if facts.odd:  # first, because it is so on every machine
        return embedded(f"{facts.odd}, on which {shebang.base} fails", f"{facts.hint}, or {EMBEDDED}")
    if program is None:
        return embedded(f"{shebang.path} not found", f"install {shebang.base}, or {EMBEDDED}")
    missing = where.missing(facts.utilities)
    if not missing:
        return []
    needs = facts.needs(where, path)
    sure = [name for name in needs.sure if name in missing]
    if sure:
        return embedded(f"{_are(sure)} not on PATH", f"install {_it(sure)}, or {EMBEDDED}")
    return [name for name in needs.unsure if name in missing]


def _certainly_missing(where: ProgramSearch, path: str) -> list[str]:
    """Return the programs that every run of a shell script needs and that are not on PATH."""
    names = [name for name in _facts(where, path).needs(where, path).certain if "/" not in name]
    return where.missing(name for name in names if name not in BUILTINS and name not in ABSENT_BUILTINS)


def ended_without(where: ProgramSearch, path: str, program: str, status: int) -> tuple[str, str]:
    """Return the probable cause and a hint for a status of 126 or 127 of a script that a real shell ran."""
    why = f"{program} ended with status {status}: "
    if status != 127:
        return f"{why}a command in it could not be run", "see its stderr"
    needs = _facts(where, path).needs(where, path)
    names = [name for name in (*needs.sure, *needs.unsure) if "/" not in name and name not in BUILTINS]
    missing = where.missing(names)
    if not missing:
        return f"{why}a command in it was not found", "see its stderr"
    hint = f"install {_it(missing)}"
    if all(name in where.registry for name in missing):
        hint += f", or {EMBEDDED}"
    return f"{why}{_are(missing)} not on PATH", hint


def _are(names: list[str]) -> str:
    return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'}"


def _it(names: list[str]) -> str:
    return "it" if len(names) == 1 else "them"


class _Facts:
    """Facts about a script's text, whatever is installed. ``utilities``: names of our utilities that occur in it."""

    __slots__ = ("_needs", "hint", "odd", "signature", "utilities")

    def __init__(self, signature: tuple[int, ...], data: bytes, registry: Registry) -> None:
        self.signature = signature
        self.odd = self.hint = ""
        if data.startswith(_MARK):
            self.odd, self.hint = "it begins with a byte order mark", "save it without one"
        elif b"\r\n" in data and b"\0" not in data:  # a NUL indicates an appended binary, in which CR LF means nothing
            self.odd, self.hint = "it has CRLF line ends", "save it with LF"
        # A real shell has the builtins itself.
        self.utilities = tuple(
            name for name in registry.names() if name not in BUILTINS and _contains_word(data, name.encode())
        )
        self._needs: Needs | None = None

    def needs(self, where: ProgramSearch, path: str) -> Needs:
        """Return the commands that the script needs. The text is read again, because this is rarely called."""
        if self._needs is None:
            try:
                data = _read(where.fs, path)
            except OSError:
                data = b""
            self._needs = Needs() if len(data) > PARSED else _needs(decode(data))
        return self._needs


def _contains_word(data: bytes, word: bytes) -> bool:
    """Return whether a name occurs as a word of its own: within a longer word it is not a command."""
    if word not in data:  # this is fast, and rules out most of the names
        return False
    return re.search(rb"(?<![\w-])" + re.escape(word) + rb"(?![\w-])", data) is not None


def _needs(text: str) -> Needs:
    try:
        return needed_commands(text)
    except (RecursionError, ShellSyntaxError, Stop):  # our parser rejects it, or it nests too deep
        return Needs()


_known: dict[tuple[str, Registry], _Facts] = {}


def _facts(where: ProgramSearch, path: str) -> _Facts:
    """Return the facts of a file as it is now. An unreadable file has no facts: its interpreter reports the error."""
    key = (path, where.registry)
    try:
        signature = _signature(where.fs.stat(path))
        facts = _known.get(key)
        if facts is None or facts.signature != signature:
            facts = _Facts(signature, _read(where.fs, path), where.registry)
            if len(_known) >= _REMEMBERED:
                _known.clear()
            _known[key] = facts
    except OSError:
        return _Facts((), b"", where.registry)
    return facts


def _signature(status: Stat) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _read(fs: FileSystem, path: str) -> bytes:
    stream = fs.open(path, 0).retain()
    try:
        data = bytearray()
        while len(data) < LARGEST and (chunk := stream.read(LARGEST - len(data))):
            data += chunk
        return bytes(data)
    finally:
        stream.release()
