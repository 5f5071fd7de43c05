"""The input of jq: a stream of the documents as JSON texts, each converted when jq reads it."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...command import reason
from ...errors import Stop
from ...streams import Stream
from ...text import encode
from ..jq.json.writer import pieces
from ..jq.running import Run
from .arguments import ANNOTATED, JSON, TOML, XML, Arguments
from .failures import Failure, unreadable

if TYPE_CHECKING:
    from ...command import Call

_PIECE = 1 << 16


def make_run(call: Call) -> Run:
    """Return a run for one call, whose limits are those of a run of jq."""
    return Run(call, name="yq")


class Input:
    """An open file, with its name in messages and its format."""

    __slots__ = ("format", "name", "stream")

    def __init__(self, name: str, stream: Stream, format: str) -> None:
        self.name = name
        self.stream = stream
        self.format = format


class Documents(Stream):
    """A stream of JSON from files. ``read`` raises ``Failure`` if a file can't be read or is not well-formed."""

    __slots__ = ("_arguments", "_files", "_keeps", "_left", "_run", "_texts")

    def __init__(self, run: Run, arguments: Arguments, output: str, files: Sequence[Input]) -> None:
        super().__init__()
        self._files = list(reversed(files))
        self._run = run
        self._arguments = arguments
        self._keeps = output == ANNOTATED
        self._left = b""
        self._texts = self._read_all()

    def read(self, size: int = 65536, /) -> bytes:
        while not self._left:
            text = next(self._texts, None)
            if text is None:
                return b""
            self._left = text
        piece, self._left = self._left[:size], self._left[size:]
        return piece

    def close(self) -> None:
        self._texts.close()
        while self._files:
            self._files.pop().stream.release()

    def _read_all(self) -> Generator[bytes, None, None]:
        while self._files:
            file = self._files.pop()
            try:
                yield from self._read_one(file)
            except OSError as error:
                raise Failure(f"{file.name}: {reason(error)}") from None
            except RecursionError:
                raise Stop("limit", f"yq: {file.name} is nested too deeply") from None
            except Exception as error:
                if not _is_bad_text(error):
                    raise
                raise unreadable(error) from None
            finally:
                file.stream.release()

    def _read_one(self, file: Input) -> Iterator[bytes]:
        if file.format == JSON:
            yield from self._blocks(file)
        elif file.format == XML:
            from .xml_reader import read_xml

            yield from self._spell(read_xml(self._run, self._blocks(file), self._arguments.force_list))
        elif file.format == TOML:
            from .toml_reader import read_toml

            yield from self._spell(read_toml(self._run, b"".join(self._blocks(file))))
        else:
            yield from self._read_yaml(file)

    def _blocks(self, file: Input) -> Iterator[bytes]:
        """Yield the blocks of a file; formats that are parsed as a whole have a size limit."""
        limit, size = self._run.call.limits.string, 0
        while data := file.stream.read(_PIECE):
            self._run.check()
            size += len(data)
            if file.format != JSON and size > limit:
                raise Stop("limit", f"yq: {file.name} is larger than {limit} bytes", "string")
            yield data

    def _read_yaml(self, file: Input) -> Iterator[bytes]:
        from .yaml_reader import YamlReader

        arguments = self._arguments
        reader = YamlReader(self._run, file.stream, file.name, keeps=self._keeps, expands=arguments.expand_aliases)
        for document in reader.documents():
            yield from self._spell(document.value, document.size * arguments.factor)
            if arguments.front_matter:
                return

    def _spell(self, value: Any, most: int = 0) -> Iterator[bytes]:
        """Yield a document as JSON. Raise ``Failure`` if aliases make it much larger than its text."""
        size = 0
        for text in pieces(self._run, value):
            size += len(text)
            if most and size > most:
                raise Failure("Error: detected unsafe YAML entity expansion")
            yield encode(text)
        yield b"\n"


def _is_bad_text(error: Exception) -> bool:
    """Return whether an error is from the parsed text, and not an internal error."""
    from xml.parsers.expat import ExpatError

    from yaml import YAMLError

    return isinstance(error, YAMLError | ExpatError | ValueError)
