"""The result of a run, and a parsed script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ended import Ended, Exited, describe_end

if TYPE_CHECKING:
    from ..notice import Notice

_SHOWN = 60  # bytes of an output in a ``repr``


class Result:
    """The result of a run. ``stdout`` and ``stderr`` are bytes; ``seconds`` is wall-clock time.

    ``late``: the script ended by itself, but only in the grace, after its deadline or a cancel.
    ``notices`` are texts for a person, with fields (``Notice``): a command that was not found, a shell that ran in
    place of another. ``fault``: the syntax error of a text that does not parse (status 2, as in bash). ``own``: a pair
    of ``refused`` or ``too_large`` and its notice if a command did not run because of this library.
    """

    __slots__ = ("ended", "fault", "late", "notices", "own", "seconds", "status", "stderr", "stdout")

    def __init__(
        self,
        status: int,
        stdout: bytes,
        stderr: bytes,
        ended: Ended,
        seconds: float,
        notices: tuple[Notice, ...] = (),
        late: bool = False,
        fault: str = "",
        own: tuple[str, Notice] | None = None,
    ) -> None:
        self.status = status
        self.stdout = stdout
        self.stderr = stderr
        self.ended = ended
        self.seconds = seconds
        self.notices = notices
        self.late = late
        self.fault = fault
        self.own = own

    @property
    def faults(self) -> tuple[Notice, ...]:
        """The notices about a part of the script that did not run."""
        if not self.notices:
            return ()
        return tuple([notice for notice in self.notices if notice.fault])

    @property
    def ok(self) -> bool:
        """Whether the script ended by itself, with status 0."""
        return self.status == 0 and isinstance(self.ended, Exited)

    @property
    def text(self) -> str:
        """Standard output as text, decoded from UTF-8 with U+FFFD for invalid bytes."""
        return self.stdout.decode("utf-8", "replace")

    def report(self, most: int | None = None) -> str:
        """Return one text for a model: standard output, standard error, and the end of the run unless it succeeded.

        ``most`` is the largest number of output characters in it, at least 200. Of a longer output the head and the
        tail stay, with a marker between them. The end of the run is never cut off. ``stdout`` and ``stderr`` stay
        whole. Raises ``ValueError`` for less than 200.
        """
        text = self.text
        if self.stderr:
            text = _line(text) + "[stderr]\n" + self.stderr.decode("utf-8", "replace")
        text = cut(text, most)
        if not self.ok:
            text = _line(text) + f"[{describe_end(self.ended, self.status)}]\n"
        return text or "[no output]\n"

    def __repr__(self) -> str:
        fields = [f"status={self.status}", f"stdout={_short(self.stdout)}", f"stderr={_short(self.stderr)}"]
        fields += [f"ended={self.ended!r}", f"seconds={self.seconds:.3f}"]
        if self.notices:
            fields.append(f"{len(self.notices)} notice{'s' * (len(self.notices) != 1)}")
        if self.fault:
            fields.append("does not parse")
        return f"Result({', '.join(fields)})"


def _short(data: bytes) -> str:
    if len(data) <= _SHOWN:
        return repr(data)
    return f"{data[:_SHOWN]!r}... ({len(data)} bytes)"


LEAST = 200  # characters: room for a marker and some text around it


def cut(text: str, most: int | None) -> str:
    """Return a text in at most ``most`` characters: its head, a marker that counts the missing ones, and its tail."""
    if most is not None and most < LEAST:
        raise ValueError(f"most must be at least {LEAST} characters, got {most}")
    if most is None or len(text) <= most:
        return text
    half = (most - len(_marker(len(text)))) // 2
    head, tail = text[:half], text[-half:]
    # Cut between lines, because half a line would read as another line. Long lines must be cut within.
    end, start = head.rfind("\n") + 1, tail.find("\n") + 1
    if end > half // 2:
        head = head[:end]
    if 0 < start < half // 2:
        tail = tail[start:]
    return head + _marker(len(text) - len(head) - len(tail), head.endswith("\n")) + tail


def _marker(left_out: int, line_ended: bool = False) -> str:
    marker = f"[... {left_out} characters left out ...]\n"
    return marker if line_ended else "\n" + marker


def _line(text: str) -> str:
    if not text or text.endswith("\n"):
        return text
    return text + "\n"


class Script:
    """A script whose syntax was checked. Running it does not parse it again (texts are cached anyway)."""

    __slots__ = ("name", "text")

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
