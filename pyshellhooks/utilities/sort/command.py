"""sort: order lines (POSIX XCU sort; GNU coreutils 9.1).

Lines are collated by byte: the code point order of C.UTF-8.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from ...command import Call, Flag, Flags, Options, RawArgument, utility
from ...command.call import reason
from ...errors import UsageError
from ...streams.base import Stream
from ...text import decode, encode, paced
from ..support.kinds import Argument, Choice, Once, Separator, scan
from ..support.quoting import name_of, quote, quote_name
from ..support.records import names_in, records, wrong_name
from .keys import Key, comparable, old_key, parse_key, refuse_conflicts
from .runs import Runs, merged_lines

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
_ENDS = tuple(f"-{digit}" for digit in "0123456789")
_LEAST_BUFFER = 16 * 1024  # bytes; the least value of -S
Extract = Callable[[bytes], Any]


class _Order:
    """The keys of one call with their directions, most important first."""

    def __init__(self, call: Call) -> None:
        opts = call.opts
        letters = "".join(letter for dest, letter in _GLOBAL.items() if dest in opts)
        for word in opts.all("sort"):
            letters += _WORDS[word]
        separator = (opts.read("field_separator", bytes) or [b""])[-1]
        keys = opts.read("key", Key)
        if not keys and letters.strip("r"):
            keys = [Key()]  # options of the whole line are a key without a field
        self.keys: list[tuple[Extract | None, bool]] = []
        for key in keys:
            key.inherit(letters)
            refuse_conflicts(key.options)
        salt = b""
        if any("R" in key.options for key in keys):
            salt = _salt(call)  # only here, since it may fail to open --random-source
        tail = b"" if call.env.get("LC_ALL") in ("C", "POSIX") else b"\0"
        mark = separator[0] if separator else -1
        for key in keys:
            extract = _extractor(key.part(mark), comparable(key.options, salt, tail))
            self.keys.append((extract, key.reverse))
        if not keys:
            refuse_conflicts(letters)
        self.reverse = "r" in letters
        self.unique = opts.unique
        self.stable = opts.stable or self.unique  # -u: equal lines are those with equal keys
        if not self.keys:
            self.keys = [(None, self.reverse)]
            self.stable = True

    def sort(self, lines: list[bytes]) -> list[bytes]:
        """Sort in place, from the last key to the first. Each pass is stable."""
        if not self.stable:
            lines.sort(reverse=self.reverse)
        for extract, reverse in reversed(self.keys):
            if extract is None:
                lines.sort(reverse=reverse)
            else:
                # The keys are made before sort(), whose key function cannot pause; it takes one for each line in turn.
                keys = list(map(extract, paced(lines))).__iter__().__next__
                lines.sort(key=lambda _: keys(), reverse=reverse)
        return lines

    def whole(self, line: bytes) -> list[Any]:
        return [line if extract is None else extract(line) for extract, _ in self.keys]

    def first_of_equals(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Drop lines that compare equal to the line before (``-u``)."""
        last: list[Any] | None = None
        for line in lines:
            key = self.whole(line)
            if key != last:
                last = key
                yield line

    def compare(self, one: bytes, other: bytes) -> int:
        """Compare two lines by the whole order."""
        for (_, reverse), left, right in zip(self.keys, self.whole(one), self.whole(other), strict=True):
            if left != right:
                comes_first = (left < right) is not reverse
                return -1 if comes_first else 1
        if self.stable or one == other:
            return 0
        comes_first = (one < other) is not self.reverse
        return -1 if comes_first else 1

    def follows(self, one: bytes, other: bytes) -> bool:
        """Return whether a line may be before another in sorted output; with ``-u`` equal lines may not."""
        compared = self.compare(one, other)
        if self.unique:
            return compared < 0
        return compared <= 0


def _extractor(part: Callable[[bytes], bytes] | None, convert: Extract | None) -> Extract | None:
    if part is None or convert is None:
        return part or convert
    cut, make = part, convert
    return lambda line: make(cut(line))


def _salt(call: Call) -> bytes:
    """Return the salt of the hashes of ``-R``: random, or the start of ``--random-source``."""
    sources = call.opts.all("random_source")
    if not sources:
        return os.urandom(16)
    try:
        stream = call.open(sources[0])
    except OSError as error:
        raise UsageError(f"open failed: {name_of(sources[0])}: {reason(error)}", hint=False) from None
    try:
        salt = stream.read(16)
    finally:
        stream.release()
    if len(salt) < 16:
        raise UsageError(f"{quote(sources[0], call.env)}: end of file", hint=False)
    return salt


def _budget(call: Call) -> int:
    """Return the number of bytes to hold in memory; beyond it, temporary files are used."""
    most = call.limits.memory // 16
    requested = call.opts.integer("buffer_size", most)
    if call.opts.value("buffer_size").endswith("%"):
        requested = most * requested // 100
    return max(_LEAST_BUFFER, min(requested, most))


class _Size(Argument):
    """The value of ``-S``: kibibytes, or bytes (``b``), percents (``%``) and larger units."""

    __slots__ = ()

    def scan(self, text: str) -> tuple[int, str]:
        if text[-1:] in ("b", "%") and text[-2:-1].isdecimal():
            return scan(text[:-1])
        value, fault = super().scan(text)
        return value * 1024 if text[-1:].isdecimal() else value, fault


class _Threads(Argument):
    """The value of ``--parallel``, which has no effect."""

    __slots__ = ()

    def error(self, argument: RawArgument, fault: str, value: int) -> UsageError:
        if not fault:
            return UsageError("number in parallel must be nonzero", hint=False)
        return super().error(argument, fault, value)


class _Batch(Argument):
    """The value of ``--batch-size``, which has no effect."""

    __slots__ = ()

    def error(self, argument: RawArgument, fault: str, value: int) -> UsageError:
        error = super().error(argument, fault, value)
        if not fault and value < self.least:
            least = f"minimum {argument.option} argument is {quote(str(self.least), argument.env)}"
            error.message = f"invalid {argument.option} argument {quote(argument.text, argument.env)}\nsort: {least}"
        return error


def _open(call: Call, name: str, wrong: str = "cannot read") -> Stream:
    try:
        return call.open_input(name)
    except OSError as error:
        what = "read failed" if reason(error) == "Is a directory" else wrong
        raise UsageError(f"{what}: {name_of(name)}: {reason(error)}", hint=False) from None


def _names(call: Call) -> list[str]:
    """Return the input names: the operands, or those listed by ``--files0-from``."""
    if "files0_from" not in call.opts:
        return call.args or ["-"]
    if call.args:
        raise UsageError(
            f"extra operand {quote_name(call.args[0])}\nfile operands cannot be combined with --files0-from"
        )
    source = call.opts.value("files0_from")
    names = []
    try:
        for number, name in names_in(call, source):
            reads_itself = source == "-" and name == "-"
            if not name or reads_itself:
                raise UsageError(wrong_name(source, number, name), hint=False)
            names.append(name)
    except OSError as error:
        raise UsageError(f"open failed: {name_of(source)}: {reason(error)}", hint=False) from None
    if not names:
        raise UsageError(f"no input from {quote_name(source)}", hint=False)
    return names


def _check(call: Call, order: _Order, name: str, end: bytes, quiet: bool) -> int:
    stream = _open(call, name, "open failed")
    last: bytes | None = None
    try:
        for number, record in enumerate(records(call, stream, end), 1):
            line = record[:-1] if record.endswith(end) else record
            if last is not None and not order.follows(last, line):
                if not quiet:
                    call.stderr.write(encode(f"{call.name}: {name}:{number}: disorder: {decode(line + end)}"))
                return 1
            last = line
    finally:
        stream.release()
    return 0


def _pieces(batches: Iterable[Iterable[bytes]], end: bytes) -> Iterator[bytes]:
    for lines in batches:
        source = iter(lines)
        while part := list(islice(source, 4096)):
            yield end.join(part) + end


def _write(call: Call, batches: Iterable[Iterable[bytes]], end: bytes) -> None:
    names = call.opts.all("output")
    if not names:
        for piece in _pieces(batches, end):
            call.check()
            call.out.write(piece)
        return
    pieces = _pieces(batches, end)
    first = next(pieces, b"")  # all inputs have been read, so the output may be one of them
    try:
        stream = call.open(names[-1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    except OSError as error:
        raise UsageError(f"open failed: {name_of(names[-1])}: {reason(error)}", hint=False) from None
    try:
        for piece in chain((first,), pieces):
            call.check()
            stream.write(piece)
    finally:
        stream.release()


def _sort(call: Call, order: _Order, names: list[str], end: bytes) -> None:
    opts = call.opts
    folder = opts.value("temporary_directory") or call.env.get("TMPDIR") or call.fs.temporary_directory()
    runs = Runs(call, order, end, _budget(call), folder)
    streams: list[Stream] = []
    try:
        batches: Iterable[Iterable[bytes]]
        if opts.merge:
            streams.extend(_open(call, name) for name in names)
            batches = (merged_lines(call, order, streams, end),)
            if "output" in opts:
                batches = runs.spool(batches)
        else:
            for name in names:
                stream = _open(call, name)
                try:
                    runs.add(records(call, stream, end))
                finally:
                    stream.release()
            batches = runs.sorted()
        if order.unique:
            batches = (order.first_of_equals(chain.from_iterable(batches)),)
        _write(call, batches, end)
    finally:
        runs.close()
        for stream in streams:
            stream.release()


_WORD, _HOW = Choice(*_WORDS), Choice(("quiet", "silent"), ("diagnose-first",))
_TAB = Separator("multi-character tab {q}", "incompatible tabs", "empty tab")
_SIZE, _THREADS, _BATCH = _Size(units="EgGkKmMPtTYZ"), _Threads(1, endless=True), _Batch(2)
_OUTPUT, _SOURCE = Once("multiple output files specified"), Once("multiple random sources specified")


class _SortFlags(Flags):
    """Options of sort, and obsolescent keys among the operands: ``+1 -2``."""

    __slots__ = ()

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        if not any(word.startswith("+") for word in argv):
            return super().parse(argv, env)
        options = Options()
        operands: list[str] = []
        left = [*paced(argv)][::-1]
        following = _taken(left)
        while left:
            word = left.pop()
            if word == "--":
                break
            if operands and "POSIXLY_CORRECT" in env:
                left.append(word)  # POSIX XBD 12.2, guideline 9: options precede operands
                break
            if word.startswith("--"):
                self._parse_long(word[2:], following, options, env)
            elif len(word) > 1 and word.startswith("-"):
                self._parse_short(word[1:], following, options, env)
            elif not self._old_key(word, left, options, env):
                operands.append(word)
        return options, operands + left[::-1]

    @staticmethod
    def _old_key(word: str, left: list[str], options: Options, env: Mapping[str, str]) -> bool:
        """Parse an obsolescent key with its optional end. Return False for a file name."""
        if not word.startswith("+"):
            return False
        end = None
        if left and left[-1].startswith(_ENDS):
            end = left[-1]
        key = old_key(word, end, env)
        if key is None:
            return False
        options.add("key", word, key)
        if end is not None:
            left.pop()
        return True


def _taken(left: list[str]) -> Iterator[str]:
    while left:
        yield left.pop()


@utility(
    "sort",
    paths=True,
    summary="Write sorted concatenation of all FILE(s) to standard output.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FILE]...",
    flags=_SortFlags(
        [
            Flag("-b", "--ignore-leading-blanks", help="ignore leading blanks"),
            Flag("-d", "--dictionary-order", help="consider only blanks and alphanumeric characters"),
            Flag("-f", "--ignore-case", help="fold lower case to upper case characters"),
            Flag("-g", "--general-numeric-sort", help="compare according to general numerical value"),
            Flag("-i", "--ignore-nonprinting", help="consider only printable characters"),
            Flag("-M", "--month-sort", help="compare (unknown) < 'JAN' < ... < 'DEC'"),
            Flag("-h", "--human-numeric-sort", help="compare human readable numbers (e.g., 2K 1G)"),
            Flag("-n", "--numeric-sort", help="compare according to string numerical value"),
            Flag("-R", "--random-sort", help="shuffle, but group identical keys"),
            Flag("--random-source", value="FILE", kind=_SOURCE, help="get random bytes from FILE"),
            Flag("-r", "--reverse", help="reverse the result of comparisons"),
            Flag(
                "--sort",
                value="WORD",
                kind=_WORD,
                help="general-numeric, human-numeric, month, numeric, random, version",
            ),
            Flag("-V", "--version-sort", help="natural sort of (version) numbers within text"),
            Flag(
                "--batch-size",
                value="NMERGE",
                kind=_BATCH,
                help="(checked; temporary files are merged sixteen at once)",
            ),
            Flag("-c", dest="check", help="check for sorted input; do not sort"),
            Flag("--check", value="HOW", optional=True, kind=_HOW, help="likewise; quiet, silent: like -C"),
            Flag("-C", dest="check_quietly", help="like -c, but do not report first bad line"),
            Flag("--compress-program", value="PROG", help="(temporary files are not compressed)"),
            Flag("--debug", help="(refused)"),
            Flag("--files0-from", value="F", help="read input from the files specified by NUL-terminated names in F"),
            Flag("-k", "--key", value="KEYDEF", kind=parse_key, help="sort via a key; KEYDEF gives location and type"),
            Flag("-m", "--merge", help="merge already sorted files"),
            Flag("-o", "--output", value="FILE", kind=_OUTPUT, help="write result to FILE instead of standard output"),
            Flag("-s", "--stable", help="stabilize sort by disabling last-resort comparison"),
            Flag(
                "-S", "--buffer-size", value="SIZE", kind=_SIZE, help="hold at most SIZE before using temporary files"
            ),
            Flag(
                "-t",
                "--field-separator",
                value="SEP",
                kind=_TAB,
                help="use SEP, not the step from non-blank to blank",
            ),
            Flag("-T", "--temporary-directory", value="DIR", help="use DIR for temporaries, not $TMPDIR or /tmp"),
            Flag("--parallel", value="N", kind=_THREADS, help="(checked; one thread sorts)"),
            Flag("-u", "--unique", help="output only the first of an equal run; with -c, check for strict ordering"),
            Flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
        ]
    ),
    usage_status=2,
    error_status=2,
    filters=True,
)
def sort(call: Call) -> int:
    opts = call.opts
    if opts.debug:
        raise UsageError("option '--debug' is not supported", hint=False)
    if len(set(opts.all("compress_program"))) > 1:
        raise UsageError("multiple compress programs specified", hint=False)
    order = _Order(call)
    call.read_text()
    end = b"\0" if opts.zero_terminated else b"\n"
    names = _names(call)
    kinds: set[str] = set()
    for dest, value in opts.given:
        if dest == "check":
            kinds.add("C" if value == "quiet" else "c")
        elif dest == "check_quietly":
            kinds.add("C")
    if not kinds:
        _sort(call, order, names, end)
        return 0
    if len(kinds) > 1:
        raise UsageError("options '-cC' are incompatible", hint=False)
    letter = kinds.pop()
    if len(names) > 1:
        raise UsageError(f"extra operand {quote_name(names[1])} not allowed with -{letter}", hint=False)
    if "output" in opts:
        raise UsageError(f"options '-{letter}o' are incompatible", hint=False)
    return _check(call, order, names[0], end, letter == "C")
