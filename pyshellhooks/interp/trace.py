"""``set -x`` (bash: PS4, one line a command)."""

from __future__ import annotations

from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.failure import ExpansionError
from ..syntax.quote import quote_single, quote_trace
from ..text import encode, paced, parse_digits
from .assign import AssignArgument, Element


def trace_command(ctx: Ctx, argv: list[str]) -> None:
    """Show a simple command. Array literals of ``declare`` come first, each on a line of its own, as in bash."""
    shown = []
    for word in paced(argv):
        if isinstance(word, AssignArgument) and not isinstance(word.value, str):
            trace_text(ctx, f"{word.name}{'+' * word.append}=({_elements(word.value)})")
            shown.append(word.name)
        else:
            shown.append(quote_trace(word))
    trace_text(ctx, " ".join(shown))


def _elements(items: list[Element]) -> str:
    # bash quotes every element here, needed or not.
    shown = []
    for item in items:
        head = f"[{quote_single(item.key)}]{'+' * item.append}=" if item.key is not None else ""
        shown += [head + quote_single(field) for field in item.fields]
    return " ".join(shown)


def trace_assignment(ctx: Ctx, word: str) -> None:
    """Show an assignment of ``export`` or ``readonly`` again: bash traces it twice, but not for ``declare``."""
    if isinstance(word, AssignArgument) and isinstance(word.value, str):
        value = quote_trace(word.value) if word.value else ""
        trace_text(ctx, f"{word.name}{'+' * word.append}={value}")


def trace_text(ctx: Ctx, text: str) -> None:
    """Write one line of trace; the first character of PS4 is repeated for each level of nesting."""
    prompt = variables.get(ctx, "PS4")
    if prompt is None:
        prompt = ""
    elif prompt:
        ctx.xtrace = False  # a substitution in PS4 would be traced too, with PS4 again
        saved = ctx.status, ctx.substituted
        try:
            prompt = ctx.run.evaluator.expand_prompt(ctx, prompt)
        except ExpansionError as error:
            ctx.warn(error.message)  # only the trace is affected; the command runs
        finally:
            ctx.xtrace = True
            ctx.status, ctx.substituted = saved
        prompt = prompt[:1] * (ctx.nesting + 1) + prompt[1:]
    line = f"{prompt}{text}\n"
    number = variables.get(ctx, "BASH_XTRACEFD")
    if number and number.isdecimal() and parse_digits(number) in ctx.fds.entries:
        ctx.fds.get(parse_digits(number)).write(encode(line))
    else:
        ctx.write_error(line)
