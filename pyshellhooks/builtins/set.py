"""``set`` (POSIX XCU 2.14, bash "The Set Builtin")."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import UsageError
from ..expand.transform import array_text
from ..interp.builtin import builtin, write_lines, write_out
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.control import NoExecution
from ..state.options import LETTERS, SET_OPTIONS, is_on, set_option
from ..syntax.quote import quote_set
from ..text import pause

_USAGE = "[-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]"


@builtin("set", summary="Set options and positional parameters.", usage=_USAGE, special=True)
def set_(ctx: Ctx, argv: list[str]) -> int:
    if len(argv) == 1:
        show_variables(ctx)
        return 0
    _check(argv)
    at = 1
    while at < len(argv):
        pause()
        word = argv[at]
        if word == "--":
            return _set_args(ctx, argv[at + 1 :])
        if word == "-":
            # ``set -`` ends both traces; without operands the arguments stay (bash).
            ctx.xtrace = ctx.verbose = False
            if at + 1 < len(argv):
                _set_args(ctx, argv[at + 1 :])
            return 0
        if word == "+":
            at += 1
            continue
        if len(word) < 2 or word[0] not in "-+":
            break
        at = _letters(ctx, word, argv, at + 1)
    if at < len(argv):
        _set_args(ctx, argv[at:])
    return 0


def _set_args(ctx: Ctx, args: list[str]) -> int:
    ctx.args = args
    frame = ctx.writable_frames(inner=True)
    if frame is not None:
        # A sourced file then keeps its new arguments (see ``source``).
        frame.args_set = True
    return 0


def _letters(ctx: Ctx, word: str, argv: list[str], at: int) -> int:
    on = word[0] == "-"
    for letter in word[1:]:
        if letter != "o":
            set_option(ctx, LETTERS[letter], on)
            if letter == "n" and on:
                raise NoExecution  # the commands after it are only parsed
        elif _is_name(argv, at):
            set_option(ctx, argv[at], on)
            at += 1
        else:
            line = option_line if on else set_command
            write_lines(ctx, [line(name, is_on(ctx, name)) for name in SET_OPTIONS])
    return at


def _is_name(argv: list[str], at: int) -> bool:
    """Return whether ``-o`` has a name; else it lists the options.

    A word that begins like an option is not a name (bash).
    """
    return at < len(argv) and argv[at][:1] not in ("", "-", "+")


def _check(argv: list[str]) -> None:
    """Check all options before the first is set (bash)."""
    at = 1
    while at < len(argv):
        word = argv[at]
        if word == "--" or len(word) < 2 or word[0] not in "-+":
            break
        at += 1
        for letter in word[1:]:
            if letter == "o":
                at += _is_name(argv, at)
            elif letter not in LETTERS:
                raise UsageError(f"{word[0]}{letter}: invalid option", 2)


def option_line(name: str, on: bool) -> str:
    """Return the line of an option in the table."""
    return f"{name:<15}\t{'on' if on else 'off'}"


def set_command(name: str, on: bool) -> str:
    """Return the command that sets an option to its current value."""
    return f"set {'-' if on else '+'}o {name}"


def show_variables(ctx: Ctx) -> None:
    """List variables and functions, as ``set`` and ``declare`` do without arguments."""
    write_lines(ctx, _variables(ctx))
    # POSIX knows only variables here.
    if "posix" not in ctx.shopts:
        for name in sorted(ctx.functions):
            write_out(ctx, function_text(ctx, name))


def _variables(ctx: Ctx) -> Iterator[str]:
    for name in sorted(ctx.vars):
        binding = ctx.vars[name]
        if variables.is_array(binding):
            yield f"{name}={array_text(binding.refresh(ctx))}"
        elif (value := variables.get(ctx, name)) is not None:
            yield f"{name}={quote_set(value)}"


def function_text(ctx: Ctx, name: str) -> str:
    """Return a function's definition as ``declare -f`` prints it."""
    from ..syntax.printer import print_function

    return print_function(name, ctx.functions[name].node.body) + "\n"
