"""uniq: report or omit repeated lines (POSIX XCU uniq; GNU coreutils 9.1)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, compress, islice
from operator import ne, sub

from ..command import Call, Flag, Flags, Options, utility
from ..errors import UsageError
from ..streams.base import Stream
from ..streams.capture import LineWriter
from .support.kinds import Choice, Number
from .support.lines import batches
from .support.quoting import quote, quote_name
from .support.records import opened

_AT_ONCE = 100  # fields that one regular expression matches

Lines = list[bytes]


class _Comparison:
    """The parts of lines that are compared."""

    def __init__(self, call: Call) -> None:
        opts = call.opts
        fields, chars = opts.integer("skip_fields", 0), opts.integer("skip_chars", 0)
        width = opts.integer("check_chars", -1)
        self._behind = _fields(call, fields) if fields else None
        self._part: slice | None = None
        if width >= 0:
            self._part = slice(chars, chars + width)
        elif chars:
            self._part = slice(chars, None)
        self._fold = opts.ignore_case

    def keys(self, lines: Lines) -> Lines:
        """Return the part of each line that is compared."""
        behind, part = self._behind, self._part
        if behind is not None:
            lines = [line[behind(line) :] for line in lines]
        if part is not None:
            lines = [line[part] for line in lines]
        return [line.upper() for line in lines] if self._fold else lines


def _fields(call: Call, count: int) -> Callable[[bytes], int]:
    """Return a function that finds the end of ``count`` fields, each of blanks and non-blanks (POSIX XCU uniq -f)."""
    times, last = divmod(count, _AT_ONCE)
    few, many = _matcher(last), _matcher(_AT_ONCE)

    def end(line: bytes) -> int:
        at = left = 0
        while left < times and at < len(line):
            call.check()
            fields = many(line, at)
            at = at if fields is None else fields.end()
            left += 1
        fields = few(line, at)
        return at if fields is None else fields.end()

    return end


def _matcher(count: int) -> Callable[[bytes, int], re.Match[bytes] | None]:
    """Return a function that matches ``count`` fields from a place on. It always matches, so it does not backtrack."""
    return re.compile(rb"(?:[ \t\n]*[^ \t\n]*){%d}" % count).match


def _compared(lines: Iterator[Lines], compare: _Comparison) -> Iterator[tuple[Lines, list[bool]]]:
    """Yield batches of lines, each line with whether it differs from the previous one."""
    before: bytes | None = None
    for batch in lines:
        if batch:
            keys = compare.keys(batch)
            yield batch, list(map(ne, keys, chain((before,), keys)))
            before = keys[-1]


def _counted(compared: Iterator[tuple[Lines, list[bool]]]) -> Iterator[tuple[Lines, list[int]]]:
    """Yield the first line and the size of each group of equal lines when it ends."""
    first = b""
    count = 0
    # By batches, without a step of Python for each line: itertools runs at C speed.
    for lines, fresh in compared:
        starts = list(compress(range(len(lines)), fresh))
        if not starts:
            count += len(lines)
            continue
        firsts = [first, *compress(lines, fresh)]
        counts = [count + starts[0], *map(sub, starts[1:], starts)]
        first, count = firsts.pop(), len(lines) - starts[-1]
        if not counts[0]:  # the group before the first line of the input
            firsts, counts = firsts[1:], counts[1:]
        yield firsts, counts
    if count:
        yield [first], [count]


def _write_groups(call: Call, out: LineWriter, compared: Iterator[tuple[Lines, list[bool]]], end: bytes) -> None:
    """Write one line of each selected group."""
    opts = call.opts
    repeated, unique, count = opts.repeated, opts.unique, opts.count
    if not (repeated or unique or count):
        for lines, fresh in compared:
            _put(out, list(compress(lines, fresh)), end)
        return
    for firsts, counts in _counted(compared):
        if repeated or unique:
            wanted = _wanted(counts, repeated=repeated, unique=unique)
            firsts, counts = list(compress(firsts, wanted)), list(compress(counts, wanted))
        if count:
            firsts = [b"%7d %b" % pair for pair in zip(counts, firsts, strict=True)]
        _put(out, firsts, end)


def _wanted(counts: list[int], *, repeated: bool, unique: bool) -> list[bool]:
    """Return for each group whether it is written; -d and -u together leave none."""
    if repeated and unique:
        return [False] * len(counts)
    if repeated:
        return [number > 1 for number in counts]
    return [number == 1 for number in counts]


def _put(out: LineWriter, lines: Lines, end: bytes) -> None:
    if lines:
        lines.append(b"")
        out.write(end.join(lines))


def _write_group_lines(call: Call, out: LineWriter, compared: Iterator[tuple[Lines, list[bool]]], end: bytes) -> None:
    """Write all lines of groups: of all groups (--group), or of those with at least two lines."""
    every = "group" in call.opts
    unique = call.opts.unique  # all but the last line of each group, as in GNU's
    method = _method(call)
    ahead = method in ("prepend", "both")
    shown = False
    previous: Lines = []  # the last line of the previous batch, decided by the next line
    previous_fresh: list[bool] = []
    for lines, fresh in chain(compared, [([b""], [True])]):
        beginning = [*previous_fresh, *fresh]
        made: Lines = []
        for line, first, last in zip([*previous, *lines], beginning, beginning[1:], strict=False):
            is_left_out = last and (first or unique)  # a group of one line, or with -u the last line
            if is_left_out and not every:
                continue
            if first and method != "none":
                if ahead or shown:
                    made.append(b"")
                shown = True
            made.append(line)
        _put(out, made, end)
        previous, previous_fresh = lines[-1:], fresh[-1:]
    if shown and method in ("append", "both"):
        out.write(end)


_WITH_VALUE = ("--skip-fields", "--skip-chars", "--check-chars")


class _UniqFlags(Flags):
    """Options of uniq, and the obsolescent ``-NUM`` (fields) and ``+NUM`` (characters)."""

    __slots__ = ()

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        words: list[str] = []
        rest = iter(argv)
        for word in rest:
            if word == "--":
                words.append(word)
                break
            # POSIX.2-1992 had -NUM and +NUM; GNU still accepts both.
            digits = _leading_digits(word[1:])
            others = word[1 + len(digits) :]
            if digits and word.startswith("-"):
                words += ["-f", digits]
                if others:
                    words.append(f"-{others}")
            elif digits and word.startswith("+") and not others:
                words += ["-s", digits]
            else:
                words.append(word)
                if _takes_next(word):
                    words += islice(rest, 1)
        return super().parse([*words, *rest], env)


def _leading_digits(text: str) -> str:
    return text[: len(text) - len(text.lstrip("0123456789"))]


def _takes_next(word: str) -> bool:
    """Return whether the next word is the value of an option."""
    if word in ("-f", "-s", "-w"):
        return True
    return len(word) > 2 and any(name.startswith(word) for name in _WITH_VALUE)


def _method(call: Call) -> str:
    """Return where empty lines separate groups."""
    opts = call.opts
    if opts.group:
        return opts.value("group", "separate")
    if opts.last_of("D", "all_repeated") == "D":
        return "none"
    return opts.value("all_repeated", "none")


_GROUPS = Choice("prepend", "append", "separate", "both")
_REPEATED = Choice("none", "prepend", "separate")


def _counting(what: str) -> Number:
    return Number(f"{{text}}: invalid number of {what}", most=2**62, endless=True)


_FIELDS, _CHARS, _WIDTH = _counting("fields to skip"), _counting("bytes to skip"), _counting("bytes to compare")


def _source(call: Call, args: list[str]) -> Stream:
    try:
        return opened(call, args[0] if args else "-")
    except IsADirectoryError:
        if len(args) > 1 and args[1] != "-":  # the output is opened before the input is read
            opened(call, args[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC).release()
        raise UsageError(f"error reading {quote_name(args[0])}", hint=False) from None


@utility(
    "uniq",
    paths=True,
    summary="Filter adjacent matching lines from INPUT, writing to OUTPUT.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [INPUT [OUTPUT]]",
    flags=_UniqFlags(
        [
            Flag("-c", "--count", help="prefix lines by the number of occurrences"),
            Flag("-d", "--repeated", help="only print duplicate lines, one for each group"),
            Flag("-D", help="print all duplicate lines"),
            Flag(
                "--all-repeated",
                value="METHOD",
                optional=True,
                kind=_REPEATED,
                help="like -D, but separate groups with an empty line",
            ),
            Flag("-f", "--skip-fields", value="N", kind=_FIELDS, help="avoid comparing the first N fields"),
            Flag(
                "--group",
                value="METHOD",
                optional=True,
                kind=_GROUPS,
                help="show all items, separating groups with an empty line",
            ),
            Flag("-i", "--ignore-case", help="ignore differences in case when comparing"),
            Flag("-s", "--skip-chars", value="N", kind=_CHARS, help="avoid comparing the first N characters"),
            Flag("-u", "--unique", help="only print unique lines"),
            Flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
            Flag("-w", "--check-chars", value="N", kind=_WIDTH, help="compare no more than N characters in lines"),
        ]
    ),
    filters=True,
)
def uniq(call: Call) -> int:
    opts, args = call.opts, call.args
    if len(args) > 2:
        raise UsageError(f"extra operand {quote(args[2], call.env)}")
    grouped = "group" in opts
    all_lines = "D" in opts or "all_repeated" in opts
    if grouped and (all_lines or opts.count or opts.repeated or opts.unique):
        raise UsageError("--group is mutually exclusive with -c/-d/-D/-u")
    if opts.count and all_lines:
        raise UsageError("printing all duplicated lines and repeat counts is meaningless")
    end = b"\0" if opts.zero_terminated else b"\n"
    call.read_text()
    source = _source(call, args)
    try:
        compared = _compared(batches(call, source, end), _Comparison(call))
        write = _write_group_lines if grouped or all_lines else _write_groups
        if len(args) < 2 or args[1] == "-":
            write(call, call.out, compared, end)
            return 0
        goal = opened(call, args[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            out = LineWriter(goal)
            write(call, out, compared, end)
            out.flush()
        finally:
            goal.release()
    finally:
        source.release()
    return 0
