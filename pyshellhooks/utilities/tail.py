"""tail: the last part of files (POSIX XCU tail; GNU coreutils 9.1). Nothing follows a file: a hook ends."""

from __future__ import annotations

from collections import deque

from ..command import Call, Flag, Flags, utility
from ..errors import UsageError
from ..streams.base import Stream
from .head import Parts
from .quoting import quote
from .records import blocks, size_of


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


def _last_lines(call: Call, stream: Stream, count: int, delimiter: bytes) -> None:
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
    held = b""
    for chunk in blocks(call, stream):
        held = (held + chunk)[-count:] if count else b""
    call.out.write(held)


@utility(
    "tail",
    summary="Print the last 10 lines of each FILE to standard output.",
    usage="[OPTION]... [FILE]...",
    flags=Flags(
        [
            Flag("-c", "--bytes", value="[+]NUM", help="output the last NUM bytes; with '+', starting with byte NUM"),
            Flag("-f", dest="follow", help="(refused)"),
            Flag("--follow", value="HOW", optional=True, help="(refused: a hook ends)"),
            Flag("-F", help="(refused)"),
            Flag("-n", "--lines", value="[+]NUM", help="output the last NUM lines; with '+', starting with line NUM"),
            Flag("-q", "--quiet", "--silent", help="never output headers giving file names"),
            Flag("-s", "--sleep-interval", value="N", help="(ignored without -f)"),
            Flag("-v", "--verbose", help="always output headers giving file names"),
            Flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
        ],
        numeric="lines",
    ),
)
def tail(call: Call) -> int:
    opts = call.opts
    if "follow" in opts or "F" in opts:
        raise UsageError("following a file (-f) is not supported: it would never end", hint=False)
    unit = opts.last_of("bytes", "lines") or "lines"
    text = opts.value(unit, "10")
    count = size_of(text.lstrip("+-") if text[:1] in ("+", "-") else text)
    if count is None:
        raise UsageError(f"invalid number of {unit}: {quote(text.removeprefix('-'), call.env)}", hint=False)
    delimiter = b"\0" if opts.zero_terminated else b"\n"
    inputs = Parts(call, call.args)
    for name, stream in inputs:
        inputs.headers.write(call, name)
        if unit == "bytes":
            (_from_byte if text.startswith("+") else _last_bytes)(call, stream, count)
        else:
            (_from_line if text.startswith("+") else _last_lines)(call, stream, count, delimiter)
    return int(inputs.failed)
