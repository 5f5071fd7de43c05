"""A Gemini API on loopback that answers as a script does, so that the real Gemini CLI runs without a network."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Part = dict[str, Any]
Answer = Callable[[dict[str, Any]], Part]  # a request of the agent -> one part of the model's answer


class Server(ThreadingHTTPServer):
    """Keeps the requests of the agent, those that offer tools."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(("127.0.0.1", 0), _Api)
        self.answer = answer
        self.requests: list[dict[str, Any]] = []


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


class _Api(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, *args: Any) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        self._send(b"{}", "application/json")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        if "enerateContent" not in self.path:
            self._send(b'{"totalTokens": 1}', "application/json")
            return
        part: Part = {"text": "ok"}
        if body.get("tools"):
            self.server.requests.append(body)
            part = self.server.answer(body)
        candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        text = json.dumps({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m"})
        if "stream" in self.path:
            self._send(f"data: {text}\r\n\r\n".encode(), "text/event-stream")
        else:
            self._send(text.encode(), "application/json")

    def _send(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
