"""Splitting of records and strings (POSIX XCU awk, "Expressions in awk"; gawk manual 4.5 to 4.8)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ...patterns.characters import next_character
from ...text import pause
from .regexes import Regexes
from .values import AwkError, characters, single_bytes

if TYPE_CHECKING:
    from ...cancel import CancelScope

Splitter = Callable[[bytes], list[bytes]]

_WORDS = re.compile(rb"[^ \t\n]+").findall


def has_odd_blanks(text: bytes) -> bool:
    """Return whether a text has white space that is not a separator."""
    return b"\r" in text or b"\f" in text or b"\v" in text


def split_blanks(text: bytes) -> list[bytes]:
    """Split at runs of blanks, tabs and newlines; other white space does not separate."""
    if has_odd_blanks(text):
        return _WORDS(text)
    return text.split()


def blank_separators(text: bytes) -> list[bytes]:
    """Return the separators between the words, and the blanks before the first word and after the last."""
    return re.split(rb"[^ \t\n]+", text)


class Splitting:
    """Factory of splitters for the separators of a run."""

    __slots__ = ("_regexes", "_scope", "utf8")

    def __init__(self, regexes: Regexes, scope: CancelScope, utf8: bool) -> None:
        self._regexes = regexes
        self._scope = scope
        self.utf8 = utf8

    def by_separator(self, separator: bytes, *, paragraph: bool = False, literal: bool = True) -> Splitter:
        """Return the splitter for a value of FS.

        ``literal``: a single character matches itself. ``paragraph`` (RS is empty): a newline separates too, unless FS
        is longer than one character (gawk's interpretation of POSIX).
        """
        if literal and separator == b" ":
            return split_blanks
        if not separator:
            return self.characters
        alone = literal and len(separator) == 1
        if alone and not paragraph:
            return lambda text: text.split(separator) if text else []
        pattern = separator
        if alone:  # it also separates at newlines
            if separator == b"\n":
                return lambda text: text.split(b"\n") if text else []
            if separator not in b"\\^":
                pattern = b"[" + separator + b"]"
            else:
                pattern = b"\\" + separator
            pattern += b"|\n"
        return self.by_regex(pattern)

    def characters(self, text: bytes) -> list[bytes]:
        """Split into characters."""
        if self.utf8:
            return characters(text)
        return single_bytes(text)

    def by_regex(self, pattern: bytes) -> Splitter:
        """Return a splitter at the nonempty matches of an expression."""
        regexes = self._regexes
        regexes.get(pattern)

        def split(text: bytes) -> list[bytes]:
            return self.pieces(pattern, text)[0]

        return split

    def pieces(self, pattern: bytes, text: bytes) -> tuple[list[bytes], list[bytes]]:
        """Split at an expression; return the pieces and the separators."""
        if not text:
            return [], []
        search = self._regexes.get(pattern).searcher(text, self._scope)
        out: list[bytes] = []
        separators: list[bytes] = []
        at = start = 0
        size = len(text)
        while at < size:
            pause()
            spans = search(at)
            if spans is None:
                break
            low, high = spans[0]
            if low == high:
                at = next_character(text, high)
                continue
            out.append(text[start:low])
            separators.append(text[low:high])
            at = start = high
        out.append(text[start:])
        return out, separators

    def by_content(self, pattern: bytes) -> Splitter:
        """Return the splitter for a value of FPAT."""

        def split(text: bytes) -> list[bytes]:
            return self.contents(pattern, text)[0]

        return split

    def contents(self, pattern: bytes, text: bytes) -> tuple[list[bytes], list[bytes]]:
        """Return the matches of an expression and the texts around them (one more, from before the first match on)."""
        search = self._regexes.get(pattern).searcher(text, self._scope)
        out: list[bytes] = []
        between: list[bytes] = []
        at = start = 0
        size = len(text)
        empty_allowed = True  # an empty match directly after a field is not a field
        while at <= size and text:
            pause()
            spans = search(at)
            if spans is None:
                break
            low, high = spans[0]
            follows_field = low == high == start
            if follows_field and not empty_allowed:
                if low >= size:
                    break
                at = next_character(text, low)
                empty_allowed = True
                continue
            if follows_field and low >= size and out:
                break
            between.append(text[start:low])
            out.append(text[low:high])
            start = at = high
            empty_allowed = False
        between.append(text[start:])
        return out, between

    def by_widths(self, widths: bytes) -> Splitter:
        """Return the splitter for a value of FIELDWIDTHS, such as ``2 1:3 *``."""
        plan: list[tuple[int, int]] = []
        for word in widths.split():
            skip, colon, width = word.partition(b":")
            if not colon:
                skip, width = b"0", word
            takes_rest = width == b"*"
            if not skip.isdigit() or not (width.isdigit() or takes_rest):
                shown = word.decode("utf-8", "replace")
                raise AwkError(f"invalid FIELDWIDTHS value, for field {len(plan) + 1}, near `{shown}'")
            plan.append((int(skip[:9]), -1 if takes_rest else int(width[:9])))

        def split(text: bytes) -> list[bytes]:
            chars = text if not self.utf8 or text.isascii() else characters(text)
            out: list[bytes] = []
            at = 0
            for skip, width in plan:
                at += skip
                if at >= len(chars):
                    break
                piece = chars[at:] if width < 0 else chars[at : at + width]
                out.append(piece if isinstance(piece, bytes) else b"".join(piece))
                at += len(piece)
            return out

        return split
