"""Conversion of jq's output to another format: the JSON is parsed again and passed to a writer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from ...streams import Stream
from ..jq.json.reader import END, MORE, PIECE, ParseError, Parser
from ..jq.json.utf8 import decoder
from .failures import Failure

if TYPE_CHECKING:
    from ..jq.running import Run


class Writer(Protocol):
    """Renderer of values in one format."""

    def document(self, value: Any) -> Iterator[str]:
        """Yield the text of a value, in pieces. Raise ``Failure`` if the format can't express it."""

    def end(self) -> Iterator[str]:
        """Yield the text after the last value."""


class Results(Stream):
    """The standard output of jq. ``put`` is called with the texts that the writer makes of its values."""

    __slots__ = ("_decode", "_parser", "_put", "_run", "_writer")

    def __init__(self, run: Run, writer: Writer, put: Callable[[str], None]) -> None:
        super().__init__()
        self._run = run
        self._writer = writer
        self._put = put
        self._decode = decoder()
        self._parser = Parser(run.check)

    def write(self, data: bytes, /) -> None:
        for at in range(0, len(data), PIECE):
            self._feed(self._decode(data[at : at + PIECE], False))

    def finish(self) -> None:
        """Convert the rest, and end the output."""
        self._feed(self._decode(b"", True), True)
        self._put_all(self._writer.end())

    def _feed(self, text: str, last: bool = False) -> None:
        parser = self._parser
        parser.feed(text, last)
        self._run.text(parser.pending())
        try:
            while (value := parser.next()) is not MORE and value is not END:
                self._put_all(self._writer.document(value))
        except ParseError as error:
            hint = "use either -r, -j or an output format"
            raise Failure(f"Error running jq: JSONDecodeError: its output is not JSON ({error}): {hint}.") from None

    def _put_all(self, texts: Iterator[str]) -> None:
        for text in texts:
            self._run.check()
            self._put(text)
