"""The keeper: a process of ours that everything comes to which loses its parent (Linux: the child subreaper).

A process can leave its session, group, parent and environment, but not its descent: when its parent ends the kernel hands it
to the nearest ancestor that asked for orphans. The host must not be that ancestor (its children are its own affair). So a
worker of ``isolation="process"`` begins with ``stand``: its process becomes the keeper, which reaps what comes to it, and the
worker proper its child. A keeper outlives a worker that hangs, is stopped, or was killed by its own script.

One pipe from the host is the keeper's orders: ``PEACE``: what lives may live, go when the worker has gone. Anything else, and
above all its end (the host let go, or died): kill all of it, and stay until nothing is left.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Iterator
from time import monotonic, sleep

ORDERS = "PYSHELLHOOKS_ORDERS"  # the number of the pipe, in a worker's environment
PEACE, KILL = b"p", b"k"
LAST_WORDS = 2.0  # what a worker may take to end by itself when its host has gone, or has let it go in peace
_LONGEST_PAUSE = 0.05
_SUBREAPER, _DIE_WITH_PARENT = 36, 1  # prctl


def stand() -> None:
    """Put a keeper between the host and this process, where the host has asked for one. To be called before any thread starts.

    Returns in the worker: a new process, where that could be done. The pipe is closed where it could not, by which the host
    knows.
    """
    text = os.environ.pop(ORDERS, "")
    if not text:
        return
    orders = int(text)
    if not _becomes_subreaper():
        os.close(orders)
        return
    keeper, host = os.getpid(), os.getppid()
    worker = os.fork()
    if worker:
        _keep(worker, orders)
    os.close(orders)
    os.setsid()  # what is sent to its group must not reach the keeper
    _prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != keeper:
        os._exit(1)
    from . import current

    current().keeper, current().served = keeper, host


def _becomes_subreaper() -> bool:
    return sys.platform == "linux" and _prctl(_SUBREAPER, 1)


def _prctl(what: int, value: int) -> bool:
    try:
        import ctypes

        return bool(ctypes.CDLL(None).prctl(what, ctypes.c_ulong(value), 0, 0, 0) == 0)
    except (ImportError, OSError, AttributeError):  # a Python without it, a libc that cannot be asked
        return False


def _keep(worker: int, orders: int) -> None:
    """Reap until the worker has gone and orders have come, then do as they say. Never returns."""
    try:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.set_inheritable(orders, False)
        null = os.open(os.devnull, os.O_RDWR)
        for fd in range(3):  # the worker's pipes: the host must see their ends
            os.dup2(null, fd)
        os.close(null)
        rung, bell = os.pipe()
        os.set_blocking(bell, False)
        os.set_blocking(rung, False)
        signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        ended = _watch(worker, orders, rung)
        signal.set_wakeup_fd(-1)
    except BaseException:
        ended = None
    if ended is None:
        kill_all_children()
        os._exit(137)
    os._exit(ended)


def _watch(worker: int, orders: int, rung: int) -> int | None:
    """Return the worker's status when it went in peace; None when what there is must be killed."""
    poll = select.poll()
    poll.register(orders, select.POLLIN)
    poll.register(rung, select.POLLIN)
    until: float | None = None
    peace = False
    status = None
    while True:
        for pid, raw in _dead():
            if pid == worker:
                code = os.waitstatus_to_exitcode(raw)
                status = code if code >= 0 else 128 - code
        if status is not None:
            if not peace:
                kill_all_children()
            return status
        left = None if until is None else until - monotonic()
        if left is not None and left <= 0:
            if not peace:
                return None
            os.kill(worker, signal.SIGKILL)
        for fd, _ in poll.poll(None if left is None else max(1.0, left * 1000)):
            if fd == rung:
                _drain(rung)
                continue
            order = os.read(orders, 1)
            if order == KILL:
                return None
            peace = peace or order == PEACE
            poll.unregister(orders)
            until = monotonic() + LAST_WORDS


def _drain(fd: int) -> None:
    try:
        while os.read(fd, 4096):
            pass
    except BlockingIOError:
        pass


def _dead() -> Iterator[tuple[int, int]]:
    """Reap whoever has ended."""
    while True:
        try:
            pid, raw = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        yield pid, raw


def kill_all_children() -> None:
    """Kill this process's children, and those that come to it when they have lost their parents, until there are none.

    Nobody but us reaps them, so that neither their numbers nor their groups' can become another's: no blow can miss. One
    that forks and ends for ever is met after some looks; a group gets it as a whole.
    """
    pause = 0.0005
    me, mine = os.getpid(), os.getpgrp()
    while True:
        groups = set()
        for pid in children(me):
            try:
                group = os.getpgid(pid)
                if group not in groups and group != mine:
                    groups.add(group)
                    os.killpg(group, signal.SIGKILL)
                os.kill(pid, signal.SIGKILL)
            except OSError:  # another user's by now (sudo): it comes to its end in its own time
                continue
        reaped = sum(1 for _ in _dead())
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        if reaped:
            pause = 0.0005
        else:
            sleep(pause)
            pause = min(pause * 1.5, _LONGEST_PAUSE)


def children(pid: int) -> list[int]:
    """Return the children of a process, zombies among them, in a moment's look."""
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                found += map(int, file.read().split())
    except FileNotFoundError:  # the process or a thread has gone, or the kernel does not list children
        if not os.path.exists("/proc/self/task"):
            return found
        from .sweep import processes

        return [seen.pid for seen in processes() if seen is not None and seen.parent == pid]
    except OSError:
        pass
    return found
