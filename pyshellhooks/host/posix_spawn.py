"""Start of a child on POSIX without a fork of the host.

``Popen`` with ``start_new_session`` uses vfork (measured: 1 ms for any size of the host; fork takes 35 ms at 2 GB, and
``preexec_fn`` would need fork). Popen can't renumber descriptors above 2, so children that need it are started with
``posix_spawn``, through a trampoline in sh if they need another directory or umask, which ``posix_spawn`` can't set.
"""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Mapping
from typing import NamedTuple

from ..text import encode
from .base import COOKIE, Host, Start, with_cookie

_TRAMPOLINE = 'cd "$0" && { [ -z "$1" ] || umask "$1"; } && shift && exec "$@"'
_SH = b"/bin/sh"


class _Native(NamedTuple):
    """A program in the form of the system calls: all text encoded, and descriptors 0 to 2 present."""

    words: list[bytes]
    program: bytes
    variables: dict[bytes, bytes]
    directory: bytes
    fds: dict[int, int]
    umask: int


def start(host: Host, parameters: Start) -> int:
    """Start the program and return its pid; see ``Host.spawn``. Called under the gate."""
    env, executable = parameters.env, parameters.executable
    words = [encode(word) for word in parameters.argv]
    program, directory = encode(executable), encode(parameters.cwd)
    variables = {encode(k): encode(v) for k, v in host.child_env(env).items() if k and "=" not in k}
    # The environment of every shell has SHLVL; one without it was emptied. Under a subreaper the cookie is a second means.
    if "SHLVL" in env or not host.subreaper:
        variables[encode(COOKIE)] = encode(with_cookie(env.get(COOKIE, ""), parameters.cookie))
    if any(b"\0" in text for text in (*words, program, directory, *variables, *variables.values())):
        raise OSError(errno.EINVAL, "Invalid argument", executable)
    opened: list[int] = []
    try:
        ours = _closed_ones(parameters.fds, opened)
        native = _Native(words, program, variables, directory, ours, parameters.umask)
        if all(ours[number] == number or _claim(ours, number, opened) for number in ours if number > 2):
            return _popen(native)
        return _posix_spawn(native, opened)
    finally:
        for fd in opened:
            os.close(fd)


def _closed_ones(fds: Mapping[int, int], opened: list[int]) -> dict[int, int]:
    """Return the descriptors with 0, 1 and 2 present. A missing one is the null device, opened to fail with EBADF."""
    ours = dict(fds)
    for number in (0, 1, 2):
        if number not in ours:
            ours[number] = os.open(os.devnull, os.O_RDONLY if number else os.O_WRONLY)
            opened.append(ours[number])
    return ours


def _claim(ours: dict[int, int], number: int, opened: list[int]) -> bool:
    """Duplicate a descriptor to the child's number, if that is free here: then Popen can pass it on."""
    import fcntl

    copy = fcntl.fcntl(ours[number], fcntl.F_DUPFD_CLOEXEC, number)
    opened.append(copy)
    if copy != number:
        return False
    ours[number] = copy
    return True


def _popen(native: _Native) -> int:
    fds = native.fds
    child = subprocess.Popen(
        native.words,
        executable=native.program,
        stdin=fds[0],
        stdout=fds[1],
        stderr=fds[2],
        env=native.variables,
        cwd=native.directory,
        start_new_session=True,
        pass_fds=[number for number in fds if number > 2],
        umask=native.umask,
    )
    # ``PosixProcess`` reaps the child: Popen.poll turns a lost status (ECHILD) into 0.
    child.returncode = 0
    return child.pid


def _posix_spawn(native: _Native, opened: list[int]) -> int:
    import fcntl

    words, program, variables, directory, ours, umask = native
    if directory != os.getcwdb() or umask >= 0:
        if not os.access(_SH, os.X_OK):
            raise OSError(errno.ENOTSUP, "Operation not supported", os.fsdecode(program))
        if not os.path.isdir(directory):
            raise OSError(errno.ENOENT, "No such file or directory", os.fsdecode(directory))
        mask = b"%o" % umask if umask >= 0 else b""
        words = [b"sh", b"-c", _TRAMPOLINE.encode(), directory, mask, program, *words[1:]]
        program = _SH
    above = max(max(ours), 2) + 1
    actions: list[tuple[int, ...]] = []
    # First duplicate all descriptors above the child's numbers, then to their numbers.
    for number, fd in ours.items():
        copy = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, above)
        opened.append(copy)
        actions.append((os.POSIX_SPAWN_DUP2, copy, number))
    actions.extend((os.POSIX_SPAWN_CLOSE, fd) for fd in _inheritable() if fd not in ours)
    # A Python host ignores SIGPIPE; the child must not.
    return os.posix_spawn(program, words, variables, file_actions=actions, setsid=True, setsigdef=(13, 25))


def _inheritable() -> list[int]:
    numbers = []
    for name in os.listdir("/dev/fd"):
        try:
            if os.get_inheritable(int(name)):
                numbers.append(int(name))
        except OSError:  # the descriptor of the listing itself
            continue
    return numbers
