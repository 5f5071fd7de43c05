"""A parser for long JSON texts, which calls the scanner of the standard library piece by piece.

The scanner parses whole values only, and holds the GIL until it returns. Here it gets pieces: the arrays and objects
that are open at the beginning of a piece are opened again before it, and those that are open at its end are closed
after it. So each piece is one call, as fast as in the whole text, and its result is merged into the earlier ones.
Values, errors and their places are those of one call for the whole text: if a piece is invalid, one call for the rest
of the text raises the error, and gets no further than that piece.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from json.decoder import JSONDecodeError, scanstring  # type: ignore[attr-defined]
from typing import Any

from .chunks import PIECE, blanks_end, scanned_string

Scan = Callable[[str, int], tuple[Any, int]]

# The scanner's position in its array or object: at the beginning, or after a comma, a colon, a value or a key.
_FRESH, _COMMA, _COLON, _AFTER, _KEY = range(5)
_STATES = {"[": _FRESH, "{": _FRESH, ",": _COMMA, ":": _COLON, "]": _AFTER, "}": _AFTER}
_MARKS = "[]{},:"
_CLOSING = {"[": "]", "{": "}"}
_CLOSED = str.maketrans(_CLOSING)

# The text that leads to each position (``L`` is a key that the piece does not have; a number is not used as the value
# before the piece, which might continue it), and the text that ends the array or object from there, with ``R`` as its
# last item or value.
_BEGIN_ARRAY = {_FRESH: "[", _COMMA: "[0,", _AFTER: '[""'}
_BEGIN_OBJECT = {_FRESH: "{", _COMMA: "{L:0,", _COLON: "{L:", _AFTER: '{L:""', _KEY: "{L"}
_END_ARRAY = {_FRESH: "R]", _COMMA: "R]", _AFTER: ",R]"}
_END_OBJECT = {_FRESH: "R:0}", _COMMA: "R:0}", _COLON: "R}", _AFTER: ",R:0}"}

_WHOLE_STRINGS = re.compile(r'(?>[^"]++|"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)  # up to an unterminated string
_NO_BRACKETS = re.compile(r'"(?:[^"\\]++|\\.)*+"|[^"\[\]{}]++', re.DOTALL)
_PASSES = 4  # over a piece's brackets; each removes the innermost pairs
_DEEP_PIECE = 400  # characters: the interpreter's stack has room for the levels of any such text
_SHALLOW = 100  # levels that the scanner always accepts


def read(scan: Scan, text: str, at: int, size: int = 0) -> tuple[Any, int]:
    """Parse the value that begins at ``at``; return it and its end.

    Raises the scanner's errors, and ``JSONDecodeError`` for its ``StopIteration`` (no value).
    """
    return _Reader(scan, text, size, wanted=True).read(at)


def read_all(scan: Scan, text: str, size: int = 0) -> Any:
    """Parse a text that is one value, as ``JSONDecoder.decode`` does."""
    value, end = read(scan, text, blanks_end(text, 0), size)
    return _only(value, text, end)


def look(scan: Scan, text: str, at: int, size: int = 0) -> int:
    """Return the end of the value that begins at ``at``, as ``read`` does, without building the value."""
    return _Reader(scan, text, size, wanted=False).read(at)[1]


def look_deep(scan: Scan, text: str, at: int) -> int:
    """Return the end of a value of any depth. Raises ``ValueError`` or ``RecursionError`` if that is not possible."""
    return _Reader(scan, text, _DEEP_PIECE, wanted=False, deep=True).read(at)[1]


def look_at_all(scan: Scan, text: str, size: int = 0) -> None:
    """Raise the errors of ``read_all`` without building the value."""
    _only(None, text, look(scan, text, blanks_end(text, 0), size))


def _only(value: Any, text: str, end: int) -> Any:
    end = blanks_end(text, end)
    if end != len(text):
        raise JSONDecodeError("Extra data", text, end)
    return value


class _Reader:
    __slots__ = ("_at", "_deep", "_key", "_open", "_scan", "_size", "_state", "_text", "_values", "_wanted")

    def __init__(self, scan: Scan, text: str, size: int, *, wanted: bool, deep: bool = False) -> None:
        self._scan = scan
        self._text = text
        self._size = size or PIECE
        self._wanted = wanted
        self._deep = deep  # reopen only the levels that the piece closes: possible only if the value is not wanted
        self._at = 0
        self._state = _FRESH
        self._open: list[str] = []  # the brackets ...
        self._values: list[Any] = []  # ... and their values so far
        self._key = ""  # the key of the next value

    def read(self, at: int) -> tuple[Any, int]:
        """Return the value that begins at ``at``, and its end."""
        text = self._text
        first = text[at : at + 1]
        if first == '"':
            return scanned_string(text, at, self._size)
        self._at = at
        if first not in ("[", "{") or len(text) - at <= self._size:
            return self._rest()
        self._push(first)
        self._at = at + 1
        while True:
            value = self._step()
            if value is not None:
                return value

    def _step(self) -> tuple[Any, int] | None:
        """Parse one piece; return the value and its end if it is complete, else None."""
        text, at = self._text, self._at
        if len(text) - at <= self._size:
            return self._rest()
        piece = text[at : at + self._size]
        end = _cut(piece)
        if not end:
            return self._token()
        piece = piece[:end]
        brackets = self._brackets(piece)
        if brackets is None:
            return self._rest()
        closed, opened = brackets
        try:
            if closed == len(self._open):
                return self._last(piece)
            state = _STATES[piece[-1]]
            left, right = self._names(piece)
            before = self._reopening_text(left, closed + 1 if self._deep else 0)
            whole = f"{before}{piece}{self._closing_text(right, state, closed, opened)}"
            value, end = self._scan(whole, 0)
        except (StopIteration, KeyError, JSONDecodeError):
            return self._rest()
        if end != len(whole):
            return self._rest()
        if self._wanted:
            self._lay(value, state, closed, opened, left, right)
        else:
            del self._open[len(self._open) - closed :]
            self._open += opened
        self._at = at + len(piece)
        self._state = state
        return None

    def _rest(self) -> tuple[Any, int]:
        """Parse the rest of the text in one call, because it is short, or invalid."""
        try:
            return self._last(self._text[self._at :])
        except StopIteration as stop:
            raise JSONDecodeError("Expecting value", self._text, stop.value) from None

    def _last(self, piece: str) -> tuple[Any, int]:
        """Parse the piece in which the value ends. Raises the scanner's errors with their places in the text."""
        if self._deep and len(self._open) > _DEEP_PIECE:
            raise ValueError
        left, _ = self._names(piece)
        before = self._reopening_text(left, 0)
        shift = self._at - len(before)
        try:
            value, end = self._scan(before + piece, 0)
        except StopIteration as stop:
            raise StopIteration(stop.value + shift) from None
        except JSONDecodeError as error:
            raise JSONDecodeError(error.msg, self._text, error.pos + shift) from None
        if self._wanted and self._open:
            nodes = self._nodes(value, left)
            self._add(nodes, 0, left)
            value = self._values[0]
        return value, end + shift

    # -- the text around a piece --------------------------------------------------------------------------------------

    def _names(self, piece: str) -> tuple[str, str]:
        """Return ``L`` and ``R``: two strings that the piece does not contain in any spelling."""
        if not self._wanted:
            return '""', '""'
        left, right = '"\\u0000"', '"\\u0001"'
        while left in piece or right in piece:
            left, right = f'{left[:-1]}\\u0000"', f'{right[:-1]}\\u0001"'
        return left, right

    def _reopening_text(self, left: str, levels: int) -> str:
        """Return the text that reopens the open levels: all, or the innermost ones."""
        if not self._open:
            return ""
        *outer, inner = self._open[-levels:]
        texts = _BEGIN_ARRAY if inner == "[" else _BEGIN_OBJECT
        begin = texts[self._state].replace("L", left)
        return "".join(outer).replace("{", f"{{{left}:") + begin

    def _closing_text(self, right: str, state: int, closed: int, opened: Sequence[str]) -> str:
        """Return the text that closes the levels open at a piece's end. Raises ``KeyError`` if its end is invalid."""
        end = len(self._open) - closed
        begin = end - 1 if self._deep else 0
        *outer, inner = [*self._open[begin:end], *opened]
        texts = _END_ARRAY if inner == "[" else _END_OBJECT
        ending = texts[state].replace("R", right)
        return ending + "".join([_CLOSING[bracket] for bracket in reversed(outer)])

    def _brackets(self, piece: str) -> tuple[int, list[str]] | None:
        """Return how many levels a piece closes, and the brackets it leaves open; None if its brackets do not match."""
        left = _NO_BRACKETS.sub("", piece)
        for _ in range(_PASSES):
            left = left.replace("[]", "").replace("{}", "")
        closing = left.rstrip("[{")
        if "[" in closing or "{" in closing:
            return self._brackets_one_by_one(left)
        # The usual case: the piece opens only levels that stay open.
        closed = min(len(closing), len(self._open))
        wanted = "".join(self._open[-closed:][::-1]).translate(_CLOSED) if closed else ""
        if closing[:closed] != wanted:
            return None
        if closed == len(self._open):  # the value ends in the piece; the brackets behind it are not part of it
            return closed, []
        return closed, list(left[len(closing) :])

    def _brackets_one_by_one(self, brackets: str) -> tuple[int, list[str]] | None:
        opened: list[str] = []
        closed = 0
        for bracket in brackets:
            if bracket in "[{":
                opened.append(bracket)
                continue
            if opened:
                opener = opened.pop()
            else:
                closed += 1
                opener = self._open[-closed]
            if _CLOSING[opener] != bracket:
                return None
            if closed == len(self._open) and not opened:
                break  # the value ends here
        return closed, opened

    # -- merging ------------------------------------------------------------------------------------------------------

    def _lay(self, value: Any, state: int, closed: int, opened: list[str], left: str, right: str) -> None:
        """Merge a piece's result into the open values, and update the list of those."""
        nodes = self._nodes(value, left)
        stays = len(nodes) - 1 - closed
        mark: str = scanstring(right, 1)[0]
        path = _path(nodes[stays], opened, mark)
        inner = path[-1] if path else nodes[stays]
        key = ""
        if type(inner) is list:
            inner.pop()
        elif state == _COLON:
            key = next(key for key, item in inner.items() if item == mark)
            if key == scanstring(left, 1)[0]:  # the piece consists of the colon
                key = self._key
        else:
            del inner[mark]
        self._add(nodes, stays, left)
        self._key = key
        del self._open[stays + 1 :], self._values[stays + 1 :]
        self._open += opened
        self._values += path

    def _nodes(self, value: Any, left: str) -> list[Any]:
        """Return the reopened arrays and objects, from the outermost."""
        name = scanstring(left, 1)[0]
        nodes = [value]
        for bracket in self._open[:-1]:
            key = 0 if bracket == "[" else name  # each reopened array or object has one item: the next level
            nodes.append(nodes[-1][key])
        return nodes

    def _add(self, nodes: Sequence[Any], first: int, left: str) -> None:
        """Merge the items of the nodes, from the level ``first`` on, into the values so far."""
        name = scanstring(left, 1)[0]
        for level in range(first, len(nodes)):
            node, into = nodes[level], self._values[level]
            inner = level == len(nodes) - 1
            if type(node) is list:
                if not inner or self._state != _FRESH:
                    del node[0]
                into += node
                continue
            value = node.pop(name, None)
            if inner and self._state in (_COLON, _KEY):
                into[self._key] = value
            into.update(node)

    # -- tokens longer than a piece, or alone in one ------------------------------------------------------------------

    def _token(self) -> tuple[Any, int] | None:
        """Parse one token; return the value and its end if it is complete, else None."""
        text = self._text
        at = blanks_end(text, self._at)
        char = text[at : at + 1]
        state = self._state
        for_item = state in (_FRESH, _COMMA)
        for_value = state == _COLON or (for_item and self._open[-1] == "[")
        for_end = state in (_FRESH, _AFTER)
        if char == '"' and for_value:
            value, self._at = scanned_string(text, at, self._size)
            self._put(value)
        elif char == '"' and for_item:
            self._key, self._at = scanned_string(text, at, self._size)
            self._state = _KEY
        elif for_value and char and char not in "[{]}":
            try:
                value, self._at = self._scan(text, at)
            except StopIteration:
                return self._rest()
            self._put(value)
        elif for_value and char in ("[", "{"):
            self._push(char)
            self._at = at + 1
        elif for_end and char == _CLOSING[self._open[-1]]:
            self._open.pop()
            found = self._values.pop() if self._wanted else None
            if not self._open:
                return found, at + 1
            self._at, self._state = at + 1, _AFTER
        elif (char, state) in ((",", _AFTER), (":", _KEY)):
            self._at, self._state = at + 1, _STATES[char]
        else:
            return self._rest()
        return None

    def _put(self, value: Any) -> None:
        if self._wanted:
            top = self._values[-1]
            if type(top) is list:
                top.append(value)
            else:
                top[self._key] = value
        self._state = _AFTER

    def _push(self, bracket: str) -> None:
        value: Any = [] if bracket == "[" else {}
        if self._open:
            self._put(value)
        self._open.append(bracket)
        if self._wanted:
            self._values.append(value)
        self._state = _FRESH
        if len(self._open) > _SHALLOW and not self._deep:
            # This raises if the depth is too much for the scanner.
            ends = [_CLOSING[opener] for opener in reversed(self._open)]
            self._scan(self._reopening_text('""', 0) + "".join(ends), 0)


def _cut(piece: str) -> int:
    """Return the offset after a piece's last ``[]{},:`` outside strings; 0 if there is none."""
    end = _WHOLE_STRINGS.match(piece).end()  # type: ignore[union-attr]
    quote = piece.rfind('"', 0, end)
    place = max([piece.rfind(mark, quote + 1, end) for mark in _MARKS])
    if place < 0 and quote > 0:
        before = piece[: _string_begin(piece, quote)].rstrip(" \t\r\n")
        if before and before[-1] in _MARKS:
            return len(before)
    return place + 1


def _string_begin(piece: str, end: int) -> int:
    """Return the beginning of the string that ends at ``end``."""
    at = piece.rfind('"', 0, end)
    while at > 0:
        before = at
        while before > 0 and piece[before - 1] == "\\":
            before -= 1
        if (at - before) % 2 == 0:
            break
        at = piece.rfind('"', 0, before)
    return at


def _path(node: Any, opened: Sequence[str], mark: str) -> list[Any]:
    """Return the arrays and objects that a piece leaves open in a node; the innermost contains the mark.

    Each is the last item of the one around it, except in an object with a repeated last key.
    """
    if not opened:
        return []
    todo: list[tuple[Any, Any, int]] = [(node, None, 0)]
    while todo:
        node, way, depth = todo.pop()
        kind = list if opened[depth] == "[" else dict
        children = node[-1:] if type(node) is list else node.values()
        for child in children:
            if type(child) is not kind:
                continue
            if depth + 1 < len(opened):
                todo.append((child, (way, child), depth + 1))
            elif _ends_in(child, mark):
                return _listed((way, child))
    raise AssertionError("a piece without its mark")


def _ends_in(value: Any, mark: str) -> bool:
    if type(value) is list:
        return value[-1:] == [mark]
    return mark in value or mark in value.values()


def _listed(way: Any) -> list[Any]:
    values: list[Any] = []
    while way is not None:
        way, child = way
        values.append(child)
    values.reverse()
    return values


def members(scan: Scan, text: str, at: int, size: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the keys and the raw values of a valid object whose first key is at ``at``."""
    size = size or PIECE
    base, piece = at, text[at : at + size]
    at = 0  # the offset in the piece
    while True:
        try:
            key, colon = scanstring(piece, at + 1, True)
            begin = blanks_end(piece, blanks_end(piece, colon) + 1)
            end = scan(piece, begin)[1]
            behind = blanks_end(piece, end)
            is_last = piece[behind] == "}"
            following = blanks_end(piece, behind + 1)
            if not is_last and piece[behind] + piece[following] != ',"':
                raise ValueError  # the piece ends in a number, which may continue
            raw = piece[begin:end]
        except (ValueError, IndexError, StopIteration, RecursionError):
            if at:
                base, piece, at = base + at, text[base + at : base + at + size], 0
                continue
            key, colon = scanned_string(text, base, size)
            begin = blanks_end(text, blanks_end(text, colon) + 1)
            end = value_end(scan, text, begin, size)
            raw = text[begin:end]
            behind = blanks_end(text, end)
            is_last = text[behind] == "}"
            base = behind if is_last else blanks_end(text, behind + 1)
            following, piece = 0, text[base : base + size]
        yield key, raw
        if is_last:
            return
        at = following


def value_end(scan: Scan, text: str, at: int, size: int = 0) -> int:
    """Return the end of a valid value of any depth."""
    try:
        return look(scan, text, at, size)
    except RecursionError:
        pass
    try:
        return look_deep(scan, text, at)
    except (ValueError, RecursionError):  # hardly any stack is left
        from .walk import skip

        return skip(text, at)[0]
