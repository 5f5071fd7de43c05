"""The interpreter's interface for state and expansion (``state/evaluator.py``)."""

from __future__ import annotations

from ..state.context import ExecutionContext as Ctx
from .compile import COMPILERS, families
from .compile.units import arithmetic_text
from .script import run_main, run_text
from .substitution import command_substitution, process_substitution, read_file


class Interpreter:
    """The ``Evaluator`` of every run. It has no state."""

    run_text = staticmethod(run_text)
    run_main = staticmethod(run_main)
    command_substitution = staticmethod(command_substitution)
    process_substitution = staticmethod(process_substitution)
    read_file = staticmethod(read_file)
    expression = staticmethod(arithmetic_text)

    def broken_substitution(self, ctx: Ctx, text: str) -> str:
        def run(sub: Ctx) -> int:
            sub.nesting -= 1  # not counted as a nested evaluation: ``set -x`` shows one level
            return run_text(sub, text, sub.name, sub.line, once=True, kind="command substitution: ")

        return command_substitution(ctx, run)

    # Few scripts need the following: imported on first use.

    def arithmetic(self, ctx: Ctx, text: str) -> int:
        from ..expand.arithmetic import number_of

        return number_of(ctx, text)

    def subscript_number(self, ctx: Ctx, text: str) -> int:
        from .text_expansion import subscript_number

        return subscript_number(ctx, text)

    def expand_subscript(self, ctx: Ctx, text: str) -> str:
        from .text_expansion import expand_subscript

        return expand_subscript(ctx, text)

    def expand_prompt(self, ctx: Ctx, text: str) -> str:
        from .text_expansion import expand_prompt

        return expand_prompt(ctx, text)


COMPILERS.find = families.find
INTERPRETER = Interpreter()
