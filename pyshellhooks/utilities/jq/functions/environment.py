"""Builtins that use the run: inputs, messages, the environment, modules, errors and ``halt``."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any, NoReturn

from ....text import encode
from ..compiler.registry import Family
from ..errors import Halt, JqError
from ..json.values import describe, kind
from ..running import END

if TYPE_CHECKING:
    from ..running import Run

function = Family()


@function("input")
def read_input(run: Run, value: Any) -> Any:
    """Return the next input. Raise the error ``break`` at the end."""
    found = run.next_input()
    if found is END:
        raise JqError("break")
    return found


@function("debug")
def debug(run: Run, value: Any) -> Any:
    """Write a value to stderr as ``["DEBUG:",value]``."""
    run.debug(value)
    return value


@function("stderr")
def to_stderr(run: Run, value: Any) -> Any:
    """Write a value to stderr."""
    from ..json.writer import compact

    run.write_stderr(value if type(value) is str else compact(run, value))
    return value


@function("input_filename")
def input_filename(run: Run, value: Any) -> str | None:
    """Return the name of the current input file."""
    return run.input_filename()


@function("input_line_number")
def input_line_number(run: Run, value: Any) -> int:
    """Return the number of newlines read from the current input file."""
    return run.input_line_number()


@function("env")
def env(run: Run, value: Any) -> dict[str, str]:
    """Return the environment."""
    return run.environment()


@function("get_search_list")
def get_search_list(run: Run, value: Any) -> list[str]:
    """Return the directories that are searched for modules."""
    from ..compiler.modules import search_list

    run.see_files()
    return search_list(run)


@function("get_prog_origin")
def get_prog_origin(run: Run, value: Any) -> str:
    """Return the program's directory, here always the working directory."""
    return run.call.cwd


@function("modulemeta")
def modulemeta(run: Run, value: Any) -> Any:
    """Return the metadata of a module."""
    from ..compiler.modules import module_meta

    if type(value) is not str:
        raise JqError("modulemeta input module name must be a string")
    run.see_files()
    return module_meta(run, value)


@function("builtins")
def builtins(run: Run, value: Any) -> list[str]:
    """Return the names of all builtins."""
    from ..compiler.control import CONSTRUCTS
    from ..compiler.definitions import TEXTS
    from .index import INDEX

    return sorted(key for key in {*CONSTRUCTS, *TEXTS, *INDEX} if not key.startswith("_"))


@function("error")
def error(run: Run, value: Any) -> NoReturn:
    """Raise the input as an error."""
    raise JqError(value)


@function("halt")
def halt(run: Run, value: Any) -> NoReturn:
    """End the run."""
    raise Halt(0)


@function("halt_error")
def halt_error(run: Run, value: Any, status: Any) -> NoReturn:
    """End the run with a message."""
    if kind(status) != "number":
        raise JqError(f"{describe(value)} halt_error/1: number required")
    from ..json.writer import compact

    if isnan(status):
        code = 0
    else:
        code = int(max(-(2.0**31), min(float(status), 2.0**31 - 1)))
    if value is None:
        text = ""
    elif type(value) is str:
        text = value
    else:
        text = compact(run, value) + "\n"
    raise Halt(code, encode(text))
