"""The address of an engine, and the form of a request. Each hook imports this module, so it imports nothing heavy.

The engine listens on a Unix socket in a directory that only the user can access, or, on Windows, on a loopback port. A
file in the same kind of directory contains the port and a token. Names contain the version and the installation, so
that an engine never answers for another release. The protocol is HTTP/1.1. ``Expect: 100-continue`` is the handshake
(RFC 9110 10.1.1): a request without a ``100 Continue`` was not accepted.
"""

from __future__ import annotations

import os
import sys
from binascii import crc32

from .. import __version__

TYPE_CHECKING = False  # typing and collections cost each hook 3 ms
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ACCEPTANCE = 0.2  # seconds for an engine to accept a request; after that the client runs the hooks itself
BEAT = 1.0  # seconds between two heartbeats while hooks run (102 Processing, RFC 2518 10.1)
SILENCE = 10.0  # seconds without a byte after which the client considers an engine lost
SLACK = 5.0  # seconds for an engine to deny after --timeout; after that the client denies

RUN = "/v1/run"  # the client's request: words, directory, environment and payload; its response: stdout, stderr, status
WORDS, VARIABLES, STDERR, STATUS = (
    "Pyshellhooks-Words",
    "Pyshellhooks-Variables",
    "Pyshellhooks-Stderr",
    "Pyshellhooks-Status",
)


def has_users() -> bool:
    """Return whether files have owners and sockets have paths: on all systems except Windows."""
    return hasattr(os, "getuid")


def directory(env: Mapping[str, str]) -> str:
    """Return the directory of the socket, or of the file with port and token. It need not exist."""
    named = env.get("PYSHELLHOOKS_ENGINE_DIR")
    if named:
        return named
    if has_users():
        runtime = env.get("XDG_RUNTIME_DIR", "")
        return f"{runtime}/pyshellhooks" if runtime.startswith("/") else f"/tmp/pyshellhooks-{os.getuid()}"
    return os.path.join(env.get("LOCALAPPDATA") or os.path.expanduser("~"), "pyshellhooks", "engine")


def is_private(path: str) -> bool:
    """Return whether a directory exists and only this user can write to it: a socket in it is the user's own."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    if not has_users():
        return True  # below the user's profile
    return status.st_uid == os.getuid() and status.st_mode & 0o170022 == 0o040000


def name() -> str:
    """Return the prefix of the file names of this installation's engine."""
    return f"{__version__}-{crc32(os.fsencode(sys.prefix)):08x}"


def socket_path(place: str) -> str:
    """Return the path of the Unix socket in a directory."""
    return f"{place}/{name()}.sock"


def port_path(place: str) -> str:
    """Return the path of the file with the port and the token in a directory."""
    return os.path.join(place, f"{name()}.port")


def pack(words: Sequence[str], cwd: str, env: Mapping[str, str], payload: bytes) -> bytes:
    """Return the body of a request: directory, words and variables, each followed by a NUL, then the payload."""
    parts = [cwd, *words, *(f"{key}={value}" for key, value in env.items())]
    return b"\0".join([*map(os.fsencode, parts), payload])


def unpack(body: bytes, words: int, variables: int) -> tuple[list[str], str, dict[str, str], bytes]:
    """Parse the result of ``pack``: words, directory, variables, payload. Raises ``ValueError`` for an invalid body."""
    if words < 0 or variables < 0:
        raise ValueError("a count is negative")
    parts = body.split(b"\0", 1 + words + variables)
    if len(parts) != 2 + words + variables:
        raise ValueError("the body is too short for its words and variables")
    texts = [os.fsdecode(part) for part in parts[:-1]]
    pairs = (text.partition("=") for text in texts[1 + words :])
    return texts[1 : 1 + words], texts[0], {key: value for key, _, value in pairs if key}, parts[-1]
