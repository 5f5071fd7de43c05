"""How a hook in Python ends: with the answer, and where it fails with a deny (docs/typed-hooks.md)."""

from __future__ import annotations

import atexit
import io
import os
import sys
import traceback
from types import TracebackType
from typing import TYPE_CHECKING, NoReturn, TextIO

from ..errors import AnswerError
from ..hooks.model import Decision
from ..hooks.render import HookOutput
from ..hooks.verdict import Verdict
from ..text import encode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..hooks.dialect import Dialect, EventSpec
    from ..jsontext.compact import JSON

#: What ends a hook whose event nobody knows, or whose answer nobody takes: the status that blocks in every system.
DENY_STATUS = 2
FAILED_STATUS = 1

_ended: list[HookOutput] = []  # what this process has answered; a second answer would make the first one unreadable


def say(dialect: Dialect, native: str, verdict: Verdict, fields: Mapping[str, JSON] | None) -> HookOutput:
    """Say a verdict in the system's words. Raises ``AnswerError`` for what they can't say in full."""
    output = dialect.answer(native, verdict, fields)
    if output.notices:
        raise AnswerError(f"no output was printed: {'; '.join(output.notices)}")
    return output


def end(output: HookOutput) -> NoReturn:
    """Print an answer, and end the process with its status. Raises ``AnswerError`` if it has answered before."""
    if _ended:
        raise AnswerError("this hook has answered already: end it after its first answer")
    _ended.append(output)
    if isinstance(sys.stdout, Held):
        sys.stdout.divert()
    printed = _write(_real(sys.stdout), output.stdout) & _write(sys.stderr, output.stderr)
    # Nobody reads the answer: where it may have been a deny, the status says so.
    raise SystemExit(output.exit_code if printed else DENY_STATUS)


class Held(io.TextIOBase):
    """Standard output of a hook that has not answered yet: what it prints is held back.

    A text before the answer would make both unreadable, and some programs then let the call go ahead. So what was printed
    goes to standard error once the hook answers; if it ends without an answer of ours, it is its own answer.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self.stream = stream
        self.answers = stream  # where an answer goes
        self._parts: list[str] = []

    @classmethod
    def begin(cls) -> None:
        """Hold back standard output of this process, until it answers or ends."""
        if sys.stdout is not None and not isinstance(sys.stdout, cls):
            held = cls(sys.stdout)
            sys.stdout = held
            atexit.register(held.release)

    def writable(self) -> bool:
        """Say that it can be written to."""
        return True

    def write(self, text: str) -> int:
        """Hold a text back."""
        self._parts.append(text)
        return len(text)

    def release(self) -> None:
        """Write what was held back."""
        text, self._parts = "".join(self._parts), []
        if text:
            _write(self.stream, text, "")

    def divert(self) -> None:
        """Let what was held back, and what is printed from now on, go to standard error."""
        if self.stream is self.answers:
            self.stream = sys.stderr
        self.release()

    @property
    def buffer(self) -> io.BufferedIOBase:
        """The stream's bytes, for whoever writes those: nothing is held back any more."""
        self.release()
        buffer: io.BufferedIOBase = self.stream.buffer  # type: ignore[assignment]
        return buffer

    def fileno(self) -> int:
        """The stream's descriptor, for whoever gives it to a child."""
        self.release()
        return self.stream.fileno()

    def isatty(self) -> bool:
        """Say whether it is a terminal."""
        return self.stream.isatty()


def _real(stream: TextIO | None) -> TextIO | None:
    return stream.answers if isinstance(stream, Held) else stream


def _write(stream: TextIO | None, text: str, ending: str = "\n") -> bool:
    """Write a text as UTF-8, whatever the stream's encoding and ends of lines are; say whether it went out."""
    if not text:
        return True
    line = f"{text}{ending}"
    try:
        if stream is None:
            return False
        buffer = getattr(stream, "buffer", None)
        stream.flush()
        if buffer is None:
            stream.write(line)
        else:
            buffer.write(encode(line))
            buffer.flush()
    except (OSError, ValueError):
        return False
    return True


def refused(dialect: Dialect, row: EventSpec | None, why: str) -> HookOutput:
    """Return what a hook says that can't do its work: a deny, where the event guards something; else it just failed.

    ``row`` is None for an event that nobody knows. An event that guards nothing has a hook that ends with 1, which no
    system takes for an answer.
    """
    if row is None:
        return HookOutput("", DENY_STATUS, why)
    if not row.deniable:
        return HookOutput("", FAILED_STATUS, why)
    output = dialect.answer(row.native, Verdict(row.native, Decision.DENY, reason=why))
    return output if output.stderr else output._replace(stderr=why)  # not every deny has a place for its reason


class Crash:
    """The process's ``sys.excepthook``: what nobody caught ends the hook as ``refused`` says, without a traceback."""

    def __init__(self, dialect: Dialect, row: EventSpec | None) -> None:
        self.dialect = dialect
        self.row = row

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> NoReturn:
        """Answer, and end the process: what an excepthook raises as SystemExit is its status."""
        why = f"the hook failed: {_told(kind, error)}{_place(trace)}"
        if _ended:  # a second answer would spoil the first one
            _write(sys.stderr, why)
            raise SystemExit(DENY_STATUS if self.row is None or self.row.deniable else FAILED_STATUS)
        try:
            output = refused(self.dialect, self.row, why)
        except Exception:  # a mistake of ours: Python would go on with status 1, which blocks nothing
            output = HookOutput("", DENY_STATUS, why)
        end(output)


def _told(kind: type[BaseException], error: BaseException) -> str:
    text = "".join(traceback.format_exception_only(kind, error)).strip()
    return text.rpartition("\n")[2] if isinstance(error, SyntaxError) else text


def _place(trace: TracebackType | None) -> str:
    """Say where in the hook's own file it happened: in the last frame that is not ours."""
    own = os.path.dirname(__file__)
    frames = [frame for frame in traceback.extract_tb(trace) if os.path.dirname(frame.filename) != own]
    return f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
