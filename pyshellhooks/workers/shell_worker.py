"""The worker process of ``isolation="process"``: runs whole scripts until its standard input ends.

``serve(Shell)`` is its main function; ``isolation.MAIN`` calls it, and so does a frozen host's own executable if it is
started with ``isolation.pool.command``. The shell is a parameter, as this room is below it.

A frame is a letter, two big-endian lengths, JSON (ASCII), and bytes. Input: ``r`` a run with its standard input, ``c``
``[number, reason, detail]``, which cancels that run. Output: ``d`` the result of a run, with both outputs; ``f`` the
message of a call that could not run.

Its own process may change state that a host's process must keep: signals, umask, a timer that kills.
"""

from __future__ import annotations

import json
import os
import signal
import struct
import threading
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any

from ..cancel import CancelScope
from ..errors import UsageError
from ..fs import proc
from ..host import current, threads
from ..host.subreaper import run_under_subreaper
from ..limits import Limits
from .client import pool as jq_workers

FRAME = struct.Struct(">cII")
LAST_RESORT = 2.0  # after deadline and grace the system ends this process, if the host has not
ORPHAN_SECONDS = 1.5  # of a run after the end of the host
STRAY_SECONDS = 0.05
KEPT = 8  # shells, by configuration

_encoder = json.JSONEncoder(separators=(",", ":"))


def frame(letter: bytes, header: object, body: bytes = b"") -> bytes:
    """Return one frame. Its header is encoded string by string, as several may contain a payload of 16 MB."""
    text = "".join(_encoder.iterencode(header)).encode("ascii")
    return b"".join((FRAME.pack(letter, len(text), len(body)), text, body))


class _Inbox:
    """Reads frames on its own thread, so that a cancel arrives while a script runs."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._left = b""
        self._ready = threading.Lock()  # held without a request; the host sends one at a time
        self._ready.acquire()
        self._requests: list[tuple[dict[str, Any], bytes]] = []
        self._lock = threading.Lock()
        self._scope: CancelScope | None = None
        self._number = 0

    def start(self) -> None:
        """Start reading."""
        threading.Thread(target=self._read, name="pyshellhooks-inbox", daemon=True).start()

    def get(self) -> tuple[dict[str, Any], bytes]:
        """Wait for the next run. Return it and its stdin."""
        self._ready.acquire()
        return self._requests.pop(0)

    def set_running(self, number: int, scope: CancelScope | None) -> None:
        """Set the run that a cancel may refer to."""
        with self._lock:
            self._number, self._scope = number, scope

    def _take(self, size: int) -> bytes:
        chunks = [self._left]
        missing = size - len(self._left)
        while missing > 0:
            chunk = os.read(self._fd, max(missing, 1 << 16))
            if not chunk:
                self._end()
            chunks.append(chunk)
            missing -= len(chunk)
        data = b"".join(chunks)
        self._left = data[size:]
        return data[:size]

    def _read(self) -> None:
        while True:
            letter, header, body = FRAME.unpack(self._take(FRAME.size))
            value = json.loads(self._take(header))
            data = self._take(body)
            if letter == b"r":
                self._requests.append((value, data))
                self._ready.release()
            else:
                number, reason, detail = value
                with self._lock:
                    scope = self._scope if self._number == number else None
                if scope is not None:
                    scope.cancel(reason, detail)

    def _end(self) -> None:
        """Cancel the run and end the process, as the host has ended."""
        scope = self._scope
        if scope is not None:
            scope.cancel("cancelled", "the host process ended")
            until = monotonic() + ORPHAN_SECONDS
            while self._scope is scope and monotonic() < until:
                sleep(0.005)
        os._exit(0)


class _Owner:
    """Gives a run the host's cookie for it, by which the host finds the run's children after this process is killed."""

    def __init__(self, cookie: str) -> None:
        self._cookie = cookie

    def attach(self, run: Any) -> None:
        """Mark the run."""
        run.cookie = self._cookie


class _Server:
    def __init__(self, shell: Callable[..., Any]) -> None:
        self._shell = shell
        self._shells: dict[str, Any] = {}
        self._started = 0

    def configured(self, text: str) -> Any:
        """Return the shell for a configuration; it has no state of earlier runs."""
        shell = self._shells.get(text)
        if shell is None:
            options = json.loads(text)
            umask = options.pop("umask")
            if umask != current().umask():
                os.umask(umask)
            shell = self._shell(**{**options, "limits": Limits(**options["limits"])}, env={})
            if len(self._shells) >= KEPT:
                self._shells.clear()
            self._shells[text] = shell
        return shell

    def _has_left(self) -> bool:
        """Return whether a process of the run is still alive.

        This worker then takes no other run, which would seem to own it.
        """
        host = current()
        if host.children.started == self._started:
            return False
        self._started = host.children.started
        until = monotonic() + STRAY_SECONDS
        while host.has_descendants(jq_workers.pids()):
            if monotonic() >= until:
                return True
            sleep(0.001)
        return False

    def run_request(self, request: dict[str, Any], stdin: bytes, scope: CancelScope) -> bytes:
        """Run one request and return its frame."""
        try:
            result = self.configured(request["shell"]).run(
                request["script"],
                *request["args"],
                stdin=stdin,
                env=request["env"],
                cwd=request["cwd"],
                scope=scope,
                name=request["name"],
                grace=request["grace"],
                options=request["options"],
                command_string=request["command_string"],
                text_output=request["text_output"],
                files={path: text.encode("latin-1") for path, text in request["files"].items()},
                process=_Owner(request["cookie"]),
            )
        except UsageError as error:
            return frame(b"f", ["usage", error.message])
        except Exception as error:
            return frame(b"f", ["crashed", f"{type(error).__name__}: {error}"])
        ended = result.ended
        kind = ended.kind
        facts = (
            [ended.status]
            if kind == "exited"
            else [ended.number]
            if kind == "signaled"
            else [ended.reason, ended.detail, ended.limit]
        )
        header = {
            "status": result.status,
            "ended": [kind, *facts],
            "seconds": result.seconds,
            "notices": [[str(notice), notice.fields()] for notice in result.notices],
            "late": result.late,
            "fault": result.fault,
            "own": result.own and [result.own[0], result.notices.index(result.own[1])],
            "out": len(result.stdout),
            "retire": _has_stray_thread() or self._has_left(),
        }
        return frame(b"d", header, result.stdout + result.stderr)


def serve(shell: Callable[..., Any]) -> None:
    """Answer requests. ``shell`` is the class ``pyshellhooks.Shell``. The process ends with its standard input.

    To be called before the process has a second thread, as it may fork.
    """
    run_under_subreaper()
    # Close /proc of the subreaper and of the host to the runs, as that of this process.
    host = current()
    proc.helpers.update((host.getppid(), host.served or host.getppid()))
    inbox, outgoing = _Inbox(os.dup(0)), os.dup(1)
    # Reads and prints on 0 and 1 must not mix with the frames.
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0, inheritable=False)
    os.dup2(null, 1, inheritable=False)
    _own_signals()
    inbox.start()
    try:
        server = _Server(shell)
        shell(cwd="/", env={}, spawn=False).run(': "$(:)"')  # imports everything a run needs
        while True:
            request, stdin = inbox.get()
            number, left, grace = request["number"], request["timeout"], request["grace"]
            _arm(left, grace)
            with CancelScope(timeout=left, grace=grace) as scope:
                inbox.set_running(number, scope)
                answer = server.run_request(request, stdin, scope)
                inbox.set_running(0, None)
            _arm(None, 0.0)
            _write(outgoing, answer)
    except BaseException as error:  # the host reads the reason; a traceback would be lost
        _write(outgoing, frame(b"f", ["crashed", f"{type(error).__name__}: {error}"]))
        os._exit(1)


def _own_signals() -> None:
    """Reset inherited signal settings: an ignored SIGCHLD loses every status, a blocked TERM never arrives."""
    if hasattr(signal, "SIGCHLD"):
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _arm(left: float | None, grace: float) -> None:
    """Set or clear a timer whose signal kills this process even while C code holds the GIL and the host has ended."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0.0 if left is None else min(left + grace + LAST_RESORT, 1e7))


def _has_stray_thread() -> bool:
    """Return whether a thread of the run still works. This worker then takes no other run."""
    until = 0.0
    while True:
        stats = threads.pool.stats()
        if stats["alive"] == stats["idle"]:
            return False
        now = monotonic()
        until = until or now + STRAY_SECONDS
        if now >= until:
            return True
        sleep(0.0005)


def _write(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
