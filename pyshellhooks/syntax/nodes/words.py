"""Words and their parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from .base import Node

if TYPE_CHECKING:
    from .arithmetic import Arith
    from .commands import List


class Literal(Node):
    """Unquoted text with no backslashes left. Globs, braces, tildes and extglob parentheses in it are live."""

    __slots__ = ("text",)

    def __init__(self, text: str, pos: int, end: int) -> None:
        self.text = text
        self.pos = pos
        self.end = end


class Quoted(Node):
    """Quoted text: ``'…'``, ``$'…'`` (already decoded), ``\\c``, or plain text within double quotes.

    ``style`` is ``'``, ``$'``, ``\\`` or ``"``.
    """

    __slots__ = ("style", "text")

    def __init__(self, text: str, style: str, pos: int, end: int) -> None:
        self.text = text
        self.style = style
        self.pos = pos
        self.end = end


class DoubleQuoted(Node):
    """``"…"`` or ``$"…"``. Its parts are Quoted (style ``"`` for plain text), Parameter, CommandSub, Arithmetic."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[WordPart, ...], pos: int, end: int) -> None:
        self.parts = parts
        self.pos = pos
        self.end = end


class Subscript(Node):
    """``[…]`` after a name. ``kind`` is ``@``, ``*`` or ``""``.

    Its meaning is known at run time only: an associative array uses ``word`` expanded (no splitting),
    an indexed one evaluates it as arithmetic. ``arith`` is the arithmetic parse of the text, or None if it has none.
    """

    __slots__ = ("arith", "kind", "word")

    def __init__(self, kind: str, word: Word, arith: Arith | None, pos: int, end: int) -> None:
        self.kind = kind
        self.word = word
        self.arith = arith
        self.pos = pos
        self.end = end


class Parameter(Node):
    """``$x``, ``${x}``, ``${x op word}``, ``${#x}``, ``${!x}``, ``${x[i]}`` …

    name      the parameter: a name, digits, or one of ``@ * # ? - $ ! 0``
    index     the subscript or None
    length    ``${#x}``
    indirect  ``${!x}`` (also with an operator). ``${!x[@]}`` is op ``keys``; ``${!x*}``/``${!x@}`` op ``names*``/``names@``
    op        "" none;  ``- := :- …`` as written: ``- :- = := ? :? + :+``;  ``# ## % %%``;
              ``/ // /# /%`` (word = pattern, word2 = replacement or None);  ``slice`` (word = offset, word2 = length or
              None, both as text to evaluate arithmetically, ``arith``/``arith2`` = their parse or None);
              ``^ ^^ , ,,`` (word = pattern or None);  ``@`` (word = Literal letter);  ``keys``, ``names*``, ``names@``;
              ``~ ~~`` (word = pattern or None); ``bad`` (``name`` is the text: bash's "bad substitution" at run time)
    braced    written with braces
    """

    __slots__ = ("arith", "arith2", "braced", "index", "indirect", "length", "line", "name", "op", "word", "word2")

    def __init__(
        self,
        name: str,
        pos: int,
        end: int,
        *,
        index: Subscript | None = None,
        op: str = "",
        word: Word | None = None,
        word2: Word | None = None,
        arith: Arith | None = None,
        arith2: Arith | None = None,
        indirect: bool = False,
        length: bool = False,
        braced: bool = False,
        line: int = 0,
    ) -> None:
        self.name = name
        self.index = index
        self.op = op
        self.word = word
        self.word2 = word2
        self.arith = arith
        self.arith2 = arith2
        self.indirect = indirect
        self.length = length
        self.braced = braced
        self.line = line
        self.pos = pos
        self.end = end


class CommandSub(Node):
    """``$( … )``, `` `…` `` or ``${ …; }``. ``body`` is parsed with the outer text (backquotes after unescaping).

    ``input_file`` is the target of ``$(< file)``, else None. ``broken`` is the text of backquotes that does not parse:
    its error is reported when it runs.
    """

    __slots__ = ("backquoted", "body", "broken", "input_file")

    def __init__(
        self, body: List, backquoted: bool, input_file: Word | None, pos: int, end: int, *, broken: str | None = None
    ) -> None:
        self.body = body
        self.backquoted = backquoted
        self.input_file = input_file
        self.broken = broken
        self.pos = pos
        self.end = end


class Arithmetic(Node):
    """``$(( … ))`` or ``$[ … ]``. ``text`` is the content as a word like in double quotes, which bash expands first.

    ``expr`` is its static parse in which ``$x`` and ``$( )`` are atoms, or None if it has none.
    """

    __slots__ = ("expr", "text")

    def __init__(self, expr: Arith | None, text: Word, pos: int, end: int) -> None:
        self.expr = expr
        self.text = text
        self.pos = pos
        self.end = end


class ProcessSub(Node):
    """``<( … )`` (op ``<``) or ``>( … )`` (op ``>``)."""

    __slots__ = ("body", "op")

    def __init__(self, op: str, body: List, pos: int, end: int) -> None:
        self.op = op
        self.body = body
        self.pos = pos
        self.end = end


WordPart: TypeAlias = Literal | Quoted | DoubleQuoted | Parameter | CommandSub | Arithmetic | ProcessSub


class Word(Node):
    """One shell word. ``parts`` is empty only where the grammar allows an empty word (``${x:-}``, ``x=``)."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[WordPart, ...], pos: int, end: int) -> None:
        self.parts = parts
        self.pos = pos
        self.end = end

    def literal(self) -> str | None:
        """Return the text if it is one unquoted literal, else None."""
        parts = self.parts
        if len(parts) == 1 and type(parts[0]) is Literal:
            return parts[0].text
        return None
