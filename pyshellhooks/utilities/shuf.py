"""shuf: print a random permutation (GNU coreutils 9.1; with the same ``--random-source`` the order is GNU's).

The whole input is read before the first line is written. With ``-n`` only that many lines are kept (a reservoir).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

from ..command import Call, Flag, RawArgument, utility
from ..command.call import reason
from ..errors import UsageError
from ..streams.base import Stream
from ..streams.capture import LineWriter
from ..text import encode, paced
from .support.kinds import LARGEST, Count, Number, Once
from .support.lines import check_buffer_size, lines, read_all
from .support.quoting import name_of, quote
from .support.records import opened

_SMALL = 8 * 1024 * 1024  # an input of known size up to this is read as a whole


class _Random:
    """Uniform random numbers from a source of bytes. Unused randomness of one number goes into the next."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.named = "random_source" in call.opts
        self.name = call.opts.value("random_source")
        self.source: Stream | None = None
        self.buffer = b""
        self.value = self.range = 0

    def open(self) -> None:
        """Open the source. It stays closed if no choice is needed."""
        if not self.named or self.source is not None:
            return
        try:
            self.source = self.call.open(self.name)
        except OSError as error:
            raise UsageError(f"{name_of(self.name)}: {reason(error)}", hint=False) from None

    def _bytes(self, size: int) -> bytes:
        while len(self.buffer) < size:
            chunk = os.urandom(1024) if self.source is None else self.source.read(4096)
            if not chunk:
                raise UsageError(f"{quote(self.name, self.call.env)}: end of file", hint=False)
            self.buffer += chunk
        taken, self.buffer = self.buffer[:size], self.buffer[size:]
        return taken

    def below(self, choices: int) -> int:
        """Return a number from 0 to ``choices`` - 1."""
        while True:
            size, most = 0, self.range
            while most < choices - 1:
                most = most * 256 + 255
                size += 1
            for byte in self._bytes(size):
                self.value = self.value * 256 + byte
            self.range = most
            if most == choices - 1:
                value, self.value, self.range = self.value, 0, 0
                return value
            excess = most - (choices - 1)
            unusable = excess % choices
            last = most - unusable
            if self.value <= last:
                self.value, chosen = divmod(self.value, choices)
                self.range = excess // choices
                return chosen
            self.value -= last + 1
            self.range = unusable - 1


def _order(call: Call, random: _Random, count: int, size: int) -> Iterator[int]:
    """Yield ``count`` different numbers below ``size``, by a shuffle that stores only the exchanged positions."""
    moved: dict[int, int] = {}
    for at in range(count):
        if not at & 1023:
            call.check()
            check_buffer_size(call, len(moved) * 100)
        other = at + random.below(size - at)
        mine = moved.pop(at, at)
        yield mine if other == at else moved.get(other, other)
        if other != at:
            moved[other] = mine


def _shuffled(call: Call, items: list[bytes]) -> Iterator[list[bytes]]:
    """Shuffle a list in place and yield it in blocks, without ``--random-source``."""
    chance = Random(os.urandom(64)).random
    size = len(items)
    for start in range(0, size, 1024):
        call.check()
        stop = min(start + 1024, size)
        for at in range(start, stop):
            other = at + int(chance() * (size - at))
            items[at], items[other] = items[other], items[at]
        yield items[start:stop]


def _reservoir(source: Iterator[bytes], count: int, random: _Random) -> list[bytes]:
    """Return ``count`` lines of a stream of unknown length, each with equal probability."""
    sample: list[bytes] = []
    for line in source:
        sample.append(line)
        if len(sample) == count:
            break
    else:
        return sample
    seen = count
    while True:
        at = random.below(seen + 1)
        seen += 1
        following = next(source, None)
        if following is None:
            return sample
        if at < count:
            sample[at] = following


_END = Count("input range")
_OUTPUT, _SOURCE = Once("multiple output files specified"), Once("multiple random sources specified")
_COUNT = Number("invalid line count: {q}", endless=True)


def _range(argument: RawArgument) -> range:
    """Parse ``LO-HI``."""
    if "input_range" in argument.before:
        raise UsageError("multiple -i options specified", hint=False)
    first, dash, last = argument.text.partition("-")
    if dash:
        low, high = (_END(RawArgument(part, argument.env)) for part in (first, last))
        if low <= high + 1 and high - low < LARGEST:
            return range(low, high + 1)
    raise UsageError(f"invalid input range: {quote(argument.text, argument.env)}", hint=False)


def _lines(call: Call, count: int, end: bytes, random: _Random) -> list[bytes]:
    """Read the input. With ``-n`` and a large input, or one of unknown length, return only a sample of it."""
    name = call.args[0] if call.args else "-"
    try:
        stream = call.open_input(name)
    except IsADirectoryError as error:
        raise UsageError(f"read error: {reason(error)}", hint=False) from None
    except OSError as error:
        raise UsageError(f"{name_of(name)}: {reason(error)}", hint=False) from None
    try:
        samples = count < LARGEST and not call.opts.repeat
        if samples and _size(stream) > _SMALL:
            if not count:
                return []
            random.open()
            return _reservoir(lines(call, stream, end), count, random)
        data = read_all(call, stream)
    finally:
        stream.release()
    if not data:
        return []
    return data.removesuffix(end).split(end)


def _size(stream: Stream) -> int:
    """Return the size of the rest of a file, or LARGEST if the stream is not a file."""
    try:
        here = stream.seek(0, 1)
        size = stream.seek(0, 2) - here
        stream.seek(here)
    except OSError:
        return LARGEST
    return size


def _write(
    call: Call, begin: Callable[[], LineWriter], items: Sequence[bytes] | range, count: int, end: bytes, random: _Random
) -> None:
    """Write the items. ``begin`` opens the output and is called only once they are known to be available."""

    def shown(at: int) -> bytes:
        item = items[at]
        if isinstance(item, int):
            return b"%d" % item + end
        return item + end

    size = items.stop - items.start if isinstance(items, range) else len(items)  # len() of a range is limited to 2**63
    repeats = call.opts.repeat
    if min(count, size) or repeats:
        random.open()
    if repeats:
        if count and not size:
            raise UsageError("no lines to repeat", hint=False)
        out = begin()
        for turn in range(count):
            if not turn & 255:
                call.check()
            out.write(shown(random.below(size)))
        return
    if isinstance(items, list) and count >= size and not random.named:
        out = begin()
        for block in _shuffled(call, items):
            out.write(end.join(block) + end)
        return
    order: Iterable[int] = _order(call, random, min(count, size), size)
    if random.source is not None:
        order = tuple(order)  # if the source is too short, nothing is written
    out = begin()
    for at in order:
        out.write(shown(at))


def _operands(call: Call) -> None:
    opts, args, env = call.opts, call.args, call.env
    if opts.echo and "input_range" in opts:
        raise UsageError("cannot combine -e and -i options")
    most = 0 if "input_range" in opts else 1
    if not opts.echo and len(args) > most:
        raise UsageError(f"extra operand {quote(args[most], env)}")


@utility(
    "shuf",
    paths=True,
    summary="Write a random permutation of the input lines to standard output.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FILE]",
    flags=[
        Flag("-e", "--echo", help="treat each ARG as an input line"),
        Flag(
            "-i", "--input-range", value="LO-HI", kind=_range, help="treat each number LO through HI as an input line"
        ),
        Flag("-n", "--head-count", value="COUNT", kind=_COUNT, help="output at most COUNT lines"),
        Flag("-o", "--output", value="FILE", kind=_OUTPUT, help="write result to FILE instead of standard output"),
        Flag("--random-source", value="FILE", kind=_SOURCE, help="get random bytes from FILE"),
        Flag("-r", "--repeat", help="output lines can be repeated"),
        Flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
    ],
)
def shuf(call: Call) -> int:
    opts = call.opts
    count = min(opts.read("head_count", int), default=LARGEST)
    _operands(call)
    end = b"\0" if opts.zero_terminated else b"\n"
    random = _Random(call)
    try:
        items = _items(call, count, end, random)
        if "output" not in opts:
            _write(call, lambda: call.out, items, count, end, random)
            return 0
        goals: list[LineWriter] = []

        def begin() -> LineWriter:
            # Not earlier: GNU's shuf may write to the file that it has read.
            goals.append(LineWriter(opened(call, opts.value("output"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)))
            return goals[0]

        try:
            _write(call, begin, items, count, end, random)
            for out in goals:
                out.flush()
        finally:
            for out in goals:
                out.stream.release()
    finally:
        if random.source is not None:
            random.source.release()
    return 0


def _items(call: Call, count: int, end: bytes, random: _Random) -> Sequence[bytes] | range:
    """Return the numbers, the words or the lines to shuffle."""
    ranges = call.opts.read("input_range", range)
    if ranges:
        return ranges[0]
    if call.opts.echo:
        return [encode(word) for word in paced(call.args)]
    return _lines(call, count, end, random)
