"""Who lives how long: the server, the proxy, the hooks, and what a client is told when one of them ends."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from proxied import ROOT, Place, answering_command, hook, until

pytestmark = [
    pytest.mark.not_on_windows("needs-tools"),
    pytest.mark.one_in(2, slow=2),
]  # each starts a proxy and a server: seconds

FAILED = hook("PostToolUseFailure", "jq -r .error >failed")
on_posix = pytest.mark.not_on_windows("needs-signal")


def alive(pid: int) -> bool:
    """Say whether a process runs; a dead one that nobody has waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def server_of(place: Place) -> int:
    """Return the process id of the mirror."""
    path = place.path / "log.pid"
    return int(until(lambda: path.exists() and path.read_text()))


@pytest.mark.parametrize("name", ["dies", pytest.param("killed", marks=on_posix)])
def test_the_server_dies_in_a_call(place: Place, name: str) -> None:
    proxy = place.start(FAILED, hook("PreToolUse", "jq -r .tool_name | grep -q slow && sleep 5; exit 0"))
    proxy.send({"id": "open", "method": "never"})
    proxy.call("hooks run", "slow")
    proxy.call("call", name)
    answers = {}
    for _ in range(3):
        answer = proxy.receive()
        answers[answer["id"]] = answer["error"]["message"]
    assert set(answers) == {"open", "call", "hooks run"}
    assert set(answers.values()) == {"the MCP server ended before it responded"}
    status, said = proxy.ended()
    assert status == 1 and "the MCP server ended before its client" in said and "Traceback" not in said
    if name == "dies":
        assert "last words" in said
    if sys.platform != "win32":
        assert ("the server ended with status 7" if name == "dies" else "the server was killed by signal 9") in said
    assert (place.path / "failed").read_text().strip() == "the MCP server ended before it responded"


def test_a_server_that_ends_at_once(place: Place) -> None:
    words = place.words(FAILED)
    words[words.index("--") + 1 :] = [sys.executable, "-c", "raise SystemExit(4)"]
    proxy = place.start_words(words)
    proxy.send({"id": 1, "method": "initialize", "params": {}})
    assert proxy.receive()["error"]["message"] == "the MCP server ended before it responded"
    assert proxy.ended()[0] == 1


@pytest.mark.one_in(3, slow=3)
@on_posix
@pytest.mark.parametrize("server", ["mirror", "mirror stubborn"])
@pytest.mark.parametrize("end", ["input", "SIGTERM", "SIGINT", "SIGKILL"])
def test_the_server_never_outlives_the_proxy(place: Place, server: str, end: str) -> None:
    proxy = place.start(FAILED, server=server)
    pid = server_of(place)
    proxy.call(1, "mirror")
    proxy.answer(1)
    if end == "input":
        assert proxy.process.stdin is not None
        proxy.process.stdin.close()
    else:
        proxy.process.send_signal(getattr(signal, end))
    status, said = proxy.ended()
    assert status == {"input": 0, "SIGTERM": 0, "SIGINT": 130, "SIGKILL": -9}[end], said
    until(lambda: not alive(pid))


@on_posix
def test_signals_with_a_client_that_does_not_read(place: Place) -> None:
    """What is left to say can't hold the end up for ever."""
    reader, writer = os.pipe()
    stuck = place.start_words(place.words(FAILED), stdout=writer)
    os.close(writer)
    for id in range(20):
        stuck.call(id, "mirror", {"a": "x" * 100_000})
    until(lambda: len(place.logged()) > 200_000)
    stuck.process.send_signal(signal.SIGTERM)
    assert stuck.process.wait(60) in (0, 1)
    os.close(reader)


@on_posix
def test_a_client_that_has_gone(place: Place) -> None:
    reader, writer = os.pipe()
    proxy = place.start_words(place.words(FAILED), stdout=writer)
    os.close(writer)
    os.close(reader)
    proxy.call(1, "mirror")
    status, said = proxy.ended()
    assert status == 141 and "Traceback" not in said


# What a client cancels, by how far the call has come: the hooks, and the call that it waits for.
PHASES: dict[str, tuple[str, str]] = {
    "before": ("PreToolUse", "mirror"),
    "in the server": ("", "silent"),
    "after": ("PostToolUse", "mirror"),
}


@pytest.mark.one_in(2, slow=2)
@on_posix
@pytest.mark.parametrize("phase", PHASES)
def test_a_cancelled_call(place: Place, phase: str) -> None:
    event, name = PHASES[phase]
    sleeps = [hook(event, "sh -c 'echo $$ >pid; exec sleep 300'")] if event else []
    proxy = place.start(FAILED, *sleeps)
    proxy.call(1, name)
    if event:
        pid = int(until(lambda: (found := place.path / "pid").exists() and found.read_text()))
    else:
        until(lambda: "silent" in place.logged())
    proxy.send({"method": "notifications/cancelled", "params": {"requestId": 1, "reason": "enough"}})
    proxy.send({"id": 2, "method": "ping"})
    assert proxy.receive()["id"] == 2  # and never an answer to what was cancelled
    if event:
        until(lambda: not alive(pid))
    assert ("notifications/cancelled" in place.logged()) == (phase != "before")
    assert ("tools/call" in place.logged()) == (phase != "before")
    assert proxy.end()[0] == 0 and proxy.lines.empty()
    assert not (place.path / "failed").exists()


@on_posix
def test_odd_surroundings(place: Place) -> None:
    """Words and variables that are no UTF-8, and no standard error."""
    words = place.words(hook("PreToolUse", "echo told; exit 0"))
    command = shlex.join([sys.executable, "-m", "pyshellhooks", "mcp-proxy", *words])
    odd = f"export ODD=$(printf '\\377'); exec {command} $(printf '\\377') 2>&-"
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT)}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "mirror", "arguments": {"a": 1}}}
    done = subprocess.run(
        ["/bin/sh", "-c", odd], input=json.dumps(call).encode() + b"\n", stdout=subprocess.PIPE, cwd=place.path,
        env=surroundings, check=False,
    )  # fmt: skip
    assert json.loads(done.stdout)["result"]["content"] == [{"type": "text", "text": '{"a": 1}'}]
    assert done.returncode == 0


def test_a_client_that_only_writes_gets_its_answers(place: Place) -> None:
    proxy = place.start(hook("PreToolUse", "sleep 0.2"))
    proxy.call(1, "mirror", {})
    proxy.send({"id": 2, "method": "ping"})
    assert proxy.end()[0] == 0
    assert {proxy.receive()["id"], proxy.receive()["id"]} == {1, 2}


@on_posix
def test_hooks_end_with_the_proxy(place: Place) -> None:
    proxy = place.start(hook("PreToolUse", "sh -c 'echo $$ >pid; exec sleep 300'"))
    proxy.call(1, "mirror")
    pid = int(until(lambda: (found := place.path / "pid").exists() and found.read_text()))
    assert proxy.end()[0] == 0
    until(lambda: not alive(pid))
    assert place.logged() == ""


def test_a_hook_that_takes_too_long(place: Place) -> None:
    """Claude Code's own rule lets the call go ahead (claude_code 6); what is said of it reaches a person."""
    proxy = place.start(hook("PreToolUse", "sleep 60", timeout=1))
    proxy.call(1, "mirror", {})
    assert proxy.text(1) == "{}"
    assert "timed out" in proxy.end()[1]


def test_a_slow_hook_holds_up_nothing_else(place: Place) -> None:
    proxy = place.start(hook("PreToolUse", "jq -r .tool_name | grep -q slow && sleep 2; exit 0"))
    proxy.call(1, "slow", {})
    proxy.call(2, "mirror", {})
    proxy.send({"id": 3, "method": "ping"})
    assert [proxy.receive()["id"] for _ in range(3)][2] == 1


def test_processes_that_a_server_leaves_end_too(place: Place) -> None:
    """A server started by ``npx`` is a child of a child."""
    code = f"import subprocess, sys; subprocess.run([sys.executable, {str(Path(__file__).with_name('mirror.py'))!r}, *sys.argv[1:]])"
    words = place.words(FAILED)
    words[words.index("--") + 1 :] = [sys.executable, "-c", code, str(place.log), "stubborn"]
    proxy = place.start_words(words)
    pid = server_of(place)
    proxy.process.kill()
    until(lambda: not alive(pid))


def test_context_of_before_and_after(place: Place) -> None:
    before = hook("PreToolUse", answering_command("PreToolUse", additionalContext="before"))
    proxy = place.start(before, hook("PostToolUse", answering_command("PostToolUse", additionalContext="after")))
    proxy.call(1, "mirror", {})
    assert proxy.text(1) == "{}\nbefore\nafter"
