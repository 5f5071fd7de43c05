"""Streaming the output of a run to a callback or an async iterator."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import AsyncIterator, Awaitable, Callable
from threading import RLock
from typing import TYPE_CHECKING

from ..cancel import CancelScope
from ..errors import Stop
from ..streams.capture import Capture

if TYPE_CHECKING:
    from .result import Result

OutputCallback = Callable[[str, str], None]
"""``callback(stream, text)``: ``stream`` is ``"stdout"`` or ``"stderr"``. It is called on the run's threads, one call at a time."""

_decoder = getincrementaldecoder("utf-8")


class Listener:
    """Passes the output of a run to a callback, whose exception ends the run and is kept in ``failure``."""

    __slots__ = ("_captures", "_lock", "_scope", "_callback", "failure")

    def __init__(self, callback: OutputCallback, scope: CancelScope) -> None:
        self._callback = callback
        self._scope = scope
        self._lock = RLock()  # background jobs write on other threads
        self._captures: list[StreamingCapture] = []
        self.failure: Exception | None = None

    def capture(self, plain: Capture) -> StreamingCapture:
        """Return a replacement for a capture, which also passes the output to the callback."""
        streaming_capture = StreamingCapture(plain.limit, plain.name, self)
        self._captures.append(streaming_capture)
        return streaming_capture

    def emit(self, name: str, text: str) -> None:
        """Call the callback with a text, unless it is empty; ``Stop`` once the callback has failed."""
        if not text:
            return
        with self._lock:
            if self.failure is None:
                try:
                    self._callback(name, text)
                    return
                except Exception as error:
                    self.failure = error
        self._scope.cancel("cancelled", "the callback of the output failed")
        raise Stop("cancelled", "the callback of the output failed")

    def finish(self) -> None:
        """Pass on the text of a character cut off at the end of the output; raise the callback's exception, if any."""
        for capture in self._captures:
            if self.failure is None:
                try:
                    self._callback(capture.name, text) if (text := capture.rest()) else None
                except Exception as error:
                    self.failure = error
        if self.failure is not None:
            raise self.failure


class StreamingCapture(Capture):
    """A capture that passes its bytes on as text. All the texts together are the decoded output."""

    __slots__ = ("_decode", "_listener")

    def __init__(self, limit: int, name: str, listener: Listener) -> None:
        super().__init__(limit, name)
        self._decode = _decoder("replace").decode
        self._listener = listener

    def write(self, data: bytes, /) -> None:
        super().write(data)
        self._listener.emit(self.name, self._decode(data))

    def rest(self) -> str:
        """Return U+FFFD for an incomplete character at the end of the output, or ""."""
        return self._decode(b"", True)


class OutputStream:
    """A run whose output is streamed: ``async for name, text in stream``; then ``stream.result``. For asyncio.

    The run starts at the first read. It is cancelled if its reader stops before the end (a ``break`` counts once the
    iterator is closed: ``contextlib.aclosing``).
    """

    __slots__ = ("_begin", "_result")

    def __init__(self, begin: Callable[[OutputCallback], Awaitable[Result]]) -> None:
        self._begin: Callable[[OutputCallback], Awaitable[Result]] | None = begin
        self._result: Result | None = None

    @property
    def result(self) -> Result:
        """The run's result. Raises ``RuntimeError`` before all of its output was read."""
        if self._result is None:
            raise RuntimeError("the run has no result yet; read its output to the end first")
        return self._result

    async def __aiter__(self) -> AsyncIterator[tuple[str, str]]:
        import asyncio

        begin, self._begin = self._begin, None
        if begin is None:
            raise RuntimeError("the output of a run can be read only once")
        loop = asyncio.get_running_loop()
        parts: asyncio.Queue[tuple[str, str] | None] = asyncio.Queue()

        def enqueue(name: str, text: str) -> None:
            loop.call_soon_threadsafe(parts.put_nowait, (name, text))

        task = asyncio.ensure_future(begin(enqueue))
        task.add_done_callback(lambda _: parts.put_nowait(None))
        try:
            while (part := await parts.get()) is not None:
                yield part
            self._result = task.result()
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait([task])
