"""``sub``, ``gsub``, ``gensub`` and ``match`` (POSIX XCU awk, "String Functions"; gawk manual 9.1.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...errors import Stop
from ...patterns.engines import Regex
from ...regexes import lazy_pattern
from ...text import paced, remembered
from ..support.gauge import LARGE
from .values import Array, Value, from_input, to_number

if TYPE_CHECKING:
    from .runtime import Runtime

Template = tuple[bytes | int, ...]


# The special sequences of a replacement text, in ``sub`` and in ``gensub``.
_MARK = lazy_pattern(rb"&|\\(?:\\\\\\|\\\\&|\\(?=&)|&)")
_GENERAL_MARK = lazy_pattern(rb"&|\\(.)", re.DOTALL)
_PLAIN = {b"\\&": b"&", b"\\\\": b"\\", rb"\\\&": rb"\&", rb"\\\\": rb"\\"}


@remembered(256)
def template(text: bytes) -> Template:
    """Parse the replacement of ``sub``: ``&`` is the matched text, ``\\&`` a literal ``&``; ``_MARK`` has the rest."""
    return _template(text, _MARK, lambda found: _PLAIN.get(found[0], 0))


@remembered(256)
def general_template(text: bytes) -> Template:
    """Parse the replacement of ``gensub``, which also has ``\\0`` to ``\\9``."""
    return _template(text, _GENERAL_MARK, _general)


def _general(found: re.Match[bytes]) -> bytes | int:
    char: bytes | None = found[1]
    if char is None:
        return 0
    return int(char) if char.isdigit() else char


def _template(text: bytes, marks: re.Pattern[bytes], meaning: Callable[[re.Match[bytes]], bytes | int]) -> Template:
    parts: list[bytes | int] = []
    literal = bytearray()
    at = 0
    for found in paced(marks.finditer(text)):
        literal += text[at : found.start()]
        at = found.end()
        part = meaning(found)
        if isinstance(part, bytes):
            literal += part
            continue
        if literal:
            parts.append(bytes(literal))
            literal.clear()
        parts.append(part)
    literal += text[at:]
    return (*parts, bytes(literal)) if literal else tuple(parts)


def _literal(parts: Template) -> bytes | None:
    """Return the text of a replacement that is the same for each match, or None for another one."""
    if not parts:
        return b""
    if len(parts) == 1 and isinstance(parts[0], bytes):
        return parts[0]
    return None


def _expand(parts: Template, subject: bytes, spans: Sequence[tuple[int, int]]) -> bytes:
    out: list[bytes] = []
    for part in parts:
        if isinstance(part, bytes):
            out.append(part)
        elif part < len(spans):
            low, high = spans[part]
            if low >= 0:
                out.append(subject[low:high])
    return b"".join(out)


def substitute(
    runtime: Runtime,
    regex: Regex,
    parts: Template,
    subject: bytes,
    *,
    first: int = 1,
    every: bool = False,
    plain: bytes | None = None,
) -> tuple[bytes, int]:
    """Replace match number ``first`` and, with ``every``, all later ones; return the text and the replacement count.

    ``plain``: the text to search for, if the expression is plain text.
    """
    scope, limit = runtime.call.scope, runtime.call.limits.string
    literal = _literal(parts)
    replaces_all = every and first == 1
    if replaces_all and plain is not None and literal is not None:
        # bytes.replace() is many times faster than a loop over the matches.
        count = subject.count(plain)
        if len(subject) + count * len(literal) > limit + count * len(plain):
            raise Stop("limit", f"a string of awk is longer than {limit} bytes", "string")
        if len(subject) > LARGE:
            runtime.gauge.made(len(subject))
        if count:
            return (subject.replace(plain, literal), count)
        return (subject, 0)
    if first == 1 and not every:
        found = regex.search(subject, scope=scope)
        if found is None:
            return subject, 0
        low, high = found[0]
        text = subject[:low] + _expand(parts, subject, found) + subject[high:]
        if len(text) > LARGE:
            runtime.gauge.text(len(text))
        return text, 1
    out: list[bytes] = []
    at = count = done = size = 0
    for spans in regex.matches(subject, scope):
        count += 1
        if count < first:
            continue
        low, high = spans[0]
        piece = literal if literal is not None else _expand(parts, subject, spans)
        out += (subject[at:low], piece)
        size += low - at + len(piece)
        at = high
        done += 1
        if not every:
            break
        if size > limit:
            raise Stop("limit", f"a string of awk is longer than {limit} bytes", "string")
        if not done & 1023:
            runtime.call.check()
    if not done:
        return subject, 0
    out.append(subject[at:])
    text = b"".join(out)
    if len(text) > LARGE:
        runtime.gauge.text(len(text))
    return text, done


def general(
    runtime: Runtime, pattern: bytes, replacement: bytes, how: Value, subject: bytes, warn: Callable[[str], None]
) -> bytes:
    """Return the result of ``gensub``: it replaces all matches (``g``) or the match with a number."""
    parts = general_template(replacement)
    captures = any(isinstance(part, int) and part > 0 for part in parts)
    regex = runtime.regexes.get(pattern, captures)
    text = runtime.convert(how)
    if text[:1] in (b"g", b"G"):
        return substitute(runtime, regex, parts, subject, every=True)[0]
    number = to_number(how)
    if number < 1 or number != number:  # NaN
        shown = text.decode("utf-8", "replace")
        warn(f"gensub: third argument `{shown}' treated as 1")
        number = 1.0
    return substitute(runtime, regex, parts, subject, first=int(min(number, 1e15)))[0]


def match(runtime: Runtime, pattern: bytes, subject: bytes, groups: Array | None) -> float:
    """Return the result of ``match``; set RSTART, RLENGTH and the array of groups."""
    spans = runtime.regexes.get(pattern, groups is not None).search(subject, scope=runtime.call.scope)
    if groups is not None:
        groups.clear()
    if spans is None:
        runtime.assign("RSTART", 0.0)
        runtime.assign("RLENGTH", -1.0)
        return 0.0

    def position(at: int) -> int:
        if not runtime.formatter.utf8 or runtime.characters.of(subject) is None:
            return at
        return len(subject[:at].decode("utf-8", "surrogateescape"))

    low, high = spans[0]
    start, length = float(position(low) + 1), float(position(high) - position(low))
    runtime.assign("RSTART", start)
    runtime.assign("RLENGTH", length)
    if groups is not None:
        for number, (low, high) in enumerate(spans):
            if low < 0:
                continue
            name = b"%d" % number
            groups[name] = from_input(subject[low:high])
            groups[name + runtime.subsep + b"start"] = float(position(low) + 1)
            groups[name + runtime.subsep + b"length"] = float(position(high) - position(low))
    return start


__all__ = ["Template", "general", "match", "substitute", "template"]
