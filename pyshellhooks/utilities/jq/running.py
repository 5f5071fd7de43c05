"""The run of a jq program: its deadline and limits, and its access to inputs, files and the environment."""

from __future__ import annotations

from math import inf
from stat import S_ISREG
from time import thread_time
from typing import TYPE_CHECKING, Any

from ...errors import Stop
from ...text import encode
from ..support.gauge import ELEMENT, Gauge
from .json.reading import END

if TYPE_CHECKING:
    from ...command import Call

__all__ = ["END", "Answered", "Run"]

# CPU seconds after which a worker may help, and those per character of input for reading and writing.
PATIENCE = 0.3
PER_CHARACTER = 0.5e-6


class Answered(BaseException):
    """A worker has results for the current input, so its evaluation ends."""


class Run:
    """One run of jq, for builtins.

    ``check`` polls the deadline: call it at least every few thousand turns of a loop. ``made`` and ``text`` count the
    memory of large values.
    """

    __slots__ = (
        "_began",
        "_checks",
        "_due",
        "_environment",
        "_gauge",
        "_home_module",
        "_name",
        "call",
        "command",
        "labels",
        "scope",
        "search",
    )

    def __init__(self, call: Call, command: Any = None, name: str = "jq") -> None:
        self.call = call
        self._name = name  # the command's name in messages
        self.scope = call.scope
        self._home_module: bool | None = None
        self._gauge: Gauge | None = None
        self._environment: dict[str, str] | None = None
        self.search: tuple[str, ...] = ()  # -L
        self.command = command  # the command with the inputs
        self.labels = 0  # the number of labels so far, which is the next one's number
        self._checks = 0
        self._began = self._due = 0.0  # in CPU time of the thread: the first look and the next one

    @property
    def gauge(self) -> Gauge:
        """The counter of memory, created for the first large value."""
        if self._gauge is None:
            self._gauge = Gauge(self.call.limits, self._name)
        return self._gauge

    def check(self) -> None:
        """Raise ``Stop`` if the run was cancelled or its deadline has passed."""
        if self.scope.stop is not None:
            self.scope.check()
        self._checks += 1
        if not self._checks & 31:
            self._look()

    def _look(self) -> None:
        """Call the command's ``look`` for a worker (libjq_race.py) if its time has come."""
        now = thread_time()
        if now < self._due or self.command is None:
            return
        if not self._due:
            self._began = now
            self._due = now + PATIENCE
            return
        due = 0.0
        self._due = inf  # ``look`` may call ``check``
        try:
            due = self.command.look(now - self._began)
        finally:
            self._due = self._began + due

    def turned(self, turns: int) -> None:
        """Count steps of the machine: their forks and variables take memory."""
        self.gauge.made(turns * 64)
        self._look()

    def made(self, size: int) -> None:
        """Count the bytes of a new value (64 per element); only possibly large ones need to be counted."""
        self.gauge.made(size)

    def array(self, length: int) -> None:
        """Check the length of an array before it is built: copying or freeing a longer one blocks other threads."""
        if length * ELEMENT > self.call.limits.memory:
            raise Stop("limit", f"an array of jq has more than {self.call.limits.memory // ELEMENT} elements", "memory")

    def text(self, size: int) -> None:
        """Count the characters of a large string *before* it is built. Raise ``Stop`` past ``Limits.string``."""
        self.gauge.text(size)

    def has_home_module(self) -> bool:
        """Return whether there is a file ``~/.jq``, whose definitions are in every program."""
        if self._home_module is None:
            home = self.call.env.get("HOME")
            self._home_module = home is not None and self._is_file(f"{home or '.'}/.jq")
        return self._home_module

    def has_home_directory(self) -> bool:
        """Return whether there is a file ``~/jq/main.jq``, which jq reads as well; checked only at compile time."""
        home = self.call.env.get("HOME")
        return home is not None and self._is_file(f"{home or '.'}/jq/main.jq")

    def _is_file(self, name: str) -> bool:
        try:
            return S_ISREG(self.call.fs.stat(self.call.path(name)).st_mode)
        except OSError:
            return False

    # -- called by builtins

    def next_input(self) -> Any:
        """Return the next input, or ``END``."""
        return self.command.read() if self.command is not None else END

    def input_filename(self) -> str | None:
        """Return the name of the current input file, None if nothing was read."""
        name: str | None = self.command.file()
        return name

    def input_line_number(self) -> int:
        """Return the number of newlines read from the current input file."""
        number: int = self.command.line()
        return number

    def environment(self) -> dict[str, str]:
        """Return ``$ENV``."""
        if self._environment is None:
            self._environment = {clean(name): clean(value) for name, value in self.call.env.items()}
        return self._environment

    def see_files(self) -> None:
        """Called before a builtin reads the file system, so that a subclass can refuse."""

    # -- output to stderr

    def write_stderr(self, text: str) -> None:
        """Write a text to stderr, after flushing stdout."""
        self.call.out.flush()
        self.call.stderr.write(encode(text))

    def debug(self, value: Any) -> None:
        """Write ``["DEBUG:",value]`` to stderr, on one line, otherwise with the output options."""
        self.write_stderr(f"{self.command.spell(['DEBUG:', value])}\n")


def clean(text: str) -> str:
    """Return a text of the system with U+FFFD in place of invalid UTF-8, as jq does."""
    try:
        text.encode()
    except UnicodeEncodeError:
        from .json.utf8 import replace_escaped

        return replace_escaped(text)
    return text
