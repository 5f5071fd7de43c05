"""Parser from YAML documents to values of jq.

The events are PyYAML's, from libyaml if PyYAML was built with it, as in Debian. The values are composed here, with an
explicit stack: PyYAML's composer and constructor recurse at each level and can't be interrupted. Tags, merge keys and
errors are theirs (PyYAML documentation, "YAML tags and Python types"; YAML 1.1 merge keys).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from datetime import date
from hashlib import sha224
from typing import TYPE_CHECKING, Any, Final

import yaml
from yaml.composer import ComposerError
from yaml.constructor import ConstructorError, SafeConstructor

from ...errors import Stop
from .numbers import MOST_DIGITS, literal
from .yaml_grammar import MERGE, STRING, resolve_core

try:
    from yaml._yaml import CParser as _Events
except ImportError:
    from yaml.parser import Parser
    from yaml.reader import Reader
    from yaml.scanner import Scanner

    class _Events(Reader, Scanner, Parser):  # type: ignore[no-redef]
        """PyYAML's pure-Python parser."""

        def __init__(self, stream: Any) -> None:
            Reader.__init__(self, stream)
            Scanner.__init__(self)
            Parser.__init__(self)


if TYPE_CHECKING:
    from ...streams import Stream
    from ..jq.running import Run

ALIAS: Final = "__yq_alias__"
DEPTH: Final = 999  # accepted by every libyaml: from 0.2.6 on it rejects deeper nested mappings
_TOO_DEEP: Final = "exceeded maximum nesting depth"  # libyaml's message; as it reads ahead, it may come first
_PREFIX: Final = "tag:yaml.org,2002:"
_SCALARS: Final = frozenset(f"{_PREFIX}{name}" for name in ("null", "bool", "int", "float", "timestamp", "str"))
_PAIRS: Final = (f"{_PREFIX}omap", f"{_PREFIX}pairs")
_MISSING: Final = object()
_EVERY = 255
_LARGE = 4096


def hash_key(key: str) -> str:
    """Return the hash of a key in the names of its annotations."""
    return b64encode(sha224(key.encode("utf-8", "surrogatepass")).digest()).decode()


class _Source:
    """The bytes of a file, for the parser. It keeps an exception, which the parser may replace or drop."""

    def __init__(self, run: Run, stream: Stream, name: str) -> None:
        self._run = run
        self._stream = stream
        self.name = name
        self.failure: BaseException | None = None
        self.since = 0  # bytes of the current document

    def read(self, size: int = 65536, /) -> bytes:
        """Return the next bytes of the file."""
        try:
            self._run.check()
            data = self._stream.read(min(size, 1 << 16))
            self.since += len(data)
            limit = self._run.call.limits.string
            if self.since > limit:
                raise Stop("limit", f"yq: a document is larger than {limit} bytes", "string")
            self._run.made(len(data))
        except BaseException as failure:
            self.failure = failure
            raise
        return data


class _Node:
    """A value, with its tag and style for round trips."""

    __slots__ = ("mark", "style", "tag", "value")

    def __init__(self, value: Any, tag: str, style: str, mark: Any) -> None:
        self.value = value
        self.tag = tag
        self.style = style  # of a scalar that is not plain, or "flow"
        self.mark = mark

    def annotations(self) -> Iterator[tuple[str, str]]:
        """Yield the kind and the text of each annotation of the value (``-Y``)."""
        is_local = self.tag[:1] == "!" and self.tag[:2] != "!!"
        if is_local and len(self.tag) > 1:
            yield "tag", self.tag
        if self.style:
            yield "style", self.style


class _Open:
    """An open sequence or mapping."""

    __slots__ = ("anchor", "keeps", "key", "merged", "node", "notes", "value")

    def __init__(self, node: _Node, anchor: str | None, keeps: bool) -> None:
        self.node = node
        self.anchor = anchor
        self.value: Any = node.value
        self.keeps = keeps
        self.key: Any = _MISSING
        self.merged: list[dict[str, Any]] = []
        self.notes: list[str] = []

    def add_item(self, item: _Node) -> None:
        if self.keeps:
            number = len(self.value)
            self.notes += [f"__yq_{kind}_{number}_{text}__" for kind, text in item.annotations()]
        self.value.append(item.value)

    def add_half(self, half: _Node) -> None:
        """Add a key, or the value of the previous key."""
        key = self.key
        if key is _MISSING:
            self.key = MERGE if half.tag == MERGE else _Key(self.node, half)
            return
        self.key = _MISSING
        if key is MERGE:
            self.merge(half)
            return
        self.value[key.name] = half.value
        if self.keeps and key.is_text:
            for kind, text in half.annotations():
                self.value[f"__yq_{kind}_{hash_key(key.name)}__"] = text

    def merge(self, half: _Node) -> None:
        """Add the mappings of ``<<``; the first of several takes precedence."""
        value = half.value
        found = value if type(value) is list else [value]
        for mapping in found:
            if type(mapping) is not dict:
                what = "a mapping for merging" if found is value else "a mapping or list of mappings for merging"
                kind = "sequence" if type(mapping) is list else "scalar"
                message = f"expected {what}, but found {kind}"
                raise ConstructorError("while constructing a mapping", self.node.mark, message, half.mark)
        self.merged += reversed(found)

    def finish(self, run: Run) -> None:
        """Complete the value: merge mappings, append annotations, convert pairs."""
        value = self.value
        if self.merged:
            own = dict(value)
            value.clear()
            for mapping in [*self.merged, own]:
                run.made(100 * len(mapping))
                run.check()
                value.update(mapping)
        if self.notes:
            value += self.notes
        if self.node.tag in _PAIRS and type(value) is list:
            self._pair(value)

    def _pair(self, value: list[Any]) -> None:
        """Replace mappings of one key by pairs (``!!omap``, ``!!pairs``)."""
        for at, mapping in enumerate(value):
            if type(mapping) is not dict or len(mapping) != 1:
                kind = self.node.tag.removeprefix(_PREFIX)
                message = "expected mappings of one key"
                raise ConstructorError(f"while constructing {kind}", self.node.mark, message, self.node.mark)
            value[at] = list(*mapping.items())


class _Key:
    """A mapping's key as a JSON string; ``is_text`` if it is a string in YAML."""

    __slots__ = ("is_text", "name")

    def __init__(self, mapping: _Node, half: _Node) -> None:
        value = half.value
        self.is_text = type(value) is str
        if value is None or type(value) is bool:
            self.name = {None: "null", True: "true", False: "false"}[value]
        elif self.is_text or type(value) is int:
            self.name = str(value)
        elif isinstance(value, float):
            self.name = str(getattr(value, "text", value))
        else:
            kind = "sequence" if type(value) is list else "mapping"
            message = f"found unhashable key: a {kind}, which JSON has no key for"
            raise ConstructorError("while constructing a mapping", mapping.mark, message, half.mark)


class Document:
    """The value of a document; ``size`` is the number of its characters in YAML."""

    __slots__ = ("size", "value")

    def __init__(self, value: Any, size: int) -> None:
        self.value = value
        self.size = size


class YamlReader:
    """Parser of one file's documents. ``keeps`` annotates styles and tags (``-Y``), ``expands`` resolves aliases."""

    def __init__(self, run: Run, stream: Stream, name: str, *, keeps: bool = False, expands: bool = True) -> None:
        self._run = run
        self._source = _Source(run, stream, name)
        self._keeps = keeps
        self._expands = expands
        self._construct = SafeConstructor()
        self._anchors: dict[str, _Node | _Open] = {}
        self._stack: list[_Open] = []

    def documents(self) -> Iterator[Document]:
        """Yield the documents. Raise ``yaml.YAMLError`` with the place, or ``ValueError``."""
        end = root_end = 0
        root: _Node | None = None
        for event in self.events():
            if isinstance(event, yaml.DocumentStartEvent):
                self._anchors, root = {}, None
            elif isinstance(event, yaml.DocumentEndEvent):
                assert root is not None
                last, end = end, max(end, root_end)
                self._source.since = 0
                yield Document(root.value, end - last)
                root = None
            else:
                done = self._take(event)
                if done is not None:
                    root, root_end = done, event.end_mark.index

    def events(self) -> Iterator[Any]:
        """Yield PyYAML's events, and poll the deadline between them."""
        number = 0
        try:
            parser = _Events(self._source)
            while (event := parser.get_event()) is not None and not isinstance(event, yaml.StreamEndEvent):
                yield event
                number += 1
                if not number & _EVERY:
                    self._run.check()
                    self._run.made(_EVERY * 128)
        except Exception as error:
            if self._source.failure is not None:
                raise self._source.failure from None
            if _TOO_DEEP in str(error):
                raise Stop("limit", self._too_deep()) from None
            raise

    def _take(self, event: Any) -> _Node | None:
        """Process an event; return the node that it completes if no container is open."""
        if isinstance(event, yaml.ScalarEvent):
            node = self._scalar(event)
            self._name(event, node)
        elif isinstance(event, yaml.AliasEvent):
            node = self._alias(event)
        elif isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent):
            self._begin(event)
            return None
        elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
            top = self._stack.pop()
            top.finish(self._run)
            node = top.node
            if top.anchor is not None:
                self._anchors[top.anchor] = node
        else:
            return None
        if not self._stack:
            return node
        top = self._stack[-1]
        if type(top.value) is list:
            top.add_item(node)
        else:
            top.add_half(node)
        return None

    def _too_deep(self) -> str:
        # A guard that can't read its payload allows everything, and a sender may nest a text like this on purpose.
        return f"yq: {self._source.name} is nested deeper than {DEPTH} levels"

    def _begin(self, event: Any) -> None:
        if len(self._stack) >= DEPTH:
            raise Stop("limit", self._too_deep())
        value: Any = [] if isinstance(event, yaml.SequenceStartEvent) else {}
        tag = event.tag or ""
        kind = "sequence" if type(value) is list else "mapping"
        if tag in _SCALARS:
            message = f"expected a scalar node, but found {kind}"
            raise ConstructorError(None, None, message, event.start_mark)
        is_mapping_tag = tag == f"{_PREFIX}map"
        is_collection_tag = is_mapping_tag or tag in (f"{_PREFIX}seq", *_PAIRS)
        if is_collection_tag and is_mapping_tag != (kind == "mapping"):
            expected = "mapping" if kind == "sequence" else "sequence"
            raise ConstructorError(None, None, f"expected a {expected} node, but found {kind}", event.start_mark)
        node = _Node(value, tag, "flow" if event.flow_style else "", event.start_mark)
        opened = _Open(node, event.anchor, self._keeps)
        self._name(event, opened)
        self._stack.append(opened)

    def _name(self, event: Any, node: _Node | _Open) -> None:
        """Record the node of an event's anchor."""
        anchor = event.anchor
        if anchor is None or not self._expands:
            return
        known = self._anchors.get(anchor)
        if known is not None:
            first = known.node if isinstance(known, _Open) else known
            raise ComposerError(
                "found duplicate anchor; first occurrence", first.mark, "second occurrence", event.start_mark
            )
        self._anchors[anchor] = node

    def _alias(self, event: Any) -> _Node:
        if not self._expands:
            return _Node({ALIAS: event.anchor}, "", "flow", event.start_mark)
        known = self._anchors.get(event.anchor)
        if known is None:
            raise ComposerError(None, None, "found undefined alias", event.start_mark)
        if isinstance(known, _Open):
            raise ConstructorError(None, None, "found unconstructable recursive node", known.node.mark)
        return known

    def _scalar(self, event: Any) -> _Node:
        value, tag = event.value, event.tag
        if len(value) > _LARGE:
            self._run.text(len(value))
        if tag is None or tag == "!":
            tag = resolve_core(value) if event.implicit[0] else STRING
        if tag in (STRING, MERGE):
            made: Any = value
        elif tag in _SCALARS:
            made = self._made(tag, value, event)
        elif tag in (f"{_PREFIX}seq", f"{_PREFIX}map", *_PAIRS):
            kind = "mapping" if tag.endswith("map") and tag not in _PAIRS else "sequence"
            raise ConstructorError(None, None, f"expected a {kind} node, but found scalar", event.start_mark)
        else:
            made = value
        return _Node(made, tag, event.style or "", event.start_mark)

    def _made(self, tag: str, value: str, event: Any) -> Any:
        """Construct the value of a scalar that is not a string."""
        if len(value) > MOST_DIGITS:
            at = f"line {event.start_mark.line + 1}, column {event.start_mark.column + 1}"
            raise ValueError(f"a number of {len(value)} characters exceeds the limit of {MOST_DIGITS}, at {at}")
        node = yaml.ScalarNode(tag, value, event.start_mark, event.end_mark)
        try:
            made = self._construct.yaml_constructors[tag](self._construct, node)
        except (KeyError, AttributeError):  # the tag is explicit, and the value does not match it
            kind = tag.removeprefix(_PREFIX)
            raise ConstructorError(None, None, f"found no {kind}: {value[:40]!r}", event.start_mark) from None
        if isinstance(made, date):
            return made.isoformat()
        if type(made) is int or type(made) is float:
            return literal(made)
        return made
