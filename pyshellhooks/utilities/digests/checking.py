"""Checksums of files and the check of checksum lists, in the formats of GNU coreutils 9.1 digest.c and shasum."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Protocol

from ...command import Call, reason
from ...errors import UsageError
from ...streams.base import Stream
from ...text import decode, encode
from ..support.quoting import name_of, report
from ..support.records import blocks, records

_HEX = frozenset(b"0123456789abcdefABCDEF")


class Hash(Protocol):
    """A hash object of ``hashlib``."""

    def update(self, data: bytes, /) -> None: ...

    def hexdigest(self) -> str: ...


class Algorithm:
    """A checksum algorithm: its tag as in ``MD5 (file) = ...``, its length in bits, and the constructor of its hash.

    ``lengths``: the algorithm also has shorter digests (BLAKE2b); ``begin`` takes the number of bits.
    """

    __slots__ = ("begin", "bits", "lengths", "tag")

    def __init__(self, tag: str, bits: int, begin: Callable[[int], Hash], *, lengths: bool = False) -> None:
        self.tag = tag
        self.bits = bits
        self.begin = begin
        self.lengths = lengths

    def named(self, bits: int) -> str:
        """Return the tag for a length."""
        if bits == self.bits:
            return self.tag
        return f"{self.tag}-{bits}"


def _library(name: str) -> Callable[[int], Hash]:
    def begin(bits: int) -> Hash:
        try:
            return hashlib.new(name, usedforsecurity=False)
        except ValueError:
            raise UsageError(f"{name} is not in this machine's library of hashes", 1, hint=False) from None

    return begin


def _blake2b(bits: int) -> Hash:
    return hashlib.blake2b(digest_size=bits // 8, usedforsecurity=False)


ALGORITHMS = {
    "md5": Algorithm("MD5", 128, _library("md5")),
    "sha1": Algorithm("SHA1", 160, _library("sha1")),
    "sha224": Algorithm("SHA224", 224, _library("sha224")),
    "sha256": Algorithm("SHA256", 256, _library("sha256")),
    "sha384": Algorithm("SHA384", 384, _library("sha384")),
    "sha512": Algorithm("SHA512", 512, _library("sha512")),
    "sha512224": Algorithm("SHA512/224", 224, _library("sha512_224")),
    "sha512256": Algorithm("SHA512/256", 256, _library("sha512_256")),
    "blake2b": Algorithm("BLAKE2b", 512, _blake2b, lengths=True),
    "sm3": Algorithm("SM3", 256, _library("sm3")),
}

Filter = Callable[[Iterable[bytes]], Iterable[bytes]]


def digest(call: Call, stream: Stream, algorithm: Algorithm, bits: int, through: Filter | None = None) -> str:
    """Return the digest of a stream in hexadecimal."""
    made = algorithm.begin(bits)
    chunks: Iterable[bytes] = blocks(call, stream)
    if through is not None:
        chunks = through(chunks)
    for chunk in chunks:
        made.update(chunk)
    return made.hexdigest()


def digest_file(
    call: Call, name: str, algorithm: Algorithm, bits: int, *, absent: bool = False, through: Filter | None = None
) -> str | None:
    """Return the digest of a file, or report an error and return None if it cannot be read.

    ``absent``: return ``""`` for a file that does not exist.
    """
    try:
        stream = call.open_input(name)
        try:
            return digest(call, stream, algorithm, bits, through)
        finally:
            stream.release()
    except FileNotFoundError as error:
        if absent:
            return ""
        report(call, name, error)
    except BrokenPipeError:
        raise
    except OSError as error:
        report(call, name, error)
    return None


_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}


def escaped(name: str) -> str:
    """Escape a name so that it fits on one line."""
    return "".join(_ESCAPES.get(char, char) for char in name)


def unescaped(name: str) -> str | None:
    """Undo ``escaped``; return None for a text that ``escaped`` cannot produce."""
    out = []
    chars = iter(name)
    for char in chars:
        if char == "\\":
            plain = {"n": "\n", "r": "\r", "\\": "\\"}.get(next(chars, ""))
            if plain is None:
                return None
            char = plain
        if char == "\0":
            return None
        out.append(char)
    return "".join(out)


class Expected:
    """A parsed line of a checksum list. ``mode`` is the character before the name."""

    __slots__ = ("algorithm", "bits", "hexadecimal", "mode", "name")

    def __init__(self, algorithm: Algorithm, hexadecimal: str, name: str, mode: str) -> None:
        self.algorithm = algorithm
        self.bits = len(hexadecimal) * 4
        self.hexadecimal = hexadecimal.lower()
        self.name = name
        self.mode = mode


def _is_length(bits: int, kind: Algorithm) -> bool:
    """Return whether an algorithm has digests of a length."""
    return 0 < bits <= kind.bits and bits % 8 == 0


class Reader:
    """Parser of checksum lines for some algorithms. ``tagged``: only lines that name their algorithm."""

    def __init__(self, kinds: Iterable[Algorithm], *, tagged: bool = False, modes: str = " *") -> None:
        self.kinds = list(kinds)
        self.tagged = tagged
        self.modes = modes
        # Lines of "sum name", with one blank (BSD's md5 -r): the first untagged line decides for all lines.
        self.reversed: bool | None = None

    def read(self, line: bytes) -> Expected | None:
        """Parse a line; return None if it is not a valid checksum line."""
        text = decode(line.lstrip(b" \t"))
        masked = text.startswith("\\")
        text = text[masked:]
        for kind in self.kinds:
            if text.startswith(kind.tag):
                return self._bsd(kind, text[len(kind.tag) :], masked)
        if not self.tagged:
            return self._plain(text, masked)
        return None

    def _fitting(self, hexadecimal: str) -> Algorithm | None:
        if not hexadecimal or not _HEX.issuperset(encode(hexadecimal)):
            return None
        bits = len(hexadecimal) * 4
        for kind in self.kinds:
            is_shorter = kind.lengths and bits % 8 == 0 and bits < kind.bits
            if bits == kind.bits or is_shorter:
                return kind
        return None

    def _bsd(self, kind: Algorithm, rest: str, masked: bool) -> Expected | None:
        bits = kind.bits
        if kind.lengths and rest.startswith("-"):
            number, _, rest = rest[1:].partition(" ")
            if not number.isdecimal() or not _is_length(int(number[:6]), kind):
                return None
            bits = int(number)
        rest = rest.removeprefix(" ")
        name, close, tail = rest[1:].rpartition(")")
        tail = tail.lstrip(" \t")
        hexadecimal = tail[1:].lstrip(" \t")
        if not rest.startswith("(") or not close or not tail.startswith("="):
            return None
        if len(hexadecimal) * 4 != bits or not _HEX.issuperset(encode(hexadecimal)):
            return None
        return self._made(kind, hexadecimal, name, masked, "*")

    def _plain(self, text: str, masked: bool) -> Expected | None:
        blanks = [at for at in (text.find(" "), text.find("\t")) if at >= 0]
        cut = min(blanks, default=-1)
        if cut <= 0:
            return None
        kind = self._fitting(text[:cut])
        name = text[cut + 1 :]
        if kind is None or not name:
            return None
        mode = " "
        if len(name) == 1 or name[0] not in self.modes:
            if self.reversed is False:
                return None
            self.reversed = True
        elif not self.reversed:
            self.reversed = False
            mode, name = name[0], name[1:]
        return self._made(kind, text[:cut], name, masked, mode)

    def _made(self, kind: Algorithm, hexadecimal: str, name: str, masked: bool, mode: str) -> Expected | None:
        plain = unescaped(name) if masked else name
        if plain is not None:
            return Expected(kind, hexadecimal, plain, mode)
        return None


class Checker:
    """Check of checksum lists: ``-c`` and its options."""

    def __init__(self, call: Call, title: str) -> None:
        self.call = call
        self.title = title  # "improperly formatted MD5 checksum line"
        self.kind = ""  # "SHA " in shasum's message, before "checksum lines"
        self.input = "'standard input'"
        self.skips_empty = True  # an empty line is not an improperly formatted one
        self.reports_unread = True  # report a read error for a directory, instead of a list without checksums
        kind = call.opts.last_of("status", "quiet", "warn")
        self.silent = kind == "status"
        self.quiet = kind == "quiet"
        self.warn = kind == "warn"
        self.strict = call.opts.strict
        self.absent = call.opts.ignore_missing

    def named(self, name: str) -> str:
        """Return the name of a list for messages."""
        return name_of(name)

    @property
    def nothing(self) -> str:
        """The message for a list without checksum lines."""
        return f"no properly formatted {self.kind}checksum lines found"

    def through(self, expected: Expected) -> Filter | None:
        """Return the filter that a line's mode applies to the file's content, or None."""
        return None

    def check(self, list_name: str, reader: Reader) -> bool:
        """Check one list; return whether all its files match."""
        call = self.call
        if list_name == "-":
            shown = self.input
        else:
            shown = self.named(list_name)
        try:
            stream = call.open_input(list_name)
        except IsADirectoryError:
            trouble = "read error" if self.reports_unread else self.nothing
            call.error(f"{shown}: {trouble}")
            return False
        except OSError as error:
            call.error(f"{shown}: {reason(error)}")
            return False
        try:
            return self._lines(shown, stream, list_name == "-", reader)
        except BrokenPipeError:
            raise
        except OSError:
            call.error(f"{shown}: read error")
            return False
        finally:
            stream.release()

    def _lines(self, shown: str, stream: Stream, from_stdin: bool, reader: Reader) -> bool:
        good = bad = unread = different = 0
        verified = False
        for number, line in enumerate(records(self.call, stream), 1):
            text = line.removesuffix(b"\n").removesuffix(b"\r")
            if self._is_no_sum(text):
                continue
            expected = reader.read(text)
            # A list from standard input cannot name standard input as a file.
            if expected is None or (from_stdin and expected.name == "-"):
                bad += 1
                if self.warn:
                    self.call.error(f"{shown}: {number}: improperly formatted {self.title} checksum line")
                continue
            good += 1
            if reader.tagged:
                self.title = expected.algorithm.tag  # the title of GNU's messages follows the list
            found = digest_file(
                self.call,
                expected.name,
                expected.algorithm,
                expected.bits,
                absent=self.absent,
                through=self.through(expected),
            )
            if found is None:
                unread += 1
                self._write_result(expected.name, "FAILED open or read")
            elif found:
                verified |= found == expected.hexadecimal
                different += found != expected.hexadecimal
                if found != expected.hexadecimal:
                    self._write_result(expected.name, "FAILED")
                elif not self.quiet:
                    self._write_result(expected.name, "OK")
        self._summary(shown, good, bad, unread, different, verified)
        if unread or different:
            return False
        if self.strict and bad:
            return False
        return verified

    def _is_no_sum(self, line: bytes) -> bool:
        if not line:
            return self.skips_empty
        return line.startswith(b"#")

    def _write_result(self, name: str, what: str) -> None:
        if self.silent:
            return
        if "\n" in name:
            name = "\\" + escaped(name)  # the backslash marks an escaped name
        self.call.out.write(encode(f"{name}: {what}\n"))

    def _summary(self, shown: str, good: int, bad: int, unread: int, different: int, verified: bool) -> None:
        error = self.call.error
        if not good:
            error(f"{shown}: {self.nothing}")
        elif not self.silent:
            if bad:
                lines = "line is" if bad == 1 else "lines are"
                error(f"WARNING: {bad} {lines} improperly formatted")
            if unread:
                files = "file" if unread == 1 else "files"
                error(f"WARNING: {unread} listed {files} could not be read")
            if different:
                checksums = "checksum" if different == 1 else "checksums"
                error(f"WARNING: {different} computed {checksums} did NOT match")
            if self.absent and not verified:
                error(f"{shown}: no file was verified")
