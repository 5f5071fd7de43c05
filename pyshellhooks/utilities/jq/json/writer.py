"""Renderer of values as JSON texts, in jq's format.

The standard library's encoder renders small values for which its format is jq's: strings, integers, and arrays and
objects of them. Others are rendered in pieces with a stack, which can be interrupted and allows deep values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from json.encoder import JSONEncoder, encode_basestring, encode_basestring_ascii
from typing import TYPE_CHECKING, Any

try:
    from json.encoder import c_make_encoder  # type: ignore[attr-defined]
except ImportError:
    c_make_encoder = None

from .numbers import Literal, spell_number

if TYPE_CHECKING:
    from ..running import Run

DEPTH = 10_000  # levels that jq prints
TOO_DEEP = "<skipped: too deep>"

_CHUNK = 128  # items of a long array or object that are tried in one call
_MOST_ITEMS = 4096  # that are rendered in one call, at all levels together
_MOST_CHARACTERS = 1 << 20
_MOST_LEVELS = 6
_KEPT = 64  # levels whose line breaks are cached
_PIECE = 1 << 16  # characters per yielded text
_PARTS = 2048

_NULL = type(None)
_PLAIN = frozenset({int, bool, _NULL})  # the encoder renders them as jq does
_WORDS = {None: "null", True: "true", False: "false"}


@lru_cache(maxsize=16)
def _breaks(indent: str) -> tuple[str, ...]:
    return tuple("\n" + indent * level for level in range(_KEPT))


class Layout:
    """The output format. Creating one is expensive, so reuse it.

    ``indent`` is the indentation of one level, or None for one line. ``sort`` is ``-S``, ``ascii`` is ``-a``.
    """

    __slots__ = ("_colon", "_encode", "_newlines", "_string", "ascii", "indent", "sort")

    def __init__(self, indent: str | None = None, sort: bool = False, ascii: bool = False) -> None:
        self.indent = indent
        self.sort = sort
        self.ascii = ascii
        self._string = encode_basestring_ascii if ascii else encode_basestring
        self._colon = ":" if indent is None else ": "
        self._encode = self._make_encode()
        self._newlines = () if indent is None else _breaks(indent)

    def _make_encode(self) -> Callable[[Any], str]:
        if c_make_encoder is None:
            return JSONEncoder(ensure_ascii=self.ascii, separators=(",", ":"), sort_keys=self.sort).encode
        encode = c_make_encoder(None, None, self._string, None, ":", ",", self.sort, False, True)
        join = "".join
        return lambda value: join(encode(value, 0))

    def newline(self, level: int) -> str:
        """Return the line break and the indentation of a level."""
        if self.indent is None:
            return ""
        if level < _KEPT:
            return self._newlines[level]
        return "\n" + self.indent * level

    def spell(self, text: str) -> str:
        """Return the text of a string that is not too long."""
        spelled: str = self._string(text)
        if "\x7f" in spelled:
            return spelled.replace("\x7f", "\\u007f")
        return spelled

    def whole(self, value: Any, level: int) -> str | None:
        """Return the text of an array or object, None if it is large or deep."""
        if not value:
            return "[]" if type(value) is list else "{}"
        if len(value) > _CHUNK:
            return None
        return self._at_once(value, level)

    def _at_once(self, value: Any, level: int) -> str | None:
        simple = _is_simple(value)
        if simple is None or level >= _KEPT - _MOST_LEVELS:
            return None
        if simple and self.indent is None:
            text = self._encode(value)
        else:
            text = self._spread(value, level)
        if "\x7f" in text:
            return text.replace("\x7f", "\\u007f")
        return text

    def _spread(self, value: Any, level: int) -> str:
        """Return the text of a container of few levels, with line breaks; DEL is not escaped."""
        if not value:
            return "[]" if type(value) is list else "{}"
        string = self._string
        level += 1
        texts: list[str] = []
        if type(value) is list:
            start, end = "[", "]"
            for item in value:
                kind = type(item)
                if kind is str:
                    texts.append(string(item))
                elif kind is int:
                    texts.append(str(item))
                elif kind is dict or kind is list:
                    texts.append(self._spread(item, level))
                else:
                    texts.append(spell_scalar(item))
        else:
            start, end = "{", "}"
            colon = self._colon
            for key, item in sorted(value.items()) if self.sort else value.items():
                kind = type(item)
                if kind is str:
                    texts.append(f"{string(key)}{colon}{string(item)}")
                elif kind is int:
                    texts.append(f"{string(key)}{colon}{item}")
                elif kind is dict or kind is list:
                    texts.append(f"{string(key)}{colon}{self._spread(item, level)}")
                else:
                    texts.append(f"{string(key)}{colon}{spell_scalar(item)}")
        if self.indent is None:
            return f"{start}{','.join(texts)}{end}"
        newline = self._newlines[level]
        return f"{start}{newline}{f',{newline}'.join(texts)}{self._newlines[level - 1]}{end}"

    def parts(self, value: Any, level: int, run: Run) -> Iterator[tuple[str, Any]]:
        """Return pairs of a text and an item: the text is a rendered key, or the whole item and then ``Written``."""
        if level > DEPTH:
            return self._skipped(value, run)
        if type(value) is list:
            return self._elements(value, level)
        return self._members(value, level, run)

    def _keys(self, value: dict[str, Any], run: Run) -> Iterable[str]:
        if not self.sort:
            return value
        from .ordering import sorted_keys

        return sorted_keys(value, run)

    def _skipped(self, value: Any, run: Run) -> Iterator[tuple[str, Any]]:
        if type(value) is dict:
            for key in self._keys(value, run):
                yield f"{self.spell(key)}{self._colon}{TOO_DEEP}", Written
        else:
            for _ in value:
                yield TOO_DEEP, Written

    def _elements(self, value: list[Any], level: int) -> Iterator[tuple[str, Any]]:
        for start in range(0, len(value), _CHUNK):
            chunk = value[start : start + _CHUNK]
            text = self._at_once(chunk, level - 1) if len(value) > _CHUNK else None
            if text is None:
                for item in chunk:
                    yield "", item
            else:
                yield self._inside(text, level), Written

    def _members(self, value: dict[str, Any], level: int, run: Run) -> Iterator[tuple[str, Any]]:
        keys = iter(self._keys(value, run))
        while chunk := {key: value[key] for key in islice(keys, _CHUNK)}:
            text = self._at_once(chunk, level - 1) if len(value) > _CHUNK else None
            if text is not None:
                yield self._inside(text, level), Written
                continue
            for key, item in chunk.items():
                if len(key) > _MOST_CHARACTERS:
                    for part in spell_string(key, self):
                        yield part, Part
                    yield self._colon, item
                else:
                    yield self.spell(key) + self._colon, item

    def _inside(self, text: str, level: int) -> str:
        """Remove a container's brackets, and the line breaks next to them."""
        return text[1 + len(self.newline(level)) : -1 - len(self.newline(level - 1))]


class Written:
    """In place of an item whose text is already complete."""


class Part:
    """In place of an item that follows later: the text is a part of its key."""


def _is_simple(value: Any) -> bool | None:
    """Return whether the encoder renders a container as jq does; None if it is too large or deep to try."""
    simple = True
    items = characters = 0
    levels = _MOST_LEVELS
    row = [value]
    while row:
        if not levels:
            return None
        levels -= 1
        inner: list[Any] = []
        for container in row:
            items += len(container)
            if items > _MOST_ITEMS:
                return None
            if type(container) is dict:
                characters += sum(map(len, container))
                container = container.values()
            for item in container:
                kind = type(item)
                if kind is str:
                    characters += len(item)
                elif kind is dict or kind is list:
                    if item:
                        inner.append(item)
                elif kind not in _PLAIN:
                    simple = False
                    if kind is Literal:
                        characters += len(item.text)
        row = inner
    return simple if characters <= _MOST_CHARACTERS else None


def spell_string(text: str, layout: Layout) -> Iterator[str]:
    """Yield the text of a string, which may be long, in parts."""
    if len(text) <= _MOST_CHARACTERS:
        yield layout.spell(text)
        return
    yield '"'
    for start in range(0, len(text), _MOST_CHARACTERS):
        yield layout.spell(text[start : start + _MOST_CHARACTERS])[1:-1]
    yield '"'


def spell_scalar(value: Any) -> str:
    """Return the text of a number, a boolean or null."""
    kind = type(value)
    if kind is int or kind is float or kind is Literal:
        return spell_number(value)
    return _WORDS[value]


def _walk(run: Run, value: Any, layout: Layout) -> Iterator[str]:
    stack: list[tuple[Iterator[tuple[str, Any]], str]] = []
    items: Iterator[tuple[str, Any]] = iter((("", value),))
    lead = comma = ""
    while True:
        for text, item in items:
            kind = type(item)
            if kind is str:
                if len(item) > _MOST_CHARACTERS:
                    yield lead + text
                    yield from spell_string(item, layout)
                else:
                    yield f"{lead}{text}{layout.spell(item)}"
            elif kind is list or kind is dict:
                whole = layout.whole(item, len(stack)) if len(stack) < DEPTH else None
                if whole is None:
                    bracket, end = ("[", "]") if kind is list else ("{", "}")
                    yield f"{lead}{text}{bracket}"
                    stack.append((items, end))
                    items = layout.parts(item, len(stack), run)
                    lead = layout.newline(len(stack))
                    comma = "," + lead
                    break
                yield f"{lead}{text}{whole}"
            elif item is Written or item is Part:
                yield lead + text
                if item is Part:
                    lead = ""
                    continue
            else:
                yield f"{lead}{text}{spell_scalar(item)}"
            lead = comma
        else:
            if not stack:
                return
            items, end = stack.pop()
            lead = layout.newline(len(stack))
            yield lead + end
            lead = comma = "," + lead


def gather(run: Run, texts: Iterator[str]) -> Iterator[str]:
    """Join short texts to longer pieces, and check the run for each."""
    out: list[str] = []
    size = 0
    for text in texts:
        out.append(text)
        size += len(text)
        if size >= _PIECE or len(out) >= _PARTS:
            run.check()
            yield "".join(out)
            out.clear()
            size = 0
    if out:
        yield "".join(out)


COMPACT = Layout()


def pieces(run: Run, value: Any, layout: Layout = COMPACT) -> Iterator[str]:
    """Yield the text of a value in pieces of any length: a small value's text may be huge, after repeated ``[.,.]``."""
    return gather(run, _walk(run, value, layout))


def compact(run: Run, value: Any) -> str:
    """Return a value's text as in ``tojson`` and ``-c``. Raise ``Stop`` if it is too long."""
    return write(run, value, COMPACT)


def write(run: Run, value: Any, layout: Layout) -> str:
    """Return the whole text of a value. Raise ``Stop`` if it is too long."""
    kind = type(value)
    if kind is dict or kind is list:
        text = layout.whole(value, 0)
        if text is not None:
            if len(text) > _PIECE:
                run.text(len(text))
            return text
    elif kind is str:
        if len(value) < _PIECE:
            return layout.spell(value)
    else:
        return spell_scalar(value)
    texts: list[str] = []
    size = 0
    for text in pieces(run, value, layout):
        size += len(text)
        if size > _PIECE:
            run.text(size)
        texts.append(text)
    return "".join(texts)
