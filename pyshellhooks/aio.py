"""The one thin door for coroutines, of asyncio and of trio: a run on our own daemon threads.

Never ``asyncio.to_thread``, which joins an abandoned thread at shutdown (rule 4)."""

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

_AT_ONCE = Limits(grace=0.0, slack=0.0)  # a read that nobody wants any more is left to itself


class _Handover(Generic[T]):
    """Brings what the thread came to into the loop, for as long as somebody there wants it."""

    __slots__ = ("ended", "future", "loop")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.ended = False
        self.future: asyncio.Future[T] | None = loop.create_future()

    def settle(self, result: T | None, error: BaseException | None) -> None:
        """Give the answer; on the loop's thread."""
        future = self.future
        if future is None or future.done():
            return
        if error is None:
            future.set_result(result)  # type: ignore[arg-type]
        elif isinstance(error, StopIteration):  # no future takes it
            future.set_exception(RuntimeError(repr(error)))
        else:
            future.set_exception(error)

    def deliver(self, result: T | None, error: BaseException | None) -> None:
        """Send the answer; on the run's thread."""
        self.ended = True
        threads.abandoned.discard(self)
        try:
            self.loop.call_soon_threadsafe(self.settle, result, error)
        except RuntimeError:  # the loop is closed: nobody waits any more
            pass

    def drop(self) -> None:
        """Want nothing of it any more: a failure that comes yet is nobody's, and no "never retrieved" in a log."""
        if not self.ended:
            threads.abandoned.add(self)
            if self.ended:  # it came back just then
                threads.abandoned.discard(self)
        future, self.future = self.future, None
        if future is not None and future.done() and not future.cancelled():
            future.exception()


async def run_async(work: Callable[[CancelScope], T], parent: CancelScope | None = None, limits: Limits = DEFAULT) -> T:
    """Run ``work(scope)`` on a pooled thread, in a copy of the caller's context variables, under asyncio or trio.

    Cancelling the awaiting task cancels the scope, waits for the grace and the slack of the limits at most, and goes
    on cancelling; a second cancel does not wait. What is left behind then can't act, and holds up neither the loop's
    shutdown nor the interpreter's exit.
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
    """Say whether the coroutine that runs is trio's."""
    trio = sys.modules.get("trio")
    if trio is None:
        return False
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        pass
    else:
        if asyncio.current_task() is not None:  # trio may be the guest of a loop
            return False
    try:
        trio.lowlevel.current_task()
    except RuntimeError:
        return False
    return True


async def _run_trio(work: Callable[[CancelScope], T], parent: CancelScope | None, limits: Limits) -> T:
    """Do as ``run_async`` does, where the loop is trio's."""
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
        except trio.RunFinishedError:  # nobody waits any more
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
            if answers or errors:  # it came back just then
                threads.abandoned.discard(ended)
        scope.close()


def finish(answer: Awaitable[T]) -> T:
    """Wait for an awaitable where no loop runs. ``RuntimeError`` in a loop's own thread, which can't wait for itself."""
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
    """The lines of this process's standard input, for a loop of asyncio that may end before they do.

    mcp's own reader waits in a thread that no interrupt ends, and that holds up the interpreter's exit.
    """

    __slots__ = ("_file", "_stopped")

    def __init__(self) -> None:
        # Not ``sys.stdin``: a thread may still read when the interpreter ends, which wants the lock of that one.
        self._file = io.TextIOWrapper(open(0, "rb", closefd=False), encoding="utf-8", errors="replace")
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        """Be at the end, whatever may still come."""
        self._stopped.set()

    def __aiter__(self) -> InputLines:
        return self

    async def __anext__(self) -> str:
        """Return the next line; ends at the end of the input, and after ``stop``."""
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
