"""``pyshellhooks-hook SYSTEM``: what stands in an agent's settings as a hook command.

It hands its stdin, words, directory and environment to the resident engine, and gives the engine's answer as its own. If no
engine accepts the request in 200 ms, it runs the hooks itself. If an engine accepted and was lost, or nothing works at all,
it denies what the event guards (ADR 9). No hook runs twice. It imports nothing heavy: a hook runs before every tool call.
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

Answer = tuple[bytes, int, bytes]  # stdout, exit status, stderr


class Lost(Exception):
    """An engine accepted the request and gave no answer."""


class _NotAccepted(Exception):
    """No engine took the request; nothing has run."""


def main() -> int:
    """Run the command. It always ends with an answer in the system's own words."""
    words = sys.argv[1:]
    if not words or words[0].startswith("-"):
        return _help(words)
    payload = sys.stdin.buffer.read() if sys.stdin is not None else b""
    try:
        answer = ask(words, payload)
    except Exception as error:
        answer = _failed(words, payload, f"{type(error).__name__}: {error}")
    _write(answer)
    return answer[1]


def ask(words: Sequence[str], payload: bytes) -> Answer:
    """Return the answer of the resident engine, or of the hooks run here."""
    env = dict(os.environ)
    try:
        cwd = os.getcwd()
    except OSError:
        cwd = ""  # it was removed; the payload has one too
    try:
        body = address.pack(words, cwd, env, payload)
        return engines_answer(body, len(words), len(env), address.directory(env), _longest(words))
    except (_NotAccepted, ValueError):  # ValueError: a NUL in a word can't be sent
        pass
    except Lost as error:
        return _failed(words, payload, str(error))
    from .answering import Request, alone

    _start_engine(env)
    return alone(Request(tuple(words), payload, env, cwd))


def _longest(words: Sequence[str]) -> float:
    """Return how many seconds an engine has for its answer: a little more than ``--timeout``."""
    longest = float("inf")
    for index, word in enumerate(words):
        name, _, value = word.partition("=")
        if name == "--timeout":
            try:
                longest = float(value or words[index + 1]) + address.SLACK
            except (ValueError, IndexError):
                pass  # the engine reports the mistake
    return longest


def engines_answer(body: bytes, words: int, variables: int, place: str, longest: float = float("inf")) -> Answer:
    """Ask the engine. Raises ``_NotAccepted`` if none took the request, ``Lost`` if one did and gave no answer.

    An engine may be stopped (SIGSTOP, swap): ``longest`` bounds all, and no silence is longer than ``address.SILENCE``.
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
            return _read_answer(connection, until)
        except (OSError, ValueError, KeyError) as error:
            raise Lost(f"the engine accepted the hooks of this event and was lost: {error}") from None
    finally:
        connection.close()


def connect(place: str) -> tuple[socket, str]:
    """Return a connection to the engine and the header that admits to it. Raises ``OSError`` if there is none."""
    if not address.is_private(place):
        raise OSError(f"{place} is not there, or not this user's alone")
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
    """Return the next bytes. Raises ``OSError`` if none come in time, ``ValueError`` at the end."""
    left = until - monotonic()
    if left <= 0:
        raise TimeoutError("it gave no answer in time")
    connection.settimeout(min(left, address.SILENCE))
    got = connection.recv(1 << 20)
    if not got:
        raise ValueError("the connection was closed")
    return got


def _read_head(connection: socket, data: bytes, until: float) -> tuple[bytes, bytes]:
    """Return a response's head without its empty line, and what has come of the rest."""
    while _ENDED not in data:
        data += _receive(connection, until)
        if len(data) > _LARGEST_HEAD and _ENDED not in data:
            raise ValueError("what answers is no engine")
    head, _, rest = data.partition(_ENDED)
    return head, rest


def _read_answer(connection: socket, until: float) -> Answer:
    head, data = _read_head(connection, b"", until)
    while b" 102 " in head[:13]:  # a sign of life
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
    """Start an engine for the hooks to come, unless that was tried a moment ago. What goes wrong is the engine's to say."""
    if env.get("PYSHELLHOOKS_NO_ENGINE"):
        return
    try:
        from .starting import start

        start(env)
    except Exception as error:
        sys.stderr.write(f"pyshellhooks-hook: no engine could be started: {error}\n")


def _failed(words: Sequence[str], payload: bytes, message: str) -> Answer:
    """Return the deny, or status 1 where the event guards nothing, for a failure of ours."""
    message = f"pyshellhooks: {message}"
    try:
        from .answering import failed

        return failed(words, payload, message)
    except Exception:
        from .denying import denied

        return denied(words[0], payload, message)


def _help(words: Sequence[str]) -> int:
    from .answering import Wrong, help_text

    try:
        text = help_text(words)
    except Wrong as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(text)
    return 0


def _write(answer: Answer) -> None:
    """Write both texts. A reader that has gone does not change the status."""
    for stream, data in ((sys.stdout, answer[0]), (sys.stderr, answer[2])):
        if data and stream is not None:
            try:
                stream.buffer.write(data)
                stream.flush()
            except OSError:
                pass
