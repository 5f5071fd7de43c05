"""JSON texts of values, as jq prints them.

The standard library's encoder writes what is small and what it writes as jq does: strings, integers, and arrays and
objects of them. The rest is walked with a stack, piece by piece, so that it can be interrupted and values may be deep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from json.encoder import JSONEncoder, encode_basestring, encode_basestring_ascii
from typing import TYPE_CHECKING, Any

try:
    from json.encoder import c_make_encoder  # type: ignore[attr-defined]
except ImportError:
    c_make_encoder = None

from .numbers import Literal, spell_number
from .values import sorted_keys

if TYPE_CHECKING:
    from .running import Run

Encode = Callable[[Any], str]

DEPTH = 10_000  # levels that jq prints
TOO_DEEP = "<skipped: too deep>"

_MOST_ITEMS = 512  # that one call of the encoder gets
_MOST_CHARACTERS = 1 << 20
_MOST_LEVELS = 6
_KEPT = 64  # levels whose line breaks are kept
_PIECE = 1 << 16  # characters that are given at a time
_PARTS = 2048

_NULL = type(None)
_PLAIN = frozenset({int, bool, _NULL})  # written by the encoder as by jq, and short
_NUMERIC = frozenset({int, float})
_WORDS = {None: "null", True: "true", False: "false"}


class Layout:
    """How values are written; make one and keep it.

    ``indent`` is what one level is indented by, or None to have all on one line. ``sort`` is ``-S``, ``ascii`` ``-a``.
    """

    __slots__ = ("_encode", "_encoders", "_newlines", "ascii", "indent", "sort")

    def __init__(self, indent: str | None = None, sort: bool = False, ascii: bool = False) -> None:
        self.indent = indent
        self.sort = sort
        self.ascii = ascii
        self._encode = self._make_encode(",", ":")
        self._encoders: dict[int, Encode] = {}
        self._newlines = [] if indent is None else ["\n" + indent * level for level in range(_KEPT)]

    def _make_encode(self, comma: str, colon: str) -> Encode:
        if c_make_encoder is None:
            return JSONEncoder(ensure_ascii=self.ascii, separators=(comma, colon), sort_keys=self.sort).encode
        string = encode_basestring_ascii if self.ascii else encode_basestring
        encode = c_make_encoder(None, None, string, None, colon, comma, self.sort, False, True)
        join = "".join
        return lambda value: join(encode(value, 0))

    def newline(self, level: int) -> str:
        """Give the line break and the indentation of a level."""
        if self.indent is None:
            return ""
        return self._newlines[level] if level < _KEPT else "\n" + self.indent * level

    def spell(self, text: str) -> str:
        """Write a string that is not too long."""
        if self.ascii:
            return encode_basestring_ascii(text)
        spelled = encode_basestring(text)
        return spelled.replace("\x7f", "\\u007f") if "\x7f" in spelled else spelled

    def whole(self, value: Any, level: int) -> str | None:
        """Write an array or object at one go, or give None if it is not small and simple enough."""
        if not value:
            return "[]" if type(value) is list else "{}"
        if len(value) > _MOST_ITEMS:
            return None
        text = self._inside(value, level)
        if text is None or self.indent is None:
            return text
        return f"{text[0]}{self.newline(level + 1)}{text[1:-1]}{self.newline(level)}{text[-1]}"

    def _inside(self, value: Any, level: int) -> str | None:
        """Write a small simple container with its brackets, but without the line breaks at them."""
        if self.indent is None:
            encode = self._encode
            simple = _is_simple(value, _MOST_LEVELS)
        else:
            simple = level < _KEPT - 1 and _is_simple(value, 1)
            encode = self._encoder(level + 1)
        if simple:
            text = encode(value)
            return text.replace("\x7f", "\\u007f") if "\x7f" in text else text
        if type(value) is list and _NUMERIC.issuperset(map(type, value)) and level < _KEPT - 1:
            text = encode(value)
            # Python's spelling of doubles is jq's if these are the only differences.
            if "e" not in text and "N" not in text and "f" not in text:
                text = text.replace(".0,", ",")
                return text[:-3] + "]" if text.endswith(".0]") else text
        return None

    def _encoder(self, level: int) -> Encode:
        encode = self._encoders.get(level)
        if encode is None:
            encode = self._encoders[level] = self._make_encode("," + self.newline(level), ": ")
        return encode

    def parts(self, value: Any, level: int, run: Run) -> Iterator[tuple[str, Any]]:
        """Give what is in a container, with its key as it is written; ``Written`` beside what is all written."""
        if level > DEPTH:
            return self._skipped(value, run)
        return self._elements(value, level) if type(value) is list else self._members(value, level, run)

    def _skipped(self, value: Any, run: Run) -> Iterator[tuple[str, Any]]:
        colon = ":" if self.indent is None else ": "
        if type(value) is dict:
            for key in sorted_keys(value, run) if self.sort else value:
                yield f"{self.spell(key)}{colon}{TOO_DEEP}", Written
        else:
            for _ in value:
                yield TOO_DEEP, Written

    def _elements(self, value: list[Any], level: int) -> Iterator[tuple[str, Any]]:
        if len(value) <= _MOST_ITEMS:
            for item in value:
                yield "", item
            return
        for start in range(0, len(value), _MOST_ITEMS):
            chunk = value[start : start + _MOST_ITEMS]
            text = self._inside(chunk, level - 1)
            if text is not None:
                yield text[1:-1], Written
                continue
            for item in chunk:
                yield "", item

    def _members(self, value: dict[str, Any], level: int, run: Run) -> Iterator[tuple[str, Any]]:
        spell = self.spell
        colon = ":" if self.indent is None else ": "
        keys = iter(sorted_keys(value, run) if self.sort else value)
        while chunk := {key: value[key] for key in islice(keys, _MOST_ITEMS)}:
            text = self._inside(chunk, level - 1) if len(value) > _MOST_ITEMS else None
            if text is not None:
                yield text[1:-1], Written
                continue
            for key, item in chunk.items():
                if len(key) > _MOST_CHARACTERS:
                    yield from ((part, Part) for part in spell_string(key, self))
                    yield colon, item
                else:
                    yield spell(key) + colon, item


class Written:
    """Stands for an item whose text is given already."""


class Part:
    """Stands for an item of whose text a part is given."""


def _is_simple(value: Any, levels: int) -> bool:
    """Tell whether the encoder writes a container as jq does, and in no time."""
    items = characters = 0
    row = [value]
    while row and levels:
        levels -= 1
        inner: list[Any] = []
        for container in row:
            items += len(container)
            if items > _MOST_ITEMS:
                return False
            if type(container) is dict:
                characters += sum(map(len, container))
                container = container.values()
            for item in container:
                kind = type(item)
                if kind is str:
                    characters += len(item)
                elif kind is dict or kind is list:
                    inner.append(item)
                elif kind not in _PLAIN:
                    return False
        row = inner
    return characters <= _MOST_CHARACTERS and not any(row)


def spell_string(text: str, layout: Layout) -> Iterator[str]:
    """Write a string that may be long, in parts."""
    if len(text) <= _MOST_CHARACTERS:
        yield layout.spell(text)
        return
    yield '"'
    for start in range(0, len(text), _MOST_CHARACTERS):
        yield layout.spell(text[start : start + _MOST_CHARACTERS])[1:-1]
    yield '"'


def spell_scalar(value: Any) -> str:
    """Write what is no string, array or object."""
    kind = type(value)
    return spell_number(value) if kind is int or kind is float or kind is Literal else _WORDS[value]


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
    """Join small texts to pieces, with an eye on the time."""
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
    """Write a value in pieces of any length: there is no end to what a small value may be, ``[.,.]`` repeated."""
    return gather(run, _walk(run, value, layout))


def compact(run: Run, value: Any) -> str:
    """Give the text that ``tojson`` gives and ``-c`` prints; ``Stop`` where it is too long."""
    return write(run, value, COMPACT)


def write(run: Run, value: Any, layout: Layout) -> str:
    """Give the whole text of a value; ``Stop`` where it is too long."""
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
