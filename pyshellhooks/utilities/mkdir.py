"""mkdir: make directories (POSIX XCU mkdir; GNU coreutils 9.1)."""

from __future__ import annotations

import errno
import stat

from ..command import Call, Flag, utility
from ..command.call import reason
from ..errors import UsageError, message_of
from ..text import encode, paced
from .support.modes import Change, parse_mode
from .support.quoting import quote, quote_name


def _report_created(call: Call, name: str) -> None:
    if call.opts.verbose:
        call.out.write(encode(f"mkdir: created directory {quote_name(name)}\n"))


def _blamed(error: OSError, name: str) -> str:
    """Return the part of a path that an error names, or the whole path."""
    blamed = error.filename
    if isinstance(blamed, str) and name.startswith(blamed):
        return blamed
    return name


def _is_directory(call: Call, path: str) -> bool:
    try:
        return stat.S_ISDIR(call.fs.stat(path).st_mode)
    except OSError:
        return False


def _make_parents(call: Call, name: str) -> None:
    """Create missing parent directories; POSIX gives them u+wx, regardless of the umask."""
    at = 0
    stripped = name.rstrip("/")
    while True:
        at = stripped.find("/", at + 1)
        if at < 0:
            return
        parent = stripped[:at]
        if not parent.strip("/") or parent.endswith("/"):
            continue
        path = call.path(parent)
        try:
            call.fs.mkdir(path, 0o777 & ~call.umask | 0o300)
        except OSError as error:
            # It may exist even if creating it is forbidden, as on a read-only file system.
            if _is_directory(call, path):
                continue
            if isinstance(error, FileExistsError):
                raise OSError(errno.ENOTDIR, "Not a directory", parent)
            raise OSError(error.errno, message_of(error), parent)
        _report_created(call, parent)


def _mode(change: Change, umask: int) -> int:
    """Return the mode of a new directory.

    A directory with special bits is created without ``go+w``, and keeps that mode unless MODE sets these bits (GNU).
    """
    mode = change(0o777, True, umask)
    mentioned = ~(change(0, True, umask) ^ change(0o7777, True, umask)) & 0o7777  # the bits that MODE sets or clears
    is_special = bool(mentioned & 0o6000) or bool(mode & stat.S_ISVTX)
    careful = mode & ~0o6022
    if is_special and not mentioned & (mode ^ careful):
        return careful
    return mode


@utility(
    "mkdir",
    paths=True,
    summary="Create the DIRECTORY(ies), if they do not already exist.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... DIRECTORY...",
    flags=[
        Flag("-m", "--mode", value="MODE", help="set file mode (as in chmod), not a=rwx - umask"),
        Flag("-p", "--parents", help="no error if existing, make parent directories as needed"),
        Flag("-v", "--verbose", help="print a message for each created directory"),
        Flag("-Z", dest="Z", help="(no effect: security contexts are not supported)"),
        Flag("--context", value="CTX", optional=True, help="(warns: security contexts are not supported)"),
    ],
)
def mkdir(call: Call) -> int:
    opts = call.opts
    for _ in opts.all("context"):
        call.error("warning: ignoring --context; it requires an SELinux/SMACK-enabled kernel")
    if not call.args:
        raise UsageError("missing operand")
    text = opts.value("mode")
    change = parse_mode(text) if "mode" in opts else None
    if "mode" in opts and change is None:
        raise UsageError(f"invalid mode {quote(text, call.env)}", hint=False)
    status = 0
    for name in paced(call.operands()):
        try:
            path = call.path(name)
            if opts.parents:
                _make_parents(call, name)
            mode = 0o777 & ~call.umask if change is None else _mode(change, call.umask)
            try:
                call.fs.mkdir(path, mode)
            except FileExistsError:
                if not opts.parents or not _is_directory(call, path):
                    raise OSError(errno.EEXIST, "File exists", name)
                continue
            if change is not None:
                call.fs.chmod(path, mode)  # the process's umask may have cleared some bits
            _report_created(call, name)
        except OSError as error:
            call.error(f"cannot create directory {quote(_blamed(error, name), call.env)}: {reason(error)}")
            status = 1
    return status
