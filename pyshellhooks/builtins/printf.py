"""``printf [-v var] format [arguments]`` (bash)."""

from __future__ import annotations

import time

from ..errors import UsageError
from ..interp.builtin import Options, builtin
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.references import split_reference
from ..text import decode, encode
from ..utilities.printf import format_printf

_WHOLE = {"%s": b"", "%s\\n": b"\n", "%s\n": b"\n"}  # formats of one text, and the bytes after it


def _text(ctx: Ctx, argv: list[str]) -> bytes | None:
    if len(argv) < 2 or argv[1][:1] == "-" or "(" in argv[1]:
        return None  # an option, or a time
    if len(argv) == 3 and argv[1] in _WHOLE:
        text = encode(argv[2])
        if len(text) >= ctx.limits.string:
            return None
        return text + _WHOLE[argv[1]]
    output, status, messages = format_printf(argv[1], argv[2:], limit=ctx.limits.string, env=_locale(ctx, argv))
    if status or messages:
        return None
    return output


@builtin("printf", summary="Format and print arguments.", usage="[-v var] format [arguments]", text=_text)
def printf(ctx: Ctx, argv: list[str]) -> int:
    options = Options(argv, "", "v")
    target = None
    for _, target in options:
        _check_target(target)
    args = options.operands
    if not args:
        ctx.write_error("printf: usage: printf [-v var] format [arguments]\n")
        return 2
    started = variables.get(ctx, "SECONDS") or "0"
    clock = None
    if "(" in args[0]:  # a time
        now = time.time()
        clock = now, now - float(started)
    zone = variables.get(ctx, "TZ") if "TZ" in ctx.exports else None
    env = {"TZ": zone or "", **_locale(ctx, args)}
    output, status, messages = format_printf(args[0], args[1:], limit=ctx.limits.string, env=env, clock=clock)
    done = 0
    for at, message in messages:
        if target is None:
            # bash's output is line-buffered: only whole lines precede a message.
            lines = output.rfind(b"\n", done, at) + 1
            if lines:
                ctx.fds.get(1).write(output[done:lines])
                done = lines
        ctx.warn(f"printf: {message}")
    if target is not None:
        variables.assign_reference(ctx, target, decode(output.partition(b"\0")[0]))
    elif len(output) > done:
        ctx.fds.get(1).write(output[done:])
    return status


def _locale(ctx: Ctx, words: list[str]) -> dict[str, str]:
    """Return the variables of the locale, for ``'c``: in the C locale it is the value of a byte."""
    if all(map(str.isascii, words)):
        return {}
    return {"LC_ALL": "C"} if variables.counts_bytes(ctx) else {}


def _check_target(target: str) -> None:
    if split_reference(target) is None:
        raise UsageError(f"`{target}': not a valid identifier", 2, hint=False)
