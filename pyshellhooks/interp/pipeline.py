"""Pipelines, run on one thread until a stage blocks (rule 7, ADR 3).

The stages run in order on this thread, each writing into a 64 KiB pipe. When a stage fills its pipe, is about to wait
for anything outside, or (a compound command) has run 10 ms, the next stage is started on another thread. So the usual
``echo … | grep …`` needs no thread, and ``yes | head`` ends as it does under a kernel.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic

from ..cancel import about_to_block, blocking_callbacks, starting_watchdog
from ..errors import Stop
from ..state.context import ExecutionContext as Ctx
from ..state.control import Killed
from ..streams.pipe import MemoryPipe, PipeWriter
from .subshell import pipeline_status, run_subshell

Exec = Callable[[Ctx], int]

_INTERRUPTS = (KeyboardInterrupt, SystemExit)  # raised by a signal handler of the host, on its main thread
SLICE = 0.01  # seconds that a compound stage may keep the next one waiting


class Stage:
    """One command of a pipeline. ``both``: its stderr goes into the pipe too (``|&``)."""

    __slots__ = ("both", "compound", "run")

    def __init__(self, run: Exec, both: bool, compound: bool) -> None:
        self.run = run
        self.both = both
        self.compound = compound


def run_pipeline(ctx: Ctx, stages: tuple[Stage, ...]) -> int:
    """Run a pipeline, set PIPESTATUS and return the status (``pipefail``: of the last stage that failed)."""
    if len(stages) > ctx.limits.stages:
        raise Stop("limit", f"a pipeline has more than {ctx.limits.stages} commands", "stages")
    ctx.pipestatus = statuses = _Execution(ctx, stages).run()
    return pipeline_status(ctx, statuses)


class _Execution:
    """One run of a pipeline: the next stage, the contexts of the stages, and their statuses."""

    __slots__ = (
        "contexts",
        "ctx",
        "done",
        "failure",
        "last_here",
        "left",
        "lock",
        "next",
        "stages",
        "statuses",
        "writers",
    )

    def __init__(self, ctx: Ctx, stages: tuple[Stage, ...]) -> None:
        self.ctx = ctx
        self.stages = stages
        count = len(stages)
        self.statuses = [0] * count
        self.lock = threading.Lock()
        self.next = 0
        self.left = count
        self.done: threading.Event | None = None
        self.failure: BaseException | None = None
        self.writers: list[PipeWriter] = []
        self.last_here = "lastpipe" in ctx.shopts and ctx.level == 0
        self.contexts = self._plug()

    def _plug(self) -> list[Ctx]:
        ctx = self.ctx
        contexts: list[Ctx] = []
        incoming: MemoryPipe | None = None
        last = len(self.stages) - 1
        for index, stage in enumerate(self.stages):
            if self.last_here and index == last:
                sub = ctx
            else:
                # Under ``lastpipe`` the shell itself goes on while the stages run, so they need copies of its tables.
                sub = ctx.subshell(waits=not self.last_here)
            if incoming is not None and sub is not ctx:
                sub.fds.set(0, incoming.reader)
            if index < last:
                pipe = MemoryPipe(ctx.task.scope, ctx.limits.pipe)
                self.writers.append(pipe.writer)
                sub.fds.set(1, pipe.writer)
                if stage.both:
                    sub.fds.set(2, pipe.writer)
            contexts.append(sub)
            if index < last:
                incoming = pipe
        if self.last_here and incoming is not None:
            incoming.reader.references += 1
            self.done = threading.Event()
            contexts[-1] = ctx
            self._incoming_for_last(incoming)
        return contexts

    def _incoming_for_last(self, pipe: MemoryPipe) -> None:
        """Connect the last stage under ``lastpipe``: it runs in the shell itself, with stdin replaced meanwhile."""
        original = self.stages[-1]

        def body(ctx: Ctx) -> int:
            old = ctx.fds.swap(0, pipe.reader)
            try:
                return original.run(ctx)
            finally:
                ctx.fds.restore(0, old)
                pipe.reader.release()

        self.stages = (*self.stages[:-1], Stage(body, False, True))

    def run(self) -> list[int]:
        self.drive()
        if self.left and not isinstance(self.failure, _INTERRUPTS):
            self._wait()
        if self.failure is not None:
            raise self.failure
        return self.statuses

    def _wait(self) -> None:
        about_to_block()
        with self.lock:
            if not self.left:
                return
            done = self.done = self.done or threading.Event()
        task = self.ctx.task
        while not done.wait(0.05):
            if self.left == 0:
                return
            # The stages see the same stop. After the grace, a stage that still hangs is left behind.
            hard = task.scope.hard
            if hard is not None and monotonic() > hard + 0.05:
                task.check()

    def claim(self) -> int | None:
        """Claim the next stage that has not been started; return its index, or None."""
        with self.lock:
            if self.next >= len(self.stages):
                return None
            self.next += 1
            return self.next - 1

    def drive(self) -> None:
        """Run stages on this thread, in order, until all are claimed."""
        while (index := self.claim()) is not None:
            self._run_stage(index)

    def _run_stage(self, index: int) -> None:
        status = 0
        try:
            status = self._run(index)
        except BaseException as error:
            with self.lock:
                first = self.failure
                ends_run = isinstance(error, Stop | Killed)
                if first is None or (ends_run and not isinstance(first, _INTERRUPTS)):
                    self.failure = error
            if isinstance(error, Stop):
                # An exceeded limit in any stage ends all of them (rule 1).
                self.ctx.task.scope.cancel(error.reason, error.detail, error.limit)
            elif isinstance(error, _INTERRUPTS):
                self.ctx.task.scope.cancel("cancelled", "interrupted")
        finally:
            if self.ctx.run.open_pipe_bridges is not None:
                self._detach(index)
            self.statuses[index] = status
            with self.lock:
                self.left -= 1
                if not self.left and self.done is not None:
                    self.done.set()

    def _run(self, index: int) -> int:
        stage = self.stages[index]
        sub = self.contexts[index]
        stop = self.ctx.task.scope.stop
        if stop is not None and stop.reason == "limit":  # the run ends: in thousands of pipelines no stage starts
            if sub is not self.ctx:
                sub.fds.release()
            raise stop
        if index == len(self.stages) - 1:
            return stage.run(sub) if sub is self.ctx else run_subshell(sub, stage.run)
        # From here to the end of the stage, this thread starts the next stage before it waits for anything.
        start_next = self.starter(index)
        timer = starting_watchdog.at(monotonic() + SLICE, start_next) if stage.compound else None
        callbacks = blocking_callbacks()
        callbacks.append(start_next)
        try:
            return run_subshell(sub, stage.run)
        finally:
            callbacks.pop()
            if timer is not None:
                timer.cancel()

    def starter(self, index: int) -> Callable[[], None]:
        """Return a function that starts the stage after ``index`` on another thread, at most once."""
        started = False

        def start_next() -> None:
            nonlocal started
            if not started:
                started = True
                if self.next == index + 1:
                    try:
                        self.ctx.run.start_thread(self.drive, self.ctx.task)
                    except Stop as stop:
                        self.ctx.task.scope.cancel(stop.reason, stop.detail, stop.limit)

        return start_next

    def _detach(self, index: int) -> None:
        """Detach native children from the pipe of a stage that has ended, so that its reader can see the end."""
        pipe_bridges = self.ctx.run.open_pipe_bridges
        if pipe_bridges is not None and index < len(self.writers):
            pipe_bridges.detach(self.writers[index])
