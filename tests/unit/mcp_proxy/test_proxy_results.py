"""What a client sees where a hook puts something in the place of a result (MCP 2025-11-25, server/tools)."""

from __future__ import annotations

from typing import Any

import pytest

TEXT = {"content": [{"type": "text", "text": "old"}], "structuredContent": {"result": "old"}, "_meta": {"k": 1}}
OBJECT = {"content": [{"type": "text", "text": '{"a": "old"}'}], "structuredContent": {"a": "old"}}
BLOCK = {"type": "text", "text": "new"}
IMAGE = {"type": "image", "data": "AA==", "mimeType": "image/png"}

#: A result, what a hook gives, and the result then: nothing of the old one may be left.
REPLACED: list[tuple[dict[str, Any], Any, dict[str, Any]]] = [
    (TEXT, "new", {"content": [BLOCK], "structuredContent": {"result": "new"}, "_meta": {"k": 1}}),
    (TEXT, {"content": [BLOCK]}, {"content": [BLOCK], "_meta": {"k": 1}}),
    (TEXT, {"content": [BLOCK], "isError": True}, {"content": [BLOCK], "isError": True, "_meta": {"k": 1}}),
    (TEXT, [BLOCK, IMAGE], {"content": [BLOCK, IMAGE], "_meta": {"k": 1}}),
    (TEXT, 7, {"content": [{"type": "text", "text": "7"}], "_meta": {"k": 1}}),
    (TEXT, [], {"content": [{"type": "text", "text": "[]"}], "_meta": {"k": 1}}),
    (OBJECT, "new", {"content": [BLOCK]}),
    (OBJECT, {"a": "new"}, {"content": [{"type": "text", "text": '{"a": "new"}'}], "structuredContent": {"a": "new"}}),
    ({"content": [IMAGE]}, {"a": 1}, {"content": [{"type": "text", "text": '{"a": 1}'}]}),
    ({"content": [IMAGE], "resultType": "complete"}, "new", {"content": [BLOCK], "resultType": "complete"}),
    (OBJECT, "half \ud83d", {"content": [{"type": "text", "text": "half \ufffd"}]}),
]


@pytest.mark.parametrize(("result", "value", "shown"), REPLACED)
def test_replaced(mcp: None, result: dict[str, Any], value: Any, shown: dict[str, Any]) -> None:
    from pyshellhooks.mcp_proxy.results import with_content

    assert with_content(result, value) == shown


#: What hooks are told of a failure.
TEXTS: list[tuple[dict[str, Any], str]] = [
    ({"content": [BLOCK, {"type": "text", "text": "more"}]}, "new\nmore"),
    ({"content": [BLOCK, IMAGE]}, '{"content": [{"type": "text", "text": "new"}'),
    ({"content": []}, '{"content": []}'),
    ({}, "{}"),
]


@pytest.mark.parametrize(("result", "text"), TEXTS)
def test_text_of(mcp: None, result: dict[str, Any], text: str) -> None:
    from pyshellhooks.mcp_proxy.results import text_of

    assert text_of(result).startswith(text)


def test_context_follows_any_content(mcp: None) -> None:
    from pyshellhooks.mcp_proxy.results import with_context

    assert with_context({"content": [IMAGE]}, "new") == {"content": [IMAGE, BLOCK]}
    assert with_context({"structuredContent": 1}, "new") == {"structuredContent": 1, "content": [BLOCK]}
    assert with_context({"content": [IMAGE]}, "") == {"content": [IMAGE]}


HALTED = "\n\n(A hook ended the turn: call no more tools, and tell the user.)"

#: What the hooks decided, and what the model reads in the place of a result (docs/mcp-proxy.md).
DENIED: list[tuple[dict[str, Any], str]] = [
    ({"denied": "no rm"}, "no rm"),
    ({"denied": "no rm", "context": "use trash"}, "no rm\n\nuse trash"),
    ({"denied": "no rm", "halt": True}, f"no rm{HALTED}"),
    ({"denied": "no rm", "halt": True, "context": "use trash"}, f"no rm{HALTED}\n\nuse trash"),
    ({"denied": ""}, "blocked by a hook"),
    ({"denied": "half \ud83d", "context": "\ude00"}, "half \ufffd\n\n\ufffd"),
]


@pytest.mark.parametrize(("decided", "text"), DENIED)
def test_a_denied_call_has_the_reason_and_the_context(mcp: None, decided: dict[str, Any], text: str) -> None:
    from pyshellhooks.agent import Gate
    from pyshellhooks.mcp_proxy.results import denied

    assert denied(Gate(**decided)) == {"content": [{"type": "text", "text": text}], "isError": True}
