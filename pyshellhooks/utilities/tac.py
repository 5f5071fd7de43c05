"""tac: print files with their records in reverse order (GNU coreutils 9.1).

The last record is written first, so an input is held in memory as a whole; above a limit the run ends.
"""

from __future__ import annotations

from collections.abc import Callable

from ..command import Call, Flag, utility
from ..command.call import reason
from ..errors import UsageError
from ..patterns.charclass import is_utf8
from ..patterns.engines import Regex, compile_posix
from ..patterns.tree import PatternError
from ..text import encode, paced
from .support.lines import read_all
from .support.quoting import name_of, quote_name
from .support.records import Inputs

Find = Callable[[bytes, int], tuple[int, int] | None]


def _literal(separator: bytes) -> Find:
    def find(data: bytes, end: int) -> tuple[int, int] | None:
        at = data.rfind(separator, 0, end)
        if at < 0:
            return None
        return at, at + len(separator)

    return find


def _regex(call: Call, text: str) -> Find:
    """Return a function that finds the last match of the expression before ``end``, ignoring the data after it."""
    if not text:
        raise UsageError("separator cannot be empty", hint=False)
    try:
        pattern: Regex = compile_posix(_basic(text), extended=False, newline_anchors=True, utf8=is_utf8(call.env))
    except PatternError as error:
        raise UsageError(error.message, hint=False) from None

    def find(data: bytes, end: int) -> tuple[int, int] | None:
        seen = data[:end]
        at = end
        while at > 0:
            at -= 1
            if not at & 1023:
                call.check()
            spans = pattern.search(seen, at, scope=call.scope)
            if spans is not None and spans[0][0] == at:
                return spans[0]
        return None

    return find


def _basic(text: str) -> str:
    """Convert tac's syntax to a BRE.

    It is Emacs's: ``+`` and ``?`` repeat, and it has neither classes nor intervals.
    """
    out: list[str] = []
    at = 0
    while at < len(text):
        size = 2 if text[at] == "\\" else 1
        piece = text[at : at + size]
        if piece == "[":
            piece, size = _bracket(text, at)
        elif piece == ".":
            piece = "[^\n]"
        elif piece in ("\\{", "\\}"):
            piece = piece[1:]
        elif piece in ("+", "?", "\\+", "\\?"):
            # The other way round: GNU's BRE repeats with the backslash.
            piece = piece[1:] or "\\" + piece
        out.append(piece)
        at += size
    return "".join(out)


def _bracket(text: str, at: int) -> tuple[str, int]:
    """Return a bracket expression as a BRE, and its length in the text."""
    first = at + 2 if text[at + 1 : at + 2] == "^" else at + 1
    close = text.find("]", first + 1)  # a ] at the first place is a member
    piece = text[at : close + 1] if close >= 0 else text[at:]
    size = len(piece)
    if "[:" in piece[1:]:  # here these are two characters, so they are separated
        piece = f"[{piece[1:-1].replace('[', '')}[]"
    return piece, size


def _write(call: Call, data: bytes, find: Find, before: bool) -> None:
    end = limit = len(data)
    write = call.out.write
    first = True
    while (found := find(data, limit)) is not None:
        call.check()
        low, high = found
        cut = low if before else high
        # A separator at the very end closes the last record; it does not begin an empty one.
        ends_data = first and not before and cut == end
        if not ends_data:
            write(data[cut:end])
            end = cut
        first = False
        limit = low
    write(data[:end])


class _Files(Inputs):
    __slots__ = ()

    def report(self, name: str, error: OSError) -> None:
        if isinstance(error, IsADirectoryError):
            self.call.error(f"{name_of(name)}: read error: Invalid argument")
        else:
            self.call.error(f"failed to open {quote_name(name)} for reading: {reason(error)}")
        self.failed = True


@utility(
    "tac",
    paths=True,
    summary="Write each FILE to standard output, last line first.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FILE]...",
    flags=[
        Flag("-b", "--before", help="attach the separator before instead of after"),
        Flag("-r", "--regex", help="interpret the separator as a regular expression"),
        Flag("-s", "--separator", value="STRING", help="use STRING as the separator instead of newline"),
    ],
    filters=True,
)
def tac(call: Call) -> int:
    opts = call.opts
    text = opts.value("separator", "\n")
    find = _regex(call, text) if opts.regex else _literal(encode(text) or b"\0")
    simple = not opts.regex and not opts.before and len(text) == 1
    inputs = _Files(call, call.args)
    for _, stream in inputs:
        data = read_all(call, stream)
        if not simple:
            _write(call, data, find, opts.before)
            continue
        # One split instead of a search for each line.
        separator = encode(text)
        pieces = data.split(separator)
        tail = pieces.pop()
        pieces.reverse()
        call.out.write(tail)
        for piece in paced(pieces):
            call.out.write(piece + separator)
    return int(inputs.failed)
