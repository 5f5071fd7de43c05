"""Readers of lines and commands from a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable


class Reader:
    """Reads lines from the terminal. A signal during a read ends the line (Ctrl-C) or the shell."""

    def __init__(self, deliver: Callable[[int], None]) -> None:
        self._deliver = deliver
        self._reading = False

    def signal(self, number: int) -> None:
        """Handle a signal of this process."""
        if not self._reading:
            self._deliver(number)
        elif number == 2:
            raise KeyboardInterrupt
        elif number in (1, 15):
            raise SystemExit(128 + number)

    def line(self, prompt: str) -> str | None:
        """Return the next line with its newline; None at the end of the input. Raises KeyboardInterrupt."""
        self._reading = True
        try:
            if sys.stdout is not None and sys.stdout.isatty():
                return input(prompt) + "\n"
            sys.stderr.write(prompt)  # standard output is not a terminal, so the prompt goes to standard error
            sys.stderr.flush()
            return sys.stdin.readline() or None
        except EOFError:
            return None
        except UnicodeDecodeError:
            sys.stderr.write("sh: the line is not UTF-8\n")
            return "\n"
        finally:
            self._reading = False


class CommandReader(Reader):
    """Reads whole commands, which may have several lines."""

    def command(self, first: str, more: str) -> str | None:
        """Prompt, return the next command with its newline; None at the end of the input. Raises KeyboardInterrupt."""
        raise EOFError
