"""The module that compiles each kind of node; it is imported when its first node is compiled."""

from __future__ import annotations

from importlib import import_module

from ...syntax import nodes as n
from . import Compiler

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
    n.CommandSub: ("fused", "compile_substitution"),
}


def find(kind: type) -> Compiler:
    """Return the compiler of a kind of node."""
    module, name = _FAMILIES[kind]
    compiler: Compiler = getattr(import_module(f"{__package__}.{module}"), name)
    return compiler
