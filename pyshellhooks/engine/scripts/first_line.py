"""First lines (``#!…``) with which a kernel can't start a script, although the embedded shell runs it. Pure.

The rules are those of Linux (execve(2), ``fs/binfmt_script.c``) and of GNU env; each row of ``tests/field/mishaps_*.toml`` was
answered by the agents' own programs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...errors import Diagnostic


def fault(line: str, cwd: str, path: Sequence[str], is_there: Callable[[str], bool]) -> Diagnostic | None:
    r"""Return why a kernel can't start the program of a first line ``#!…``; None if it can, or if the line names none.

    The diagnostic is one of the first line, without a file. It is a warning if it depends on the programs of this machine.
    ``line``: without its ``\n``. ``path``: the directories of PATH. ``is_there``: returns whether a path is a file.
    """
    interpreter, _, rest = line[2:].replace("\t", " ").lstrip(" ").partition(" ")
    if not interpreter.strip("\r"):
        return None
    rest = rest.strip(" ")
    is_env = interpreter.rpartition("/")[2] == "env"
    if is_env and not rest.strip("\r"):
        return None
    if is_env and rest.startswith("-"):  # options of env, which are not read here
        return None
    sought = rest if is_env else interpreter
    if is_env and " " in sought:
        return _several(interpreter, sought.rstrip("\r"))
    if sought.endswith("\r"):
        message = "its first line ends with CRLF: the system looks for a program whose name ends with \\r"
        return _diagnostic("crlf", message, "save it with LF", column=line.index("\r") + 1)
    return _missing(interpreter, cwd, is_there) or (_not_on_path(sought, path, is_there) if is_env else None)


def _several(interpreter: str, sought: str) -> Diagnostic:
    message = f'on Linux, its first line passes env one word, "{sought}", and no program has this name'
    return _diagnostic("interpreter", message, f"write #!{interpreter} -S {sought}")


def _missing(interpreter: str, cwd: str, is_there: Callable[[str], bool]) -> Diagnostic | None:
    if interpreter.startswith("/"):
        if is_there(interpreter):
            return None
        message = f"its first line names {interpreter}, which is not on this machine"
        return _diagnostic(
            "interpreter", message, "name a program that exists, or write #!/usr/bin/env NAME", severity="warning"
        )
    if is_there(f"{cwd}/{interpreter}"):
        return None
    message = f"its first line names {interpreter}, which the system looks for in the working directory"
    return _diagnostic("interpreter", message, f"write #!/usr/bin/env {interpreter.rpartition('/')[2]}")


def _not_on_path(program: str, path: Sequence[str], is_there: Callable[[str], bool]) -> Diagnostic | None:
    if "/" in program or any(is_there(f"{directory}/{program}") for directory in path):
        return None
    message = f"its first line names {program}, which is not on PATH"
    return _diagnostic("interpreter", message, f"install {program}, or put its directory on PATH", severity="warning")


def _diagnostic(code: str, message: str, hint: str, *, severity: str = "error", column: int = 1) -> Diagnostic:
    return Diagnostic("", 1, column, message, hint, severity, code=code)
