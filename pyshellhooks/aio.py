"""Runs from coroutines of asyncio and trio, on our own daemon threads.

Not ``asyncio.to_thread``, which joins an abandoned thread at shutdown (rule 4)."""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Awaitable, Callable
from contextvars import copy_context
from typing import Generic, TypeVar

from .cancel import CancelScope
from .host import threads
from .limits import DEFAULT, Limits

T = TypeVar("T")

_AT_ONCE = Limits(grace=0.0, slack=0.0)  # a cancelled read is not waited for


class _Handover(Generic[T]):
    """Passes the result of a thread to a future of the loop, unless the caller has dropped it."""

    __slots__ = ("ended", "future", "loop")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.ended = False
        self.future: asyncio.Future[T] | None = loop.create_future()

    def settle(self, result: T | None, error: BaseException | None) -> None:
        """Set the result of the future. Called on the loop's thread."""
        future = self.future
        if future is None or future.done():
            return
        if error is None:
            future.set_result(result)  # type: ignore[arg-type]
        elif isinstance(error, StopIteration):  # a future does not accept it
            future.set_exception(RuntimeError(repr(error)))
        else:
            future.set_exception(error)

    def deliver(self, result: T | None, error: BaseException | None) -> None:
        """Send the result to the loop. Called on the run's thread."""
        self.ended = True
        threads.abandoned.discard(self)
        try:
            self.loop.call_soon_threadsafe(self.settle, result, error)
        except RuntimeError:  # the loop is closed
            pass

    def drop(self) -> None:
        """Drop the result: a later exception is ignored, without a "never retrieved" message in the log."""
        if not self.ended:
            threads.abandoned.add(self)
            if self.ended:  # the thread has just ended
                threads.abandoned.discard(self)
        future, self.future = self.future, None
        if future is not None and future.done() and not future.cancelled():
            future.exception()


async def run_async(work: Callable[[CancelScope], T], parent: CancelScope | None = None, limits: Limits = DEFAULT) -> T:
    """Run ``work(scope)`` on a pooled thread, in a copy of the caller's context variables, under asyncio or trio.

    A cancel of the awaiting task cancels the scope, waits at most for the grace and the slack of the limits, and then
    propagates; a second cancel does not wait. A thread that still runs then can have no more effects, and delays
    neither the loop's shutdown nor the interpreter's exit. Raises the exception of ``work``, and ``RuntimeError`` if no
    thread can be started.
    """
    if _is_trio():
        return await _run_trio(work, parent, limits)
    scope = CancelScope(parent=parent, grace=limits.grace)
    handover: _Handover[T] = _Handover(asyncio.get_running_loop())
    future = handover.future
    assert future is not None
    context = copy_context()

    def body() -> None:
        result, error = None, None
        try:
            result = context.run(work, scope)
        except BaseException as caught:
            error = caught
        handover.deliver(result, error)

    try:
        try:
            threads.submit(body)
        except RuntimeError:  # no more threads
            handover.ended = True
            raise
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        scope.cancel("cancelled")
        await asyncio.wait([future], timeout=limits.grace + limits.slack)
        raise
    finally:
        handover.drop()
        scope.close()


def _is_trio() -> bool:
    """Return whether the current coroutine runs under trio."""
    trio = sys.modules.get("trio")
    if trio is None:
        return False
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        pass
    else:
        if asyncio.current_task() is not None:  # trio may run as a guest in a loop
            return False
    try:
        trio.lowlevel.current_task()
    except RuntimeError:
        return False
    return True


async def _run_trio(work: Callable[[CancelScope], T], parent: CancelScope | None, limits: Limits) -> T:
    """Implement ``run_async`` for trio."""
    import trio

    scope = CancelScope(parent=parent, grace=limits.grace)
    token = trio.lowlevel.current_trio_token()
    context = copy_context()
    ended = trio.Event()
    answers: list[T] = []
    errors: list[BaseException] = []

    def body() -> None:
        try:
            answers.append(context.run(work, scope))
        except BaseException as caught:
            errors.append(caught)
        threads.abandoned.discard(ended)
        try:
            token.run_sync_soon(ended.set)
        except trio.RunFinishedError:  # the loop has ended
            pass

    try:
        threads.submit(body)
        try:
            await ended.wait()
        except trio.Cancelled:
            scope.cancel("cancelled")
            with trio.move_on_after(limits.grace + limits.slack, shield=True):
                await ended.wait()
            raise
        if errors:
            raise errors[0]
        return answers[0]
    finally:
        if not answers and not errors:
            threads.abandoned.add(ended)
            if answers or errors:  # the thread has just ended
                threads.abandoned.discard(ended)
        scope.close()


def finish(answer: Awaitable[T]) -> T:
    """Wait for an awaitable in a new loop. Raises ``RuntimeError`` in a thread with a running loop: it would block."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        if not _is_trio():
            return asyncio.run(_waited(answer))
    close = getattr(answer, "close", None)
    if close is not None:
        close()
    raise RuntimeError(
        "a coroutine can't be waited for in its loop's own thread: use the coroutine version, such as abefore or acall"
    )


async def _waited(answer: Awaitable[T]) -> T:
    return await answer


class InputLines:
    """The lines of this process's standard input, for a loop of asyncio that may end before the input.

    mcp's own reader waits in a thread that can't be interrupted, and that delays the interpreter's exit.
    """

    __slots__ = ("_file", "_stopped")

    def __init__(self) -> None:
        # Not ``sys.stdin``: a thread may still read it when the interpreter exits, which then waits for its lock.
        self._file = io.TextIOWrapper(open(0, "rb", closefd=False), encoding="utf-8", errors="replace")
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        """End the iteration, even if there is more input."""
        self._stopped.set()

    def __aiter__(self) -> InputLines:
        return self

    async def __anext__(self) -> str:
        """Return the next line. Raises ``StopAsyncIteration`` at the end of the input and after ``stop``."""
        read = asyncio.create_task(run_async(lambda _: self._file.readline(), limits=_AT_ONCE))
        stop = asyncio.create_task(self._stopped.wait())
        try:
            await asyncio.wait((read, stop), return_when=asyncio.FIRST_COMPLETED)
            line = read.result() if read.done() else ""
        finally:
            read.cancel()
            stop.cancel()
        if not line:
            raise StopAsyncIteration
        return line
