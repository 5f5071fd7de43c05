"""realpath: print canonical file names (GNU coreutils 9.1)."""

from __future__ import annotations

import errno
import stat
from collections.abc import Callable

from ..command import Call, Flag, utility
from ..command.call import reason
from ..errors import UsageError
from ..text import encode, paced
from .support.quoting import name_of, report


def canonical(call: Call, name: str, need: str = "") -> str:
    """Resolve all links.

    ``need``: the components that must exist, ``existing`` all, ``missing`` none, else all but the last.
    """
    if not name:
        raise OSError(errno.ENOENT, "No such file or directory", name)
    path = call.fs.absolute(call.cwd, name)
    if need != "missing":
        check_directories(call, name)
    found = call.fs.realpath(path)
    if need == "existing":
        call.fs.stat(path)
    elif need != "missing":
        # Its directory must be readable too, which only its first entry shows.
        parent = found.rpartition("/")[0] or "/"
        list(zip(call.fs.scandir(parent), range(1), strict=False))
        try:
            call.fs.stat(path)
        except FileNotFoundError:
            pass
    return found


def check_directories(call: Call, name: str, *, only_up: bool = False) -> None:
    """Raise if a component above the last is a file or missing.

    With ``only_up``, a missing one matters only before ``..``.
    """
    parts = call.path(name).split("/")
    first = 1
    if parts[0].endswith(":") and call.fs.has_drives():
        first = 2  # "C:" alone is the drive's current directory
    for at in range(first, len(parts)):
        above = "/".join(parts[:at]) or "/"
        try:
            is_directory = stat.S_ISDIR(call.fs.stat(above).st_mode)
        except FileNotFoundError:
            needed = ".." in parts[at:] if only_up else any(parts[at:])
            if needed:
                raise
            return
        if not is_directory:
            raise NotADirectoryError(errno.ENOTDIR, "Not a directory", name)


def lexical(path: str) -> str:
    """Remove ``.`` and ``..`` from an absolute path textually, without following links."""
    drive = ""
    if path[1:2] == ":":  # an absolute path of Windows
        drive, path = path[:2], path[2:]
    parts: list[str] = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part != "..":
            parts.append(part)
        elif parts:
            parts.pop()
        else:
            drive = ""  # the parent of a drive is the root above all drives
    return f"{drive}/{'/'.join(parts)}"


def relative(path: str, base: str) -> str:
    """Return an absolute path relative to another one."""
    here = [part for part in base.split("/") if part]
    there = [part for part in path.split("/") if part]
    common = 0
    while common < min(len(here), len(there)) and here[common] == there[common]:
        common += 1
    up = [".."] * (len(here) - common)
    return "/".join(up + there[common:]) or "."


def _is_below(path: str, base: str) -> bool:
    if not base or path == base:
        return True
    return path.startswith(base.rstrip("/") + "/")


def _roots(call: Call, resolve: Callable[[str], str], need: str) -> tuple[str, str]:
    """Return the directories of ``--relative-to`` and ``--relative-base``, each "" if the option is absent."""
    roots = {"relative_to": "", "relative_base": ""}
    for option in roots:
        if option not in call.opts:
            continue
        root = call.fs.in_one_form(call.opts.value(option))
        try:
            roots[option] = resolve(root)
            if need == "existing" and not stat.S_ISDIR(call.fs.stat(roots[option]).st_mode):
                raise NotADirectoryError(errno.ENOTDIR, "Not a directory")
        except OSError as error:
            raise UsageError(f"{name_of(root)}: {reason(error)}", hint=False) from None
    return roots["relative_to"], roots["relative_base"]


@utility(
    "realpath",
    paths=True,
    summary="Print the resolved absolute file name; all but the last component must exist.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... FILE...",
    flags=[
        Flag("-e", "--canonicalize-existing", help="all components of the path must exist"),
        Flag("-m", "--canonicalize-missing", help="no path components need exist or be a directory"),
        Flag("-L", "--logical", help="resolve '..' components before symlinks"),
        Flag("-P", "--physical", help="resolve symlinks as encountered (default)"),
        Flag("-q", "--quiet", help="suppress most error messages"),
        Flag("--relative-to", value="DIR", help="print the resolved path relative to DIR"),
        Flag("--relative-base", value="DIR", help="print absolute paths unless paths below DIR"),
        Flag("-s", "--strip", "--no-symlinks", help="don't expand symlinks"),
        Flag("-z", "--zero", help="end each output line with NUL, not newline"),
    ],
)
def realpath(call: Call) -> int:
    opts = call.opts
    if not call.args:
        raise UsageError("missing operand")
    # "existing", "missing" or "": the later of -e and -m counts.
    need = (opts.last_of("canonicalize_existing", "canonicalize_missing") or "").rpartition("_")[2]
    end = b"\0" if opts.zero else b"\n"
    resolve = _resolver(call, need)
    to_path, base_path = _roots(call, resolve, need)
    if to_path and not _is_below(to_path, base_path):
        to_path, base_path = "", "\0"  # no path is printed relative to it
    status = 0
    for name in paced(call.args):
        try:
            path = resolve(name)
        except OSError as error:
            status = 1
            if not opts.quiet:
                report(call, name, error)
            continue
        is_relative = bool(to_path or base_path)
        if is_relative and _is_below(path, base_path):
            path = relative(path, to_path or base_path)
        call.out.write(encode(path) + end)
    return status


def _resolver(call: Call, need: str) -> Callable[[str], str]:
    """Return the function that resolves one name by the rules of the options."""
    spelled = call.opts.last_of("strip", "logical", "physical")

    def resolve(name: str) -> str:
        if spelled == "strip" and name:
            if need == "existing":
                call.fs.stat(call.path(name))
            elif need != "missing":
                check_directories(call, name, only_up=True)
            return lexical(call.path(name))
        if spelled == "logical" and name:
            # Before "a/.." is removed from the text: "a" must be a directory even so.
            if need not in ("existing", "missing"):
                check_directories(call, name)
            name = lexical(call.path(name))
        return canonical(call, name, need)

    return resolve
