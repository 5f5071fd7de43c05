"""State that the words of an expression read and change while they are parsed."""

from __future__ import annotations

import os
from time import time_ns
from typing import TYPE_CHECKING

from ...command import Call
from ...command.call import reason
from ...errors import UsageError
from ...fs.base import Stat
from ...streams.base import Stream
from ...streams.capture import LineWriter
from ..support.quoting import quote
from .files import Settings

if TYPE_CHECKING:
    from .actions import Batch
    from .expression import Test


def wrong(message: str) -> UsageError:
    """Return an error that ends find before it visits any file."""
    return UsageError(message, 1, hint=False)


def bad_argument(word: str, text: str) -> UsageError:
    """Return the error for an invalid argument of a word."""
    return wrong(f"invalid argument `{text}' to `{word}'")


class Quit(Exception):
    """-quit was evaluated."""


class State:
    """The state of one run. ``full_days``, ``regextype`` and ``warn`` affect the words that follow them."""

    __slots__ = (
        *("acts", "batches", "call", "deletes", "explicit_depth", "files", "full_days", "now", "prunes", "regextype"),
        *("settings", "start_names", "warn", "would_delete"),
    )

    def __init__(self, call: Call, settings: Settings) -> None:
        self.call = call
        self.settings = settings
        self.now = time_ns()
        self.full_days = False
        self.regextype = "emacs"
        self.warn = False
        self.acts = False  # a word prints, runs or deletes: no implied -print
        self.deletes = self.prunes = self.explicit_depth = False
        self.batches: list[Batch] = []
        self.files: dict[str, tuple[LineWriter, Stream]] = {}
        self.would_delete: Test | None = None  # whether -delete would be reached for a file; None without -delete
        self.start_names: str | None = None  # the argument of -files0-from

    def warning(self, message: str) -> None:
        """Write a warning if warnings are enabled (-warn)."""
        if self.warn:
            self.call.error(f"warning: {message}")

    def reference(self, name: str) -> Stat:
        """Return the status of a reference file, such as that of -newer."""
        try:
            return self.settings.status_of(self.call.path(name), operand=True)
        except OSError as error:
            raise wrong(f"{quote(name, self.call.env)}: {reason(error)}")

    def output(self, name: str) -> LineWriter:
        """Return the writer of an output file, which is opened once; it is truncated even if no file is found."""
        call = self.call
        if name == "/dev/stdout":
            return call.out
        if name == "/dev/stderr":
            name = "\0stderr"
        if name not in self.files:
            try:
                if name == "\0stderr":
                    stream = call.stderr.stream.retain()
                else:
                    stream = call.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            except OSError as error:
                raise wrong(f"{quote(name, call.env)}: {reason(error)}")
            self.files[name] = LineWriter(stream), stream
        return self.files[name][0]

    def flush(self) -> None:
        """Write all buffered output, before a command runs."""
        self.call.out.flush()
        for writer, _ in self.files.values():
            writer.flush()

    def close(self) -> None:
        """Flush and close the output files."""
        for writer, stream in self.files.values():
            try:
                writer.flush()
            finally:
                stream.release()
