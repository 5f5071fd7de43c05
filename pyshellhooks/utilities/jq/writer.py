"""JSON texts of values, as jq prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .values import _dump

if TYPE_CHECKING:
    from .running import Run


def compact(run: Run, value: Any) -> str:
    """Give the text that ``tojson`` gives and ``-c`` prints."""
    return "".join(_dump(value, 2**60))
