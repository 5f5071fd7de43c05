"""``pyshellhooks-hook``: accepted, not accepted, lost. No hook runs twice, and nothing that is lost lets a call through."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from resident_runs import Project, Running, payload, usual

from pyshellhooks.resident import address, client
from pyshellhooks.resident.server import Server

ROOT = str(Path(__file__).resolve().parents[3])
WORDS = ["claude_code", "--trust-project"]
COMMAND = [sys.executable, "-c", "import sys; from pyshellhooks.resident.client import main; sys.exit(main())"]


def hook(project: Project, command: str, *words: str, event: str = "PreToolUse") -> tuple[str, int, str]:
    """Run the client as an agent does."""
    done = subprocess.run(
        [*COMMAND, *(words or WORDS)], input=payload(command, project.path, event), capture_output=True, cwd=project.path,
        env={**os.environ, "PYTHONPATH": ROOT}, check=False, timeout=100,
    )  # fmt: skip
    return done.stdout.decode(), done.returncode, done.stderr.decode()


def denies(answer: tuple[str, int, str]) -> bool:
    stdout, status, _ = answer
    return status == 2 or (status == 0 and '"deny"' in stdout)


def test_the_engine_answers(project: Project, engine: Server) -> None:
    assert denies(hook(project, "rm x"))
    assert hook(project, "ls") == ("", 0, "")
    assert engine.health()["requests"] == 2
    assert project.allowed_calls == 1


@pytest.mark.slow
def test_without_an_engine_the_hooks_run_here(project: Project, place: str) -> None:
    assert denies(hook(project, "rm x"))
    assert hook(project, "ls") == ("", 0, "")
    assert project.allowed_calls == 1


def test_the_environment_of_the_agent_reaches_the_hooks(
    project: Project, engine: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write('echo "$TOLD" >&2; exit 2')
    for told in ("one", "two é", "a=b"):
        monkeypatch.setenv("TOLD", told)
        assert told in json.loads(hook(project, "ls")[0])["hookSpecificOutput"]["permissionDecisionReason"]


@contextlib.contextmanager
def listening(place: str, act: Callable[[socket.socket], None]) -> Iterator[None]:
    """Put something else in the engine's place: it does ``act`` with each connection."""
    if address.has_users():
        made = socket.socket(socket.AF_UNIX)
        made.bind(address.socket_path(place))
    else:
        made = socket.socket()
        made.bind(("127.0.0.1", 0))
        Path(address.port_path(place)).write_text(f"{made.getsockname()[1]} token-of-the-test\n")
    made.listen(8)

    def work() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = made.accept()
                with connection, contextlib.suppress(OSError):
                    act(connection)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            made.shutdown(socket.SHUT_RDWR)
        made.close()
        thread.join(20)


CONTINUE = b"HTTP/1.1 100 \r\n\r\n"
REFUSALS: dict[str, Callable[[socket.socket], None]] = {
    "closes at once": lambda one: None,
    "says nothing": lambda one: time.sleep(2),
    "is full": lambda one: one.sendall(b"HTTP/1.1 503 \r\nContent-Length: 0\r\n\r\n"),
    "answers without asking for the body": lambda one: one.sendall(
        b"HTTP/1.1 200 \r\nContent-Length: 0\r\nPyshellhooks-Status: 0\r\nPyshellhooks-Stderr: 0\r\n\r\n"
    ),
    "speaks another protocol": lambda one: one.sendall(b"SSH-2.0-x\r\n"),
    "sends a head without an end": lambda one: one.sendall(b"x" * 200_000),
}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("how", REFUSALS)
def test_a_request_that_was_not_accepted_runs_here_once(how: str, project: Project, place: str) -> None:
    with listening(place, REFUSALS[how]):
        assert denies(hook(project, "rm x"))
        assert hook(project, "ls")[:2] == ("", 0)
    assert project.allowed_calls == 1


def taken(then: bytes) -> Callable[[socket.socket], None]:
    """Accept the request, read some of it, and answer with these bytes."""

    def act(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(CONTINUE)
        connection.recv(65536)
        connection.sendall(then)

    return act


LOSSES = {
    "nothing": b"",
    "half a head": b"HTTP/1.1 200 \r\nContent-Le",
    "half an answer": b"HTTP/1.1 200 \r\nContent-Length: 9\r\nPyshellhooks-Status: 0\r\nPyshellhooks-Stderr: 0\r\n\r\n{}",
    "no status": b"HTTP/1.1 200 \r\nContent-Length: 2\r\nPyshellhooks-Stderr: 0\r\n\r\n{}",
    "a status that is none": b"HTTP/1.1 200 \r\nContent-Length: 0\r\nPyshellhooks-Status: ok\r\nPyshellhooks-Stderr: 0\r\n\r\n",
    "an error": b"HTTP/1.1 500 \r\nContent-Length: 0\r\n\r\n",
}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("how", LOSSES)
def test_a_request_that_was_accepted_and_lost_denies_and_runs_nothing(how: str, project: Project, place: str) -> None:
    with listening(place, taken(LOSSES[how])):
        found = hook(project, "ls")
        assert denies(found), found
        assert "lost" in found[0] + found[2]
        stop = hook(project, "", event="Stop")
        assert stop[1] == 1, "it would continue the agent for ever"
    assert project.allowed_calls == 0


def silent(*said: bytes, reads: bool = True) -> Callable[[socket.socket], None]:
    """Accept the request, say this, and then nothing, as a process that was stopped (SIGSTOP)."""

    def act(connection: socket.socket) -> None:
        connection.recv(300)
        connection.sendall(CONTINUE)
        if reads:
            connection.recv(65536)
        for part in said:
            connection.sendall(part)
        if reads:
            connection.recv(1)  # until the client leaves
        else:
            time.sleep(0.4)

    return act


def beating(connection: socket.socket) -> None:
    """Accept the request, and give signs of life without an end: all threads that answer are busy."""
    connection.recv(300)
    connection.sendall(CONTINUE)
    while True:
        connection.sendall(BEAT)
        time.sleep(0.02)


BEAT = b"HTTP/1.1 102 \r\n\r\n"
HEAD = b"HTTP/1.1 200 \r\nContent-Length: 9\r\nPyshellhooks-Status: 0\r\nPyshellhooks-Stderr: 0\r\n\r\n"
#: Ways in which an engine that accepted gives no answer: its act, the bytes of the request, seconds of ``longest``.
SILENCES: dict[str, tuple[Callable[[socket.socket], None], int, float]] = {
    "no byte": (silent(), 10, float("inf")),
    "does not read": (silent(reads=False), 1 << 23, float("inf")),
    "a sign of life": (silent(BEAT), 10, float("inf")),
    "half a head": (silent(HEAD[:30]), 10, float("inf")),
    "half an answer": (silent(HEAD, b"{}"), 10, float("inf")),
    "signs of life for ever": (beating, 10, 0.2),
    "no byte before --timeout": (silent(), 10, 0.1),
}


@pytest.mark.parametrize("how", SILENCES)
def test_an_engine_that_accepted_and_is_stopped_is_lost(how: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client has a clock of its own to the end."""
    act, size, longest = SILENCES[how]
    monkeypatch.setattr(address, "SILENCE", 0.2)
    monkeypatch.setattr(address, "ACCEPTANCE", 30.0)
    with listening(place, act), pytest.raises(client.Lost, match="accepted"):
        client.engine_response(b"x" * size, 1, 0, place, longest)


@pytest.mark.parametrize(
    "parts", [[BEAT, HEAD, b"x" * 9], [BEAT * 3 + HEAD + b"x" * 9], [BEAT[:9], BEAT[9:] + BEAT + HEAD, b"x" * 9]]
)
def test_signs_of_life_are_no_answer(parts: list[bytes], place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "ACCEPTANCE", 30.0)
    with listening(place, silent(*parts)):
        assert client.engine_response(b"x", 1, 0, place) == (b"x" * 9, 0, b"")


@pytest.mark.parametrize(
    ("words", "longest"),
    [
        ([], float("inf")), (["--timeout", "2"], 7.0), (["--strict", "--timeout=0.5"], 5.5), (["--timeout"], float("inf")),
        (["--timeout", "x"], float("inf")), (["--timeout", "1", "--timeout", "2"], 7.0),
    ],
)  # fmt: skip
def test_the_clock_of_the_client(words: list[str], longest: float) -> None:
    assert client._longest(["claude_code", *words]) == longest


def test_an_engine_sends_signs_of_life_while_hooks_run(
    project: Project, engine: Server, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address, "BEAT", 0.02)
    monkeypatch.setattr(address, "ACCEPTANCE", 30.0)
    project.write("sleep 0.3; exit 2")
    heads: list[bytes] = []
    read = client._read_head

    def seen(*given: Any) -> tuple[bytes, bytes]:
        head, rest = read(*given)
        heads.append(head)
        return head, rest

    body = address.pack(WORDS, str(project.path), {"PATH": os.environ["PATH"]}, payload("ls", project.path))
    monkeypatch.setattr(client, "_read_head", seen)
    assert b'"deny"' in client.engine_response(body, len(WORDS), 1, place)[0]
    assert any(b" 102 " in head for head in heads)


@pytest.mark.slow
@pytest.mark.skipif(not address.has_users(), reason="Windows' files have no modes")
def test_a_socket_where_others_may_write_is_not_used(project: Project, place: str) -> None:
    """Whoever can put a socket there could let everything through."""
    said = b"HTTP/1.1 200 \r\nContent-Length: 0\r\nPyshellhooks-Status: 0\r\nPyshellhooks-Stderr: 0\r\n\r\n"
    with listening(place, taken(said)):
        assert not denies(hook(project, "rm x")), "the test's own engine lets it through"
        os.chmod(place, 0o777)
        assert denies(hook(project, "rm x"))
        os.chmod(place, 0o700)


def test_wrong_words_deny(project: Project, engine: Server) -> None:
    assert denies(hook(project, "ls", "claude_code", "--confg", "x"))
    assert denies(hook(project, "ls", "no_such_system"))


@pytest.mark.parametrize(("words", "status"), [(["--help"], 0), ([], 1), (["--hlp"], 1)])
def test_help(words: list[str], status: int) -> None:
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == status
    assert "pyshellhooks-hook" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_large_payload_passes(project: Project, engine: Server) -> None:
    assert denies(hook(project, "rm " + "x" * (8 << 20)))
    assert hook(project, "ls " + "x" * (8 << 20))[:2] == ("", 0)


def test_the_client_imports_nothing_heavy(project: Project, engine: Server) -> None:
    """It runs before every tool call: goal 10 ms over ``python -I -S -E -c pass``."""
    program = (
        "import sys; before = set(sys.modules)\n"
        "from pyshellhooks.resident.client import main\nstatus = main()\n"
        "sys.stderr.write(' '.join(sorted(set(sys.modules) - before)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *WORDS], input=payload("ls", project.path), capture_output=True, check=True, timeout=100
    )  # fmt: skip
    heavy = set(done.stderr.decode().split()) - {
        "pyshellhooks", "pyshellhooks.resident", "pyshellhooks.resident.client", "pyshellhooks.resident.address",
        "__future__", "_socket", "binascii", "time",
    }  # fmt: skip
    assert not heavy


def test_pack_and_unpack() -> None:
    words, env, data = ["a", "", "é"], {"A": "b=c", "B": ""}, b"\0\xff\0{}"
    body = address.pack(words, "/x", env, data)
    assert address.unpack(body, 3, 2) == (words, "/x", env, data)
    for counts in ((99, 0), (-1, 2), (3, 99)):
        with pytest.raises(ValueError, match="negative|too short"):
            address.unpack(body, *counts)


@pytest.mark.slow
def test_a_client_starts_an_engine_for_the_next(project: Project, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYSHELLHOOKS_NO_ENGINE")
    assert denies(hook(project, "rm x"))
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            client.connect(place)[0].close()
            break
        time.sleep(0.05)
    assert denies(hook(project, "rm x"))
    stopped = subprocess.run(
        [sys.executable, "-m", "pyshellhooks", "serve", "--stop"], capture_output=True, text=True, check=False, timeout=100
    )  # fmt: skip
    assert (stopped.returncode, stopped.stdout) == (0, "the engine is stopping\n")


def test_of_many_clients_one_starts_an_engine(place: str) -> None:
    from pyshellhooks.resident import spawn

    marker = spawn.marker_path(place)
    assert [spawn._is_due(marker) for _ in range(5)] == [True, False, False, False, False]
    os.utime(marker, (1, 1))
    assert spawn._is_due(marker)


def test_two_engines_do_not_meet(place: str, engine: Server) -> None:
    """The second one ends by itself, or takes the place and the first one ends."""
    if not address.has_users():
        pytest.skip("a port is nobody's place")
    from pyshellhooks.resident.server import AlreadyRunning

    with pytest.raises(AlreadyRunning):
        Server(socket=address.socket_path(place)).run()
    os.unlink(address.socket_path(place))
    with usual(place):
        until = time.monotonic() + 30
        while engine._loop is not None and engine._loop.is_running() and time.monotonic() < until:
            time.sleep(0.05)
        assert not engine._loop.is_running()  # type: ignore[union-attr]
        assert os.path.exists(address.socket_path(place)), "the second one's"


def test_an_engine_leaves_a_replaced_file(place: str) -> None:
    """A file system gives the inode of a removed file to the next one: the first engine removed the second one's."""
    port_file = Path(address.port_path(place))
    with Running(port=0, port_file=str(port_file)) as running:
        port_file.write_text("1 of-another\n")  # this keeps the inode
        running.thread.join(30)
        assert not running.thread.is_alive()
    assert port_file.read_text() == "1 of-another\n"
