"""``pyshellhooks sh`` on a terminal: a prompt, a line, its answer, and so on until ``exit`` or Ctrl-D."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..cancel import CancelScope
from ..shell import Dialogue, Process, Shell
from ..state import variables
from ..streams.base import Stream

if TYPE_CHECKING:
    from .sh import Options

PROMPTS = {"PS1": "\\w\\$ ", "PS2": "> "}


class Reader:
    """Reads lines from the terminal. A signal that comes meanwhile ends the line (Ctrl-C) or the shell."""

    def __init__(self, deliver: Callable[[int], None]) -> None:
        self._deliver = deliver
        self._reading = False

    def signal(self, number: int) -> None:
        """Take a signal of this process."""
        if not self._reading:
            self._deliver(number)
        elif number == 2:
            raise KeyboardInterrupt
        elif number in (1, 15):
            raise SystemExit(128 + number)

    def line(self, prompt: str) -> str | None:
        """Return the next line with its end; None at the end of the input. Raises KeyboardInterrupt."""
        self._reading = True
        try:
            if sys.stdout is not None and sys.stdout.isatty():
                return input(prompt) + "\n"
            sys.stderr.write(prompt)  # the terminal is where the prompt belongs, and standard output is not one
            sys.stderr.flush()
            return sys.stdin.readline() or None
        except EOFError:
            return None
        except UnicodeDecodeError:
            sys.stderr.write("sh: the line is not UTF-8\n")
            return "\n"
        finally:
            self._reading = False


def talk(shell: Shell, scope: CancelScope, streams: Sequence[Stream], options: Options) -> int:
    """Read lines and run them until the shell ends; gives its status."""
    from ..host.signals import forward

    _edit_lines()
    with Dialogue(shell, Process(os.getpid()), scope, options.shell, options.operands) as dialogue:
        reader = Reader(dialogue.deliver)
        forward(reader.signal)
        dialogue.begin(*streams)
        ctx = dialogue.ctx
        for name, prompt in PROMPTS.items():
            if variables.get(ctx, name) is None:
                variables.assign(ctx, name, prompt)
        while (text := _command(dialogue, reader)) is not None:
            if not dialogue.run(text):
                break
            if ctx.status == 130:
                sys.stderr.write("\n")  # the terminal has shown ^C
        return dialogue.finish()


def _command(dialogue: Dialogue, reader: Reader) -> str | None:
    """Read lines until they make something that can run; None at the end of the input."""
    text = ""
    while True:
        try:
            line = reader.line(_prompt(dialogue, "PS2" if text else "PS1"))
        except KeyboardInterrupt:
            sys.stderr.write("\n")
            dialogue.ctx.status, text = 130, ""
            continue
        if line is None:
            sys.stderr.write("\n")
            return text or None
        text += line
        if dialogue.is_complete(text):
            return text


def _prompt(dialogue: Dialogue, name: str) -> str:
    """Expand a prompt; one that fails is shown as it is."""
    text = variables.get(dialogue.ctx, name) or ""
    status = dialogue.ctx.status
    try:
        return dialogue.expand_prompt(text)
    except Exception:  # what a person wrote into PS1 must not end the shell
        return text
    finally:
        dialogue.ctx.status = status


def _edit_lines() -> None:
    """Let ``input`` edit lines and remember them, where this Python has readline. Nothing is kept on the disk."""
    try:
        import readline

        readline.set_auto_history(True)
    except ImportError:
        pass
