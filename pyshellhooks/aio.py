"""The one thin door for asyncio: a run on our own daemon threads, never ``asyncio.to_thread``

(which joins an abandoned thread at shutdown; runtime-facts G)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from .cancel import CancelScope
from .host import threads

T = TypeVar("T")


async def run_async(work: Callable[[CancelScope], T], parent: CancelScope | None = None) -> T:
    """Run ``work(scope)`` on a pooled thread; cancelling the awaiting task cancels the scope and waits for the grace."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()
    scope = CancelScope(parent=parent)

    def settle(result: T | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def body() -> None:
        result, error = None, None
        try:
            result = work(scope)
        except BaseException as caught:  # noqa: BLE001 - carried over to the awaiting task
            error = caught
        try:
            loop.call_soon_threadsafe(settle, result, error)
        except RuntimeError:
            pass  # the loop is closed: nobody waits any more

    threads.submit(body)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        scope.cancel("cancelled")
        done, _ = await asyncio.wait([future], timeout=scope.grace + 0.5)
        for ended in done:
            ended.exception()
        raise
    finally:
        scope.close()
