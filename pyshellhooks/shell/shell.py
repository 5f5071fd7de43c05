"""The embedded shell, which composes interpreter, builtins, utilities and file system."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from errno import ENOTDIR
from stat import S_ISDIR
from typing import TYPE_CHECKING, Any

from ..cancel import CancelScope
from ..command.call import reason
from ..command.registry import Registry
from ..command.utility import Utility
from ..errors import WorkingDirectoryError
from ..fs.identity import environment, script_environment
from ..host import current
from ..interp.evaluator import INTERPRETER
from ..interp.initial_variables import InitialVariables
from ..interp.probe import check_scripts
from ..limits import DEFAULT, Limits
from ..state.run import Files, RunSettings
from ..syntax.source import Source
from ..utilities._index import INDEX
from ..utilities.windows import INDEX as WINDOWS_INDEX
from ..windows_paths import script_path
from .arguments import (
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
from .execution import Execution, Process
from .result import Result, Script

if TYPE_CHECKING:
    from ..fs.base import FileSystem
    from ..interp.script_files import ProgramSearch
    from ..workers.isolation import Isolated
    from .background import Background, OutputWatch
    from .sandbox import Places
    from .session import Session

HOME = "/home/user"  # the home directory in a sandbox


def _own(utilities: Iterable[Utility]) -> list[Utility]:
    """Check and adapt the host's own commands; most shells have none."""
    commands = list(utilities)
    if not commands:
        return commands
    from .commands import own_commands

    return own_commands(commands)


def _evaluate(*arguments: Any) -> bool:
    from ..utilities.test import evaluate

    return evaluate(*arguments)


_index = {**INDEX, **WINDOWS_INDEX} if current().windows else INDEX
_registry = Registry(_index)
_NO_STREAMS = 'with isolation="process" stdin must be bytes, and stdout= and stderr= are not supported'


class Shell:
    """An embedded POSIX shell with the bash extensions that scripts use. Each ``run`` starts from the same state.

    cwd       working directory of scripts (default: the host's; ``/`` in a virtual file system)
    env       exported variables (default: the host's environment; none in a virtual file system, where user and host
              name are neutral too)
    fs        the file system (default: the host's disk)
    spawn     whether native processes may be started
    limits    the limits of each run
    utilities more in-process commands (``@utility``), for this shell only; they take precedence over the built-in ones
    prefer_host names that are searched for on PATH before the built-in utilities (``{"git", "sed"}``)
    scripts   the shell for script files whose shebang names sh, bash or dash: ``"auto"`` their interpreter, or this
              shell with a notice if that is known to fail; ``"embedded"`` this shell; ``"host"`` their interpreter
              (docs/shell.md)
    isolation ``"thread"``, or ``"process"``: scripts run in a warm worker process, which can be killed (C code that
              hangs, memory) and has only the disk as file system. With ``spawn=False`` it is the only process.

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
        self._on_host = fs is None  # then a relative directory is below this process's working directory
        if fs is None:
            from ..fs.host import HostFS

            fs = HostFS()
        check_options(fs, limits, prefer_host)
        self.fs = fs
        self._files = Files(fs, None, False)
        self.cwd = host.getcwd() if self._on_host else "/"
        if cwd is not None:
            self.cwd = self._directory(cwd)
        self.spawn = spawn
        self.limits = limits or DEFAULT
        extra = _own(utilities)
        self._own_utilities = tuple(extra)
        self._registry = Registry(_index).with_extra(extra) if extra else _registry
        self._prefer_host = frozenset(prefer_host)
        self.scripts = check_scripts(scripts)
        if env is not None:
            check_environment(env)
        self._env = None if env is None else script_environment(env, fs)
        self._umask = 0o022 if fs.is_virtual() else host.umask()  # a virtual file system shows nothing of the host
        self._beginnings = InitialVariables(fs)
        self._run_settings = RunSettings(
            host=host,
            limits=self.limits,
            registry=self._registry,
            spawn=spawn,
            conditions=_evaluate,
            evaluator=INTERPRETER,
            scripts=self.scripts,
            prefer_host=self._prefer_host,
        )
        self._isolated = self._isolate(isolation, bool(extra))

    @classmethod
    def sandbox(
        cls,
        files: Mapping[str, bytes | str] | None = None,
        *,
        overlay: Places | None = None,
        read_only: Places | None = None,
        read_write: Places | None = None,
        cwd: str = HOME,
        env: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        utilities: Iterable[Utility] = (),
    ) -> Shell:
        """Return a shell for untrusted scripts: files in memory, no native processes, no network.

        files       paths and contents; a path that ends in ``/`` is a directory
        overlay     directories of the host that scripts read; writes stay in memory: ``{"/work": "project"}``
        read_only   directories of the host that scripts can only read
        read_write  directories of the host that scripts read and write
        cwd         the working directory, ``/home/user`` by default
        env         exported variables; ``HOME`` is ``/home/user`` unless it is among them

        Scripts can reach nothing else of the host: ``..`` and symbolic links in a mounted directory stay in it. Raises
        ``OSError`` for a path that is not a directory, ``ValueError`` for an invalid mount.
        """
        from .sandbox import sandbox_files

        fs = sandbox_files(files, overlay=overlay, read_only=read_only, read_write=read_write)
        if env is not None:
            check_environment(env)
        return cls(cwd=cwd, env={"HOME": HOME, **(env or {})}, fs=fs, spawn=False, limits=limits, utilities=utilities)

    def _isolate(self, isolation: str, own_utilities: bool) -> Isolated | None:
        if isolation not in ("thread", "process"):
            raise ValueError(f'isolation must be "thread" or "process", got {isolation!r}')
        if isolation == "thread":
            return None
        from ..fs.host import HostFS
        from ..workers.isolation import Isolated

        # Neither could be passed to another process: a file system may be in memory, and a utility is a function.
        if type(self.fs) is not type(HostFS()) or own_utilities:
            raise ValueError(
                'isolation="process" supports no other file system than HostFS, and no utilities of the host'
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
        """Return a directory's absolute path. Raises ``WorkingDirectoryError`` if it is not a directory."""
        path = cwd if cwd.__class__ is str else path_of(cwd)
        fs = self.fs
        if self._host.windows:
            with_drive = script_path(path, fs.exists)
            if with_drive is not None:
                path = with_drive
            elif self._on_host:
                path = path.replace("\\", "/")
        if not fs.is_absolute(path):
            start = self._host.getcwd() if self._on_host else "/"
            path = fs.absolute(start, path)
        try:
            if not S_ISDIR(fs.stat(path).st_mode):
                raise NotADirectoryError(ENOTDIR, "Not a directory")
        except OSError as error:
            raise WorkingDirectoryError(error.errno, reason(error), path) from None
        return path

    def _environment(self, env: Mapping[str, str] | None) -> dict[str, str]:
        if env is None and self._env is not None:
            return self._env.copy()
        if env is None:
            return environment(self.fs)  # now: the host may have changed its environment since the last run
        if env.__class__ is not dict or self._host.windows:
            check_environment(env)  # of a dictionary, other systems check each value when the run begins
        return script_environment(env, self.fs)

    def where(self, env: Mapping[str, str], cwd: str) -> ProgramSearch:
        """Return the surroundings for choosing a script file's interpreter without running the file."""
        from ..interp.script_files import ProgramSearch

        return ProgramSearch(self.fs, self._host, cwd, env.get("PATH"), self._registry, self.scripts, self.spawn)

    def command_names(self) -> tuple[list[str], list[Utility]]:
        """Return the names of the built-in utilities, and the utilities that the host added."""
        own = self._own_utilities
        names = {command.name for command in own}
        return sorted(name for name in self._registry.names() if name not in names), list(own)

    def parse(self, source: str, *, name: str = "bash") -> Script:
        """Check a script's syntax. ``ShellSyntaxError`` has the file, line, column and the expected token."""
        from ..syntax.parser import parse

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
        background: Background | OutputWatch | None = None,
        text_output: bool = False,
    ) -> Result:
        """Run a script and return its result; the script's failures are statuses, never exceptions.

        Wrong arguments raise ``TypeError``, ``ValueError`` or, for ``cwd``, ``WorkingDirectoryError``.

        args     the script's arguments, ``$1`` and so on
        stdin    bytes, a str, a Stream, or a binary file, which is read from its current position and not closed
        timeout  seconds; then TERM, ``grace`` seconds (default: that of the limits), KILL
        env      exported variables in place of the shell's
        cwd      a directory in place of the shell's
        scope    a scope of the caller; cancelling it ends the run
        name     ``$0`` and the name in messages
        stdout, stderr  Streams or binary files to write to, in place of capturing
        options  shell options as of ``set`` (``["-e", "-o", "pipefail"]``); ``UsageError`` for an invalid one
        command_string  whether the text counts as ``-c`` (bash: a fatal expansion is 127 there and 1 in a file)
        files    path -> content that the script reads there, in place of the file's current content
        background  the owner of jobs that outlive the script; without one they end with the script, with a notice
        text_output  whether the CR LF of native programs in captured output become LF (Windows)
        process  set by the ``sh`` command, which owns its process: pids are real then, and signals are delivered
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
                raise ValueError(f"{_NO_STREAMS}: read the Result")
            grace = self.limits.grace if grace is None else grace
            with CancelScope(timeout=timeout, grace=grace, parent=scope) as outer:
                return self._run_isolated(
                    self._isolated,
                    outer,
                    script=script,
                    args=args,
                    stdin=stdin,
                    env=env,
                    cwd=cwd or self.cwd,
                    name=name,
                    options=options,
                    command_string=command_string,
                    files=files,
                    text_output=text_output,
                )
        owns = process is not None
        execution = Execution(self, timeout, scope, grace, files=files, owns=owns, background=background)
        execution.stdout.text = execution.stderr.text = text_output
        ctx = execution.context(self._environment(env), cwd or self.cwd, name, list(args))
        ctx.command_string = command_string
        if options:
            from ..state.options import parse_invocation

            parse_invocation(ctx, list(options))
        if process is not None:
            process.attach(execution.run)
        return execution.execute(ctx, script, stdin, stdout, stderr)

    def _run_isolated(
        self,
        isolated: Isolated,
        scope: CancelScope,
        *,
        script: str | Script,
        args: Sequence[str],
        stdin: bytes,
        env: Mapping[str, str] | None,
        cwd: str,
        name: str,
        options: Sequence[str],
        command_string: bool,
        files: Mapping[str, bytes] | None,
        text_output: bool,
    ) -> Result:
        """Run a script in the worker process."""
        if env is not None:
            check_environment(env)
        text = script.text if isinstance(script, Script) else script
        facts = isolated.run(
            text,
            args,
            stdin,
            self._environment(env),
            scope,
            cwd=cwd,
            name=name,
            options=list(options),
            command_string=command_string,
            files={path: data.decode("latin-1") for path, data in (files or {}).items()},
            text_output=text_output,
        )
        return Result(**facts)

    async def arun(self, script: str | Script, *args: str, **options: Any) -> Result:
        """Run a script without blocking the event loop; cancelling the task cancels the run."""
        from ..aio import run_async

        limits, grace = self.limits, options.get("grace")
        return await run_async(
            lambda scope: self.run(script, *args, **{**options, "scope": scope}),
            options.get("scope"),
            limits if grace is None else limits.replace(grace=grace),
        )

    def session(self) -> Session:
        """Return a session, which keeps variables, functions and the working directory from run to run."""
        if self._isolated is not None:
            raise ValueError('isolation="process" supports no sessions: no state lasts from run to run')
        from .session import Session

        return Session(self)
