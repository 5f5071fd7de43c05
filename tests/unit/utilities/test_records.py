"""Reading a long line costs its length, not its square: it comes in many blocks and is joined once."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from clock import patient

from pyshellhooks.streams.base import Stream

Run = Callable[..., tuple[int, bytes, bytes]]
SIZE = 1 << 23


class Trickle(Stream):
    """A line of ``SIZE`` bytes, half a kilobyte at a time, as a slow writer gives it."""

    def __init__(self) -> None:
        super().__init__()
        self.left = SIZE

    def read(self, size: int = 65536, /) -> bytes:
        if self.left:
            self.left -= 512
            return b"x" * 512
        return b""


@pytest.mark.parametrize("argv", [["uniq", "-c"], ["strings", "-n9999999"], ["cut", "-c1"], ["rev"]], ids=" ".join)
def test_a_long_line_in_small_pieces(run_utility: Run, argv: list[str]) -> None:
    # 16384 pieces; joined one by one they would move 64 GB.
    began = time.perf_counter()
    status, _, _ = run_utility(argv, Trickle())
    assert status == 0
    assert time.perf_counter() - began < patient(3)
