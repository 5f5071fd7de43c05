"""touch: set the times of files (POSIX XCU touch; GNU coreutils 9.1)."""

from __future__ import annotations

import errno
import os
from calendar import monthrange
from time import time_ns

from ..command import Call, Flag, RawArgument, utility
from ..command.call import reason
from ..errors import UsageError
from ..text import paced
from .support.kinds import Choice
from .support.quoting import quote, quote_name


def _digits(argument: RawArgument) -> str:
    """Return the value of ``-t``, ``[[CC]YY]MMDDhhmm[.ss]``.

    Raise if it has a wrong number of digits or is not a valid time.
    """
    if not _is_time(argument.text):
        raise UsageError(f"invalid date format {quote(argument.text, argument.env)}", hint=False)
    return argument.text


def _is_time(text: str) -> bool:
    digits, dot, seconds = text.partition(".")
    all_digits = digits + seconds
    if not all_digits.isascii() or not all_digits.isdigit():
        return False
    if len(digits) not in (8, 10, 12) or len(seconds) != 2 * len(dot):
        return False
    if int(seconds or 0) > 60:  # POSIX permits a leap second
        return False
    month, day, hour, minute = _parts(digits)
    if not 1 <= month <= 12 or hour >= 24 or minute >= 60:
        return False
    # The 29th of February is checked later, when the year is known.
    return 1 <= day <= monthrange(2000, month)[1]


def _parts(digits: str) -> tuple[int, int, int, int]:
    """Return month, day, hour and minute."""
    last = digits[-8:]
    return int(last[:2]), int(last[2:4]), int(last[4:6]), int(last[6:])


def _stamp(text: str, call: Call) -> int:
    """Return the time of ``-t`` in nanoseconds."""
    from ..times.moments import moment

    digits, _, seconds = text.partition(".")
    now = moment(time_ns(), call.zone)
    year = now.year
    if len(digits) == 12:
        year = int(digits[:4])
    elif len(digits) == 10:
        year = int(digits[:2])
        year += 1900 if year >= 69 else 2000  # POSIX XCU touch
    try:
        return now.at(year, *_parts(digits), int(seconds or 0))
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
            file_status = call.fs.stat(call.path(name), follow=not opts.no_dereference)
        except OSError as error:
            raise UsageError(f"failed to get attributes of {quote_name(name)}: {reason(error)}", hint=False)
        base = file_status.st_atime_ns, file_status.st_mtime_ns
    if "date" in opts:
        from .date.parse import parse_date

        now = time_ns()
        stamps = [parse_date(opts.value("date"), start, call.zone) for start in base or (now, now)]
        if stamps[0] is None or stamps[1] is None:
            raise UsageError(f"invalid date format {quote(opts.value('date'), call.env)}", hint=False)
        return stamps[0], stamps[1]
    return base


_WORD = Choice(("atime", "access", "use"), ("mtime", "modify"))


@utility(
    "touch",
    paths=True,
    summary="Update the access and modification times of each FILE to the current time.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... FILE...",
    flags=[
        Flag("-a", help="change only the access time"),
        Flag("-c", "--no-create", help="do not create any files"),
        Flag("-d", "--date", value="STRING", help="parse STRING and use it instead of current time"),
        Flag("-f", help="(ignored)"),
        Flag("-h", "--no-dereference", help="affect each symbolic link instead of any referenced file"),
        Flag("-m", help="change only the modification time"),
        Flag("-r", "--reference", value="FILE", help="use this file's times instead of current time"),
        Flag("-t", value="STAMP", kind=_digits, help="use [[CC]YY]MMDDhhmm[.ss] instead of current time"),
        Flag("--time", value="WORD", kind=_WORD, help="change this time: access, atime, use; modify, mtime"),
    ],
)
def touch(call: Call) -> int:
    opts = call.opts
    times = _times(call)
    if not call.args:
        raise UsageError("missing file operand")
    which = {letter for letter in "am" if letter in opts}
    which.update(word[0] for word in opts.all("time"))
    status = 0
    for name in paced(call.args):
        if name == "-":
            continue  # GNU's touches the file of standard output, which a run may not have
        # GNU's message depends on whether open(2) or utimensat(2) fails.
        only_sets = opts.no_dereference or name.endswith("/")
        problem = "setting times of" if only_sets else "cannot touch"
        try:
            path = _present(call, name)
            problem = "setting times of"
            _set(call, path, times, which)
        except OSError as error:
            if opts.no_create and error.errno == errno.ENOENT:
                continue
            call.error(f"{problem} {quote_name(name)}: {reason(error)}")
            status = 1
    return status


def _present(call: Call, name: str) -> str:
    """Return the path of a file, which is created if it is missing and may be created."""
    path = call.path(name)
    if call.opts.no_dereference or call.opts.no_create or call.fs.exists(path):
        return path
    if name.endswith("/"):
        there = call.fs.exists(call.path(name.rstrip("/") or "/"))
        raise OSError(errno.ENOTDIR if there else errno.ENOENT, "", name)
    call.open(name, os.O_WRONLY | os.O_CREAT).release()
    return path


def _set(call: Call, path: str, times: tuple[int, int] | None, which: set[str]) -> None:
    """Set both times of a file, or only one, which keeps the other as it is."""
    follow = not call.opts.no_dereference
    if len(which) == 1:
        file_status = call.fs.stat(path, follow=follow)
        now = time_ns()
        access, change = times or (now, now)
        if "a" in which:
            times = access, file_status.st_mtime_ns
        else:
            times = file_status.st_atime_ns, change
    call.fs.utime(path, times, follow=follow)
