"""Simple commands: assignments, array literals, redirections, here-documents."""

from __future__ import annotations

from .base import Node
from .words import Subscript, Word


class ArrayItem(Node):
    """One item of ``( … )``: ``word``, ``[i]=word`` or ``[i]+=word``."""

    __slots__ = ("append", "index", "word")

    def __init__(self, index: Subscript | None, append: bool, word: Word, pos: int, end: int) -> None:
        self.index = index
        self.append = append
        self.word = word
        self.pos = pos
        self.end = end


class ArrayLiteral(Node):
    """``( item … )`` after ``name=``."""

    __slots__ = ("items",)

    def __init__(self, items: tuple[ArrayItem, ...], pos: int, end: int) -> None:
        self.items = items
        self.pos = pos
        self.end = end


class Assign(Node):
    """``name=word``, ``name[i]=word``, ``name+=word``, ``name=( … )``. A missing word is an empty Word."""

    __slots__ = ("append", "index", "name", "value")

    def __init__(
        self, name: str, index: Subscript | None, append: bool, value: Word | ArrayLiteral, pos: int, end: int
    ) -> None:
        self.name = name
        self.index = index
        self.append = append
        self.value = value
        self.pos = pos
        self.end = end


class HereDoc(Node):
    """The body of ``<<``: a Word whose parts are as in double quotes, or one Quoted when the delimiter was quoted."""

    __slots__ = ("body", "delimiter", "quoted")

    def __init__(self, delimiter: str, body: Word, quoted: bool, pos: int, end: int) -> None:
        self.delimiter = delimiter
        self.body = body
        self.quoted = quoted
        self.pos = pos
        self.end = end


class Redirect(Node):
    """``op`` is one of ``< > >> >| <> <& >& << <<- <<< &> &>>``.

    ``fd`` is the number written before it, or None; ``variable`` the name of ``{name}>``, or None.
    """

    __slots__ = ("fd", "line", "op", "target", "variable")

    def __init__(
        self, op: str, fd: int | None, variable: str | None, target: Word | HereDoc, line: int, pos: int, end: int
    ) -> None:
        self.op = op
        self.fd = fd
        self.variable = variable
        self.target = target
        self.line = line
        self.pos = pos
        self.end = end


class Simple(Node):
    """A simple command. After a declaration builtin (declare typeset local export readonly, also after
    ``command``/``builtin``) an argument that is an assignment is an Assign in ``words``."""

    __slots__ = ("assigns", "line", "redirects", "words")

    def __init__(
        self,
        assigns: tuple[Assign, ...],
        words: tuple[Word | Assign, ...],
        redirects: tuple[Redirect, ...],
        line: int,
        pos: int,
        end: int,
    ) -> None:
        self.assigns = assigns
        self.words = words
        self.redirects = redirects
        self.line = line
        self.pos = pos
        self.end = end
