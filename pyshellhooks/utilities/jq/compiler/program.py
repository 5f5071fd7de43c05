"""Compiled jq programs and their cache."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..errors import CompileError

if TYPE_CHECKING:
    from ..parser.syntax import Program
    from ..running import Run
    from .filters import Filter

_MOST = 128
_BLANKS = " \t\r\n"
_MOST_SIZE = 1 << 18  # characters of text; the compiled filters take a hundred times as much


class _CachedProgram:
    """A compiled program; with ``calls`` it calls functions, which ``~/.jq`` may define."""

    __slots__ = ("calls", "filter")

    def __init__(self, filter_: Filter, calls: bool) -> None:
        self.filter = filter_
        self.calls = calls


_cache: dict[tuple[str, tuple[str, ...]], _CachedProgram] = {}
_cache_size = 0


def get_program(run: Run, text: str, names: tuple[str, ...], origin: str | None = None) -> Filter:
    """Return the filter of a program's text; ``names`` are its variables, in their order in the env.

    ``origin`` is the directory of the program's file, relative to which it imports. Raise ``CompileError`` with jq's
    messages. A program that reads modules is compiled each time, since their files may change.
    """
    known = _cache.get((text, names))
    if known is not None:
        # A file ~/.jq may replace the functions that a program calls.
        is_stale = known.calls and run.has_home_module()
        if not is_stale:
            return known.filter
    at_home = run.has_home_module() or run.has_home_directory()
    plain = None if at_home else _plain(text)
    if plain is not None:
        _keep(text, names, plain)
        return plain.filter
    from ..parser.syntax import parse_program

    program = parse_program(text, run)
    linked = bool(program.imports) or at_home
    made = _compile(run, text, program, names, linked, origin)
    if not linked:
        _keep(text, names, _CachedProgram(made, _calls(program)))
    return made


def _plain(text: str) -> _CachedProgram | None:
    """Compile ``.a.b``, ``.a.b // empty`` or ``.a.b // "c"`` without importing the parser and the compiler.

    Most hooks need nothing else, and a hook that is a process of its own pays for each import.
    """
    path, slashes, default = text.partition("//")
    root, *names = path.strip(_BLANKS).split(".")
    if root or not names:
        return None
    if not all(name.isidentifier() and name.isascii() for name in names):
        return None
    from .access import fields
    from .filters import EMPTY, alternative, from_one, value_itself

    made, default = fields(None, tuple(names)), default.strip(_BLANKS)
    if not slashes:
        return _CachedProgram(made, False)
    if default == "empty":
        return _CachedProgram(alternative(made, EMPTY, value_itself), True)
    value = default[1:-1]
    is_plain = value.isascii() and '"' not in value and "\\" not in value
    if is_plain and default == f'"{value}"':
        return _CachedProgram(alternative(made, from_one(lambda item, env, run: value), value_itself), False)
    return None


def _calls(program: Program) -> bool:
    assert program.body is not None
    return any(node.kind == "call" for node in program.body.walk())


def _keep(text: str, names: tuple[str, ...], cached_program: _CachedProgram) -> None:
    global _cache_size
    size = len(text) + sum(map(len, names)) + len(names)
    if size > _MOST_SIZE // 4:
        return
    if len(_cache) >= _MOST or _cache_size + size > _MOST_SIZE:
        _cache.clear()
        _cache_size = 0
    _cache[text, names] = cached_program
    _cache_size += size


def _compile(run: Run, text: str, program: Program, names: tuple[str, ...], linked: bool, origin: str | None) -> Filter:
    from .compiler import compile_program
    from .scopes import Scope, Undefined, Variable

    scope = Scope(None, "", None, 0)
    for name in names:
        scope = scope.with_value(f"${name}", Variable)
    if linked:
        from .modules import link

        scope = link(run, program, scope, origin)
    assert program.body is not None
    try:
        return compile_program(program.body, scope)
    except Undefined:
        from .name_errors import complain

        raise complain(text, program, scope, run) from None


def make_env(values: Iterable[Any]) -> Any:
    """Return the env of a main filter: its variables in the order of their names."""
    env: Any = None
    for value in values:
        env = (value, env)
    return env


__all__ = ["CompileError", "get_program", "make_env"]
