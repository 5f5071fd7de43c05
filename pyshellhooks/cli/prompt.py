"""Interactive ``pyshellhooks sh``: prompt, read a command and run it, until ``exit`` or Ctrl-D."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..cancel import CancelScope
from ..shell import Dialogue, Process, Shell
from ..state import variables
from ..streams.base import Stream
from .reading import CommandReader, Reader

if TYPE_CHECKING:
    from .sh import Options

PROMPTS = {"PS1": "\\w\\$ ", "PS2": "> "}


def run_interactive(shell: Shell, scope: CancelScope, streams: Sequence[Stream], options: Options) -> int:
    """Read commands and run them until the shell ends; return its status."""
    from ..host.signals import forward

    with Dialogue(shell, Process(os.getpid()), scope, options.shell, options.operands) as dialogue:
        reader = _reader(dialogue, virtual=options.fs != "host")
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
    """Read lines up to a complete command; None at the end of the input."""
    text = ""
    while True:
        try:
            if isinstance(reader, CommandReader):
                return reader.command(_prompt(dialogue, "PS1"), _prompt(dialogue, "PS2"))
            line = reader.line(_prompt(dialogue, "PS2" if text else "PS1"))
        except KeyboardInterrupt:
            if not isinstance(reader, CommandReader):  # a CommandReader has ended the line
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
    """Expand a prompt; return it unexpanded if that fails."""
    text = variables.get(dialogue.ctx, name) or ""
    status = dialogue.ctx.status
    try:
        return dialogue.expand_prompt(text)
    except Exception:  # a mistake in PS1 must not end the shell
        return text
    finally:
        dialogue.ctx.status = status


def _reader(dialogue: Dialogue, virtual: bool) -> Reader:
    """Return a reader: prompt_toolkit's if it is installed (extra ``terminal``) and the terminal supports it."""
    if os.environ.get("TERM") != "dumb" and sys.stdout is not None and sys.stdout.isatty():
        try:
            from .editing import make_editor
        except ImportError:
            pass
        else:
            return make_editor(dialogue, dict(os.environ), virtual)
    _edit_lines()
    return Reader(dialogue.deliver)


def _edit_lines() -> None:
    """Enable line editing and history in ``input`` if this Python has readline. The history is not saved."""
    try:
        import readline

        readline.set_auto_history(True)
    except ImportError:
        pass
