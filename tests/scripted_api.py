"""A model's API on loopback that answers as a script does, so that a real agent runs without a network."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

Body = dict[str, Any]


class Server(ThreadingHTTPServer):
    """Answers by a script: ``answer`` turns a request of the agent into the model's answer."""

    def __init__(self, api: type[Api], answer: Callable[[Body], Any]) -> None:
        super().__init__(("127.0.0.1", 0), api)
        self.answer = answer


Served = TypeVar("Served", bound=Server)


@contextmanager
def running(server: Served) -> Iterator[Served]:
    """Serve while the block runs."""
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Api(BaseHTTPRequestHandler):
    """Reads JSON and sends answers with a length."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args: Any) -> None:
        """Print nothing."""

    def body(self) -> Body:
        """Return the JSON of a request."""
        body: Body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        return body

    def send(self, data: bytes, kind: str) -> None:
        """Answer with these bytes."""
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
