"""Deep recursion of a program: Python counts frames per thread, and the limit is the host's to set (rule 2)."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

from ...cancel import about_to_block
from ...errors import Stop
from ...host import threads

LEVELS_BETWEEN_LOOKS = 8
# What so many levels of calls may take, each with its statements and operators.
_FRAMES_TO_LEAVE = 420


def are_short() -> bool:
    """Say whether this thread's frames run short."""
    # Looking back one by one would make a frame object of each, and a level the dearer the deeper it is.
    try:
        sys._getframe(sys.getrecursionlimit() - _FRAMES_TO_LEAVE)
    except ValueError:  # the stack is not so deep
        return False
    return True


def on_fresh_stack(body: Callable[[], Any]) -> Any:
    """Run a body on another thread and wait for it; what it raises is raised here."""
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
        # What runs there sees the same stop slot and ends.
        while not done.wait(1.0):
            pass
    if failure:
        raise failure[0]
    return outcome[0]


def roomy(body: Callable[[], Any]) -> Any:
    """Run a body here if there is room, else on another thread."""
    return on_fresh_stack(body) if are_short() else body()
