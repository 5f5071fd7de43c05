"""The door for coroutines: our own daemon threads, never ``asyncio.to_thread``.

asyncio's executor is joined when the loop closes, so that one abandoned hook would hold up the host's exit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from ..cancel import CancelScope
from ..host.threads import submit

T = TypeVar("T")


async def in_thread(work: Callable[[CancelScope], T], parent: CancelScope | None = None) -> T:
    """Run ``work(scope)`` on a pooled thread and wait for it.

    When the task is cancelled, the scope is cancelled too, and its grace is waited for, so that nothing of the work
    acts after the await has ended.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()
    scope = CancelScope(parent=parent)

    def settle(value: T | None, error: BaseException | None) -> None:
        if not done.done():
            if error is None:
                done.set_result(value)  # type: ignore[arg-type]
            else:
                done.set_exception(error)
                done.exception()  # seen, even if the waiter has gone

    def task() -> None:
        value, error = None, None
        try:
            value = work(scope)
        except BaseException as raised:
            error = raised
        scope.close()
        try:
            loop.call_soon_threadsafe(settle, value, error)
        except RuntimeError:
            pass  # the loop was closed meanwhile

    submit(task)
    try:
        return await asyncio.shield(done)
    except asyncio.CancelledError:
        scope.cancel("cancelled")
        await asyncio.wait([done], timeout=scope.grace + 1.0)
        raise
