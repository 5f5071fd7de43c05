"""The standard library's scanner of JSON, with jq's numbers.

Its results are jq's, except for half surrogate pairs and for depth; jq may accept a text that it rejects.
"""

from __future__ import annotations

from collections.abc import Callable
from json import JSONDecoder
from typing import Any

from .numbers import Literal, Number, read_number


def _read_int(text: str) -> Number:
    if len(text) < 16 and text != "-0":
        return int(text)
    return read_number(text)


def _read_float(text: str) -> Number:
    # A double preserves up to 15 digits. Small numbers are rendered differently.
    if len(text) < 20 and "e" not in text and "E" not in text:
        double = float(text)
        if double >= 0.001 or double <= -0.001:
            if text[-1] == "0":
                if len(text) < 17:
                    return Literal(double, text)
            elif len(text) < 17 or repr(double) == text:
                return double
    return read_number(text)


scan: Callable[[str, int], tuple[Any, int]] = JSONDecoder(
    parse_int=_read_int, parse_float=_read_float, parse_constant=read_number
).scan_once  # type: ignore[attr-defined]
