"""JSON-RPC messages: those that the package ``mcp_types`` can't read, and those that the proxy writes itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Response: TypeAlias = "JSONRPCResponse | JSONRPCError"
Params: TypeAlias = Mapping[str, Any]

_SHOWN = 200  # characters of a message that is quoted
_OF_THE_WHOLE = ("missing", "model_type")  # pydantic's faults whose input is a whole message


def make_response(id: RequestId, result: Mapping[str, Any]) -> JSONRPCResponse:
    """Return the response to a request."""
    return JSONRPCResponse(jsonrpc="2.0", id=id, result=dict(result))


def make_error_response(id: RequestId | None, code: int, message: str, data: Any = None) -> JSONRPCError:
    """Return an error response."""
    error = ErrorData(code=code, message=replace_surrogates_within(message))
    if data is not None:
        error.data = data
    return JSONRPCError(jsonrpc="2.0", id=id, error=error)


def request(id: RequestId, method: str, params: Mapping[str, Any]) -> JSONRPCRequest:
    """Return a request."""
    return JSONRPCRequest(jsonrpc="2.0", id=id, method=method, params=dict(params))


def replace_surrogates_within(value: Any) -> Any:
    """Return a JSON value in which U+FFFD replaces every lone surrogate, which UTF-8 can't encode."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, Mapping):
        return {replace_surrogates_within(str(key)): replace_surrogates_within(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [replace_surrogates_within(item) for item in value]
    return value


class Unreadable(Exception):
    """A message that can't be passed on; ``responses`` are the error responses for its sender."""

    def __init__(self, why: str, responses: list[JSONRPCError]) -> None:
        super().__init__(why)
        self.responses = responses


def read_again(error: Exception) -> JSONRPCMessage:
    """Parse a message with lone surrogates, which JSON allows and pydantic refuses.

    Raises ``Unreadable`` for any other message, with an error response for each request in it that has an id, so that
    no sender waits for a response that never comes.
    """
    value, why = _origin(error)
    try:
        if isinstance(value, dict):
            return jsonrpc_message_adapter.validate_python(replace_surrogates_within(value), by_name=False)
    except (ValueError, RecursionError):
        pass
    code = PARSE_ERROR if value is None else INVALID_REQUEST
    if isinstance(value, list):
        why = "batches are not supported; send the messages one by one"
    responses = [make_error_response(id, code, why) for id in _ids(value)]
    raise Unreadable(why, responses or [make_error_response(None, code, why)])


def _origin(error: Exception) -> tuple[Any, str]:
    """Return the JSON value of the line, None if it can't be parsed, and a description of the error."""
    if not isinstance(error, ValidationError):
        return None, f"it can't be read: {type(error).__name__}"
    faults = error.errors(include_url=False, include_context=False)
    text = next((fault["input"] for fault in faults if fault["type"] == "json_invalid"), None)
    if isinstance(text, str):
        try:
            return json.loads(text), "the package mcp can't parse it: too deeply nested, or too long a number"
        except (ValueError, RecursionError):
            return None, f"invalid JSON: {text[:_SHOWN]!r}"
    value = _whole_message(faults)
    wrong = faults[0]
    for fault in faults:
        if fault["type"] not in _OF_THE_WHOLE:
            wrong = fault
            break
    where = ".".join(map(str, wrong["loc"][1:])) or "message"
    return value, f"invalid MCP message: {where}: {wrong['msg']}"


def _whole_message(faults: Sequence[ErrorDetails]) -> Any:
    """Return the message that pydantic refused; None if no fault contains it.

    It reports a fault for each form of a message. That of a missing key has the whole message as its input, but a part
    of a message may lack a key too.
    """
    inputs = [fault["input"] for fault in faults if fault["type"] in _OF_THE_WHOLE]
    for value in inputs:
        if isinstance(value, dict) and "jsonrpc" in value:
            return value
    return inputs[0] if inputs else None


def _ids(value: Any) -> Iterator[RequestId]:
    """Yield the ids of the requests in a message, or in a list of them."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict) and "method" in item:
            id = item.get("id")
            if isinstance(id, (int, str)) and not isinstance(id, bool):
                yield replace_surrogates_within(id)
