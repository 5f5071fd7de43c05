"""The stdio transports of a relay: the client on this process's standard streams, the server as its child."""

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
from ..host.guarded_command import guarded_command
from ..host.signals import forward
from .calls import ToolHooks
from .elicitation import Elicitation
from .relay import END, Incoming, Relay, Send

WHO = "pyshellhooks mcp-proxy"

ENOUGH = 2.0  # seconds for open requests after the client's end of file: it may still read the responses
LAST = END + 11.0  # most seconds from a signal to the end: the hooks' end, the server's, and a busy machine


class ServerEnded(Exception):
    """The server has ended before the client."""


class Interrupted(Exception):
    """A signal has ended the proxy."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def run(
    engine: HookEngine, command: Sequence[str], server: str, cwd: str, elicit: bool, notify: Callable[[str], None]
) -> None:
    """Start a server and relay until the client ends.

    ``server`` is its part of the tools' names, ``cwd`` the directory in the hooks' payload, ``elicit`` whether a
    question goes to a person by elicitation. Raises ``ServerEnded``, ``Interrupted``, ``BrokenPipeError`` if the client
    goes in the middle of a message, and ``OSError`` if the server can't be started.
    """
    anyio.run(_run, engine, command, server, cwd, elicit, notify)


async def _run(
    engine: HookEngine, command: Sequence[str], server: str, cwd: str, elicit: bool, notify: Callable[[str], None]
) -> None:
    hooks = AgentHooks(engine, cwd=cwd, ask="defer", on_notice=notify)
    first, *others = guarded_command(WHO, command)
    # The package passes only a few variables on; ``env`` adds all of ours, so that the server has the same environment
    # as without a proxy. Not validated: pydantic refuses surrogate escapes, the form of bytes that are not UTF-8.
    started = StdioServerParameters.model_construct(
        command=first, args=others, env=dict(os.environ), encoding_error_handler="replace"
    )
    stopped = _signalled()
    lines: Any = InputLines()  # typed as an anyio AsyncFile in mcp, which only iterates over it
    try:
        async with stdio_server(stdin=lines) as (from_client, to_client):
            async with stdio_client(started, errlog=_standard_error()) as (from_server, to_server):
                client, child = _to_client(to_client), _to_server(to_server)
                elicitation = Elicitation(client, notify, elicit)
                tools = ToolHooks(hooks, server, shlex.join(command), elicitation, child, notify)
                relay = Relay(tools, elicitation, client, child, notify)
                try:
                    ended = await _relayed(relay, _messages(from_client), _messages(from_server), stopped)
                finally:
                    with anyio.CancelScope(shield=True):
                        await relay.close()
            # Messages for the client must be written before the transport ends, so this must not be cancelled.
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
    """Relay until one side ends or a signal arrives. Return ``ServerEnded`` or ``Interrupted``, None for the client."""
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
            # The client may end, or a signal arrive, while hooks run.
            await asyncio.wait((client, lost, stopped), return_when=asyncio.FIRST_COMPLETED)
        finally:
            await _end_tasks(lost)
        return ServerEnded()
    finally:
        await _end_tasks(client, server)


async def _end_tasks(*tasks: asyncio.Task[None]) -> None:
    """Cancel tasks and wait for them, ignoring their exceptions."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _signalled() -> asyncio.Future[int]:
    """Return a future for the number of the first signal to end this process: the server and hooks must end first."""
    loop = asyncio.get_running_loop()
    signaled: asyncio.Future[int] = loop.create_future()

    def hear(number: int) -> None:
        if not signaled.done():
            signaled.set_result(number)

    def deliver(number: int) -> None:
        loop.call_soon_threadsafe(hear, number)
        _thread.start_new_thread(_last, ())  # a pool has a lock, which the interrupted thread may hold

    forward(deliver)
    return signaled


def _to_server(stream: Any) -> Send:
    """Return a function that sends a message to the server; it raises ``EOFError`` once the server is gone."""

    async def send(message: JSONRPCMessage) -> None:
        try:
            await stream.send(SessionMessage(message))
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            raise EOFError from None

    return send


def _to_client(stream: Any) -> Send:
    """Return a function that sends a message to the client, and does nothing once the client is gone."""
    to = _to_server(stream)

    async def send(message: JSONRPCMessage) -> None:
        try:
            await to(message)
        except EOFError:
            pass

    return send


async def _messages(stream: Any) -> AsyncIterator[Incoming]:
    """Yield the messages of a transport, and exceptions for lines that it can't parse."""
    async for item in stream:
        yield item if isinstance(item, Exception) else item.message


def _standard_error() -> TextIO:
    """Return the server's standard error: this process's own, or the null device if it has none."""
    try:
        os.fstat(2)
        return sys.__stderr__ or open(os.devnull, "w", encoding="utf-8")
    except OSError:
        return open(os.devnull, "w", encoding="utf-8")


def _last() -> None:
    """Exit this process after ``LAST`` seconds if it still runs: a client that does not read could block it."""
    time.sleep(LAST)
    os._exit(1)


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first error in a group of groups."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
