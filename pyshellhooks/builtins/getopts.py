"""``getopts`` (POSIX XCU getopts)."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import UsageError
from ..interp.builtin import builtin, option_letters
from ..interp.initial_variables import option_index
from ..interp.numbers import number_at_start
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.failure import ExpansionError
from ..state.references import is_name

_NO_ARGUMENT = "option requires an argument"


@builtin("getopts", summary="Parse option arguments.", usage="optstring name [arg ...]")
def getopts(ctx: Ctx, argv: list[str]) -> int:
    _, rest = option_letters(argv, "")
    if len(rest) < 2:
        raise UsageError("usage: getopts optstring name [arg ...]", 2, hint=False)
    spec, name, *words = rest
    args = words or ctx.args
    index = max(
        number_at_start(variables.get(ctx, "OPTIND") or ""), 1
    )  # a script sets OPTIND to 1, or to 0, to begin again
    offset = option_index(ctx).offset
    silent = spec.startswith(":")
    letter, value, index, offset, problem = _next(spec.lstrip(":"), args, index, offset)
    variables.assign(ctx, "OPTIND", str(index))
    option_index(ctx).offset = offset
    shown = letter or "?"
    if problem and silent:
        shown = ":" if problem == _NO_ARGUMENT else "?"
        value = letter
    elif problem:
        if _reports_problems(ctx):
            ctx.write_error(f"{ctx.arg0}: {problem} -- {letter}\n")
        shown, value = "?", None
    if value is None:
        variables.unset(ctx, "OPTARG")
    else:
        variables.assign(ctx, "OPTARG", value)
    return _set_name(ctx, name, shown) or int(not letter)


def _reports_problems(ctx: Ctx) -> bool:
    """Return whether messages are on. OPTERR turns them off if it is 0 or does not begin with a number (bash)."""
    opterr = variables.get(ctx, "OPTERR")
    return not opterr or number_at_start(opterr) != 0


def _set_name(ctx: Ctx, name: str, value: str) -> int:
    """Set the variable of the call. This is the last step, as bash does the others even for an invalid name."""
    if not is_name(name):
        ctx.warn(f"getopts: `{name}': not a valid identifier")
        return 1
    try:
        variables.assign(ctx, name, value)
    except ExpansionError as error:
        ctx.warn(error.message)
        return 2
    return 0


def _next(spec: str, args: Sequence[str], index: int, offset: int) -> tuple[str, str | None, int, int, str]:
    """Return the next option: (letter, argument, OPTIND, offset in a cluster, problem); no letter at the end."""
    if not offset:
        if index > len(args):
            return "", None, len(args) + 1, 0, ""
        word = args[index - 1]
        if word == "--":
            return "", None, index + 1, 0, ""
        if len(word) < 2 or word[0] != "-":
            return "", None, index, 0, ""
        offset = 1
    # A script may have changed its arguments between two letters of a cluster.
    if index > len(args) or offset >= len(args[index - 1]):
        return "", None, index, 0, ""
    word = args[index - 1]
    letter = word[offset]
    offset += 1
    after = (index, offset) if offset < len(word) else (index + 1, 0)
    at = spec.find(letter)
    if at < 0 or letter == ":":
        return letter, None, *after, "illegal option"
    if spec[at + 1 : at + 2] != ":":
        return letter, None, *after, ""
    if offset < len(word):
        return letter, word[offset:], index + 1, 0, ""
    if index < len(args):
        return letter, args[index], index + 2, 0, ""
    return letter, None, index + 1, 0, _NO_ARGUMENT
