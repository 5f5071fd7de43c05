"""``:``, ``true`` and ``false``."""

from __future__ import annotations

from ..interp.builtin import builtin
from ..state.context import ExecutionContext as Ctx


@builtin(":", summary="Do nothing, successfully.", special=True)
def colon(ctx: Ctx, argv: list[str]) -> int:
    return 0


@builtin("true", summary="Do nothing, successfully.")
def true(ctx: Ctx, argv: list[str]) -> int:
    return 0


@builtin("false", summary="Do nothing, unsuccessfully.")
def false(ctx: Ctx, argv: list[str]) -> int:
    return 1
