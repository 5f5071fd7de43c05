"""``eval``, ``.`` and ``source`` (POSIX XCU 2.14)."""

from __future__ import annotations

from ..command.call import reason
from ..errors import UsageError
from ..interp.builtin import Reported, builtin, option_letters
from ..interp.jobs.traps import hide_for_function, on_return, show_after_function
from ..interp.nested_shell import read_all
from ..interp.redirect import open_file
from ..interp.refusals import notice_unopened
from ..interp.resolve import script_on_path, undotted
from ..interp.script import run_text
from ..state.context import ExecutionContext as Ctx
from ..state.context import Frame
from ..state.control import ReturnFrom
from ..text import decode

_MOST_NULS = 256  # in a text file; they are removed (bash)


@builtin("eval", summary="Run arguments as a shell command.", usage="[arg ...]", special=True)
def eval_(ctx: Ctx, argv: list[str]) -> int:
    _, args = option_letters(argv, "")
    if not args:
        return 0
    return run_text(ctx, " ".join(args), ctx.name, ctx.line, once=True, kind="eval: ")


def _find(ctx: Ctx, name: str) -> str:
    """Return the path of the file of ``source``: a path unchanged, else on PATH, else in the working directory."""
    if "/" not in name and "sourcepath" in ctx.shopts:
        path = script_on_path(ctx, name)
        if path is not None:
            return path
        if "posix" in ctx.shopts:
            raise UsageError(f"{name}: file not found", 1, hint=False)
    return name


def _unread(ctx: Ctx, builtin: str, name: str, error: OSError | UsageError) -> None:
    """Report an unreadable file as bash does, and as a notice, since the definitions in it are missing."""
    if isinstance(error, UsageError):
        ctx.warn(f".: {name}: file not found")
        hint = "write its path, with a slash"
        ctx.run.notice("file not found", "file-not-found", command=f"{builtin} {name}", hint=hint, status=1)
        return
    if isinstance(error, IsADirectoryError):
        ctx.warn(f".: {name}: is a directory")
    else:
        ctx.warn(f"{name}: {reason(error)}")
    path = ctx.fs.absolute(ctx.cwd, undotted(name))
    notice_unopened(ctx, f"{builtin} {name}", error, path, 1)


def _source(ctx: Ctx, argv: list[str]) -> int:
    _, args = option_letters(argv, "")
    if not args:
        raise UsageError("filename argument required", 2)
    name = ctx.fs.in_one_form(args[0])
    try:
        path = _find(ctx, name)
        stream = open_file(ctx, path, "<").retain()
        try:
            data = read_all(ctx, stream)
        finally:
            stream.release()
    except (OSError, UsageError) as error:
        _unread(ctx, argv[0], name, error)
        raise Reported(1) from None
    if data.count(b"\0") > _MOST_NULS:
        ctx.warn(f"{argv[0]}: {path}: cannot execute binary file")
        message, hint = "cannot execute binary file", "choose a script in UTF-8 text"
        ctx.run.notice(message, "file-not-runnable", command=f"{argv[0]} {path}", hint=hint, status=126)
        return 126
    text = decode(data.replace(b"\0", b""))
    frame = Frame("source", ctx.frame, ctx.line, name, function=False, owner=ctx.owner)
    saved_args, saved_name = ctx.args, ctx.name
    # Without arguments the file sees those of its caller (bash).
    ctx.args = args[1:] or saved_args
    ctx.frame = frame
    ctx.name = name
    # As in a function, the DEBUG trap does not run in the file (bash without functrace).
    hidden = hide_for_function(ctx) if "DEBUG" in ctx.traps else None
    try:
        try:
            status = run_text(ctx, text, name)
        except ReturnFrom as flow:
            status = flow.status
        if ctx.traps:
            on_return(ctx)
        return status
    finally:
        if hidden:
            show_after_function(ctx, hidden)
        ctx.frame = frame.parent
        ctx.name = saved_name
        keeps_args = frame.args_set and frame.enclosing() is None  # those of `set --`, outside functions (bash)
        if args[1:] and not keeps_args:
            ctx.args = saved_args


@builtin(".", summary="Run a file in this shell.", usage="filename [arguments]", special=True)
def dot(ctx: Ctx, argv: list[str]) -> int:
    return _source(ctx, argv)


@builtin("source", summary="Run a file in this shell.", usage="filename [arguments]", special=True)
def source(ctx: Ctx, argv: list[str]) -> int:
    return _source(ctx, argv)
