"""``pyshellhooks serve``: one resident engine for the hooks of all agents of this user."""

from __future__ import annotations

import os
import secrets
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ..errors import UsageError
from . import USAGE_ERROR, arguments, install, terminal
from .parsers import OK

HEALTH = ("ok", "version", "pid", "seconds", "requests", "running", "engines", "connections")


def parser() -> arguments.Parser:
    """Return the parser of the command."""
    command_parser = arguments.parser(
        "serve",
        "Run the hooks of all agents in one resident process, for `pyshellhooks-hook SYSTEM` and for `http` hooks.",
        examples=(
            "serve --idle 3600",
            "serve --port 0 --token-file token",
            "serve --status",
            "serve --install claude",
        ),
    )
    command_parser.add_argument(
        "--socket", metavar="PATH", help="listen on this Unix socket (default: the socket of pyshellhooks-hook)"
    )
    command_parser.add_argument(
        "--port", type=int, metavar="N", help="listen on this port of 127.0.0.1; 0 selects a free one"
    )
    command_parser.add_argument(
        "--token-file", metavar="FILE", help="a file with the token that requests to the port need; created if missing"
    )
    command_parser.add_argument(
        "--pipe", metavar="NAME", help=r"listen on this named pipe (Windows), such as \\.\pipe\hooks"
    )
    command_parser.add_argument(
        "--stdio", action="store_true", help="answer lines of JSON on standard input; listen nowhere"
    )
    command_parser.add_argument(
        "--idle", type=_seconds, default=0.0, metavar="SECONDS", help="end after this time without a request"
    )
    http = command_parser.add_argument_group("for http hooks, which can't pass arguments")
    http.add_argument("--config", action="append", default=[], metavar="FILE", help="run the hooks of this file")
    http.add_argument("--project", metavar="DIR", help="the project (default: the payload's)")
    http.add_argument("--trust-project", action="store_true", help="run the project's hooks even if they are untrusted")
    http.add_argument("--strict", action="store_true", help="deny if a hook fails")
    install.add_options(command_parser)
    command_parser.add_argument(
        "--status", action="store_true", help="show whether an engine is running, and its health"
    )
    command_parser.add_argument("--stop", action="store_true", help="stop the engine")
    return command_parser


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise ArgumentTypeError(f"invalid number of seconds {text!r}")
    return seconds


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    options = parser().parse_args(argv)
    if options.install or options.uninstall:
        return install.run(options)
    if options.status or options.stop:
        return _control_engine(options)
    if options.stdio:
        from ..host import current
        from ..resident import stdio

        stdio.serve(sys.stdin.buffer, sys.stdout.buffer, current().environ(), os.getcwd())
        return OK
    return _serve(options)


def _serve(options: Namespace) -> int:
    import logging

    from ..resident import address, spawn
    from ..resident.server import Server

    if options.port is not None and not options.token_file:
        raise UsageError("--port needs --token-file FILE with the token of the requests")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    socket, port, port_file, marker = options.socket or "", options.port, "", ""
    if options.socket is None and options.port is None and options.pipe is None:
        place = address.directory(os.environ)
        spawn.make_directory(place)
        marker = spawn.marker_path(place)
        if address.has_users():
            socket = address.socket_path(place)
        else:
            # Windows has no sockets that only their owner can use: a free port, which a private file names.
            port, port_file = 0, address.port_path(place)
    server = Server(
        socket=socket,
        port=port,
        port_file=port_file,
        marker=marker,
        pipe=options.pipe or "",
        idle=options.idle,
        token=_token(options.token_file) if options.token_file else "",
        words=_words(options),
    )
    server.run(owns_process=True)
    return OK


def _words(options: Namespace) -> tuple[str, ...]:
    """Return the command-line options that apply to ``http`` hooks, which cannot have their own."""
    words: list[str] = []
    # Absolute, as each request is run in the directory of its own agent.
    for config in options.config:
        words += ["--config", os.path.abspath(config)]
    if options.project:
        words += ["--project", os.path.abspath(options.project)]
    if options.trust_project:
        words.append("--trust-project")
    if options.strict:
        words.append("--strict")
    return tuple(words)


def _token(file: str) -> str:
    """Read the token of a file, or create one that only this user can read. Raises ``OSError``, ``UsageError``."""
    # O_EXCL: of two engines that start at once, one creates the token and both read it.
    with suppress(FileExistsError):
        fd = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(fd, "w", encoding="ascii") as out:
            out.write(secrets.token_urlsafe(32) + "\n")
    with open(file, encoding="utf-8") as stored:
        token = stored.read().strip()
    fits_a_header = token.isascii() and token.isprintable() and " " not in token
    if len(token) < 16 or not fits_a_header:
        raise UsageError(
            f"--token-file: invalid token in {file} (expected 16 or more letters, digits and signs, and no space)"
        )
    return token


def _control_engine(options: Namespace) -> int:
    """Query the health of the resident engine, or stop it, and print the result."""
    response = _query_engine("POST", "/stop") if options.stop else _query_engine("GET", "/health")
    if options.json:
        arguments.write(arguments.to_json({**dict.fromkeys(HEALTH), "ok": False, **(response or {})}))
    elif response is None:
        terminal.print_error("no engine is running; the next pyshellhooks-hook starts one")
    elif options.stop:
        arguments.write("the engine is stopping\n")
    else:
        arguments.write("".join(f"{key}: {value}\n" for key, value in response.items()))
    return USAGE_ERROR if response is None else OK


def _query_engine(method: str, path: str) -> dict[str, Any] | None:
    """Return the response of the engine that pyshellhooks-hook would use; None if no engine answers."""
    import json
    from http.client import HTTPConnection, HTTPException
    from socket import socket

    from ..resident import address, client

    connection = HTTPConnection("127.0.0.1", timeout=5)
    try:
        raw, token = client.connect(address.directory(os.environ))
        # The client's socket is of C's module, without makefile(), which http.client needs.
        connection.sock = socket(raw.family, raw.type, raw.proto, raw.detach())
        connection.sock.settimeout(5)  # the descriptor is non-blocking
        name, _, value = token.strip().partition(": ")
        connection.request(method, path, headers={name: value} if name else {})
        response = json.loads(connection.getresponse().read())
        return response if isinstance(response, dict) else None
    except (OSError, HTTPException, ValueError):
        return None
    finally:
        connection.close()
