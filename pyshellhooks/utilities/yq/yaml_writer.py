"""Renderer from values of jq to YAML, with PyYAML's emitter.

PyYAML's representer and serializer recurse at each level; so the events are created here. As in Debian, sequences are
indented in mappings, and the styles and tags that ``-Y`` preserves are restored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import yaml
from yaml.emitter import Emitter
from yaml.representer import SafeRepresenter

from ..jq.json.numbers import Literal
from .toml_reader import PacedText
from .yaml_grammar import STRING, resolve_core, resolve_old
from .yaml_reader import ALIAS, hash_key

if TYPE_CHECKING:
    from ..jq.running import Run
    from .arguments import Arguments

_PREFIX = "tag:yaml.org,2002:"
_LONG = 1 << 16  # characters of a string above which the emitter polls the deadline inside it
_of_value = re.compile(r"__yq_(tag|style)_(.+)__").fullmatch
_of_item = re.compile(r"__yq_(tag|style)_([0-9]+)_(.+)__", re.DOTALL).fullmatch


def _resolve_either(value: str) -> str:
    """Return the tag of a plain scalar in YAML 1.1, or else in 1.2: a string that is a number in either is quoted."""
    tag = resolve_old(value)
    if tag == STRING:
        return resolve_core(value)
    return tag


class _TagAndStyle:
    """The tag and the style of a value that a round trip preserves."""

    __slots__ = ("style", "tag")

    def __init__(self) -> None:
        self.tag = self.style = ""


_NOTHING = _TagAndStyle()


class _Emitter(Emitter):  # type: ignore[misc, unused-ignore]
    """PyYAML's emitter, which indents sequences in mappings."""

    flat = False

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, indentless and self.flat)  # type: ignore[no-untyped-call, unused-ignore]


class _Texts:
    """The emitter's output stream, which collects texts."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def write(self, text: str) -> None:
        self.texts.append(text)

    def take(self) -> str:
        """Return the text that was written since the last call."""
        text = "".join(self.texts)
        self.texts.clear()
        return text


class YamlWriter:
    """Writer of YAML documents to one output."""

    def __init__(self, run: Run, arguments: Arguments, keeps: bool) -> None:
        self._run = run
        self._arguments = arguments
        self._keeps = keeps
        self._resolve: Callable[[str], str] = _resolve_either
        if arguments.grammar == "1.2":
            self._resolve = resolve_core
        self._represent = SafeRepresenter()
        self._texts = _Texts()
        self._emitter: _Emitter | None = None

    def document(self, value: Any) -> Iterator[str]:
        """Yield the text of one more document."""
        arguments = self._arguments
        if self._emitter is None or not arguments.separate:
            emitter = self._begin()
        else:
            emitter = self._emitter
        emitter.emit(yaml.DocumentStartEvent(explicit=arguments.explicit_start))
        for number, event in enumerate(self._events(value)):
            emitter.emit(event)
            if not number & 127:
                self._run.check()
                yield self._texts.take()
        emitter.emit(yaml.DocumentEndEvent(explicit=arguments.explicit_end))
        yield self._texts.take()

    def end(self) -> Iterator[str]:
        """Yield the end of the stream: a scalar at the top level may need a marker after it."""
        if self._emitter is not None and self._arguments.separate:
            self._emitter.emit(yaml.StreamEndEvent())
            yield self._texts.take()

    def _begin(self) -> _Emitter:
        arguments = self._arguments
        emitter = self._emitter = _Emitter(
            self._texts, indent=arguments.indent, width=arguments.width, allow_unicode=True
        )
        emitter.flat = arguments.indentless
        emitter.emit(yaml.StreamStartEvent())
        return emitter

    # -- events

    def _events(self, root: Any) -> Iterator[Any]:
        stack: list[tuple[Iterator[tuple[Any, _TagAndStyle]], Any]] = []
        values: Iterator[tuple[Any, _TagAndStyle]] = iter([(root, _NOTHING)])
        while True:
            for value, style in values:
                kind = type(value)
                if kind is list or kind is dict:
                    begin, end = self._collection(kind, style)
                    yield begin
                    stack.append((values, end))
                    if kind is list:
                        values = self._items(value)
                    else:
                        values = self._pairs(value)
                    break
                yield self._scalar(value, style)
            else:
                if not stack:
                    return
                values, event = stack.pop()
                yield event

    @staticmethod
    def _collection(kind: type, style: _TagAndStyle) -> tuple[Any, Any]:
        implicit, flow = not style.tag, style.style == "flow"
        if kind is list:
            tag = style.tag or f"{_PREFIX}seq"
            return yaml.SequenceStartEvent(None, tag, implicit, flow_style=flow), yaml.SequenceEndEvent()
        tag = style.tag or f"{_PREFIX}map"
        return yaml.MappingStartEvent(None, tag, implicit, flow_style=flow), yaml.MappingEndEvent()

    def _items(self, values: list[Any]) -> Iterator[tuple[Any, _TagAndStyle]]:
        if not self._keeps:
            for value in values:
                yield value, _NOTHING
            return
        styles: dict[str, _TagAndStyle] = {}
        plain: list[Any] = []
        for value in values:
            match = _of_item(value) if type(value) is str else None
            if match is None:
                plain.append(value)
            else:
                setattr(styles.setdefault(match[2], _TagAndStyle()), match[1], match[3])
        for number, value in enumerate(plain):
            yield value, styles.get(str(number), _NOTHING)

    def _pairs(self, values: dict[str, Any]) -> Iterator[tuple[Any, _TagAndStyle]]:
        styles: dict[str, _TagAndStyle] = {}
        plain: list[tuple[str, Any]] = []
        for key, value in values.items():
            match = _of_value(key) if self._keeps else None
            if match is not None and type(value) is str:
                setattr(styles.setdefault(match[2], _TagAndStyle()), match[1], value)
            elif not self._keeps or key != ALIAS:
                plain.append((key, value))
        for key, value in plain:
            yield key, _NOTHING
            style = _NOTHING
            if styles:  # the hash of each key takes long
                style = styles.get(hash_key(key), _NOTHING)
            yield value, style

    def _scalar(self, value: Any, original: _TagAndStyle) -> Any:
        text, tag = self._spell(value)
        detected = self._resolve(text)
        if len(text) > _LONG:
            text = PacedText(text)
        tag = original.tag or tag
        style = original.style if original.style in ("'", '"', "|", ">") else None
        if "\x85" in text:
            style = '"'  # unquoted, PyYAML writes it as a line break, which libyaml reads as a space
        return yaml.ScalarEvent(None, tag, (tag == detected, tag == STRING), text, style=style)

    def _spell(self, value: Any) -> tuple[str, str]:
        """Return the text of a scalar, and its tag."""
        if type(value) is str:
            return value, STRING
        if value is None:
            return "null", f"{_PREFIX}null"
        if type(value) is bool:
            return ("true" if value else "false"), f"{_PREFIX}bool"
        if type(value) is int:
            return str(value), f"{_PREFIX}int"
        if type(value) is Literal and value.text.removeprefix("-").isdecimal():
            return value.text, f"{_PREFIX}int"
        if type(value) is Literal:
            value = value.text
        number = float(value)
        return str(self._represent.represent_float(number).value), f"{_PREFIX}float"
