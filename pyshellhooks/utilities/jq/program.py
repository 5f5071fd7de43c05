"""Programs: the text, the filter that it is compiled to, and the cache of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import CompileError
from .scopes import Scope, Undefined, Variable

if TYPE_CHECKING:
    from .filters import Filter
    from .running import Run
    from .syntax import Program

_ROOT = Scope(None, "", None, 0)
_MOST = 128
_MOST_SIZE = 1 << 20  # characters of text

_kept: dict[tuple[str, tuple[str, ...]], Filter] = {}
_kept_size = 0


def get_program(run: Run, text: str, names: tuple[str, ...]) -> Filter:
    """Give the filter of a text; ``names`` are its variables, which the env holds in this order.

    ``CompileError`` has jq's words. A program that reads modules is compiled anew each time: their files may change.
    """
    global _kept_size
    key = (text, names)
    made = _kept.get(key)
    if made is None or run.has_home_module():
        from .syntax import parse_program

        program = parse_program(text, run)
        made = _compile(run, text, program, names)
        if not program.imports:
            if len(_kept) >= _MOST or _kept_size > _MOST_SIZE:
                _kept.clear()
                _kept_size = 0
            _kept[key] = made
            _kept_size += len(text)
    return made


def _compile(run: Run, text: str, program: Program, names: tuple[str, ...]) -> Filter:
    from .compiler import compile_program

    scope = _ROOT
    for name in names:
        scope = scope.with_value(f"${name}", Variable)
    if program.imports or run.has_home_module():
        from .modules import link

        scope = link(run, program, scope)
    assert program.body is not None
    try:
        return compile_program(program.body, scope)
    except Undefined:
        from .undefined import complain

        raise complain(text, program, scope) from None


def make_env(values: list[Any]) -> Any:
    """Give the env of a main filter: its variables in the order of their names."""
    env: Any = None
    for value in values:
        env = (value, env)
    return env


__all__ = ["CompileError", "get_program", "make_env"]
