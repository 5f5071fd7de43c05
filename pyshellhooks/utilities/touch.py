"""touch: set the times of files (POSIX XCU touch; GNU coreutils 9.1)."""

from __future__ import annotations

import errno
import os
import stat
from time import time_ns

from ..command import Call, Flag, utility
from ..command.call import reason
from ..errors import UsageError
from .quoting import quote, quote_name, wrong_choice

_WORDS = {"atime": "a", "access": "a", "use": "a", "mtime": "m", "modify": "m"}


def _stamp(text: str, call: Call) -> int:
    """Read ``-t``'s ``[[CC]YY]MMDDhhmm[.ss]``; gives nanoseconds."""
    from .timeformat import moment

    digits, dot, seconds = text.partition(".")
    good = digits.isascii() and digits.isdigit() and len(digits) in (8, 10, 12)
    if not good or (dot and not (len(seconds) == 2 and seconds.isdigit())):
        raise UsageError(f"invalid date format {quote(text, call.env)}", hint=False)
    now = moment(time_ns(), call.env.get("TZ"))
    year = now.year
    if len(digits) == 12:
        year = int(digits[:4])
    elif len(digits) == 10:
        year = int(digits[:2])
        year += 1900 if year >= 69 else 2000
    month, day, hour, minute = (int(digits[-8:][i : i + 2]) for i in (0, 2, 4, 6))
    try:
        return now.at(year, month, day, hour, minute, int(seconds or 0))
    except ValueError:
        raise UsageError(f"invalid date format {quote(text, call.env)}", hint=False)


def _times(call: Call) -> tuple[int, int] | None:
    opts = call.opts
    sources = [dest for dest in ("date", "reference", "t") if dest in opts]
    if "t" in opts and len(sources) > 1:
        raise UsageError("cannot specify times from more than one source")
    if "t" in opts:
        stamp = _stamp(opts.value("t"), call)
        return stamp, stamp
    base: tuple[int, int] | None = None
    if "reference" in opts:
        name = opts.value("reference")
        try:
            found = call.fs.stat(call.path(name))
        except OSError as error:
            raise UsageError(f"failed to get attributes of {quote_name(name)}: {reason(error)}", hint=False)
        base = found.st_atime_ns, found.st_mtime_ns
    if "date" in opts:
        from .dateparse import parse_date

        now = time_ns()
        stamps = [parse_date(opts.value("date"), start, call.env.get("TZ")) for start in base or (now, now)]
        if stamps[0] is None or stamps[1] is None:
            raise UsageError(f"invalid date format {quote(opts.value('date'), call.env)}", hint=False)
        return stamps[0], stamps[1]
    return base


@utility(
    "touch",
    summary="Update the access and modification times of each FILE to the current time.",
    usage="[OPTION]... FILE...",
    flags=[
        Flag("-a", help="change only the access time"),
        Flag("-c", "--no-create", help="do not create any files"),
        Flag("-d", "--date", value="STRING", help="parse STRING and use it instead of current time"),
        Flag("-f", help="(ignored)"),
        Flag("-h", "--no-dereference", help="affect each symbolic link instead of any referenced file"),
        Flag("-m", help="change only the modification time"),
        Flag("-r", "--reference", value="FILE", help="use this file's times instead of current time"),
        Flag("-t", value="STAMP", help="use [[CC]YY]MMDDhhmm[.ss] instead of current time"),
        Flag("--time", value="WORD", help="change the specified time: access, atime, use; modify, mtime"),
    ],
)
def touch(call: Call) -> int:
    opts = call.opts
    times = _times(call)
    if not call.args:
        raise UsageError("missing file operand")
    which = {letter for letter in "am" if letter in opts}
    if "time" in opts:
        word = opts.value("time")
        if word not in _WORDS:
            raise wrong_choice(call, "--time", word, (("atime", "access", "use"), ("mtime", "modify")))
        which.add(_WORDS[word])
    status = 0
    for name in call.args:
        if name == "-":
            continue
        try:
            path = _present(call, name)
        except OSError as error:
            if name.endswith("/"):
                call.error(f"setting times of {quote_name(name)}: No such file or directory")
                status = 1
                continue
            call.error(f"cannot touch {quote_name(name)}: {reason(error)}")
            status = 1
            continue
        try:
            if path is not None and opts.no_dereference and _is_link(call, path):
                # No file system of ours can set the times of a link itself; those of its target must stay.
                raise OSError(errno.ENOSYS, "Function not implemented")
            if path is not None:
                _set(call, path, times, which)
        except OSError as error:
            call.error(f"setting times of {quote_name(name)}: {reason(error)}")
            status = 1
    return status


def _present(call: Call, name: str) -> str | None:
    """Give the path of a file, made if it is missing; None where it must not be made."""
    path = call.path(name)
    if call.fs.exists(path) or call.opts.no_dereference:
        return path
    if call.opts.no_create:
        return None
    call.open(name, os.O_WRONLY | os.O_CREAT).release()
    return path


def _is_link(call: Call, path: str) -> bool:
    try:
        return stat.S_ISLNK(call.fs.stat(path, follow=False).st_mode)
    except OSError:
        return False


def _set(call: Call, path: str, times: tuple[int, int] | None, which: set[str]) -> None:
    if len(which) == 1:
        found = call.fs.stat(path)
        now = time_ns()
        access, change = times or (now, now)
        times = (access, found.st_mtime_ns) if "a" in which else (found.st_atime_ns, change)
    call.fs.utime(path, times)
