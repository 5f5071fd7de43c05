"""Shell builtins: their declaration, options and failures, and the table of them."""

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
    """A command that acts on the shell itself. ``run`` gets the context and ``argv`` with the name first.

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

    ``text`` allows it as the first stage of a fused pipeline (``compile/fused.py``). Called with the arguments of
    ``run``, it returns the bytes that ``run`` would write to stdout if that is its only effect and its status is 0;
    else None. It has no side effects itself.
    """

    def declare(run: Run) -> Builtin:
        return Builtin(name, run, summary=summary, usage=usage, special=special, text=text)

    return declare


class Options:
    """The one-letter options of a command, in their order, each with its value or "" (POSIX XBD 12.2, bash's getopt).

    ``valued`` letters take the rest of their word, or the next one. Iteration raises UsageError for a wrong option;
    after it, ``operands`` are the words behind the options.
    """

    __slots__ = ("_argv", "_at", "_flags", "_valued")

    def __init__(self, argv: list[str], flags: str, valued: str = "") -> None:
        self._argv = argv
        self._at = 1
        self._flags = flags
        self._valued = valued

    def __iter__(self) -> Iterator[tuple[str, str]]:
        argv = self._argv
        while self._at < len(argv):
            word = argv[self._at]
            if len(word) < 2 or word[0] != "-":  # "-" alone is an operand
                return
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
        """The words that have not been read as options."""
        return self._argv[self._at :]


def option_letters(argv: list[str], allowed: str) -> tuple[set[str], list[str]]:
    """Parse options without values; return their letters and the operands."""
    options = Options(argv, allowed)
    return {letter for letter, _ in options}, options.operands


def operands(argv: list[str]) -> list[str]:
    """Return the operands of a command without options, without a ``--`` before them."""
    if argv[1:2] == ["--"]:
        return argv[2:]
    return argv[1:]


def each(ctx: Ctx, who: str, words: Iterable[str], act: Callable[[str], object]) -> int:
    """Call ``act`` for each operand. A UsageError becomes a message and status 1, and the next operand follows."""
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
    """Write to stdout. It must be open only if there is something to write."""
    if text:
        ctx.fds.get(1).write(encode(text))


def write_lines(ctx: Ctx, lines: Iterable[str]) -> None:
    """Write lines to stdout, each with its newline: at once, or in pieces if they are longer than ``PIECE``."""
    batch: list[str] = []
    size = 0
    for line in lines:
        batch.append(line)
        size += len(line)
        if size > PIECE:
            write_out(ctx, "\n".join([*batch, ""]))
            batch, size = [], 0
    write_out(ctx, "\n".join([*batch, ""]))


class BuiltinTable:
    """Names to builtins. A builtin's module is imported when it is first called.

    ``index``: name to ``module:attribute``. ``shell`` sets it, because the builtins are above this room.
    """

    __slots__ = ("_loaded", "index")

    def __init__(self) -> None:
        self.index: dict[str, str] = {}
        self._loaded: dict[str, Builtin] = {}

    def get(self, name: str) -> Builtin | None:
        """Return the builtin of a name, or None."""
        command = self._loaded.get(name)
        if command is None and name in self.index:
            from importlib import import_module

            module, _, attribute = self.index[name].partition(":")
            command = getattr(import_module(module), attribute)
            assert isinstance(command, Builtin)
            self._loaded[name] = command
        return command

    def names(self) -> list[str]:
        """Return the names of all builtins."""
        return list(self.index)

    def __contains__(self, name: str) -> bool:
        return name in self.index


BUILTINS = BuiltinTable()
#: Builtins of bash that this shell does not have.
ABSENT_BUILTINS = frozenset("bind compgen complete compopt fc help history logout suspend".split())


def enabled_builtin(ctx: Ctx, name: str) -> Builtin | None:
    """Return the builtin of a name; None if there is none or it is disabled."""
    command = BUILTINS.get(name)
    if command is None or name in ctx.disabled_builtins:
        return None
    return command


def run_builtin(ctx: Ctx, command: Builtin, argv: list[str], *, plain: bool = False) -> int:
    """Run a builtin and return its status; failures become bash's messages and statuses.

    ``plain``: called through ``command``, so that a special builtin's failure does not end a shell in posix mode.
    """
    try:
        return command.run(ctx, argv)
    except FAILURES as error:
        return failed(ctx, command, argv, error, plain=plain)


FAILURES = (UsageError, OSError, ExpansionError)


class Reported(UsageError):
    """A failure of a special builtin whose message is already written; in posix mode it ends the shell."""

    def __init__(self, status: int) -> None:
        super().__init__("", status, hint=False)


def failed(ctx: Ctx, command: Builtin, argv: list[str], error: Exception, *, plain: bool = False) -> int:
    """Report the failure of a builtin as bash does, and return its status."""
    if isinstance(error, OSError):
        return _unwritten(ctx, argv[0], error)
    if isinstance(error, Reported):
        status = error.status or 0
    elif isinstance(error, UsageError):
        status = _misused(ctx, command, argv[0], error)
        if status != 2:
            return status  # bash ends the shell only for a usage error
    else:
        assert isinstance(error, ExpansionError)
        status = _unexpanded(ctx, command, argv[0], error)
    # POSIX XCU 2.8.1: an error of a special builtin ends a shell that is not interactive.
    if command.special and not plain and "posix" in ctx.shopts:
        raise ExitShell(status)
    return status


def _unexpanded(ctx: Ctx, command: Builtin, name: str, error: ExpansionError) -> int:
    """Report a failed expansion or assignment of a builtin; raise it again if it ends more than the builtin."""
    if error.assignment:
        ctx.warn(error.message)  # bash does not name the builtin in messages about a readonly variable
        return 1
    if error.fatal or error.drop or error.discards:
        raise error
    if command.name in _RUNS_TEXT:  # the error is of the text that it runs
        raise error
    ctx.warn(error.message if error.unnamed else f"{name}: {error.message}")
    return error.status


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
        if ctx.traps.get("PIPE") != "":  # only a shell that ignores SIGPIPE survives it
            raise Died(141) from None
        ctx.warn(f"{name}: write error: Broken pipe")
    else:
        ctx.warn(f"{name}: {error.filename or 'write error'}: {reason(error)}")
    return 1


_RUNS_TEXT = frozenset(("eval", ".", "source", "command", "builtin"))
