"""Colored output (``-C``) and the ``JQ_COLORS`` variable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .json.ordering import sorted_keys
from .json.writer import DEPTH, TOO_DEEP, Layout, gather, spell_scalar, spell_string

if TYPE_CHECKING:
    from .running import Run

# The order of JQ_COLORS: null, false, true, numbers, strings, arrays, objects, object keys.
DEFAULT_COLORS = ("0;90", "0;39", "0;39", "0;39", "0;32", "1;39", "1;39", "1;34")
_RESET = "\x1b[0m"
_CODE = "0123456789;"


def read_colors(setting: str | None) -> tuple[str, ...] | None:
    """Return the colors that JQ_COLORS sets (the rest are the defaults), or None for a setting that jq rejects."""
    if setting is None:
        return DEFAULT_COLORS
    fields = setting.split(":")[:8]
    for position, field in enumerate(fields):
        code = field[: len(field) - len(field.lstrip(_CODE))]
        # A wrong character ends the eighth color; in an earlier one it makes the whole setting invalid.
        if code != field and position < 7:
            return None
        fields[position] = code
    if fields[-1] == "":
        fields.pop()
    return tuple(fields) + DEFAULT_COLORS[len(fields) :]


class Paint:
    """Renderer of values in color."""

    __slots__ = ("_array", "_colors", "_key", "_layout", "_null", "_number", "_object", "_string")

    def __init__(self, layout: Layout, codes: tuple[str, ...] = DEFAULT_COLORS) -> None:
        self._layout = layout
        null, false, true, number, string, array, object_, key = (f"\x1b[{code}m" for code in codes)
        self._colors = {None: null, False: false, True: true}
        self._number = number
        self._null = null
        self._string = string
        self._array = array
        self._object = object_
        self._key = key

    def pieces(self, run: Run, value: Any) -> Iterator[str]:
        """Yield the text of a value in pieces of any length."""
        return gather(run, self._walk(run, value))

    def _walk(self, run: Run, value: Any) -> Iterator[str]:
        newline = self._layout.newline
        stack: list[tuple[Iterator[tuple[str | None, Any]], str, str]] = []
        items: Iterator[tuple[str | None, Any]] = iter(((None, value),))
        color = end = lead = comma = ""
        while True:
            for key, item in items:
                yield lead
                lead = comma
                if key is not None:
                    yield from self._painted_key(key, color)
                kind = type(item)
                if (kind is list or kind is dict) and item and len(stack) <= DEPTH:
                    stack.append((items, color, end))
                    if kind is list:
                        color, start, end = self._array, "[", "]"
                        items = ((None, element) for element in item)
                    else:
                        color, start, end = self._object, "{", "}"
                        items = iter(
                            [(name, item[name]) for name in sorted_keys(item, run)]
                            if self._layout.sort
                            else item.items()
                        )
                    yield color + start
                    # The line breaks of deep levels are long, so only those of one level are in memory at a time.
                    lead = _RESET + newline(len(stack))
                    comma = f"{color},{lead}"
                    break
                yield from self._painted(item, len(stack))
            else:
                if not stack:
                    return
                lead = newline(len(stack) - 1)
                yield f"{lead}{color}{end}{_RESET}"
                items, color, end = stack.pop()
                lead = comma = f"{color},{_RESET}{newline(len(stack))}"

    def _painted_key(self, key: str, color: str) -> Iterator[str]:
        yield self._key
        yield from spell_string(key, self._layout)
        space = "" if self._layout.indent is None else " "
        yield f"{_RESET}{color}:{_RESET}{space}"

    def _painted(self, value: Any, level: int) -> Iterator[str]:
        """Yield the text of a scalar, of an empty container, or of a value nested too deeply."""
        kind = type(value)
        if kind is list or kind is dict:
            if kind is list:
                color, text = self._array, "[]"
            else:
                color, text = self._object, "{}"
        elif kind is str:
            color, text = self._string, ""
        elif value is None or kind is bool:
            color, text = self._colors[value], spell_scalar(value)
        else:
            color, text = self._number, spell_scalar(value)
        if level > DEPTH:
            yield f"{color}{TOO_DEEP}{_RESET}"
        elif kind is str:
            yield color
            yield from spell_string(value, self._layout)
            yield _RESET
        elif value != value:
            # jq prints nan as null, in the color of a number.
            yield f"{color}{self._null}{text}{_RESET}{_RESET}"
        else:
            yield f"{color}{text}{_RESET}"
