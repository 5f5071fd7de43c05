"""``cd`` (POSIX XCU cd): the shell's own working directory; the host's never changes (rule 2)."""

from __future__ import annotations

import errno

from ..command.call import reason
from ..errors import UsageError
from ..expand.globbing import is_directory
from ..interp.builtin import Options, builtin
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..syntax.quote import needs_escapes, quote_ansi
from ..text import encode


@builtin("cd", summary="Change the working directory.", usage="[-L|[-P [-e]] [-@]] [dir]")
def cd(ctx: Ctx, argv: list[str]) -> int:
    physical = "physical" in ctx.shopts
    options = Options(argv, "LPe@")
    for letter, _ in options:
        # -e and -@ make no difference here.
        if letter in "LP":
            physical = letter == "P"
    args = options.operands
    if len(args) > 1:
        raise UsageError("too many arguments", 1, hint=False)
    show = None
    if not args:
        target = _required(ctx, "HOME")
    elif args[0] == "-":
        target = show = _required(ctx, "OLDPWD")  # it is printed as it is in the variable (bash)
    else:
        target = args[0]
    directory, searched = _search(ctx, target)
    if "cdable_vars" in ctx.shopts and not is_directory(ctx, directory):
        value = variables.get(ctx, target) if target.isidentifier() else None
        if value and is_directory(ctx, value):
            directory, searched, target = value, True, value
    if searched:
        show = ""
    return change_directory(ctx, directory, "cd", physical=physical, show=show, shown=target)


def _required(ctx: Ctx, name: str) -> str:
    value = variables.get(ctx, name)
    if value is None:
        raise UsageError(f"{name} not set", 1, hint=False)
    return value


def _search(ctx: Ctx, target: str) -> tuple[str, bool]:
    """Search the directories of CDPATH. Return a directory, and whether it is to be printed."""
    path = variables.get(ctx, "CDPATH")
    if not path or not _is_searched(ctx, target):
        return target, False
    for element in path.split(":"):
        candidate = target
        if element:
            candidate = f"{element.rstrip('/') or '/'}/{target}"
        if is_directory(ctx, candidate):
            return candidate, bool(element)
    return target, False


def _is_searched(ctx: Ctx, target: str) -> bool:
    """Return whether CDPATH applies to an operand: not to a path that begins with a slash or dots (POSIX cd, step 3)."""
    if ctx.fs.is_absolute(target):
        return False
    return target.partition("/")[0] not in (".", "..")


def change_directory(
    ctx: Ctx, target: str, who: str, *, physical: bool = False, show: str | None = None, shown: str = ""
) -> int:
    """Change the working directory and update PWD and OLDPWD.

    ``show``: the text to print afterwards ("": the new directory).
    """
    shown = ctx.fs.in_one_form(shown or target)
    path = ctx.cwd  # for an empty operand, too (bash)
    if target:
        path = ctx.fs.absolute(ctx.cwd, target)
    try:
        if not physical:
            check_parents(ctx, path)
            path = normalise(path)
            if path[2:] == ":" and ctx.fs.has_drives():  # /C: is a link to C:/ on Windows
                path = ctx.fs.realpath(path)
        _require_directory(ctx, path)
        if not ctx.fs.access(path, 1):  # X_OK: whether it may be entered
            raise OSError(errno.EACCES, "Permission denied")
        if physical:
            path = ctx.fs.realpath(path)
    except OSError as error:
        # A name must not be able to write control characters to a terminal.
        name = quote_ansi(shown) if needs_escapes(shown) else shown
        ctx.warn(f"{who}: {name}: {reason(error)}")
        return 1
    # OLDPWD is the value of PWD, which a script may have changed or unset (POSIX cd).
    old = variables.get(ctx, "PWD")
    if old is not None:
        variables.assign(ctx, "OLDPWD", old)
        variables.export(ctx, "OLDPWD")
    ctx.cwd = path
    variables.assign(ctx, "PWD", path)
    if show is not None:
        ctx.fds.get(1).write(encode((show or path) + "\n"))
    return 0


def check_parents(ctx: Ctx, path: str) -> None:
    """Raise unless the path before each ``..`` is a directory (POSIX cd, step 8b)."""
    at = path.find("/..")
    while at >= 0:
        is_whole_part = path[at + 3 : at + 4] in ("", "/")
        is_root = at == 0 or (at == 2 and path[1] == ":")  # "C:" alone is the drive's current directory
        if is_whole_part and not is_root:
            _require_directory(ctx, path[:at])
        at = path.find("/..", at + 1)


def _require_directory(ctx: Ctx, path: str) -> None:
    if ctx.fs.stat(path).st_mode & 0o170000 != 0o040000:
        raise OSError(errno.ENOTDIR, "Not a directory")


def normalise(path: str) -> str:
    """Resolve ``.`` and ``..`` textually (the logical way of POSIX cd)."""
    root = ""
    if path[1:2] == ":":
        root, path = path[:2], path[2:]
    elif path.startswith("//") and not path.startswith("///"):
        root = "/"
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if parts:
                parts.pop()
            elif root != "/":
                root = ""  # the parent of a drive is the root above all drives
        elif part not in ("", "."):
            parts.append(part)
    return root + "/" + "/".join(parts)
