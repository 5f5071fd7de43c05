"""Every option that takes a value is given numbers that are too large: the call ends, and a deadline is heard."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from time import monotonic

import pytest

from pyshellhooks import Shell
from pyshellhooks.fs.memory import MemoryFS
from pyshellhooks.utilities import _index
from tests.clock import patient

NUMBERS = ("9999999999", "9223372036854775807", "-9999999999", "1e18")
INPUTS = (" f", " < f", "")
TIMEOUT = 1.0
# They do what they are asked for, as long as they may.
ENDLESS = ("sleep ", "timeout ", "split --number=")


def calls() -> Iterator[str]:
    """Yield a call for each option, number and input."""
    for name, place in sorted(_index.INDEX.items()):
        module, _, attribute = place.partition(":")
        for flag in getattr(import_module(module), attribute).flags or ():
            if flag.value:
                option = f"--{flag.long[0]}=" if flag.long else f"-{flag.short[0]}"
                yield from (f"{name} {option}{number}{given}" for number in NUMBERS for given in INPUTS)


@pytest.mark.timeout(600)
def test_a_number_that_is_too_large_holds_nothing_up() -> None:
    table = list(calls())
    assert len(table) > 4000
    bad = []
    for call in table:
        shell = Shell(fs=MemoryFS({"/w/f": b"a b\nc d\ne f\n"}), cwd="/w", env={"PATH": "/bin"}, spawn=False)
        began = monotonic()
        run = shell.run(call, timeout=TIMEOUT, stdin=b"x\n")
        took = monotonic() - began
        if took > patient(5) or run.ended.reason == "crashed":
            bad.append(f"{call}: {run.ended!r} after {took:.1f} s")
        elif run.ended.reason == "deadline" and not call.startswith(ENDLESS):
            bad.append(f"{call}: runs until its deadline")
    assert not bad, "\n".join(bad)
