"""``read`` (POSIX XCU read; bash ``-a -d -n -N -p -r -s -t -u``)."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain, repeat
from typing import Any

from ..cancel import CancelScope
from ..command.call import reason
from ..errors import Stop, UsageError
from ..interp.assign import Element, set_array
from ..interp.builtin import Options, builtin
from ..interp.lines import line_of
from ..interp.numbers import invalid_number, whole_number
from ..regexes import lazy_pattern
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.references import is_name, split_reference
from ..state.splitting import DEFAULT_IFS
from ..streams.base import MovableStream, Stream
from ..streams.pipe import TextReader, as_text, pipe_of
from ..text import EVERY, decode, encode, paced, remembered

_USAGE = "[-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]"

_MOST = 2**31 - 1  # a C int, as in bash
# Replaces a character after a backslash; it occurs in no line and in no IFS.
PROTECTED = "\0"
# Digits with a point, all of them optional; a negative number is invalid (bash).
_TIME = lazy_pattern(r"\+?[0-9]*(\.[0-9]*)?|-0*(\.0*)?")
# Text and the character after the backslash that follows it, or text alone.
_PIECES = lazy_pattern(r"([^\\]*)\\(.)|([^\\]+)", re.DOTALL)


class _Wanted:
    """The options of one call."""

    __slots__ = ("array", "count", "delimiter", "exact", "fd", "names", "prompt", "raw", "timeout")

    def __init__(self) -> None:
        self.array: str | None = None
        self.count: int | None = None
        self.exact = False
        self.delimiter = "\n"
        self.fd = 0
        self.names: list[str] = []
        self.prompt: str | None = None
        self.raw = False
        self.timeout: float | None = None


def _parse(argv: list[str]) -> _Wanted:
    wanted = _Wanted()
    options = Options(argv, "rse", "adinNptu")
    for letter, value in options:
        _option(wanted, letter, value)
    wanted.names = options.operands
    return wanted


def _option(options: _Wanted, letter: str, value: str) -> None:
    match letter:
        case "r":
            options.raw = True
        case "a":
            options.array = value
        case "d":
            options.delimiter = value[:1] or "\0"  # an empty text means NUL, as ``find -print0`` writes it
        case "n" | "N":
            options.count, options.exact = _number(value, invalid_number(value)), letter == "N"
        case "p":
            options.prompt = value
        case "t":
            wrong = f"{value}: invalid timeout specification"
            amount = "0" + value.lstrip("+-")
            if _TIME.fullmatch(value) is None:
                raise UsageError(wrong, 1, hint=False)
            _number(amount.partition(".")[0], wrong, 2**63 - 1)
            options.timeout = float(amount)
        case "u":
            options.fd = _number(value, f"{value}: invalid file descriptor specification")


def _number(text: str, wrong: str, most: int = _MOST) -> int:
    number = whole_number(text, 0, most)
    if number is None:
        raise UsageError(wrong, 1, hint=False)
    return number


def _check_name(name: str, good: bool) -> None:
    if not good:
        raise UsageError(f"`{name}': not a valid identifier", 1, hint=False)


@builtin("read", summary="Read a line into variables.", usage=_USAGE)
def read(ctx: Ctx, argv: list[str]) -> int:
    options = _parse(argv)
    for name in options.names[:1]:  # bash checks the others when it sets them
        _check_name(name, split_reference(name) is not None)
    try:
        stream = ctx.fds.get(options.fd)
    except OSError as error:
        message = "read error: 0"
        if options.fd:
            message = f"{options.fd}: invalid file descriptor"
        raise UsageError(f"{message}: {reason(error)}", 1, hint=False) from None
    if options.prompt is not None and stream.isatty():
        ctx.write_error(options.prompt)
    # -t 0 only tests whether there is input (bash).
    if options.timeout == 0:
        return int(not _ready(stream))
    if options.count == 0:
        _store(ctx, options, "", "")
        return 0
    # On Windows programs write CR LF.
    if ctx.run.host.crlf:
        stream = as_text(stream)
    try:
        line, shown, status = _read(ctx, stream, options)
    except OSError as error:
        raise UsageError(f"read error: {options.fd}: {reason(error)}", 1, hint=False) from None
    _store(ctx, options, line, shown)
    return status


class Patient(Stream):
    """A stream whose reads wait under a separate scope. ``got`` is the partial line of an interrupted read."""

    __slots__ = ("_original_scope", "_inner", "_pipe", "_scope", "got")

    def __init__(self, inner: Stream, scope: CancelScope) -> None:
        self.references = 0
        source = inner.reader if isinstance(inner, TextReader) else inner
        if isinstance(source, MovableStream) and source.moved is not None:
            source = inner = source.moved
        self._inner = inner
        self._pipe = pipe_of(source)
        self._scope = scope
        self.got = bytearray()
        file: Any = getattr(source, "inner", source)
        self._original_scope = (file, file._scope) if hasattr(file, "_scope") else None
        if self._original_scope is not None:
            file._scope = scope

    def restore(self) -> None:
        """Restore the stream's scope."""
        if self._original_scope is not None:
            self._original_scope[0]._scope = self._original_scope[1]

    def read(self, size: int = 65536, /) -> bytes:
        if self._scope.stop is not None:
            self._scope.check()
        if self._pipe is not None:
            self._pipe.await_data(self._scope)
        return self._inner.read(size)

    def readline(self, delimiter: bytes = b"\n", limit: int = -1) -> bytes:
        self.got.clear()
        while limit < 0 or len(self.got) < limit:
            byte = self.read(1)
            self.got += byte
            if not byte or byte == delimiter:
                break
        return bytes(self.got)

    def fileno(self) -> int | None:
        return self._inner.fileno()

    def isatty(self) -> bool:
        return self._inner.isatty()


def _ready(stream: Stream) -> bool:
    ready = getattr(stream, "ready", None)
    if ready is None:  # a file, which never makes a reader wait
        return True
    return bool(ready())


def _read(ctx: Ctx, stream: Stream, options: _Wanted) -> tuple[str, str, int]:
    """Read one record. Return its text, the text as field splitting sees it, and the status."""
    collected: list[str] = []
    if options.timeout is None:
        return _read_record(ctx, stream, options, collected)
    task = ctx.task
    outer = task.scope
    scope = CancelScope(timeout=options.timeout, grace=0.0, parent=outer)
    task.move(scope)
    patient = Patient(stream, scope)
    try:
        return _read_record(ctx, patient, options, collected)
    except Stop:
        if outer.stop is not None:
            raise
        # 128 + SIGALRM: the status of bash after a timeout, with the text so far.
        return "".join(collected) or decode(bytes(patient.got)), "", 142
    finally:
        patient.restore()
        task.close()
        scope.close()
        task.move(outer)
        if outer.stop is not None:
            task.stop = outer.stop


def _read_record(ctx: Ctx, stream: Stream, options: _Wanted, collected: list[str]) -> tuple[str, str, int]:
    if options.count is not None:
        return _read_characters(ctx, stream, options, collected)
    delimiter = encode(options.delimiter)[:1]
    data = line_of(ctx, stream, delimiter, "read")
    if not options.raw and b"\\" in data:
        return _read_escaped(ctx, stream, data, delimiter)
    status = 1  # the input ended before a delimiter
    if data.endswith(delimiter):
        data = data[:-1]
        status = 0
    return decode(data.replace(b"\0", b"")), "", status


def _read_escaped(ctx: Ctx, stream: Stream, data: bytes, delimiter: bytes) -> tuple[str, str, int]:
    """Read a record without ``-r``: a backslash quotes the next character and joins lines."""
    out: list[str] = []
    shown: list[str] = []
    mark = decode(delimiter)
    size = 0
    status = 1
    while data:
        size += len(data)
        if size > ctx.limits.string:
            raise Stop("limit", f"read: a line is longer than {ctx.limits.string} bytes", "string")
        joined = False
        text = decode(data)
        for turn, match in enumerate(_PIECES.finditer(text), 1):
            text_before, protected, text_alone = match.groups("")
            piece = text_before or text_alone
            # The next line belongs to this one if a backslash quotes the end of the line.
            joined = protected in ("\n", mark) and match.end() == len(text)
            if not protected and piece.endswith(mark):  # a line has one, at its end
                piece, status = piece.removesuffix(mark), 0
            out += piece.replace("\0", ""), protected.strip("\n")
            shown += out[-2], PROTECTED * len(out[-1])
            if not turn % EVERY:
                ctx.task.check()
        data = line_of(ctx, stream, delimiter, "read") if joined else b""
    return "".join(out), "".join(shown), status


def _read_characters(ctx: Ctx, stream: Stream, options: _Wanted, out: list[str]) -> tuple[str, str, int]:
    """Read characters for ``-n`` and ``-N`` into ``out``; ``-n`` ends at the delimiter too."""
    assert options.count is not None
    shown: list[str] = []
    read_char = _character_reader(stream)
    escaped = False
    status = 1
    while len(out) < options.count:
        char = read_char()
        if not char:
            break
        if not escaped:
            if char == options.delimiter and not options.exact:
                status = 0
                break
            if char == "\\" and not options.raw:
                escaped = True
                continue
        is_continuation = escaped and char == "\n"  # an escaped end of a line joins it to the next
        if char != "\0" and not is_continuation:
            out.append(char)
            shown.append(PROTECTED if escaped else char)
            if len(out) > ctx.limits.string:
                raise Stop("limit", f"read: more than {ctx.limits.string} characters", "string")
        escaped = False
        ctx.task.check()
    else:
        status = 0
    return "".join(out), "".join(shown), status


def _character_reader(stream: Stream) -> Callable[[], str]:
    def read_char() -> str:
        data = stream.read(1)
        if not data:
            return ""
        if data[0] >= 0xC0:
            for _ in range(_bytes_after(data[0])):
                data += stream.read(1)
        return decode(data)

    return read_char


def _bytes_after(lead: int) -> int:
    """Return how many bytes follow the first byte of a character in UTF-8, if that is not ASCII."""
    if lead < 0xE0:
        return 1
    if lead < 0xF0:
        return 2
    if lead < 0xF8:
        return 3
    return 0  # no character begins with it


def _store(ctx: Ctx, options: _Wanted, line: str, shown: str) -> None:
    ifs = variables.get(ctx, "IFS")
    if ifs is None:
        ifs = DEFAULT_IFS
    if options.array is not None:
        _check_name(options.array, is_name(options.array))
        binding = ctx.vars.get(options.array)
        if variables.is_associative(binding):
            raise UsageError(f"{options.array}: cannot convert associative to indexed array", 1, hint=False)
        if options.exact and line:  # -N does not split
            fields = [line]
        else:
            fields = split_fields(ctx, line, shown, ifs, None)
        set_array(ctx, options.array, [Element(None, False, fields)], False)
        return
    if not options.names:
        variables.assign(ctx, "REPLY", line)
        return
    if options.exact:
        values = [line]
    else:
        values = split_fields(ctx, line, shown, ifs, len(options.names))
    # Names without a field become empty.
    for name, value in zip(paced(options.names), chain(values, repeat("")), strict=False):
        _check_name(name, split_reference(name) is not None)
        variables.assign_reference(ctx, name, value)


@remembered(32)
def _scanners(ifs: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of IFS blanks, of a field, and of the text after a field."""
    blanks = "".join(c for c in ifs if c in DEFAULT_IFS)
    hard = "".join(c for c in ifs if c not in DEFAULT_IFS)
    blank = f"[{re.escape(blanks)}]*" if blanks else ""
    field = f"[^{re.escape(ifs)}]*" if ifs else "(?s:.*)"
    behind = f"{blank}(?:[{re.escape(hard)}]{blank})?" if hard else blank
    return re.compile(blank), re.compile(field), re.compile(behind)


def split_fields(ctx: Ctx, line: str, shown: str, ifs: str, count: int | None) -> list[str]:
    """Split a line for ``read``: the last of ``count`` fields is the rest, without trailing IFS blanks.

    ``shown`` is the line with its quoted characters replaced, or "" if it has none.
    """
    shown = shown or line
    ifs = "".join(dict.fromkeys(ifs))
    blank, field, behind = _scanners(ifs)
    size = len(line)
    at = _end(blank, shown, 0)
    fields: list[str] = []
    while at < size:
        if count is not None and len(fields) == count - 1:
            fields.append(_rest(line, shown, at, ifs))
            return fields
        end = _end(field, shown, at)
        fields.append(line[at:end])
        at = _end(behind, shown, end)
        if not len(fields) % EVERY:
            ctx.task.check()
            if len(fields) > ctx.limits.array:
                raise Stop("limit", f"read: more than {ctx.limits.array} fields", "array")
    return fields


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    assert match is not None  # each pattern also matches an empty text
    return match.end()


def _rest(line: str, shown: str, start: int, ifs: str) -> str:
    blanks = "".join(c for c in ifs if c in DEFAULT_IFS)
    hard = [c for c in ifs if c not in DEFAULT_IFS]
    value = shown[start:].rstrip(blanks)
    if value and value[-1] in ifs:
        # A single delimiter after the last field is removed: "a:" read into one name gives "a".
        before = value[:-1]
        if not any(c in before for c in hard):
            value = before.rstrip(blanks)
    return line[start : start + len(value)]
