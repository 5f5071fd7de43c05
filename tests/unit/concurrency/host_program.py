"""Host programs in a Python of their own: what they print, how they end, what they leave."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

from clock import patient

ROOT = Path(__file__).resolve().parents[3]
PATIENT = 60.0  # for a program that takes half a second here

HEAD = f"""
import asyncio, os, signal, sys, threading, time
sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / "tests")!r}]
from clock import patient
from pyshellhooks import HookEngine, Shell
def ready():
    print("ready", flush=True)
"""


class Ended:
    """How a program ended; ``seconds`` counts from its "ready", or its start."""

    def __init__(self, status: int, stdout: str, stderr: str, seconds: float) -> None:
        self.status = status
        self.stdout = stdout
        self.stderr = stderr
        self.seconds = seconds


def run(code: str, *, interrupt: float | None = None) -> Ended:
    """Run a program; ``interrupt``: seconds after its "ready" it gets SIGINT."""
    process = subprocess.Popen(
        [sys.executable, "-B", "-W", "error", "-c", HEAD + textwrap.dedent(code)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    begun = time.monotonic()
    assert process.stdout is not None
    first = process.stdout.readline()
    if first == "ready\n":
        begun, first = time.monotonic(), ""
        if interrupt is not None:
            time.sleep(interrupt)
            process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=PATIENT)
    finally:
        process.kill()
    return Ended(process.returncode, first + out, err, time.monotonic() - begun)


def alive(mark: str) -> list[int]:
    """Return the processes with this word on their command line (Linux)."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                words = Path(f"/proc/{name}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if mark.encode() in words:
                found.append(int(name))
    return found


def gone(mark: str, seconds: float = 5.0) -> bool:
    """Say whether all those processes go in time; kills those that stay."""
    until = time.monotonic() + (patient(seconds) if seconds else 0.0)
    while pids := alive(mark):
        if time.monotonic() > until:
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
            return False
        time.sleep(0.01)
    return True
