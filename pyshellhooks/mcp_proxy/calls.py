"""One call of a tool: the hooks before it, the server's response, the hooks after it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from uuid import uuid4

from mcp_types import (
    CONNECTION_CLOSED,
    INVALID_PARAMS,
    PROTOCOL_VERSION_META_KEY,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCRequest,
    JSONRPCResponse,
)

from ..agent import AgentHooks, Gate, json_text
from .elicitation import Elicitation, InputRequired
from .messages import Params, Response, make_error_response, make_response, replace_surrogates_within, request
from .results import Result, denied, failure, text_of, with_content, with_context

GONE = "the MCP server ended before it responded"


class Call:
    """A call that the client waits for.

    ``sent``: whether the server has got it. ``task`` runs it; cancelling the task cancels the run of its hooks.
    """

    __slots__ = ("_response", "request", "sent", "task")

    def __init__(self, request: JSONRPCRequest) -> None:
        self.request = request
        self.sent = False
        self.task: asyncio.Task[None] | None = None
        self._response: asyncio.Future[Response] = asyncio.get_running_loop().create_future()

    def resolve(self, response: Response) -> bool:
        """Take the server's response. Return False if the call was not sent or already has one."""
        if not self.sent or self._response.done():
            return False
        self._response.set_result(response)
        return True

    def fail(self) -> None:
        """End the wait with an error: the server is gone."""
        if not self._response.done():
            self._response.set_result(make_error_response(self.request.id, CONNECTION_CLOSED, GONE))

    async def response(self) -> Response:
        """Wait for the server's response."""
        return await self._response


class ToolHooks:
    """Runs the hooks around each call of a server's tools.

    ``server`` is its part of the tools' names, ``command`` the command that started it. ``elicitation`` puts questions to
    the person at the client; ``send`` sends a message to the server; ``notify`` reports a text to the person, for which
    MCP has no message.
    """

    def __init__(
        self,
        hooks: AgentHooks,
        server: str,
        command: str,
        elicitation: Elicitation,
        send: Callable[[JSONRPCMessage], Awaitable[None]],
        notify: Callable[[str], None],
    ) -> None:
        self._hooks = hooks
        self._server = server
        self._command = command
        self._elicitation = elicitation
        self._send = send
        self._notify = notify

    async def respond(self, call: Call) -> Response:
        """Return the response to the client's call. A failure of the hooks never raises; it denies the call."""
        id, params = call.request.id, call.request.params or {}
        try:
            return await self._call_under_hooks(call, params)
        except Exception as error:  # any exception: a call that hooks have not judged must not run
            why = f"the proxy failed to run its hooks: {type(error).__name__}: {error}"
            return make_response(id, _typed(params, failure(why)))

    async def _call_under_hooks(self, call: Call, params: Params) -> Response:
        id, name, arguments = call.request.id, params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not isinstance(arguments, (Mapping, type(None))):
            return make_error_response(
                id, INVALID_PARAMS, "the name of a tool must be a string, and its arguments an object"
            )
        why = self._unjudged(params)
        if why:
            return make_response(id, _typed(params, failure(why)))
        tool = f"mcp__{self._server}__{name}"
        question = self._elicitation.pending_question(params)
        call_id = question.call_id if question is not None else f"mcp-{uuid4()}"
        tool_input: Any = {} if arguments is None else arguments
        server_params = self._elicitation.for_server(params, question)

        async def run(value: Any) -> Result:
            return await self._run(call, _with_arguments(server_params, tool_input, value))

        async def confirm(gate: Gate) -> bool:
            return await self._elicitation.confirm(gate, tool, params, call_id, question)

        try:
            gate = await self._hooks.acall(
                tool,
                tool_input,
                run,
                asks=confirm,
                passes=(InputRequired, _Unfinished),
                call_id=call_id,
                command=self._command,
            )
        except InputRequired as wanted:
            return make_response(id, wanted.result)
        except _Unfinished as unfinished:
            return unfinished.response
        except _Failure as error:
            return error.shown()
        message = _message_for_the_person(gate)
        if message:
            self._notify(f"{tool}: {message}")
        if gate.denied is not None:
            return make_response(id, _typed(params, denied(gate)))
        response = await call.response()
        assert isinstance(response, JSONRPCResponse)  # for an error ``_run`` has raised ``_Failure``
        result = response.result
        if gate.rewritten:
            result = with_content(result, gate.value)
        return make_response(id, with_context(result, gate.context))

    def _unjudged(self, params: Params) -> str:
        """Return the reason why hooks can't judge a call, or ``""``."""
        untrusted = self._hooks.engine.untrusted
        if untrusted:
            return (
                f"untrusted hooks were skipped, so no tool may run: {', '.join(untrusted)}. "
                "Review them, run `pyshellhooks trust`, and restart the MCP server."
            )
        if "task" in params and self._hooks.engine.listens("after_tool"):
            return "hooks can't see the result of a task; call the tool without `task`"
        return ""

    async def _run(self, call: Call, params: Params) -> Result:
        """Send a call to the server and return its result. Raises ``_Failure`` and ``_Unfinished``."""
        call.sent = True
        await self._send(request(call.request.id, "tools/call", params))
        response = await call.response()
        if isinstance(response, JSONRPCError) or response.result.get("isError") is True:
            raise _Failure(response)
        result: Result = response.result
        if result.get("resultType") == "input_required":
            raise _Unfinished(response)
        if not _is_task(result):
            return result
        if self._hooks.engine.listens("after_tool"):
            why = "the server turned this call into a task, whose result hooks can't see"
            raise _Failure(make_response(call.request.id, _typed(params, failure(why))))
        raise _Unfinished(response)


def _message_for_the_person(gate: Gate) -> str:
    """Return the hooks' message for the person, or ``""``. A question or a reason has reached the person already."""
    verdict = gate.verdict
    if verdict is None or verdict.needs_approval or verdict.user_message == verdict.reason:
        return ""
    return verdict.user_message or ""


def _is_task(result: Result) -> bool:
    """Return whether a result only announces a task, in the form of either revision of the protocol."""
    if "content" in result:
        return False
    return isinstance(result.get("task"), Mapping) or result.get("resultType") == "task"


class _Unfinished(Exception):
    """The server's response is not a final result: it requires input of the client, or has started a task."""

    def __init__(self, response: Response) -> None:
        super().__init__()
        self.response = response


class _Failure(Exception):
    """The tool has failed: a result with ``isError``, or a JSON-RPC error. Its text is the ``tool_error`` of hooks."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.error.message if isinstance(response, JSONRPCError) else text_of(response.result))
        self._response = response

    def shown(self) -> Response:
        """Return the response for the client: the server's, with the hooks' context after it."""
        context = "\n".join(getattr(self, "__notes__", ()))
        response = self._response
        if not context:
            return response
        if isinstance(response, JSONRPCError):
            return make_error_response(
                response.id, response.error.code, f"{response.error.message}\n\n{context}", response.error.data
            )
        return make_response(response.id, with_context(response.result, context))


def _with_arguments(params: Params, original: Any, value: Any) -> Params:
    """Return a call's parameters with the arguments for the tool; without a rewrite they stay unchanged.

    The comparison is of JSON text, since ``1 == True`` and ``1 == 1.0``.
    """
    if json_text(value) == json_text(original):
        return params
    return {**params, "arguments": replace_surrogates_within(value)}


def _typed(params: Params, result: Result) -> Result:
    """Return a result with ``resultType`` ``complete`` if the revision of the protocol requires it (2026-07-28)."""
    meta = params.get("_meta")
    if not isinstance(meta, Mapping) or PROTOCOL_VERSION_META_KEY not in meta:
        return result
    return {**result, "resultType": "complete"}
