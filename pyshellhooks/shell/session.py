"""Sessions: shells that keep their state from run to run."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

from ..cancel import CancelScope
from ..errors import SessionBusyError
from ..forks import renewed_after_fork
from ..fs.base import FileSystem
from ..state import variables
from ..state.context import ExecutionContext
from .arguments import Input, check_script, check_seconds, source
from .execution import Execution
from .result import Result, Script

if TYPE_CHECKING:
    from ..fs.change import Change
    from .output import OutputCallback, OutputStream
    from .shell import Shell
    from .snapshot import Snapshot


class Session:
    """A shell that keeps variables, functions, options, traps, the directory and the files from run to run.

    Only one run at a time: a call during a run raises ``SessionBusyError`` and has no effect. After a run that was
    cancelled or timed out, the session continues with the state that the run had reached. Open descriptors
    (``exec 3>file``) and background jobs end with their run.
    """

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self._ctx: ExecutionContext | None = None
        self._running: Execution | None = None
        self.renew_locks()
        renewed_after_fork(self)

    def renew_locks(self) -> None:
        """See ``forks``."""
        self._lock = threading.Lock()

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Hold the session's lock. Wait for a cancelled run that is about to end; for others raise SessionBusyError."""
        lock, running = self._lock, self._running
        if not lock.acquire(blocking=False):
            is_ending = running is not None and running.scope.stop is not None
            if not is_ending:
                raise SessionBusyError(
                    "the session is running a script; wait for its end, or use a session for each thread"
                )
            if not lock.acquire(timeout=self._leave_time(running)):
                raise SessionBusyError("a cancelled run of the session has not ended; reset() starts again without it")
        try:
            yield
        finally:
            lock.release()

    def _leave_time(self, running: Execution | None) -> float:
        hard = running.scope.hard if running is not None else None
        return max(0.0, (hard or 0.0) - monotonic()) + self.shell.limits.slack

    def _state(self) -> ExecutionContext:
        """Return the state. It is created before the first run."""
        if self._ctx is None:
            execution = Execution(self.shell)
            self._ctx = execution.context(self.shell._environment(None), self.shell.cwd, "bash", [])
            execution.close(self._ctx)
        return self._ctx

    def run(
        self,
        script: str | Script,
        *args: str,
        stdin: Input = b"",
        timeout: float | None = None,
        scope: CancelScope | None = None,
        name: str = "bash",
        grace: float | None = None,
        on_output: OutputCallback | None = None,
    ) -> Result:
        """Run a script in the state that earlier runs left. Arguments as of ``Shell.run``, and:

        on_output  called with each piece of output at once: ``on_output("stdout" or "stderr", text)``, on the run's
                   threads, one call at a time. It must return soon, because the run waits for it. Its exceptions end
                   the run and are raised here. All pieces together are the output of the result.

        Raises ``SessionBusyError`` while the session runs another script.
        """
        check_script(script, args)
        if timeout is not None:
            check_seconds("timeout", timeout)
        if on_output is not None and not callable(on_output):
            raise TypeError(f"on_output must be callable with the output's name and text, got {on_output!r}")
        stream = source(stdin)
        with self._exclusive():
            ctx = self._state()
            self._running = execution = Execution(
                self.shell, timeout=timeout, scope=scope, grace=grace, on_output=on_output
            )
            execution.adopt(ctx)
            ctx.arg0 = ctx.name = name
            if args:
                ctx.args = list(args)
            result = execution.execute(ctx, script, stream)
            ctx.status = result.status
            return result

    async def arun(self, script: str | Script, *args: str, **options: Any) -> Result:
        """Run a script without blocking the event loop. Cancelling the task cancels the run; the session goes on."""
        from ..aio import run_async

        limits, grace = self.shell.limits, options.get("grace")
        return await run_async(
            lambda scope: self.run(script, *args, **{**options, "scope": scope}),
            options.get("scope"),
            limits if grace is None else limits.replace(grace=grace),
        )

    def stream(self, script: str | Script, *args: str, **options: Any) -> OutputStream:
        """Return a run whose output is streamed: ``async for name, text in session.stream("make")``.

        Arguments as of ``run``, without ``on_output``. The run starts at the first read (``OutputStream``).
        """
        from .output import OutputStream

        check_script(script, args)
        return OutputStream(lambda callback: self.arun(script, *args, **{**options, "on_output": callback}))

    @property
    def fs(self) -> FileSystem:
        """The files: ``session.fs.read_text("/tmp/x")``. All sessions of a shell share its files."""
        return self.shell.fs

    @property
    def cwd(self) -> str:
        """The working directory of the next run."""
        ctx = self._ctx
        return self.shell.cwd if ctx is None else ctx.cwd

    @property
    def env(self) -> dict[str, str]:
        """The exported variables of the next run, as a copy; ``export`` changes them. Raises ``SessionBusyError``."""
        with self._exclusive():
            return variables.environment(self._state())

    def changes(self) -> list[Change]:
        """Return the changes of files: in an overlay, against the disk below; in memory, against the initial files.

        Raises ``UntrackedFilesError`` if scripts write to the disk itself.
        """
        return self.fs.changes()

    def diff(self) -> str:
        """Return the changes as a patch in git's format, for ``git apply`` in the directory of the session's ``/``.

        For binary files it only reports that they differ, and it omits empty directories. Raises as ``changes``.
        """
        from .patch import patch

        return patch(self.fs)

    def snapshot(self) -> Snapshot:
        """Return the whole current state, including the files, for ``restore``.

        Raises ``UntrackedFilesError`` if scripts write to the disk itself, ``SessionBusyError`` while a script runs.
        """
        from .snapshot import take_snapshot

        with self._exclusive():
            return take_snapshot(self._state(), self.fs)

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the state of a snapshot of this session, or of one with the same mounts.

        Raises ``ValueError`` for a snapshot with other mounts, ``SessionBusyError`` while a script runs; the state is
        unchanged then.
        """
        from .snapshot import Snapshot, restore_state

        if not isinstance(snapshot, Snapshot):
            raise TypeError(
                f"restore() takes a Snapshot, from snapshot() or Snapshot.from_bytes(), got {snapshot!r:.60}"
            )
        with self._exclusive():
            commit = self.fs.load(snapshot.files)
            before, self._ctx = self._ctx, None
            try:
                restore_state(snapshot, self._state())
            except BaseException:
                self._ctx = before
                raise
            commit()  # last: a failure above leaves the files as they are

    def reset(self) -> None:
        """Reset variables, functions, options and the directory to their initial values. Files stay as they are.

        A cancelled run that does not end is abandoned: it can have no further effects. Raises ``SessionBusyError``
        while a script runs that was not cancelled. To reset the files too, ``restore`` an initial snapshot.
        """
        try:
            with self._exclusive():
                self._ctx = None
        except SessionBusyError:
            running = self._running
            if running is None or running.scope.stop is None:
                raise
            running.gate.revoke()
            self.renew_locks()
            self._ctx = None
