"""The proxy before a server of ours: with the official client, and by lines that no client would send."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
WAIT = 60.0  # seconds for what must come; machines are busy


def hook(event: str, command: str, matcher: str = "", **more: Any) -> dict[str, Any]:
    """Return one hook in Claude Code's form."""
    return {event: [{"matcher": matcher, "hooks": [{"type": "command", "command": command, **more}]}]}


def answering_command(event: str, **answer: Any) -> str:
    """Return a command that answers so."""
    return f"echo '{json.dumps({'hookSpecificOutput': {'hookEventName': event, **answer}})}'"


class Proxy:
    """A proxy as a process, and the lines that it says."""

    def __init__(self, words: list[str], cwd: Path, **options: Any) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pyshellhooks", "mcp-proxy", *words],
            cwd=cwd, env={**os.environ, "PYTHONPATH": str(ROOT)},
            **{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
        )  # fmt: skip
        self.lines: queue.Queue[bytes] = queue.Queue()
        self.said = b""
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._read, self._hear)]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self.lines.put(line)

    def _hear(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said += line

    def send(self, message: Any) -> None:
        """Send a message, or a line as it is."""
        line = message if isinstance(message, bytes) else json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def call(self, id: Any, name: str, arguments: Any = None, **params: Any) -> None:
        """Call a tool."""
        self.send({"id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments, **params}})

    def receive(self) -> dict[str, Any]:
        """Return the next message."""
        found: dict[str, Any] = json.loads(self.lines.get(timeout=WAIT))
        return found

    def answer(self, id: Any) -> dict[str, Any]:
        """Return the answer to a request; what comes before it is left out."""
        while True:
            found = self.receive()
            if found.get("id") == id and "method" not in found:
                return found

    def text(self, id: Any) -> str:
        """Return the text of a call's result."""
        return "\n".join(block["text"] for block in self.answer(id)["result"]["content"])

    def end(self) -> tuple[int, str]:
        """Close the proxy's input, and give its status and what it said."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.ended()

    def ended(self) -> tuple[int, str]:
        """Wait for the proxy's end, and give its status and what it said."""
        status = self.process.wait(WAIT)
        for thread in self._threads:  # their pipes end with the proxy, and with what it has left behind
            thread.join(WAIT)
            assert not thread.is_alive()
        return status, self.said.decode()

    def close(self) -> None:
        """End what is left."""
        if self.process.poll() is None:
            self.process.kill()
        self.ended()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


class Place:
    """A directory with hooks, a server and its log."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.log = path / "log"
        self.started: list[Proxy] = []

    def hooks(self, *found: dict[str, Any]) -> Path:
        """Write the config."""
        path = self.path / "settings.json"
        merged: dict[str, list[Any]] = {}
        for one in found:
            for event, entries in one.items():
                merged.setdefault(event, []).extend(entries)
        path.write_text(json.dumps({"hooks": merged}), encoding="utf-8")
        return path

    def words(self, *found: dict[str, Any], options: tuple[str, ...] = (), server: str = "mirror") -> list[str]:
        """Return the words of a proxy under these hooks."""
        config = ["--config", str(self.hooks(*found)), "--dialect", "claude_code"] if found else []
        name, *how = server.split()
        return [
            "--name", "tests", *config, *options, "--", sys.executable, str(HERE / f"{name}.py"), str(self.log), *how,
        ]  # fmt: skip

    def start(self, *found: dict[str, Any], **more: Any) -> Proxy:
        """Start a proxy under these hooks."""
        return self.start_words(self.words(*found, **more))

    def start_words(self, words: list[str], **options: Any) -> Proxy:
        """Start a proxy with these words."""
        made = Proxy(words, self.path, **options)
        self.started.append(made)
        return made

    def logged(self) -> str:
        """Return what has reached the server."""
        return self.log.read_text(encoding="utf-8") if self.log.exists() else ""


def until(true: Callable[[], Any]) -> Any:
    """Wait until something is true, and give it."""
    import time

    end = time.monotonic() + WAIT
    while not (found := true()):
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)
    return found
