"""``contains`` and ``inside``."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from ..compiler.registry import Family
from ..errors import JqError
from ..json.ordering import rank
from ..json.values import describe, equal

if TYPE_CHECKING:
    from ..running import Run

function = Family()

_DEPTH = 10_000  # levels that jq compares
_LONG = 4096  # characters


@function("contains")
def contains(run: Run, value: Any, part: Any) -> bool:
    """Return whether a value contains another: as a substring, or in its elements or fields, recursively."""
    if rank(value) != rank(part):
        raise JqError(f"{describe(value)} and {describe(part)} cannot have their containment checked")
    if type(value) not in (list, dict):
        return _scalar_contains(value, part)
    # One generator per level of containers; it yields pairs of inner containers to compare.
    open_ = [_comparison(run, value, part, 1)]
    answer: bool | None = None
    while open_:
        try:
            inner, wanted = open_[-1].send(answer)
        except StopIteration as stop:
            answer = stop.value
            open_.pop()
        else:
            answer = None
            open_.append(_comparison(run, inner, wanted, len(open_) + 1))
    assert answer is not None
    return answer


Comparison = Generator[tuple[Any, Any], bool | None, bool]


def _comparison(run: Run, value: Any, part: Any, depth: int) -> Comparison:
    """Return the comparison of two containers of one kind."""
    if depth > _DEPTH and value and part:  # empty ones have nothing below them
        raise JqError("Containment check too deep")
    run.check()
    if type(part) is dict:
        return _object_comparison(run, value, part)
    return _array_comparison(run, value, part)


def _object_comparison(run: Run, value: dict[str, Any], part: dict[str, Any]) -> Comparison:
    for turn, (key, wanted) in enumerate(part.items()):
        if not turn & 1023:
            run.check()
        if key not in value:
            return False
        there = value[key]
        if rank(there) != rank(wanted):
            return False
        if type(wanted) in (list, dict):
            if not (yield there, wanted):
                return False
        elif not _scalar_contains(there, wanted):
            return False
    return True


def _array_comparison(run: Run, value: list[Any], part: list[Any]) -> Comparison:
    turns = 0
    for wanted in part:
        kind = rank(wanted)
        deep = type(wanted) in (list, dict)
        for there in value:
            turns += 1
            if not turns & 1023 or (type(there) is str and len(there) > _LONG):
                run.check()
            if rank(there) != kind:
                continue
            contains_it = (yield there, wanted) if deep else _scalar_contains(there, wanted)
            if contains_it:
                break
        else:
            return False
    return True


def _scalar_contains(value: Any, part: Any) -> bool:
    """Return whether a scalar contains another of the same kind."""
    if type(value) is str:
        return part in value
    return equal(value, part)


@function("inside")
def inside(run: Run, value: Any, whole: Any) -> bool:
    """Return whether the argument contains the input."""
    answer: bool = contains(run, whole, value)
    return answer
