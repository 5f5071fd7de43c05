"""The variables that a shell starts with (POSIX XCU 2.5.3, bash "Bash Variables")."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..fs.identity import identity
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.context import outwards
from ..state.failure import ExpansionError
from ..state.splitting import DEFAULT_IFS
from ..state.variables import Var
from .numbers import whole_number

if TYPE_CHECKING:
    from ..fs.base import FileSystem

BASH_VERSION = "5.2.15(1)-release"
_VERSION_PARTS = ("5", "2", "15", "1", "release")


class Random(Var):
    """``$RANDOM``: 0 to 32767; setting it seeds, and a subshell begins with a seed of its own (bash).

    Numbers are those of bash 5.2 after the same seed. The value holds the generator's state and the last number.
    """

    __slots__ = ()
    computed = True

    def get(self, ctx: Ctx) -> str:
        import random

        inherited = bool(ctx.level) and self.owner is not ctx.owner
        mine = variables.writable_variable(ctx, "RANDOM")
        if inherited or mine.value is None:
            state, last = random.getrandbits(31), 0
        else:
            state, last = map(int, str(mine.value).split())
        # bash's ``brand`` (lib/sh/random.c): the minimal standard generator of Park and Miller, by Schrage's method.
        # It replaces a state of 0, which would stay 0, and never returns the same number twice in a row.
        number = last
        while number == last:
            high, low = divmod(state or 123459876, 127773)
            state = 16807 * low - 2836 * high
            if state < 0:
                state += 0x7FFFFFFF
            number = (state >> 16 ^ state) & 32767
        mine.value = f"{state} {number}"
        return str(number)

    def set(self, ctx: Ctx, text: str) -> None:
        try:
            self.value = f"{variables_number(ctx, text) & 0xFFFFFFFF} 0"
        except ExpansionError as error:
            if error.fatal:
                raise
            error.report(ctx)  # the seed stays as it is (bash)


class SecureRandom(Var):
    """``$SRANDOM``: 32 bits from the system."""

    __slots__ = ()
    computed = True

    def get(self, ctx: Ctx) -> str:
        import random

        return str(random.SystemRandom().getrandbits(32))

    def set(self, ctx: Ctx, text: str) -> None:
        pass


class Seconds(Var):
    """``$SECONDS`` since the start of the shell, or since it was set."""

    __slots__ = ()
    computed = True

    def get(self, ctx: Ctx) -> str:
        started = ctx.run.started if self.value is None else float(str(self.value))
        return str(int((time.monotonic() - started) // 1))

    def set(self, ctx: Ctx, text: str) -> None:
        self.value = str(time.monotonic() - (whole_number(text) or 0))  # a text that is not a number is 0 (bash)


class OptionIndex(Var):
    """``OPTIND``: setting it restarts ``getopts``, even within a word of several letters (POSIX XCU getopts).

    ``offset``: the position of the next letter in the word. A local OPTIND has its own (bash).
    """

    __slots__ = ("offset",)

    def __init__(self, value: str | None, owner: object = None) -> None:
        super().__init__(value, "s", owner)
        self.offset = 0

    def copy(self, owner: object) -> Var:
        new = super().copy(owner)
        assert isinstance(new, OptionIndex)
        new.offset = self.offset
        return new

    def set(self, ctx: Ctx, text: str) -> None:
        super().set(ctx, text)
        self.offset = 0


def option_index(ctx: Ctx) -> OptionIndex:
    """Return the variable ``OPTIND`` as an OptionIndex, also if it is local or was unset."""
    binding = variables.writable_variable(ctx, "OPTIND")
    if isinstance(binding, OptionIndex):
        return binding
    index = OptionIndex(None, ctx.owner)
    index.value, index.kind, index.integer, index.nameref = (
        binding.value,
        binding.kind,
        binding.integer,
        binding.nameref,
    )
    index.readonly, index.traced, index.case = binding.readonly, binding.traced, binding.case
    ctx.vars["OPTIND"] = index
    return index


class HostName(Var):
    """``$HOSTNAME``: the system's host name, until it is set."""

    __slots__ = ()
    computed = True

    def get(self, ctx: Ctx) -> str:
        return str(self.value or "") or identity(ctx.run.fs).hostname()


class ComputedVariable(Var):
    """A variable that is computed when it is read; setting it does nothing."""

    __slots__ = ()
    computed = True

    def get(self, ctx: Ctx) -> str | None:
        return _READINGS[str(self.value)](ctx)

    def set(self, ctx: Ctx, text: str) -> None:
        pass


class ComputedArray(Var):
    """An array that is computed when it is read; values set in it are lost."""

    __slots__ = ("reading",)
    dynamic = True

    def __init__(self, reading: str) -> None:
        super().__init__({}, "a")
        self.reading = reading

    def copy(self, owner: object) -> Var:
        new = super().copy(owner)
        assert isinstance(new, ComputedArray)
        new.reading = self.reading
        return new

    def get(self, ctx: Ctx) -> str | None:
        items = _ARRAYS[self.reading](ctx)
        return items[0] if items else None

    def refresh(self, ctx: Ctx) -> Var:
        return Var(dict(enumerate(_ARRAYS[self.reading](ctx))), "a", None)

    def indexed(self) -> dict[int, str]:
        self.value = {}
        return super().indexed()

    def set(self, ctx: Ctx, text: str) -> None:
        pass


def variables_number(ctx: Ctx, text: str) -> int:
    """Evaluate the text assigned to a variable that holds a number."""
    return ctx.run.evaluator.arithmetic(ctx, text) if text else 0


def _function_names(ctx: Ctx) -> list[str]:
    names = [frame.name if frame.function else "source" for frame in outwards(ctx.frame)]
    if all(name == "source" for name in names):
        return []
    # bash adds ``main`` for the frame of a script file; ``bash -c`` has no such frame.
    if not ctx.command_string:
        names.append("main")
    return names


def _sources(ctx: Ctx) -> list[str]:
    sources = [frame.source for frame in outwards(ctx.frame) if frame.source]
    if not ctx.command_string:
        sources.append(ctx.arg0)
    return sources


def _line_numbers(ctx: Ctx) -> list[str]:
    numbers = [str(frame.line) for frame in outwards(ctx.frame)]
    if numbers and not ctx.command_string:
        numbers.append("0")
    return numbers


def _pipe_statuses(ctx: Ctx) -> list[str]:
    statuses = ctx.pipestatus
    if statuses is None:
        return []
    if isinstance(statuses, int):  # of a command that is not a pipeline
        return [str(statuses)]
    return [str(status) for status in statuses]


def _command(ctx: Ctx) -> str:
    command = ctx.trapped_command  # in a trap: the command that was running before it (bash)
    if command is None:
        command = ctx.command
    if command is None:
        return ""
    if isinstance(command, str):
        return command
    from ..syntax.printer import print_command

    return print_command(command)


def _last_argument(ctx: Ctx) -> str:
    from .assign import AssignArgument

    argument = ctx.last_argument
    if isinstance(argument, AssignArgument) and not isinstance(argument.value, str):
        return argument.name  # of an array only the name is kept (bash)
    return argument


def shellopts(ctx: Ctx) -> str:
    """Return ``$SHELLOPTS``."""
    from ..state.options import SET_OPTIONS, is_on

    return ":".join(name for name in SET_OPTIONS if is_on(ctx, name))


def bashopts(ctx: Ctx) -> str:
    """Return ``$BASHOPTS``."""
    from ..state.options import SHOPTS

    return ":".join(name for name in SHOPTS if name in ctx.shopts)


_READINGS: dict[str, Callable[[Ctx], str]] = {
    "LINENO": lambda ctx: str(ctx.line),
    "BASHPID": lambda ctx: str(ctx.child_pid()),
    "BASH_SUBSHELL": lambda ctx: str(ctx.level),
    "EPOCHSECONDS": lambda ctx: str(int(time.time())),
    "EPOCHREALTIME": lambda ctx: f"{time.time():.6f}",
    "SHELLOPTS": shellopts,
    "BASHOPTS": bashopts,
    "PPID": lambda ctx: str(ctx.run.parent_pid),
    "UID": lambda ctx: str(identity(ctx.run.fs).uid()),
    "EUID": lambda ctx: str(identity(ctx.run.fs).euid()),
    "BASH_ARGV0": lambda ctx: ctx.arg0,
    "_": _last_argument,
    "BASH_COMMAND": _command,
    "HISTCMD": lambda ctx: "0",  # there is no history
}
_ARRAYS: dict[str, Callable[[Ctx], list[str]]] = {
    "FUNCNAME": _function_names,
    "BASH_SOURCE": _sources,
    "BASH_LINENO": _line_numbers,
    "PIPESTATUS": _pipe_statuses,
    "DIRSTACK": lambda ctx: [ctx.cwd, *ctx.directories],
    "GROUPS": lambda ctx: [str(identity(ctx.run.fs).gid())],
}


def _of_system(name: str, release: str, machine: str) -> dict[str, str | Var]:
    """Return the variables that name the system, so that they agree with ``uname``, by which scripts choose as well.

    As in bash for macOS (``darwin23``) and MSYS2 (``msys``). Bash takes them from its build, and the release there is Darwin's.
    """
    kind = "linux-gnu"
    vendor = "pc" if machine == "x86_64" else "unknown"
    if name == "Darwin":
        kind, vendor = f"darwin{release.partition('.')[0]}", "apple"
    elif name.startswith("MSYS"):
        kind, vendor = "msys", "pc"
    elif name != "Linux":
        kind = f"{name.lower()}{release.partition('-')[0]}"
    whole = f"{machine}-{vendor}-{kind}"
    version = Var(dict(enumerate((*_VERSION_PARTS, whole))), "a")
    version.readonly = True
    return {"BASH_VERSINFO": version, "MACHTYPE": whole, "OSTYPE": kind, "HOSTTYPE": machine}


def _template() -> dict[str, str | Var]:
    table: dict[str, str | Var] = {"RANDOM": Random(), "SRANDOM": SecureRandom("0"), "SECONDS": Seconds()}
    for name in _READINGS:
        table[name] = ComputedVariable(name)
    table["HOSTNAME"] = HostName("")
    for name in _ARRAYS:
        table[name] = ComputedArray(name)
    for name in ("SHELLOPTS", "BASHOPTS", "PPID", "UID", "EUID", "HISTCMD"):
        variable = table[name]
        assert isinstance(variable, Var)
        variable.readonly = name != "HISTCMD"
        variable.integer = name.endswith(("ID", "CMD"))
    table.update(_of_system("Linux", "", "x86_64"))
    table["BASH_VERSION"] = BASH_VERSION
    table["PATH"] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    table["TERM"] = "dumb"
    table["PS4"] = "+ "
    table["BASH"] = "/bin/bash"
    table["OPTERR"] = "1"
    return table


_TEMPLATE = _template()


class InitialVariables:
    """A cache of the initial variables of runs, by environment: a shell's hooks mostly have the same environment.

    Only the last environment is kept. Threads may share it: the entry is replaced as a whole and never changed.
    """

    __slots__ = ("_last", "_of_system")

    def __init__(self, fs: FileSystem) -> None:
        name, release, _, machine = identity(fs).system()
        is_usual = (name, machine) == ("Linux", "x86_64")  # as in the template
        self._of_system = {} if is_usual else _of_system(name, release, machine)
        self._last: tuple[dict[str, str], dict[str, str | Var], frozenset[str]] | None = None

    def initialise(self, ctx: Ctx, env: dict[str, str]) -> None:
        """Fill an empty context: the environment as exported variables, then the variables that every shell sets."""
        last = self._last
        if last is None or last[0] != env:
            last = self._last = (env.copy(), *_prepared(env))
        ctx.vars = last[1].copy()
        ctx.exports, ctx.exports_shared = last[2], True
        if self._of_system:
            ctx.vars.update((name, value) for name, value in self._of_system.items() if name not in env)
        ctx.last_argument = ctx.arg0
        _set_directory(ctx, env)


def _prepared(env: dict[str, str]) -> tuple[dict[str, str | Var], frozenset[str]]:
    """Return the table of variables and the exported names of an environment. Its Vars have no owner: writers copy."""
    "".join(env.values())  # raises TypeError for a value that is not a str
    exports, refused = _names_of(frozenset(env))
    table = _TEMPLATE | env
    for name in refused:
        own = _TEMPLATE.get(name)
        if own is None:
            del table[name]
        else:
            table[name] = own
    table["SHLVL"] = _next_level(env.get("SHLVL", ""))
    table["IFS"] = DEFAULT_IFS  # never from the environment (POSIX XCU 2.5.3)
    index = OptionIndex("1")
    index.integer = True
    table["OPTIND"] = index
    return table, exports


def _next_level(level: str) -> str:
    """Return ``$SHLVL`` of a shell started at ``level``; a text that is not a small number counts as 0 (bash)."""
    if level.isdecimal() and len(level) < 5:
        return str(int(level) + 1)
    return "1"


_PROTECTED = frozenset(
    {*_READINGS, *_ARRAYS, "RANDOM", "SRANDOM", "SECONDS", "IFS", "BASH_VERSINFO", "BASH_ENV", "ENV", "BASH_VERSION"}
)

_name_sets: dict[frozenset[str], tuple[frozenset[str], frozenset[str]]] = {}


def _names_of(names: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the exported and the refused names of an environment; cached, because hooks mostly have the same names."""
    found = _name_sets.get(names)
    if found is None:
        # Other names cannot be variables. Exported functions and BASH_ENV are never read: they could disarm a guard.
        "".join(names)
        taken = frozenset(n for n in names if n.isidentifier() and n.isascii() and n not in _PROTECTED)
        if len(_name_sets) > 100:
            _name_sets.clear()
        found = _name_sets[names] = (taken | {"PWD", "SHLVL"}, names - taken)
    return found


def _set_directory(ctx: Ctx, env: dict[str, str]) -> None:
    pwd = env.get("PWD")
    if pwd and pwd != ctx.cwd and _is_same_directory(ctx, pwd):
        ctx.cwd = pwd
    ctx.vars["PWD"] = ctx.cwd


def _is_same_directory(ctx: Ctx, pwd: str) -> bool:
    """Return whether ``pwd`` is another path of the working directory, with links in it: it is kept (XCU 2.5.3)."""
    if not ctx.fs.is_absolute(pwd):
        return False
    try:
        here, there = ctx.fs.stat(ctx.cwd), ctx.fs.stat(pwd)
    except OSError:
        return False
    if not here.st_ino:  # a file system without inode numbers: all of its files would look the same
        return False
    return (here.st_ino, here.st_dev) == (there.st_ino, there.st_dev)
