"""Results of tools as hooks see and change them: denied, replaced, or with context after them.

A result is that of ``tools/call`` in the protocol: ``content`` (blocks), ``structuredContent``, ``isError``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from ..agent import Gate, json_text
from .messages import replace_surrogates_within

Result: TypeAlias = dict[str, Any]

_KEPT = ("_meta", "resultType")  # fields that stay when the content of a result is replaced


def failure(text: str, *more: str) -> Result:
    """Return the result of a call that did not run, with the reason for the model."""
    return {"content": [_block("\n\n".join(filter(None, (text, *more))))], "isError": True}


def denied(gate: Gate) -> Result:
    """Return the result of a call, or of a result, that hooks denied."""
    reason = gate.denied or "blocked by a hook"
    if gate.halt:
        reason += "\n\n(A hook ended the turn: call no more tools, and tell the user.)"
    return failure(reason, gate.context)


def with_context(result: Result, context: str) -> Result:
    """Return a result with the hooks' context as its last block."""
    if not context:
        return result
    return {**result, "content": [*_content(result), _block(context)]}


def with_content(result: Result, value: Any) -> Result:
    """Return a result with its content replaced by a hook's value: a whole result, blocks, an object, or a text.

    ``structuredContent`` is replaced as well, or left out: it repeats the content.
    """
    value = replace_surrogates_within(value)
    fields = {name: result[name] for name in _KEPT if name in result}
    if isinstance(value, Mapping) and isinstance(value.get("content"), list):
        return {**fields, **value}
    if _are_blocks(value):
        return {**fields, "content": list(value)}
    new: Result = {**fields, "content": [_block(json_text(value))]}
    structured = result.get("structuredContent")
    if not isinstance(structured, Mapping):
        return new
    if isinstance(value, Mapping):
        new["structuredContent"] = dict(value)
    elif isinstance(value, str) and _is_wrapped_text(structured):
        new["structuredContent"] = {"result": value}
    return new


def _is_wrapped_text(structured: Mapping[str, Any]) -> bool:
    """Return whether it is ``{"result": TEXT}``: servers of the official packages wrap a text so, clients require it."""
    return len(structured) == 1 and isinstance(structured.get("result"), str)


def text_of(result: Mapping[str, Any]) -> str:
    """Return a result as text: its text blocks, or the whole result as JSON if there are other blocks."""
    texts = [block.get("text") for block in _content(result) if isinstance(block, Mapping)]
    if texts and all(isinstance(text, str) for text in texts):
        return "\n".join(map(str, texts))
    return json.dumps(result, ensure_ascii=False)


def _block(text: str) -> dict[str, str]:
    return {"type": "text", "text": replace_surrogates_within(text)}


def _content(result: Mapping[str, Any]) -> list[Any]:
    """Return the blocks of a result; a server may leave them out, against the protocol."""
    content = result.get("content")
    return content if isinstance(content, list) else []


def _are_blocks(value: Any) -> bool:
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(item, Mapping) and isinstance(item.get("type"), str) for item in value)
