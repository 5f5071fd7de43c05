"""The engine as anybody can reach it: who is let in, what is bounded, and how it ends."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from resident_runs import Project, Running, payload, usual

from pyshellhooks.resident import address, client, http, server
from pyshellhooks.resident.server import Server

TOKEN = "a-token-of-the-tests"


@pytest.fixture
def port(project: Project, place: str) -> Iterator[int]:
    with Running(port=0, token=TOKEN, words=("--trust-project",), largest=1 << 20) as running:
        assert running.server.port is not None
        yield running.server.port


def request(
    port: int, method: str = "POST", path: str = "/claude_code", body: bytes = b"", **headers: str | None
) -> tuple[int, Any]:
    """Send one request; the header ``None`` is left out."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    sent = {"Authorization": f"Bearer {TOKEN}", **headers}
    try:
        connection.request(method, path, body, {key: value for key, value in sent.items() if value is not None})
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else None
    finally:
        connection.close()


def test_an_http_hook_of_claude_code(port: int, project: Project) -> None:
    status, answer = request(port, body=payload("rm x", project.path))
    assert status == 200
    assert answer["hookSpecificOutput"]["permissionDecisionReason"] == "no rm"
    assert request(port, body=payload("ls", project.path)) == (200, None)
    assert project.allowed_calls == 1


def test_an_entry_of_install_names_its_file(port: int, project: Project, tmp_path: Path) -> None:
    """Wherever the model has gone: the file counts, not what lies in the payload's directory."""
    file = tmp_path / "moved hooks.json"
    file.write_text(project.settings.read_text(encoding="utf-8"), encoding="utf-8")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    data = payload("rm x", elsewhere)
    assert request(port, body=data) == (200, None)
    status, answer = request(port, path=f"/claude_code?installed={quote(str(file))}", body=data)
    assert answer["hookSpecificOutput"]["permissionDecisionReason"] == "no rm"
    assert "deny" in str(request(port, path="/claude_code?installed=moved.json", body=data)), (
        "relative to nobody knows what"
    )


def test_answers_that_only_a_status_can_express_halt_over_http(port: int, project: Project) -> None:
    """TaskCreated is denied by exit status 2, which HTTP does not have (claude_code 6)."""
    groups = [{"hooks": [{"type": "command", "command": "echo 'no tasks' >&2; exit 2"}]}]
    project.settings.write_text(json.dumps({"hooks": {"TaskCreated": groups}}), encoding="utf-8")
    data = payload("", project.path, "TaskCreated", task_id="1", task_subject="x")
    assert request(port, body=data) == (200, {"continue": False, "stopReason": "no tasks"})


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"Authorization": None}, 401),
        ({"Authorization": "Bearer "}, 401),
        ({"Authorization": "Bearer " + TOKEN[:-1]}, 401),
        ({"Authorization": "Bearer " + TOKEN + "é"}, 401),
        ({"Authorization": "Basic " + TOKEN}, 401),
        ({"Origin": "http://127.0.0.1"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "evil.example"}, 403),
        ({"Host": "127.0.0.1.evil.example:80"}, 403),
        ({"method": "GET"}, 404),
        ({"method": "PUT"}, 405),
        ({"method": "OPTIONS"}, 405),
        ({"path": "/"}, 404),
        ({"path": "/a/b"}, 404),
        ({"path": "/v1/run"}, 400),
        ({"path": "/v1/run", address.WORDS: "1", address.VARIABLES: "99999999999"}, 400),
        ({"path": "/v1/run", address.WORDS: "-1", address.VARIABLES: "0"}, 400),
        ({"path": "/v1/run", address.WORDS: "x", address.VARIABLES: "0"}, 400),
        ({"body": b"x" * ((1 << 20) + 1)}, 413),
    ],
)
def test_a_rejected_client_runs_no_hook(sent: dict[str, Any], status: int, port: int, project: Project) -> None:
    given = {"body": payload("ls", project.path), **sent}
    with (
        suppress(BrokenPipeError, ConnectionResetError) if status == 413 else nullcontext()
    ):  # it was told before it had sent all
        assert request(port, **given)[0] == status
    assert project.allowed_calls == 0
    assert request(port, body=payload("ls", project.path)) == (200, None), "it goes on"


RAW = {
    "no HTTP": (b"hello\r\n\r\n", b"400"),
    "a head without an end": (b"POST / HTTP/1.1\r\nX: " + b"x" * 60000, b"431"),
    "two lengths": (b"POST /claude_code HTTP/1.1\r\nHost: localhost:1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", b"400"),
    "a length that is none": (b"POST /claude_code HTTP/1.1\r\nHost: localhost:1\r\nContent-Length: -1\r\n\r\n", b"400"),
    "a chunk that is none": (
        f"POST /claude_code HTTP/1.1\r\nHost: localhost:1\r\nAuthorization: Bearer {TOKEN}\r\n"
        "Transfer-Encoding: chunked\r\n\r\nzz\r\n".encode(),
        b"400",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", RAW)
def test_a_broken_request_is_refused(what: str, port: int) -> None:
    data, status = RAW[what]
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(data)
        answer = connection.makefile("rb").read()
    assert answer.split()[1] == status


def test_chunks_count_against_the_bound(port: int) -> None:
    head = f"POST /claude_code HTTP/1.1\r\nHost: localhost:1\r\nAuthorization: Bearer {TOKEN}\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(head.encode())
        try:
            for _ in range(40):
                connection.sendall(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
            assert connection.makefile("rb").read().split()[1] == b"413"
        except OSError:
            pass  # it was told, and left before it had read all


def test_several_requests_on_one_connection(port: int, project: Project) -> None:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    for command, said in [("ls", False), ("rm x", True), ("ls", False)]:
        connection.request("POST", "/claude_code", payload(command, project.path), {"Authorization": f"Bearer {TOKEN}"})
        assert bool(connection.getresponse().read()) is said
    connection.close()


def test_a_slow_client_is_left(project: Project, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "READING", 0.3)
    monkeypatch.setattr(http, "IDLE", 0.3)
    with Running(port=0, token=TOKEN) as running:
        assert running.server.port is not None
        for head in (b"", b"POST /claude_code HT"):
            with socket.create_connection(("127.0.0.1", running.server.port), 60) as connection:
                connection.sendall(head)
                assert connection.recv(10) == b""
        with socket.create_connection(("127.0.0.1", running.server.port), 60) as connection:
            connection.sendall(
                f"POST /claude_code HTTP/1.1\r\nHost: localhost:1\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: 9\r\n\r\n{{".encode()
            )
            assert connection.recv(10) == b""
        assert running.server.health()["running"] == 0


def test_a_full_engine_sends_clients_away(project: Project, engine: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "AT_ONCE", 0)
    with pytest.raises(client._NotAccepted, match="503"):
        send(project, "ls")


def send(project: Project, command: str, event: str = "PreToolUse") -> client.Answer:
    """Ask the engine of the meeting place as the client does."""
    words, env = ["claude_code", "--trust-project"], {"PATH": os.environ.get("PATH", "")}
    body = address.pack(words, str(project.path), env, payload(command, project.path, event))
    return client.engine_response(body, len(words), len(env), os.environ["PYSHELLHOOKS_ENGINE_DIR"])


def test_many_at_once(project: Project, engine: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "SILENCE", 120.0)  # 32 clients of one engine on a busy machine

    def work(number: int) -> bool:
        for _ in range(5):  # accepted in time or not: a busy machine may need another try
            try:
                return b'"deny"' in send(project, "rm x" if number % 2 else "ls")[0]
            except client._NotAccepted:
                time.sleep(0.2)
        return bool(number % 2)

    with ThreadPoolExecutor(32) as pool:
        assert list(pool.map(work, range(200))) == [bool(number % 2) for number in range(200)]
    until = time.monotonic() + 60
    while engine.health()["running"] and time.monotonic() < until:
        time.sleep(0.05)
    assert engine.health()["running"] == 0


def test_a_client_that_disconnects_ends_its_hooks(project: Project, engine: Server) -> None:
    project.write("echo begun > begun; while :; do :; done; echo never > count", timeout=300)
    thread = threading.Thread(target=lambda: _leave_after(project, project.path / "begun"))
    thread.start()
    thread.join(60)
    until = time.monotonic() + 60
    while engine.health()["running"] and time.monotonic() < until:
        time.sleep(0.05)
    assert engine.health()["running"] == 0
    assert project.allowed_calls == 0


def _leave_after(project: Project, file: Path) -> None:
    connection, token = client.connect(os.environ["PYSHELLHOOKS_ENGINE_DIR"])
    body = address.pack(["claude_code", "--trust-project"], str(project.path), {}, payload("x", project.path))
    connection.settimeout(60)
    head = f"POST {address.RUN} HTTP/1.1\r\nHost: localhost:1\r\n{token}Content-Length: {len(body)}\r\n{address.WORDS}: 2\r\n{address.VARIABLES}: 0\r\n\r\n"
    connection.sendall(head.encode() + body)
    until = time.monotonic() + 60
    while not file.exists() and time.monotonic() < until:
        time.sleep(0.02)
    connection.close()


def test_stopping_waits_for_running_hooks(project: Project, place: str) -> None:
    project.write("sleep 1; echo waited >&2; exit 2")
    with usual(place) as running:
        found: list[client.Answer] = []
        thread = threading.Thread(target=lambda: found.append(send(project, "ls")))
        thread.start()
        until = time.monotonic() + 60
        while not running.server.health()["running"] and time.monotonic() < until:
            time.sleep(0.01)
        running.server.stop()
        thread.join(60)
    assert b"waited" in found[0][0]
    with pytest.raises(client._NotAccepted):
        send(project, "ls")


def test_an_idle_engine_ends(place: str) -> None:
    running = usual(place, idle=0.5)
    running.thread.join(60)
    assert not running.thread.is_alive()
    assert not [name for name in os.listdir(place) if not name.endswith(".log")]


def test_the_log_has_no_payload_and_no_output_of_hooks(
    project: Project, engine: Server, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "pyshellhooks.serve"):
        send(project, "rm secret-of-the-payload")
    assert "'claude_code' 'PreToolUse': deny" in caplog.text
    assert "secret" not in caplog.text
    assert "no rm" not in caplog.text


@pytest.mark.skipif(sys.platform != "win32", reason="named pipes are Windows'")
def test_a_named_pipe(project: Project, place: str) -> None:
    name = rf"\\.\pipe\pyshellhooks-test-{os.getpid()}"
    data = payload("rm x", project.path)
    with Running(pipe=name, words=("--trust-project",)):
        for _ in range(3):
            with open(name, "r+b", buffering=0) as pipe:
                head = f"POST /claude_code HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(data)}\r\n\r\n"
                pipe.write(head.encode() + data)
                answer = b""
                while b"}}" not in answer:
                    answer += pipe.read(65536)
                assert b'"deny"' in answer


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root to be another user")
def test_another_user_is_not_served(project: Project, engine: Server, place: str) -> None:
    """The directory keeps others out; should it not, the kernel says who is connected."""
    os.chmod(place, 0o777)
    os.chmod(address.socket_path(place), 0o666)
    program = (
        "import os, socket, sys\nos.setuid(65534)\ns = socket.socket(socket.AF_UNIX)\ns.settimeout(20)\n"
        "try:\n s.connect(sys.argv[1])\n s.sendall(b'GET /health HTTP/1.1\\r\\nHost: localhost:1\\r\\n\\r\\n')\n"
        " print(len(s.recv(100)))\nexcept (BrokenPipeError, ConnectionResetError):\n print(0)\n"
    )
    import subprocess

    done = subprocess.run(
        [sys.executable, "-c", program, address.socket_path(place)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "0\n"


LINES = [
    (b'{"id": 1, "system": "claude_code", "words": ["--trust-project"], "payload": %s, "cwd": %s}', 'no rm'),
    (b'{"id": 2, "system": "claude_code", "payload": 3}', "pyshellhooks: "),
    (b'{"id": 3, "system": 3}', '"system" must be a string'),
    (b'{"id": 4, "system": "claude_code", "env": {"A": 1}}', '"env" must be an object of strings'),
    (b'{"id": 5, "system": "claude_code", "env": {}, "cwd": 1}', '"cwd" must be a string'),
    (b"[]", "a request must be an object"),
    (b"{", "Expecting property name"),
    (b"[" * 100000, ""),
    (b"\xff", "can't decode"),
]  # fmt: skip


def test_lines_of_json(project: Project, place: str) -> None:
    import io

    from pyshellhooks.resident import stdio

    here = json.dumps(str(project.path)).encode()
    rows = [line % (payload("rm x", project.path), here) if b"%s" in line else line for line, _ in LINES]
    sink = io.BytesIO()
    stdio.serve(io.BytesIO(b"\n".join([*rows, b""])), sink, {}, str(project.path))
    answers = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert len(answers) == len(LINES)
    for number, (_, said) in enumerate(LINES, 1):
        found = [
            json.dumps(one, ensure_ascii=False)
            for one in answers
            if number > 5 and one["id"] is None or one["id"] == number
        ]
        assert any(said.replace('"', '\\"') in one for one in found), (said, found)


@pytest.mark.parametrize("marks", [1, 2])
def test_marks_before_a_line_count_for_nothing(project: Project, marks: int) -> None:
    import io

    from pyshellhooks.resident import stdio

    own = payload("rm x", project.path).decode()
    sent = json.dumps({"id": 1, "system": "claude_code", "payload": "\ufeff" * marks + own})
    sink = io.BytesIO()
    stdio.serve(io.BytesIO(b"\xef\xbb\xbf" * marks + sent.encode()), sink, {}, str(project.path))
    answer = json.loads(sink.getvalue())
    assert (answer["id"], answer.get("error")) == (1, None) and "JSON" not in answer["stderr"]


class Stuck:
    """A connection to a peer that takes no more bytes: it is never closed, unless it is aborted."""

    def __init__(self) -> None:
        self.is_aborted = False
        self.is_closing = asyncio.Event()
        self.transport = self

    def abort(self) -> None:
        self.is_aborted = True

    def close(self) -> None:
        self.is_closing.set()

    async def wait_closed(self) -> None:
        await asyncio.sleep(1000)


def test_the_end_waits_for_connections_that_are_being_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(self: object) -> None:
        pass

    monkeypatch.setattr(server.Connection, "serve", nothing)
    monkeypatch.setattr(server, "_is_ours", lambda writer: True)

    async def main() -> bool:
        stuck, engine = Stuck(), Server()
        task = asyncio.ensure_future(engine._serve_connection(engine._listener(None), asyncio.StreamReader(), stuck))  # type: ignore[arg-type]
        await stuck.is_closing.wait()
        await engine._drain()
        return stuck.is_aborted and task.done()

    assert asyncio.run(main())
