"""A server that knows no MCP: ``python mirror.py LOG``. It writes each line that it gets into LOG, as bytes.

``tools/call`` is answered with the arguments as a text, other requests with their parameters. Some names do more.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import Any


def send(message: Any) -> None:
    """Write a message, or a line as it is."""
    line = message if isinstance(message, str) else json.dumps({"jsonrpc": "2.0", **message})
    sys.stdout.buffer.write(line.encode("utf-8", "surrogateescape") + b"\n")
    sys.stdout.buffer.flush()


def call(id: Any, name: str, arguments: Any) -> None:
    """Answer a call."""
    if name == "silent":
        return
    if name == "dies":
        print("last words", file=sys.stderr, flush=True)
        os._exit(7)
    if name == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "says":  # a line of the caller's
        send(arguments["line"])
    if name == "twice":
        send({"id": id, "result": {"content": [{"type": "text", "text": "first"}]}})
    if name == "task":
        return send({"id": id, "result": {"task": {"taskId": "t1", "status": "working"}}})
    send({"id": id, "result": {"content": [{"type": "text", "text": json.dumps(arguments)}]}})


def main(log: str, *how: str) -> None:
    """Serve until the end of standard input, and longer with ``stubborn``."""
    if "stubborn" in how:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
    with open(f"{log}.pid", "w", encoding="ascii") as file:
        file.write(str(os.getpid()))
    for line in sys.stdin.buffer:
        with open(log, "ab") as file:
            file.write(line)
        message = json.loads(line)
        if "id" in message and "method" in message:
            params = message.get("params") or {}
            if message["method"] == "tools/call":
                call(message["id"], params["name"], params.get("arguments"))
            elif message["method"] != "never":
                send({"id": message["id"], "result": {"got": params}})
    while "stubborn" in how:
        time.sleep(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
