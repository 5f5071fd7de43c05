"""A child subreaper (Linux) that adopts and reaps orphaned descendants of a worker.

A process can leave its session, group, parent and environment, but not its ancestors: when its parent ends, the kernel
gives it to the nearest ancestor that is a subreaper. The host must not be one, since that would change the host's own
children. So a worker of ``isolation="process"`` begins with ``run_under_subreaper``: its process becomes the subreaper, and the real
worker is a child of it. A subreaper outlives a worker that hangs, is stopped, or was killed by its own script.

The host sends orders through one pipe. ``PEACE``: let all processes live, and exit after the worker. Any other byte,
and above all the end of file (the host closed the pipe or died): kill all of them, and exit when all have ended.
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
LAST_WORDS = 2.0  # seconds for a worker to end by itself after ``PEACE`` or the end of its host
_LONGEST_PAUSE = 0.05
_SUBREAPER, _DIE_WITH_PARENT = 36, 1  # prctl


def run_under_subreaper() -> None:
    """Put a subreaper between the host and this process, if the host has requested one. Call it before any thread starts.

    Returns in the worker, which is then a new process. If there can be no subreaper, it returns in this process and closes
    the pipe, which reports the failure to the host.
    """
    text = os.environ.pop(ORDERS, "")
    if not text:
        return
    orders = int(text)
    if not _becomes_subreaper():
        os.close(orders)
        return
    subreaper, host = os.getpid(), os.getppid()
    worker = os.fork()
    if worker:
        _supervise(worker, orders)
    os.close(orders)
    os.setsid()  # signals to its group must not reach the subreaper
    _prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != subreaper:
        os._exit(1)
    from . import current

    current().subreaper, current().served = subreaper, host


def _becomes_subreaper() -> bool:
    return sys.platform == "linux" and _prctl(_SUBREAPER, 1)


def _prctl(what: int, value: int) -> bool:
    try:
        import ctypes

        return bool(ctypes.CDLL(None).prctl(what, ctypes.c_ulong(value), 0, 0, 0) == 0)
    except (ImportError, OSError, AttributeError):  # a Python without ctypes, or a libc without prctl
        return False


def _supervise(worker: int, orders: int) -> None:
    """Reap children until the worker has ended or an order arrives, then obey it. Never returns."""
    try:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.set_inheritable(orders, False)
        null = os.open(os.devnull, os.O_RDWR)
        for fd in range(3):  # close our copies of the worker's pipes: the host must see their end of file
            os.dup2(null, fd)
        os.close(null)
        rung, wakeup_fd = os.pipe()
        os.set_blocking(wakeup_fd, False)
        os.set_blocking(rung, False)
        signal.set_wakeup_fd(wakeup_fd, warn_on_full_buffer=False)
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
    """Return the worker's status after its end, or None if all processes must be killed."""
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
    """Reap all ended children, and yield their pid and wait status."""
    while True:
        try:
            pid, raw = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        yield pid, raw


def kill_all_children() -> None:
    """Kill this process's children, and the orphans that it adopts, until all have ended.

    Only this process reaps them, so neither their pids nor their groups' can be reused: no signal hits a wrong process.
    A chain of processes that fork and exit is caught after some rounds, since a group is killed as a whole.
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
            except OSError:  # it runs as another user now (sudo) and ends by itself
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
    """Return the current children of a process, including zombies."""
    pids: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                pids += map(int, file.read().split())
    except FileNotFoundError:  # the process or a thread has ended, or the kernel does not list children
        if not os.path.exists("/proc/self/task"):
            return pids
        return _children_by_parent(pid)
    except OSError:
        pass
    return pids


def _children_by_parent(pid: int) -> list[int]:
    """Return the children of a process by the parent of each process, for a kernel that does not list children."""
    pids: list[int] = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
        except OSError:  # it has ended
            continue
        if parent == pid:
            pids.append(int(name))
    return pids
