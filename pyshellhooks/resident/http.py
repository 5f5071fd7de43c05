"""HTTP/1.1 on one connection: requests of the client, and ``http`` hooks of agents. h11 implements the protocol."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

import h11

from .. import __version__
from ..hooks import installed
from . import address
from .answering import DENIED, NON_BLOCKING, HookReply, Request

if TYPE_CHECKING:
    from ..cancel import CancelScope

LARGEST_HEAD = 1 << 15  # bytes
READING = 30.0  # seconds to receive a whole request
IDLE = 60.0  # most seconds between two requests of a connection
JSON_TYPE = "application/json"

RunHooks = Callable[[Request, "CancelScope"], Awaitable[HookReply]]


class Refused(Exception):
    """A request is refused before any hook runs, with an HTTP status and a reason."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Listener:
    """The interface of the server for its connections: authorization, limits, and the function that answers.

    ``token``: the bearer token of a request on a port; None if the system authenticates the peer.
    """

    __slots__ = ("run_hooks", "cwd", "enter", "env", "health", "largest", "leave", "stop", "token", "words")

    def __init__(
        self,
        run_hooks: RunHooks,
        *,
        token: str | None,
        env: Mapping[str, str],
        cwd: str,
        words: tuple[str, ...],
        largest: int,
        enter: Callable[[], bool],
        leave: Callable[[], None],
        health: Callable[[], Mapping[str, object]],
        stop: Callable[[], None],
    ) -> None:
        self.run_hooks = run_hooks
        self.token = token
        self.env = env  # for ``http`` hooks, whose requests contain none
        self.cwd = cwd
        self.words = words  # for ``http`` hooks, after the system
        self.largest = largest  # most bytes of a payload
        self.enter = enter  # takes one of the places for running requests; False if all are taken
        self.leave = leave
        self.health = health
        self.stop = stop


class Connection:
    """One connection: requests one after another, each limited in size and time."""

    def __init__(self, listener: Listener, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._listener = listener
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=LARGEST_HEAD)

    async def serve(self) -> None:
        """Answer requests until the peer closes the connection, is too slow, or violates the protocol."""
        try:
            while True:
                request = await asyncio.wait_for(self._next(), IDLE)
                if not isinstance(request, h11.Request):
                    return
                try:
                    await self._answer(request)
                except Refused as error:
                    await self._send_json(error.status, {"error": str(error)}, close=True)
                    return
                if not self._is_reusable():
                    return
                self._http.start_next_cycle()
        except h11.RemoteProtocolError as error:
            if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                await self._send_json(error.error_status_hint, {"error": str(error)}, close=True)
        except (TimeoutError, ConnectionError):
            pass

    def _is_reusable(self) -> bool:
        """Return whether both sides have finished a request and its response."""
        return self._http.our_state is h11.DONE and self._http.their_state is h11.DONE

    async def _next(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        while True:
            event = self._http.next_event()
            if event is h11.PAUSED or isinstance(event, h11.Event):
                return event
            self._http.receive_data(await self._reader.read(1 << 18))

    async def _answer(self, request: h11.Request) -> None:
        headers = {name.decode("ascii"): value.decode("latin-1") for name, value in request.headers}
        method = request.method.decode("ascii")
        target, _, query = request.target.decode("latin-1").partition("?")
        self._admit(headers)
        if (method, target) == ("GET", "/health"):
            await self._body()
            await self._send_json(200, self._listener.health())
        elif (method, target) == ("POST", "/stop"):
            await self._body()
            await self._send_json(200, self._listener.health(), close=True)
            self._listener.stop()
        elif (method, target) == ("POST", address.RUN):
            await self._hooks(headers, self._framed, self._send_framed)
        elif method == "POST" and _names_a_system(target):
            own = self._http_hook(target, query)
            await self._hooks(headers, lambda _, body: own._replace(payload=body), self._send_plain)
        else:
            status = 404 if method in ("GET", "POST") else 405
            raise Refused(status, f"{method} {target}: expected POST /SYSTEM with a payload")

    def _http_hook(self, target: str, query: str) -> Request:
        """Return the request of an ``http`` hook, still without its payload."""
        words = [target[1:], *self._listener.words]
        for file in parse_qs(query).get("installed", ()):
            words += [installed.WORD, file]
        return Request(tuple(words), b"", self._listener.env, self._listener.cwd)

    def _admit(self, headers: Mapping[str, str]) -> None:
        """Raise ``Refused`` for a request of a browser, one with a foreign host name, or one without the token."""
        if "origin" in headers:
            raise Refused(403, "requests from web pages are forbidden")
        if self._listener.token is None:
            return
        if headers.get("host", "").partition(":")[0] not in ("127.0.0.1", "localhost"):
            raise Refused(403, "the Host header must name 127.0.0.1 or localhost")
        authorization = headers.get("authorization", "").encode("latin-1")
        if not hmac.compare_digest(authorization, f"Bearer {self._listener.token}".encode("ascii")):
            raise Refused(401, "invalid or missing token (expected Authorization: Bearer TOKEN)")

    def _framed(self, headers: Mapping[str, str], body: bytes) -> Request:
        try:
            counts = int(headers[address.WORDS.lower()]), int(headers[address.VARIABLES.lower()])
            words, cwd, env, payload = address.unpack(body, *counts)
        except (KeyError, ValueError) as error:
            raise Refused(400, f"not a request of pyshellhooks-hook: {error}") from None
        return Request(tuple(words), payload, env, cwd)

    async def _hooks(
        self,
        headers: Mapping[str, str],
        read: Callable[[Mapping[str, str], bytes], Request],
        send: Callable[[HookReply], Awaitable[None]],
    ) -> None:
        """Take a place, then read the body: the "100 Continue" promises the client that its hooks run here."""
        if int(headers.get("content-length", "0")) > self._listener.largest:
            raise Refused(413, f"the request is larger than {self._listener.largest} bytes")
        if not self._listener.enter():
            raise Refused(503, "too many requests at once")
        try:
            request = read(headers, await asyncio.wait_for(self._body(), READING))
            reply = await self._run_hooks(request, beats=address.WORDS.lower() in headers)
        finally:
            self._listener.leave()
        await send(reply)

    async def _body(self) -> bytes:
        if self._http.they_are_waiting_for_100_continue:
            await self._send(h11.InformationalResponse(status_code=100, headers=[]))
        parts: list[bytes] = []
        size = 0
        while True:
            event = await self._next()
            if isinstance(event, h11.Data):
                parts.append(bytes(event.data))
                size += len(event.data)
                if size > self._listener.largest:
                    raise Refused(413, f"the request is larger than {self._listener.largest} bytes")
            elif isinstance(event, h11.EndOfMessage):
                return b"".join(parts)
            else:
                raise ConnectionError("the peer closed the connection")

    async def _run_hooks(self, request: Request, *, beats: bool) -> HookReply:
        """Return the response of the hooks. The run is cancelled if the peer closes the connection before.

        ``beats``: send heartbeats, since the peer is our client, which considers a silent engine lost.
        """
        from ..cancel import CancelScope

        scope = CancelScope()
        work = asyncio.ensure_future(self._listener.run_hooks(request, scope))
        gone = asyncio.ensure_future(self._reader.read(1))
        try:
            while not work.done() and not gone.done():
                await asyncio.wait({work, gone}, timeout=address.BEAT, return_when=asyncio.FIRST_COMPLETED)
                if beats and not work.done():
                    processing = h11.InformationalResponse(status_code=102, headers=[])
                    self._writer.write(self._http.send(processing) or b"")
            received = b""  # of the peer's next request
            if gone.done() and gone.exception() is None:
                received = gone.result()
            if gone.done() and not work.done():
                if not received:
                    scope.cancel()  # the peer has closed the connection
                await asyncio.wait({work})
            if received:
                self._http.receive_data(received)
            return work.result()
        finally:
            if not work.done():
                scope.cancel()  # the server ends now
            if not gone.done():
                gone.cancel()
                await asyncio.wait({gone})

    async def _send_framed(self, reply: HookReply) -> None:
        stdout, status, stderr = reply.encoded()
        headers = [
            ("Content-Type", "application/octet-stream"),
            ("Content-Length", str(len(stdout) + len(stderr))),
            (address.STATUS, str(status)),
            (address.STDERR, str(len(stderr))),
        ]
        await self._send(h11.Response(status_code=200, headers=headers), h11.Data(stdout + stderr), h11.EndOfMessage())

    async def _send_plain(self, reply: HookReply) -> None:
        """Answer an ``http`` hook without an exit status: 2 without JSON is a halt, 1 an HTTP 500 (claude_code 6)."""
        stdout, status, stderr = reply.encoded()
        if status == DENIED and not stdout.strip():
            await self._send_json(200, {"continue": False, "stopReason": reply.stderr.strip()})
        elif status == NON_BLOCKING:
            await self._send_json(500, {"error": reply.stderr.strip()})
        else:
            await self._reply(200, stdout)

    async def _send_json(self, status: int, value: Mapping[str, object], *, close: bool = False) -> None:
        await self._reply(status, json.dumps(value).encode("ascii"), close=close)

    async def _reply(self, status: int, body: bytes, *, close: bool = False) -> None:
        headers = [
            ("Content-Type", JSON_TYPE),
            ("Content-Length", str(len(body))),
            ("Server", f"pyshellhooks/{__version__}"),
        ]
        if close:
            headers.append(("Connection", "close"))
        await self._send(h11.Response(status_code=status, headers=headers), h11.Data(body), h11.EndOfMessage())

    async def _send(self, *events: h11.Event) -> None:
        for event in events:
            data = self._http.send(event)
            if data:
                self._writer.write(data)
        await asyncio.wait_for(self._writer.drain(), READING)


def _names_a_system(target: str) -> bool:
    """Return whether a path is ``/SYSTEM``."""
    return target.count("/") == 1 and len(target) > 1
