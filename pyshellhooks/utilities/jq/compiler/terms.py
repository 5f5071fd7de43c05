"""Filters that compute a result from those of their operands: operators, strings, objects, builtins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import JqError
from ..json.values import describe
from ..running import Run
from .filters import Filter, build, from_one, gather
from .operators import OPERATORS
from .trampoline import Env


def format_filter(name: str) -> Filter:
    """Return the filter of a format such as ``@csv``."""

    def one(value: Any, env: Env, run: Run) -> Any:
        from ..functions.formats import format_value

        return format_value(run, name, value)

    return from_one(one)


def interpolation(texts: list[str]) -> Callable[..., str]:
    """Return a function that joins texts with the results between them; it gets the last result first."""

    def finish(run: Run, item: Any, *found: Any) -> str:
        from ..functions.conversion import tostring

        pieces = [texts[0]]
        for text, value in zip(texts[1:], reversed(found), strict=False):
            pieces.append(value if type(value) is str else tostring(run, value))
            pieces.append(text)
        run.text(sum(map(len, pieces)))
        return "".join(pieces)

    return finish


def make_entry(run: Run, item: Any, key: Any, value: Any) -> tuple[str, Any]:
    """Return an object's entry as a pair. Raise ``JqError`` if the key is not a string."""
    if type(key) is not str:
        raise JqError(f"Cannot use {describe(key)} as object key")
    return key, value


def make_object(run: Run, item: Any, *entries: tuple[str, Any]) -> Any:
    """Return an object with these entries."""
    return dict(entries)


def operators_filter(operator: str, left: Filter, right: Filter) -> Filter:
    """Return the filter of an operator with two operands."""
    function = OPERATORS[operator]
    first, second = left.one, right.one
    if first is not None and second is not None:
        return build(
            (right, left),
            gather((right, left), lambda run, item, b, a: function(run, a, b)).step,
            _operator_one(function, first, second),
        )
    return gather((right, left), lambda run, item, b, a: function(run, a, b))


def _operator_one(function: Callable[[Run, Any, Any], Any], first: Any, second: Any) -> Any:
    def one(item: Any, env: Env, run: Run) -> Any:
        b = second(item, env, run)
        return function(run, first(item, env, run), b)

    return one


def call_function(function: Any, operands: Sequence[Filter]) -> Filter:
    """Return the filter of a builtin that is a function of values."""
    run_it = function.run
    if function.first_outer or len(operands) < 2:
        return gather(operands, run_it)
    return gather(operands[::-1], lambda run, value, *found: run_it(run, value, *found[::-1]))
