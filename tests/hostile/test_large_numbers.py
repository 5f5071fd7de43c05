"""Every option that takes a value is given numbers that are too large: the call ends, and a deadline is heard."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from time import process_time

import pytest

from pyshellhooks import Shell
from pyshellhooks.fs.memory import MemoryFS
from pyshellhooks.utilities import _index
from tests.clock import patient

pytestmark = pytest.mark.not_on_windows("needs-sandbox")

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


def run(call: str, timeout: float) -> tuple[str, float]:
    """Return how a call ended and the seconds of processor that it took: those of the clock tell about the machine."""
    shell = Shell(fs=MemoryFS({"/w/f": b"a b\nc d\ne f\n"}), cwd="/w", env={"PATH": "/bin"}, spawn=False)
    began = process_time()
    ended = shell.run(call, timeout=timeout, stdin=b"x\n").ended.reason
    return ended, process_time() - began


@pytest.mark.one_in(3, slow=3)
@pytest.mark.timeout(600)  # what waits for something else than the processor ends here
def test_a_number_that_is_too_large_holds_nothing_up() -> None:
    table = list(calls())
    assert len(table) > 4000
    bad = []
    for call in table:
        ended, took = run(call, TIMEOUT)
        if ended == "deadline" and not call.startswith(ENDLESS):
            # The first call of a utility loads its modules; on a busy machine that takes seconds.
            ended, took = run(call, patient(10))
        if ended == "crashed" or took > 5 or (ended == "deadline" and not call.startswith(ENDLESS)):
            bad.append(f"{call}: {ended or 'ended'} after {took:.1f} s of processor")
    assert not bad, "\n".join(bad)
