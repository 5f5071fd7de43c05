"""A Gemini API on loopback that answers as a script does, so that the real Gemini CLI runs without a network."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from tests import scripted_api

Part = dict[str, Any]
Answer = Callable[[dict[str, Any]], Part]  # a request of the agent -> one part of the model's answer


class Server(scripted_api.Server):
    """Keeps the requests of the agent, those that offer tools."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(_Api, answer)
        self.requests: list[dict[str, Any]] = []


def serving(answer: Answer) -> AbstractContextManager[Server]:
    """Serve while the block runs."""
    return scripted_api.running(Server(answer))


def environment(home: str, port: int) -> dict[str, str]:
    """Return the variables under which Gemini CLI asks this API, and nobody else."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": home,
        "GEMINI_API_KEY": "none",
        "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{port}",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GEMINI_CLI_NO_RELAUNCH": "true",
        "NO_UPDATE_NOTIFIER": "1",
    }


def select_key(home: Path) -> None:
    """Let Gemini CLI take the key of the environment, unless its settings are there."""
    settings = home / ".gemini" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    if not settings.exists():
        settings.write_text('{"security": {"auth": {"selectedType": "gemini-api-key"}}}')


class _Api(scripted_api.Api):
    server: Server

    def do_GET(self) -> None:
        self.send(b"{}", "application/json")

    def do_POST(self) -> None:
        body = self.body()
        if "enerateContent" not in self.path:
            self.send(b'{"totalTokens": 1}', "application/json")
            return
        part: Part = {"text": "ok"}
        if body.get("tools"):
            self.server.requests.append(body)
            part = self.server.answer(body)
        candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        text = json.dumps({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m"})
        if "stream" in self.path:
            self.send(f"data: {text}\r\n\r\n".encode(), "text/event-stream")
        else:
            self.send(text.encode(), "application/json")
