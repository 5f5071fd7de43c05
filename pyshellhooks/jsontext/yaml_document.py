"""A reader of YAML documents with positions, into the same tree as JSON's, so diagnostics have a file and a line.

Plain scalars follow YAML 1.2's core schema, as in the systems' own readers: ``on`` and ``yes`` are strings and not
booleans, ``1:30`` is not a number. Anchors, aliases and merge keys are resolved; an alias shares its node, so that a
small file cannot become a large tree. A repeated key in one mapping is an error: of two guards under one name the
first would silently disappear.
"""

from __future__ import annotations

import re
from typing import Any

from .compact import finite
from .document import DEPTH, Document, JsonError, Member, Node, read

_NULL = frozenset(["", "~", "null", "Null", "NULL"])
_BOOLEANS = {word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")}
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_TAG = re.compile(r"(?:&\S+\s+)?!(\S*)")
_CORE = {
    "tag:yaml.org,2002:int": "number",
    "tag:yaml.org,2002:float": "number",
    "tag:yaml.org,2002:bool": "boolean",
    "tag:yaml.org,2002:null": "null",
}
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_HEADER = re.compile(r"(?:[&!]\S*[ \t]+)*\|([-+]?)([1-9]?)[-+]?[ \t]*(?:#[^\r\n]*)?(\r\n|\n|\r|$)")
_QUOTE = re.compile(r"(?:[&!]\S*\s+)*[\"']?")
_MERGE = "<<"
LARGEST = 100_000  # nodes, each alias counted anew: a shorter text that expands to more is an attack


def read_yaml(text: str, file: str) -> Document:
    """Parse one document. Raises ``JsonError`` for every error of the text."""
    if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
        # JSON is YAML, but pyyaml accepts no tab before a token.
        try:
            return _unique(read(text, file, comments=False))
        except JsonError as error:
            if error.hint == _TWICE:
                raise
    import yaml

    document = Document(text, file)
    try:
        composed = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        raise _error(error, text) from None
    except yaml.YAMLError as error:
        raise JsonError(int(getattr(error, "position", 0) or 0), f"not YAML: {_line(str(error))}") from None
    except RecursionError:
        raise JsonError(0, f"mappings and lists nest more than {DEPTH} deep") from None
    except (ValueError, OverflowError) as error:  # raised by pyyaml for an escape beyond Unicode
        raise JsonError(0, f"not YAML: {_line(str(error))}", "is there a wrong \\U escape?") from None
    if composed is not None:
        document.root = _Builder(yaml, max(LARGEST, len(text))).node(composed, 0)
    return document


def place_in_scalar(text: str, start: int, index: int) -> int:
    """Return the offset in a document of the ``index``-th character of the scalar that begins at ``start``.

    Exact in literal block scalars (``|``), and in other scalars if their text up to there has no escape or line break;
    otherwise it is the beginning of the scalar. A person looks in the file for a problem of an inline script.
    """
    header = _HEADER.match(text, start)
    if header is None:
        begin = _QUOTE.match(text, start).end()  # type: ignore[union-attr]
        written = text[begin : begin + index]
        if re.search(r"[\r\n\\]|''", written):
            return start
        return min(begin + index, len(text))
    lines = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|$)")
    indent = _indent(text, start, header)
    at = header.end()
    while at < len(text):
        line = lines.match(text, at)[0]  # type: ignore[index]
        content = line.rstrip("\r\n")
        length = max(0, len(content) - indent)
        if index <= length:
            return min(at + indent, at + len(content)) + index
        index -= length + 1
        at += len(line)
    return len(text)


def _indent(text: str, start: int, header: re.Match[str]) -> int:
    """Return the indentation of a literal block: that of its first non-blank line."""
    if header[2]:
        # The indicator counts from the indentation of the parent, a mapping or a list.
        begin = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        before = re.match(r"[ ]*(?:- +)*", text[begin:start])[0]  # type: ignore[index]
        is_item = begin + len(before) == start  # of a list: ``- |2``
        parent = before.rindex("-") if is_item else len(before)
        return parent + int(header[2])
    first = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*( *)").match(text, header.end())
    return len(first[1]) if first is not None else 0


_TWICE = "put both under one key"


def _unique(document: Document) -> Document:
    """Return the document. Raises ``JsonError`` for a repeated key in one mapping."""
    pending = [document.root]
    while pending:
        node = pending.pop()
        if node.kind == "object":
            _no_twins(node.value)
            pending += [member.node for member in node.value]
        elif node.kind == "array":
            pending += node.value
    return document


def _no_twins(members: list[Member]) -> None:
    seen: set[str] = set()
    for member in members:
        if member.key in seen:
            raise JsonError(member.offset, f'duplicate key "{member.key}" in one mapping', _TWICE)
        seen.add(member.key)


def _error(error: Any, text: str) -> JsonError:
    mark = error.problem_mark or error.context_mark
    offset = mark.index if mark is not None else 0
    context = error.context or ""
    problem = error.problem or context or "not YAML"
    hint = _TABS if text[offset : offset + 1] == "\t" else _error_hint(problem, context)
    message = f"not YAML: {problem}"
    if context and context != problem:
        message += f" ({context})"
    return JsonError(offset, message, hint)


_TABS = "indent with spaces: YAML allows no tabs there"
#: Parts of pyyaml's messages, with the fix for each.
_HINTS = (
    ("'\\t'", _TABS),
    ("mapping values are not allowed", "is the indentation right, or does a text with a colon need quotes?"),
    ("but found another document", "a file holds one document: remove what follows ---"),
    ("undefined alias", "quote a text that begins with *"),
    ("could not find expected ':'", "indent all keys of one mapping equally"),
)


def _error_hint(problem: str, context: str) -> str:
    for part, hint in _HINTS:
        if part in problem:
            return hint
    if "parsing a block" in context:
        return "indent all keys of one mapping equally"
    return ""


def _line(text: str) -> str:
    return text.partition("\n")[0]


class _Builder:
    def __init__(self, yaml: Any, most: int) -> None:
        self.yaml = yaml
        self.most = most  # nodes
        self.made: dict[int, Node] = {}
        self.sizes: dict[int, int] = {}
        self.heights: dict[int, int] = {}
        self.open: set[int] = set()

    def node(self, composed: Any, depth: int) -> Node:
        key = id(composed)
        start = composed.start_mark.index
        known = self.made.get(key)
        if depth + self.heights.get(key, 0) > DEPTH:
            raise JsonError(start, f"mappings and lists nest more than {DEPTH} deep")
        if known is not None:
            return known
        if key in self.open:
            raise JsonError(start, "an alias refers to a node that contains it")
        self.open.add(key)
        inner: list[Any] = []
        if isinstance(composed, self.yaml.ScalarNode):
            node = _scalar(composed)
        elif isinstance(composed, self.yaml.SequenceNode):
            inner = composed.value
            node = Node("array", [self.node(item, depth + 1) for item in inner], start, composed.end_mark.index)
        else:
            inner = [value for _, value in composed.value]
            node = self.mapping(composed, depth)
        size = 1 + sum(self.sizes[id(item)] for item in inner)
        if size > self.most:
            raise JsonError(start, f"its aliases expand to more than {self.most} values")
        self.open.discard(key)
        self.made[key] = node
        self.sizes[key] = size
        self.heights[key] = 1 + max((self.heights[id(item)] for item in inner), default=-1)
        return node

    def mapping(self, composed: Any, depth: int) -> Node:
        own: list[Member] = []
        inherited: dict[str, Member] = {}
        for key, value in composed.value:
            if not isinstance(key, self.yaml.ScalarNode):
                raise JsonError(key.start_mark.index, "a key must be a plain text")
            node = self.node(value, depth + 1)
            if key.value == _MERGE and key.style is None:
                for member in _merged(node):
                    inherited.setdefault(member.key, member)
            else:
                own.append(Member(_paired(key.value), key.start_mark.index, node))
        _no_twins(own)
        names = {member.key for member in own}
        members = [member for name, member in inherited.items() if name not in names]
        return Node("object", [*members, *own], composed.start_mark.index, composed.end_mark.index)


def _merged(node: Node) -> list[Member]:
    """Return the members that ``<<`` merges: those of a mapping, or of several, of which the first wins."""
    if node.kind == "array" and all(item.kind == "object" for item in node.value):
        return [member for item in node.value for member in item.value]
    if node.kind != "object":
        raise JsonError(node.offset, f"<< needs a mapping, not {node.described}")
    members: list[Member] = node.value
    return members


def _paired(text: str) -> str:
    """Join each pair of surrogates, JSON's two escapes for a character beyond U+FFFF."""
    return _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)


def _scalar(composed: Any) -> Node:
    start, end, text = composed.start_mark.index, composed.end_mark.index, _paired(composed.value)
    tag = _TAG.match(composed.start_mark.buffer or "", composed.start_mark.pointer or 0)
    if tag is None:
        if composed.style is None:
            return _plain(text, start, end)
        return Node("string", text, start, end)  # quoted, or a block
    # A core tag must match the value; with any other tag (!, !!str, a program's !secret) it is text.
    kind = _CORE.get(composed.tag) if tag[1] else None
    if kind is None:
        return Node("string", text, start, end)
    node = _plain(text, start, end)
    if node.kind != kind:
        raise JsonError(start, f'"{text[:40]}" does not match its tag !!{composed.tag.rpartition(":")[2]}')
    return node


def _plain(text: str, start: int, end: int) -> Node:
    if text in _NULL:
        return Node("null", None, start, end)
    if text in _BOOLEANS:
        return Node("boolean", _BOOLEANS[text], start, end)
    if _INTEGER.fullmatch(text) and len(text) < 4000:
        base = 0 if text[:2] in ("0o", "0x") else 10  # 0 would refuse 007, which is 7 in YAML 1.2
        return Node("number", finite(int(text, base)), start, end)
    if _FLOAT.fullmatch(text):
        return Node("number", finite(float(text)), start, end)
    return Node("string", text, start, end)
