"""What the hooks of an engine will find when they run: every command they name, and what it is here."""

from __future__ import annotations

from collections.abc import Iterator

from ..builtins._index import INDEX as BUILTINS
from ..errors import Diagnostic, ShellSyntaxError
from ..hooks.fields import sample
from ..hooks.model import HookJob, HookSession, HookSpec
from ..hooks.wire import JSON
from ..interp.dispatch import SHELLS, BadShebang, probe
from ..interp.resolve import undotted
from ..interp.script_files import choose
from ..shell import Shell
from ..syntax.named_commands import NamedCommand, named_commands
from ..text import decode
from ..utilities._index import INDEX as UTILITIES
from .engine import HookEngine
from .executor import ShellExecutor
from .system import System

LARGEST = 1 << 20  # bytes of a script that is read through
FINE = frozenset({"builtin", "utility", "script", "program"})


class Finding:
    """One command that a hook names. ``kind``: ``builtin utility script program missing unreadable unsupported``."""

    __slots__ = ("detail", "file", "id", "kind", "line", "name", "origin")

    def __init__(self, spec: HookSpec, name: str, line: int, kind: str, detail: str = "", file: str = "") -> None:
        self.id = spec.id
        self.origin = str(spec.origin)
        self.name = name
        self.line = line  # of the hook's command, or of the script ``file``
        self.kind = kind
        self.detail = detail
        self.file = file

    @property
    def fine(self) -> bool:
        """Say whether it will run."""
        return self.kind in FINE

    def as_json(self) -> dict[str, JSON]:
        """Give it as a JSON object."""
        return {slot: getattr(self, slot) for slot in self.__slots__}

    def __repr__(self) -> str:
        return f"Finding({self.id}: {self.name} is {self.kind})"


def examine(engine: HookEngine, *, spawn: bool = True) -> list[Finding]:
    """Look up every command that the hooks name, as their runs would. Runs none of them."""
    found: list[Finding] = []
    for system in engine.systems:
        for spec in system.specs:
            found += _hook(engine, system, spec, spawn)
    return found


def refusals(engine: HookEngine) -> list[Diagnostic]:
    """Say at load which programs the hooks of an engine without processes name: those can't start, and deny where they guard."""
    if not isinstance(getattr(engine.executor, "commands", engine.executor), ShellExecutor):
        return []
    found: list[Diagnostic] = []
    for system in engine.systems:
        for spec in system.specs:
            if spec.kind != "command":
                continue
            for finding in _hook(engine, system, spec, False):
                if finding.kind == "unsupported":
                    origin, hint = spec.origin, "allow processes (spawn=True), or write it with built-in commands"
                    message = f"{finding.name}: {finding.detail}"
                    found.append(Diagnostic(origin.file, origin.line, origin.column, message, hint, "warning"))
    return found


def _hook(engine: HookEngine, system: System, spec: HookSpec, spawn: bool) -> Iterator[Finding]:
    if spec.kind != "command":
        yield Finding(spec, spec.kind, 1, "unsupported", f'needs a handler of the host for hooks of type "{spec.kind}"')
        return
    row = system.dialect.events.get(spec.event)
    if row is None:
        return  # never fired; the loader has said so
    session = engine.scratch()
    event = system.tell(row, False, sample(row, False), session).event
    event.cwd = system.surroundings.cwd
    job = system.dialect.job(event, spec, system.surroundings)
    look = _Look(spec, job, _shell(engine, session if system.dialect.session_files else None), spawn)
    if job.argv is not None:
        yield look.command(job.argv[0], 1)
        return
    yield from look.text(job.command)


def _shell(engine: HookEngine, session: HookSession | None) -> Shell:
    """Give the shell that runs the engine's commands; a host with an executor of its own is asked nothing."""
    executor = getattr(engine.executor, "commands", engine.executor)
    return executor.shell_for(session) if isinstance(executor, ShellExecutor) else Shell()


class _Look:
    """Looks up what one hook names. ``real``: the program that reads a script, where that is not the embedded shell."""

    __slots__ = ("_job", "_seen", "_shell", "_spawn", "_spec", "_where")

    def __init__(self, spec: HookSpec, job: HookJob, shell: Shell, spawn: bool) -> None:
        self._spec = spec
        self._job = job
        self._shell = shell
        self._spawn = spawn
        self._where = shell.where(job.env, job.cwd)
        self._where.spawn &= spawn
        self._seen: set[str] = set()

    def text(self, text: str, file: str = "", real: str = "") -> Iterator[Finding]:
        """Say what a text names, each command once."""
        try:
            commands = named_commands(text)
        except ShellSyntaxError as error:
            diagnostic = error.diagnostic
            yield Finding(self._spec, file or "its command", diagnostic.line, "unreadable", diagnostic.message, file)
            return
        told: set[str] = set()
        for command in commands:
            if command.name in told:
                continue
            told.add(command.name)
            if "/" in command.name or command.script:
                yield from self._file(command, file, real)
            else:
                yield self.command(command.name, command.line, file, real)

    def command(self, name: str, line: int, file: str = "", real: str = "") -> Finding:
        """Say what a name without a slash is."""
        if name in BUILTINS and not (real and name in SHELLS):
            return Finding(self._spec, name, line, "builtin", file=file)
        if real:
            return self._real(name, line, file, real)
        if name in UTILITIES or name in SHELLS:
            return Finding(self._spec, name, line, "utility", file=file)
        done = self._shell.run('type -P -- "$1"', name, env=self._job.env, cwd=self._job.cwd)
        where = decode(done.stdout).strip()
        if not where:
            hint = "it is neither built in nor on PATH: status 127"
            return Finding(self._spec, name, line, "missing", hint, file)
        if not self._spawn:
            detail = f"{where} is a program, and no process may be started"
            return Finding(self._spec, name, line, "unsupported", detail, file)
        return Finding(self._spec, name, line, "program", where, file)

    def _real(self, name: str, line: int, file: str, real: str) -> Finding:
        """Say what a name is for a real shell: there are no utilities in it."""
        found = self._where.program(name)
        if found is not None:
            return Finding(self._spec, name, line, "program", found, file)
        mend = 'install it, or take scripts="embedded"' if name in UTILITIES else "install it"
        return Finding(self._spec, name, line, "missing", f"it is not on PATH, and {real} runs this; {mend}", file)

    def _file(self, command: NamedCommand, file: str, real: str) -> Iterator[Finding]:
        """Say what a path leads to, what runs it, and what a shell script there names."""
        spec, name, line = self._spec, command.name, command.line
        path = self._shell.fs.absolute(self._job.cwd, undotted(name))
        try:
            probed = probe(self._shell.fs, path)
        except BadShebang as error:
            yield Finding(spec, name, line, "unsupported", str(error), file)
            return
        except OSError as error:
            yield Finding(spec, name, line, "missing", f"{path}: {error.strerror}", file)
            return
        if probed.kind == "binary":
            kind = "program" if self._spawn else "unsupported"
            yield Finding(spec, name, line, kind, path if self._spawn else "no process may be started", file)
            return
        detail, is_shell = path, True
        if probed.shebang is not None and not command.script:
            choice = choose(self._where, path, probed.shebang)
            is_shell = choice.embedded or probed.shebang.base in SHELLS
            real = choice.program or ""
            detail = f"{path}: {choice.notice}" if choice.embedded and choice.notice else path
            if choice.status or not is_shell:
                kind = {0: "program", 126: "unsupported", 127: "missing"}[choice.status]
                yield Finding(spec, name, line, "script", path, file)
                yield Finding(spec, probed.shebang.base, 1, kind, choice.notice or choice.program or "", path)
                return
        yield Finding(spec, name, line, "script", detail, file)
        if path in self._seen:
            return
        self._seen.add(path)
        stream = self._shell.fs.open(path, 0)
        try:
            text = decode(stream.read(LARGEST))
        finally:
            stream.close()
        yield from self.text(text, path, real)
