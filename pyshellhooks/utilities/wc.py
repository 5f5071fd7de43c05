"""wc: count lines, words, characters and bytes (POSIX XCU wc; GNU coreutils 9.1)."""

from __future__ import annotations

import codecs
import stat

from ..command import Call, Flag, utility
from ..command.call import reason
from ..errors import UsageError
from ..patterns.charclass import is_print
from ..streams.base import Stream
from ..text import encode, paced
from .support.quoting import name_of, quote_name, report
from .support.records import blocks, names_in, wrong_name

_ORDER = ("lines", "words", "chars", "bytes", "max_line_length")
_BLANKS = b" \t\n\v\f\r"
# Bytes that neither separate nor form words.
_IGNORED = bytes(byte for byte in range(256) if not 33 <= byte < 127 and byte not in _BLANKS)
_NO_BLANKS = dict.fromkeys(map(ord, "\x1c\x1d\x1e\x1f\x85"))  # blanks to str.split, but not to wc
_MORE_BLANKS = "\u2060"  # GNU's isnbspace; str.split includes the other three


class _Counter:
    __slots__ = ("_column", "_decoder", "_in_word", "_wanted", "_wide", "counts")

    def __init__(self, wanted: set[str], wide: bool) -> None:
        self.counts = dict.fromkeys(_ORDER, 0)
        self._wanted = wanted
        self._wide = wide  # UTF-8; otherwise each byte is a character
        self._in_word = False
        self._column = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")

    def add(self, chunk: bytes) -> None:
        counts = self.counts
        counts["bytes"] += len(chunk)
        counts["lines"] += chunk.count(b"\n")
        wanted = self._wanted
        if not wanted & {"words", "chars", "max_line_length"}:
            return
        if not self._wide:
            text = chunk.decode("latin-1")
            plain = chunk
            counts["chars"] += len(chunk)
        else:
            text = self._decoder.decode(chunk)
            # A text of another length ends or begins within a character.
            plain = chunk if chunk.isascii() and len(text) == len(chunk) else b""
            counts["chars"] += len(text) if plain else _count_valid(text)
        if "words" in wanted:
            self._words(plain, text)
        if "max_line_length" in wanted:
            self._columns(text)

    def _words(self, plain: bytes, text: str) -> None:
        if plain:
            seen = plain.translate(None, _IGNORED)
            if not seen:
                return
            words = len(seen.split())
            starts, ends = seen[0] in _BLANKS, seen[-1] in _BLANKS
        else:
            shown = _words_and_blanks(text)
            if not shown:
                return
            words = len(shown.split())
            starts, ends = shown[0].isspace(), shown[-1].isspace()
        if self._in_word and not starts:
            words -= 1  # this word began in the previous block and was counted there
        self.counts["words"] += words
        self._in_word = not ends

    def _columns(self, text: str) -> None:
        column, longest = self._column, self.counts["max_line_length"]
        for char in text:
            if char in "\n\r\f":
                longest = max(longest, column)
                column = 0
            elif char == "\t":
                column += 8 - column % 8
            elif char.isascii():
                column += " " <= char <= "~"
            elif self._wide and char.isprintable():
                column += width_of(char)
        self._column = column
        self.counts["max_line_length"] = max(longest, column)


def _count_valid(text: str) -> int:
    """Count characters, without the bytes of invalid UTF-8."""
    return sum(not 0xDC80 <= ord(char) <= 0xDCFF for char in text)


def _words_and_blanks(text: str) -> str:
    """Return a text that ``str.split`` splits as wc does: without unprintable characters, with wc's blanks."""
    changes: dict[int, str | None] = {**_NO_BLANKS, ord(_MORE_BLANKS): " "}
    for char in set(text):
        if not is_print(char) and not char.isspace():
            changes.setdefault(ord(char), None)
    return text.translate(changes)


def width_of(char: str) -> int:
    """Return the number of terminal columns of a character."""
    from unicodedata import combining, east_asian_width

    if combining(char):
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def _number_width(call: Call, names: list[str], kinds: int) -> int:
    """Return the column width, computed from the sizes of the files as GNU's wc does."""
    if len(names) == 1 and kinds == 1:
        return 1
    least, total = 1, 0
    for name in filter(None, names):
        path = call.stdin.path() if name == "-" else name
        try:
            found = call.fs.stat(call.path(path)) if path else None
        except OSError:
            continue
        if found is None or not stat.S_ISREG(found.st_mode):
            least = 7  # GNU's width for a file of unknown size
        else:
            total += found.st_size
    return max(least, len(str(total)))


def _names(call: Call) -> list[tuple[str, str]]:
    """Return the inputs, from operands or ``--files0-from``, each with its error message or ""."""
    if "files0_from" not in call.opts:
        return [(name, "" if name else "invalid zero-length file name") for name in paced(call.args or ["-"])]
    if call.args:
        raise UsageError(
            f"extra operand {quote_name(call.args[0])}\nfile operands cannot be combined with --files0-from"
        )
    source = call.opts.value("files0_from")
    wrong = ("", "-") if source == "-" else ("",)  # standard input has the names, so it is not an input too
    names: list[tuple[str, str]] = []
    try:
        for number, name in names_in(call, source):
            names.append((name, wrong_name(source, number, name) if name in wrong else ""))
    except IsADirectoryError as error:
        raise UsageError(f"{name_of(source)}: read error: {reason(error)}", hint=False) from None
    except OSError as error:
        raise UsageError(f"cannot open {quote_name(source)} for reading: {reason(error)}", hint=False) from None
    return names


class _Report:
    """The output: a line for each input, and their totals."""

    def __init__(self, call: Call, wanted: set[str], width: int) -> None:
        self._call = call
        self._wanted = [kind for kind in _ORDER if kind in wanted]
        self._width = width
        self._has_names = bool(call.args) or "files0_from" in call.opts
        self._totals = dict.fromkeys(_ORDER, 0)

    def add(self, counts: dict[str, int], name: str) -> None:
        """Write the counts of an input."""
        shown = ""
        if "\n" in name:
            shown = name_of(name)  # on one line
        elif self._has_names:
            shown = name
        self._write(counts, shown)
        longest = max(self._totals["max_line_length"], counts["max_line_length"])
        for kind, count in counts.items():
            self._totals[kind] += count
        self._totals["max_line_length"] = longest

    def write_totals(self) -> None:
        self._write(self._totals, "total")

    def _write(self, counts: dict[str, int], name: str) -> None:
        columns = [f"{counts[kind]:{self._width}d}" for kind in self._wanted]
        if name:
            columns.append(name)
        self._call.out.write(encode(" ".join(columns) + "\n"))


@utility(
    "wc",
    paths=True,
    summary="Print newline, word, and byte counts for each FILE.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FILE]...",
    flags=[
        Flag("--files0-from", value="F", help="read input from the files specified by NUL-terminated names in F"),
        Flag("-c", "--bytes", help="print the byte counts"),
        Flag("-m", "--chars", help="print the character counts"),
        Flag("-l", "--lines", help="print the newline counts"),
        Flag("-L", "--max-line-length", help="print the maximum display width"),
        Flag("-w", "--words", help="print the word counts"),
    ],
    filters=True,
)
def wc(call: Call) -> int:
    wanted = {dest for dest in _ORDER if dest in call.opts} or {"lines", "words", "bytes"}
    wide = call.env.get("LC_ALL", "") not in ("C", "POSIX")
    inputs = _names(call)
    if call.opts.value("files0_from") == "-":
        width = 1  # names from a pipe are not known in advance
    else:
        width = _number_width(call, [name for name, _ in inputs], len(wanted))
    output = _Report(call, wanted, width)
    status = 0
    for name, wrong in inputs:
        if wrong:
            call.error(wrong)
            status = 1
            continue
        counter = _Counter(wanted, wide)
        stream: Stream | None = None
        try:
            stream = call.open_input(name)
            for chunk in blocks(call, stream):
                counter.add(chunk)
        except OSError as error:
            status = 1
            report(call, name, error)
            # GNU's wc can open a directory but not read it, so it writes zeros.
            if reason(error) != "Is a directory":
                continue
        finally:
            if stream is not None:
                stream.release()
        output.add(counter.counts, name)
    if len(inputs) > 1:
        output.write_totals()
    return status
