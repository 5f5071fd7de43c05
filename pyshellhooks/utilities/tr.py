"""tr: translate, squeeze or delete bytes (POSIX XCU tr; GNU coreutils 9.1, which supports only bytes)."""

from __future__ import annotations

from ..command import Call, Flag, Flags, utility
from ..errors import UsageError
from ..text import EVERY, encode, pause
from .support.quoting import quote
from .support.records import blocks

_CLASSES: dict[str, bytes] = {
    "alnum": b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "alpha": b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "blank": b"\t ",
    "cntrl": bytes(range(32)) + b"\x7f",
    "digit": b"0123456789",
    "graph": bytes(range(33, 127)),
    "lower": b"abcdefghijklmnopqrstuvwxyz",
    "print": bytes(range(32, 127)),
    "punct": bytes(b for b in range(33, 127) if not chr(b).isalnum()),
    "space": b"\t\n\v\f\r ",
    "upper": b"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "xdigit": b"0123456789ABCDEFabcdef",
}
_ESCAPES = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, "\\": 92}
_BACKSLASH, _OPEN, _CLOSE, _DASH, _STAR, _COLON, _EQUALS = b"\\[]-*:="
_OCTAL = frozenset(b"01234567")
_DIGITS = frozenset(b"0123456789")
_LONGEST = 100_000  # higher repeat counts have no further effect: there are 256 bytes


_PLAIN = [(byte, False) for byte in range(256)]  # shared, since a long set contains each many times


class _Set:
    """A parsed operand. ``pieces`` are bytes, a class name, or (byte, count) for a repeat, 0 meaning "the rest"."""

    def __init__(self, text: str, call: Call) -> None:
        self.call = call
        self.units = self._unescape(text)
        self.pieces: list[bytes | str | tuple[int, int]] = []
        self.equivalents = False  # it contains [=c=]
        self._parse()

    def _unescape(self, text: str) -> list[tuple[int, bool]]:
        """Return the bytes of the text, each with whether it was escaped."""
        data = encode(text)
        units: list[tuple[int, bool]] = []
        at = 0
        while at < len(data):
            if not len(units) % EVERY:
                pause()
            byte = data[at]
            at += 1
            if byte != _BACKSLASH:
                units.append(_PLAIN[byte])
                continue
            if at >= len(data):
                self.call.error("warning: an unescaped backslash at end of string is not portable")
                units.append((_BACKSLASH, True))
                break
            if data[at] in _OCTAL:
                value, at = self._octal(data, at)
                units.append((value, True))
                continue
            units.append((_ESCAPES.get(chr(data[at]), data[at]), True))
            at += 1
        return units

    def _ambiguous(self, digits: str) -> None:
        self.call.error(
            f"warning: the ambiguous octal escape \\{digits} is being\n"
            f"\tinterpreted as the 2-byte sequence \\0{digits[:2]}, {digits[2]}"
        )

    def _octal(self, data: bytes, at: int) -> tuple[int, int]:
        """Parse up to three octal digits. Return the byte and the end of the digits."""
        end = at
        while end < min(at + 3, len(data)) and data[end] in _OCTAL:
            end += 1
        if int(data[at:end], 8) > 255:
            end -= 1
            self._ambiguous(data[at : end + 1].decode())
        return int(data[at:end], 8), end

    def _parse(self) -> None:
        units = self.units
        at = 0
        while at < len(units):
            if not len(self.pieces) % EVERY:
                pause()
            byte, escaped = units[at]
            if byte == _OPEN and not escaped:
                end = self._bracket(at)
                if end:
                    at = end
                    continue
            if at + 2 < len(units) and units[at + 1] == (_DASH, False):
                last = units[at + 2][0]
                if last < byte:
                    shown = _show(byte) + "-" + _show(last)
                    raise UsageError(
                        f"range-endpoints of '{shown}' are in reverse collating sequence order",
                        hint=False,
                    )
                self.pieces.append(bytes(range(byte, last + 1)))
                at += 3
            else:
                self.pieces.append(bytes((byte,)))
                at += 1

    def _find(self, start: int, kind: int) -> int:
        """Return where ``:]`` or ``=]`` is, or -1."""
        for at in range(start, len(self.units) - 1):
            if self.units[at] == (kind, False) and self.units[at + 1] == (_CLOSE, False):
                return at
        return -1

    def _bracket(self, at: int) -> int:
        """Parse ``[:class:]``, ``[=c=]`` or ``[c*n]``. Return its end, or 0 for another text."""
        kind, escaped = self.units[at + 1] if at + 1 < len(self.units) else (0, True)
        if kind in (_COLON, _EQUALS) and not escaped and not self._counts(at + 2):
            end = self._find(at + 2, kind)
            if end >= 0:
                inner = bytes(byte for byte, _ in self.units[at + 2 : end])
                self._add_named_class(inner, kind == _COLON)
                return end + 2
        return self._repeat(at)

    def _counts(self, at: int) -> bool:
        """Return whether ``*``, digits and ``]`` follow: ``[:*3]`` repeats a colon, even if a class end follows."""
        units = self.units[at : at + 64]
        if units[:1] != [(_STAR, False)]:
            return False
        for byte, escaped in units[1:]:
            if escaped or byte not in _DIGITS:
                return byte == _CLOSE and not escaped
        return False

    def _add_named_class(self, inner: bytes, is_class: bool) -> None:
        env = self.call.env
        if is_class:
            name = inner.decode("latin-1")
            if not name:
                raise UsageError("missing character class name '[::]'", hint=False)
            if name not in _CLASSES:
                raise UsageError(f"invalid character class {quote(name, env)}", hint=False)
            self.pieces.append(name)
            return
        if not inner:
            raise UsageError("missing equivalence class character '[==]'", hint=False)
        if len(inner) > 1:
            text = inner.decode("latin-1")
            raise UsageError(f"{text}: equivalence class operand must be a single character", hint=False)
        self.equivalents = True
        self.pieces.append(inner)

    def _repeat(self, at: int) -> int:
        """Parse ``[c*n]``. Return its end, or 0 for another text."""
        units = self.units
        if at + 2 >= len(units) or units[at + 2] != (_STAR, False):
            return 0
        end = at + 3
        while end < len(units) and units[end] != (_CLOSE, False):
            end += 1
        if end >= len(units):
            return 0
        digits = bytes(byte for byte, _ in units[at + 3 : end]).decode("latin-1")
        self.pieces.append((units[at + 1][0], min(self._count(digits), _LONGEST)))
        return end + 1

    def _count(self, digits: str) -> int:
        """Return the number of a repeat. Without digits it is 0: as many as STRING1 has left."""
        if not digits:
            return 0
        base = 8 if digits.startswith("0") else 10
        try:
            if not _DIGITS.issuperset(digits.encode()):  # int() accepts blanks, signs and underscores
                raise ValueError
            return int(digits[:30], base)
        except ValueError:
            raise UsageError(f"invalid repeat count {quote(digits, self.call.env)} in [c*n] construct", hint=False)

    def expand(self, fill_to: int = 0) -> bytes:
        """Return the bytes; a repeat without a count fills up to a length."""
        fixed = sum(len(self.bytes_of(piece)) for piece in self.pieces)
        out = bytearray()
        for piece in self.pieces:
            if isinstance(piece, tuple) and not piece[1]:
                out += bytes((piece[0],)) * max(0, fill_to - fixed)
            else:
                out += self.bytes_of(piece)
        return bytes(out)

    def bytes_of(self, piece: bytes | str | tuple[int, int]) -> bytes:
        if isinstance(piece, str):
            return _CLASSES[piece]
        if isinstance(piece, tuple):
            return bytes((piece[0],)) * piece[1]
        return piece

    def classes(self) -> list[str]:
        return [piece for piece in self.pieces if isinstance(piece, str)]

    def fills(self) -> int:
        return sum(isinstance(piece, tuple) and not piece[1] for piece in self.pieces)


def _show(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def _check_case_pairs(first: _Set, second: _Set) -> None:
    """Raise if ``[:upper:]`` or ``[:lower:]`` in the second set is not aligned with one of the two in the first."""
    places: dict[int, str] = {}
    at = 0
    for piece in first.pieces:
        if isinstance(piece, str):
            places[at] = piece
        at += len(first.bytes_of(piece))
    at = 0
    for piece in second.pieces:
        if isinstance(piece, str) and places.get(at) not in ("upper", "lower"):
            raise UsageError("misaligned [:upper:] and/or [:lower:] construct", hint=False)
        at += len(second.bytes_of(piece))


def _refuse_sets(first: _Set, second: _Set | None, translating: bool) -> None:
    """Raise for constructs that are not allowed in these sets."""
    if first.fills():
        raise UsageError("the [c*] repeat construct may not appear in string1", hint=False)
    if second is None:
        return
    if second.fills() > 1:
        raise UsageError("only one [c*] repeat construct may appear in string2", hint=False)
    if not translating:
        if second.fills():
            raise UsageError("the [c*] construct may appear in string2 only when translating", hint=False)
        return
    if second.equivalents:
        raise UsageError("[=c=] expressions may not appear in string2 when translating", hint=False)
    if set(second.classes()) - {"upper", "lower"}:
        raise UsageError(
            "when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'",
            hint=False,
        )


def _check_one_goal(goal: bytes, whole: int) -> None:
    if len(goal) != whole or len(set(goal)) > 1:
        raise UsageError(
            "when translating with complemented character classes,\nstring2 must map all characters in the domain to one",
            hint=False,
        )


def _complemented(source: bytes) -> bytes:
    """Return all other bytes, in order."""
    members = set(source)
    return bytes(byte for byte in range(256) if byte not in members)


def _translation(call: Call, first: _Set, second: _Set) -> bytes:
    """Return the table of all bytes."""
    complement = call.opts.complement
    source = first.expand()
    if complement:
        source = _complemented(source)
    if second.classes() and not complement:
        _check_case_pairs(first, second)
    goal = second.expand(len(source))
    whole = len(source)
    if call.opts.truncate_set1:
        source = source[: len(goal)]
    elif not goal and source:
        raise UsageError("when not truncating set1, string2 must be non-empty", hint=False)
    elif len(goal) < len(source):
        if second.pieces[-1] in ("upper", "lower"):
            raise UsageError(
                "when translating with string1 longer than string2,\n"
                "the latter string must not end with a character class",
                hint=False,
            )
        goal += goal[-1:] * (len(source) - len(goal))  # POSIX leaves it open; GNU repeats the last byte, as BSD does
    if complement and first.classes():
        _check_one_goal(goal, whole)
    table = bytearray(range(256))
    for old, new in zip(source, goal, strict=False):
        table[old] = new
    return bytes(table)


def _operands(call: Call) -> None:
    """Raise for a wrong number of operands."""
    args, opts, env = call.args, call.opts, call.env
    if not args:
        raise UsageError("missing operand")
    delete, squeeze = bool(opts.delete), bool(opts.squeeze_repeats)
    if len(args) == 1 and delete == squeeze:
        why = "Two strings must be given when translating."
        if delete:
            why = "Two strings must be given when both deleting and squeezing repeats."
        raise UsageError(f"missing operand after {quote(args[0], env)}\n{why}")
    most = 1 if delete and not squeeze else 2
    if len(args) > most:
        extra = f"extra operand {quote(args[most], env)}"
        if most == 1 and len(args) == 2:
            extra += "\nOnly one string may be given when deleting without squeezing repeats."
        raise UsageError(extra)


def _squeeze(data: bytes, members: frozenset[int], last: int) -> tuple[bytes, int]:
    """Drop bytes of the set that repeat the previous byte."""
    out = bytearray()
    # ``last`` is from the previous block: a repetition may cross its border.
    for byte in data:
        if byte != last or byte not in members:
            out.append(byte)
        last = byte
    return bytes(out), last


@utility(
    "tr",
    summary="Translate, squeeze, and/or delete characters from standard input, writing to standard output.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... STRING1 [STRING2]",
    flags=Flags(
        [
            Flag("-c", "-C", "--complement", help="use the complement of STRING1"),
            Flag("-d", "--delete", help="delete characters in STRING1, do not translate"),
            Flag("-s", "--squeeze-repeats", help="replace each sequence of a repeated character with one"),
            Flag("-t", "--truncate-set1", help="first truncate STRING1 to length of STRING2"),
        ],
        permute=False,
    ),
    filters=True,
)
def tr(call: Call) -> int:
    opts = call.opts
    _operands(call)
    first = _Set(call.args[0], call)
    second = _Set(call.args[1], call) if len(call.args) > 1 else None
    _refuse_sets(first, second, not opts.delete)
    chosen = first.expand()
    if opts.complement:
        chosen = _complemented(chosen)  # GNU's tr works on bytes, so the complement is finite
    delete = b""
    table = None
    if opts.delete:
        delete = chosen
    elif second is not None:
        table = _translation(call, first, second)
    members: frozenset[int] = frozenset()
    if opts.squeeze_repeats:
        # With two strings the squeezed set is the last one, after the translation or deletion by the first.
        members = frozenset(chosen if second is None else second.expand(len(chosen)))
    last = -1
    write = call.out.write
    for chunk in blocks(call, call.stdin):
        data = chunk.translate(table, delete)
        if members:
            data, last = _squeeze(data, members, last)
        write(data)
    return 0
