"""``indices``, ``index`` and ``rindex``: positions in strings and arrays; other values are indexed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..compiler.indexing import index as index_of
from ..compiler.registry import Family
from ..errors import JqError
from ..json.values import describe
from .searching import first_position, last_position, string_positions

if TYPE_CHECKING:
    from ..running import Run

function = Family()


@function("_strindices")
def _strindices(run: Run, text: Any, wanted: Any) -> list[int]:
    """Return every position of a string in a string."""
    if type(text) is not str:
        raise JqError(f"{describe(text)} cannot be searched, as it is not a string")
    if type(wanted) is not str:
        raise JqError(f"{describe(wanted)} is not a string")
    return string_positions(run, text, wanted)


@function("indices")
def indices(run: Run, value: Any, wanted: Any) -> Any:
    """Return every position of a string in a string, of an array or an element in an array; else ``.[wanted]``."""
    if type(value) is list and type(wanted) is not list:
        return index_of(run, value, [wanted])
    if type(value) is str and type(wanted) is str:
        return string_positions(run, value, wanted)
    return index_of(run, value, wanted)


@function("index")
def index(run: Run, value: Any, wanted: Any) -> Any:
    """Return the first of ``indices``."""
    if type(value) is str and type(wanted) is str:
        return first_position(value, wanted)
    return index_of(run, indices(run, value, wanted), 0)


@function("rindex")
def rindex(run: Run, value: Any, wanted: Any) -> Any:
    """Return the last of ``indices``."""
    if type(value) is str and type(wanted) is str:
        return last_position(value, wanted)
    last = index_of(run, indices(run, value, wanted), {"start": -1, "end": None})
    return index_of(run, last, 0)
