"""uniq: report or omit repeated lines (POSIX XCU uniq; GNU coreutils 9.1)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from ..command import Call, Flag, Flags, Options, utility
from ..errors import UsageError
from ..streams.capture import LineWriter
from .quoting import quote, quote_name
from .records import records

_BLANK = b" \t\n"


class _Comparison:
    """What of a line counts."""

    def __init__(self, call: Call) -> None:
        opts = call.opts
        self.fields = _count(call, "skip_fields", "invalid number of fields to skip")
        self.chars = _count(call, "skip_chars", "invalid number of bytes to skip")
        self.width = _count(call, "check_chars", "invalid number of bytes to compare") if "check_chars" in opts else -1
        self.fold = opts.ignore_case is True
        self.plain = not (self.fields or self.chars or self.fold) and self.width < 0

    def key(self, line: bytes) -> bytes:
        if self.plain:
            return line
        at = 0
        for _ in range(self.fields):
            if at >= len(line):
                break
            while at < len(line) and line[at] in _BLANK:
                at += 1
            while at < len(line) and line[at] not in _BLANK:
                at += 1
        at += self.chars
        text = line[at:] if self.width < 0 else line[at : at + self.width]
        return text.upper() if self.fold else text


def _count(call: Call, dest: str, message: str) -> int:
    text = call.opts.value(dest, "0")
    digits = text.lstrip(" \t\n\v\f\r").removeprefix("+")
    if not (digits.isascii() and digits.isdigit()):
        raise UsageError(f"{text}: {message}", hint=False)
    return min(int(digits[:30]), 2**62)


def _groups(call: Call, lines: Iterator[bytes], compare: _Comparison) -> Iterator[tuple[bytes, int, list[bytes]]]:
    """Give for each run of equal lines the first one, how many there are, and, where wanted, all of them."""
    keep = "all_repeated" in call.opts or "D" in call.opts or "group" in call.opts
    first = b""
    last: bytes | None = None
    count = 0
    members: list[bytes] = []
    for line in lines:
        key = compare.key(line)
        if key == last:
            count += 1
        else:
            if count:
                yield first, count, members
            first, last, count, members = line, key, 1, []
        if keep:
            members.append(line)
    if count:
        yield first, count, members


def _write(call: Call, out: LineWriter, groups: Iterator[tuple[bytes, int, list[bytes]]], end: bytes) -> None:
    opts = call.opts
    everything = "all_repeated" in opts or "D" in opts
    method = _method(call)
    shown = False
    for first, count, members in groups:
        if "group" in opts or everything:
            if everything and (count < 2 or opts.unique):
                continue
            if method == "prepend" or method == "both" or (shown and method in ("separate", "append-next")):
                if method != "both" or not shown:
                    out.write(end)
            shown = True
            out.write(b"".join(line + end for line in members))
            if method in ("append", "both"):
                out.write(end)
        elif not (opts.repeated and count < 2) and not (opts.unique and count > 1):
            out.write(b"%7d " % count + first + end if opts.count else first + end)


class _UniqFlags(Flags):
    """Options, and the old ``-NUM`` (fields) and ``+NUM`` (characters)."""

    __slots__ = ()

    def parse(self, argv: Sequence[str], *, posixly_correct: bool = False) -> tuple[Options, list[str]]:
        words: list[str] = []
        rest = iter(argv)
        for word in rest:
            if word == "--":
                words.append(word)
                break
            digits = word[1 : len(word) - len(word[1:].lstrip("0123456789"))] if word[:1] in ("-", "+") else ""
            if digits and word[0] == "-":
                words += ["-f", digits] + ([f"-{word[1 + len(digits) :]}"] if word[1 + len(digits) :] else [])
            elif digits and digits == word[1:]:
                words += ["-s", digits]
            else:
                words.append(word)
                if word in ("-f", "-s", "-w"):
                    words += [value for value in (next(rest, None),) if value is not None]
        return super().parse([*words, *rest], posixly_correct=posixly_correct)


def _method(call: Call) -> str:
    """Give where empty lines go between groups."""
    opts = call.opts
    if "group" in opts:
        method = opts.value("group", "separate")
        allowed: tuple[str, ...] = ("prepend", "append", "separate", "both")
        name = "--group"
    else:
        method = opts.value("all_repeated", "none")
        allowed = ("none", "prepend", "separate")
        name = "--all-repeated"
    found = [word for word in allowed if word.startswith(method)]
    if len(found) != 1 and method not in allowed:
        choices = "".join(f"\n  - {quote(word, call.env)}" for word in allowed)
        raise UsageError(
            f"invalid argument {quote(method, call.env)} for {quote(name, call.env)}\nValid arguments are:{choices}"
        )
    return found[0] if method not in allowed else method


@utility(
    "uniq",
    summary="Filter adjacent matching lines from INPUT, writing to OUTPUT.",
    usage="[OPTION]... [INPUT [OUTPUT]]",
    flags=_UniqFlags(
        [
            Flag("-c", "--count", help="prefix lines by the number of occurrences"),
            Flag("-d", "--repeated", help="only print duplicate lines, one for each group"),
            Flag("-D", help="print all duplicate lines"),
            Flag(
                "--all-repeated", value="METHOD", optional=True, help="like -D, but separate groups with an empty line"
            ),
            Flag("-f", "--skip-fields", value="N", help="avoid comparing the first N fields"),
            Flag("--group", value="METHOD", optional=True, help="show all items, separating groups with an empty line"),
            Flag("-i", "--ignore-case", help="ignore differences in case when comparing"),
            Flag("-s", "--skip-chars", value="N", help="avoid comparing the first N characters"),
            Flag("-u", "--unique", help="only print unique lines"),
            Flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
            Flag("-w", "--check-chars", value="N", help="compare no more than N characters in lines"),
        ]
    ),
    filters=True,
)
def uniq(call: Call) -> int:
    opts, args = call.opts, call.args
    if len(args) > 2:
        raise UsageError(f"extra operand {quote(args[2], call.env)}")
    grouped = "group" in opts
    if grouped and any(opts.__getattr__(dest) for dest in ("count", "repeated", "unique", "D", "all_repeated")):
        raise UsageError("--group is mutually exclusive with -c/-d/-D/-u")
    if opts.count and ("D" in opts or "all_repeated" in opts):
        raise UsageError("printing all duplicated lines and repeat counts is meaningless")
    end = b"\0" if opts.zero_terminated else b"\n"
    try:
        source = call.open_input(args[0] if args else "-")
    except IsADirectoryError:
        raise UsageError(f"error reading {quote_name(args[0])}", hint=False)
    try:
        lines = (line[:-1] if line.endswith(end) else line for line in records(call, source, end))
        groups = _groups(call, lines, _Comparison(call))
        if len(args) < 2 or args[1] == "-":
            _write(call, call.out, groups, end)
            return 0
        goal = call.open(args[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            out = LineWriter(goal)
            _write(call, out, groups, end)
            out.flush()
        finally:
            goal.release()
    finally:
        source.release()
    return 0
