"""Long patterns that differ each time leave nothing behind: neither they nor what finds their lines."""

from __future__ import annotations

import gc
import tracemalloc

import pytest
import regex

from pyshellhooks import MemoryFS, Shell
from pyshellhooks.patterns.engines import Regex
from pyshellhooks.patterns.lines import LineFinder
from pyshellhooks.patterns.timed_regex import compile_re2, compile_regex

SIZE = 70_000


@pytest.mark.slow
@pytest.mark.one_in(3, slow=3)
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


def test_no_module_keeps_long_patterns() -> None:
    re2 = pytest.importorskip("re2")
    for number in range(20):
        compile_re2(re2, f"{number}{'a' * 20_000}".encode(), re2.Options())
        compile_regex(f"{number}{'a' * 20_000}")
    assert re2._Regexp._make.cache_info().currsize < 8
    assert sum(len(text) for _, text in regex._main._locale_sensitive) < 200_000
