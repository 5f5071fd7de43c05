"""Parse shell text into nodes, one complete command at a time.

bash runs line 1 before it reads line 2: a syntax error on line 9 is reported after lines 1 to 8 have run, and an alias or
``shopt -s extglob`` on line 1 changes what line 2 means. Hence ``Parser.next``, which takes the current modes.
"""

from __future__ import annotations

from ...errors import Opened, ShellSyntaxError, Stop
from ...regexes import lazy_pattern
from .. import nodes as n
from ..source import Source
from .arithmetic import ArithmeticParser, ArithmeticSyntaxError
from .escapes import decode_ansi
from .grammar import Grammar
from .modes import DEFAULT, Modes
from .words import Parts

__all__ = [
    "DEFAULT",
    "Modes",
    "Parser",
    "decode_ansi",
    "parse",
    "parse_arithmetic",
    "parse_assignment",
    "parse_subscript",
    "parse_word",
]

_ASSIGNMENT = lazy_pattern(r"([A-Za-z_][A-Za-z0-9_]*)(\+?=|\[)")


class Parser:
    """Reads a source command by command; ``offset`` is the start of the next one."""

    __slots__ = ("_grammar", "modes", "offset", "source", "unended")

    def __init__(self, source: Source, modes: Modes = DEFAULT, offset: int = 0) -> None:
        self.source = source
        self.modes = modes
        self.offset = offset
        self._grammar: Grammar | None = None
        self.unended: tuple[Opened, ...] = ()  # here-documents without a delimiter up to the end of the text

    def next(self, modes: Modes | None = None) -> n.List | None:
        """Read the next complete command: a line's list with its here-documents. None at the end of the text.

        Raises ShellSyntaxError for a mistake in the text, ``Stop("limit")`` if it nests too deep.
        """
        if modes is not None:
            self.modes = modes
        grammar = self._grammar
        if grammar is None or grammar.active:  # aliases have changed the text: start from the source again
            self._grammar = grammar = Grammar(self.source, self.modes)
        grammar.modes = self.modes
        grammar.pos = self.offset
        try:
            command = grammar.complete_command()
        except RecursionError:
            raise _too_deep() from None
        except ShellSyntaxError:
            self._grammar = None  # its open constructs and depth would count for the next command
            raise
        self.offset = grammar.origin(grammar.pos) if grammar.active else grammar.pos
        if grammar.unended:
            self.unended = tuple(grammar.unended)
        return command


def parse(source: Source | str, modes: Modes = DEFAULT) -> n.List:
    """Parse a whole text as one list."""
    if isinstance(source, str):
        source = Source(source)
    parser = Parser(source, modes)
    items: list[tuple[n.Command, bool]] = []
    while (command := parser.next()) is not None:
        items += command.items
    return n.List(tuple(items), 0, len(source.text))


def parse_word(text: str, modes: Modes = DEFAULT) -> n.Word:
    """Parse text that is expanded as in double quotes: ``PS4``, ``${x@P}``, the text of a here-document."""
    try:
        parts = Grammar(Source(text, made=True), modes).here_parts()
    except RecursionError:
        raise _too_deep() from None
    return n.Word(tuple(parts), 0, len(text))


def parse_arithmetic(text: str) -> n.Arith:
    """Parse an expression after its expansions: a remaining ``$`` is an error, except in a subscript.

    The value of a variable is data: ``[[ $n -gt 5 ]]`` executes no part of it (bash). The error's message is bash's, with
    the expression and its rest from the wrong token on.
    """
    flat = text.replace("\0", "")
    try:
        return ArithmeticParser(flat, [], Grammar(Source(text, made=True), DEFAULT).subscript_of).parse()
    except RecursionError:
        raise _too_deep() from None
    except ArithmeticSyntaxError as error:
        shown = flat[: error.end]
        blamed = shown[error.pos :]
        shown = shown.lstrip(" \t\n")
        message = f'{shown}: {error.message} (error token is "{blamed}")'
        raise ShellSyntaxError(Source(text).diagnostic(error.pos, message)) from None


def parse_subscript(text: str) -> n.Subscript:
    """Parse the text between ``[`` and ``]``."""
    try:
        subscript = Grammar(Source(text, made=True), DEFAULT).subscript_of(text.replace("\0", ""), [], 0)
    except RecursionError:
        raise _too_deep() from None
    assert subscript is not None
    return subscript


def _closed_on_a_line(text: str) -> str:
    """Move the closing parenthesis to a line of its own: a comment or a lone backslash may precede it."""
    inner = text[:-1]
    lone = (len(inner) - len(inner.rstrip("\\"))) % 2
    return inner + "\\" * lone + "\n)"


def parse_assignment(text: str, modes: Modes = DEFAULT) -> n.Assign | None:
    """Parse an expanded argument such as ``a[1]=x`` or ``a=(1 2)``; None if it is not an assignment.

    A value in parentheses is an array literal; any other value is literal, as one Quoted. Whether parentheses
    have a meaning depends on the variable (bash's ``declare`` accepts them for arrays only): the caller has the text.
    """
    match = _ASSIGNMENT.match(text)
    if match is None:
        return None
    name, op = match.groups()
    closed = _closed_on_a_line(text) if text.endswith(")") else text
    grammar = Grammar(Source(closed, made=True), modes)
    grammar.pos = match.end()
    index = None
    try:
        if op == "[":
            grammar.pos -= 1
            index = grammar.subscript()
            op = "+=" if grammar.text.startswith("+=", grammar.pos) else "="
            if not grammar.text.startswith(op, grammar.pos):
                return None
            grammar.pos += len(op)
        at = grammar.pos
        value = text[at:]
        array = None
        if value.startswith("(") and value.endswith(")"):
            array = grammar.array_literal(at)
            if array is None:
                grammar.pos -= 1
                raise grammar.unexpected()
    except RecursionError:
        raise _too_deep() from None
    if array is not None:
        return n.Assign(name, index, op == "+=", array, 0, len(text))
    parts: Parts = [n.Quoted(value, "'", at, len(text))] if value else []
    return n.Assign(name, index, op == "+=", n.Word(tuple(parts), at, len(text)), 0, len(text))


def _too_deep() -> Stop:
    return Stop("limit", "the script is nested too deeply")
