"""Command search (POSIX XCU 2.9.1.1): the one lookup behind ``type``, ``command -v`` and execution.

The order: function, special builtin, builtin, utility (host-registered first), a file for a name with a slash, PATH.
A lookup executes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..command.usual_places import SHELL_NAMES, program_meant
from ..command.utility import Utility
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from .builtin import Builtin, enabled_builtin

if TYPE_CHECKING:
    from ..state.context import FunctionDefinition


class External:
    """A program found on PATH: a native executable or a script; ``probe`` distinguishes them when it is run."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path


class PythonStandIn(External):
    """A substitute for a Python that is not on PATH: ``words`` replace its name (decisions python)."""

    __slots__ = ("hint", "message", "words")

    def __init__(self, path: str, words: Iterable[str], message: str, hint: str) -> None:
        super().__init__(path)
        self.words = tuple(words)
        self.message = message
        self.hint = hint


class File:
    """A name with a slash. ``probe`` finds out the kind of file when it is run."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path


class Missing:
    """A name that refers to no command: status 127."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


PYTHONS = ("python3", "python")
Command = Utility | External | File | Missing


def resolve(ctx: Ctx, name: str) -> FunctionDefinition | Builtin | Command:
    """Return the function or command that a name refers to in this shell."""
    return ctx.functions.get(name) or enabled_builtin(ctx, name) or resolve_command(ctx, name)


def undotted(name: str) -> str:
    """Return ``x.sh`` for ``./x.sh``: its path is then /dir/x.sh, not /dir/./x.sh. ``.//x`` must not become ``/x``."""
    if name.startswith("./") and name[2:3] not in ("", "/"):
        return name[2:]
    return name


def has_slash(ctx: Ctx, name: str) -> bool:
    """Return whether a name is a path: it has a slash, or on Windows a backslash."""
    return "/" in name or (ctx.run.host.windows and "\\" in name)


def resolve_command(ctx: Ctx, name: str) -> Command:
    """Return the command that a name refers to, apart from functions and builtins."""
    if has_slash(ctx, name):
        return _resolve_path(ctx, name)
    if name not in ctx.run.prefer_host:
        command = ctx.run.registry.get(name)
        if command is not None:
            return command
    path = search_path(ctx, name)
    if path is not None and not ctx.run.host.is_placeholder(path):
        return External(path)
    # A utility that ``prefer_host`` names is the fallback if the host has no such program.
    command = ctx.run.registry.get(name) if name else None
    substitute = command or _python(ctx, name)
    if substitute:
        return substitute
    return Missing(name) if path is None else External(path)


def _resolve_path(ctx: Ctx, name: str) -> Command:
    """Return the command that a path refers to: a file, or the program of a usual path such as ``/usr/bin/jq``."""
    program = program_meant(ctx.fs, name)
    utility = ctx.run.registry.get(program) if program else None
    if utility is not None:
        return utility
    if program and program not in SHELL_NAMES and ctx.fs.has_drives():
        return resolve_command(ctx, program)  # Windows has no /usr/bin/python3
    return File(ctx.fs.absolute(ctx.cwd, undotted(name)))


def _python(ctx: Ctx, name: str) -> PythonStandIn | None:
    """Return a substitute for ``python3`` or ``python``, so that ``python3 x.py`` runs whenever a shebang would."""
    if name not in PYTHONS or not ctx.run.spawn:
        return None
    from .script_files import program_search_of, python_for

    choice = python_for(program_search_of(ctx), name)
    if choice is None or choice.program is None:
        return None
    if ctx.fs.host_path(choice.program) is None:  # the file system is not the disk
        return None
    return PythonStandIn(choice.program, choice.words, choice.message, choice.hint)


def search_path(ctx: Ctx, name: str, path: str | None = None) -> str | None:
    """Search PATH, remembering the path that was found (``hash``)."""
    if not name:
        return None
    if path is not None:
        return next(candidates(ctx, name, path), None)
    found = hashed(ctx).get(name)
    if found is not None:
        # Without ``checkhash`` a remembered file counts even if it is gone (bash "shopt").
        if "checkhash" not in ctx.shopts or is_runnable(ctx, ctx.fs.absolute(ctx.cwd, found)):
            return found
    path = variables.get(ctx, "PATH")
    if path is None:
        return None
    found = next(candidates(ctx, name, path), None)
    if found is not None and "hashall" in ctx.shopts:
        ctx.hashed = {**ctx.hashed, name: found}
    return found


def hashed(ctx: Ctx) -> dict[str, str]:
    """Return the remembered paths of commands. A change of PATH forgets them (POSIX XCU 2.9.1.1)."""
    path = variables.get(ctx, "PATH")
    if ctx.hashed_path != path:
        ctx.hashed, ctx.hashed_path = {}, path
    return ctx.hashed


def candidates(ctx: Ctx, name: str, path: str) -> Iterator[str]:
    """Yield every executable file of a name, in the order of PATH."""
    fs = ctx.fs
    host = ctx.run.host
    # On the disk of Windows, names have extensions and PATH has drives; a virtual file system has neither.
    if host.windows and fs.exists(host.getcwd()):
        native = host.which(name, path, ctx.cwd)
        if native is not None:
            yield native
        return
    for directory in path.split(":"):
        shown = f"{directory.rstrip('/')}/{name}" if directory else f"./{name}"
        if is_runnable(ctx, fs.absolute(ctx.cwd, shown)):
            yield shown


def is_runnable(ctx: Ctx, path: str) -> bool:
    """Return whether a path is not a directory, has an execute bit, and may be executed by this user."""
    return has_execute_bit(ctx, path) and ctx.fs.access(path, 1)


def has_execute_bit(ctx: Ctx, path: str) -> bool:
    """Return whether a path is not a directory and has an execute bit for anyone."""
    # root may access every file, but executes only those with one of these bits.
    try:
        mode = ctx.fs.stat(path).st_mode
    except OSError:
        return False
    return mode & 0o170000 != 0o040000 and bool(mode & 0o111)


def all_meanings(ctx: Ctx, name: str) -> Iterator[FunctionDefinition | Builtin | Command]:
    """Yield every function and command of a name, in the order of the search (``type -a``)."""
    command = enabled_builtin(ctx, name)
    ours = command if name in SHELL_NAMES else None  # the embedded shell takes a program's place
    function = ctx.functions.get(name)
    if function:
        yield function
    if command and not ours:
        yield command
    if has_slash(ctx, name):
        path = ctx.fs.absolute(ctx.cwd, name)
        if is_runnable(ctx, path) or program_meant(ctx.fs, name) in SHELL_NAMES:
            yield File(path)
        elif isinstance(stands_in := resolve_command(ctx, name), Utility):
            yield stands_in
        return
    paths = list(candidates(ctx, name, variables.get(ctx, "PATH") or ""))
    yield from map(External, paths)
    if paths:
        return
    substitute = ctx.run.registry.get(name) or ours or _python(ctx, name)
    if substitute:
        yield substitute


def script_on_path(ctx: Ctx, name: str) -> str | None:
    """Search PATH for a regular file, executable or not (``source``, ``bash FILE``)."""
    for directory in (variables.get(ctx, "PATH") or "").split(":"):
        candidate = ctx.fs.absolute(ctx.cwd, f"{directory or '.'}/{name}")
        try:
            # It is read, not executed, so it needs no execute bit (POSIX XCU dot).
            if ctx.fs.stat(candidate).st_mode & 0o170000 == 0o100000:
                return candidate
        except OSError:
            continue
    return None
