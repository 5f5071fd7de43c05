"""Deep recursion of a program, on further threads: Python limits the frames of each thread.

Only the host application may change that limit (rule 2).
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

from ...cancel import about_to_block
from ...errors import Stop
from ...host import threads

LEVELS_BETWEEN_LOOKS = 8
# The frames that LEVELS_BETWEEN_LOOKS levels of calls may need, each with its statements and operators.
_FRAMES_TO_LEAVE = 420


def are_short() -> bool:
    """Return whether this thread is close to its limit of frames."""
    # Walking the frames with f_back would create an object for each: the deeper the stack, the slower each level.
    try:
        sys._getframe(sys.getrecursionlimit() - _FRAMES_TO_LEAVE)
    except ValueError:  # the stack is not so deep
        return False
    return True


def on_fresh_stack(body: Callable[[], Any]) -> Any:
    """Run a function on another thread, wait for it, and return its result or raise its exception."""
    done = threading.Event()
    outcome: list[Any] = []
    failure: list[BaseException] = []

    def work() -> None:
        try:
            outcome.append(body())
        except RecursionError:
            failure.append(Stop("limit", "the awk program nests deeper than the stack"))
        except BaseException as error:
            failure.append(error)
        finally:
            done.set()

    threads.start(work)
    if not done.wait(0.01):
        about_to_block()
        # The thread checks the same stop slot as this one, so it ends on a stop.
        while not done.wait(1.0):
            pass
    if failure:
        raise failure[0]
    return outcome[0]


def roomy(body: Callable[[], Any]) -> Any:
    """Run a function on this thread if it has enough frames left, else on another thread."""
    return on_fresh_stack(body) if are_short() else body()
