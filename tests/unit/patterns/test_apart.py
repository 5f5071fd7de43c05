"""Searches that nothing interrupts: a run whose time is over leaves them behind."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from clock import patient

from pyshellhooks import MemoryFS, Shell
from pyshellhooks.cancel import CancelScope, working_under
from pyshellhooks.errors import Stop
from pyshellhooks.host.threads import abandoned
from pyshellhooks.patterns import engines
from pyshellhooks.patterns.background_search import apart, guarded, most_bytes_inline
from pyshellhooks.patterns.matcher import Matcher

LETTERS = "[ab]" * 5000 + "c"
LONG = "ab" * 50_000  # in which the engine looks for them for about a second


@pytest.fixture(autouse=True)
def _wait_for_abandoned_threads() -> Iterator[None]:
    """Other tests count the threads that are left behind."""
    yield
    until = time.monotonic() + 100
    while abandoned and time.monotonic() < until:
        time.sleep(0.005)
    assert not abandoned


def test_its_result_or_exception_is_returned() -> None:
    assert apart(lambda: 5) == 5
    with pytest.raises(LookupError, match="gone"):
        apart(lambda: {}["gone"])


@pytest.mark.parametrize("seconds", [None, 0.05])
def test_it_is_left_behind_when_the_time_is_over(seconds: float | None) -> None:
    release = threading.Event()
    timeout = None if seconds else 0.05
    with CancelScope(timeout=timeout) as scope, working_under(scope), pytest.raises(Stop) as stopped:
        apart(release.wait, seconds)
    assert abandoned
    release.set()
    assert stopped.value.reason == ("regex" if seconds else "deadline")


def test_only_long_searches_with_large_programs_leave_the_thread() -> None:
    threads: list[threading.Thread] = []

    def search(data: bytes, at: int) -> None:
        threads.append(threading.current_thread())

    assert guarded(search, 20) is search
    large = guarded(search, 5000)
    large(bytes(1000), 0)
    large(bytes(1 << 20), (1 << 20) - 1000)
    large(bytes(1 << 20), 0)
    here = threading.current_thread()
    assert [thread is here for thread in threads] == [True, True, False]
    assert most_bytes_inline(5000) < 1 << 20


@pytest.mark.slow
@pytest.mark.one_in(4, slow=4)
@pytest.mark.skipif(not engines.load_re2(), reason="needs google-re2")
@pytest.mark.parametrize(
    "script",
    ['grep -E "$r" f', '[[ $x =~ $r ]]', 'sed -E "s/$r//" f', 'awk "/$r/" f', 'expr "$x" : "$r"', 'rg -a "$r" f'],
)  # fmt: skip
def test_the_deadline_of_a_run_holds(script: str) -> None:
    shell = Shell(fs=MemoryFS({"/f": LONG}), cwd="/", env={"x": LONG, "r": LETTERS}, spawn=False)
    begun = time.monotonic()
    result = shell.run(f"{script} > /dev/null || echo allowed", timeout=0.2)
    assert (result.ended.kind, result.ended.reason, result.stdout) == ("stopped", "deadline", b"")
    assert time.monotonic() - begun < patient(5)


@pytest.mark.one_in(3, slow=3)
@pytest.mark.slow
@pytest.mark.skipif(not engines.load_re2(), reason="needs google-re2")
def test_a_matcher_has_its_seconds() -> None:
    with pytest.raises(Stop) as stopped:
        Matcher(LETTERS, "re2").search(LONG, most=0.1)
    assert stopped.value.reason == "regex"
    assert Matcher(LETTERS, "re2").search("ab" * 2500 + "c")
