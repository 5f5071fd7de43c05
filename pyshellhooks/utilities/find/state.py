"""What the words of an expression see and set while they are read."""

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
    """Make the error that ends find before it looks at anything."""
    return UsageError(message, 1, hint=False)


def bad_argument(word: str, text: str) -> UsageError:
    """Make the error for an argument that a word cannot read."""
    return wrong(f"invalid argument `{text}' to `{word}'")


class Quit(Exception):
    """-quit was met."""


class State:
    """The state of one run. ``full_days``, ``regextype`` and ``warn`` hold for the words that follow them."""

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
        self.acts = False  # something prints, runs or deletes: no -print of its own accord
        self.deletes = self.prunes = self.explicit_depth = False
        self.batches: list[Batch] = []
        self.files: dict[str, tuple[LineWriter, Stream]] = {}
        self.would_delete: Test | None = None  # whether -delete would be reached for a file; None without -delete
        self.start_names: str | None = None  # the argument of -files0-from

    def warning(self, message: str) -> None:
        """Warn, where warnings are wanted."""
        if self.warn:
            self.call.error(f"warning: {message}")

    def reference(self, name: str) -> Stat:
        """Look at a file that a word compares with."""
        try:
            return self.settings.status_of(self.call.path(name), operand=True)
        except OSError as error:
            raise wrong(f"{quote(name, self.call.env)}: {reason(error)}")

    def output(self, name: str) -> LineWriter:
        """Open a file that is written to, once; it is emptied even where nothing is found."""
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
        """Pass on everything that was printed, before a command looks."""
        self.call.out.flush()
        for writer, _ in self.files.values():
            writer.flush()

    def close(self) -> None:
        """Let go of the files."""
        for writer, stream in self.files.values():
            try:
                writer.flush()
            finally:
                stream.release()
