"""``pushd``, ``popd``, ``dirs`` (bash "Directory Stack Builtins")."""

from __future__ import annotations

from ..errors import UsageError
from ..expand import variables
from ..interp.builtin import builtin
from ..interp.context import ExecutionContext as Ctx
from ..text import encode
from .cd import change_directory


def _position(text: str, size: int, who: str) -> int | None:
    """Read ``+n`` or ``-n``; None if it is neither."""
    if len(text) < 2 or text[0] not in "+-" or not text[1:].isdecimal():
        return None
    index = int(text[1:])
    if index >= size:
        shown = text[1:] if who == "dirs" else text
        said = "directory stack empty" if size == 1 else f"{shown}: directory stack index out of range"
        raise UsageError(said, 1, hint=False)
    return index if text[0] == "+" else size - 1 - index


def _tilde(ctx: Ctx, path: str) -> str:
    home = variables.get(ctx, "HOME") or ""
    if home and (path == home or path.startswith(home.rstrip("/") + "/")):
        return "~" + path[len(home.rstrip("/")) :]
    return path


def _show(ctx: Ctx) -> None:
    stack = [ctx.cwd, *ctx.directories]
    ctx.fds.get(1).write(encode(" ".join(_tilde(ctx, p) for p in stack) + "\n"))


@builtin("pushd", summary="Add a directory to the stack.", usage="[-n] [+N | -N | dir]")
def pushd(ctx: Ctx, argv: list[str]) -> int:
    args = argv[1:]
    stay = args[:1] == ["-n"]
    if stay or args[:1] == ["--"]:
        args = args[1:]
    stack = [ctx.cwd, *ctx.directories]
    if not args:
        if len(stack) < 2:
            raise UsageError("no other directory", 1, hint=False)
        stack[0], stack[1] = stack[1], stack[0]
    elif len(args) > 1:
        raise UsageError("too many arguments", 1, hint=False)
    else:
        index = _position(args[0], len(stack), "pushd")
        if index is None:
            if args[0].startswith("-") and len(args[0]) > 1:
                raise UsageError(f"{args[0]}: invalid number", 2)
            old = ctx.cwd
            if stay:
                ctx.directories = [ctx.fs.absolute(ctx.cwd, args[0]), *ctx.directories]
            else:
                if change_directory(ctx, args[0], "pushd"):
                    return 1
                ctx.directories = [old, *ctx.directories]
            _show(ctx)
            return 0
        stack = stack[index:] + stack[:index]
    if not stay and change_directory(ctx, stack[0], "pushd"):
        return 1
    ctx.directories = stack[1:]
    _show(ctx)
    return 0


@builtin("popd", summary="Remove a directory from the stack.", usage="[-n] [+N | -N]")
def popd(ctx: Ctx, argv: list[str]) -> int:
    args = argv[1:]
    stay = args[:1] == ["-n"]
    if stay or args[:1] == ["--"]:
        args = args[1:]
    stack = [ctx.cwd, *ctx.directories]
    if args and args[0][:1] == "-" and not args[0][1:].isdecimal():
        raise UsageError(f"{args[0]}: invalid number", 2)
    if len(stack) < 2:
        raise UsageError("directory stack empty", 1, hint=False)
    index = 1 if stay else 0
    if args:
        if len(args) > 1:
            raise UsageError("too many arguments", 2, hint=False)
        found = _position(args[0], len(stack), "popd")
        if found is None:
            raise UsageError(f"{args[0]}: invalid argument", 2)
        index = found
    if index == 0:
        if change_directory(ctx, stack[1], "popd"):
            return 1
        ctx.directories = stack[2:]
    else:
        ctx.directories = [path for at, path in enumerate(stack) if at not in (0, index)]
    _show(ctx)
    return 0


@builtin("dirs", summary="Show the directory stack.", usage="[-clpv] [+N] [-N]")
def dirs(ctx: Ctx, argv: list[str]) -> int:
    flags: set[str] = set()
    stack = [ctx.cwd, *ctx.directories]
    only: int | None = None
    for word in argv[1:]:
        if word.startswith("-") and not word[1:].isdecimal() and not set(word[1:]) <= set("clpv"):
            raise UsageError(f"{word}: invalid number", 2)
        index = _position(word, len(stack), "dirs")
        if index is not None:
            only = index
        elif word.startswith("-") and set(word[1:]) <= set("clpv") and len(word) > 1:
            flags |= set(word[1:])
        else:
            raise UsageError(f"{word}: invalid option", 2)
    if "c" in flags:
        ctx.directories = []
        return 0
    shown = stack if "l" in flags else [_tilde(ctx, path) for path in stack]
    if only is not None:
        text = shown[only]
    elif "v" in flags:
        text = "\n".join(f"{at:2d}  {path}" for at, path in enumerate(shown))
    else:
        text = ("\n" if "p" in flags else " ").join(shown)
    ctx.fds.get(1).write(encode(text + "\n"))
    return 0
