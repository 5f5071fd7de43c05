"""rmdir: remove empty directories (POSIX XCU rmdir; GNU coreutils 9.1)."""

from __future__ import annotations

import errno
import stat

from ..command import Call, Flag, utility
from ..command.call import reason
from ..errors import UsageError
from ..text import encode, paced
from .support.quoting import quote_name


def _remove(call: Call, name: str, *, parent: bool = False) -> bool | None:
    """Remove a directory. Return whether it was removed, or None if it is not empty and that error is ignored."""
    if call.opts.verbose:
        call.out.write(encode(f"rmdir: removing directory, {quote_name(name)}\n"))
    try:
        call.fs.rmdir(call.path(name))
    except OSError as error:
        if call.opts.ignore_fail_on_non_empty and error.errno in (errno.ENOTEMPTY, errno.EEXIST):
            return None
        word = "directory " if parent else ""
        why = "Symbolic link not followed" if _is_link(call, name, error) else reason(error)
        call.error(f"failed to remove {word}{quote_name(name)}: {why}")
        return False
    return True


def _is_link(call: Call, name: str, error: OSError) -> bool:
    """Return whether a name with a trailing slash failed because it is a link to a directory, or a dangling link."""
    if error.errno != errno.ENOTDIR or not name.endswith("/"):
        return False
    path = call.path(name.rstrip("/"))
    try:
        if not stat.S_ISLNK(call.fs.stat(path, follow=False).st_mode):
            return False
        return stat.S_ISDIR(call.fs.stat(path).st_mode)
    except OSError:
        return not call.fs.exists(path)


@utility(
    "rmdir",
    paths=True,
    summary="Remove the DIRECTORY(ies), if they are empty.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... DIRECTORY...",
    flags=[
        Flag("--ignore-fail-on-non-empty", help="ignore each failure to remove a non-empty directory"),
        Flag("-p", "--parents", help="remove DIRECTORY and its ancestors"),
        Flag("-v", "--verbose", help="output a diagnostic for every directory processed"),
    ],
)
def rmdir(call: Call) -> int:
    if not call.args:
        raise UsageError("missing operand")
    status = 0
    for name in paced(call.operands()):
        gone = _remove(call, name)
        path = name.rstrip("/")
        while gone and call.opts.parents and "/" in path.strip("/"):
            path = path.rpartition("/")[0].rstrip("/")
            gone = _remove(call, path, parent=True)
        if gone is False:
            status = 1
    return status
