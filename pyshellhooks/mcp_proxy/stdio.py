"""Joins a relay to the client on this process's own standard streams, and to a server that is its child."""

from __future__ import annotations

import _thread
import asyncio
import os
import shlex
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, TextIO

import anyio
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCMessage

from ..agent import AgentHooks, HookEngine
from ..aio import InputLines
from ..host.kept import kept
from ..host.signals import forward
from .asking import Asking
from .calls import ToolHooks
from .relay import Incoming, Relay, Send

WHO = "pyshellhooks mcp-proxy"

ENOUGH = 2.0  # seconds for what is open when the client ends: one that writes requests and no more still gets answers
LAST = 15.0  # seconds from a signal to the end, at most: the hooks' grace and the server's, and some


class ServerEnded(Exception):
    """The server has ended before the client has."""


class Interrupted(Exception):
    """A signal has ended the proxy."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def run(
    engine: HookEngine, command: Sequence[str], server: str, cwd: str, elicit: bool, tell: Callable[[str], None]
) -> None:
    """Start a server and relay until the client ends.

    ``server`` names it in the tools' names, ``cwd`` is the directory that hooks are told of, ``elicit`` whether a person
    is asked by elicitation. Raises ``ServerEnded``, ``Interrupted``, ``BrokenPipeError`` where the client has gone in
    the middle of a message, and ``OSError`` where the server can't be started.
    """
    anyio.run(_run, engine, command, server, cwd, elicit, tell)


async def _run(
    engine: HookEngine, command: Sequence[str], server: str, cwd: str, elicit: bool, tell: Callable[[str], None]
) -> None:
    hooks = AgentHooks(engine, cwd=cwd, ask="defer", on_notice=tell)
    first, *others = kept(WHO, command)
    # ``env`` is merged over the few variables that the package hands on: a server behind a proxy has the ones it had.
    # Not validated: pydantic takes no text with bytes that are no UTF-8, and the system does.
    started = StdioServerParameters.model_construct(
        command=first, args=others, env=dict(os.environ), encoding_error_handler="replace"
    )
    stopped = _signalled()
    lines: Any = InputLines()  # mcp asks for an AsyncFile, and iterates over it
    try:
        async with stdio_server(stdin=lines) as (from_client, to_client):
            async with stdio_client(started, errlog=_standard_error()) as (from_server, to_server):
                client, child = _to_client(to_client), _to_server(to_server)
                asking = Asking(client, tell, elicit)
                tools = ToolHooks(hooks, server, shlex.join(command), asking, child, tell)
                relay = Relay(tools, asking, client, child, tell)
                try:
                    ended = await _relayed(relay, _messages(from_client), _messages(from_server), stopped)
                finally:
                    with anyio.CancelScope(shield=True):
                        await relay.close()
            # What was said to the client is written before the transport ends: it must not be cancelled.
            lines.stop()
            await to_client.aclose()
            async for _ in from_client:
                pass
    except BaseExceptionGroup as group:  # of the transports' tasks
        raise _first(group) from None
    if ended is not None:
        raise ended


async def _relayed(
    relay: Relay,
    from_client: AsyncIterator[Incoming],
    from_server: AsyncIterator[Incoming],
    stopped: asyncio.Future[int],
) -> Exception | None:
    """Relay until one side ends, or a signal comes; returns what has ended it, None for the client."""
    client = asyncio.create_task(relay.read_client(from_client))
    server = asyncio.create_task(relay.read_server(from_server))
    try:
        await asyncio.wait((client, server, stopped), return_when=asyncio.FIRST_COMPLETED)
        if stopped.done():
            return Interrupted(stopped.result())
        if client.done():
            client.result()
            until = time.monotonic() + ENOUGH
            while relay.is_waited_for and not (server.done() or stopped.done()) and time.monotonic() < until:
                await asyncio.wait((server, stopped), timeout=0.02, return_when=asyncio.FIRST_COMPLETED)
            return None
        server.result()
        lost = asyncio.create_task(relay.lose_server())
        try:
            # The client may end, or be ended, while the hooks are told.
            await asyncio.wait((client, lost, stopped), return_when=asyncio.FIRST_COMPLETED)
        finally:
            await _ended(lost)
        return ServerEnded()
    finally:
        await _ended(client, server)


async def _ended(*tasks: asyncio.Task[None]) -> None:
    """Cancel tasks and wait for them; what they have raised is nobody's any more."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _signalled() -> asyncio.Future[int]:
    """Return what is told the first signal that ends this process: the server and the hooks have to end first."""
    loop = asyncio.get_running_loop()
    told: asyncio.Future[int] = loop.create_future()

    def hear(number: int) -> None:
        if not told.done():
            told.set_result(number)

    def deliver(number: int) -> None:
        loop.call_soon_threadsafe(hear, number)
        _thread.start_new_thread(_last, ())  # a pool has a lock, which the interrupted thread may hold

    forward(deliver)
    return told


def _to_server(stream: Any) -> Send:
    """Return what sends a message to the server; raises ``EOFError`` once it is gone."""

    async def send(message: JSONRPCMessage) -> None:
        try:
            await stream.send(SessionMessage(message))
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            raise EOFError from None

    return send


def _to_client(stream: Any) -> Send:
    """Return what sends a message to the client; one that is gone misses nothing."""
    to = _to_server(stream)

    async def send(message: JSONRPCMessage) -> None:
        try:
            await to(message)
        except EOFError:
            pass

    return send


async def _messages(stream: Any) -> AsyncIterator[Incoming]:
    """Yield what a transport has read."""
    async for item in stream:
        yield item if isinstance(item, Exception) else item.message


def _standard_error() -> TextIO:
    """Return what the server writes its errors to: nothing where this process has no standard error."""
    try:
        os.fstat(2)
        return sys.__stderr__ or open(os.devnull, "w", encoding="utf-8")
    except OSError:
        return open(os.devnull, "w", encoding="utf-8")


def _last() -> None:
    """End this process if its orderly end does not come: a client that reads nothing could hold it up for ever."""
    time.sleep(LAST)
    os._exit(1)


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first error in a group of groups."""
    found: BaseException = group
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return found
