"""Syntax tree to closures, one file per node family; compiled once, run many times.

A compiled command is called with the context, sets ``ctx.status`` and returns it. Closures hold no run state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...expand.words import WordCompiler
from ...state.context import ExecutionContext
from ...syntax import nodes as n

Exec = Callable[[ExecutionContext], int]
Compiler = Callable[[Any], Any]  # a node to a closure


class Compilers(dict[type, Compiler]):
    """Node classes to their compilers. ``find`` is ``families.find``, which is above the modules that use this."""

    find: Callable[[type], Compiler]

    def __missing__(self, kind: type) -> Compiler:
        compiler = self[kind] = self.find(kind)
        return compiler


COMPILERS = Compilers()


def compile_command(node: n.Command) -> Exec:
    """Compile one command."""
    closure: Exec = COMPILERS[type(node)](node)
    return closure


def compile_list(node: n.List) -> Exec:
    """Compile a list of commands."""
    return compile_command(node)


def compile_substitution(node: n.List) -> Callable[[ExecutionContext], str]:
    """Compile ``$( )``."""
    closure: Callable[[ExecutionContext], str] = COMPILERS[n.CommandSub](node)
    return closure


WORDS = WordCompiler(compile_list, compile_substitution)
