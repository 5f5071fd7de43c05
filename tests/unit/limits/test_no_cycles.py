"""A run that ends at a limit is gone when it has ended: what its script had made waits for no collector."""

from __future__ import annotations

import gc
import tracemalloc

from pyshellhooks import Limits, MemoryFS, Shell, Stopped


def test_a_breach_leaves_no_values_behind() -> None:
    shell = Shell(fs=MemoryFS(), spawn=False, limits=Limits(string=500_000))

    def breach() -> None:
        assert isinstance(shell.run("x=$(cat); while :; do x=$x$x; done", stdin=b"x" * 200_000).ended, Stopped)

    breach()
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        for _ in range(3):
            breach()
        assert tracemalloc.get_traced_memory()[0] < 100_000
    finally:
        tracemalloc.stop()
        gc.enable()
