"""A settings file as text: where its ``hooks`` stand, and the same text with others in their place."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from ...hooks.json_text import Document, JsonError, Member, Node, decode_file, read
from ...hooks.wire import dumps
from .targets import Refused

_BOM = b"\xef\xbb\xbf"
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\r\n]*|/\*.*?\*/|[^\s"]', re.DOTALL)


class Settings:
    """One settings file, read once. Raises ``Refused`` where it can't be changed safely."""

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
            said = where.diagnostic(error.offset, error.message, error.hint, code="config-syntax")
            raise Refused(str(said)) from None
        self.newline = "\r\n" if "\r\n" in self.text else "\n"

    @classmethod
    def at(cls, path: str) -> Settings:
        """Read a file. Raises ``Refused``."""
        try:
            with open(path, "rb") as file:
                return cls(path, file.read())
        except OSError as error:
            raise Refused(f"{path}: {error.strerror or error}") from None

    def member(self, key: str) -> Member | None:
        """Return a member of the root by its key. Raises ``Refused`` where it is there twice."""
        if self.document.root.kind != "object":
            raise Refused(f"{self.path}: it holds {self.document.root.described}, not an object")
        found = [member for member in self.document.root.value if member.key.lower() == key.lower()]
        if len(found) > 1:
            raise Refused(f'{self.path}:{self.line(found[1].offset)}: "{key}" is there twice; put both together first')
        return found[0] if found else None

    def line(self, offset: int) -> int:
        """Return the number of an offset's line."""
        return self.document.place(offset)[0]

    def slice(self, node: Node) -> str:
        """Return the text of a node."""
        return self.text[node.offset : node.end]

    def indents(self, member: Member) -> tuple[str, str]:
        """Return the white space before a member of the root, and that of one step."""
        begin = self.text.rfind("\n", 0, member.offset) + 1
        before = self.text[begin : member.offset]
        if before and not before.strip(" \t"):
            return before, before
        return "", "\t" if "\n\t" in self.text else "  "

    def replaced(self, node: Node, text: str) -> bytes:
        """Return the file's bytes with another text in the place of a node."""
        return self._bom + f"{self.text[: node.offset]}{text}{self.text[node.end :]}".encode()


def same(one: str, other: str) -> bool:
    """Say whether two JSON texts mean the same: white space does not count, nor how a string is spelled; comments do."""
    first, second = _TOKEN.findall(one), _TOKEN.findall(other)
    if first == second or not one or not other:
        return bool(first == second)
    if any(word.startswith("/") for word in (*first, *second)):
        return False
    # As text: Python takes 1 and 1.0 and true for equal.
    return dumps(read(one, "").root.plain()) == dumps(read(other, "").root.plain())


def joined(members: Iterable[tuple[str, str]], opener: str, indent: str, step: str, newline: str) -> str:
    """Write an object or array: pairs of what stands before a value (``"key": ``, or nothing) and the value."""
    lines = [f"{indent}{step}{before}{value}" for before, value in members]
    close = "}" if opener == "{" else "]"
    if not lines:
        return opener + close
    return f"{opener}{newline}" + f",{newline}".join(lines) + f"{newline}{indent}{close}"


def owner_may_write(path: str) -> bool:
    """Say whether a file's mode lets anybody write it: root may write all, and a person who locked it meant that."""
    return bool(os.stat(path).st_mode & 0o222)
