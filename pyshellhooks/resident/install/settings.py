"""A settings file as text: the place of its ``hooks``, and the text with other hooks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from ...errors import message_of
from ...jsontext.compact import dumps
from ...jsontext.document import Document, JsonError, Member, Node, decode_file, read
from .targets import Refused

_BOM = b"\xef\xbb\xbf"
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\r\n]*|/\*.*?\*/|[^\s"]', re.DOTALL)


class Settings:
    """One settings file, read once. Raises ``Refused`` if it can't be changed safely."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data
        self._bom = _BOM if data.startswith(_BOM) else b""
        self.text, problem = decode_file(data, path)
        if problem is not None:
            raise Refused(str(problem))
        try:
            self.document: Document = read(self.text, path)
        except JsonError as error:
            where = Document(self.text, path)
            diagnostic = where.diagnostic(error.offset, error.message, error.hint, code="config-syntax")
            raise Refused(str(diagnostic)) from None
        self.newline = "\r\n" if "\r\n" in self.text else "\n"

    @classmethod
    def at(cls, path: str) -> Settings:
        """Read a file. Raises ``Refused``."""
        try:
            with open(path, "rb") as file:
                return cls(path, file.read())
        except OSError as error:
            raise Refused(f"{path}: {message_of(error)}") from None

    def member(self, key: str) -> Member | None:
        """Return a member of the root by its key, or None. Raises ``Refused`` for a duplicate."""
        if self.document.root.kind != "object":
            raise Refused(f"{self.path}: expected an object, got {self.document.root.described}")
        members = [member for member in self.document.root.value if member.key.lower() == key.lower()]
        if len(members) > 1:
            raise Refused(f'{self.path}:{self.line(members[1].offset)}: duplicate key "{key}"; merge both first')
        return members[0] if members else None

    def line(self, offset: int) -> int:
        """Return the line number of an offset."""
        return self.document.place(offset)[0]

    def slice(self, node: Node) -> str:
        """Return the text of a node."""
        return self.text[node.offset : node.end]

    def indents(self, member: Member) -> tuple[str, str]:
        """Return the indent of a member of the root, and that of one level."""
        begin = self.text.rfind("\n", 0, member.offset) + 1
        before = self.text[begin : member.offset]
        if before and not before.strip(" \t"):
            return before, before
        return "", "\t" if "\n\t" in self.text else "  "

    def with_replacement(self, node: Node, text: str) -> bytes:
        """Return the file's bytes with another text instead of a node."""
        return self._bom + f"{self.text[: node.offset]}{text}{self.text[node.end :]}".encode()


def same(text: str, other: str) -> bool:
    """Return whether two JSON texts are equal, apart from white space and the escapes in strings. Comments count."""
    first, second = _TOKEN.findall(text), _TOKEN.findall(other)
    if first == second:
        return True
    if not text or not other:
        return False
    if any(word.startswith("/") for word in (*first, *second)):
        return False
    # As text, since 1, 1.0 and true are equal in Python.
    return dumps(read(text, "").root.plain()) == dumps(read(other, "").root.plain())


def joined(members: Iterable[tuple[str, str]], opener: str, indent: str, step: str, newline: str) -> str:
    """Return the text of an object or array; ``members`` are pairs of a prefix (``"key": ``, or ``""``) and a value."""
    lines = [f"{indent}{step}{before}{value}" for before, value in members]
    close = "}" if opener == "{" else "]"
    if not lines:
        return opener + close
    return f"{opener}{newline}" + f",{newline}".join(lines) + f"{newline}{indent}{close}"


def owner_may_write(path: str) -> bool:
    """Return whether a file's mode has a write bit: root may write to every file, but a read-only mode is intended."""
    return bool(os.stat(path).st_mode & 0o222)
