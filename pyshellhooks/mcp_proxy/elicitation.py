"""Elicitation: a hook's question to the person at the client, as the revision of the protocol defines it.

Until 2025-11-25 a client declares the capability in ``initialize`` and gets a request ``elicitation/create``. From
2026-07-28 on each request declares it, and the server sends no requests: the result of the call is ``input_required``,
the client puts it to the person, and calls again with the answer and the ``requestState`` of that result.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from secrets import token_hex
from typing import Any, NamedTuple

from mcp_types import (
    CLIENT_CAPABILITIES_META_KEY,
    PROTOCOL_VERSION_META_KEY,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCResponse,
    RequestId,
)

from ..agent import Gate
from .messages import Params, Response, replace_surrogates_within, request

ASK_CHOICES = ("elicit", "deny")
QUESTIONS = 1000  # questions that wait for a second call; the oldest are dropped, and their calls are new calls
SHOWN = 4000  # characters of the arguments in a question

_KEY = "pyshellhooks"  # the key of our question in the ``inputRequests`` of a result
_RETRY = ("inputResponses", "requestState")


class InputRequired(Exception):
    """Raised to answer a call with a question. It passes through ``AgentHooks.acall``, which keeps the gate."""

    def __init__(self, result: dict[str, Any]) -> None:
        super().__init__()
        self.result = result


class Question(NamedTuple):
    """A question of an ``input_required`` result: the id and the text of its call, and the client's retry fields."""

    call_id: str
    call: str
    sent: Params


class Elicitation:
    """Questions to the person at one client.

    ``send`` sends a message to it; ``notify`` reports a notice; with ``wanted=False`` the answer to every question is no.
    """

    def __init__(
        self, send: Callable[[JSONRPCMessage], Awaitable[None]], notify: Callable[[str], None], wanted: bool = True
    ) -> None:
        self._send = send
        self._notify = notify
        self._wanted = wanted
        self._capabilities: Any = None
        self._own = f"{_KEY}-{token_hex(8)}-"  # prefix that distinguishes our ids and states from the server's
        self._sent = 0
        self._open: dict[RequestId, asyncio.Future[Response]] = {}
        self._questions: OrderedDict[str, Question] = OrderedDict()

    def read_capabilities(self, params: Params | None) -> None:
        """Store the client's capabilities from the parameters of its ``initialize``."""
        self._capabilities = (params or {}).get("capabilities")

    def take_response(self, message: Response) -> bool:
        """Take the response to one of our questions. Return False if it is for the server."""
        waiting = self._open.get(message.id) if message.id is not None else None
        if waiting is not None and not waiting.done():
            waiting.set_result(message)
        # A late response is ours too: the server has sent no such request.
        return isinstance(message.id, str) and message.id.startswith(self._own)

    async def confirm(self, gate: Gate, tool: str, params: Params, call_id: str, pending: Question | None) -> bool:
        """Return whether the person accepts a call. Raises ``InputRequired`` if the client answers by a second call."""
        if not self._wanted:
            return False
        meta = params.get("_meta")
        stateless, capabilities = False, self._capabilities
        if isinstance(meta, Mapping) and PROTOCOL_VERSION_META_KEY in meta:
            stateless, capabilities = True, meta.get(CLIENT_CAPABILITIES_META_KEY)
        if not _has_forms(capabilities):
            self._notify(
                f"{tool} was denied: a hook requires confirmation, and the client does not support elicitation"
            )
            return False
        form = {"message": _message(gate, tool), "requestedSchema": {"type": "object", "properties": {}}}
        if not stateless:
            return await self._elicit(form)
        if pending is None:
            raise InputRequired(self._question_result(form, Question(call_id, spelled(params), retry_fields(params))))
        responses = params.get("inputResponses")
        return isinstance(responses, Mapping) and _is_yes(responses.get(_KEY))

    def pending_question(self, params: Params) -> Question | None:
        """Return the question that a call answers, once; None for any other call, and if the call has changed."""
        state = params.get("requestState")
        if not isinstance(state, str):
            return None
        question = self._questions.pop(state, None)
        # A person's yes must not permit another call than the one in the question.
        if question is None or question.call != spelled(params):
            return None
        return question

    def for_server(self, params: Params, question: Question | None) -> dict[str, Any]:
        """Return a call's parameters for the server, without the fields that answer our question."""
        state = params.get("requestState")
        if not isinstance(state, str) or not state.startswith(self._own):
            return dict(params)
        fields = {name: value for name, value in params.items() if name not in _RETRY}
        if question is not None:
            fields.update(question.sent)
        return fields

    def _question_result(self, form: Params, question: Question) -> dict[str, Any]:
        """Store a question, and return the ``input_required`` result that contains it."""
        state = self._own + token_hex(16)
        self._questions[state] = question
        if len(self._questions) > QUESTIONS:
            self._questions.popitem(last=False)
        wanted = {_KEY: {"method": "elicitation/create", "params": {"mode": "form", **form}}}
        return {"resultType": "input_required", "inputRequests": wanted, "requestState": state}

    async def _elicit(self, form: Params) -> bool:
        self._sent += 1
        id = f"{self._own}{self._sent}"
        waiting = self._open[id] = asyncio.get_running_loop().create_future()
        try:
            await self._send(request(id, "elicitation/create", form))
            response = await waiting
        except asyncio.CancelledError:  # the client has cancelled the call, so cancel the question too
            params = {"requestId": id, "reason": "the call was cancelled"}
            await asyncio.shield(
                self._send(JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params=params))
            )
            raise
        finally:
            del self._open[id]
        if not isinstance(response, JSONRPCResponse):
            self._notify(f"the client failed to ask for confirmation: {response.error.message}")
            return False
        return _is_yes(response.result)


def spelled(params: Params) -> str:
    """Return the tool and the arguments of a call as canonical JSON: equal only for equal calls."""
    return json.dumps([params.get("name"), params.get("arguments")], sort_keys=True)


def retry_fields(params: Params) -> dict[str, Any]:
    """Return the parameters with which a client answers the server's own questions."""
    return {name: params[name] for name in _RETRY if name in params}


def _is_yes(response: Any) -> bool:
    return isinstance(response, Mapping) and response.get("action") == "accept"


def _has_forms(capabilities: Any) -> bool:
    """Return whether a client supports forms: an empty ``elicitation`` capability means forms (MCP 2025-11-25)."""
    if not isinstance(capabilities, Mapping):
        return False
    elicitation = capabilities.get("elicitation")
    if not isinstance(elicitation, Mapping):
        return False
    return not elicitation or "form" in elicitation


def _message(gate: Gate, tool: str) -> str:
    """Return the text of a question: the hook's question, the tool and its arguments."""
    text = json.dumps(gate.value, ensure_ascii=False, default=str)
    if len(text) > SHOWN:
        text = f"{text[:SHOWN]}… ({len(text) - SHOWN} more characters)"
    return str(replace_surrogates_within(f"{gate.ask}\n\n{tool} {text}"))
