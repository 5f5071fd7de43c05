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
    path = call.fs.realpath(call.cwd)
    logical = call.opts.last_of("logical", "physical") == "logical" or "POSIXLY_CORRECT" in call.env
    named = call.env.get("PWD", "")
    if logical and call.fs.is_absolute(named) and not {".", ".."} & set(named.split("/")):
        try:
            if os.path.samestat(call.fs.stat(named), call.fs.stat(call.cwd)):
                path = named
        except OSError:
            pass
    call.out.write(encode(path) + b"\n")
    return 0
