"""Functions that are dense get fewer: a new one has at most 15 branches, and a listed one no more than it had."""

from __future__ import annotations

import ast

from tests.architecture.density import MOST, branches, dense, functions, listed


def test_no_function_grows_denser() -> None:
    allowed = listed()
    grown = {key: count for key, count in dense().items() if count > allowed.get(key, MOST)}
    assert not grown, f"more than {MOST} branches, or more than before: {grown}"


def test_listed_functions_are_still_as_dense() -> None:
    found = dense()
    fallen = {key: count for key, count in listed().items() if found.get(key, 0) != count}
    assert not fallen, f"run python -m tests.architecture.density: {fallen}"


def test_syntax_that_counts_as_a_branch() -> None:
    source = """
def outer(a, b):
    if a and b or a:
        return [x for x in a if x if b]
    elif a:
        return 1 if b else 2
    try:
        while a:
            pass
    except OSError:
        pass
    def inner():
        for x in b:
            pass
    match a:
        case 1: return 1
        case _: return 2
    return lambda: a or b
"""
    counted = {name: branches(function) for name, function in functions(ast.parse(source))}
    assert counted == {"outer": 12, "outer.inner": 1}
