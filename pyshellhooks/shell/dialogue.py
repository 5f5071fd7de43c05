"""The interactive shell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..cancel import CancelScope, set_active_scope, working_under
from ..interp.evaluator import INTERPRETER
from ..interp.jobs import live
from ..streams.base import Stream
from .execution import Execution, Process

if TYPE_CHECKING:
    from ..host.pipe_bridge import PipeBridges
    from .shell import Shell


class Dialogue:
    """An interactive shell on this process's own descriptors: one run that executes text after text until ``exit``.

    For the ``sh`` command, which owns its process. Ctrl-C ends only the current text (``deliver``).
    """

    def __init__(
        self, shell: Shell, process: Process, scope: CancelScope, options: Sequence[str], args: Sequence[str]
    ) -> None:
        from ..interp import dialogue

        self._typed = dialogue
        self.shell = shell
        self._execution = execution = Execution(shell, scope=scope, grace=dialogue.GRACE, owns=True)
        self.ctx = ctx = execution.context(shell._environment(None), shell.cwd, "sh", list(args))
        ctx.command_string = False
        ctx.shopts |= {"expand_aliases"}  # as in every interactive shell (bash)
        if options:
            from ..state.options import parse_invocation

            parse_invocation(ctx, list(options))
        process.attach(execution.run)
        self._process = process
        self._now: CancelScope | None = None
        self._left: list[PipeBridges] = []  # of earlier texts, whose background jobs may still write

    def __enter__(self) -> Dialogue:
        return self

    def __exit__(self, *exc: object) -> None:
        self._execution.interrupt()
        for pipe_bridges in self._left:
            pipe_bridges.close()
        self._execution.close(self.ctx)
        live.leave(self._execution.run)

    def begin(self, stdin: Stream, stdout: Stream, stderr: Stream) -> None:
        """Set the streams that the commands use, and start the run."""
        run = self._execution.run
        run.stdin = stdin
        self.ctx.fds.begin(stdin, stdout, stderr)
        live.enter(run)

    def expand_prompt(self, text: str) -> str:
        """Expand the text of a prompt (PS1)."""
        return INTERPRETER.expand_prompt(self.ctx, text)

    def is_complete(self, text: str) -> bool:
        """Return whether a text can run: no quote, compound command or here-document is open at its end."""
        return self._typed.is_complete(self.ctx, text)

    def run(self, text: str) -> bool:
        """Run a text and return whether the shell goes on."""
        self._now = scope = self._next_scope()
        before = set_active_scope(scope)
        try:
            with working_under(scope):
                goes_on = self._typed.run_typed(self.ctx, text, scope)
        finally:
            self._now = None
            set_active_scope(before)
        return goes_on and self._execution.scope.stop is None

    def _next_scope(self) -> CancelScope:
        """Return the scope of the next text. It stays open: the shell's end ends its background jobs through it."""
        scope = CancelScope(parent=self._execution.scope, grace=self._typed.GRACE)
        run = self._execution.run
        pipe_bridges = run.move_to_scope(scope)
        if pipe_bridges is not None:
            self._left.append(pipe_bridges)
        if all(job.status is not None for job in run.jobs.values()):
            while self._left:
                self._left.pop().close()
        return scope

    def finish(self) -> int:
        """Run the EXIT trap and return the shell's exit status."""
        self._now = scope = self._next_scope()
        try:
            with working_under(scope):
                return self._typed.run_exit(self.ctx, scope)
        finally:
            self._now = None

    def deliver(self, number: int) -> None:
        """Deliver a signal: run its trap, or end the current text (Ctrl-C) or the shell."""
        run, scope = self._execution.run, self._now
        if number == 2 and "INT" not in run.trapped:
            if scope is not None:
                scope.cancel_from_handler("cancelled", "signal 2")
        else:
            self._process.deliver(number)
