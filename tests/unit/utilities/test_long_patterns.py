"""Long patterns that differ each time leave nothing behind: neither they nor what finds their lines."""

from __future__ import annotations

import gc
import tracemalloc

import pytest

from pyshellhooks import MemoryFS, Shell
from pyshellhooks.pattern.engines import Regex
from pyshellhooks.pattern.lines import LineFinder

SIZE = 70_000


@pytest.mark.parametrize("options", ["-q", "-cF", "-cP"])
def test_grep_keeps_no_long_pattern(options: str) -> None:
    shell = Shell(fs=MemoryFS({"/file": "abc\n"}), spawn=False)

    def search(number: int) -> int:
        assert shell.run(f'grep {options} -e "$1" file', f"{number}" + "a" * SIZE, cwd="/").status == 1
        gc.collect()
        return sum(isinstance(kept, Regex | LineFinder) for kept in gc.get_objects())

    search(0)
    kept = search(1)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        assert [search(number) for number in range(2, 5)] == [kept] * 3
        assert tracemalloc.get_traced_memory()[0] - before < 2.5 * SIZE  # the ``regex`` module keeps a few texts
    finally:
        tracemalloc.stop()
