"""A JSON parser that keeps positions, for configuration files.

Every key and value has its offset, so that a mistake can be reported with file, line and column. Comments and trailing
commas (JSONC) are optional: the samples in documents of hook systems have both. Nesting is bounded, so that a hostile
file results in a diagnostic and never in a crash.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from ..errors import Diagnostic
from .compact import NotAnObject, WireError, finite

DEPTH = 100  # nested containers; real configs have less than ten

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORD = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]*|[0-9]+")
_STRING = re.compile(r'"(?>[^"\\]+|\\.)*"', re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f]")
_BLANK = re.compile(r"[ \t\r\n]*")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}

KINDS = {"object": "an object", "array": "an array", "string": "a string", "number": "a number"}


class JsonError(Exception):
    """The text is not JSON. ``offset`` is the place of the mistake, ``hint`` the fix."""

    def __init__(self, offset: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message
        self.hint = hint


class Member:
    """One ``key: value`` of an object, with the offset of the key."""

    __slots__ = ("key", "node", "offset")

    def __init__(self, key: str, offset: int, node: Node) -> None:
        self.key = key
        self.offset = offset
        self.node = node


class Node:
    """A value with its offsets. ``value`` is a list of Members, a list of Nodes, or the scalar itself."""

    __slots__ = ("end", "kind", "offset", "value")

    def __init__(self, kind: str, value: Any, offset: int, end: int) -> None:
        self.kind = kind  # "object" | "array" | "string" | "number" | "boolean" | "null"
        self.value = value
        self.offset = offset
        self.end = end

    @property
    def described(self) -> str:
        """Its kind, or its boolean value, for a message: ``a string``, ``true``."""
        if self.kind == "boolean":
            return "true" if self.value else "false"
        return KINDS.get(self.kind, "null")

    def get(self, key: str) -> Node | None:
        """Return the value of a key of an object, the last one of duplicates, or None."""
        node = None
        if self.kind == "object":
            for member in self.value:
                if member.key == key:
                    node = member.node
        return node

    def plain(self) -> Any:
        """Return the value as plain Python objects."""
        if self.kind == "object":
            return {member.key: member.node.plain() for member in self.value}
        if self.kind == "array":
            return [node.plain() for node in self.value]
        return self.value


class Document:
    """A parsed text, which converts the offsets of its nodes to lines and columns."""

    __slots__ = ("_lines", "file", "root", "text")

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self._lines: list[int] | None = None
        self.root = Node("null", None, 0, 0)

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column (from 1, in characters) of an offset."""
        lines = self._lines
        if lines is None:
            lines = self._lines = [0, *(m.end() for m in re.finditer("\n", self.text))]
        line = bisect_right(lines, offset)
        return line, offset - lines[line - 1] + 1

    def diagnostic(
        self, offset: int, message: str, hint: str = "", severity: str = "error", *, code: str = ""
    ) -> Diagnostic:
        """Return a diagnostic that points at an offset."""
        line, column = self.place(offset)
        end = self.text.find("\n", offset)
        if end < 0:
            end = len(self.text)
        source = self.text[offset - column + 1 : end].removesuffix("\r")
        return Diagnostic(self.file, line, column, message, hint, severity, code=code, source=source)


def decode_file(data: bytes, file: str) -> tuple[str, Diagnostic | None]:
    """Decode a file as UTF-8, with or without a byte order mark; return the text, or "" and a diagnostic."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "", Diagnostic(file, 1, 1, "the file is UTF-16", "save it as UTF-8", code="config-unreadable")
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8")) + 1
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        return "", Diagnostic(file, line, column, message, "save it as UTF-8", code="config-unreadable")


def object_of(text: str, *, comments: bool = True) -> dict[str, Any] | None:
    """Parse a JSON object; None for any other text."""
    try:
        root = read(text, "", comments=comments).root.plain()
    except JsonError:
        return None
    return root if isinstance(root, dict) else None


def read(text: str, file: str, *, comments: bool = True) -> Document:
    """Parse a document; ``comments`` allows ``//``, ``/* */`` and trailing commas. Raises ``JsonError``."""
    document = Document(text, file)
    reader = _Reader(text, comments)
    document.root = reader.value(reader.blank(0), 0)
    end = reader.blank(document.root.end)
    if end < len(text):
        raise JsonError(end, "text after the end of the JSON value")
    return document


class _Reader:
    __slots__ = ("comments", "text")

    def __init__(self, text: str, comments: bool) -> None:
        self.text = text
        self.comments = comments

    def blank(self, at: int) -> int:
        text = self.text
        while True:
            at = _BLANK.match(text, at).end()  # type: ignore[union-attr]
            if text.startswith("//", at):
                self._allow_comment(at)
                newline = text.find("\n", at)
                at = len(text) if newline < 0 else newline
            elif text.startswith("/*", at):
                self._allow_comment(at)
                close = text.find("*/", at + 2)
                if close < 0:
                    raise JsonError(at, "this comment is never closed")
                at = close + 2
            else:
                return at

    def _allow_comment(self, at: int) -> None:
        if not self.comments:
            raise JsonError(at, "comments are not JSON", "remove the comment")

    def value(self, at: int, depth: int) -> Node:
        text = self.text
        char = text[at : at + 1]
        if char in ("{", "["):
            if depth >= DEPTH:
                raise JsonError(at, f"objects and arrays nest more than {DEPTH} deep")
            parse = self._object if char == "{" else self._array
            return parse(at, depth + 1)
        if char == '"':
            value, end = self._string(at)
            return Node("string", value, at, end)
        number = _NUMBER.match(text, at)
        if number is not None:
            return self._number(number, at)
        return self._word(at)

    def _number(self, match: re.Match[str], at: int) -> Node:
        following = self.text[match.end() : match.end() + 1]
        if following.isalnum() or following in ("_", "."):
            raise JsonError(at, "not a JSON number")
        spelled = match[0]
        is_integer = match[1] is None and match[2] is None
        # int() refuses more than 4300 digits.
        number = int(spelled) if is_integer and len(spelled) < 4000 else float(spelled)
        return Node("number", finite(number), at, match.end())

    def _word(self, at: int) -> Node:
        text = self.text
        if at >= len(text):
            if not text.strip():
                raise JsonError(at, "expected a JSON value, found nothing")
            raise JsonError(at, "the text ends too early")
        if text[at] == "'":
            raise JsonError(at, "strings need double quotes", "use \" instead of '")
        word = _WORD.match(text, at)
        if word is not None and word[0] in _WORDS:
            value = _WORDS[word[0]]
            kind = "null" if value is None else "boolean"
            return Node(kind, value, at, word.end())
        shown = text[at] if word is None else word[0]
        raise JsonError(at, f"expected a JSON value, not {shown!r}", _word_hint(shown))

    def _string(self, at: int) -> tuple[str, int]:
        try:
            return scanstring(self.text, at + 1, True)  # type: ignore[no-any-return]
        except ValueError as error:
            where = getattr(error, "pos", at)
            message = str(getattr(error, "msg", error))
            if message.startswith("Unterminated"):
                raise JsonError(at, "this string is never closed") from None
            if message.startswith("Invalid control"):
                raise JsonError(where, "a line break or control character inside a string", "write \\n") from None
            raise JsonError(where, "a bad \\ escape inside a string", "write \\\\ for a backslash") from None

    def _object(self, start: int, depth: int) -> Node:
        text = self.text
        members: list[Member] = []
        at = self.blank(start + 1)
        while text[at : at + 1] != "}":
            if text[at : at + 1] != '"':
                raise self._no_key(at, start)
            where = at
            key, at = self._string(at)
            at = self.blank(at)
            if at >= len(text):
                raise JsonError(at, _ends(start, self, "{"))
            if text[at] != ":":
                raise JsonError(at, f'expected ":" after the key "{key}"')
            node = self.value(self.blank(at + 1), depth)
            members.append(Member(key, where, node))
            at = self._next(node.end, start, "}")
        return Node("object", members, start, at + 1)

    def _no_key(self, at: int, start: int) -> JsonError:
        if at >= len(self.text):
            return JsonError(at, _ends(start, self, "{"))
        if self.text[at] == "'":
            return JsonError(at, "keys need double quotes", "use \" instead of '")
        word = _WORD.match(self.text, at)
        if word is not None:
            return JsonError(at, f"the key {word[0]} needs double quotes", f'write "{word[0]}"')
        return JsonError(at, f"expected a key, not {self.text[at]!r}")

    def _array(self, start: int, depth: int) -> Node:
        nodes: list[Node] = []
        at = self.blank(start + 1)
        while self.text[at : at + 1] != "]":
            node = self.value(at, depth)
            nodes.append(node)
            at = self._next(node.end, start, "]")
        return Node("array", nodes, start, at + 1)

    def _next(self, at: int, start: int, close: str) -> int:
        text = self.text
        after = at
        at = self.blank(at)
        char = text[at : at + 1]
        if char == close:
            return at
        if char != ",":
            opener = "{" if close == "}" else "["
            if not char:
                raise JsonError(at, _ends(start, self, opener))
            raise JsonError(after, f'expected "," or "{close}"', 'is there a "," missing?')
        comma = at
        at = self.blank(at + 1)
        if text[at : at + 1] == close and not self.comments:
            raise JsonError(comma, "a trailing comma is not JSON", "remove the comma")
        return at


def _ends(start: int, reader: _Reader, opener: str) -> str:
    line, column = Document(reader.text, "").place(start)
    return f'the text ends before the "{opener}" of line {line}, column {column} is closed'


def _word_hint(word: str) -> str:
    folded = word.lower()
    if folded in _WORDS:
        return f"write {folded}"
    if folded in ("none", "nil", "undefined"):
        return "write null"
    if word[:1].isalpha():
        return f'write "{word}"'
    return ""


def escaped(text: str) -> tuple[str, Diagnostic | None]:
    """Escape raw control characters in strings, and report the first; Python accepts them with ``strict=False``."""
    first = -1

    def within(match: re.Match[str]) -> str:
        nonlocal first
        control = _CONTROL.search(match[0])
        if control is None:
            return match[0]
        if first < 0:
            first = match.start() + control.start()
        return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", match[0])

    changed = _STRING.sub(within, text)
    if first < 0:
        return text, None
    message = f"a raw U+{ord(text[first]):04X} in a string is not JSON; it is read as if it were escaped"
    hint = f"write \\u{ord(text[first]):04x}; jq rejects this payload, so a guard that uses jq fails"
    return changed, Document(text, "").diagnostic(first, message, hint, "warning", code="config-syntax")


def mistake(text: str, name: str, error: WireError) -> Diagnostic:
    """Return the diagnostic of event fields that are not a JSON object: the place of the mistake, and the fix."""
    document = Document(text, name)
    start = len(text) - len(text.lstrip(" \t\r\n"))
    if isinstance(error, NotAnObject):
        kind = "an array" if text[start : start + 1] == "[" else "a value"
        hint = 'write the event\'s fields, such as {"tool_name": "bash"}; pyshellhooks fire EVENT --sample shows them'
        return document.diagnostic(start, f"it must hold a JSON object, not {kind}", hint)
    try:
        read(text, name, comments=False)
    except JsonError as found:
        hint = found.hint or "correct the text there"
        return document.diagnostic(found.offset, f"it is not JSON: {found.message}", hint)
    return document.diagnostic(start, f"it is not JSON: {error}", "correct the text there")
