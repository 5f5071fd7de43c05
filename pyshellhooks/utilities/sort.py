"""sort: order lines (POSIX XCU sort; GNU coreutils 9.1). Collation is by byte: C.UTF-8's order of code points."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from ..command import Call, Flag, utility
from ..command.call import reason
from ..errors import Stop, UsageError
from ..text import decode, encode
from .quoting import quote, quote_name
from .records import records
from .sort_keys import Key, comparable, parse_key, refuse_conflicts

_GLOBAL = {
    "ignore_leading_blanks": "b",
    "dictionary_order": "d",
    "ignore_case": "f",
    "general_numeric_sort": "g",
    "human_numeric_sort": "h",
    "ignore_nonprinting": "i",
    "month_sort": "M",
    "numeric_sort": "n",
    "random_sort": "R",
    "reverse": "r",
    "version_sort": "V",
}
_WORDS = {"general-numeric": "g", "human-numeric": "h", "month": "M", "numeric": "n", "random": "R", "version": "V"}
Extract = Callable[[bytes], Any]


class _Order:
    """The keys of one call, each with its direction, most important first."""

    def __init__(self, call: Call) -> None:
        opts = call.opts
        letters = "".join(letter for dest, letter in _GLOBAL.items() if dest in opts)
        for word in opts.all("sort"):
            if word not in _WORDS:
                raise UsageError(f"invalid argument {quote(word, call.env)} for {quote('--sort', call.env)}")
            letters += _WORDS[word]
        separator = _separator(call)
        keys = [parse_key(text, call.env) for text in opts.all("key")]
        if not keys and letters.strip("r"):
            keys = [Key()]
        salt = os.urandom(16)
        self.keys: list[tuple[Extract | None, bool]] = []
        for key in keys:
            key.inherit(letters)
            refuse_conflicts(key.options)
            self.keys.append((_extractor(key.part(separator), comparable(key.options, salt)), key.reverse))
        if not keys:
            refuse_conflicts(letters)
        self.reverse = "r" in letters
        self.unique = opts.unique is True
        self.stable = opts.stable is True or self.unique
        if not self.keys:
            self.keys = [(None, self.reverse)]
            self.stable = True

    def sort(self, lines: list[bytes]) -> list[bytes]:
        """Sort in place, from the least important key to the first: each pass keeps the order of equals."""
        if not self.stable:
            lines.sort(reverse=self.reverse)
        for extract, reverse in reversed(self.keys):
            lines.sort(key=extract, reverse=reverse)
        return self._unique(lines) if self.unique else lines

    def whole(self, line: bytes) -> list[Any]:
        return [line if extract is None else extract(line) for extract, _ in self.keys]

    def _unique(self, lines: list[bytes]) -> list[bytes]:
        kept: list[bytes] = []
        last: list[Any] | None = None
        for line in lines:
            key = self.whole(line)
            if key != last:
                kept.append(line)
                last = key
        return kept

    def compare(self, one: bytes, other: bytes) -> int:
        """Compare two lines as the whole order does."""
        for (_, reverse), left, right in zip(self.keys, self.whole(one), self.whole(other), strict=True):
            if left != right:
                return -1 if (left < right) is not reverse else 1
        if self.stable or one == other:
            return 0
        return -1 if (one < other) is not self.reverse else 1


def _extractor(part: Callable[[bytes], bytes] | None, convert: Extract | None) -> Extract | None:
    if part is None or convert is None:
        return part or convert
    cut, make = part, convert
    return lambda line: make(cut(line))


def _separator(call: Call) -> int:
    if "field_separator" not in call.opts:
        return -1
    text = call.opts.value("field_separator")
    if len({value for value in call.opts.all("field_separator")}) > 1:
        raise UsageError("incompatible tabs", hint=False)
    if not text:
        raise UsageError("empty tab", hint=False)
    if text == "\\0":
        return 0
    if len(encode(text)) > 1:
        raise UsageError(f"multi-character tab {quote(text, call.env)}", hint=False)
    return encode(text)[0]


def _read(call: Call, names: list[str], end: bytes) -> list[bytes]:
    lines: list[bytes] = []
    size = 0
    for name in names:
        try:
            stream = call.open_input(name)
        except OSError as error:
            what = "read failed" if reason(error) == "Is a directory" else "cannot read"
            raise UsageError(f"{what}: {name}: {reason(error)}", hint=False)
        try:
            for line in records(call, stream, end):
                size += len(line)
                if size > call.limits.memory // 16:
                    raise Stop("limit", f"sort holds more than {call.limits.memory // 16} bytes")
                lines.append(line[:-1] if line.endswith(end) else line)
        finally:
            stream.release()
    return lines


def _check(call: Call, order: _Order, lines: list[bytes], name: str, quiet: bool) -> int:
    for number in range(1, len(lines)):
        found = order.compare(lines[number - 1], lines[number])
        if found > 0 or (order.unique and not found):
            if not quiet:
                call.error(f"{name}:{number + 1}: disorder: {decode(lines[number])}")
            return 1
    return 0


def _write(call: Call, lines: list[bytes], end: bytes) -> None:
    data = end.join(lines) + end if lines else b""
    if "output" not in call.opts:
        call.out.write(data)
        return
    name = call.opts.value("output")
    try:
        stream = call.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    except OSError as error:
        raise UsageError(f"open failed: {name}: {reason(error)}", hint=False)
    try:
        stream.write(data)
    finally:
        stream.release()


@utility(
    "sort",
    summary="Write sorted concatenation of all FILE(s) to standard output.",
    usage="[OPTION]... [FILE]...",
    flags=[
        Flag("-b", "--ignore-leading-blanks", help="ignore leading blanks"),
        Flag("-d", "--dictionary-order", help="consider only blanks and alphanumeric characters"),
        Flag("-f", "--ignore-case", help="fold lower case to upper case characters"),
        Flag("-g", "--general-numeric-sort", help="compare according to general numerical value"),
        Flag("-i", "--ignore-nonprinting", help="consider only printable characters"),
        Flag("-M", "--month-sort", help="compare (unknown) < 'JAN' < ... < 'DEC'"),
        Flag("-h", "--human-numeric-sort", help="compare human readable numbers (e.g., 2K 1G)"),
        Flag("-n", "--numeric-sort", help="compare according to string numerical value"),
        Flag("-R", "--random-sort", help="shuffle, but group identical keys"),
        Flag("-r", "--reverse", help="reverse the result of comparisons"),
        Flag("--sort", value="WORD", help="general-numeric, human-numeric, month, numeric, random, version"),
        Flag("-V", "--version-sort", help="natural sort of (version) numbers within text"),
        Flag("--batch-size", value="NMERGE", help="(ignored)"),
        Flag("-c", dest="check", help="check for sorted input; do not sort"),
        Flag("--check", value="HOW", optional=True, help="likewise; quiet, silent: like -C"),
        Flag("-C", dest="check_quietly", help="like -c, but do not report first bad line"),
        Flag("--compress-program", value="PROG", help="(ignored)"),
        Flag("--debug", help="(ignored)"),
        Flag("-k", "--key", value="KEYDEF", help="sort via a key; KEYDEF gives location and type"),
        Flag("-m", "--merge", help="merge already sorted files"),
        Flag("-o", "--output", value="FILE", help="write result to FILE instead of standard output"),
        Flag("-s", "--stable", help="stabilize sort by disabling last-resort comparison"),
        Flag("-S", "--buffer-size", value="SIZE", help="(ignored)"),
        Flag("-t", "--field-separator", value="SEP", help="use SEP instead of non-blank to blank transition"),
        Flag("-T", "--temporary-directory", value="DIR", help="(ignored)"),
        Flag("--parallel", value="N", help="(ignored)"),
        Flag("-u", "--unique", help="output only the first of an equal run; with -c, check for strict ordering"),
        Flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
    ],
    usage_status=2,
    error_status=2,
)
def sort(call: Call) -> int:
    opts = call.opts
    order = _Order(call)
    end = b"\0" if opts.zero_terminated else b"\n"
    names = call.args or ["-"]
    if "check" in opts or "check_quietly" in opts:
        how = opts.value("check")
        quiet = opts.last_of("check", "check_quietly") == "check_quietly" or how in ("quiet", "silent")
        letter = "C" if quiet else "c"
        if len(names) > 1:
            raise UsageError(f"extra operand {quote_name(names[1])} not allowed with -{letter}", hint=False)
        if "output" in opts:
            raise UsageError(f"options '-{letter}o' are incompatible", hint=False)
        return _check(call, order, _read(call, names, end), names[0], quiet)
    _write(call, order.sort(_read(call, names, end)), end)
    return 0
