"""Files and programs that cannot be run: the message, the status (126 or 127) and the notice."""

from __future__ import annotations

import errno

from ..command.call import reason
from ..state.context import ExecutionContext as Ctx
from ..state.run import TOO_LARGE

NOT_FOUND = 127
NOT_RUN = 126


def not_by_name(ctx: Ctx, name: str, why: str, hint: str) -> int:
    """Refuse a file that another program must run: status 126, with the hint in the message too."""
    return refuse(ctx, name, why, hint, shown=f"{why}; {hint}")


def refuse(ctx: Ctx, name: str, why: str, hint: str, own: str = "", *, shown: str = "") -> int:
    """Refuse to run a command: a message, a notice and status 126. ``own``: see ``Run.notice``."""
    ctx.warn(f"{name}: {shown or why}")
    kind = "process-refused" if own else "file-not-runnable"
    ctx.run.notice(why, kind, command=name, hint=hint, status=NOT_RUN, own=own)
    return NOT_RUN


def cannot_open(ctx: Ctx, name: str, error: OSError, path: str) -> int:
    """Report a script or program that cannot be opened. Status 127 if it does not exist, else 126."""
    text = reason(error)
    status = NOT_FOUND if error.errno == errno.ENOENT else NOT_RUN
    ctx.warn(f"{name}: {text}")
    notice_unopened(ctx, name, error, path, status)
    return status


def notice_unopened(ctx: Ctx, name: str, error: OSError, path: str, status: int) -> None:
    """Add a notice to the run, with a hint, that a script or program cannot be opened."""
    own, kind = "", "file-not-runnable"
    if name.startswith("/"):
        path = ctx.fs.in_one_form(name)  # on Windows without the drive, which the author did not write
    if error.errno == errno.EISDIR:
        hint = "choose a script in this directory"
    elif error.errno in (errno.ENOENT, errno.ENOTDIR):
        kind, hint = "file-not-found", f"{path} does not exist; correct the path, or create the file"
    elif error.errno in (errno.E2BIG, errno.EINVAL):  # EINVAL: a NUL in a variable
        own, kind = TOO_LARGE, "input-too-large"
        hint = "pass shorter arguments and variables, without NUL characters"
    else:
        hint = f"run `chmod u+rx {path}`"
    ctx.run.notice(reason(error), kind, command=name, hint=hint, status=status, own=own)
