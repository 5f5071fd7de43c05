"""The workers of jq: processes with libjq that can be killed, which a thread cannot.

libjq holds the GIL while it computes, reacts to no signal, and aborts its process when memory runs out. So it runs in a
process that is started on demand and ends with its run. There are at most ``MOST``; they end at exit, and a forked
child drops them. Callers do not depend on their answers, as they can always evaluate the program themselves; so a
failure of a worker is not an error, it only ends the answers.
"""

from __future__ import annotations

import atexit
import os
import struct
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from os.path import dirname, isfile, join

from ..cancel import CancelScope, about_to_block
from ..host.base import COOKIE

MOST = 4
PROCESSOR_SECONDS = 300  # of one request; a deadline ends it earlier
MEMORY = 2048  # MiB of address space
AHEAD = 1 << 22  # bytes of events that are read before they are used

_REQUEST = struct.Struct(">IIII")
_EVENT = struct.Struct(">cI")
# Variables that Python needs to start on Windows, and the cookie of the run, by which its processes are swept.
_KEPT_VARIABLES = ("SYSTEMROOT", "SystemRoot", COOKIE)

Event = tuple[bytes, bytes]  # a letter and a text: see jq_worker.py


class Worker:
    """One worker process."""

    __slots__ = ("_left", "_process", "_reader", "_writer")

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ},
            bufsize=0,
            start_new_session=True,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._writer = self._process.stdin.fileno()
        self._reader = self._process.stdout.fileno()
        self._left = bytearray()

    def send(self, program: bytes, data: bytes, seconds: int) -> None:
        """Write a request."""
        head = _REQUEST.pack(len(program), len(data), seconds, MEMORY)
        view = memoryview(b"".join((head, program, data)))
        while view:
            view = view[os.write(self._writer, view[: 1 << 20]) :]

    def receive(self) -> list[Event]:
        """Wait for events. Return none after the process has ended."""
        left = self._left
        events: list[Event] = []
        at = 0
        while True:
            while len(left) >= at + _EVENT.size:
                letter, length = _EVENT.unpack_from(left, at)
                end = at + _EVENT.size + length
                if len(left) < end:
                    break
                events.append((letter, bytes(left[at + _EVENT.size : end])))
                at = end
            del left[:at]
            at = 0
            if events:
                return events
            chunk = os.read(self._reader, 1 << 17)
            if not chunk:
                return events
            left += chunk

    def kill(self) -> None:
        """Kill the process without waiting."""
        try:
            self._process.kill()
        except OSError:
            pass

    def discard(self) -> None:
        """Kill and reap the process."""
        self.kill()
        self.forget()
        try:
            self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            # It is stuck in the kernel; Popen reaps it later.
            pass

    def forget(self) -> None:
        """Close this process's ends of the pipes."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()

    def disown(self) -> None:
        """Leave the process to the parent, in a forked child."""
        self._process.returncode = 0
        self.forget()


class Pool:
    """The jq workers of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._alive: set[Worker] = set()
        self.command: Sequence[str] | None = None  # replaces this Python, for a frozen host

    def _command(self) -> list[str] | None:
        """Return the command that starts a worker, or None without the binding or without Python."""
        from importlib.util import find_spec

        spec = find_spec("jq")
        if spec is None or not spec.origin:
            return None
        library = dirname(spec.origin)
        if self.command is not None:
            return [*self.command, library]
        script = join(dirname(__file__), "jq_worker.py")
        if not sys.executable or getattr(sys, "frozen", False) or not isfile(script):
            return None
        return [sys.executable, "-I", "-S", script, library]

    def start(self) -> Worker | None:
        """Start a worker. Return None if that fails or ``MOST`` workers are alive."""
        with self._lock:
            command = self._command() if len(self._alive) < MOST else None
            if command is None:
                return None
            try:
                worker = Worker(command)
            except OSError:
                return None
            self._alive.add(worker)
            return worker

    def end(self, worker: Worker) -> None:
        """End a worker."""
        worker.discard()
        with self._lock:
            self._alive.discard(worker)

    def alive(self) -> int:
        """Return the number of live workers."""
        return len(self._alive)

    def pids(self) -> list[int]:
        """Return the process ids."""
        return [worker._process.pid for worker in list(self._alive)]

    def close(self) -> None:
        """Kill all workers."""
        with self._lock:
            workers = list(self._alive)
        for worker in workers:
            worker.kill()

    def forget(self) -> None:
        """Start anew in a forked child, as the parent's workers answer the parent."""
        for worker in self._alive:
            worker.disown()
        command = self.command
        self.__init__()  # type: ignore[misc]
        self.command = command


pool = Pool()
atexit.register(pool.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=pool.forget)


class Session:
    """A worker for one run, or the attempt to get one. A thread starts it, sends requests and collects events."""

    def __init__(self, program: str, seconds: float | None) -> None:
        self._program = program.encode()
        self._seconds = PROCESSOR_SECONDS if seconds is None else min(PROCESSOR_SECONDS, int(seconds) + 2)
        self._changed = threading.Condition(threading.Lock())
        self._data: bytes | None = None  # a request to be sent
        self._events: deque[Event] = deque()
        self._size = 0
        self._asking = False  # an answer is to be read
        self._over = False  # the worker has ended or never started
        self._worker: Worker | None = None
        self._thread = threading.Thread(target=self._serve, name="pyshellhooks-jq", daemon=True)

    def send(self, data: bytes) -> None:
        """Send inputs to the program, after the answer to the previous ones is complete."""
        with self._changed:
            self._data = data
            self._asking = not self._over
            self._changed.notify_all()
        if self._thread.ident is None:
            try:
                self._thread.start()
            except RuntimeError:  # too many threads, or the interpreter is shutting down
                self.close()

    def peek(self) -> Event | None:
        """Return the next event if it has arrived, or None."""
        return self._events[0] if self._events else None

    def drop_event(self) -> None:
        """Drop the next event."""
        with self._changed:
            self._size -= len(self._events.popleft()[1])
            self._changed.notify_all()

    def wait(self, scope: CancelScope) -> Event | None:
        """Wait for the next event. Return None after the last one."""
        if not self._events:
            about_to_block()
            with self._changed:
                scope.wait(self._changed, lambda: bool(self._events) or not self._asking)
        return self.peek()

    @property
    def is_asking(self) -> bool:
        """Whether more events follow or remain to be taken."""
        return self._asking or bool(self._events)

    @property
    def is_over(self) -> bool:
        """Whether the worker has ended."""
        return self._over

    def close(self) -> None:
        """End the worker."""
        with self._changed:
            self._end()

    def _end(self) -> None:
        self._over = True
        self._asking = False
        if self._worker is not None:
            self._worker.kill()
        self._changed.notify_all()

    # -- in the thread

    def _serve(self) -> None:
        worker = pool.start()
        try:
            with self._changed:
                self._worker = worker
            while worker is not None and (data := self._next_request()) is not None:
                worker.send(self._program, data, self._seconds)
                while self._gather(worker.receive()):
                    pass
        except OSError:
            pass
        finally:
            with self._changed:
                self._worker = None
                self._end()
            if worker is not None:
                pool.end(worker)

    def _next_request(self) -> bytes | None:
        with self._changed:
            while self._data is None and not self._over:
                self._changed.wait()
            data, self._data = self._data, None
            return None if self._over else data

    def _gather(self, events: list[Event]) -> bool:
        """Store events. Return whether more follow."""
        with self._changed:
            if not events:
                self._over = True
            if self._over:
                return False
            more = events[-1][0] != b"!"
            if not more:
                events.pop()
                self._asking = False
            self._events.extend(events)
            self._size += sum(len(text) for _, text in events)
            self._changed.notify_all()
            while self._size > AHEAD and not self._over:
                self._changed.wait()
            return more and not self._over
