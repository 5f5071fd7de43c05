"""realpath: canonical names (GNU coreutils 9.1)."""

from __future__ import annotations

import errno

from ..command import Call, Flag, utility
from ..errors import UsageError
from ..text import encode, paced
from .support.quoting import report


def canonical(call: Call, name: str, need: str = "") -> str:
    """Resolve every link. ``need``: ``existing`` wants all of it there, ``missing`` nothing, else all but the last part."""
    if not name:
        raise OSError(errno.ENOENT, "No such file or directory", name)
    path = call.fs.absolute(call.cwd, name) if name else call.cwd
    found = call.fs.realpath(path)
    if need == "existing":
        call.fs.stat(path)
    elif need != "missing":
        parent = found.rpartition("/")[0] or "/"
        list(zip(call.fs.scandir(parent), range(1), strict=False))
        try:
            call.fs.stat(path)
        except FileNotFoundError:
            pass
    return found


def lexical(path: str) -> str:
    """Take ``.`` and ``..`` out of an absolute path by its text alone."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if parts:
                parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


def relative(path: str, base: str) -> str:
    """Write one absolute path as seen from another."""
    here, there = [p for p in base.split("/") if p], [p for p in path.split("/") if p]
    common = 0
    while common < min(len(here), len(there)) and here[common] == there[common]:
        common += 1
    return "/".join([".."] * (len(here) - common) + there[common:]) or "."


@utility(
    "realpath",
    summary="Print the resolved absolute file name; all but the last component must exist.",
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
    need = (opts.last_of("canonicalize_existing", "canonicalize_missing") or "").rpartition("_")[2]
    end = b"\0" if opts.zero else b"\n"

    def resolve(name: str) -> str:
        if opts.strip:
            if need == "existing":
                call.fs.stat(call.path(name))
            return lexical(call.path(name))
        if opts.logical and name:
            name = lexical(call.path(name))
        return canonical(call, name, need)

    to = opts.value("relative_to")
    base = opts.value("relative_base")
    roots = []
    for root in (to, base):
        try:
            roots.append(resolve(root) if root else "")
        except OSError as error:
            raise OSError(error.errno, error.strerror, root) from None
    to_path, base_path = roots
    status = 0
    for name in paced(call.args):
        try:
            path = resolve(name)
        except OSError as error:
            status = 1
            if not opts.quiet:
                report(call, name, error)
            continue
        below = not base_path or path == base_path or path.startswith(base_path.rstrip("/") + "/")
        if (to_path or base_path) and below:
            path = relative(path, to_path or base_path)
        call.out.write(encode(path) + end)
    return status
