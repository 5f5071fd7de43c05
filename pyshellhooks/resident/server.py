"""The server of a resident engine: it listens, logs, and ends when it is stopped, replaced or idle (docs/serve.md)."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from .. import __version__
from ..errors import PyShellHooksError, message_of
from ..fs.memory import MemoryFS
from ..host import current
from ..host.resident import peer_user
from ..host.signals import forward
from ..shell import Shell
from . import address
from .answering import AT_ONCE, HookReply, Request, answer
from .engines import Engines
from .http import LARGEST_HEAD, Connection, Listener

if TYPE_CHECKING:
    from ..cancel import CancelScope

log = logging.getLogger("pyshellhooks.serve")

LARGEST = 64 << 20  # most bytes of a payload
CONNECTIONS = 256
DRAIN = 30.0  # seconds for running hooks to end when the engine stops
CLOSING = 5.0  # seconds to send the rest of a response when a connection is closed
LOOK = 1.0  # seconds between two checks of the idle time and of the socket's identity
STOPS = {1, 2, 15}  # SIGHUP, SIGINT, SIGTERM


class _Identity(NamedTuple):
    inode: int
    modified: int  # nanoseconds


class AlreadyRunning(PyShellHooksError):
    """Another engine already answers on the socket."""


class Server:
    """One resident engine. ``run`` serves until it is stopped.

    ``socket``: the path of a Unix socket. ``port``: a port of 127.0.0.1; 0 takes a free one. ``pipe``: the name of a
    named pipe on Windows. A listener whose option is empty (``port``: None) is left out. ``words``: the words of
    ``http`` hooks after the system (``--config``, ``--project``). ``token``: that of the port, random by default.
    ``idle``: seconds without a request after which it ends; 0: never.
    """

    def __init__(
        self,
        *,
        socket: str = "",
        port: int | None = None,
        port_file: str = "",
        marker: str = "",
        pipe: str = "",
        idle: float = 0.0,
        token: str = "",
        env: Mapping[str, str] | None = None,
        cwd: str = "",
        words: tuple[str, ...] = (),
        largest: int = LARGEST,
    ) -> None:
        self.socket = socket
        self.port = port
        self.token = token or secrets.token_urlsafe(32)
        self._port_file = port_file
        self._marker = marker  # the file that marks a starting engine; removed once it listens
        self._pipe = pipe
        self._idle = idle
        self._largest = largest
        self._env = dict(current().environ() if env is None else env)
        self._cwd = cwd or os.getcwd()
        self._words = words
        self._began = self._last = time.monotonic()
        self._answered = self._now = 0
        self._connections: set[asyncio.Task[None]] = set()
        self._scopes: set[CancelScope] = set()
        self._pool = ThreadPoolExecutor(AT_ONCE, "pyshellhooks-serve")
        self._engines = Engines()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = asyncio.Event()
        self._mine: dict[str, _Identity | None] = {}  # our socket and our port file
        self.listening = threading.Event()

    # -- life ---------------------------------------------------------------------------------------------------------

    def run(self, *, owns_process: bool = False) -> None:
        """Serve until ``stop``, a signal (``owns_process``) or the idle time. Raises ``AlreadyRunning`` or ``OSError``.

        ``owns_process``: install signal handlers.
        """
        asyncio.run(self._run(owns_process))

    def stop(self) -> None:
        """Accept no more requests, and end after the running ones. Safe in any thread."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._stopping.set)

    async def _run(self, owns_process: bool) -> None:
        self._loop = asyncio.get_running_loop()
        if owns_process:
            forward(lambda number: self.stop() if number in STOPS else None)
        servers = [
            server for server in (await self._on_socket(), await self._on_port(), await self._on_pipe()) if server
        ]
        log.info("pyshellhooks %s listens, process %d", __version__, os.getpid())
        if self._marker:
            with suppress(OSError):
                os.unlink(self._marker)
        self.listening.set()
        self._pool.submit(warm)
        try:
            while not self._stopping.is_set() and not self._is_over():
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), LOOK)
        finally:
            self._leave_place()  # before the socket is closed: as long as it is open, no other has its inode
            for server in servers:
                server.close()
            await self._drain()
            log.info("ended; %d requests answered", self._answered)

    def _is_over(self) -> bool:
        """Return whether the idle time is over, or another engine has replaced our socket or port file."""
        waits = bool(self._idle) and not self._now
        if waits and time.monotonic() - self._last > self._idle:
            return True
        return any(_identity(path) != identity for path, identity in self._mine.items())

    async def _drain(self) -> None:
        until = time.monotonic() + DRAIN
        while self._now and time.monotonic() < until:
            await asyncio.sleep(0.02)
        for scope in list(self._scopes):
            scope.cancel()
        for task in list(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        self._pool.shutdown(wait=False, cancel_futures=True)
        await asyncio.get_running_loop().run_in_executor(None, self._engines.close)

    def _leave_place(self) -> None:
        for path, identity in self._mine.items():
            if _identity(path) == identity:
                with suppress(OSError):
                    os.unlink(path)

    # -- listeners ----------------------------------------------------------------------------------------------------

    async def _on_socket(self) -> asyncio.AbstractServer | None:
        """Listen on the Unix socket. A rename moves it to its path, so that a client finds only a listening one."""
        if not self.socket:
            return None
        if not address.has_users():
            raise PyShellHooksError("Python has no Unix sockets on this system; use --port or --pipe")
        if _answers(self.socket):
            raise AlreadyRunning(f"another engine is already listening on {self.socket}")
        own = f"{self.socket}.{os.getpid()}"
        with suppress(FileNotFoundError):
            os.unlink(own)
        listening = socket.socket(socket.AF_UNIX)
        try:
            listening.bind(own)
            os.chmod(own, 0o600)
            listening.listen(CONNECTIONS)
            os.rename(own, self.socket)
        except OSError as error:
            listening.close()
            raise OSError(error.errno, message_of(error), self.socket) from None
        self._mine[self.socket] = _identity(self.socket)
        listener = self._listener(None)
        return await asyncio.start_unix_server(
            lambda reader, writer: self._serve_connection(listener, reader, writer), sock=listening, limit=LARGEST_HEAD
        )

    async def _on_port(self) -> asyncio.AbstractServer | None:
        """Listen on a loopback port, and write the port and the token to the port file."""
        if self.port is None:
            return None
        listener = self._listener(self.token)
        server = await asyncio.start_server(
            lambda reader, writer: self._serve_connection(listener, reader, writer),
            "127.0.0.1", self.port, backlog=CONNECTIONS, limit=LARGEST_HEAD,
        )  # fmt: skip
        self.port = int(server.sockets[0].getsockname()[1])
        if self._port_file:
            own = f"{self._port_file}.{os.getpid()}"
            fd = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(fd, "w", encoding="ascii") as file:
                file.write(f"{self.port} {self.token}\n")
            os.replace(own, self._port_file)
            self._mine[self._port_file] = _identity(self._port_file)
        return server

    async def _on_pipe(self) -> asyncio.AbstractServer | None:
        """Listen on a named pipe of Windows, to which only this user can write."""
        if not self._pipe:
            return None
        loop = asyncio.get_running_loop()
        serve_pipe = getattr(loop, "start_serving_pipe", None)
        if serve_pipe is None:
            raise PyShellHooksError("named pipes need Windows; use --socket")
        listener = self._listener(None)

        def protocol() -> asyncio.StreamReaderProtocol:
            reader = asyncio.StreamReader(LARGEST_HEAD, loop)
            return asyncio.StreamReaderProtocol(reader, lambda r, w: self._serve_connection(listener, r, w), loop)

        (server,) = await serve_pipe(protocol, self._pipe)
        return server  # type: ignore[no-any-return]

    def _listener(self, token: str | None) -> Listener:
        return Listener(
            self._run_hooks, token=token, env=self._env, cwd=self._cwd, words=self._words, largest=self._largest,
            enter=self._enter, leave=self._leave, health=self.health, stop=self.stop,
        )  # fmt: skip

    async def _serve_connection(
        self, listener: Listener, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        assert task is not None
        if len(self._connections) >= CONNECTIONS or not _is_ours(writer):
            writer.close()
            return
        self._connections.add(task)
        try:
            await Connection(listener, reader, writer).serve()
        except asyncio.CancelledError:
            pass  # the engine ends
        except Exception:
            log.exception("internal error on a connection")
        finally:
            writer.close()
            try:
                with suppress(Exception):  # the connection is closed in any case
                    await asyncio.wait_for(writer.wait_closed(), CLOSING)
            finally:
                writer.transport.abort()  # for a peer that reads no more, or an engine that ends
                self._connections.discard(task)  # last, since the end of the engine waits for these tasks

    # -- answering ----------------------------------------------------------------------------------------------------

    def _enter(self) -> bool:
        if self._now >= AT_ONCE or self._stopping.is_set():
            return False
        self._now += 1
        return True

    def _leave(self) -> None:
        self._now -= 1
        self._answered += 1
        self._last = time.monotonic()

    async def _run_hooks(self, request: Request, scope: CancelScope) -> HookReply:
        began = time.perf_counter()
        self._scopes.add(scope)
        try:
            reply = await asyncio.get_running_loop().run_in_executor(self._pool, answer, request, self._engines, scope)
        finally:
            self._scopes.discard(scope)
        # No content of the payload and no output of a hook: they may contain secrets.
        system = request.words[0][:40] if request.words else ""
        took = (time.perf_counter() - began) * 1000
        log.info(
            "%r %r: %s, status %d, %d hooks, %.1f ms",
            system,
            reply.event,
            reply.decision or "none",
            reply.status,
            reply.hooks,
            took,
        )
        return reply

    def health(self) -> dict[str, object]:
        """Return the content of the health page."""
        return {
            "ok": True,
            "version": __version__,
            "pid": os.getpid(),
            "seconds": round(time.monotonic() - self._began, 1),
            "requests": self._answered,
            "running": self._now,
            "engines": len(self._engines),
            "connections": len(self._connections),
        }


def warm() -> None:
    """Import the modules of a first hook in advance, so that it does not have to wait."""
    try:
        words = ("claude_code", "--strict")
        payload = b'{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}'
        with Engines() as engines:
            answer(Request(words, payload, {}, "/"), engines)
        Shell(fs=MemoryFS(), spawn=False).run("echo '{}' | jq -r .a | grep -qE 'a|b' || sed -n p <<< a", timeout=10)
    except Exception:
        log.exception("warming up failed")


def _is_ours(writer: asyncio.StreamWriter) -> bool:
    """Return whether the peer is this user or the superuser."""
    connection = writer.get_extra_info("socket")
    if connection is None or connection.family != getattr(socket, "AF_UNIX", None):
        return True  # a port requires the token, a pipe is the user's own
    user = peer_user(connection)
    return user is None or user in (os.getuid(), 0)


def _answers(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1)
        try:
            probe.connect(path)
        except OSError:
            return False
        return True


def _identity(path: str) -> _Identity | None:
    """Return the identity of a file, or None if it does not exist.

    An inode alone does not identify it: a file system gives the inode of a removed file to the next new one.
    """
    try:
        status = os.stat(path)
    except OSError:
        return None
    return _Identity(status.st_ino, status.st_mtime_ns)
