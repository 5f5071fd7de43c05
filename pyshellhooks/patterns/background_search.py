"""Uninterruptible searches on a thread of their own, which a run abandons at its deadline.

RE2 releases the GIL while it searches, and its time is linear in the text. But a program of thousands of instructions
takes minutes for a line of megabytes.
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

_LARGE = 256  # instructions; a search with a smaller program costs less than a thread
_WORK = 1 << 26  # instructions times bytes: the slowest search of RE2 takes about 0.3 s for this
_TURN = 0.01  # seconds between two polls of the deadline


def most_bytes_inline(size: int) -> int:
    """Return how many bytes a program of ``size`` instructions may search on the run's thread."""
    if size < _LARGE:
        return sys.maxsize
    return _WORK // size


def guarded(search: Callable[[bytes, int], Found], size: int) -> Callable[[bytes, int], Found]:
    """Wrap the search with a program of ``size`` instructions, so that a run can abandon a long one at its deadline."""
    most = most_bytes_inline(size)
    if most == sys.maxsize:
        return search

    def guarded_search(data: bytes, at: int) -> Found:
        if len(data) - at < most:
            return search(data, at)
        return apart(lambda: search(data, at))

    return guarded_search


def apart(search: Callable[[], Found], seconds: float | None = None) -> Found:
    """Run ``search`` on a thread and return its result. Raise ``Stop`` if the run or ``seconds`` are over first."""
    from ..host import threads

    found: list[Found] = []
    failed: list[BaseException] = []
    done = allocate_lock()
    done.acquire()

    def work() -> None:
        try:
            found.append(search())
        # Raised again on the thread that waits for the result.
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
            # ``pause`` knows the deadline of the run, not that of this search.
            if until is not None and monotonic() > until:
                raise Stop("regex", "a regular expression took too long")
    except BaseException:
        threads.abandoned.add(done)
        if not done.locked():  # it ended just then
            threads.abandoned.discard(done)
        raise
    if failed:
        raise failed[0]
    return found[0]
