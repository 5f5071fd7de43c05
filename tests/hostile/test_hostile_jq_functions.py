"""Builtins of jq on the largest values: how much CPU time passes between two looks at the deadline.

That bounds both how long one call of C can stop the other threads and how late a deadline is noticed.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from time import thread_time
from typing import Any

import pytest

from pyshellhooks.errors import Stop
from pyshellhooks.limits import Limits
from pyshellhooks.utilities.jq.errors import JqError
from pyshellhooks.utilities.jq.functions import find

pytestmark = pytest.mark.not_on_windows("needs-sandbox")

TEXT = 1 << 24  # characters: Limits.string
ITEMS = 300_000
ENOUGH = 0.5  # CPU seconds of one case
GAP = 0.6  # twice as much as at rest: on a busy machine a thread takes more CPU time for the same work


class WatchedRun:
    """A run that measures how long nobody asked for the deadline."""

    def __init__(self) -> None:
        self.limits = Limits()
        self.call = self
        self.begun = self.asked = thread_time()
        self.longest = 0.0
        self.where = ""

    def check(self) -> None:
        now = thread_time()
        if now - self.asked > self.longest:
            self.longest = now - self.asked
            caller = sys._getframe(1)
            self.where = f"{caller.f_code.co_filename}:{caller.f_lineno}"
        self.asked = now
        if now - self.begun > ENOUGH:
            raise Stop("timeout", "enough")

    def array(self, length: int) -> None: ...
    def made(self, size: int) -> None: ...

    def text(self, size: int) -> None:
        if size > self.limits.string:
            raise Stop("limit", "string")


def _measure(name: str, arguments: list[Any]) -> tuple[float, str]:
    declared = find(f"{name}/{len(arguments) - 1}")
    assert declared is not None
    gc.collect()
    gc.disable()  # the host's business
    try:
        run = WatchedRun()
        try:
            declared.run(run, *arguments)  # type: ignore[arg-type]
        except (JqError, Stop):
            pass
        last = thread_time() - run.asked
    finally:
        gc.enable()
    return max((run.longest, run.where), (last, "the end"))


def _nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def large(char: str) -> str:
    """Return the largest text of a character; made when a case needs it, for it takes up to 32 MB."""
    return char * TEXT


TEXTS: dict[str, Callable[[], list[Any]]] = {
    "split every character": lambda: ["split", large("a"), ""],
    "split at every character": lambda: ["split", large("a"), "a"],
    "split at half": lambda: ["split", large("a"), large("a")[: TEXT // 2]],
    "split nowhere": lambda: ["split", large("a"), large("a")[:1000] + "b"],
    "downcase": lambda: ["ascii_downcase", large("日")],
    "explode": lambda: ["explode", large("日")],
    "implode": lambda: ["implode", [0x65E5] * (TEXT // 8)],
    "utf8bytelength": lambda: ["utf8bytelength", large("日")],
    "trim": lambda: ["trim", "\u3000" * TEXT],
    "ltrimstr": lambda: ["ltrimstr", large("日"), large("日")[1:]],
    "trimstr": lambda: ["trimstr", large("a"), large("a")[2:]],
    "index of half": lambda: ["index", large("a"), large("a")[: TEXT // 2] + "b"],
    "rindex of half": lambda: ["rindex", large("a"), "b" + large("a")[: TEXT // 2]],
    "indices of one": lambda: ["indices", large("a"), "a"],
    "indices of half": lambda: ["indices", large("a"), large("a")[: TEXT // 2]],
    "indices of runs": lambda: ["indices", ("a" * 1000 + "b") * (TEXT // 1001), "a" * 500],
    "indices of pairs": lambda: ["indices", "ab" * (TEXT // 2), "ab"],
    "contains": lambda: ["contains", large("a"), large("a")[: TEXT // 2] + "b" + large("a")[: TEXT // 4]],
    "inside": lambda: ["inside", "b" + large("a")[: TEXT // 2], large("a")],
    "join by a large one": lambda: ["join", ["x"] * ITEMS, large("a")],
    "join until it is too long": lambda: ["join", [large("a")[: TEXT // 8]] * 100, ","],
    "add texts": lambda: ["add", ["x"] * ITEMS + [large("a")]],
    "tonumber": lambda: ["tonumber", "9" * TEXT],
    "tonumber of a fraction": lambda: ["tonumber", "0." + "1" * (TEXT - 2)],
    "tonumber of none": lambda: ["tonumber", "1" * (TEXT - 1) + "x"],
    "error": lambda: ["implode", large("日")],
}  # fmt: skip
ARRAYS: dict[str, Callable[[], list[Any]]] = {
    "implode": lambda: ["implode", [97.5] * ITEMS],
    "join": lambda: ["join", list(range(ITEMS)), ", "],
    "add numbers": lambda: ["add", [1, 1.5] * (ITEMS // 2)],
    "add arrays": lambda: ["add", [[1]] * ITEMS],
    "add objects": lambda: ["add", [{str(i): i} for i in range(ITEMS)]],
    "add nothing": lambda: ["add", [None] * (20 * ITEMS)],
    "any": lambda: ["any", [None] * (20 * ITEMS)],
    "flatten wide": lambda: ["flatten", [list(range(ITEMS))] * 8],
    "flatten deep": lambda: ["flatten", _nested(ITEMS)],
    "reverse": lambda: ["reverse", [None] * (20 * ITEMS)],
    "transpose": lambda: ["transpose", [list(range(ITEMS)), [1]]],
    "transpose the other way": lambda: ["transpose", [[1]] * ITEMS + [list(range(ITEMS))]],
    "to_entries": lambda: ["to_entries", [None] * ITEMS],
    "from_entries": lambda: ["from_entries", [{"key": str(i)} for i in range(ITEMS)]],
    "keys": lambda: ["keys", {str(i): i for i in range(ITEMS)}],
    "sort": lambda: ["sort", [str(i * 7919 % ITEMS) for i in range(ITEMS)]],
    "unique": lambda: ["unique", [i * 7919 % 1000 for i in range(ITEMS)]],
    "group_by": lambda: ["_group_by_impl", list(range(ITEMS)), [[i * 7919 % 1000] for i in range(ITEMS)]],
    "max_by": lambda: ["_max_by_impl", list(range(ITEMS)), [[i, i] for i in range(ITEMS)]],
    "indices": lambda: ["indices", [1] * ITEMS, [1] * (ITEMS // 2)],
    "contains": lambda: ["contains", list(range(ITEMS)), list(range(ITEMS))],
    "contains deep": lambda: ["contains", _nested(20_000), _nested(20_000)],
    "contains objects": lambda: ["contains", *[{str(i): i for i in range(ITEMS)}] * 2],
    "delpaths": lambda: ["delpaths", [{"a": 1} for _ in range(ITEMS)], [[i, "a"] for i in range(ITEMS)]],
    "delpaths of slices": lambda: ["delpaths", [None] * ITEMS, [[{"start": 0, "end": None}]] * 10_000],
    "delpaths deep": lambda: ["delpaths", _nested(20_000), [[0] * 10_000]],
    "setpath": lambda: ["setpath", [None] * ITEMS, [{"start": 1, "end": 1}], [None] * (10 * ITEMS)],
    "setpath far": lambda: ["setpath", None, [60_000_000], 1],
    "setpath too far": lambda: ["setpath", None, [536_870_911], 1],
    "setpath deep": lambda: ["setpath", None, [0] * 10_000, 1],
}  # fmt: skip


@pytest.mark.one_in(4, slow=4)
@pytest.mark.parametrize("case", TEXTS)
def test_large_texts(case: str) -> None:
    name, *arguments = TEXTS[case]()
    longest, where = _measure(name, arguments)
    assert longest < GAP, where


@pytest.mark.one_in(4, slow=4)
@pytest.mark.parametrize("case", ARRAYS)
def test_large_arrays(case: str) -> None:
    name, *arguments = ARRAYS[case]()
    longest, where = _measure(name, arguments)
    assert longest < GAP, where
