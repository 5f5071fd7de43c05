"""First lines (``#!…``) with which a kernel can't start a script, although the embedded shell runs it. Pure.

The rules are those of Linux (execve(2), ``fs/binfmt_script.c``) and of GNU env; each row of ``tests/field/mishaps_*.toml`` was
answered by the agents' own programs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple


class Fault(NamedTuple):
    """One mistake. ``is_here``: it depends on the programs of this machine. ``begin``: its offset in the line."""

    code: str
    message: str
    hint: str
    is_here: bool = False
    begin: int = 0


def fault(line: str, cwd: str, path: Sequence[str], is_there: Callable[[str], bool]) -> Fault | None:
    r"""Return why a kernel can't start the program of a first line ``#!…``; None if it can, or if the line names none.

    ``line``: without its ``\n``. ``path``: the directories of PATH. ``is_there``: returns whether a path is a file.
    """
    interpreter, _, rest = line[2:].replace("\t", " ").lstrip(" ").partition(" ")
    if not interpreter.strip("\r"):
        return None
    rest = rest.strip(" ")
    is_env = interpreter.rpartition("/")[2] == "env"
    if is_env and (not rest.strip("\r") or rest.startswith("-")):
        return None
    sought = rest if is_env else interpreter
    if is_env and " " in sought:
        return _several(interpreter, sought.rstrip("\r"))
    if sought.endswith("\r"):
        message = "its first line ends with CRLF: the system looks for a program whose name ends with \\r"
        return Fault("crlf", message, "save it with LF", begin=line.index("\r"))
    return _missing(interpreter, cwd, is_there) or (_not_on_path(sought, path, is_there) if is_env else None)


def _several(interpreter: str, sought: str) -> Fault:
    message = f'on Linux, its first line passes env one word, "{sought}", and no program has this name'
    return Fault("interpreter", message, f"write #!{interpreter} -S {sought}")


def _missing(interpreter: str, cwd: str, is_there: Callable[[str], bool]) -> Fault | None:
    if interpreter.startswith("/"):
        if is_there(interpreter):
            return None
        message = f"its first line names {interpreter}, which is not on this machine"
        return Fault("interpreter", message, "name a program that exists, or write #!/usr/bin/env NAME", is_here=True)
    if is_there(f"{cwd}/{interpreter}"):
        return None
    message = f"its first line names {interpreter}, which the system looks for in the working directory"
    return Fault("interpreter", message, f"write #!/usr/bin/env {interpreter.rpartition('/')[2]}")


def _not_on_path(program: str, path: Sequence[str], is_there: Callable[[str], bool]) -> Fault | None:
    if "/" in program or any(is_there(f"{directory}/{program}") for directory in path):
        return None
    message = f"its first line names {program}, which is not on PATH"
    return Fault("interpreter", message, f"install {program}, or put its directory on PATH", is_here=True)
