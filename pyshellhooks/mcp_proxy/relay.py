"""Routing of messages: all go to the other side unchanged, except calls of tools, their responses and cancellations.

Guards first: a call reaches the server only through ``calls``, and a response reaches the client only for one of its
open requests. A message that can't be read gets an error response, so that its sender does not wait for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Awaitable, Callable
from typing import TypeAlias

from mcp_types import (
    CONNECTION_CLOSED,
    INVALID_REQUEST,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)

from ..limits import GRACE, SLACK
from .calls import GONE, Call, ToolHooks
from .elicitation import Elicitation
from .messages import Response, Unreadable, make_error_response, read_again

Incoming: TypeAlias = "JSONRPCMessage | Exception"
Send: TypeAlias = Callable[[JSONRPCMessage], Awaitable[None]]

TOOLS_CALL = "tools/call"
CANCELLED = "notifications/cancelled"
END = GRACE + SLACK + 2.5  # seconds for cancelled calls to end: the grace of a hook, its slack, and a busy machine


class Relay:
    """Passes messages between one client and one server.

    ``to_client`` and ``to_server`` send a message; the second raises ``OSError`` or ``EOFError`` once the server is
    gone. ``notify`` reports a notice to a person.
    """

    def __init__(
        self,
        tools: ToolHooks,
        elicitation: Elicitation,
        to_client: Send,
        to_server: Send,
        notify: Callable[[str], None],
    ) -> None:
        self._tools = tools
        self._elicitation = elicitation
        self._to_client = to_client
        self._to_server = to_server
        self._notify = notify
        self._gone = False
        # The client's requests that have no response yet; None for those that are not calls of tools.
        self._open: dict[RequestId, Call | None] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # -- from the client ----------------------------------------------------------------------------------------------

    async def read_client(self, messages: AsyncIterable[Incoming]) -> None:
        """Pass on the client's messages until their end."""
        async for incoming in messages:
            try:
                message = read_again(incoming) if isinstance(incoming, Exception) else incoming
            except Unreadable as error:
                self._notify(f"dropped a message of the client: {error}")
                for response in error.responses:
                    await self._to_client(response)
                continue
            await self._from_client(message)

    async def _from_client(self, message: JSONRPCMessage) -> None:
        if isinstance(message, JSONRPCRequest):
            await self._handle_request(message)
        elif isinstance(message, JSONRPCNotification):
            await self._handle_notification(message)
        elif not self._elicitation.take_response(message):
            await self._pass(message)

    async def _handle_request(self, message: JSONRPCRequest) -> None:
        if message.id in self._open:
            why = f"duplicate request id {message.id!r:.80}; use a new id for each request"
            await self._to_client(make_error_response(message.id, INVALID_REQUEST, why))
            return
        if message.method == TOOLS_CALL:
            self._open[message.id] = call = Call(message)
            task = call.task = asyncio.create_task(self._run(call))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            return
        if message.method == "initialize":
            self._elicitation.read_capabilities(message.params)
        self._open[message.id] = None
        if not await self._pass(message):
            del self._open[message.id]
            await self._to_client(make_error_response(message.id, CONNECTION_CLOSED, GONE))

    async def _handle_notification(self, message: JSONRPCNotification) -> None:
        if message.method == TOOLS_CALL:
            # The package parses a call whose id is null or not an integer as a notification, which has no response.
            self._notify("dropped a tool call without a valid id (expected a string or an integer)")
            return
        if message.method == CANCELLED:
            id = (message.params or {}).get("requestId")
            if isinstance(id, (int, str)) and id in self._open:
                call = self._open.pop(id)
                if call is not None:
                    assert call.task is not None
                    call.task.cancel()
                    if not call.sent:
                        return  # the server has not got the call
        await self._pass(message)

    async def _run(self, call: Call) -> None:
        """Send the response to a call, unless the client has cancelled it."""
        if self._gone:
            call.fail()
        response = await self._tools.respond(call)
        if self._open.get(call.request.id) is call:
            del self._open[call.request.id]
            await self._to_client(response)

    async def _pass(self, message: JSONRPCMessage) -> bool:
        """Send a message to the server; return False if the server is gone."""
        if self._gone:
            return False
        try:
            await self._to_server(message)
        except (OSError, EOFError):
            return False
        return True

    # -- from the server ----------------------------------------------------------------------------------------------

    async def read_server(self, messages: AsyncIterable[Incoming]) -> None:
        """Pass on the server's messages until their end."""
        async for incoming in messages:
            try:
                message = read_again(incoming) if isinstance(incoming, Exception) else incoming
            except Unreadable as error:
                self._notify(f"dropped a message of the server: {error}")
                for response in error.responses:
                    if response.id is not None:
                        await self._pass(response)
                continue
            if isinstance(message, JSONRPCResponse | JSONRPCError):
                await self._handle_response(message)
            else:
                await self._to_client(message)

    async def _handle_response(self, message: Response) -> None:
        """Pass on a response to the client or to its call. Drop one without an open request: no hook has seen it."""
        id = message.id
        if id is None or (id in self._open and self._open[id] is None):
            if id is not None:
                del self._open[id]
            await self._to_client(message)
            return
        call = self._open.get(id)
        if call is None or not call.resolve(message):
            self._notify(f"dropped a response of the server: unknown request id {id!r:.80}")

    @property
    def is_waited_for(self) -> bool:
        """Whether a request of the client is open."""
        return bool(self._open)

    # -- the end ------------------------------------------------------------------------------------------------------

    async def lose_server(self) -> None:
        """Send error responses for all open requests after the server's end. Hooks see its open calls as failed."""
        self._gone = True
        for id, call in list(self._open.items()):
            if call is None:
                del self._open[id]
                await self._to_client(make_error_response(id, CONNECTION_CLOSED, GONE))
            elif call.sent:
                call.fail()
            else:
                del self._open[id]
                assert call.task is not None
                call.task.cancel()
                await self._to_client(make_error_response(id, CONNECTION_CLOSED, GONE))
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def close(self) -> None:
        """Cancel all calls, and wait up to ``END`` seconds for the runs of their hooks."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=END)
