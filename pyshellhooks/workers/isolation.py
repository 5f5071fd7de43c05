"""``isolation="process"``: scripts run in warm processes that can be killed, which a thread cannot.

A script that hangs in C code, holds the GIL or exhausts memory there ends with its process; the host only waits on a
pipe. A warm run costs one round trip more than a run in-process. The pool is global to the process: at most ``MOST``
workers, which end at exit, and which a forked child drops. A worker keeps no state of a run.
"""

from __future__ import annotations

import atexit
import errno
import itertools
import json
import os
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from time import monotonic, sleep
from typing import Any, Required, TypedDict

from ..cancel import CancelScope, Gate, about_to_block
from ..ended import Abandoned, Ended, Exited, Signaled, Stopped
from ..errors import Stop, UsageError, message_of
from ..host import current, subreaper
from ..host.base import CONT, COOKIE, KILL, Process
from ..limits import Limits
from ..notice import Notice, read
from .shell_worker import FRAME, frame

MOST = 4
SHARE = 0.6  # of ``Limits.slack``, for the worker to kill stubborn children; then it is killed with them
_CHUNK = 1 << 17
_OVERHEAD = 1 << 24  # of an answer besides its outputs: notices
_KEPT_VARIABLES = ("TEMP", "TMP", COOKIE)  # temporary directories of some systems; this process's cookie

# Standard library first, then the host's own import paths, in its order.
MAIN = """\
import sys
sys.path += [path for path in sys.argv[1:] if path not in sys.path]
from pyshellhooks.host.subreaper import run_under_subreaper
run_under_subreaper()  # while there is little to share
from pyshellhooks.shell import Shell
from pyshellhooks.workers.shell_worker import serve
serve(Shell)
"""

_numbers = itertools.count(1)


class Facts(TypedDict, total=False):
    """The arguments of the shell's ``Result``, which this room does not import."""

    status: Required[int]
    stdout: Required[bytes]
    stderr: Required[bytes]
    ended: Required[Ended]
    seconds: Required[float]
    notices: tuple[Notice, ...]
    late: bool
    fault: str
    own: tuple[str, Notice] | None


class Worker:
    """One worker process, idle or with one run."""

    __slots__ = ("_data", "_orders", "_process", "_reader", "_writer", "cookie", "run")

    def __init__(self, command: Sequence[str]) -> None:
        host = current()
        self.cookie = f"worker.{os.getpid()}.{next(_numbers)}.{id(self):x}"
        self.run = ""  # the cookie of its run
        self._data = bytearray()
        self._writer = self._reader = -1
        self._orders = -1  # the subreaper's pipe, if it has a subreaper
        env = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
        fds: dict[int, int] = {}
        try:
            fds[0], self._writer = host.pipe()
            self._reader, fds[1] = host.pipe()
            fds[2] = os.open(os.devnull, os.O_RDWR)
            if host.can_use_subreaper:
                orders, self._orders = host.pipe()
                fds[orders] = orders
                env[subreaper.ORDERS] = str(orders)
            host.unblock(self._writer)
            host.unblock(self._reader)
            self._process: Process = host.spawn(
                command,
                executable=command[0],
                env=env,
                cwd=(os.path.splitdrive(sys.executable)[0] if host.windows else "") + "/",
                fds=fds,
                gate=Gate(),
                cookie=self.cookie,
            )
        except BaseException as error:
            self.close()
            if isinstance(error, OSError):
                why = f"the worker process can't be started: {command[0]}: {message_of(error)}"
                raise Stop("refused", why) from None
            raise
        finally:
            for fd in fds.values():
                os.close(fd)

    def is_running(self) -> bool:
        """Return whether the process is running."""
        try:
            return self._process.poll() is None
        except Stop:  # lost, so it has ended
            return False

    def exchange(
        self, request: bytes, number: int, limits: Limits, scope: CancelScope
    ) -> tuple[bytes, Any, bytes] | None:
        """Send a run and wait for its answer. Return None if the process has ended.

        A cancel is sent to the worker, whose answer may then take the grace and its share of the slack; after that,
        raise TimeoutError. All of it happens on this thread, so that no two frames mix.
        """
        host = current()
        view = memoryview(request)
        is_sent = False
        slack, most = SHARE * limits.slack, 2 * limits.output + _OVERHEAD
        with _Wait(scope, slack) as wait:
            while True:
                if scope.stop is not None:
                    if not is_sent:
                        is_sent = True
                        if view:
                            raise TimeoutError  # half a request is useless
                        view = memoryview(frame(b"c", [number, scope.stop.reason, scope.stop.detail]))
                        pool.prepare_spare()
                    if monotonic() >= (scope.hard or 0.0) + slack:
                        raise TimeoutError
                try:
                    if view:
                        view = view[host.write_now(self._writer, bytes(view[: 1 << 16])) :]
                        if view or not is_sent:
                            wait.ready(self._writer if view else self._reader, bool(view))
                            continue
                    data = host.read_now(self._reader, _CHUNK)
                except OSError as error:
                    if error.errno in (errno.EPIPE, errno.EINVAL, errno.ECONNRESET):
                        return None
                    raise
                if data is None:
                    wait.ready(self._reader, False)
                elif not data:
                    return None
                elif (answer := self._parse(data, most)) is not None:
                    return answer

    def _parse(self, data: bytes, most: int) -> tuple[bytes, Any, bytes] | None:
        buffer = self._data
        buffer += data
        if len(buffer) < FRAME.size:
            return None
        letter, header, body = FRAME.unpack_from(buffer)
        if header + body > most:
            raise Stop("lost", "the worker's response is invalid")
        start = FRAME.size + header
        if len(buffer) < start + body:
            return None
        value = json.loads(bytes(buffer[FRAME.size : start]))
        content = bytes(buffer[start : start + body])
        buffer.clear()
        return letter, value, content

    def end(self, *, gone: bool = False) -> str:
        """Kill the worker and its run's children, and close its pipes. Return how the process had ended, if it had."""
        process = self._process
        try:
            # Its pipe may close a moment before the process ends.
            status = process.poll() if process.ended(monotonic() + (0.2 if gone else 0.0)) else None
        except Stop:
            status = None
        self.kill_run()
        self.close()
        if status is None:
            return "the worker process ended"
        if status > 128:
            return f"the worker process was killed by signal {status - 128}"
        return f"the worker process ended with status {status}"

    def leave(self) -> None:
        """Release the worker, without killing the background processes that its run has left."""
        if self._has_subreaper():
            os.write(self._orders, subreaper.PEACE)
            self.close()
            self._process.ended(monotonic() + 0.4)
            self.is_running()  # reaps
        else:
            self.run = ""
            self.end()

    def _has_subreaper(self) -> bool:
        return self._orders >= 0 and not current().is_broken(self._orders)

    def kill_run(self) -> None:
        """Kill the worker, then its run's children, and reap it."""
        if self._has_subreaper():
            os.write(self._orders, subreaper.KILL)
            until = monotonic() + 0.4
            self._process.signal(CONT)  # a script may have stopped it
            if not self._process.ended(until):
                current().sweep((), self.run or None)  # the subreaper continues until no process is left
            self.is_running()  # reaps
            return
        # First the worker alone, as processes that earlier runs left in peace are its descendants too. Then the
        # children of this run, by its cookie, and the jq workers, by the worker's own cookie. On Windows its job ends
        # them all.
        self._process.signal(KILL)
        host = current()
        for cookie in filter(None, (self.run, self.cookie)):
            host.sweep((), cookie)
        self._process.ended(monotonic() + 0.4)
        self.is_running()  # reaps

    def close(self) -> None:
        """Close the pipes; a live worker then ends by itself."""
        for fd in (self._writer, self._reader, self._orders):
            try:
                os.close(fd)
            except OSError:
                pass


class _Wait:
    """Waits for a pipe or a cancel of the scope, in the system's way."""

    def __init__(self, scope: CancelScope, slack: float) -> None:
        self._scope = scope
        self._slack = slack
        self._pause = 0.0002
        self._alarm: Any = None

    def __enter__(self) -> _Wait:
        about_to_block()
        if not current().windows:
            from ..host.wakeup import CancellableWait

            self._alarm = CancellableWait(self._scope).__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._alarm is not None:
            self._alarm.__exit__(*exc)

    def ready(self, fd: int, write: bool) -> None:
        """Return when the pipe may be ready, the scope was cancelled, or a short time is over."""
        if self._alarm is not None:
            hard = self._scope.hard
            left = 1.0 if hard is None else max(0.0, min(1.0, hard + self._slack - monotonic()))
            self._alarm.wait(fd, write=write, timeout=left)
        else:
            sleep(self._pause)
            self._pause = min(self._pause * 1.5, 0.01)


class Pool:
    """Up to ``MOST`` workers; idle ones are kept for the next run."""

    def __init__(self) -> None:
        self._lock = threading.Condition(threading.Lock())
        self._idle: list[Worker] = []
        self._alive: set[Worker] = set()
        self._leaving: list[Worker] = []  # removed, but perhaps not yet reaped
        # Replaces this Python for a frozen host: absolute path and arguments of a program that calls ``serve(Shell)``.
        self.command: Sequence[str] | None = None

    def _command(self) -> list[str]:
        if self.command is not None:
            return list(self.command)
        if not sys.executable or getattr(sys, "frozen", False):
            why = "no Python found to run the worker; set pyshellhooks.workers.isolation.pool.command"
            raise Stop("refused", why)
        package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        flags = ["-I", "-S", "-X", "utf8", *(["-B"] if sys.dont_write_bytecode else [])]
        paths = [package, *(path for path in sys.path if os.path.isabs(path) and path != package)]
        return [sys.executable, *flags, "-c", MAIN, *paths]

    def warm(self) -> None:
        """Start the first worker in advance of the first run. A failure is reported by that run."""
        try:
            with self._lock:
                if not self._alive:
                    self._start()
        except Stop:
            pass

    def _start(self) -> None:
        self._leaving = [worker for worker in self._leaving if worker.is_running()]
        worker = Worker(self._command())
        self._alive.add(worker)
        self._idle.append(worker)

    def acquire(self, scope: CancelScope) -> Worker:
        """Return an idle worker, start one, or wait for one."""
        while True:
            with self._lock:
                while True:
                    if not self._idle and len(self._alive) < MOST:
                        self._start()
                    if not self._idle:
                        break
                    worker = self._idle.pop()
                    if worker.is_running():
                        return worker
                    self._alive.discard(worker)
                    worker.close()
            about_to_block()
            with self._lock:
                scope.wait(self._lock, lambda: bool(self._idle) or len(self._alive) < MOST)

    def release(self, worker: Worker) -> None:
        """Return a worker to the pool after its answer."""
        worker.run = ""
        with self._lock:
            if worker in self._alive:
                self._idle.append(worker)
                self._lock.notify()

    def remove(self, worker: Worker) -> None:
        """Remove a worker that is dead or must die."""
        with self._lock:
            self._alive.discard(worker)
            self._leaving.append(worker)
            self._lock.notify()

    def prepare_spare(self) -> None:
        """Start another worker when one may have to be killed, so that it is ready by then."""
        try:
            with self._lock:
                if not self._idle and len(self._alive) < MOST:
                    self._start()
        except Stop:
            pass

    def alive(self) -> int:
        """Return the number of live workers."""
        return len(self._alive)

    def close(self) -> None:
        """Kill all workers and their runs' children; those runs end as lost."""
        with self._lock:
            workers, self._alive, self._idle = self._alive, set(), []
        for worker in workers:
            worker.kill_run()
            if not worker.run:  # else another thread waits on its pipes and closes them
                worker.close()

    def forget(self) -> None:
        """Start anew in a forked child, as the parent's workers answer the parent."""
        workers, command = self._alive, self.command
        self.__init__()  # type: ignore[misc]
        self.command = command
        for worker in workers:
            worker.close()


pool = Pool()
atexit.register(pool.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=pool.forget)


class Isolated:
    """A shell whose runs go to the pool. It holds only its configuration."""

    def __init__(
        self,
        *,
        cwd: str,
        spawn: bool,
        limits: Limits,
        prefer_host: Iterable[str],
        scripts: str,
        umask: int,
    ) -> None:
        self._limits = limits
        options = {
            "cwd": cwd,
            "spawn": spawn,
            "limits": {name: getattr(limits, name) for name in Limits.__slots__},
            "prefer_host": sorted(prefer_host),
            "scripts": scripts,
            "umask": umask,
        }
        self._options = json.dumps(options)
        pool.warm()

    def run(
        self,
        script: str,
        args: Sequence[str],
        stdin: bytes,
        env: Mapping[str, str],
        scope: CancelScope,
        **options: object,
    ) -> Facts:
        """Run a script in a worker. Any failure of the worker becomes the run's end.

        ``options``: ``cwd name options command_string files text_output`` as for ``Shell.run``. Raise ``UsageError`` for a wrong
        call.
        """
        begun = monotonic()
        try:
            return self._run(script, args, stdin, env, scope, options)
        except Stop as stop:
            status = {"deadline": 124, "cancelled": 130}.get(stop.reason, 125)
            ended = Stopped(stop.reason, stop.detail, stop.limit)
            return Facts(status=status, stdout=b"", stderr=b"", ended=ended, seconds=monotonic() - begun)

    def _run(
        self,
        script: str,
        args: Sequence[str],
        stdin: bytes,
        env: Mapping[str, str],
        scope: CancelScope,
        options: Mapping[str, object],
    ) -> Facts:
        scope.check()
        worker = pool.acquire(scope)
        number = next(_numbers)
        worker.run = f"{os.getpid()}.i{number}.{id(scope):x}"
        answer: tuple[bytes, Any, bytes] | None = None
        try:
            request = {
                **options,
                "shell": self._options,
                "script": script,
                "args": args,
                "env": dict(env),
                "number": number,
                "timeout": scope.remaining(),
                "grace": scope.grace,
                "cookie": worker.run,
            }
            answer = worker.exchange(frame(b"r", request, stdin), number, self._limits, scope)
        except TimeoutError:
            assert scope.stop is not None
            raise Stop(scope.stop.reason, scope.stop.detail or "the worker process was killed") from None
        finally:
            if answer is not None and answer[0] == b"d" and not answer[1]["retire"]:
                pool.release(worker)
            else:
                pool.remove(worker)
                if scope.stop is None and answer is not None and answer[0] == b"d" and _ended_normally(answer[1]):
                    worker.leave()
                    pool.prepare_spare()
                else:
                    why = worker.end(gone=answer is None and scope.stop is None)
        if answer is None:
            scope.check()
            raise Stop("lost", why)
        return _facts(*answer)


def _ended_normally(facts: Any) -> bool:
    """Return whether the background processes of a run may live on."""
    return bool(facts["ended"][0] == "exited" and not facts["late"])


def _facts(letter: bytes, value: Any, body: bytes) -> Facts:
    if letter == b"f":
        reason, text = value
        if reason == "usage":
            raise UsageError(text)
        raise Stop(reason, text)
    kind, *facts = value["ended"]
    ended: Ended = {"exited": Exited, "signaled": Signaled, "stopped": Stopped, "abandoned": Abandoned}[kind](*facts)
    out = value["out"]
    notices = tuple([read(*notice) for notice in value["notices"]])
    own = value["own"]
    return Facts(
        status=value["status"],
        stdout=body[:out],
        stderr=body[out:],
        ended=ended,
        seconds=value["seconds"],
        notices=notices,
        late=value["late"],
        fault=value["fault"],
        own=None if own is None else (own[0], notices[own[1]]),
    )
