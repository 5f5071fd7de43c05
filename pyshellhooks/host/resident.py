"""System calls of a resident engine: start a detached process, identify a peer, run a program."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from socket import socket


def detach(argv: Sequence[str], env: Mapping[str, str], log: str) -> int:
    """Start a program that outlives this process, with its output appended to a file, and return its process id.

    Raises ``OSError``.
    """
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
    fd = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        child = subprocess.Popen(
            list(argv),
            stdin=subprocess.DEVNULL,
            stdout=fd,
            stderr=fd,
            env=dict(env),
            cwd=os.path.dirname(log),
            start_new_session=True,
            creationflags=flags,
        )
    finally:
        os.close(fd)
    child.returncode = 0  # not waited for: this avoids Popen's ResourceWarning
    return child.pid


def peer_user(connection: socket) -> int | None:
    """Return the user id at the other end of a Unix socket; None if the system does not report it."""
    import socket as names
    import struct

    if sys.platform == "linux":
        size = struct.calcsize("3i")
        return int(struct.unpack("3i", connection.getsockopt(names.SOL_SOCKET, names.SO_PEERCRED, size))[1])
    if sys.platform == "darwin":
        # struct xucred of sys/ucred.h: version, uid, ...; level SOL_LOCAL is 0, LOCAL_PEERCRED 1
        return int(struct.unpack_from("=II", connection.getsockopt(0, 1, 76))[1])
    return None


def stdout_of(argv: Sequence[str], timeout: float) -> bytes:
    """Return the stdout of a program on PATH; ``b""`` if it is missing, fails or takes over ``timeout`` seconds."""
    import shutil

    program = shutil.which(argv[0])
    if program is None:
        return b""
    try:
        process = subprocess.run(
            [program, *argv[1:]], stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return b""
    return process.stdout if process.returncode == 0 else b""
