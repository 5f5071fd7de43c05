"""The menu of ``select`` (bash "Conditional Constructs")."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from ..command.call import reason
from ..expand import variables
from ..text import decode
from .context import ExecutionContext as Ctx


def choices(ctx: Ctx, items: list[str]) -> Iterator[str]:
    """Show the menu, read REPLY, give what was chosen (empty for anything else); ends at end of input."""
    if not items:
        return
    width = len(str(len(items)))
    menu = "".join(f"{number:>{width}}) {item}\n" for number, item in enumerate(items, 1))
    prompt = variables.get(ctx, "PS3")
    show = True
    while True:
        if show:
            ctx.write_error(menu)
        ctx.write_error("#? " if prompt is None else prompt)
        ctx.task.check()
        try:
            line = ctx.fds.get(0).readline()
        except OSError as error:
            ctx.warn(f"read error: 0: {reason(error)}")
            line = b""
        if not line:
            with suppress(OSError):
                ctx.fds.get(1).write(b"\n")  # not where the menu goes (bash)
            return
        reply = decode(line).rstrip("\n")
        variables.assign(ctx, "REPLY", reply)
        show = not reply
        if reply:
            number = int(reply) if reply.isdecimal() else 0
            yield items[number - 1] if 1 <= number <= len(items) else ""
