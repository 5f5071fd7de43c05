"""Parent guard: a script for POSIX that runs a program and ends it when the starting process is gone, even by KILL.

::

    python -I -S parent_guard.py NAME PROGRAM [ARG]...

The program has this process's own standard streams. The starting process holds the other end of standard input: once it
is closed, the program reads the end of file and has some seconds to end. Then its whole process group is ended.
``NAME`` begins each message on standard error. The exit status is the program's, 128 and a signal's number, 126 or 127.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from types import FrameType
from typing import Any

PATIENCE = 3.0  # seconds for the program to end by itself; a starting process that still lives waits less
GRACE = 2.0  # seconds between TERM and KILL


def main(words: list[str]) -> int:
    """Run the program and return its exit status."""
    name, command = words[0], words[1:]
    if os.getpgrp() != os.getpid():
        os.setpgid(0, 0)  # ``killpg`` must reach the program's group, never that of the starting process
    wakeup = _install_handlers()
    try:
        program = subprocess.Popen(command, close_fds=False)
    except OSError as error:
        _write_error(f"{name}: {command[0]}: {error.strerror}")
        return 127 if isinstance(error, FileNotFoundError) else 126
    os.close(1)  # the program's end must be the end of its output
    left = _supervise(program, wakeup)
    status = program.returncode
    if status < 0 and not left:
        _write_error(f"{name}: the server was killed by signal {-status}")
    elif status and not left:
        _write_error(f"{name}: the server ended with status {status}")
    _end_rest()
    return status if status >= 0 else 128 - status


def _install_handlers() -> int:
    """Handle the signals of the whole group, and SIGCHLD. Return a descriptor that is readable after one."""
    reader, writer = os.pipe()
    for fd in (reader, writer):
        os.set_blocking(fd, False)
    signal.set_wakeup_fd(writer)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, _ignore)  # a handler is not inherited, in contrast to SIG_IGN
    return reader


def _ignore(number: int, frame: FrameType | None) -> None:
    """Do nothing: this process must outlive the program."""


def _supervise(program: subprocess.Popen[bytes], wakeup: int) -> bool:
    """Wait for the program's end. Return whether the starting process was gone before it."""
    watch = _EndWatch(wakeup, 0)
    ladder = [(PATIENCE, signal.SIGTERM), (GRACE, signal.SIGKILL)]
    due: float | None = None
    while program.poll() is None:
        if watch.wait(None if due is None else max(0.0, due - time.monotonic())):
            if _ended(program):
                break  # the other end was closed because of it
            due = time.monotonic() + ladder[0][0]
        if due is not None and time.monotonic() >= due:
            _end_group(ladder.pop(0)[1])  # the second one ends this process as well
            due = time.monotonic() + ladder[0][0]
    return due is not None


class _EndWatch:
    """Waits for the end of a pipe whose data is for the program, and for signals.

    An empty mask of ``poll`` means POLLHUP and POLLERR, which are always reported. On macOS it means nothing: XNU's ``poll``
    registers no filter for it, and one for POLLHUP ends the wait at each byte (bsd/kern/sys_generic.c). A kqueue reports
    the end of a pipe as a flag, and with ``EV_CLEAR`` data only once.
    """

    def __init__(self, wakeup: int, pipe: int) -> None:
        self._wakeup = wakeup
        self._pipe = pipe
        self._has_ended = False
        self._system: Any = select  # its types are those of Linux, which has no kqueue
        if hasattr(select, "kqueue"):
            system = self._system
            self._queue = system.kqueue()
            events = [
                system.kevent(wakeup, system.KQ_FILTER_READ, system.KQ_EV_ADD),
                system.kevent(pipe, system.KQ_FILTER_READ, system.KQ_EV_ADD | system.KQ_EV_CLEAR),
            ]
            self._queue.control(events, 0)
        else:
            self._poll = select.poll()
            self._poll.register(wakeup, select.POLLIN)
            self._poll.register(pipe, 0)

    def wait(self, seconds: float | None) -> bool:
        """Wait for a signal or for the pipe's end, in seconds at most. Return whether the pipe has ended; True once."""
        ready = self._ready_in_queue(seconds) if hasattr(select, "kqueue") else self._ready_in_poll(seconds)
        if self._wakeup in ready:
            os.read(self._wakeup, 4096)
        if self._pipe not in ready or self._has_ended:
            return False
        self._has_ended = True
        return True

    def _ready_in_queue(self, seconds: float | None) -> set[int]:
        events = self._queue.control([], 2, seconds)
        return {event.ident for event in events if event.ident == self._wakeup or event.flags & self._system.KQ_EV_EOF}

    def _ready_in_poll(self, seconds: float | None) -> set[int]:
        ready = {fd for fd, _ in self._poll.poll(None if seconds is None else seconds * 1000)}
        if self._pipe in ready:
            self._poll.unregister(self._pipe)
        return ready


def _ended(program: subprocess.Popen[bytes]) -> bool:
    """Return whether the program ends within 0.2 s: its output is closed before it ends."""
    try:
        program.wait(0.2)
    except subprocess.TimeoutExpired:
        return False
    return True


def _end_rest() -> None:
    """End the remaining processes of the program's group, without waiting."""
    _end_group(signal.SIGTERM)
    if os.fork() == 0:
        for fd in range(3):
            try:
                os.close(fd)
            except OSError:
                pass
        time.sleep(GRACE)
        _end_group(signal.SIGKILL)


def _end_group(number: int) -> None:
    try:
        os.killpg(0, number)
    except OSError:  # the group has a process that we may not signal
        pass


def _write_error(text: str) -> None:
    try:
        os.write(2, f"{text}\n".encode(errors="backslashreplace"))
    except OSError:  # standard error is closed
        pass


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
