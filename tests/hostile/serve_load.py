"""``python tests/hostile/serve_load.py [--requests N] [--clients N]``: an engine under load, with bad neighbours.

Clients ask a guard about calls that it denies and calls that it lets through. Meanwhile others send bodies that are too large,
wrong tokens, origins, halves of requests, and leave. Then the engine is killed in the middle of requests, writes its log to a
full disk, and sees its config break. No call that the guard denies may go through, nothing may hang, nothing may be left behind.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from pyshellhooks.resident import address, client

TOKEN = "a-token-of-the-load-test"
GUARD = "if jq -r .tool_input.command | grep -qE 'rm +-(rf|fr)'; then echo 'no rm -rf' >&2; exit 2; fi"
WORDS = ["claude_code", "--trust-project"]


class Place:
    """A project, a meeting place, and an engine as a process."""

    def __init__(self, root: str, port: int) -> None:
        self.project = Path(root) / "project"
        self.run = Path(root) / "run"
        self.port = port
        self.run.mkdir(mode=0o700)
        (self.project / ".claude").mkdir(parents=True)
        self.token = Path(root) / "token"
        self.token.write_text(TOKEN)
        self.configure(GUARD)
        self.engine: subprocess.Popen[bytes] | None = None

    def configure(self, command: str) -> None:
        hooks = {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": command}]}]}
        (self.project / ".claude/settings.json").write_text(json.dumps({"hooks": hooks}))

    def start(self, log: str = os.devnull) -> None:
        command = [sys.executable, "-m", "pyshellhooks", "serve", "--socket", address.socket_path(str(self.run))]
        if self.port:
            command += ["--port", str(self.port), "--token-file", str(self.token), "--trust-project"]
        with open(log, "wb") as out:
            self.engine = subprocess.Popen(command, stderr=out, stdout=out)
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with suppress(OSError):
                client.connect(str(self.run))[0].close()
                return
            time.sleep(0.05)
        raise AssertionError("the engine does not listen")

    def stop(self) -> None:
        assert self.engine is not None
        self.engine.terminate()
        self.engine.wait(60)

    def send(self, command: str, env: dict[str, str] | None = None) -> str:
        """Ask as the client does; say what became of it: ``deny allow untaken lost``."""
        payload = json.dumps(
            {"session_id": "s", "cwd": str(self.project), "hook_event_name": "PreToolUse", "tool_name": "Bash",
             "tool_input": {"command": command}}
        ).encode()  # fmt: skip
        env = env or {"PATH": "/usr/bin:/bin"}
        body = address.pack(WORDS, str(self.project), env, payload)
        try:
            stdout, status, _ = client.engine_response(body, len(WORDS), len(env), str(self.run))
        except client._NotAccepted:
            return "untaken"
        except client.Lost:
            return "lost"
        return (
            "deny"
            if status == 2 or b'"deny"' in stdout
            else "allow"
            if status == 0 and not stdout
            else f"status {status}"
        )

    def state(self) -> tuple[int, int, int]:
        """Return the engine's descriptors, threads and resident megabytes."""
        assert self.engine is not None
        status = Path(f"/proc/{self.engine.pid}/status").read_text()
        fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        return (
            len(os.listdir(f"/proc/{self.engine.pid}/fd")),
            int(fields["Threads"]),
            int(fields["VmRSS"].split()[0]) >> 10,
        )


def bad_neighbours(place: Place, over: threading.Event, seen: Counter[str]) -> None:
    """Do what nobody should, again and again."""
    head = "POST /claude_code HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n{more}Content-Length: {size}\r\n\r\n"
    usual = {"host": f"127.0.0.1:{place.port}", "token": TOKEN, "more": "", "size": 2}
    kinds = {
        "100 MB": ({"size": 100 << 20}, b"x" * 1024),
        "wrong token": ({"token": "x"}, b"{}"),
        "origin": ({"more": "Origin: http://evil.example\r\n"}, b"{}"),
        "host": ({"host": "evil.example"}, b"{}"),
        "half a body": ({"size": 1000}, b"{"),
        "rubbish": (None, os.urandom(4000)),
        "leaves": ({"size": 1000}, None),
    }
    while not over.is_set():
        for kind, (fields, data) in kinds.items():
            with suppress(OSError), socket.create_connection(("127.0.0.1", place.port), 10) as one:
                if fields is not None:
                    one.sendall(head.format(**{**usual, **fields}).encode())
                if data is None:
                    seen["left"] += 1
                    continue
                one.sendall(data)
                one.settimeout(0.3)
                with suppress(TimeoutError):
                    seen[f"{kind}: {one.recv(20)[9:12].decode('latin-1')}"] += 1
        time.sleep(0.05)


def load(place: Place, clients: int, requests: int) -> None:
    """Ask from many threads, and measure."""
    place.start()
    for _ in range(20):
        place.send("ls")
    before = place.state()
    over, seen = threading.Event(), Counter[str]()
    bad = threading.Thread(target=bad_neighbours, args=(place, over, seen))
    if place.port:
        bad.start()
    times: list[float] = []

    def work(number: int) -> Counter[str]:
        found: Counter[str] = Counter()
        for turn in range(requests // clients):
            denied = (turn + number) % 2
            began = time.perf_counter()
            reply = place.send("rm -rf x" if denied else "ls -la")
            times.append(time.perf_counter() - began)
            found[f"{'denied' if denied else 'harmless'}: {reply}"] += 1
        return found

    began = time.perf_counter()
    with ThreadPoolExecutor(clients) as pool:
        total = sum(pool.map(work, range(clients)), Counter[str]())
    seconds = time.perf_counter() - began
    over.set()
    if place.port:
        bad.join()
    time.sleep(1)
    times.sort()
    middle, late = times[len(times) // 2] * 1000, times[len(times) * 99 // 100] * 1000
    print(
        f"{clients} clients, {sum(total.values())} requests in {seconds:.1f} s: {sum(total.values()) / seconds:.0f} a second; p50 {middle:.1f} ms, p99 {late:.1f} ms"
    )
    print(f"  {dict(total)}")
    print(f"  neighbours: {dict(seen)}")
    print(f"  descriptors, threads, MB: {before} before, {place.state()} after")
    assert not total["denied: allow"] and not total["harmless: deny"]
    assert not [reply for reply in total if "lost" in reply or "status" in reply]
    place.stop()


def killed(place: Place, rounds: int) -> None:
    """Kill the engine in the middle of requests: what was accepted is lost, which denies; the rest was not taken."""
    found: Counter[str] = Counter()
    for _ in range(rounds):
        place.configure("sleep 0.3; " + GUARD)
        place.start()
        with ThreadPoolExecutor(16) as pool:
            answers = [pool.submit(place.send, "rm -rf x") for _ in range(16)]
            time.sleep(0.2)
            assert place.engine is not None
            place.engine.send_signal(signal.SIGKILL)
            place.engine.wait(60)
            found.update(one.result(60) for one in answers)
    print(f"killed {rounds} times in the middle of 16 requests: {dict(found)}")
    assert found["allow"] == 0
    place.configure(GUARD)


def full_disk(place: Place) -> None:
    """Log to a full disk."""
    place.start("/dev/full")
    answers = Counter(place.send("rm -rf x") for _ in range(50))
    print(f"log on a full disk: {dict(answers)}")
    assert answers == {"deny": 50}
    place.stop()


def changing(place: Place) -> None:
    """Break the config and mend it while clients ask: a broken one denies everything."""
    place.start()
    over, found = threading.Event(), Counter[str]()

    def send_denied() -> None:
        while not over.is_set():
            found[place.send("rm -rf x")] += 1

    threads = [threading.Thread(target=send_denied) for _ in range(8)]
    for thread in threads:
        thread.start()
    settings = place.project / ".claude/settings.json"
    for number in range(100):
        if number % 2:
            settings.write_text('{"hooks": {"PreToolUse": [')
        else:
            place.configure(f"{GUARD} # {number}")
        time.sleep(0.02)
    place.configure(GUARD)
    over.set()
    for thread in threads:
        thread.join()
    print(f"config broken and mended 100 times: {dict(found)}")
    assert not found["allow"]
    place.stop()


def main() -> None:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="psh") as root:
        place = Place(root, port)
        try:
            load(place, options.clients, options.requests)
            killed(place, options.rounds)
            full_disk(place)
            changing(place)
        finally:
            if place.engine is not None and place.engine.poll() is None:
                place.engine.kill()
    print("all held")


if __name__ == "__main__":
    main()
