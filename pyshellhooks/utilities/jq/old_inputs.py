"""Values on the way in: cutting a stream of bytes into JSON texts where libjq would.

Python's scanner finds where a value ends; each text then goes to libjq as it is written. Where Python's and jq's idea
of JSON part (``nan``, ``01``, lone surrogates, mistakes) libjq's own parser reads the rest and words the error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from json import JSONDecoder, JSONEncoder
from typing import TYPE_CHECKING

from ...command import reason
from ...errors import Stop
from .lexer import Number

if TYPE_CHECKING:
    from ...command import Call
    from ...streams import Stream

# What cuts: libjq's own reader, given a text: JSON texts, then perhaps ValueError("parse error: ...").
Cut = Callable[[str], Iterator[str]]

_GETS = 4091  # bytes that jq 1.8 reads of one line at a time; what it calls the line number depends on it
_AFTER_WORD = frozenset(' \t\r\n[{",:]}')
_PLACE = re.compile(r"at line ([0-9]+), column")
_SPACE = re.compile(r"[ \t\r\n]*")
_spell = JSONEncoder(ensure_ascii=False).encode


class _Odd(Exception):
    """A constant that Python's JSON has and jq's may not."""


def _odd(name: str) -> object:
    raise _Odd(name)


_scan: Callable[[str, int], tuple[object, int]] = JSONDecoder(
    parse_int=Number, parse_float=Number, parse_constant=_odd
).scan_once  # type: ignore[attr-defined]


DEPTH = 500  # arrays and objects in each other; libjq recurses on the C stack, which is small in threads
_BRACKETS = re.compile(r'[\[\]{}]|"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


def shallow(text: str) -> str:
    """Give ``text`` back if it is nested no deeper than libjq can bear; else the run ends."""
    if text.count("[") + text.count("{") > DEPTH:
        depth = 0
        for match in _BRACKETS.finditer(text):
            piece = match.group()
            if piece == "[" or piece == "{":
                depth += 1
                if depth > DEPTH:
                    raise Stop("limit", f"jq: JSON is nested deeper than {DEPTH}")
            elif piece == "]" or piece == "}":
                depth -= 1
    return text


class InputError(Exception):
    """The input is no JSON; the message is jq's."""


class JsonInputs:
    """The JSON values of the files, in order, one text after the other.

    A value may span files, as for jq: they are one stream. ``failures`` counts files that could not be read.
    """

    __slots__ = (
        "_at",
        "_begun",
        "_base",
        "_call",
        "_cut",
        "_decoder",
        "_deep",
        "_dropped_lines",
        "_ended",
        "_names",
        "_odd",
        "_segments",
        "_since_base",
        "_stream",
        "_text",
        "_tried",
        "_wrong",
        "failures",
        "separated",
        "value",
    )

    def __init__(self, call: Call, names: list[str], cut: Cut) -> None:
        self._call = call
        self._cut = cut
        self._names = iter(names or ["-"])
        self._stream: Stream | None = None
        self._decoder: Callable[[bytes, bool], str] | None = None
        self._text = ""
        self._at = 0
        self._tried = 0  # length of the text at the last scan that found no end
        self._wrong = False
        self._deep = False
        self._ended = False
        # Where a fresh parser could start: past a newline between values, so that columns stay right.
        self._base = 0
        self._since_base = 0
        self._dropped_lines = 0
        self._odd: Iterator[str] | None = None
        # Where each file starts, its name, and how many of its lines were dropped.
        self._segments: list[tuple[int, str, int]] = []
        self.separated = False  # --seq: texts begin with RS (RFC 7464); what stands before the first is passed over
        self._begun = False
        self.failures = 0
        self.value: object = None  # what Python read in the text that next_text gave, where ``plain`` says so

    def next_text(self) -> str | None:
        """Give the next value as it is written, None at the end; ``InputError`` where it is no JSON."""
        while self._odd is None:
            found = self._scan()
            if found is not None:
                return found
            if self._deep:
                self._odd = self._read_oddly()
            elif self._ended:
                if self._at >= len(self._text):
                    return None
                self._odd = self._read_oddly()
            elif self._wrong:
                self._odd = self._read_oddly()
            else:
                self._read_more()
        self.value = _odd
        return next(self._odd, None)

    def is_read(self) -> bool:
        """Say whether ``value`` holds what Python read of the last text."""
        return self.value is not _odd

    def _scan(self) -> str | None:
        text = self._text
        at = self._at
        if at >= len(text) or len(text) < 2 * self._tried and not self._ended:
            return None
        if text[at] in " \t\r\n":
            space = _SPACE.match(text, at)
            assert space is not None
            newline = text.rfind("\n", at, space.end())
            if newline >= 0:
                self._base = newline + 1
                self._since_base = 0
            at = self._at = space.end()
            if at >= len(text):
                return None
        try:
            self.value, end = _scan(text, at)
        except (StopIteration, ValueError, _Odd):
            if not self._ended:
                # Either there is more to come, or all that comes is in vain: an endless input must not be read on.
                self._tried = len(text)
                self._wrong = len(text) - self._base >= 65536 and self._is_wrong()
            return None
        except RecursionError:  # deeper than this interpreter's stack; libjq goes down to 10,000
            self._deep = True
            return None
        if end >= len(text):
            if not self._ended and text[end - 1] not in ']}"':
                return None
        elif text[end] not in _AFTER_WORD and text[end - 1] not in ']}"':
            return None
        self._tried = 0
        self._at = end
        self._since_base += 1
        return shallow(text if at == 0 and end == len(text) else text[at:end])

    def _is_wrong(self) -> bool:
        try:
            for _ in self._cut(shallow(self._text[self._base :])):
                self._call.check()
        except ValueError as error:
            return " at EOF " not in str(error)
        return False

    def _read_oddly(self) -> Iterator[str]:
        """Let libjq read from the base on; give what has not been given yet."""
        texts: list[str] = []
        start = self._at
        lines = self._dropped_lines + self._text.count("\n", 0, self._base)
        while not (self._ended or self._wrong):
            self._read_more()
        self._at = len(self._text)
        failure: str | None = None
        try:
            for text in self._cut(shallow(self._text[self._base :])):
                self._call.check()
                texts.append(text)
        except ValueError as error:
            failure = str(error).removeprefix("parse error: ")
        del texts[: self._since_base]
        if failure is None and len(texts) == 1:
            texts = [self._text[start:]]  # as it is written: only so does nan stay nan
        yield from texts
        if failure is not None:
            place = _PLACE.search(failure)
            if place and lines:
                number = int(place.group(1)) + lines
                failure = f"{failure[: place.start(1)]}{number}{failure[place.end(1) :]}"
            raise InputError(failure)

    # -- bytes

    def _read_more(self) -> None:
        if self._base > 1 << 16:
            self._drop()
        decoder = self._decoder
        if self._stream is None:
            self._open_next()
            return
        try:
            data = self._stream.read(65536)
        except OSError as error:
            self._call.out.flush()
            self._call.stderr.write(f"jq: error: {reason(error)}\n".encode())
            self.failures += 1
            data = b""
        if not data:
            self._stream.release()
            self._stream = None
            return
        self._call.check()
        if self.separated:
            data = self._sequence(data)
        if decoder is None:
            try:
                # The usual case is one block of valid text: no decoder, no copy.
                text = data.decode()
            except UnicodeDecodeError:
                text = self._start_decoder()(data, False)
        else:
            text = decoder(data, False)
        if not self._text and not self._dropped_lines and text.startswith("\ufeff"):
            text = text[1:]
        self._text = self._text + text if self._text else text
        if len(self._text) - self._base > self._call.limits.string:
            raise Stop("limit", f"jq: an input is larger than {self._call.limits.string} characters", "string")

    def _sequence(self, data: bytes) -> bytes:
        if not self._begun:
            at = data.find(b"\x1e")
            self._begun = at >= 0
            data = data[at + 1 :] if at >= 0 else b""
        return data.replace(b"\x1e", b" ")

    def _start_decoder(self) -> Callable[[bytes, bool], str]:
        from codecs import getincrementaldecoder

        self._decoder = decode = getincrementaldecoder("utf-8")("replace").decode
        return decode

    def _open_next(self) -> None:
        name = next(self._names, None)
        if name is None:
            self._ended = True
            if self._decoder is not None:
                self._text += self._decoder(b"", True)
            return
        try:
            self._stream = self._call.open_input(name)
            self._segments.append((len(self._text), "<stdin>" if name == "-" else name, 0))
        except OSError as error:
            self._call.out.flush()
            complain_open(self._call, name, error)
            self.failures += 1

    def _drop(self) -> None:
        base, text = self._base, self._text
        self._dropped_lines += text.count("\n", 0, base)
        kept: list[tuple[int, str, int]] = []
        for position, (start, name, lines) in enumerate(self._segments):
            following = self._segments[position + 1][0] if position + 1 < len(self._segments) else len(text)
            if following > base or position + 1 == len(self._segments):
                kept.append((start - base, name, lines + text.count("\n", max(0, start), base)))
        self._segments = kept
        self._text = text[base:]
        self._at -= base
        self._base = 0

    # -- where we are

    def file(self) -> str | None:
        """Give the name of the file that the last value ended in."""
        segment = self._segment()
        return segment[1] if segment else None

    def _segment(self) -> tuple[int, str, int] | None:
        found = None
        for segment in self._segments:
            if found is None or segment[0] < self._at or self._at >= len(self._text):
                found = segment
        return found

    def line(self) -> int:
        """Give the number of newlines that jq has read of the current file when it has the last value."""
        segment = self._segment()
        if segment is None:
            return 0
        start = max(0, segment[0])
        before = segment[2]
        text = self._text
        last = min(self._at, len(text)) - 1
        if last >= 0 and text[last] not in ']}"':
            last = min(self._at, len(text) - 1)  # a number ends where the next character shows it
        begin = max(start, text.rfind("\n", 0, max(last, 0)) + 1)
        lines = before + text.count("\n", start, begin)
        end = text.find("\n", max(last, 0))
        if end < 0:
            return lines
        chunk = len(text[begin:last].encode("utf-8", "replace")) // _GETS
        until = len(text[begin : end + 1].encode("utf-8", "replace"))
        return lines + (until <= (chunk + 1) * _GETS)

    def position(self) -> str:
        """Give ``file:lines`` as in jq's error messages."""
        segment = self._segment()
        return f"{segment[1]}:{self.line()}" if segment else "<unknown>"


class LineInputs:
    """``-R``: each line as a JSON string."""

    __slots__ = ("_inner", "_left", "value")

    def __init__(self, call: Call, names: list[str], cut: Cut) -> None:
        self._inner = JsonInputs(call, names, cut)
        self._left = True
        self.value: object = None

    @property
    def failures(self) -> int:
        """Count the files that could not be read."""
        return self._inner.failures

    def is_read(self) -> bool:
        """Say that ``value`` is the line."""
        return True

    def next_text(self) -> str | None:
        """Give the next line, without its newline, as JSON."""
        inner = self._inner
        scanned = inner._at
        while (end := inner._text.find("\n", scanned)) < 0 and not inner._ended:
            scanned = len(inner._text)
            before = inner._base
            inner._read_more()
            scanned -= before - inner._base
        start = inner._at
        if end < 0:
            if start >= len(inner._text):
                return None
            self.value = inner._text[start:]
            inner._at = inner._base = len(inner._text)
        else:
            self.value = inner._text[start:end]
            inner._at = inner._base = end + 1
        return _spell(self.value)

    def everything(self) -> str:
        """``-Rs``: give all that is left as one JSON string."""
        inner = self._inner
        while not inner._ended:
            inner._read_more()
        self.value = inner._text[inner._at :]
        inner._at = len(inner._text)
        return _spell(self.value)

    def file(self) -> str | None:
        """Give the name of the current file."""
        return self._inner.file()

    def line(self) -> int:
        """Give the number of lines read of the current file."""
        inner = self._inner
        segment = inner._segment()
        if segment is None:
            return 0
        return segment[2] + inner._text.count("\n", max(0, segment[0]), inner._at)

    def position(self) -> str:
        """Give ``file:lines``."""
        name = self.file()
        return "<unknown>" if name is None else f"{name}:{self.line()}"


def complain_open(call: Call, name: str, error: OSError) -> None:
    """Say on stderr that an input file can't be opened."""
    from ...text import encode

    call.stderr.write(encode(f"jq: error: Could not open file {name}: {reason(error)}\n"))


def read_file(call: Call, name: str) -> bytes:
    """Read a whole file (``--rawfile``, ``--slurpfile``, ``-f``)."""
    stream = call.open(name, os.O_RDONLY)
    chunks: list[bytes] = []
    size = 0
    try:
        while chunk := stream.read(65536):
            call.check()
            size += len(chunk)
            if size > call.limits.string:
                raise Stop("limit", f"jq: {name} is larger than {call.limits.string} bytes", "string")
            chunks.append(chunk)
    finally:
        stream.release()
    return b"".join(chunks)
