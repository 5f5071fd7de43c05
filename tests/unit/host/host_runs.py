"""What the tests of this room share: one run with its scope, gate, cookie and plumbing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from time import monotonic, sleep

from pyshellhooks import host
from pyshellhooks.cancel import CancelScope, Gate
from pyshellhooks.host import terminate
from pyshellhooks.host.base import Process
from pyshellhooks.host.orphans import has_cookie
from pyshellhooks.host.pipe_bridge import PipeBridges
from pyshellhooks.streams import Capture, NullStream, Stream
from tests import oracles

_counter = iter(range(1_000_000))


class Run:
    """A run of native children, ended and checked for leftovers by its ``with`` block."""

    def __init__(self, timeout: float | None = None, grace: float = 0.2) -> None:
        self.host = host.current()
        self.scope = CancelScope(timeout=timeout, grace=grace)
        self.gate = Gate()
        self.cookie = f"test-{os.getpid()}-{next(_counter)}"
        self.pipe_bridges = PipeBridges(self.host, self.scope, self.gate)
        self.out = Capture(1 << 24)

    def start(self, script: str, fds: Mapping[int, int] | None = None, *, cwd: str = "/", umask: int = -1) -> Process:
        """Start a script under sh; its stdin is the null device and its stdout ``out``."""
        for name in ("bash", "setsid"):  # which POSIX does not know
            if name in script:
                oracles.native(name, os.defpath)
        return self.host.spawn(
            ["sh", "-c", script, "sh"],
            executable="/bin/sh",
            env={
                **self.host.environ(),
                "PATH": os.defpath,
            },  # whatever is on PATH: scripts call sleep, cat and the like
            cwd=cwd,
            fds=fds if fds is not None else {0: self.null(), 1: self.pipe_bridges.output_fd(self.out), 2: 2},
            gate=self.gate,
            cookie=self.cookie,
            umask=umask,
        )

    def run(self, script: str, stdin: Stream | None = None) -> tuple[int, Stream]:
        """Run to the end; gives the status and the stream to go on reading from."""
        fd, rest = self.pipe_bridges.plug_input(stdin or NullStream())
        child = self.start(script, {0: fd, 1: self.pipe_bridges.output_fd(self.out), 2: 2})
        status = child.wait(self.scope)
        self.pipe_bridges.sync(self.out)
        return status, rest

    def null(self) -> int:
        """Return the null device's descriptor."""
        return self.pipe_bridges.plug_input(NullStream())[0]

    def wait_for_output(self, text: bytes) -> None:
        """Wait until children have written this."""
        until = monotonic() + 60
        while text not in self.out.getvalue() and monotonic() < until:
            sleep(0.002)
        assert text in self.out.getvalue()

    def alive(self) -> list[int]:
        """Return the living processes that carry the cookie, whatever became of their parents."""
        mark = self.cookie.encode()
        return [int(n) for n in os.listdir("/proc") if n.isdigit() and _living(n) and has_cookie(int(n), mark)]

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *exc: object) -> None:
        terminate.end([], grace_until=monotonic(), sweep=self.cookie)
        self.pipe_bridges.close()
        self.scope.close()
        assert self.host.children.of(self.cookie) == []


def _living(pid: str) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b") ")[2][:1] not in b"ZX"
    except OSError:
        return False
