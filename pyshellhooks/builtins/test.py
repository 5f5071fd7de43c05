"""``test`` and ``[`` (POSIX XCU test, bash "Bash Conditional Expressions")."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import builtin
from ..interp.shell_tests import ShellTests
from ..state.context import ExecutionContext as Ctx
from ..utilities.test import NUMERIC, TEXTUAL, evaluate, integer


def _evaluate(ctx: Ctx, args: list[str], bracket: bool) -> int:
    return 0 if evaluate(args, ctx.fs, ctx.cwd, ShellTests(ctx), bracket=bracket) else 1


@builtin("test", summary="Evaluate a conditional expression.")
def test(ctx: Ctx, argv: list[str]) -> int:
    return _evaluate(ctx, argv[1:], False)


@builtin("[", summary="Evaluate a conditional expression.")
def bracket(ctx: Ctx, argv: list[str]) -> int:
    if len(argv) == 5 and argv[4] == "]":
        # The most common tests of loops and guards need no state and no files.
        numeric = NUMERIC.get(argv[2])
        if numeric is not None:
            return 0 if numeric(integer(argv[1]), integer(argv[3])) else 1
        textual = TEXTUAL.get(argv[2])
        if textual is not None:
            return 0 if textual(argv[1], argv[3]) else 1
    if argv[-1] != "]":
        raise UsageError("missing `]'", 2, hint=False)
    return _evaluate(ctx, argv[1:-1], True)
