"""YAML documents with positions, as the same tree as JSON's: what is read from either can be told by file and line.

Plain scalars are read by YAML 1.2's core schema, as the systems' own readers do: ``on`` and ``yes`` are words and not
booleans, ``1:30`` is no number. Anchors, aliases and merge keys are followed; an alias shares its node, so that a
small file cannot become a large tree.
"""

from __future__ import annotations

import re
from typing import Any

from .json_text import DEPTH, Document, JsonError, Member, Node

_NULL = frozenset(["", "~", "null", "Null", "NULL"])
_BOOLEANS = {word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")}
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_TAG = re.compile(r"(&\S+\s+)?!")
_MERGE = "<<"
LARGEST = 100_000  # nodes, aliases counted each time: beyond it a file only wants to hurt


def read_yaml(text: str, file: str) -> Document:
    """Parse one document. Raises ``JsonError``, whatever is wrong with the text."""
    import yaml

    document = Document(text, file)
    try:
        composed = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        raise _error(error, text) from None
    except yaml.YAMLError as error:
        raise JsonError(int(getattr(error, "position", 0) or 0), f"not YAML: {_line(str(error))}") from None
    except RecursionError:
        raise JsonError(0, f"more than {DEPTH} mappings and lists in each other") from None
    except ValueError as error:  # pyyaml's own reading of a wrong escape
        raise JsonError(0, f"not YAML: {_line(str(error))}") from None
    if composed is not None:
        document.root = _Builder(yaml).node(composed, 0)
    return document


def _error(error: Any, text: str) -> JsonError:
    mark = error.problem_mark or error.context_mark
    offset = mark.index if mark is not None else 0
    problem = error.problem or error.context or "not YAML"
    hint = ""
    if text[offset : offset + 1] == "\t" or "'\\t'" in problem:
        hint = "indent with spaces: YAML takes no tabs there"
    elif "mapping values are not allowed" in problem:
        hint = "is the indentation right, or does a text with a colon need quotes?"
    elif "but found another document" in problem:
        hint = "a file holds one document: remove what follows ---"
    elif "could not find expected ':'" in problem or "block mapping" in (error.context or ""):
        hint = "keys of one mapping stand below each other, with the same indentation"
    where = f" ({error.context})" if error.context and error.context != problem else ""
    return JsonError(offset, f"not YAML: {problem}{where}", hint)


def _line(text: str) -> str:
    return text.partition("\n")[0]


class _Builder:
    def __init__(self, yaml: Any) -> None:
        self.yaml = yaml
        self.made: dict[int, Node] = {}
        self.sizes: dict[int, int] = {}
        self.open: set[int] = set()

    def node(self, given: Any, depth: int) -> Node:
        key = id(given)
        known = self.made.get(key)
        if known is not None:
            return known
        start = given.start_mark.index
        if key in self.open:
            raise JsonError(start, "an alias stands inside what it stands for")
        if depth > DEPTH:
            raise JsonError(start, f"more than {DEPTH} mappings and lists in each other")
        self.open.add(key)
        if isinstance(given, self.yaml.ScalarNode):
            found, size = _scalar(given), 1
        elif isinstance(given, self.yaml.SequenceNode):
            items = [self.node(item, depth + 1) for item in given.value]
            found = Node("array", items, start, given.end_mark.index)
            size = 1 + sum(self.sizes[id(item)] for item in given.value)
        else:
            found, size = self.mapping(given, depth)
        if size > LARGEST:
            raise JsonError(start, f"its aliases make more than {LARGEST} values of it")
        self.open.discard(key)
        self.made[key] = found
        self.sizes[key] = size
        return found

    def mapping(self, given: Any, depth: int) -> tuple[Node, int]:
        own: list[Member] = []
        merged: list[Member] = []
        size = 1
        for key, value in given.value:
            if not isinstance(key, self.yaml.ScalarNode):
                raise JsonError(key.start_mark.index, "a key must be a plain text")
            node = self.node(value, depth + 1)
            size += self.sizes[id(value)]
            if key.value == _MERGE and key.style is None:
                merged += self.merge(node)
            else:
                own.append(Member(key.value, key.start_mark.index, node))
        names = {member.key for member in own}
        inherited = {member.key: member for member in reversed(merged) if member.key not in names}
        found = Node("object", [*inherited.values(), *own], given.start_mark.index, given.end_mark.index)
        return found, size

    def merge(self, node: Node) -> list[Member]:
        """Give what ``<<`` brings in: the members of a mapping, or of several, of which the first wins."""
        if node.kind == "array" and all(item.kind == "object" for item in node.value):
            return [member for item in node.value for member in item.value]
        if node.kind != "object":
            raise JsonError(node.offset, f"<< takes a mapping, not {node.described}")
        members: list[Member] = node.value
        return members


def _scalar(given: Any) -> Node:
    start, end, text = given.start_mark.index, given.end_mark.index, given.value
    # A tag in the text is one of YAML's own (!!str) or some program's: either way the words are meant as they stand.
    written = _TAG.match(given.start_mark.buffer or "", given.start_mark.pointer or 0)
    if given.style is not None or written is not None:
        return Node("string", text, start, end)
    if text in _NULL:
        return Node("null", None, start, end)
    if text in _BOOLEANS:
        return Node("boolean", _BOOLEANS[text], start, end)
    if _INTEGER.fullmatch(text) and len(text) < 4000:
        return Node("number", int(text, 0) if text[:2] in ("0o", "0x") else int(text), start, end)
    if _FLOAT.fullmatch(text):
        return Node("number", float(text), start, end)
    return Node("string", text, start, end)
