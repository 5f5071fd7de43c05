"""The execution of one run, from its start to its last effect."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic
from typing import TYPE_CHECKING

from ..builtins._index import INDEX as BUILTIN_INDEX
from ..cancel import ENDED, CancelScope, Gate, set_active_scope, set_working_scope
from ..ended import Abandoned, Ended, Exited, Signaled
from ..interp.builtin import BUILTINS
from ..interp.jobs import live
from ..interp.run_lifecycle import run_to_end
from ..state.context import ExecutionContext, Task
from ..state.run import Files, Run
from ..streams.base import BytesReader, Stream
from ..streams.capture import Capture
from ..streams.fds import FdTable
from .arguments import check_environment
from .result import Result, Script

if TYPE_CHECKING:
    from .background import Background, OutputWatch
    from .output import Listener, OutputCallback
    from .shell import Shell

# Result.status of a stopped run; 124 as in timeout(1).
_STOPPED_STATUS = {"deadline": 124, "cancelled": 130}
_OTHER_STOP = 125
_INTERRUPT_GRACE = 0.2  # seconds that children have after Ctrl-C in the host

BUILTINS.index = BUILTIN_INDEX


class Process:
    """The process that the ``sh`` command owns: ``$$`` is its pid, and its signals reach the traps."""

    __slots__ = ("pid", "run")

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.run: Run | None = None

    def attach(self, run: Run) -> None:
        """Attach this process to a run."""
        self.run = run
        run.pid = self.pid
        run.parent_pid = run.host.getppid()

    def deliver(self, number: int) -> None:
        """Deliver a signal to the script: run its trap, or end the script."""
        run = self.run
        if run is None or run.main is None:
            return
        run.main.signal(number)
        if number in (1, 2, 15):  # HUP, INT and TERM end a script at once, even while it waits for something
            from ..command.signals import NAMES

            if NAMES[number] not in run.trapped:
                run.scope.cancel_from_handler("cancelled", f"signal {number}")


class Execution:
    """One run, from its start to its last effect."""

    __slots__ = ("background", "gate", "listener", "run", "scope", "shell", "started", "stderr", "stdout", "task")

    def __init__(
        self,
        shell: Shell,
        timeout: float | None = None,
        scope: CancelScope | None = None,
        grace: float | None = None,
        *,
        files: Mapping[str, bytes] | None = None,
        owns: bool = False,
        on_output: OutputCallback | None = None,
        background: Background | OutputWatch | None = None,
    ) -> None:
        self.started = monotonic()
        self.shell = shell
        self.background = background
        grace = shell.limits.grace if grace is None else grace
        self.scope = CancelScope(timeout, grace, scope)
        self.gate = Gate()
        own_files = Files(shell.fs, files, owns) if files or owns else shell._files
        self.run = Run(shell._run_settings, files=own_files, gate=self.gate, scope=self.scope)
        self.task = self.run.main = Task(self.scope, shell.limits.commands > 0)
        self.stdout = Capture(shell.limits.output, "stdout")
        self.stderr = Capture(shell.limits.output, "stderr")
        self.listener: Listener | None = None
        if on_output is not None:
            from .output import Listener

            self.listener = Listener(on_output, self.scope)
            self.stdout = self.listener.capture(self.stdout)
            self.stderr = self.listener.capture(self.stderr)

    def context(self, env: dict[str, str], cwd: str, name: str, args: list[str]) -> ExecutionContext:
        """Create the shell environment in which the script starts."""
        ctx = ExecutionContext(self.run, self.task, FdTable(self.shell.limits.open_files), cwd)
        ctx.arg0 = ctx.name = name
        ctx.args = args
        ctx.umask = self.shell._umask
        try:
            self.shell._beginnings.initialise(ctx, env)
        except TypeError:
            check_environment(env)
            raise
        return ctx

    def adopt(self, ctx: ExecutionContext) -> None:
        """Continue a session's shell environment in this run."""
        self.run.started = ctx.run.started  # for SECONDS
        self.run.trapped = ctx.run.trapped
        ctx.run = self.run
        ctx.task = self.task
        ctx.fds = FdTable(self.shell.limits.open_files)
        ctx.jobs = None
        # A previous run that was stopped may have left these in any state.
        ctx.frame = ctx.exiting = None
        ctx.condition = ctx.loops = ctx.arith_depth = 0
        ctx.in_trap = False

    def execute(
        self,
        ctx: ExecutionContext,
        script: str | Script,
        stdin: bytes | Stream,
        stdout: Stream | None = None,
        stderr: Stream | None = None,
    ) -> Result:
        """Run the script to its end, end everything that it left running, and return the result."""
        text = script.text if isinstance(script, Script) else script
        has_streams = stdin.__class__ is not bytes or stdout is not None or stderr is not None
        left = 0
        goes_on = False
        self.run.stdin = stream = BytesReader(stdin) if isinstance(stdin, bytes) else stdin
        ctx.fds.begin(stream, stdout or self.stdout, stderr or self.stderr)
        live.enter(self.run)
        previous = set_active_scope(self.scope)
        # Waiting for a stream of the caller ends with the run.
        outer_work = set_working_scope(self.scope) if has_streams else None
        try:
            ended, late = run_to_end(ctx, text)
            if self.run.jobs and isinstance(ended, Exited):
                ended = self._watched(ended)
            left = self._end_children(ended)
            goes_on = bool(self.run.jobs) and isinstance(ended, Exited) and self._leave_running(ctx)
        except BaseException:  # KeyboardInterrupt, or another exception of a signal handler of the host
            self.interrupt()
            raise
        finally:
            set_active_scope(previous)
            if not goes_on:
                self.close(ctx)
                live.leave(self.run)
            if has_streams:
                set_working_scope(outer_work)
        return self._result(ended, late, left)

    def _result(self, ended: Ended, late: bool, left: int) -> Result:
        """Return the result of the run. ``left``: the number of its processes that could not be ended."""
        if left and not isinstance(ended, Exited):  # a late status still counts
            ended = Abandoned(ended.reason or "deadline", f"{left} processes could not be ended")
        if isinstance(ended, Exited):
            status = ended.status
        elif isinstance(ended, Signaled):
            status = 128 + ended.number  # as shells report a signal (POSIX XCU 2.8.2)
        else:
            status = _STOPPED_STATUS.get(ended.reason, _OTHER_STOP)
        if self.listener is not None:
            self.listener.finish()
        return Result(
            status=status,
            stdout=self.stdout.getvalue(),
            stderr=self.stderr.getvalue(),
            ended=ended,
            seconds=monotonic() - self.started,
            notices=tuple(self.run.notices),
            late=late,
            fault=self.run.fault,
            own=self.run.own,
        )

    def _watched(self, ended: Ended) -> Ended:
        """Return how the run ended, after the wait for jobs that have its output open, if its agent waits for them."""
        from .background import OutputWatch

        return self.background.ended(self, ended) if isinstance(self.background, OutputWatch) else ended

    def _leave_running(self, ctx: ExecutionContext) -> bool:
        """Hand over the background jobs that still run; return whether they go on. If not, the run gets notices."""
        if self.scope.stop is not None:
            return False
        from .background import hand_over

        ctx.fds.release()  # a coprocess reads to its end, as at the end of any shell
        return hand_over(self, ctx)

    def close(self, ctx: ExecutionContext) -> None:
        """End the run's ability to act: cancel the jobs, drain and close the pipes, close the gate."""
        run = self.run
        if run.jobs and self.scope.stop is None:
            from ..interp.jobs.background import settle

            settle(list(run.jobs.values()))
            self.scope.cancel(ENDED)
        pipe_bridges = run.open_pipe_bridges
        if pipe_bridges is not None:
            pipe_bridges.close()
        self.gate.revoke()
        if pipe_bridges is not None:
            run.host.children.leave(run.cookie)
        self.stdout.sealed = self.stderr.sealed = True
        ctx.fds.release()
        self.task.close()
        self.scope.close()
        if self.scope.stop is not None:
            self.scope.stop.__traceback__ = None  # its frames hold objects of the run

    def interrupt(self) -> None:
        """End the run and its children after an interrupt of the host's own thread, without waiting for the grace."""
        self.scope.cancel("cancelled", "interrupted")
        if self.run.open_pipe_bridges is not None:
            from ..host.terminate import end

            end((), grace_until=monotonic() + _INTERRUPT_GRACE, sweep=self.run.cookie)

    def _end_children(self, ended: Ended) -> int:
        """End the native children unless the run ended normally; return how many could not be ended.

        After a normal end they may live on: a hook's background work. A script that used the grace to set its own
        status was stopped all the same.
        """
        if isinstance(ended, Exited) and self.scope.stop is None:
            return 0
        cookie = self.run.cookie
        left = 0
        if self.run.open_pipe_bridges is not None:
            from ..host.terminate import end

            hard = self.scope.hard
            until = monotonic() if hard is None else hard
            left = len(end((), grace_until=until, sweep=cookie))
        # A background job may have started one more in the meantime. With the gate closed, none can.
        self.gate.revoke()
        if self.shell._host.children.of(cookie):
            from ..host.terminate import end

            left = len(end((), grace_until=monotonic(), sweep=cookie))
        return left
