"""The embedded shell: the composition root of the shell half."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from errno import ENOTDIR
from stat import S_ISDIR
from time import monotonic
from typing import TYPE_CHECKING, Any

from .builtins._index import INDEX as BUILTIN_INDEX
from .cancel import ENDED, CancelScope, Gate, answering, working_under
from .command.call import reason
from .command.registry import Registry
from .command.utility import Utility
from .ended import Abandoned, Ended, Exited, Signaled
from .errors import WorkingDirectoryError
from .fs.gated import Gated
from .fs.identity import environment
from .given import (
    Input,
    Output,
    check_environment,
    check_options,
    check_script,
    check_seconds,
    path_of,
    sink,
    source,
)
from .host import current
from .interp.builtin import BUILTINS
from .interp.ending import run_to_end
from .interp.evaluator import INTERPRETER
from .interp.initial_variables import Beginnings
from .interp.jobs import live
from .interp.probe import check_scripts
from .limits import DEFAULT, Limits
from .state.context import ExecutionContext, Task
from .state.descriptors import DescriptorFS
from .state.run import Run
from .streams.base import BytesReader, Stream
from .streams.capture import Capture
from .streams.fds import FdTable
from .syntax.source import Source
from .utilities._index import INDEX

if TYPE_CHECKING:
    from .fs.base import FileSystem
    from .host.plumbing import Plumbing
    from .interp.script_files import Where
    from .notice import Notice
    from .workers.isolation import Isolated


# What Result.status says of a run that was ended by us; 124 and 137 as timeout(1) has them.
_STOPPED_STATUS = {"deadline": 124, "cancelled": 130}
_OTHER_STOP = 125
_SHOWN = 60  # bytes of an output in a ``repr``
_INTERRUPT_GRACE = 0.2  # seconds that children have after Ctrl-C in the host


class Result:
    """What a run came to. ``stdout`` and ``stderr`` are bytes; ``seconds`` is wall-clock time.

    ``late``: the script ended by itself, but only after it had been told to (in the grace second).
    ``notices`` are things a person should know (``Notice``: texts with fields): commands that were not found, a shell that
    stood in for another. ``fault``: the text itself does not parse (status 2, as bash
    has it). ``own``: what did not run because of us, (``refused`` or ``too_large``, its notice).
    """

    __slots__ = ("ended", "fault", "late", "notices", "own", "seconds", "status", "stderr", "stdout")

    def __init__(
        self,
        status: int,
        stdout: bytes,
        stderr: bytes,
        ended: Ended,
        seconds: float,
        notices: tuple[Notice, ...] = (),
        late: bool = False,
        fault: str = "",
        own: tuple[str, Notice] | None = None,
    ) -> None:
        self.status = status
        self.stdout = stdout
        self.stderr = stderr
        self.ended = ended
        self.seconds = seconds
        self.notices = notices
        self.late = late
        self.fault = fault
        self.own = own

    @property
    def faults(self) -> tuple[Notice, ...]:
        """Those of the notices that say that something did not run."""
        return tuple([one for one in self.notices if one.fault]) if self.notices else ()

    def __repr__(self) -> str:
        said = [f"status={self.status}", f"stdout={_short(self.stdout)}", f"stderr={_short(self.stderr)}"]
        said += [f"ended={self.ended!r}", f"seconds={self.seconds:.3f}"]
        said += [f"{len(self.notices)} notice{'s' * (len(self.notices) != 1)}"] if self.notices else []
        said += ["does not parse"] if self.fault else []
        return f"Result({', '.join(said)})"


def _short(data: bytes) -> str:
    return repr(data) if len(data) <= _SHOWN else f"{data[:_SHOWN]!r}... ({len(data)} bytes)"


class Script:
    """A text that was parsed once. Running it needs no parsing again (texts are cached anyway)."""

    __slots__ = ("name", "text")

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name


class Process:
    """The process that the ``sh`` command owns: ``$$`` is its own pid, and what signals it gets reach the traps."""

    __slots__ = ("pid", "run")

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.run: Run | None = None

    def own(self, run: Run) -> None:
        """Be the process of a run."""
        self.run = run
        run.pid = self.pid
        run.parent_pid = run.host.getppid()

    def deliver(self, number: int) -> None:
        """Hand a signal to the script: to its trap, or to end it."""
        run = self.run
        if run is None or run.main is None:
            return
        run.main.signal(number)
        if number in (1, 2, 15):
            from .interp.jobs.traps import NAMES

            if NAMES[number] not in run.trapped:
                run.scope.cancel("cancelled", f"signal {number}")


class Shell:
    """An embedded POSIX shell with the bash that scripts use. Each ``run`` starts from the same state.

    cwd       working directory of scripts (default: the host's; ``/`` in a virtual file system)
    env       exported variables (default: the host's environment; none in a virtual file system, where the user and the
              machine are nobody's, too)
    fs        the file system (default: the host's disk)
    spawn     whether native processes may be started
    limits    the bounds of each run
    utilities more in-process commands, which win over ours
    prefer_host names that PATH is searched for before our utilities (``{"git", "sed"}``)
    scripts   what runs a script file whose shebang names sh, bash or dash: ``"auto"`` its interpreter, and this shell with
              a notice where that is known to fail; ``"embedded"`` this shell; ``"host"`` its interpreter (docs/shell.md)
    isolation ``"thread"``, or ``"process"``: runs go to a warm process of ours, which is killed when it must be (code
              in C that hangs, memory); it sees the disk only. With ``spawn=False`` that process is the only one.

    Safe to share between threads, and inside a running event loop.
    """

    def __init__(
        self,
        *,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        fs: FileSystem | None = None,
        spawn: bool = True,
        limits: Limits | None = None,
        utilities: Iterable[Utility] = (),
        prefer_host: Iterable[str] = (),
        scripts: str = "auto",
        isolation: str = "thread",
    ) -> None:
        host = self._host = current()
        self._on_host = fs is None
        if fs is None:
            from .fs.host import HostFS

            fs = HostFS()
        check_options(fs, limits, prefer_host)
        self.fs = fs
        self.cwd = host.getcwd() if self._on_host else "/"
        if cwd is not None:
            self.cwd = self._directory(cwd)
        self.spawn = spawn
        self.limits = limits or DEFAULT
        extra = list(utilities)
        self._registry = Registry(INDEX).with_extra(extra) if extra else _registry
        self._prefer_host = frozenset(prefer_host)
        self.scripts = check_scripts(scripts)
        if env is not None:
            check_environment(env)
        self._env = None if env is None else dict(env)
        self._umask = 0o022 if fs.is_virtual() else host.umask()
        self._beginnings = Beginnings()
        self._isolated = self._isolate(isolation, bool(extra))

    def _isolate(self, isolation: str, own_utilities: bool) -> Isolated | None:
        if isolation not in ("thread", "process"):
            raise ValueError(f'isolation is "thread" or "process", not {isolation!r}')
        if isolation == "thread":
            return None
        from .fs.host import HostFS
        from .workers.isolation import Isolated

        if type(self.fs) is not type(HostFS()) or own_utilities:
            raise ValueError(
                'with isolation="process" scripts see the disk: no other file system, no utilities of yours'
            )
        return Isolated(
            cwd=self.cwd,
            spawn=self.spawn,
            limits=self.limits,
            prefer_host=self._prefer_host,
            scripts=self.scripts,
            umask=self._umask,
        )

    def _directory(self, cwd: str | os.PathLike[str]) -> str:
        """Return a directory's absolute path. Raises ``WorkingDirectoryError`` where there is none."""
        path = cwd if cwd.__class__ is str else path_of(cwd)
        if self._host.windows and self._on_host:
            path = path.replace("\\", "/")
        fs = self.fs
        if not fs.is_absolute(path):
            path = fs.absolute(self._host.getcwd() if self._on_host else "/", path)
        try:
            if not S_ISDIR(fs.stat(path).st_mode):
                raise NotADirectoryError(ENOTDIR, "Not a directory")
        except OSError as error:
            raise WorkingDirectoryError(error.errno, reason(error), path) from None
        return path

    def _environment(self, env: Mapping[str, str] | None) -> dict[str, str]:
        if env is None:
            env = self._env
        if env is None:
            return environment(self.fs)
        if env.__class__ is not dict:
            check_environment(env)
        return dict(env)

    def where(self, env: Mapping[str, str], cwd: str) -> Where:
        """Return what the choice of a script file's interpreter depends on here, for those who ask without running it."""
        from .interp.script_files import Where

        return Where(self.fs, self._host, cwd, env.get("PATH"), self._registry, self.scripts, self.spawn)

    def parse(self, source: str, *, name: str = "bash") -> Script:
        """Check a script's syntax; ``ShellSyntaxError`` says file, line, column and what was expected."""
        from .syntax.parser import parse

        parse(Source(source, name))
        return Script(source, name)

    def run(
        self,
        script: str | Script,
        *args: str,
        stdin: Input = b"",
        timeout: float | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        scope: CancelScope | None = None,
        name: str = "bash",
        grace: float | None = None,
        stdout: Output | None = None,
        stderr: Output | None = None,
        options: Sequence[str] = (),
        process: Process | None = None,
        command_string: bool = True,
        files: Mapping[str, bytes] | None = None,
    ) -> Result:
        """Run a script and return its result; the script's failures are statuses, never exceptions.

        What the caller gets wrong is a ``TypeError``, a ``ValueError`` or, for ``cwd``, a ``WorkingDirectoryError``.

        args     the script's arguments, ``$1`` and so on
        stdin    bytes, a str, a Stream, or a file opened for bytes, which is read from where it stands and not closed
        timeout  seconds; then TERM, ``grace`` seconds (default: that of the limits), KILL
        env      exported variables in place of the shell's
        cwd      a directory in place of the shell's
        scope    a scope of the caller's that ends the run when cancelled
        name     ``$0`` and the name in messages
        stdout, stderr  Streams or files opened for writing bytes, in place of capturing
        options  the shell's own, as ``set`` takes them (``["-e", "-o", "pipefail"]``); ``UsageError`` for a wrong one
        command_string  whether the text counts as ``-c`` (bash: a fatal expansion is 127 there and 1 in a file)
        files    path -> content that the script reads there, whatever lies there now
        process  given by the ``sh`` command, which owns its process: pids are real then, and signals are delivered
        """
        if script.__class__ is not str or args:
            check_script(script, args)
        if timeout is not None and (timeout.__class__ is not float or not timeout >= 0.0):
            check_seconds("timeout", timeout)
        if cwd is not None:
            cwd = self._directory(cwd)
        if stdin.__class__ is not bytes:
            stdin = source(stdin)
        if stdout is not None or stderr is not None:
            stdout, stderr = sink(stdout, "stdout"), sink(stderr, "stderr")
        if self._isolated is not None and process is None:
            if not isinstance(stdin, bytes) or stdout is not None or stderr is not None:
                raise ValueError('with isolation="process" stdin is bytes, and the outputs are in the result')
            grace = self.limits.grace if grace is None else grace
            with CancelScope(timeout=timeout, grace=grace, parent=scope) as outer:
                text = script.text if isinstance(script, Script) else script
                if env is not None:
                    check_environment(env)
                facts = self._isolated.run(
                    text,
                    args,
                    stdin,
                    self._environment(env),
                    outer,
                    cwd=cwd or self.cwd,
                    name=name,
                    options=list(options),
                    command_string=command_string,
                    files={path: data.decode("latin-1") for path, data in (files or {}).items()},
                )
            return Result(*facts)
        execution = _Execution(self, timeout, scope, grace, files, owns=process is not None)
        ctx = execution.context(self._environment(env), cwd or self.cwd, name, list(args))
        ctx.command_string = command_string
        if options:
            from .state.options import parse_invocation

            parse_invocation(ctx, list(options))
        if process is not None:
            process.own(execution.run)
        return execution.finish(ctx, script, stdin, stdout, stderr)

    async def arun(self, script: str | Script, *args: str, **options: Any) -> Result:
        """Run a script without blocking the event loop; cancelling the task cancels the run."""
        from .aio import run_async

        limits, grace = self.limits, options.get("grace")
        return await run_async(
            lambda scope: self.run(script, *args, **{**options, "scope": scope}),
            options.get("scope"),
            limits if grace is None else limits.replace(grace=grace),
        )

    def session(self) -> Session:
        """Return a session: variables, functions and the working directory last from run to run."""
        if self._isolated is not None:
            raise ValueError('with isolation="process" no state lasts from run to run')
        return Session(self)


class Session:
    """A shell that remembers. Not safe to share between threads."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._ctx: ExecutionContext | None = None

    def run(
        self,
        script: str | Script,
        *args: str,
        stdin: Input = b"",
        timeout: float | None = None,
        scope: CancelScope | None = None,
        name: str = "bash",
        grace: float | None = None,
    ) -> Result:
        """Run a script after the ones before it. Arguments as ``Shell.run``'s."""
        shell = self._shell
        check_script(script, args)
        if timeout is not None:
            check_seconds("timeout", timeout)
        execution = _Execution(shell, timeout, scope, grace)
        ctx = self._ctx
        if ctx is None:
            ctx = self._ctx = execution.context(shell._environment(None), shell.cwd, name, list(args))
        else:
            execution.adopt(ctx)
            if args:
                ctx.args = list(args)
        return execution.finish(ctx, script, source(stdin))


class Dialogue:
    """A shell that a person types to, on this process's own descriptors: one run, text after text, until ``exit``.

    For the ``sh`` command, which owns its process. Ctrl-C ends what runs now and nothing else (``deliver``).
    """

    def __init__(
        self, shell: Shell, process: Process, scope: CancelScope, options: Sequence[str], args: Sequence[str]
    ) -> None:
        from .interp import dialogue

        self._typed = dialogue
        self._execution = execution = _Execution(shell, None, scope, dialogue.GRACE, owns=True)
        self.ctx = ctx = execution.context(shell._environment(None), shell.cwd, "sh", list(args))
        ctx.command_string = False
        ctx.shopts |= {"expand_aliases"}  # as wherever a person types (bash)
        if options:
            from .state.options import parse_invocation

            parse_invocation(ctx, list(options))
        process.own(execution.run)
        self._process = process
        self._now: CancelScope | None = None
        self._left: list[Plumbing] = []  # what background jobs of earlier lines may still write through

    def __enter__(self) -> Dialogue:
        return self

    def __exit__(self, *exc: object) -> None:
        self._execution._interrupt()
        for plumbing in self._left:
            plumbing.close()
        self._execution._close(self.ctx)
        live.leave(self._execution.run)

    def begin(self, stdin: Stream, stdout: Stream, stderr: Stream) -> None:
        """Take the streams that commands have."""
        run = self._execution.run
        run.stdin = stdin
        self.ctx.fds.begin(stdin, stdout, stderr)
        live.enter(run)

    def expand_prompt(self, text: str) -> str:
        """Expand the text of a prompt (PS1)."""
        return INTERPRETER.expand_prompt(self.ctx, text)

    def is_complete(self, text: str) -> bool:
        """Say whether a text can run: nothing is open at its end."""
        return self._typed.is_complete(self.ctx, text)

    def run(self, text: str) -> bool:
        """Run a text; gives whether the shell goes on."""
        self._now = scope = self._next_scope()
        before = answering(scope)
        try:
            with working_under(scope):
                goes_on = self._typed.run_typed(self.ctx, text, scope)
        finally:
            self._now = None
            answering(before)
        return goes_on and self._execution.scope.stop is None

    def _next_scope(self) -> CancelScope:
        """Return what the next text runs under. It is not closed: its background jobs are ended through it at the end."""
        scope = CancelScope(parent=self._execution.scope, grace=self._typed.GRACE)
        run = self._execution.run
        plumbing = run.go_on_under(scope)
        if plumbing is not None:
            self._left.append(plumbing)
        if all(job.status is not None for job in run.jobs.values()):
            while self._left:
                self._left.pop().close()
        return scope

    def finish(self) -> int:
        """Run the EXIT trap and give the status that the shell ends with."""
        self._now = scope = self._next_scope()
        try:
            with working_under(scope):
                return self._typed.run_exit(self.ctx, scope)
        finally:
            self._now = None

    def deliver(self, number: int) -> None:
        """Take a signal: a trap's, or the end of what runs now (Ctrl-C), or of the shell."""
        run, scope = self._execution.run, self._now
        if number == 2 and "INT" not in run.trapped:
            if scope is not None:
                scope.cancel("cancelled", "signal 2")
        else:
            self._process.deliver(number)


_registry = Registry(INDEX)
BUILTINS.index = BUILTIN_INDEX


def _evaluate(*arguments: Any) -> bool:
    from .utilities.test import evaluate

    return evaluate(*arguments)


class _Execution:
    """One run from its start to the last of its effects."""

    __slots__ = ("gate", "run", "scope", "shell", "started", "stderr", "stdout", "task")

    def __init__(
        self,
        shell: Shell,
        timeout: float | None,
        scope: CancelScope | None,
        grace: float | None,
        files: Mapping[str, bytes] | None = None,
        owns: bool = False,
    ) -> None:
        self.started = monotonic()
        self.shell = shell
        grace = shell.limits.grace if grace is None else grace
        self.scope = CancelScope(timeout=timeout, grace=grace, parent=scope)
        self.gate = Gate()
        fs = shell.fs
        bind = getattr(fs, "bind", None)
        if bind is not None:
            fs = bind(self.scope, self.gate, processes=shell.spawn, terminal=owns)
        if files:
            from .fs.pinned import Pinned

            fs = Pinned(fs, files)
        self.run = Run(
            host=shell._host,
            fs=Gated(fs, self.gate, self.scope, shell.limits),
            gate=self.gate,
            scope=self.scope,
            limits=shell.limits,
            registry=shell._registry,
            spawn=shell.spawn,
            conditions=_evaluate,
            evaluator=INTERPRETER,
            scripts=shell.scripts,
            prefer_host=shell._prefer_host,
        )
        self.task = self.run.main = Task(self.scope, shell.limits.commands > 0)
        self.stdout = Capture(shell.limits.output, "stdout")
        self.stderr = Capture(shell.limits.output, "stderr")

    def context(self, env: dict[str, str], cwd: str, name: str, args: list[str]) -> ExecutionContext:
        """Make the shell environment that the script starts in."""
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
        """Take over a session's environment."""
        ctx.run = self.run
        ctx.task = self.task
        ctx.fds = FdTable(self.shell.limits.open_files)
        ctx.fs = DescriptorFS(self.run.fs, ctx.fds)
        ctx.jobs = None

    def finish(
        self,
        ctx: ExecutionContext,
        script: str | Script,
        stdin: bytes | Stream,
        stdout: Stream | None = None,
        stderr: Stream | None = None,
    ) -> Result:
        """Run the script to its end, end everything it left, and say what came of it."""
        if stdin.__class__ is bytes and stdout is None and stderr is None:
            return self._finish(ctx, script, stdin, None, None)
        with working_under(self.scope):  # to wait for a stream of the caller's ends with the run, too
            return self._finish(ctx, script, stdin, stdout, stderr)

    def _finish(
        self,
        ctx: ExecutionContext,
        script: str | Script,
        stdin: bytes | Stream,
        stdout: Stream | None,
        stderr: Stream | None,
    ) -> Result:
        self.run.stdin = given = BytesReader(stdin) if isinstance(stdin, bytes) else stdin
        ctx.fds.begin(given, stdout or self.stdout, stderr or self.stderr)
        text = script.text if isinstance(script, Script) else script
        left = 0
        live.enter(self.run)
        asked = answering(self.scope)
        try:
            ended, late = run_to_end(ctx, text)
            left = self._end_children(ended)
        except BaseException:  # KeyboardInterrupt, or what else a signal handler of the host raises
            self._interrupt()
            raise
        finally:
            answering(asked)
            self._close(ctx)
            live.leave(self.run)
        if left:
            ended = Abandoned(ended.reason or "deadline", f"{left} processes could not be ended")
        if isinstance(ended, Exited):
            status = ended.status
        elif isinstance(ended, Signaled):
            status = 128 + ended.number
        else:
            status = _STOPPED_STATUS.get(ended.reason, _OTHER_STOP)
        return Result(
            status,
            self.stdout.getvalue(),
            self.stderr.getvalue(),
            ended,
            monotonic() - self.started,
            tuple(self.run.notices),
            late,
            self.run.fault,
            self.run.own,
        )

    def _close(self, ctx: ExecutionContext) -> None:
        """Take the run's power to act: jobs are told, pipes are drained and closed, the gate is shut."""
        run = self.run
        if run.jobs and self.scope.stop is None:
            from .interp.jobs.background import settle

            settle(list(run.jobs.values()))
            self.scope.cancel(ENDED)
        plumbing = run.plumbed
        if plumbing is not None:
            plumbing.close()
        self.gate.revoke()
        self.stdout.sealed = self.stderr.sealed = True
        ctx.fds.release()
        self.task.close()
        self.scope.close()
        if self.scope.stop is not None:
            self.scope.stop.__traceback__ = None  # its frames hold what the run had open

    def _interrupt(self) -> None:
        """The host's own thread was interrupted: nothing of the run stays, and nobody waits out the grace."""
        self.scope.cancel("cancelled", "interrupted")
        if self.run.plumbed is not None:
            from .host.ladder import end

            end((), grace_until=monotonic() + _INTERRUPT_GRACE, sweep=self.run.cookie)

    def _end_children(self, ended: Ended) -> int:
        """After anything but a normal end no native child stays (with one they may: a hook's background work)."""
        if isinstance(ended, Exited):
            return 0
        cookie = self.run.cookie
        left = 0
        if self.run.plumbed is not None:
            from .host.ladder import end

            hard = self.scope.hard
            left = len(end((), grace_until=monotonic() if hard is None else hard, sweep=cookie))
        # A background job may have started one more in the meantime; behind the shut gate none can.
        self.gate.revoke()
        if self.shell._host.children.of(cookie):
            from .host.ladder import end

            left = len(end((), grace_until=monotonic(), sweep=cookie))
        return left
