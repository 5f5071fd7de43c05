"""Lists, pipelines and compound commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from .base import Node
from .simple import Redirect, Simple
from .words import Arithmetic, Word

if TYPE_CHECKING:
    from .tests import Test


class Pipeline(Node):
    """``[time [-p]] [!] a | b |& c``. Created only for two commands or more, ``!`` or ``time``.

    ``both[i]`` is true if the pipe after command i is ``|&``. ``negated`` is true for an odd number of ``!``.
    ``timed`` is None, ``""`` or ``"-p"``. ``commands`` may be empty only for a bare ``time`` or ``!``.
    """

    __slots__ = ("both", "commands", "line", "negated", "timed")

    def __init__(
        self,
        commands: tuple[Command, ...],
        both: tuple[bool, ...],
        negated: bool,
        timed: str | None,
        line: int,
        pos: int,
        end: int,
    ) -> None:
        self.commands = commands
        self.both = both
        self.negated = negated
        self.timed = timed
        self.line = line
        self.pos = pos
        self.end = end


class AndOr(Node):
    """``first && a || b``: ``rest`` holds (op, command) pairs, op ``&&`` or ``||``, left-associative."""

    __slots__ = ("first", "rest")

    def __init__(self, first: Command, rest: tuple[tuple[str, Command], ...], pos: int, end: int) -> None:
        self.first = first
        self.rest = rest
        self.pos = pos
        self.end = end


class List(Node):
    """Commands in sequence; each pair is (command, runs in background)."""

    __slots__ = ("items",)

    def __init__(self, items: tuple[tuple[Command, bool], ...], pos: int, end: int) -> None:
        self.items = items
        self.pos = pos
        self.end = end


class Compound(Node):
    """Base of the compound commands: the redirections after the command, and its line."""

    __slots__ = ("line", "redirects")

    line: int
    redirects: tuple[Redirect, ...]

    def place(self, redirects: tuple[Redirect, ...], line: int, pos: int, end: int) -> None:
        """Set the attributes that every compound command has."""
        self.redirects = redirects
        self.line = line
        self.pos = pos
        self.end = end


class Subshell(Compound):
    """``( list )``."""

    __slots__ = ("body",)

    def __init__(self, body: List, redirects: tuple[Redirect, ...], line: int, pos: int, end: int) -> None:
        self.body = body
        self.place(redirects, line, pos, end)


class Group(Compound):
    """``{ list; }``."""

    __slots__ = ("body",)

    def __init__(self, body: List, redirects: tuple[Redirect, ...], line: int, pos: int, end: int) -> None:
        self.body = body
        self.place(redirects, line, pos, end)


class If(Compound):
    """``clauses`` holds (condition, body) for ``if`` and each ``elif``."""

    __slots__ = ("clauses", "otherwise")

    def __init__(
        self,
        clauses: tuple[tuple[List, List], ...],
        otherwise: List | None,
        redirects: tuple[Redirect, ...],
        line: int,
        pos: int,
        end: int,
    ) -> None:
        self.clauses = clauses
        self.otherwise = otherwise
        self.place(redirects, line, pos, end)


class While(Compound):
    """``while`` (``until`` if ``until`` is true)."""

    __slots__ = ("body", "condition", "until")

    def __init__(
        self,
        until: bool,
        condition: List,
        body: List,
        redirects: tuple[Redirect, ...],
        line: int,
        pos: int,
        end: int,
    ) -> None:
        self.until = until
        self.condition = condition
        self.body = body
        self.place(redirects, line, pos, end)


class For(Compound):
    """``for name [in words]``; ``words`` is None without ``in`` (then ``"$@"``)."""

    __slots__ = ("body", "name", "words")

    def __init__(
        self,
        name: str,
        words: tuple[Word, ...] | None,
        body: List,
        redirects: tuple[Redirect, ...],
        line: int,
        pos: int,
        end: int,
    ) -> None:
        self.name = name
        self.words = words
        self.body = body
        self.place(redirects, line, pos, end)


class Select(Compound):
    """``select name [in words]``."""

    __slots__ = ("body", "name", "words")

    def __init__(
        self,
        name: str,
        words: tuple[Word, ...] | None,
        body: List,
        redirects: tuple[Redirect, ...],
        line: int,
        pos: int,
        end: int,
    ) -> None:
        self.name = name
        self.words = words
        self.body = body
        self.place(redirects, line, pos, end)


class ForArith(Compound):
    """``for (( init; condition; step ))``; each is an Arithmetic or None when empty."""

    __slots__ = ("body", "condition", "init", "step")

    def __init__(
        self,
        init: Arithmetic | None,
        condition: Arithmetic | None,
        step: Arithmetic | None,
        body: List,
        redirects: tuple[Redirect, ...],
        line: int,
        pos: int,
        end: int,
    ) -> None:
        self.init = init
        self.condition = condition
        self.step = step
        self.body = body
        self.place(redirects, line, pos, end)


class CaseArm(Node):
    """``patterns) body terminator``; the terminator is ``;;``, ``;&`` or ``;;&`` (``;;`` if it is omitted)."""

    __slots__ = ("body", "patterns", "terminator")

    def __init__(self, patterns: tuple[Word, ...], body: List, terminator: str, pos: int, end: int) -> None:
        self.patterns = patterns
        self.body = body
        self.terminator = terminator
        self.pos = pos
        self.end = end


class Case(Compound):
    """``case word in arms esac``."""

    __slots__ = ("arms", "word")

    def __init__(
        self,
        word: Word,
        arms: tuple[CaseArm, ...],
        redirects: tuple[Redirect, ...],
        line: int,
        pos: int,
        end: int,
    ) -> None:
        self.word = word
        self.arms = arms
        self.place(redirects, line, pos, end)


class Function(Node):
    """``name() body`` or ``function name [()] body``. The body has its own redirections.

    ``source_text`` is the text of the whole definition, for ``declare -f``.
    """

    __slots__ = ("body", "line", "name", "source_text")

    def __init__(self, name: str, body: Command, source_text: str, line: int, pos: int, end: int) -> None:
        self.name = name
        self.body = body
        self.source_text = source_text
        self.line = line
        self.pos = pos
        self.end = end


class ArithCommand(Compound):
    """``(( … ))``."""

    __slots__ = ("expression",)

    def __init__(self, expression: Arithmetic, redirects: tuple[Redirect, ...], line: int, pos: int, end: int) -> None:
        self.expression = expression
        self.place(redirects, line, pos, end)


class TestCommand(Compound):
    """``[[ … ]]``."""

    __test__ = False
    __slots__ = ("expression",)

    def __init__(self, expression: Test, redirects: tuple[Redirect, ...], line: int, pos: int, end: int) -> None:
        self.expression = expression
        self.place(redirects, line, pos, end)


class Coproc(Node):
    """``coproc [name] command``."""

    __slots__ = ("body", "line", "name")

    def __init__(self, name: str, body: Command, line: int, pos: int, end: int) -> None:
        self.name = name
        self.body = body
        self.line = line
        self.pos = pos
        self.end = end


Command: TypeAlias = (
    Simple
    | Pipeline
    | AndOr
    | List
    | Subshell
    | Group
    | If
    | While
    | For
    | Select
    | ForArith
    | Case
    | Function
    | ArithCommand
    | TestCommand
    | Coproc
)
