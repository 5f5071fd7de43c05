"""A Messages API on loopback that says what a script says, so that the real Claude Code runs without a network."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Block = dict[str, Any]
Answer = Callable[[dict[str, Any]], Sequence[Block]]  # a request of the agent -> what the model says


def text(words: str) -> Block:
    """Return what the model says."""
    return {"type": "text", "text": words}


def call(id: str, name: str, given: Any) -> Block:
    """Return a call that the model makes."""
    return {"type": "tool_use", "id": id, "name": name, "input": given}


class Server(ThreadingHTTPServer):
    """Keeps what was asked: the messages of each request of the agent."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(("127.0.0.1", 0), _Api)
        self.answer = answer
        self.asked: list[list[dict[str, Any]]] = []


@contextmanager
def serving(answer: Answer) -> Iterator[Server]:
    """Serve while the block runs."""
    server = Server(answer)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


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


class _Api(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._send(b"", "text/plain")

    do_HEAD = do_GET

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        if "/messages" not in self.path or "count_tokens" in self.path:
            self._send(b'{"input_tokens":1}', "application/json")
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
            self._send(_stream(message, blocks, reason), "text/event-stream")
        else:
            whole = {**message, "content": list(blocks), "stop_reason": reason}
            self._send(json.dumps(whole).encode(), "application/json")

    def _send(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


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
