"""Parse shell text into nodes, one complete command at a time.

bash runs line 1 before it reads line 2: a syntax error on line 9 shows after lines 1 to 8 have run, and an alias or
``shopt -s extglob`` on line 1 changes what line 2 means. Hence ``Parser.next``, which takes the modes of the moment.
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
    """Reads a source command by command; ``offset`` is where the next one starts."""

    __slots__ = ("_grammar", "modes", "offset", "source", "unended")

    def __init__(self, source: Source, modes: Modes = DEFAULT, offset: int = 0) -> None:
        self.source = source
        self.modes = modes
        self.offset = offset
        self._grammar: Grammar | None = None
        self.unended: tuple[Opened, ...] = ()  # here-documents that the end of the text ended

    def next(self, modes: Modes | None = None) -> n.List | None:
        """Read the next complete command: a line's list with its here-documents. None at the end of the text.

        Raises ShellSyntaxError where the text is wrong, ``Stop("limit")`` where it nests too deep.
        """
        if modes is not None:
            self.modes = modes
        grammar = self._grammar
        if grammar is None or grammar.active:  # aliases have changed the text: begin again with the source's
            self._grammar = grammar = Grammar(self.source, self.modes)
        grammar.modes = self.modes
        grammar.pos = self.offset
        try:
            found = grammar.complete_command()
        except RecursionError:
            raise _too_deep() from None
        except ShellSyntaxError:
            self._grammar = None
            raise
        self.offset = grammar.origin(grammar.pos) if grammar.active else grammar.pos
        if grammar.unended:
            self.unended = tuple(grammar.unended)
        return found


def parse(source: Source | str, modes: Modes = DEFAULT) -> n.List:
    """Parse a whole text as one list."""
    if isinstance(source, str):
        source = Source(source)
    parser = Parser(source, modes)
    items: list[tuple[n.Command, bool]] = []
    while (found := parser.next()) is not None:
        items += found.items
    return n.List(tuple(items), 0, len(source.text))


def parse_word(text: str, modes: Modes = DEFAULT) -> n.Word:
    """Parse text that is expanded as in double quotes: ``PS4``, ``${x@P}``, the text of a here-document."""
    try:
        parts = Grammar(Source(text, made=True), modes).here_parts()
    except RecursionError:
        raise _too_deep() from None
    return n.Word(tuple(parts), 0, len(text))


def parse_arithmetic(text: str) -> n.Arith:
    """Parse an expression whose expansions were made already: a ``$`` that is left is no operand, but in a subscript.

    What a variable holds is data: ``[[ $n -gt 5 ]]`` runs nothing of it (bash). The error's message is bash's, with the
    expression and the rest of it from the token that is wrong.
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
    """Parse what stands between ``[`` and ``]``."""
    try:
        found = Grammar(Source(text, made=True), DEFAULT).subscript_of(text.replace("\0", ""), [], 0)
    except RecursionError:
        raise _too_deep() from None
    assert found is not None
    return found


def _closed_on_a_line(text: str) -> str:
    """Put a closing parenthesis on a line of its own, behind what may be a comment or a lone backslash."""
    inner = text[:-1]
    lone = (len(inner) - len(inner.rstrip("\\"))) % 2
    return inner + "\\" * lone + "\n)"


def parse_assignment(text: str, modes: Modes = DEFAULT) -> n.Assign | None:
    """Parse an argument such as ``a[1]=x`` or ``a=(1 2)`` that was expanded already; None if it is no assignment.

    A value in parentheses is an array literal; any other is taken as it stands, quoted whole. Whether parentheses
    count at all depends on the variable (bash's ``declare`` takes them for arrays only): the text has them too.
    """
    found = _ASSIGNMENT.match(text)
    if found is None:
        return None
    name, op = found.groups()
    closed = _closed_on_a_line(text) if text.endswith(")") else text
    grammar = Grammar(Source(closed, made=True), modes)
    grammar.pos = found.end()
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
    return Stop("limit", "parser depth: the text nests too deep for the stack that is left")
