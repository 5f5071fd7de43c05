"""A search that nothing interrupts, on a thread of its own: a run whose time is over leaves it behind.

RE2 lets go of the GIL while it searches, and its time grows with the text only. But a program of thousands of instructions takes
minutes for a line of megabytes.
"""

from __future__ import annotations

import sys
from _thread import allocate_lock
from collections.abc import Callable
from time import monotonic
from typing import TypeVar

from ..errors import Stop
from ..text import pause

Found = TypeVar("Found")

_LARGE = 256  # instructions; what smaller programs find costs less than a thread
_WORK = 1 << 26  # instructions times bytes: RE2 at its slowest takes about 0.3 s for them
_TURN = 0.01  # seconds until it is asked again whether the run is over


def at_once(size: int) -> int:
    """Return how many bytes a program of so many instructions may search on the run's thread."""
    return _WORK // size if size >= _LARGE else sys.maxsize


def guarded(search: Callable[[bytes, int], Found], size: int) -> Callable[[bytes, int], Found]:
    """Let a search with a program of so many instructions end with its run, however long its data is."""
    most = at_once(size)
    if most == sys.maxsize:
        return search
    return lambda data, at: search(data, at) if len(data) - at < most else apart(lambda: search(data, at))


def apart(search: Callable[[], Found], seconds: float | None = None) -> Found:
    """Return what ``search`` finds. ``Stop`` where the run is over before, or ``seconds`` are."""
    from ..host import threads

    found: list[Found] = []
    failed: list[BaseException] = []
    done = allocate_lock()
    done.acquire()

    def work() -> None:
        try:
            found.append(search())
        except BaseException as error:
            failed.append(error)
        finally:
            done.release()
            threads.abandoned.discard(done)

    until = None if seconds is None else monotonic() + seconds
    threads.start(work)
    try:
        while not done.acquire(timeout=_TURN):
            pause()
            if until is not None and monotonic() > until:
                raise Stop("regex", "a regular expression took too long")
    except BaseException:
        threads.abandoned.add(done)
        if not done.locked():  # it came back just then
            threads.abandoned.discard(done)
        raise
    if failed:
        raise failed[0]
    return found[0]
