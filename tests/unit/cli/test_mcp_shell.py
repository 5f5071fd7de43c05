"""``pyshellhooks mcp-shell``, asked by the client of the official package over a pipe."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.clock import patient

pytest.importorskip("mcp.types", exc_type=ImportError)

pytestmark = pytest.mark.not_on_windows("needs-tools")
ROOT = str(Path(__file__).resolve().parents[3])
COMMAND = [sys.executable, "-m", "pyshellhooks", "mcp-shell"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": ROOT, "SECRET": "secret-4711"}


@asynccontextmanager
async def connected(*words: str) -> AsyncIterator[Any]:
    from mcp.client.session import ClientSession
    from mcp.client.stdio import StdioServerParameters, stdio_client

    server = StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], *words], env=ENVIRONMENT)
    async with stdio_client(server) as streams, ClientSession(*streams) as client:
        await client.initialize()
        yield client


async def call_bash(client: Any, command: str, **more: Any) -> tuple[str, bool]:
    answer = await client.call_tool("bash", {"command": command, **more})
    (content,) = answer.content
    return content.text, answer.is_error


def test_a_conversation(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "file").write_text("below\n", encoding="utf-8")
    (tmp_path / "outside").write_text("secret-4711", encoding="utf-8")

    async def main() -> None:
        async with connected("--overlay", str(tmp_path / "inside"), "--output", "400", "--env", "A=1") as client:
            (tool,) = (await client.list_tools()).tools
            assert tool.name == "bash" and tool.input_schema["required"] == ["command"]
            assert await call_bash(client, "pwd; cat file; echo $A; x=5; echo above > file") == (
                "/work\nbelow\n1\n",
                False,
            )
            assert await call_bash(client, "echo $x; cat file; exit 4") == ("5\nabove\n[exit status 4]\n", False)
            text, is_error = await call_bash(
                client, f"cat ../outside {tmp_path}/outside /proc/self/environ /proc/1/environ; env"
            )
            assert "4711" not in text and not is_error
            text, _ = await call_bash(client, "seq 100000")
            assert len(text) <= 400 and "characters left out" in text and text.endswith("\n100000\n")
            assert await call_bash(client, "while :; do :; done", timeout=0.2) == ("[stopped by the timeout]\n", True)
            assert await call_bash(client, "cat; read x || echo end") == (
                "end\n",
                False,
            )  # the protocol's bytes are no input
            assert await call_bash(client, "printf '\\377'") == ("\ufffd", False)
            for wrong in ({}, {"command": 5}, {"nope": 1}):
                answer = await client.call_tool("bash", wrong)
                assert answer.is_error and answer.content[0].text.startswith("Invalid call: ")
            answer = await client.call_tool("nope", {})
            assert answer.is_error and answer.content[0].text == "unknown tool nope (expected bash)"
            assert await call_bash(client, "echo on") == ("on\n", False)

    asyncio.run(main())
    assert (tmp_path / "inside" / "file").read_text(encoding="utf-8") == "below\n"


def test_calls_at_once_and_a_cancel() -> None:
    async def main() -> None:
        async with connected() as client:
            scripts = [f"sleep 0.1; echo {number} $n; n={number}" for number in range(4)]
            answers = await asyncio.gather(*(call_bash(client, script) for script in scripts))
            assert [text for text, _ in answers] == ["0\n", "1 0\n", "2 1\n", "3 2\n"]
            task = asyncio.create_task(call_bash(client, "kept=1; sleep 1000; echo never > /tmp/never"))
            await asyncio.sleep(1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await asyncio.wait_for(call_bash(client, "echo $kept; ls /tmp"), patient(30)) == ("1\n", False)

    asyncio.run(main())


def test_garbage_is_answered_and_the_end_of_the_input_ends_it() -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    lines: list[Any] = [
        "no JSON", "[]", "{}",
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "no/such", "params": {}},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "bash", "arguments": [1]}},
        {"jsonrpc": "2.0", "id": 4, "method": "tools/list"},
    ]  # fmt: skip
    text = "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines)
    process = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    )
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdin.write(text.encode())
    process.stdin.flush()
    answers: dict[Any, Any] = {}
    while 4 not in answers:
        answer = json.loads(process.stdout.readline())
        answers[answer.get("id")] = answer
    assert "error" in answers[2] and "error" in answers[3]
    assert answers[1]["result"]["instructions"].startswith("The tool `bash` is a bash shell.")
    assert answers[4]["result"]["tools"][0]["name"] == "bash"
    process.stdin.close()
    assert process.wait(patient(30)) == 0
    process.stdout.close()
    process.stderr.close()


@pytest.mark.not_on_windows("needs-signal")
def test_an_interrupt_ends_it() -> None:
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        process.stdin.write(
            json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}).encode() + b"\n"
        )
        process.stdin.flush()
        assert b'"id":1' in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(patient(10)) == 130
        finally:
            process.kill()
        assert b"Traceback" not in process.stderr.read()
