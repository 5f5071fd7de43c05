"""Fast path for JSON lines: the filter runs on the buffered lines one by one, and the results are written together.

The command does everything else, from where this stopped: a line that is not one value, a large result, and programs
that read inputs or write to stderr.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from ...text import encode
from .command import NO_OUTPUT, NOTHING, OK
from .compiler.filters import Filter, results
from .errors import JqError
from .inputs import END, Inputs, JsonInputs
from .json.reader import Parser
from .json.scanner import scan
from .json.writer import spell_scalar

if TYPE_CHECKING:
    from .arguments import Arguments
    from .running import Run

AT_HAND: Final = 4096  # characters from which on it is faster
_LONGEST: Final = 9_000  # characters of a line: a value nested too deeply is longer
_TOGETHER: Final = 1 << 16  # characters that are written together
_LARGE: Final = 1 << 16  # characters of a string that is written in pieces
_MOST_ITEMS: Final = 512
# A program with one of these words may write to stderr, or read inputs or their position.
_WORDS: Final = ("debug", "stderr", "input", "import", "include", "modulemeta")
_PLAIN = frozenset((int, bool, type(None)))


def make_lines(run: Run, arguments: Arguments, text: str, inputs: Inputs) -> Lines | None:
    """Return the fast path for lines, or None if the options, the inputs or the program rule it out."""
    if not isinstance(inputs, JsonInputs) or not isinstance(inputs._parser, Parser):
        return None
    if arguments.slurp or arguments.seq or arguments.raw0:
        return None
    if arguments.unbuffered or arguments.color or run.call.stdout.isatty():
        return None
    if any(word in text for word in _WORDS) or run.has_home_module():
        return None
    return Lines(run, arguments, inputs._parser)


class Lines:
    """The fast path for lines in one run."""

    __slots__ = (
        "_encode",
        "_end",
        "_layout",
        "_parser",
        "_raw",
        "_result",
        "_run",
        "_size",
        "_spell",
        "_text",
        "_texts",
        "last",
    )

    def __init__(self, run: Run, arguments: Arguments, parser: Parser) -> None:
        self._run = run
        self._parser = parser
        self._text = ""  # the last one that was processed
        self._layout = layout = arguments.layout
        self._spell = layout.spell
        self._raw = arguments.raw and not layout.ascii
        self._end = "" if arguments.join else "\n"
        self._texts: list[str] = []  # results that are not written yet
        self._size = 0
        # The encoder's output is the line to print; else None.
        self._encode: Callable[[Any], str] | None = None if layout.indent is not None or layout.sort else layout._encode
        self._result: Any = END  # the last one of an input
        self.last: int | None = None  # the last status other than NO_OUTPUT

    def process(self, filter_: Filter, env: Any) -> None:
        """Run the filter on the buffered lines, up to the first one that the fast path can't process."""
        parser = self._parser
        text, at = parser.text, parser.at
        if text is self._text or len(text) - at < AT_HAND:
            return
        if not parser.plain or not parser.is_between():
            return
        self._text = text
        if text[at] == "\n":
            at += 1
        lines = text[at : text.rfind("\n") + 1].split("\n")
        del lines[-1]
        try:
            self._process(filter_, env, lines, at)
        finally:
            self._flush()

    def _process(self, filter_: Filter, env: Any, lines: list[str], at: int) -> None:
        parser, run, write, command, one = self._parser, self._run, self._write, self._run.command, filter_.one
        for number, line in enumerate(lines):
            if not number & 15:
                run.check()
            try:
                value, size = scan(line, 0)
            except (StopIteration, ValueError, RecursionError):
                break
            if size != len(line) or size > _LONGEST or command.handover is not None:
                break
            parser.at = at + size
            at += size + 1
            command.item, command.status, self._result = value, NO_OUTPUT, END
            try:
                if one is not None:
                    write(one(value, env, run))
                else:
                    for result in results(filter_, value, env, run):
                        write(result)
            except JqError as error:
                self._flush()
                command.complain(error.value)
                continue
            command.item = END
            if self._result is not END:
                if self._result is None or self._result is False:
                    command.status = self.last = NOTHING
                else:
                    command.status = self.last = OK

    def _write(self, result: Any) -> None:
        """Add a result to those that are written together."""
        self._run.command.item = END
        self._result = result
        kind = type(result)
        text: str | None = None
        if kind is str:
            if len(result) <= _LARGE:
                text = result if self._raw else self._spell(result)
        elif kind is dict or kind is list:
            text = self._encode_plain(result) or self._layout.whole(result, 0)
        else:
            text = spell_scalar(result)
        if text is None:
            self._flush()
            self._run.command.write(result)
            return
        self._texts.append(text)
        self._size += len(text)
        if self._size > _TOGETHER:
            self._flush()

    def _flush(self) -> None:
        texts = self._texts
        if texts:
            texts.append("")
            self._run.call.out.write(encode(self._end.join(texts)))
            texts.clear()
            self._size = 0

    def _encode_plain(self, value: Any) -> str | None:
        """Return the text of a small container if the encoder renders it as jq does, else None."""
        if self._encode is None:
            return None
        row = [value]
        items = 0
        for container in row:
            items += len(container)
            if items > _MOST_ITEMS:
                return None
            values = container.values() if type(container) is dict else container
            for item in values:
                kind = type(item)
                if kind in _PLAIN:
                    continue
                if kind is str:
                    items += len(item) >> 8
                elif kind is dict or kind is list:
                    row.append(item)
                else:
                    # jq spells other numbers in another way than Python.
                    is_plain = kind is float and (0.001 <= item < 1e15 or -1e15 < item <= -0.001)
                    if not is_plain or not item % 1:
                        return None
        try:
            text = self._encode(value)
        except RecursionError:
            return None
        if "\x7f" in text:
            return text.replace("\x7f", "\\u007f")
        return text
