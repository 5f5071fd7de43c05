"""``sh``, ``bash`` and ``dash`` by name: the embedded shell (rule 10)."""

from __future__ import annotations

from ..interp.builtin import builtin
from ..interp.nested_shell import run_shell_command
from ..state.context import ExecutionContext as Ctx

_USAGE = "[-abefhnuvxC] [-o option] [-c command [name [arg ...]] | file [arg ...]]"


@builtin("sh", summary="Run the embedded shell.", usage=_USAGE)
def sh(ctx: Ctx, argv: list[str]) -> int:
    return run_shell_command(ctx, argv)


@builtin("bash", summary="Run the embedded shell.", usage=_USAGE)
def bash(ctx: Ctx, argv: list[str]) -> int:
    return run_shell_command(ctx, argv)


@builtin("dash", summary="Run the embedded shell.", usage=_USAGE)
def dash(ctx: Ctx, argv: list[str]) -> int:
    return run_shell_command(ctx, argv)
