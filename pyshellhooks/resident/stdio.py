"""JSON lines on standard input and output, for a program that starts the engine as its child.

A request is ``{"id": 1, "system": "claude_code", "payload": {…}}``, with ``words``, ``env`` and ``cwd`` if they differ
from the engine's. The response is ``{"id": 1, "stdout": "…", "status": 0, "stderr": "…"}``. Responses are sent as soon
as they are ready.
"""

from __future__ import annotations

import codecs
import json
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO

from ..text import encode
from .answering import AT_ONCE, Request, answer
from .engines import Engines

JsonObject = dict[str, Any]


def serve(source: BinaryIO, sink: BinaryIO, env: Mapping[str, str], cwd: str) -> None:
    """Answer each line until the end of the input and of all runs. An invalid line gets a response with ``error``."""
    lock = threading.Lock()

    def write(value: JsonObject) -> None:
        data = json.dumps(value).encode("ascii") + b"\n"
        with lock:
            sink.write(data)
            sink.flush()

    def work(engines: Engines, id: object, request: Request) -> None:
        reply = answer(request, engines)
        write({"id": id, "stdout": reply.stdout, "status": reply.status, "stderr": reply.stderr})

    with Engines() as engines, ThreadPoolExecutor(AT_ONCE, "pyshellhooks-serve") as pool:
        for line in source:
            if not line.strip():
                continue
            id: object = None
            try:
                message = json.loads(line.lstrip(codecs.BOM_UTF8))
                id = message.get("id") if isinstance(message, dict) else None
                request = _request(message, env, cwd)
            except (ValueError, RecursionError) as error:
                write({"id": id, "error": str(error)})
                continue
            pool.submit(work, engines, id, request)


def _request(message: Any, env: Mapping[str, str], cwd: str) -> Request:
    """Return a parsed request. Raises ``ValueError`` if it is invalid."""
    if not isinstance(message, dict):
        raise ValueError('a request must be an object, such as {"id": 1, "system": "claude_code", "payload": {}}')
    system, words = message.get("system"), message.get("words", [])
    if not isinstance(system, str) or not _is_list_of_texts(words):
        raise ValueError('"system" must be a string, and "words" a list of strings')
    own, here, payload = message.get("env", env), message.get("cwd", cwd), message.get("payload")
    if not _is_mapping_of_texts(own):
        raise ValueError('"env" must be an object of strings')
    if not isinstance(here, str):
        raise ValueError('"cwd" must be a string')
    # A payload may also be its JSON text, which then reaches the hooks unchanged.
    text = payload if isinstance(payload, str) else json.dumps(payload)
    return Request((system, *words), encode(text), own, here)


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_mapping_of_texts(value: object) -> bool:
    if not isinstance(value, Mapping):
        return False
    return all(isinstance(item, str) for item in (*value.keys(), *value.values()))
