"""The command tail (POSIX XCU tail; GNU coreutils 9.1)."""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Mapping, Sequence

from ...command import Call, Flag, Flags, Options, RawArgument, reason, utility
from ...errors import UsageError
from ...regexes import lazy_pattern
from ...streams.base import Stream
from ..head import BYTES, LINES, Amount, Parts, amount
from ..sleep import seconds_of
from ..support.kinds import Choice, Count
from ..support.quoting import quote, quote_name
from ..support.records import BLOCK, blocks
from .follow import Follower


def _from_line(call: Call, stream: Stream, number: int, delimiter: bytes) -> None:
    skip = max(0, number - 1)
    for chunk in blocks(call, stream):
        if skip:
            found = chunk.count(delimiter)
            if found < skip:
                skip -= found
                continue
            end = -1
            for _ in range(skip):
                end = chunk.find(delimiter, end + 1)
            skip = 0
            chunk = chunk[end + 1 :]
        call.out.write(chunk)


def _from_byte(call: Call, stream: Stream, number: int) -> None:
    skip = max(0, number - 1)
    for chunk in blocks(call, stream):
        call.out.write(chunk[skip:])
        skip = max(0, skip - len(chunk))


def _span(stream: Stream) -> tuple[int, int] | None:
    """Return the current and the end offset of a file, or None if it is short or cannot seek."""
    try:
        here = stream.seek(0, os.SEEK_CUR)
        end = stream.seek(0, os.SEEK_END)
        if end - here <= BLOCK:
            stream.seek(here)
            return None
    except OSError:
        return None
    return here, end


def _skip_to_lines(call: Call, stream: Stream, count: int, delimiter: bytes) -> None:
    """Seek to the block in which the last lines of a file begin, by reading backwards."""
    span = _span(stream)
    if span is None:
        return
    start, at = span
    found = 0
    while at > start and found <= count:
        call.check()
        size = min(BLOCK, at - start)
        at = stream.seek(at - size)
        while size and (chunk := stream.read(size)):
            found += chunk.count(delimiter)
            size -= len(chunk)
    stream.seek(at)


def _last_lines(call: Call, stream: Stream, count: int, delimiter: bytes) -> None:
    _skip_to_lines(call, stream, count, delimiter)
    buffer: deque[tuple[bytes, int]] = deque()
    total = 0
    for chunk in blocks(call, stream):
        found = chunk.count(delimiter)
        buffer.append((chunk, found))
        total += found
        # One more than requested: the newline before the first of these lines.
        while buffer and total - buffer[0][1] > count:
            total -= buffer.popleft()[1]
    data = b"".join(chunk for chunk, _ in buffer)
    if not count:
        return
    end = len(data)
    if data.endswith(delimiter):
        end = len(data) - 1
    for _ in range(count):
        end = data.rfind(delimiter, 0, end)
        if end < 0:
            break
    call.out.write(data[end + 1 :])


def _last_bytes(call: Call, stream: Stream, count: int) -> None:
    span = _span(stream)
    if span is not None:
        stream.seek(max(span[0], span[1] - count))
    buffer = b""
    for chunk in blocks(call, stream):
        if count:
            buffer = (buffer + chunk)[-count:]
        else:
            buffer = b""
    call.out.write(buffer)


_OLD = lazy_pattern(r"([+-])([0-9]*)([bcl]?)(f?)")
_MODERN = ("-", "-c", "-f")  # these have another meaning


class _TailFlags(Flags):
    """Options, and the obsolescent form ``tail +NUM[bcl][f] [FILE]``, ``tail -NUM[bcl][f] [FILE]``."""

    __slots__ = ()

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        words = list(argv)
        if words and words[0] not in _MODERN and _may_be_old(words[1:]):
            words[:1] = _modern(words[0]) or words[:1]
        try:
            return super().parse(words, env)
        except UsageError as error:
            last = error.message[-2:-1]
            if error.message.startswith("invalid option") and last.isdecimal():
                raise UsageError(f"option used in invalid context -- {last}", hint=False) from None
            raise


def _may_be_old(rest: Sequence[str]) -> bool:
    """Return whether the words after the first allow the obsolescent form: at most one file, and no option."""
    if rest[:1] == ["--"]:
        return len(rest) < 3
    if len(rest) > 1:
        return False
    return not rest or rest[0] == "-" or not rest[0].startswith("-")


def _modern(word: str) -> list[str] | None:
    """Return the options that an obsolescent word means, or None for another word."""
    old = _OLD.fullmatch(word)
    if old is None:
        return None
    sign, number, letter, follow = old.groups()
    amount = sign.strip("-") + (number or "10")
    options = ["-n", amount]
    if letter == "b":
        options = ["-c", amount + "b"]  # blocks of 512 bytes
    elif letter == "c":
        options = ["-c", amount]
    if follow:
        options.append("-f")
    return options


def _interval(argument: RawArgument) -> float:
    seconds = seconds_of(argument.text)
    if seconds is None or argument.text.endswith(("s", "m", "h", "d")):
        raise UsageError(f"invalid number of seconds: {quote(argument.text, argument.env)}", hint=False)
    return seconds


_STATS = Count("maximum number of unchanged stats between opens")


@utility(
    "tail",
    paths=True,
    summary="Print the last 10 lines of each FILE to standard output.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FILE]...",
    flags=_TailFlags(
        [
            Flag(
                "-c", "--bytes", value="[+]NUM", kind=BYTES, help="output the last NUM bytes; with '+', from byte NUM"
            ),
            Flag("-f", dest="follow", help="output appended data until the run ends"),
            Flag(
                "--follow",
                value="HOW",
                optional=True,
                kind=Choice("descriptor", "name"),
                help="likewise; name: reopen a file that is replaced",
            ),
            Flag("-F", help="the same as --follow=name --retry"),
            Flag(
                "-n", "--lines", value="[+]NUM", kind=LINES, help="output the last NUM lines; with '+', from line NUM"
            ),
            Flag("--max-unchanged-stats", value="N", kind=_STATS, help="(checked)"),
            Flag(
                "--pid",
                value="PID",
                kind=Count("PID", most=2**31 - 1),
                help="with -f: end when process PID of this run ends",
            ),
            Flag("--retry", help="with -f: wait for missing files"),
            Flag("-q", "--quiet", "--silent", help="never output headers giving file names"),
            Flag("-s", "--sleep-interval", value="N", kind=_interval, help="(validated, no effect)"),
            Flag("-v", "--verbose", help="always output headers giving file names"),
            Flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
        ],
    ),
    filters=True,
)
def tail(call: Call) -> int:
    opts = call.opts
    follower = _follower(call)
    if "pid" in opts and follower is None:
        call.error("warning: PID ignored; --pid=PID is useful only when following")
    unit, count, onwards = _wanted(call)
    if not count and not onwards and follower is None:
        return 0  # GNU tail ends here before it opens a file
    delimiter = b"\0" if opts.zero_terminated else b"\n"
    call.read_text(unit == "lines")
    inputs = _Inputs(call, follower, seeks=onwards or unit == "bytes")
    for name, stream in inputs:
        inputs.headers.write(call, name)
        if unit == "bytes" and onwards:
            _from_byte(call, stream, count)
        elif unit == "bytes":
            _last_bytes(call, stream, count)
        elif onwards:
            _from_line(call, stream, count, delimiter)
        else:
            _last_lines(call, stream, count, delimiter)
        if follower is not None:
            follower.add(name, stream)
    if follower is not None:
        follower.run(inputs.headers)
        if inputs.failed:
            call.error("no files remaining")
    return int(inputs.failed)


def _wanted(call: Call) -> tuple[str, int, bool]:
    """Return the unit, the count, and whether it counts from the start.

    A ``+`` of any option applies to the last one (coreutils 9.1).
    """
    unit, wanted = amount(call)
    signs = {given.sign for dest in ("bytes", "lines") for given in call.opts.read(dest, Amount)}
    return unit, wanted.count, "+" in signs


def _follower(call: Call) -> Follower | None:
    opts = call.opts
    how = opts.last_of("follow", "F")
    if how is None:
        if opts.retry:
            call.error("warning: --retry ignored; --retry is useful only when following")
        return None
    by_name = how == "F" or opts.value("follow") == "name"
    if opts.retry and not by_name:
        call.error("warning: --retry only effective for the initial open")
    retry = opts.retry or "F" in opts
    return Follower(call, by_name=by_name, retry=retry, pid=opts.integer("pid", 0))


class _Inputs(Parts):
    """Inputs. A missing file may appear later."""

    __slots__ = ("_follower", "_seeks")

    def __init__(self, call: Call, follower: Follower | None, *, seeks: bool) -> None:
        super().__init__(call, call.args)
        self._follower = follower
        self._seeks = seeks  # an unreadable file ends the call (coreutils 9.1: dump_remainder)

    def report(self, name: str, error: OSError) -> None:
        is_directory = error.errno == errno.EISDIR
        if is_directory and self._seeks and self._follower is None:
            self.headers.write(self.call, name)
            raise UsageError(f"error reading {quote_name(name)}: {reason(error)}", 1, hint=False)
        super().report(name, error)
        if self._follower is not None:
            self._follower.wait_for_missing(name, error)
