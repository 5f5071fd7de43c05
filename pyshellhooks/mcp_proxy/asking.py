"""Puts a hook's question to the person at the client, by elicitation, in the way of the protocol's revision.

Until 2025-11-25 a client says in ``initialize`` that it can ask, and is sent ``elicitation/create``. From 2026-07-28 on
each request says so, no request goes to a client, and the call is answered with what is wanted: the client asks, and
calls again with the answer and the state that it was given.
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
from .messages import Answer, Params, request, sound

ASK = ("elicit", "deny")
QUESTIONS = 1000  # that are kept until the client calls again; the oldest go, and their calls are asked about anew
SHOWN = 4000  # characters of the arguments that a person is shown

_KEY = "pyshellhooks"  # of our question among those of a result that wants input
_RETRY = ("inputResponses", "requestState")


class InputRequired(Exception):
    """The call is answered with a question: what is raised through the hooks, which then are not asked again."""

    def __init__(self, result: dict[str, Any]) -> None:
        super().__init__()
        self.result = result


class Question(NamedTuple):
    """What a call waits for that was answered with a question: the call it belongs to, and what the client had sent."""

    call_id: str
    call: str
    sent: Params


class Asking:
    """Asks the person at one client.

    ``send`` sends a message to it; ``tell`` says a notice; ``wanted`` is False where every question is a no.
    """

    def __init__(
        self, send: Callable[[JSONRPCMessage], Awaitable[None]], tell: Callable[[str], None], wanted: bool = True
    ) -> None:
        self._send = send
        self._tell = tell
        self._wanted = wanted
        self._capabilities: Any = None
        self._own = f"{_KEY}-{token_hex(8)}-"  # begins our ids and states: the server's are never taken for them
        self._asked = 0
        self._open: dict[RequestId, asyncio.Future[Answer]] = {}
        self._questions: OrderedDict[str, Question] = OrderedDict()

    def meet(self, params: Params | None) -> None:
        """Remember what the client can do, as its ``initialize`` says."""
        self._capabilities = (params or {}).get("capabilities")

    def answer(self, message: Answer) -> bool:
        """Take an answer to a question of ours; False for one that is the server's."""
        waiting = self._open.get(message.id) if message.id is not None else None
        if waiting is not None and not waiting.done():
            waiting.set_result(message)
        # One that nobody waits for any more is ours too: the server has never asked.
        return isinstance(message.id, str) and message.id.startswith(self._own)

    async def ask(self, gate: Gate, tool: str, params: Params, call_id: str, given: Question | None) -> bool:
        """Say whether the person says yes to a call. Raises ``InputRequired`` where the client asks by itself."""
        if not self._wanted:
            return False
        meta = params.get("_meta")
        meta = meta if isinstance(meta, Mapping) else {}
        stateless = PROTOCOL_VERSION_META_KEY in meta
        if not _has_forms(meta.get(CLIENT_CAPABILITIES_META_KEY) if stateless else self._capabilities):
            self._tell(
                f"{tool} was denied: a hook asks to confirm it, and the client can't ask (it has no elicitation)"
            )
            return False
        form = {"message": _message(gate, tool), "requestedSchema": {"type": "object", "properties": {}}}
        if not stateless:
            return await self._elicit(form)
        if given is not None:
            responses = params.get("inputResponses")
            return _is_yes(responses.get(_KEY) if isinstance(responses, Mapping) else None)
        raise InputRequired(self._want(form, Question(call_id, spelled(params), retry_fields(params))))

    def asked_before(self, params: Params) -> Question | None:
        """Return the question that a call brings the answer to, once; None for any other call, changed ones too."""
        state = params.get("requestState")
        found = self._questions.pop(state, None) if isinstance(state, str) else None
        return found if found is not None and found.call == spelled(params) else None

    def for_server(self, params: Params, question: Question | None) -> dict[str, Any]:
        """Return what the server is told of a call: what answers our question is not for it."""
        state = params.get("requestState")
        if not isinstance(state, str) or not state.startswith(self._own):
            return dict(params)
        kept = {name: value for name, value in params.items() if name not in _RETRY}
        return {**kept, **(question.sent if question is not None else {})}

    def _want(self, form: Params, question: Question) -> dict[str, Any]:
        """Keep a question, and make the result that asks it."""
        state = self._own + token_hex(16)
        self._questions[state] = question
        if len(self._questions) > QUESTIONS:
            self._questions.popitem(last=False)
        wanted = {_KEY: {"method": "elicitation/create", "params": {"mode": "form", **form}}}
        return {"resultType": "input_required", "inputRequests": wanted, "requestState": state}

    async def _elicit(self, form: Params) -> bool:
        self._asked += 1
        id = f"{self._own}{self._asked}"
        waiting = self._open[id] = asyncio.get_running_loop().create_future()
        try:
            await self._send(request(id, "elicitation/create", form))
            answer = await waiting
        except asyncio.CancelledError:  # nobody wants the call any more: the question goes as well
            params = {"requestId": id, "reason": "the call was cancelled"}
            await asyncio.shield(
                self._send(JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params=params))
            )
            raise
        finally:
            del self._open[id]
        if not isinstance(answer, JSONRPCResponse):
            self._tell(f"the client could not ask: {answer.error.message}")
            return False
        return _is_yes(answer.result)


def spelled(params: Params) -> str:
    """Return which tool a call calls with what, as a text that is the same only for the same."""
    return json.dumps([params.get("name"), params.get("arguments")], sort_keys=True)


def retry_fields(params: Params) -> dict[str, Any]:
    """Return what a client has sent to answer the server's own questions."""
    return {name: params[name] for name in _RETRY if name in params}


def _is_yes(response: Any) -> bool:
    return isinstance(response, Mapping) and response.get("action") == "accept"


def _has_forms(capabilities: Any) -> bool:
    """Say whether a client asks with forms: it says so, or says no more than that it asks (MCP 2025-11-25)."""
    asks = capabilities.get("elicitation") if isinstance(capabilities, Mapping) else None
    return isinstance(asks, Mapping) and (not asks or "form" in asks)


def _message(gate: Gate, tool: str) -> str:
    """Say what a person is asked: the hook's words, and what would run."""
    text = json.dumps(gate.value, ensure_ascii=False, default=str)
    if len(text) > SHOWN:
        text = f"{text[:SHOWN]}… ({len(text) - SHOWN} characters more)"
    return str(sound(f"{gate.ask}\n\n{tool} {text}"))
