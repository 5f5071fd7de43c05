"""The commands ``s``, ``y``, ``p`` and ``d`` as functions on a text of whole lines."""

from __future__ import annotations

from collections.abc import Callable

from ...cancel import CancelScope
from ...patterns.engines import Regex, Spans
from ...patterns.tree import Anchor, BackReference, Concatenation, Node, every_node, may_be_empty
from ...text import decode, encode
from .script import Substitution
from .substitute import expand

Act = Callable[[bytes, CancelScope], bytes]


def dropped(text: bytes, scope: CancelScope) -> bytes:
    """Run ``d``."""
    return b""


def unchanged(text: bytes, scope: CancelScope) -> bytes:
    """Run ``p`` with ``-n``."""
    return text


def doubled(text: bytes, scope: CancelScope) -> bytes:
    """Run ``p`` without ``-n``."""
    lines = text.split(b"\n")
    lines.pop()
    return b"".join([b"%b\n%b\n" % (line, line) for line in lines])


def transliterator(table: dict[str, str]) -> Act:
    """Return the function of ``y``."""
    if all(ord(char) < 128 for pair in table.items() for char in pair):
        ascii_codes = [ord(table.get(chr(code), chr(code))) for code in range(128)]
        codes = bytes([*ascii_codes, *range(128, 256)])
        return lambda text, scope: text.translate(codes)
    characters = str.maketrans(table)
    return lambda text, scope: encode(decode(text).translate(characters))


def substituter(regex: Regex, substitution: Substitution) -> Act | None:
    """Return the function of ``s``; with ``p`` it keeps only the changed lines. None if it needs ordinary cycles."""
    tree, _ = regex.spec
    right = substitution.replacement
    literal = right.literal
    if substitution.number != 1:
        # The search of many lines yields one match of each line, and counts only matches with text.
        if substitution.every or substitution.number > 100 or may_be_empty(tree):
            return None
    if any(isinstance(node, BackReference) for node in every_node(tree)):
        return None
    if substitution.every and not may_be_empty(tree):
        return _every(regex, substitution)
    if substitution.every and not _matches_once(tree):
        return None
    is_plain = literal is not None and b"\n" not in literal and not substitution.printed
    if is_plain and isinstance(tree, Anchor):
        assert literal is not None
        if tree.kind == "^":
            return lambda text, scope: literal + text[:-1].replace(b"\n", b"\n" + literal) + b"\n"
        if tree.kind == "$":
            return lambda text, scope: text.replace(b"\n", literal + b"\n")
    return _first(regex, substitution)


def _matches_once(tree: Node) -> bool:
    """Return whether an expression is a single anchor, which matches once per line."""
    parts = tree.parts if isinstance(tree, Concatenation) else [tree]
    if len(parts) != 1:
        return False
    return isinstance(parts[0], Anchor) and parts[0].kind in "^$`'"


def _every(regex: Regex, substitution: Substitution) -> Act:
    right = _writer(substitution)
    literal = substitution.replacement.literal
    if not substitution.printed and literal is not None:
        return lambda text, scope: regex.replaced(text, literal, scope)

    def apply(text: bytes, scope: CancelScope) -> bytes:
        if substitution.printed:
            text = _changed(text, regex, scope)
        out: list[bytes] = []
        at = 0
        for spans in regex.every(text, scope):
            low, high = spans[0]
            out.append(text[at:low])
            right(out, text, spans)
            at = high
        out.append(text[at:])
        return b"".join(out)

    return apply


def _changed(text: bytes, regex: Regex, scope: CancelScope) -> bytes:
    """Return the lines that contain a match."""
    out: list[bytes] = []
    for (low, high), *_ in regex.firsts(text, scope):
        out.append(text[text.rfind(b"\n", 0, low) + 1 : text.find(b"\n", high) + 1])
    return b"".join(out)


def _first(regex: Regex, substitution: Substitution) -> Act:
    right = _writer(substitution)
    printed, number = substitution.printed, substitution.number

    def apply(text: bytes, scope: CancelScope) -> bytes:
        out: list[bytes] = []
        at = 0
        matches = regex.firsts(text, scope) if number == 1 else regex.nths(text, number, scope)
        for spans in matches:
            low, high = spans[0]
            if printed:
                out.append(text[text.rfind(b"\n", at, low) + 1 or at : low])
                right(out, text, spans)
                at = text.find(b"\n", high) + 1
                out.append(text[high:at])
            else:
                out.append(text[at:low])
                right(out, text, spans)
                at = high
        if not printed:
            out.append(text[at:])
        return b"".join(out)

    return apply


def _writer(substitution: Substitution) -> Callable[[list[bytes], bytes, Spans], None]:
    right = substitution.replacement
    literal, parts = right.literal, right.parts
    if literal is not None:
        return lambda out, text, spans: out.append(literal)
    if any(isinstance(part, str) for part in parts):
        return lambda out, text, spans: out.append(expand(right, text, spans))

    def write(out: list[bytes], text: bytes, spans: Spans) -> None:
        for part in parts:
            if isinstance(part, int):
                low, high = spans[part]
                if low >= 0:
                    out.append(text[low:high])
            elif isinstance(part, bytes):
                out.append(part)

    return write
