"""The pool of jq workers: processes that can be killed, which a thread can't.

libjq holds the GIL while it computes, listens to no signal, and aborts the process when memory ends. A program that may
do so runs in a worker: a warm one costs a round trip, a runaway costs a kill. The pool is global to the process by
nature: at most ``MOST`` workers, ended at exit, forgotten in a forked child.
"""

from __future__ import annotations

import atexit
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from json import dumps, loads
from os.path import dirname, isfile, join

from ..cancel import CancelScope, about_to_block
from ..errors import Stop
from ..host.base import COOKIE

MOST = 4
PROCESSOR_SECONDS = 300  # of one run; a deadline of the scope comes first
MEMORY = 2048  # MiB of address space

_REQUEST = struct.Struct(">IIIII")
_BLOCK = struct.Struct(">cI")
# What Python itself cannot start without, where there is such a thing; and whose children we are, for their sweep.
_KEPT_VARIABLES = ("SYSTEMROOT", "SystemRoot", COOKIE)


# The filter as it was written and the names of its variables, for libjq's words about it; TZ or None; whether the
# filter must first compile by itself.
Description = tuple[str, Sequence[str], str | None, bool]


class NotCompiled(Exception):
    """libjq does not take the program; its words."""


class Worker:
    """One process, idle or with one request."""

    __slots__ = ("_left", "_process", "reader", "used", "writer")

    def __init__(self, command: Sequence[str]) -> None:
        environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise Stop("refused", f"jq: the worker can't be started: {command[0]}: {error.strerror}") from None
        assert self._process.stdin is not None and self._process.stdout is not None
        self.writer = self._process.stdin.fileno()
        self.reader = self._process.stdout.fileno()
        self.used = False
        self._left = b""

    def is_running(self) -> bool:
        """Say whether the process is there."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End it now. Does not wait."""
        try:
            self._process.kill()
        except OSError:
            pass

    def send(self, texts: Sequence[str], seconds: int) -> None:
        """Write a request."""
        parts = [text.encode("utf-8", "replace") for text in texts]
        head = _REQUEST.pack(*map(len, parts), seconds, MEMORY)
        view = memoryview(b"".join((head, *parts)))
        while view:
            view = view[os.write(self.writer, view[: 1 << 20]) :]

    def receive(self) -> tuple[bytes, str] | None:
        """Read a block; None when the process has gone."""
        left = self._left
        while True:
            if len(left) >= _BLOCK.size:
                letter, length = _BLOCK.unpack_from(left)
                end = _BLOCK.size + length
                if len(left) >= end:
                    self._left = left[end:]
                    return letter, left[_BLOCK.size : end].decode("utf-8", "surrogatepass")
            chunk = os.read(self.reader, 1 << 17)
            if not chunk:
                return None
            left = left + chunk if left else chunk

    def close(self) -> int | None:
        """Kill, let go of the pipes, reap; give the status it had ended with, if it had."""
        process = self._process
        try:
            # Its pipe may end a moment before the process does.
            status: int | None = process.wait(0.2)
        except subprocess.TimeoutExpired:
            status = None
        self.discard()
        return status

    def discard(self) -> None:
        """Kill and reap."""
        process = self._process
        self.kill()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        process.stdout.close()
        try:
            process.wait(1.0)
        except subprocess.TimeoutExpired:
            # In the kernel, out of reach; Popen reaps it later.
            pass

    def forget(self) -> None:
        """In a forked child: close our ends, leave the process to the parent."""
        process = self._process
        process.returncode = 0  # not ours to wait for
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        process.stdout.close()


class Pool:
    """Up to ``MOST`` workers, those idle kept for the next request."""

    def __init__(self) -> None:
        self._lock = threading.Condition(threading.Lock())
        self._idle: list[Worker] = []
        self._alive: set[Worker] = set()
        self._pid = os.getpid()
        self.command: Sequence[str] | None = None  # instead of this Python, for a host that is frozen

    def _command(self) -> list[str]:
        from importlib.util import find_spec

        spec = find_spec("jq")
        if spec is None or not spec.origin:
            raise Stop("refused", "jq: the jq binding is not installed")
        library = dirname(spec.origin)
        if self.command is not None:
            return [*self.command, library]
        script = join(dirname(__file__), "jq_worker.py")
        if not sys.executable or getattr(sys, "frozen", False) or not isfile(script):
            raise Stop(
                "refused", "jq: there is no Python to run the worker with; set pyshellhooks.workers.pool.command"
            )
        return [sys.executable, "-I", "-S", script, library]

    def acquire(self, scope: CancelScope) -> Worker:
        """Take an idle worker, start one, or wait for one."""
        if self._pid != os.getpid():
            self.forget()
        while True:
            with self._lock:
                while self._idle:
                    worker = self._idle.pop()
                    if worker.is_running():
                        return worker
                    self._alive.discard(worker)
                    worker.discard()
                if len(self._alive) < MOST:
                    worker = Worker(self._command())
                    self._alive.add(worker)
                    return worker
            about_to_block()
            with self._lock:
                scope.wait(self._lock, lambda: bool(self._idle) or len(self._alive) < MOST)

    def release(self, worker: Worker) -> None:
        """Take a worker back that has answered."""
        worker.used = True
        with self._lock:
            self._idle.append(worker)
            self._lock.notify()

    def remove(self, worker: Worker, *, spare: bool) -> None:
        """Drop a worker that is dead or must be; start a spare, so that the next one finds it warm."""
        with self._lock:
            self._alive.discard(worker)
            self._lock.notify()
            if spare and not self._idle and len(self._alive) < MOST:
                try:
                    fresh = Worker(self._command())
                except Stop:
                    return
                self._alive.add(fresh)
                self._idle.append(fresh)

    def alive(self) -> int:
        """Count the processes."""
        return len(self._alive)

    def close(self) -> None:
        """End all workers."""
        if self._pid != os.getpid():
            return
        with self._lock:
            workers, self._alive, self._idle = self._alive, set(), []
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.discard()

    def forget(self) -> None:
        """In a forked child: start anew; the parent's workers answer the parent."""
        for worker in self._alive:
            worker.forget()
        command = self.command
        self.__init__()  # type: ignore[misc]
        self.command = command


pool = Pool()
atexit.register(pool.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=pool.forget)


def run(source: str, data: str, description: Description, scope: CancelScope) -> Iterator[object]:
    """Run a program in a worker; give its results as libjq gives them.

    ``NotCompiled`` where the program does not compile, ``ValueError`` as the binding raises it. A cancelled scope kills
    the worker and raises its ``Stop``; a worker that dies raises ``Stop("limit")``: neither is ever an empty answer.
    """
    scope.check()
    about_to_block()
    left = scope.remaining()
    seconds = PROCESSOR_SECONDS if left is None else min(PROCESSOR_SECONDS, int(left) + 2)
    texts = (source, dumps(description), data)
    worker = pool.acquire(scope)
    done = False
    try:
        worker = _send(worker, texts, seconds, scope)
        with scope.on_cancel(worker.kill):
            while True:
                block = worker.receive()
                if block is None:
                    scope.check()
                    raise _death(worker.close(), seconds)
                letter, text = block
                if letter == b"r":
                    yield from loads(text)
                elif letter == b".":
                    done = True
                    return
                else:
                    failure = NotCompiled(text) if letter == b"c" else ValueError(text)
                    done = worker.receive() == (b".", "")
                    raise failure
    finally:
        if done and scope.stop is None:
            pool.release(worker)
        else:
            worker.discard()
            pool.remove(worker, spare=True)


def _send(worker: Worker, texts: Sequence[str], seconds: int, scope: CancelScope) -> Worker:
    """Write the request; a worker that died while it was idle is replaced once."""
    try:
        with scope.on_cancel(worker.kill):
            worker.send(texts, seconds)
    except OSError:
        scope.check()
        worker.discard()
        pool.remove(worker, spare=False)
        worker = pool.acquire(scope)
        try:
            worker.send(texts, seconds)
        except OSError:
            raise Stop("lost", "jq: the worker can't be reached") from None
    return worker


def _death(status: int | None, seconds: int) -> Stop:
    if status == -24:  # SIGXCPU
        return Stop("limit", f"jq: the program used more than {seconds} s of processor time")
    return Stop("limit", f"jq: the program ended libjq: out of memory or stack, or out of time (status {status})")
