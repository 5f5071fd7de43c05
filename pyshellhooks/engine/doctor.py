"""What the hooks of an engine will find when they run: every command they name, and what it is here."""

from __future__ import annotations

from collections.abc import Iterator

from ..builtins._index import INDEX as BUILTINS
from ..errors import ShellSyntaxError
from ..hooks.fields import sample
from ..hooks.model import HookJob, HookSession, HookSpec
from ..hooks.wire import JSON
from ..interp.dispatch import SHELLS, BadShebang, probe
from ..shell import Shell
from ..syntax.named_commands import named_commands
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


def _hook(engine: HookEngine, system: System, spec: HookSpec, spawn: bool) -> Iterator[Finding]:
    if spec.kind != "command":
        yield Finding(spec, spec.kind, 1, "unsupported", f'needs a handler of the host for hooks of type "{spec.kind}"')
        return
    row = system.dialect.events.get(spec.event)
    if row is None:
        return  # never fired; the loader has said so
    session = engine.session()
    event = system.tell(row, False, sample(row, False), session).event
    event.cwd = system.surroundings.cwd
    job = system.dialect.job(event, spec, system.surroundings)
    shell = _shell(engine, session if system.dialect.session_files else None)
    if job.argv is not None:
        yield _command(spec, job, shell, job.argv[0], 1, "", spawn)
        return
    yield from _text(spec, job, shell, job.command, "", spawn, set())


def _shell(engine: HookEngine, session: HookSession | None) -> Shell:
    """Give the shell that runs the engine's commands; a host with an executor of its own is asked nothing."""
    executor = getattr(engine.executor, "commands", engine.executor)
    return executor.shell_for(session) if isinstance(executor, ShellExecutor) else Shell()


def _text(
    spec: HookSpec, job: HookJob, shell: Shell, text: str, file: str, spawn: bool, seen: set[str]
) -> Iterator[Finding]:
    try:
        commands = named_commands(text)
    except ShellSyntaxError as error:
        diagnostic = error.diagnostic
        yield Finding(spec, file or "its command", diagnostic.line, "unreadable", diagnostic.message, file)
        return
    told: set[str] = set()
    for command in commands:
        if command.name in told:
            continue
        told.add(command.name)
        path = "/" in command.name or command.script
        if path:
            yield from _file(spec, job, shell, command.name, command.line, file, spawn, seen)
        else:
            yield _command(spec, job, shell, command.name, command.line, file, spawn)


def _command(spec: HookSpec, job: HookJob, shell: Shell, name: str, line: int, file: str, spawn: bool) -> Finding:
    if name in BUILTINS:
        return Finding(spec, name, line, "builtin", file=file)
    if name in UTILITIES or name in SHELLS:
        return Finding(spec, name, line, "utility", file=file)
    done = shell.run('type -P -- "$1"', name, env=job.env, cwd=job.cwd)
    where = decode(done.stdout).strip()
    if not where:
        hint = "it is neither built in nor on PATH: status 127"
        return Finding(spec, name, line, "missing", hint, file)
    if not spawn:
        return Finding(spec, name, line, "unsupported", f"{where} is a program, and no process may be started", file)
    return Finding(spec, name, line, "program", where, file)


def _file(
    spec: HookSpec, job: HookJob, shell: Shell, name: str, line: int, file: str, spawn: bool, seen: set[str]
) -> Iterator[Finding]:
    """Say what a path leads to, and what a shell script there names."""
    path = shell.fs.absolute(job.cwd, name.removeprefix("./") or name)
    try:
        probed = probe(shell.fs, path)
    except BadShebang as error:
        yield Finding(spec, name, line, "unsupported", str(error), file)
        return
    except OSError as error:
        yield Finding(spec, name, line, "missing", f"{path}: {error.strerror}", file)
        return
    shebang = probed.shebang
    if probed.kind == "binary":
        kind = "program" if spawn else "unsupported"
        yield Finding(spec, name, line, kind, path if spawn else "no process may be started", file)
        return
    if shebang is not None and shebang.base not in SHELLS:
        yield Finding(spec, name, line, "script", path, file)
        yield _command(spec, job, shell, shebang.base, 1, path, spawn)
        return
    yield Finding(spec, name, line, "script", path, file)
    if path in seen:
        return
    seen.add(path)
    stream = shell.fs.open(path, 0)
    try:
        text = decode(stream.read(LARGEST))
    finally:
        stream.close()
    yield from _text(spec, job, shell, text, path, spawn, seen)
