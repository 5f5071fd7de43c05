"""pwd: print the working directory (POSIX XCU pwd) of the process; the builtin prints the shell's."""

from __future__ import annotations

import os

from ..command import Call, Flag, utility
from ..text import encode


@utility(
    "pwd",
    summary="Print the full filename of the current working directory.",
    version="GNU coreutils 9.1",
    usage="[OPTION]...",
    flags=[
        Flag("-L", "--logical", help="use PWD from environment, even if it contains symlinks"),
        Flag("-P", "--physical", help="avoid all symlinks"),
    ],
)
def pwd(call: Call) -> int:
    if call.args:
        call.error("ignoring non-option arguments")
    logical = call.opts.last_of("logical", "physical") == "logical" or "POSIXLY_CORRECT" in call.env
    path = call.fs.realpath(call.cwd)
    if logical and _is_valid(call, call.env.get("PWD", "")):
        path = call.env["PWD"]
    call.out.write(encode(path) + b"\n")
    return 0


def _is_valid(call: Call, named: str) -> bool:
    """Return whether $PWD names the working directory as POSIX requires it: absolute, and without ``.`` and ``..``."""
    if not call.fs.is_absolute(named) or {".", ".."} & set(named.split("/")):
        return False
    try:
        return os.path.samestat(call.fs.stat(named), call.fs.stat(call.cwd))
    except OSError:
        return False
