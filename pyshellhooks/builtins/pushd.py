"""``pushd``, ``popd``, ``dirs`` (bash "Directory Stack Builtins")."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import builtin, operands, write_lines
from ..interp.numbers import invalid_number, whole_number
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from .cd import change_directory


def _position(text: str, size: int, who: str) -> int | None:
    """Parse ``+n`` or ``-n``. Return None for another word."""
    if text[:1] not in ("+", "-"):
        return None
    index = whole_number(text[1:])
    if index is None:
        raise UsageError(invalid_number(text), 2)
    if not 0 <= index < size:
        if size == 1:
            raise UsageError("directory stack empty", 1, hint=False)
        shown = text[1:] if who == "dirs" else text
        raise UsageError(f"{shown}: directory stack index out of range", 1, hint=False)
    return index if text[0] == "+" else size - 1 - index


def _tilde(ctx: Ctx, path: str) -> str:
    home = variables.get(ctx, "HOME")
    if not home:
        return path
    directory = home.rstrip("/")
    if path == home or path.startswith(directory + "/"):
        return "~" + path[len(directory) :]
    return path


def _show(ctx: Ctx) -> int:
    write_lines(ctx, [" ".join(_tilde(ctx, path) for path in (ctx.cwd, *ctx.directories))])
    return 0


def _operands(argv: list[str]) -> tuple[list[str], bool]:
    """Return the operands, and whether ``-n`` precedes them, so that the working directory stays unchanged."""
    if argv[1:2] == ["-n"]:
        return argv[2:], True
    return operands(argv), False


@builtin("pushd", summary="Add a directory to the stack.", usage="[-n] [+N | -N | dir]")
def pushd(ctx: Ctx, argv: list[str]) -> int:
    args, stay = _operands(argv)
    stack = [ctx.cwd, *ctx.directories]
    if stay and not args:
        return 0
    if len(args) > 1:
        raise UsageError("too many arguments", 1, hint=False)
    if not args:
        if len(stack) < 2:
            raise UsageError("no other directory", 1, hint=False)
        # Without operands the two top directories change places.
        stack[0], stack[1] = stack[1], stack[0]
    elif args[0] != "-" and (index := _position(args[0], len(stack), "pushd")) is not None:
        stack = stack[index:] + stack[:index]
    elif stay:
        stack.insert(1, ctx.fs.absolute(ctx.cwd, args[0]))
    else:
        stack.insert(0, args[0])
    if not stay and change_directory(ctx, stack[0], "pushd"):
        return 1
    ctx.directories = stack[1:]
    return _show(ctx)


@builtin("popd", summary="Remove a directory from the stack.", usage="[-n] [+N | -N]")
def popd(ctx: Ctx, argv: list[str]) -> int:
    args, stay = _operands(argv)
    stack = [ctx.cwd, *ctx.directories]
    index = int(stay)
    for word in args:  # the last one applies, but an empty one ends them (bash)
        if not word:
            break
        position = _position(word, len(stack), "popd")
        if position is None:
            raise UsageError(f"{word}: invalid argument", 2)
        index = position
    if len(stack) < 2:
        raise UsageError("directory stack empty", 1, hint=False)
    if index == 0:
        if change_directory(ctx, stack[1], "popd"):
            return 1
        ctx.directories = stack[2:]
    else:
        ctx.directories = [*stack[1:index], *stack[index + 1 :]]
    return _show(ctx)


@builtin("dirs", summary="Show the directory stack.", usage="[-clpv] [+N] [-N]")
def dirs(ctx: Ctx, argv: list[str]) -> int:
    flags: set[str] = set()
    stack = [ctx.cwd, *ctx.directories]
    only: int | None = None
    for word in argv[1:]:
        if word == "--":
            break
        letters = set(word[1:]) if word.startswith("-") else set()
        if letters and letters <= set("clpv"):  # not ``-1``, which is a position
            flags |= letters
            continue
        only = _position(word, len(stack), "dirs")
        if only is None:
            raise UsageError(f"{word}: invalid option", 2)
    if "c" in flags:
        ctx.directories = []
        return 0
    shown = stack if "l" in flags else [_tilde(ctx, path) for path in stack]
    if only is not None:
        text = shown[only]
    elif "v" in flags:
        text = "\n".join(f"{at:2d}  {path}" for at, path in enumerate(shown))
    elif "p" in flags:
        text = "\n".join(shown)
    else:
        text = " ".join(shown)
    write_lines(ctx, [text])
    return 0
