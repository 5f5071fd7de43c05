"""tail: the last part of files (POSIX XCU tail; GNU coreutils 9.1). Nothing follows a file: a hook ends."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Mapping, Sequence

from ..command import Call, Flag, Flags, Given, Options, utility
from ..errors import UsageError
from ..regexes import lazy_pattern
from ..streams.base import Stream
from .head import BYTES, LINES, Parts, amount
from .sleep import seconds_of
from .support.kinds import Choice, Count
from .support.quoting import quote
from .support.records import BLOCK, blocks


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
    """Return where a file is read from and where it ends; None for what cannot be read from its end."""
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
    """Go to the block where the last lines of a file begin, by reading it from its end."""
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
    held: deque[tuple[bytes, int]] = deque()
    total = 0
    for chunk in blocks(call, stream):
        found = chunk.count(delimiter)
        held.append((chunk, found))
        total += found
        # One more than asked for: the newline before the first line wanted.
        while held and total - held[0][1] > count:
            total -= held.popleft()[1]
    data = b"".join(chunk for chunk, _ in held)
    if not count:
        return
    end = len(data) - 1 if data.endswith(delimiter) else len(data)
    for _ in range(count):
        end = data.rfind(delimiter, 0, end)
        if end < 0:
            break
    call.out.write(data[end + 1 :])


def _last_bytes(call: Call, stream: Stream, count: int) -> None:
    span = _span(stream)
    if span is not None:
        stream.seek(max(span[0], span[1] - count))
    held = b""
    for chunk in blocks(call, stream):
        held = (held + chunk)[-count:] if count else b""
    call.out.write(held)


_OLD = lazy_pattern(r"\+(\d*)([bcl]?)|-(\d+)([bcl]?)")


class _TailFlags(Flags):
    """Options, and the old form ``tail +NUM[bcl] [FILE]``, ``tail -NUM[bcl] [FILE]``."""

    __slots__ = ()

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[Options, list[str]]:
        words = list(argv)
        if 1 <= len(words) <= 2 and (old := _OLD.fullmatch(words[0])):
            number = old[1] or old[3] or "10"
            letter = old[2] or old[4] or "l"
            sign = "+" if words[0][0] == "+" else ""
            words[:1] = ["-n" if letter == "l" else "-c", sign + number + ("b" if letter == "b" else "")]
        try:
            return super().parse(words, env)
        except UsageError as error:
            last = error.message[-2:-1]
            if error.message.startswith("invalid option") and last.isdecimal():
                raise UsageError(f"option used in invalid context -- {last}", hint=False) from None
            raise


def _interval(given: Given) -> float:
    seconds = seconds_of(given.text)
    if seconds is None or given.text.endswith(("s", "m", "h", "d")):
        raise UsageError(f"invalid number of seconds: {quote(given.text, given.env)}", hint=False)
    return seconds


_STATS = Count("maximum number of unchanged stats between opens")


@utility(
    "tail",
    summary="Print the last 10 lines of each FILE to standard output.",
    usage="[OPTION]... [FILE]...",
    flags=_TailFlags(
        [
            Flag(
                "-c", "--bytes", value="[+]NUM", kind=BYTES, help="output the last NUM bytes; with '+', from byte NUM"
            ),
            Flag("-f", dest="follow", help="(refused)"),
            Flag(
                "--follow", value="HOW", optional=True, kind=Choice("descriptor", "name"), help="(refused: a hook ends)"
            ),
            Flag("-F", help="(refused)"),
            Flag(
                "-n", "--lines", value="[+]NUM", kind=LINES, help="output the last NUM lines; with '+', from line NUM"
            ),
            Flag("--max-unchanged-stats", value="N", kind=_STATS, help="(ignored without -f)"),
            Flag("--pid", value="PID", kind=Count("PID", most=2**31 - 1), help="(warns: only with -f)"),
            Flag("--retry", help="(warns: only with -f)"),
            Flag("-q", "--quiet", "--silent", help="never output headers giving file names"),
            Flag("-s", "--sleep-interval", value="N", kind=_interval, help="(ignored without -f)"),
            Flag("-v", "--verbose", help="always output headers giving file names"),
            Flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
        ],
    ),
    filters=True,
)
def tail(call: Call) -> int:
    opts = call.opts
    if opts.retry:
        call.error("warning: --retry ignored; --retry is useful only when following")
    if "pid" in opts:
        call.error("warning: PID ignored; --pid=PID is useful only when following")
    unit, wanted = amount(call)
    count, onwards = wanted.count, wanted.sign == "+"
    if "follow" in opts or "F" in opts:
        raise UsageError("option '--follow' (-f) is not supported: a hook ends", hint=False)
    delimiter = b"\0" if opts.zero_terminated else b"\n"
    inputs = Parts(call, call.args)
    for name, stream in inputs:
        inputs.headers.write(call, name)
        if unit == "bytes":
            (_from_byte if onwards else _last_bytes)(call, stream, count)
        else:
            (_from_line if onwards else _last_lines)(call, stream, count, delimiter)
    return int(inputs.failed)
