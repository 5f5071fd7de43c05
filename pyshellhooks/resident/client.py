"""``pyshellhooks-hook SYSTEM``: the hook command in an agent's settings.

It sends its stdin, words, directory and environment to the resident engine, and outputs the engine's response. If no
engine accepts the request in 200 ms, it runs the hooks itself. If an engine accepted it and was lost, or everything
else fails, it denies events that have guards (ADR 9). No hook runs twice. It imports nothing heavy: it runs before
every tool call.
"""

from __future__ import annotations

import os
import sys
from _socket import socket  # the module socket imports selectors and enum, 5 ms
from time import monotonic

from . import address

TYPE_CHECKING = False  # typing and collections cost each hook 3 ms
if TYPE_CHECKING:
    from collections.abc import Sequence

_ENDED = b"\r\n\r\n"
_LARGEST_HEAD = 1 << 16

Response = tuple[bytes, int, bytes]  # stdout, exit status, stderr


class Lost(Exception):
    """An engine accepted the request and sent no response."""


class _NotAccepted(Exception):
    """No engine accepted the request; no hook has run."""


def main() -> int:
    """Run the command and return its exit status. It always outputs a response in the system's format."""
    words = sys.argv[1:]
    if not words or words[0].startswith("-"):
        return _help(words)
    payload = sys.stdin.buffer.read() if sys.stdin is not None else b""
    try:
        answer = request_hooks(words, payload)
    except Exception as error:
        answer = _failed(words, payload, f"{type(error).__name__}: {error}")
    _write(answer)
    return answer[1]


def request_hooks(words: Sequence[str], payload: bytes) -> Response:
    """Return the response of the resident engine, or of the hooks run in this process."""
    env = dict(os.environ)
    try:
        cwd = os.getcwd()
    except OSError:
        cwd = ""  # it was removed; the payload names one too
    try:
        body = address.pack(words, cwd, env, payload)
        return engine_response(body, len(words), len(env), address.directory(env), _longest(words))
    except (_NotAccepted, ValueError):  # ValueError: a NUL in a word can't be sent
        pass
    except Lost as error:
        return _failed(words, payload, str(error))
    from .answering import Request, alone

    _start_engine(env)
    return alone(Request(tuple(words), payload, env, cwd))


def _longest(words: Sequence[str]) -> float:
    """Return the seconds that an engine has for its response: a little more than ``--timeout``."""
    longest = float("inf")
    for index, word in enumerate(words):
        name, _, value = word.partition("=")
        if name == "--timeout":
            try:
                longest = float(value or words[index + 1]) + address.SLACK
            except (ValueError, IndexError):
                pass  # the engine reports the mistake
    return longest


def engine_response(body: bytes, words: int, variables: int, place: str, longest: float = float("inf")) -> Response:
    """Return the engine's response. Raises ``_NotAccepted`` if none accepts the request, ``Lost`` if one then fails.

    An engine may hang (SIGSTOP, swap): ``longest`` seconds limit the whole response, ``address.SILENCE`` each read.
    """
    until = monotonic() + address.ACCEPTANCE
    try:
        connection, token = connect(place)
    except OSError as error:
        raise _NotAccepted(str(error)) from None
    try:
        head = (
            f"POST {address.RUN} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n"
            f"Content-Length: {len(body)}\r\n{address.WORDS}: {words}\r\n{address.VARIABLES}: {variables}\r\n{token}\r\n"
        )
        try:
            connection.sendall(head.encode("ascii"))
            line, _ = _read_head(connection, b"", until)
        except (OSError, ValueError) as error:
            raise _NotAccepted(str(error)) from None
        if b" 100 " not in line[:13]:
            raise _NotAccepted(line.decode("latin-1"))
        until = monotonic() + longest
        try:
            connection.settimeout(min(longest, address.SILENCE))
            connection.sendall(body)
            return _read_response(connection, until)
        except (OSError, ValueError, KeyError) as error:
            raise Lost(f"lost the engine after it accepted this event: {error}") from None
    finally:
        connection.close()


def connect(place: str) -> tuple[socket, str]:
    """Return a connection to the engine and its authorization header. Raises ``OSError`` if there is no engine."""
    if not address.is_private(place):
        raise OSError(f"{place} is missing or accessible to other users")
    if address.has_users():
        from _socket import AF_UNIX

        connection, token, target = socket(AF_UNIX), "", address.socket_path(place)
    else:
        with open(address.port_path(place), "rb") as file:
            port, secret = file.read().decode().split()
        connection, token, target = socket(), f"Authorization: Bearer {secret}\r\n", ("127.0.0.1", int(port))  # type: ignore[assignment]
    try:
        connection.settimeout(address.ACCEPTANCE)
        connection.connect(target)
    except BaseException:
        connection.close()
        raise
    return connection, token


def _receive(connection: socket, until: float) -> bytes:
    """Return the next bytes. Raises ``OSError`` after a timeout, ``ValueError`` at the end of the connection."""
    left = until - monotonic()
    if left <= 0:
        raise TimeoutError("it did not respond in time")
    connection.settimeout(min(left, address.SILENCE))
    got = connection.recv(1 << 20)
    if not got:
        raise ValueError("the connection was closed")
    return got


def _read_head(connection: socket, data: bytes, until: float) -> tuple[bytes, bytes]:
    """Return a response's head without its empty line, and the bytes after it that have arrived."""
    while _ENDED not in data:
        data += _receive(connection, until)
        if len(data) > _LARGEST_HEAD and _ENDED not in data:
            raise ValueError("the peer is not a pyshellhooks engine")
    head, _, rest = data.partition(_ENDED)
    return head, rest


def _read_response(connection: socket, until: float) -> Response:
    head, data = _read_head(connection, b"", until)
    while b" 102 " in head[:13]:  # a heartbeat
        head, data = _read_head(connection, data, until)
    lines = head.decode("latin-1").split("\r\n")
    if " 200 " not in lines[0][:13]:
        raise ValueError(lines[0])
    fields = {key.lower(): value.strip() for key, _, value in (line.partition(":") for line in lines[1:])}
    length, errors = int(fields["content-length"]), int(fields[address.STDERR.lower()])
    parts = [data]
    missing = length - len(data)
    while missing > 0:
        got = _receive(connection, until)
        parts.append(got)
        missing -= len(got)
    whole = b"".join(parts)
    return whole[: length - errors], int(fields[address.STATUS.lower()]), whole[length - errors : length]


def _start_engine(env: dict[str, str]) -> None:
    """Start an engine for later hooks, unless that was tried a moment ago. The engine logs its own errors."""
    if env.get("PYSHELLHOOKS_NO_ENGINE"):
        return
    try:
        from .spawn import start

        start(env)
    except Exception as error:
        sys.stderr.write(f"pyshellhooks-hook: can't start an engine: {error}\n")


def _failed(words: Sequence[str], payload: bytes, message: str) -> Response:
    """Return the response after an internal failure: a deny, or status 1 for an event without guards."""
    message = f"pyshellhooks: {message}"
    try:
        from .answering import failed

        return failed(words, payload, message)
    except Exception:
        from .fallback import denied

        return denied(words[0], payload, message)


def _help(words: Sequence[str]) -> int:
    from .answering import UsageError, help_text

    try:
        text = help_text(words)
    except UsageError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(text)
    return 0


def _write(answer: Response) -> None:
    """Write stdout and stderr. A closed reader does not change the status."""
    for stream, data in ((sys.stdout, answer[0]), (sys.stderr, answer[2])):
        if data and stream is not None:
            try:
                stream.buffer.write(data)
                stream.flush()
            except OSError:
                pass
