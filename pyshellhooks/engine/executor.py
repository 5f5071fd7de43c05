"""Executors, which run the commands of hooks. One method, so that tests need no shell and hosts can bring their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from ..cancel import CancelScope
from ..errors import WorkingDirectoryError, message_of
from ..hooks.internal_failures import InternalFailure
from ..hooks.model import HookJob, HookRun, HookSession
from ..interp.probe import check_scripts
from ..limits import DEFAULT, Limits
from ..notice import STRICT, Notice

if TYPE_CHECKING:
    from ..fs.base import FileSystem
    from ..shell import Result, Shell
    from ..shell.background import Background, OutputWatch
    from .job_files import JobFiles


class Executor(Protocol):
    """An executor of jobs: ``run`` executes one under a scope that carries its deadline.

    It returns within the deadline, the grace and half a second, whatever the script does. The engine turns ``Stop`` and
    exceptions into a HookRun.
    """

    def run(self, job: HookJob, scope: CancelScope) -> HookRun: ...


class ShellExecutor:
    """An executor of hooks in the embedded shell. Every hook starts from the same state. Thread-safe."""

    def __init__(
        self,
        *,
        env: Mapping[str, str] | None = None,
        fs: FileSystem | None = None,
        spawn: bool = True,
        limits: Limits | None = None,
        isolation: str = "thread",
        scripts: str = "auto",
    ) -> None:
        self.limits = limits or DEFAULT
        self._options: dict[str, Any] = {
            "env": env, "fs": fs, "spawn": spawn, "limits": self.limits, "scripts": check_scripts(scripts),
        }  # fmt: skip
        #: Whether background processes outlive the hook that started them; with ``isolation="process"`` they do not.
        self.leaves_running = isolation != "process"
        self._making = Lock()
        self.background: Background | None = None  # owns those processes, from the first run on
        self.scripts = scripts  # "auto" "embedded" "host": the program that runs script files
        self._shell: Shell | None = None
        self._of_session: Shell | None = None  # the shell of the session that ran last
        if isolation != "thread":
            self._options["isolation"] = isolation
            self.shell  # noqa: B018 - now: errors are raised at once, and the first process starts

    @property
    def shell(self) -> Shell:
        """The embedded shell, created at the first use."""
        shell = self._shell
        if shell is None:
            from ..shell import Shell

            shell = self._shell = Shell(**self._options)
        return shell

    def command_names(self) -> frozenset[str]:
        """Return the names of the commands that the embedded shell has."""
        from ..interp.builtin import BUILTINS

        utilities, added = self.shell.command_names()
        return frozenset([*BUILTINS.names(), *utilities, *(command.name for command in added)])

    def _owner(self) -> Background | None:
        if not self.leaves_running or self.background is not None:
            return self.background
        from ..shell.background import Background

        with self._making:  # ``close`` would close only one of two owners
            self.background = self.background or Background()
        return self.background

    def run(
        self, job: HookJob, scope: CancelScope | None, timeout: float | None = None, grace: float | None = None
    ) -> HookRun:
        """Run a job's command as a separate script. It is not started if its directory is missing (crush 2.3).

        ``timeout`` and ``grace``: seconds that the run may take, and may then take to end, for a ``scope`` without the
        deadline of the job. Otherwise the grace is that of the scope.
        """
        if grace is None and scope is not None:
            grace = scope.grace
        shell = self.shell_for(job.session)
        read_by = job.argv
        if read_by is None and job.shell:
            read_by = (job.shell, "-c", job.command)
        # The embedded shell passes these words on without parsing them; none of its functions or aliases applies.
        words = (job.command,) if read_by is None else ('"$@"', *read_by)
        background = self._background_of(job)
        files: JobFiles | None = None
        if job.files or job.env_file:
            from .job_files import JobFiles

            files = JobFiles(shell.fs, job)
        try:
            result = shell.run(
                *words,
                stdin=job.stdin,
                timeout=timeout,
                grace=grace,
                scope=scope,
                env=job.env if files is None else files.env,
                cwd=job.cwd,
                files=job.pinned,
                background=background,
                text_output=True,
            )
            if timeout is not None and result.seconds >= timeout:
                scope = None  # the job's timeout came first: a later cancellation did not end it
            run = as_run(result, scope)
            run.holds_output = background is not None and background.is_held
            if files is not None:
                files.read_into(run)
        except WorkingDirectoryError as error:
            what, hint = f"{job.cwd}: {message_of(error)}", "start hooks in a directory that exists"
            run = HookRun("not_started", None, detail=Notice(what, "hook-not-started", hint=hint))
        finally:
            if files is not None:
                files.remove()
        return run

    def _background_of(self, job: HookJob) -> Background | OutputWatch | None:
        """Return the owner of the jobs that a hook leaves running, and the watch over its output if its agent reads that."""
        owner = None if job.ends_background else self._owner()
        if not job.output_watch:
            return owner
        from ..shell.background import OutputWatch

        return OutputWatch(owner, waits=job.output_watch == "wait")

    def close(self) -> None:
        """End the processes that hooks have left running; those of later hooks end with their hook."""
        self.leaves_running = False
        if self.background is not None:
            self.background.close()

    def shell_for(self, session: HookSession | None) -> Shell:
        """Return the shell that runs the hooks of a session: on the session's file system, if it has one."""
        if session is None or session.files is None:
            return self.shell
        last = self._of_session
        if last is not None and last.fs is session.files:
            return last
        from ..shell import Shell

        # Those files exist only in this process, so the hooks that use them must run in it.
        # The system of such hooks has an embedded shell itself, so no script needs another one.
        shell = Shell(**{**self._options, "fs": session.files, "isolation": "thread", "scripts": "embedded"})
        self._of_session = shell
        return shell


def as_run(result: Result, scope: CancelScope | None) -> HookRun:
    """Convert a shell's result to a HookRun. ``scope``: the one it ran under; None if only its timeout applied.

    Text that does not parse has status 2, even if its EXIT trap sets another one (decisions unparsable).
    """
    ended = result.ended
    late = "deadline"
    if scope is not None and scope.cancel_called:
        late = scope.cancel_called
    reason = ended.reason
    if not reason and result.late:
        reason = late
    status = result.status if ended.kind in ("exited", "signaled") else None
    notices, own = result.notices, result.own
    faults = result.faults if notices else ()
    if result.fault:
        notice = Notice(result.fault, "syntax-error", fault=STRICT)
        notices, faults = (*notices, notice), (*faults, notice)
        if ended.kind == "exited":
            status = 2
    return HookRun(
        ended.kind,
        status,
        result.stdout,
        result.stderr,
        seconds=result.seconds,
        reason=reason,
        detail=ended.detail,
        late=result.late,
        notices=notices,
        faults=faults,
        unparsed=result.fault,
        limit=ended.limit,
        harm=None if own is None else InternalFailure(*own),
    )


class RecordedExecutor:
    """An executor that returns recorded runs: from a table command -> HookRun, or a function of job and scope.

    ``jobs`` has the jobs in order of arrival. It runs nothing: for tests, and for replaying recorded runs.
    """

    def __init__(
        self,
        runs: Mapping[str, HookRun] | Callable[[HookJob, CancelScope], HookRun] | None = None,
        default: HookRun | None = None,
    ) -> None:
        self._runs = runs or {}
        self._default = default or HookRun()
        self.jobs: list[HookJob] = []

    def run(self, job: HookJob, scope: CancelScope) -> HookRun:
        """Return the recorded run."""
        self.jobs.append(job)
        if callable(self._runs):
            return self._runs(job, scope)
        return self._runs.get(job.command, self._default)

    def commands(self) -> Iterable[str]:
        """Return the commands of all jobs so far, in order of arrival."""
        return [job.command for job in self.jobs]
