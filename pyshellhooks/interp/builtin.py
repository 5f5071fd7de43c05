"""What a shell builtin is, and the index of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..command.call import reason
from ..errors import UsageError
from ..state.context import ExecutionContext as Ctx
from ..state.control import Died, ExitShell
from ..state.failure import ExpansionError
from ..text import PIECE, encode, pause

Run = Callable[[Ctx, list[str]], int]
Text = Callable[[Ctx, list[str]], "bytes | None"]


class Builtin:
    """A command that works on the shell itself. ``run`` gets the context and ``argv`` with the name first.

    ``special``: one of POSIX's special builtins (XCU 2.14). ``text``: see ``builtin``.
    """

    __slots__ = ("name", "run", "special", "summary", "text", "usage")

    def __init__(
        self,
        name: str,
        run: Run,
        *,
        summary: str,
        usage: str = "",
        special: bool = False,
        text: Text | None = None,
    ) -> None:
        self.name = name
        self.run = run
        self.summary = summary
        self.usage = usage
        self.special = special
        self.text = text


def builtin(
    name: str, *, summary: str, usage: str = "", special: bool = False, text: Text | None = None
) -> Callable[[Run], Builtin]:
    """Declare a builtin.

    ``text`` lets it stand at the head of a fused pipeline (``compile/fused.py``): given what ``run`` is given, it gives
    what that writes to stdout, where that is all that it does and its status is 0; else None. It has no effect itself.
    """

    def declare(run: Run) -> Builtin:
        return Builtin(name, run, summary=summary, usage=usage, special=special, text=text)

    return declare


class Options:
    """The one-letter options of a command, in their order, each with its value or "" (POSIX XBD 12.2, bash's getopt).

    ``valued`` letters take the rest of their word, or the next one. Raises UsageError. Once they are read, ``operands`` is
    what stands behind them.
    """

    __slots__ = ("_argv", "_at", "_flags", "_valued")

    def __init__(self, argv: list[str], flags: str, valued: str = "") -> None:
        self._argv = argv
        self._at = 1
        self._flags = flags
        self._valued = valued

    def __iter__(self) -> Iterator[tuple[str, str]]:
        argv = self._argv
        while self._at < len(argv) and len(word := argv[self._at]) > 1 and word[0] == "-":
            self._at += 1
            if word == "--":
                return
            for at, letter in enumerate(word[1:], 2):
                if letter in self._valued:
                    yield letter, word[at:] or self._next(letter)
                    break
                if letter not in self._flags:
                    raise UsageError(f"-{letter}: invalid option", 2)
                yield letter, ""

    def _next(self, letter: str) -> str:
        if self._at >= len(self._argv):
            raise UsageError(f"-{letter}: option requires an argument", 2)
        self._at += 1
        return self._argv[self._at - 1]

    @property
    def operands(self) -> list[str]:
        """What the options leave."""
        return self._argv[self._at :]


def option_letters(argv: list[str], allowed: str) -> tuple[set[str], list[str]]:
    """Read options without values; returns their letters and the operands."""
    options = Options(argv, allowed)
    return {letter for letter, _ in options}, options.operands


def operands(argv: list[str]) -> list[str]:
    """Return the operands of a command without options: a ``--`` before them goes."""
    return argv[2:] if argv[1:2] == ["--"] else argv[1:]


def each(ctx: Ctx, who: str, words: Iterable[str], act: Callable[[str], object]) -> int:
    """Do ``act`` for each operand. Its UsageError is a message, and makes the status 1; the next operand is done."""
    status = 0
    for word in words:
        pause()
        try:
            act(word)
        except UsageError as error:
            ctx.warn(f"{who}: {error.message}")
            status = 1
    return status


def write_out(ctx: Ctx, text: str) -> None:
    """Write to stdout, which must be open only where there is something to write."""
    if text:
        ctx.fds.get(1).write(encode(text))


def write_lines(ctx: Ctx, lines: Iterable[str]) -> None:
    """Write lines to stdout, each with its newline: at once, or where they are long as they come."""
    held: list[str] = []
    size = 0
    for line in lines:
        held.append(line)
        size += len(line)
        if size > PIECE:
            write_out(ctx, "\n".join([*held, ""]))
            held, size = [], 0
    write_out(ctx, "\n".join([*held, ""]))


class BuiltinTable:
    """Names to builtins, each module imported when first called.

    ``index``: name to ``module:attribute``. Builtins lie above this room; ``shell`` hands it in.
    """

    __slots__ = ("_loaded", "index")

    def __init__(self) -> None:
        self.index: dict[str, str] = {}
        self._loaded: dict[str, Builtin] = {}

    def get(self, name: str) -> Builtin | None:
        """Return the builtin of a name, or None."""
        found = self._loaded.get(name)
        if found is None and name in self.index:
            from importlib import import_module

            module, _, attribute = self.index[name].partition(":")
            found = getattr(import_module(module), attribute)
            assert isinstance(found, Builtin)
            self._loaded[name] = found
        return found

    def names(self) -> list[str]:
        """Return every name."""
        return list(self.index)

    def __contains__(self, name: str) -> bool:
        return name in self.index


BUILTINS = BuiltinTable()
#: Builtins of bash that this shell does not have.
ABSENT_BUILTINS = frozenset("bind compgen complete compopt fc help history logout suspend".split())


def enabled_builtin(ctx: Ctx, name: str) -> Builtin | None:
    """Return the builtin of a name, if it has one that is not disabled."""
    found = BUILTINS.get(name)
    return None if found is None or name in ctx.disabled_builtins else found


def run_builtin(ctx: Ctx, command: Builtin, argv: list[str], *, plain: bool = False) -> int:
    """Run a builtin; its failures become bash's messages and statuses.

    ``plain``: called through ``command``, so that a special builtin's failure does not end a shell in posix mode.
    """
    try:
        return command.run(ctx, argv)
    except FAILURES as error:
        return failed(ctx, command, argv, error, plain=plain)


FAILURES = (UsageError, OSError, ExpansionError)


class Reported(UsageError):
    """A failure of a special builtin that has been said already; in posix mode it ends the shell."""

    def __init__(self, status: int) -> None:
        super().__init__("", status, hint=False)


def failed(ctx: Ctx, command: Builtin, argv: list[str], error: Exception, *, plain: bool = False) -> int:
    """Word the failure of a builtin as bash does, and return its status."""
    if isinstance(error, OSError):
        return _unwritten(ctx, argv[0], error)
    if isinstance(error, Reported):
        status = error.status or 0
    elif isinstance(error, UsageError):
        status = _misused(ctx, command, argv[0], error)
        if status != 2:
            return status  # bash ends the shell for a wrong use only
    else:
        assert isinstance(error, ExpansionError)
        if not error.assignment and (error.fatal or error.drop or error.discards or command.name in _RUNS_TEXT):
            raise error
        # Of a readonly variable, and of a subscript, bash speaks without the builtin.
        ctx.warn(error.message if error.assignment or error.unnamed else f"{argv[0]}: {error.message}")
        status = 1 if error.assignment else error.status
    if command.special and not plain and "posix" in ctx.shopts:
        raise ExitShell(status)
    return status


def _misused(ctx: Ctx, command: Builtin, name: str, error: UsageError) -> int:
    if error.message.startswith("usage: "):
        ctx.write_error(f"{name}: {error.message}\n")
    else:
        ctx.warn(f"{name}: {error.message}")
    if error.hint:
        ctx.write_error(f"{name}: usage: {name}{' ' * bool(command.usage)}{command.usage}\n")
    return 2 if error.status is None else error.status


def _unwritten(ctx: Ctx, name: str, error: OSError) -> int:
    if isinstance(error, BrokenPipeError):
        if ctx.traps.get("PIPE") != "":
            raise Died(141) from None
        ctx.warn(f"{name}: write error: Broken pipe")
    else:
        ctx.warn(f"{name}: {error.filename or 'write error'}: {reason(error)}")
    return 1


_RUNS_TEXT = frozenset(("eval", ".", "source", "command", "builtin"))
