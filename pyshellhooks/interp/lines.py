"""One line of a stream, for builtins that hold it as a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import Stop

if TYPE_CHECKING:
    from ..state.context import ExecutionContext as Ctx
    from ..streams.base import Stream


def line_of(ctx: Ctx, stream: Stream, delimiter: bytes, who: str) -> bytes:
    """Read through ``delimiter``, not one byte more; ``Stop`` past ``Limits.string``: a device may never send one."""
    if ctx.task.stop is not None:
        ctx.task.check()
    limit = ctx.limits.string
    line = stream.readline(delimiter, limit + 1)
    if len(line) > limit:
        raise Stop("limit", f"{who}: a line is longer than {limit} bytes", "string")
    return line
