"""readlink: print the target of a symbolic link or a canonical file name (GNU coreutils 9.1)."""

from __future__ import annotations

from ..command import Call, Flag, utility
from ..errors import UsageError
from ..text import encode, paced
from .realpath import canonical
from .support.quoting import report


@utility(
    "readlink",
    paths=True,
    summary="Print value of a symbolic link or canonical file name.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... FILE...",
    flags=[
        Flag("-f", "--canonicalize", help="canonicalize; all but the last component must exist"),
        Flag("-e", "--canonicalize-existing", help="canonicalize; all components must exist"),
        Flag("-m", "--canonicalize-missing", help="canonicalize, without requirements on components existence"),
        Flag("-n", "--no-newline", help="do not output the trailing delimiter"),
        Flag("-q", "--quiet", help="suppress most error messages"),
        Flag("-s", "--silent", help="suppress most error messages"),
        Flag("-v", "--verbose", help="report error messages"),
        Flag("-z", "--zero", help="end each output line with NUL, not newline"),
    ],
)
def readlink(call: Call) -> int:
    opts = call.opts
    if not call.args:
        raise UsageError("missing operand")
    how = opts.last_of("canonicalize", "canonicalize_existing", "canonicalize_missing")
    bare = opts.no_newline
    if bare and len(call.args) > 1:
        call.error("ignoring --no-newline with multiple arguments")
        bare = False
    end = b"\0" if opts.zero else b"\n"
    if bare:
        end = b""
    need = ""
    if how is not None and "_" in how:
        need = how.rpartition("_")[2]
    # GNU's readlink is silent about errors: scripts test whether it prints anything.
    loud = opts.last_of("quiet", "silent", "verbose") == "verbose"
    status = 0
    for name in paced(call.args):
        try:
            if how is None:
                target = call.fs.readlink(call.path(name))
            else:
                target = canonical(call, name, need)
        except OSError as error:
            status = 1
            if loud:
                report(call, name, error)
            continue
        call.out.write(encode(target) + end)
    return status
