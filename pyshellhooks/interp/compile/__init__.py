"""Syntax tree to closures, one file per node family; compiled once, run many times.

A compiled command is called with the context, sets ``ctx.status`` and returns it. Closures hold no run state.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from ...expand.words import WordCompiler
from ...syntax import nodes as n
from ..context import ExecutionContext

Exec = Callable[[ExecutionContext], int]

_FAMILIES = {
    n.Simple: ("simple", "compile_simple"),
    n.Pipeline: ("lists", "compile_pipeline"),
    n.AndOr: ("lists", "compile_and_or"),
    n.List: ("lists", "compile_list_command"),
    n.Subshell: ("compound", "compile_subshell"),
    n.Group: ("compound", "compile_group"),
    n.If: ("compound", "compile_if"),
    n.Case: ("compound", "compile_case"),
    n.Function: ("compound", "compile_function"),
    n.While: ("loops", "compile_while"),
    n.For: ("loops", "compile_for"),
    n.Select: ("loops", "compile_select"),
    n.ForArith: ("loops", "compile_for_arith"),
    n.ArithCommand: ("tests", "compile_arith_command"),
    n.TestCommand: ("tests", "compile_test_command"),
    n.Coproc: ("compound", "compile_coproc"),
}
_COMPILERS: dict[type, Callable[[n.Command], Exec]] = {}


def compile_command(node: n.Command) -> Exec:
    """Compile one command."""
    kind = type(node)
    found = _COMPILERS.get(kind)
    if found is None:
        module, name = _FAMILIES[kind]
        found = _COMPILERS[kind] = getattr(import_module(f"{__name__}.{module}"), name)
    return found(node)


def compile_list(node: n.List) -> Exec:
    """Compile a list of commands."""
    return compile_command(node)


def compile_substitution(node: n.List) -> Callable[[ExecutionContext], str]:
    """Compile ``$( )``."""
    from .fused import compile_substitution

    return compile_substitution(node)


WORDS = WordCompiler(compile_list, compile_substitution)
