"""The menu of ``select`` (bash "Conditional Constructs")."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from ..errors import UsageError
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..text import paced
from .builtin import BUILTINS
from .numbers import whole_number


def choices(ctx: Ctx, items: list[str]) -> Iterator[str]:
    """Show the menu, read REPLY and yield the chosen item ("" for any other reply), until the end of input."""
    if not items:
        return
    width = len(str(len(items)))
    menu = "".join(f"{number:>{width}}) {item}\n" for number, item in enumerate(paced(items), 1))
    prompt = variables.get(ctx, "PS3")
    show = True
    while True:
        if show:
            ctx.write_error(menu)
        ctx.write_error("#? " if prompt is None else prompt)
        ctx.task.check()
        if not _read_reply(ctx):
            with suppress(OSError):
                ctx.fds.get(1).write(b"\n")  # to stdout, while the menu goes to stderr (bash)
            return
        reply = variables.get(ctx, "REPLY")
        show = not reply
        if reply:
            number = whole_number(reply, 1, len(items))
            yield items[number - 1] if number is not None else ""


def _read_reply(ctx: Ctx) -> bool:
    """Read REPLY by ``read``, with backslash escapes; return False at the end of input, even within a line (bash)."""
    read = BUILTINS.get("read")
    assert read is not None
    try:
        return read.run(ctx, ["read"]) == 0
    except UsageError as error:
        ctx.warn(error.message)
        return False
