"""``set -x`` (bash: PS4, one line a command)."""

from __future__ import annotations

from ..expand import variables
from ..expand.failure import ExpansionError
from ..syntax.quote import quote_trace
from .context import ExecutionContext as Ctx


def trace_command(ctx: Ctx, argv: list[str]) -> None:
    """Show a simple command."""
    trace_text(ctx, " ".join(map(quote_trace, argv)))


def trace_text(ctx: Ctx, text: str) -> None:
    """Write one line of trace; the first character of PS4 is repeated for each level of nesting."""
    prompt = variables.get(ctx, "PS4")
    if prompt is None:
        prompt = ""
    elif prompt:
        ctx.xtrace = False
        kept = ctx.status, ctx.substituted
        try:
            prompt = ctx.expand_prompt(prompt)
        except ExpansionError as error:
            ctx.warn(error.message)  # the trace is spoilt, the command is not
        finally:
            ctx.xtrace = True
            ctx.status, ctx.substituted = kept
        prompt = prompt[:1] * (ctx.nesting + 1) + prompt[1:]
    line = f"{prompt}{text}\n"
    number = variables.get(ctx, "BASH_XTRACEFD")
    if number and number.isdecimal() and int(number) in ctx.fds.entries:
        from ..text import encode

        ctx.fds.get(int(number)).write(encode(line))
    else:
        ctx.write_error(line)
