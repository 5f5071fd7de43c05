"""A Messages API on loopback that says what a script says, so that the real Claude Code runs without a network."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from tests import scripted_api

Block = dict[str, Any]
Answer = Callable[[dict[str, Any]], Sequence[Block]]  # a request of the agent -> what the model says


def text(words: str) -> Block:
    """Return what the model says."""
    return {"type": "text", "text": words}


def call(id: str, name: str, given: Any) -> Block:
    """Return a call that the model makes."""
    return {"type": "tool_use", "id": id, "name": name, "input": given}


class Server(scripted_api.Server):
    """Keeps the messages of each request of the agent."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(_Api, answer)
        self.asked: list[list[dict[str, Any]]] = []


def serving(answer: Answer) -> AbstractContextManager[Server]:
    """Serve while the block runs."""
    return scripted_api.running(Server(answer))


def environment(home: str, port: int) -> dict[str, str]:
    """Return the variables under which Claude Code asks this API, and nobody else."""
    names = (
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
        "DISABLE_TELEMETRY",
        "DISABLE_AUTOUPDATER",
        "DISABLE_ERROR_REPORTING",
        "IS_SANDBOX",
    )
    return {
        "PATH": os.environ["PATH"],
        "HOME": home,
        "CLAUDE_CONFIG_DIR": f"{home}/.claude",
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
        "ANTHROPIC_API_KEY": "none",
        **dict.fromkeys(names, "1"),
    }


class _Api(scripted_api.Api):
    server: Server

    def do_GET(self) -> None:
        self.send(b"", "text/plain")

    do_HEAD = do_GET

    def do_POST(self) -> None:
        body = self.body()
        if "/messages" not in self.path or "count_tokens" in self.path:
            self.send(b'{"input_tokens":1}', "application/json")
            return
        blocks: Sequence[Block] = [text("{}")]
        if any(tool.get("name") == "Bash" for tool in body.get("tools", ())):  # the agent, not a summary of it
            self.server.asked.append(body["messages"])
            blocks = self.server.answer(body)
        message = {
            "id": f"msg_{len(self.server.asked)}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        reason = "tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn"
        if body.get("stream"):
            self.send(_stream(message, blocks, reason), "text/event-stream")
        else:
            whole = {**message, "content": list(blocks), "stop_reason": reason}
            self.send(json.dumps(whole).encode(), "application/json")


def _stream(message: dict[str, Any], blocks: Sequence[Block], reason: str) -> bytes:
    events: list[dict[str, Any]] = [{"type": "message_start", "message": message}]
    for index, block in enumerate(blocks):
        if block["type"] == "tool_use":
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            empty = {**block, "input": {}}
        else:
            delta = {"type": "text_delta", "text": block["text"]}
            empty = {**block, "text": ""}
        events += [
            {"type": "content_block_start", "index": index, "content_block": empty},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    end = {"stop_reason": reason, "stop_sequence": None}
    events += [{"type": "message_delta", "delta": end, "usage": {"output_tokens": 1}}, {"type": "message_stop"}]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()
