"""A reader of TOML documents with positions, into the same tree as JSON's, so diagnostics have a file and a line.

``tomllib`` checks the text and reads its scalars; this module finds where the keys and the values are.
"""

from __future__ import annotations

import re
from typing import Any

from .document import DEPTH, Document, JsonError, Member, Node

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?>[^"\\\n]|\\.)*+"|'[^'\n]*'""")
_DOT = re.compile(r"[ \t]*\.[ \t]*")
_SCALAR = re.compile(
    r'''"""(?>[^"\\]|\\.|"(?!""))*+"""(?:"{1,2})?|\'\'\'(?>[^']|'(?!\'\'))*+\'\'\'(?:'{1,2})?'''
    r"""|"(?>[^"\\\n]|\\.)*+"|'[^'\n]*'|[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9][^\s,\]}#]*|[^\s,\]}#]+""",
    re.DOTALL,
)
_PLACE = re.compile(r"\(at (?:line (\d+), column (\d+)|end of document)\)")


def read_toml(text: str, file: str) -> Document:
    """Parse one document. Raises ``JsonError`` for every error of the text."""
    import tomllib

    document = Document(text, file)
    try:
        tomllib.loads(text)
        document.root = _Scanner(text).document()
    except tomllib.TOMLDecodeError as error:
        raise _error(text, str(error)) from None
    except RecursionError:
        raise JsonError(0, f"arrays and tables nest more than {DEPTH} deep") from None
    except ValueError as error:  # an integer with too many digits
        raise JsonError(0, f"not TOML: {error}") from None
    return document


def _error(text: str, message: str) -> JsonError:
    """Return the error of ``tomllib`` with its place as an offset."""
    place = _PLACE.search(message)
    offset = len(text)
    if place is not None and place[1]:
        lines = text.split("\n")
        offset = sum(len(line) + 1 for line in lines[: int(place[1]) - 1]) + int(place[2]) - 1
    return JsonError(min(offset, len(text)), f"not TOML: {_PLACE.sub('', message).strip()}")


class _Scanner:
    """Scanner of a text that ``tomllib`` has accepted."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def document(self) -> Node:
        """Return the root table."""
        root = Node("object", [], 0, len(self.text))
        table = root
        self.skip()
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self.header(root)
            else:
                self.pair(table, 0)
            self.skip()
        return root

    def skip(self) -> None:
        """Skip white space, line ends and comments."""
        match = _BLANK.match(self.text, self.at)
        assert match is not None
        self.at = match.end()

    def header(self, root: Node) -> Node:
        """Read ``[a.b]`` or ``[[a.b]]``, and return the table that it opens."""
        start = self.at
        opens_item = self.text.startswith("[[", start)
        self.at += 2 if opens_item else 1
        self.skip()
        *path, (last, offset) = self.keys()
        self.at = self.text.index("]]" if opens_item else "]", self.at) + (2 if opens_item else 1)
        parent = _walk(root, path)
        if not opens_item:
            return _walk(parent, [(last, offset)])
        items = parent.get(last)
        if items is None:
            items = Node("array", [], start, self.at)
            parent.value.append(Member(last, offset, items))
        item = Node("object", [], start, self.at)
        items.value.append(item)
        return item

    def keys(self) -> list[tuple[str, int]]:
        """Read a dotted key: each part with its offset."""
        parts = []
        while True:
            match = _KEY.match(self.text, self.at)
            assert match is not None
            part = match[0]
            parts.append((str(_value(part)) if part[0] in "\"'" else part, self.at))
            self.at = match.end()
            dot = _DOT.match(self.text, self.at)
            if dot is None:
                return parts
            if len(parts) > DEPTH:
                raise JsonError(self.at, f"tables nest more than {DEPTH} deep")
            self.at = dot.end()

    def pair(self, table: Node, depth: int) -> None:
        """Read ``key = value`` into a table."""
        *path, (last, offset) = self.keys()
        self.at = self.text.index("=", self.at) + 1
        self.skip()
        inner = _walk(table, path)
        inner.value.append(Member(last, offset, self.value(depth)))

    def value(self, depth: int) -> Node:
        """Read one value."""
        if depth > DEPTH:
            raise JsonError(self.at, f"arrays and tables nest more than {DEPTH} deep")
        start, opener = self.at, self.text[self.at]
        if opener in "[{":
            return self.container(opener, depth)
        match = _SCALAR.match(self.text, start)
        assert match is not None
        self.at = match.end()
        value = _value(match[0])
        kind = {str: "string", bool: "boolean", int: "number", float: "number"}.get(type(value), "string")
        return Node(kind, str(value) if kind == "string" else value, start, self.at)

    def container(self, opener: str, depth: int) -> Node:
        """Read an array or an inline table."""
        start, closer = self.at, "]" if opener == "[" else "}"
        node = Node("array" if opener == "[" else "object", [], start, start)
        self.at += 1
        self.skip()
        while self.text[self.at] != closer:
            if opener == "[":
                node.value.append(self.value(depth + 1))
            else:
                self.pair(node, depth + 1)
            self.skip()
            if self.text[self.at] == ",":
                self.at += 1
                self.skip()
        self.at += 1
        node.end = self.at
        return node


def _walk(table: Node, path: list[tuple[str, int]]) -> Node:
    """Return the table at a path, and create those that are missing; of an array of tables it is the last one."""
    for key, offset in path:
        inner = table.get(key)
        if inner is None:
            inner = Node("object", [], offset, offset + len(key))
            table.value.append(Member(key, offset, inner))
        table = inner.value[-1] if inner.kind == "array" else inner
    return table


def _value(text: str) -> Any:
    import tomllib

    return tomllib.loads(f"x = {text}")["x"]
