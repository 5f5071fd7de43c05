"""Processes on threads: delivery of signals in a job (POSIX XCU 2.12, XBD 3 Process Group).

A job (``&``, or a command that a utility started concurrently) is a tree of virtual processes: shells, utilities and
native children. Each has a task of its own, with a scope below the outer one's, so that one of them can be ended alone
while the shell around it runs its trap. The main run is one task: a signal ends all of it.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias

from ...cancel import CancelScope, watchdog, working_under
from ...command.call import Call
from ...command.signals import NAMES
from ...errors import Stop
from ...state.context import ExecutionContext as Ctx
from ...state.context import Task
from ...state.control import Died, ExitShell, Killed
from ..subshell import run_subshell
from .traps import run_exit_trap, run_trap

if TYPE_CHECKING:
    from ...host.base import Process

Exec = Callable[[Ctx], int]

KILL, CONT, STOP = 9, 18, 19
HARMLESS = frozenset({17, 18, 19, 20, 21, 22, 23, 28})  # CHLD, CONT, the stop signals, URG, WINCH (Linux's numbers)
KILLED = "killed"  # the reason of a scope that a signal ended
DEAF_SECONDS = 0.6  # after which a shell that has not run its trap is assumed to wait for input, and is woken


class NativeMember:
    """A native child in the foreground of a task."""

    __slots__ = ("ctx", "process")

    def __init__(self, ctx: Ctx, process: Process) -> None:
        self.ctx = ctx
        self.process = process

    def deliver(self, number: int, group: bool) -> None:
        """Send a signal, unless the child inherited it as ignored."""
        if self.ctx.traps.get(NAMES.get(number, "")) == "" and number not in (KILL, STOP):
            return
        try:
            self.process.signal(number, group=group)
        except OSError:  # Windows cannot stop a process
            pass

    @property
    def signaled(self) -> int:
        """The signal that ended it, or 0."""
        return self.process.signaled or 0


class ProcessTask(Task):
    """The task of one virtual process. ``call`` is the call of the utility in it; None for a shell.

    ``becomes``: the command that it runs in the foreground takes its place (``exec``, ``program &``), and gets its
    signals.
    """

    __slots__ = ("_at", "becomes", "call", "ctx", "members", "nested", "signaled", "successor")

    def __init__(self, scope: CancelScope, ctx: Ctx, *, becomes: bool = False, nested: bool = False) -> None:
        super().__init__(scope, ctx.run.is_watched)
        self.ctx = ctx
        self.call: Call | None = None
        self.becomes = becomes
        self.nested = nested
        self.signaled = 0  # the signal that ended it, or is about to
        self.members: set[Member] = set()  # the processes in its foreground; several in a pipeline
        self.successor: Member | None = None
        self._at = (ctx.depth, ctx.frame)

    def child(self, ctx: Ctx, starter: Ctx) -> ProcessTask:
        """Make the task of a process that ``starter`` runs in the foreground of this one, and enter it as a member."""
        task = ProcessTask(CancelScope(parent=self.scope, grace=self.scope.grace), ctx, nested=True)
        self.enter(starter, task)
        return task

    def enter(self, starter: Ctx, member: Member) -> None:
        """Add a process that the context ``starter`` has started to the foreground."""
        self.members.add(member)
        if self.call is not None:
            if self.call.replaced:
                self.successor = member
        elif self.becomes and starter is self.ctx and self._at == (starter.depth, starter.frame):
            self.successor = member

    def leave(self, member: Member) -> None:
        """Remove a member that has ended from the foreground."""
        self.members.discard(member)
        if member is self.successor:
            self.signaled = self.signaled or member.signaled
            self.successor = None

    def end_task(self) -> None:
        """End this task. Tasks that still run below its scope go on under the outer scopes."""
        self.close()
        if not self.scope._wakers:
            self.scope.close()

    def deliver(self, number: int, group: bool) -> None:
        """Send a signal to this process, and with ``group`` to all processes below it. Never blocks."""
        if not number:
            return
        successor = self.successor
        if successor is not None:
            successor.deliver(number, group)
            return
        self._receive(number)
        for member in tuple(self.members) if group else ():
            member.deliver(number, True)

    def _receive(self, number: int) -> None:
        certain = number in (KILL, STOP)  # neither ignored nor caught (POSIX XSH 2.4.3)
        action = self.ctx.traps.get(NAMES.get(number, ""))
        if action == "" and not certain:
            return
        if self.call is None and action is not None and number != KILL:
            self._receive_in_shell(number)
            return
        handler = None if self.call is None else self.call.on_signal
        if handler is not None and not certain and handler(number):
            return
        if number not in HARMLESS:
            self._end(number)

    def _receive_in_shell(self, number: int) -> None:
        """Send a trapped signal to the shell, which runs the trap before its next command unless it waits for input."""
        self.signal(number)
        if self.nested:
            watchdog.at(monotonic() + DEAF_SECONDS, lambda: self._end_unresponsive(number))

    def _end_unresponsive(self, number: int) -> None:
        """End a shell that waits for input, and so has not seen its signal: that runs the trap (see ``run_shell``)."""
        if number in self.pending and not self.members:
            self._end(number)

    def _end(self, number: int) -> None:
        if self.scope.stop is None:
            self.signaled = self.signaled or number
            self.scope.cancel(KILLED, str(number))

    @property
    def ended_by_signal(self) -> bool:
        """Whether a signal ended this process itself, whatever the status of its last command."""
        stop = self.scope.stop
        if not self.signaled or stop is None:
            return False
        return stop.reason == KILLED

    def is_own_death(self, stop: Stop, outer: Task) -> bool:
        """Return whether this stop is the death of this process alone, without the processes around it."""
        return bool(self.signaled) and stop.reason == KILLED and outer.scope.stop is None


Member: TypeAlias = ProcessTask | NativeMember


def run_in_job(ctx: Ctx, make: Callable[[], Call], run: Callable[[Call], int]) -> int:
    """Run a utility in a job as a process of its own; return its status, or the negative number of its signal."""
    outer = ctx.task
    assert isinstance(outer, ProcessTask)
    task = outer.child(ctx, ctx)
    ctx.task = task
    try:
        call = task.call = make()
        with working_under(task.scope):
            outcome = run(call)
    except Stop as stop:
        if not task.is_own_death(stop, outer):
            raise
        outcome = -task.signaled
    finally:
        ctx.task = outer
        outer.leave(task)
        task.end_task()
    return outcome


def run_shell(ctx: Ctx, sub: Ctx, body: Exec) -> int:
    """Run a shell in the context ``sub``; return its status, or the negative number of the signal that ended it."""
    outer = ctx.task
    task = outer.child(sub, ctx) if isinstance(outer, ProcessTask) else None
    death = 0

    def watched(ctx: Ctx) -> int:
        nonlocal death
        try:
            return body(ctx) if task is None else _run_with_signals(ctx, body, task, outer)
        except Died as flow:
            death = flow.status - 128
            raise

    if task is None:
        status = run_subshell(sub, watched)
        return -death if death else status
    sub.task = task
    try:
        with working_under(task.scope):
            status = run_subshell(sub, watched)
        if not task.ended_by_signal:
            task.signaled = death
    except Stop as stop:
        if not task.is_own_death(stop, outer):
            raise
        status = 0
    finally:
        assert isinstance(outer, ProcessTask)
        outer.leave(task)
        task.end_task()
    return -task.signaled if task.signaled else status


def _run_with_signals(ctx: Ctx, body: Exec, task: ProcessTask, outer: Task) -> int:
    """Run a shell's body. If a signal ends it, run its trap and the EXIT trap first."""
    try:
        return body(ctx)
    except Killed as killed:
        number = killed.number
    except Stop as stop:
        if not task.is_own_death(stop, outer):
            raise
        number = task.signaled
    task.signaled = number
    action = ctx.traps.get(NAMES.get(number, ""))
    has_trap = bool(action) or "EXIT" in ctx.traps
    if has_trap and number != KILL:
        with CancelScope(parent=outer.scope, grace=outer.scope.grace) as scope, working_under(scope):
            task.pending.clear()
            task.scope.close()
            task.move(scope)
            try:
                if action:
                    run_trap(ctx, action)
            except ExitShell as flow:
                return run_exit_trap(ctx, flow.status)
            run_exit_trap(ctx, 128 + number)
    raise Died(128 + number)
