"""Running commands in-process: functions, builtins, utilities, and scripts by their probe; ``native`` runs programs."""

from __future__ import annotations

import errno
import stat
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from ..cancel import CancelScope
from ..command.call import Call
from ..command.signals import NAMES
from ..command.usual_places import SHELL_NAMES, program_meant
from ..command.utility import Utility, execute
from ..errors import Stop
from ..state.context import ExecutionContext as Ctx
from ..state.control import Died
from ..state.environment import Environment
from ..state.run import REFUSED
from ..streams.base import NullStream, Stream
from ..syntax.quote import needs_escapes, quote_ansi
from .builtin import ABSENT_BUILTINS, BUILTINS, run_builtin
from .functions import call_function
from .jobs.background import start_thread
from .jobs.process import ProcessTask, run_in_job
from .jobs.traps import in_grace
from .native import launch_native
from .nested_shell import run_script_file, shell_outcome, status_of
from .probe import SHELLS, BadShebang, Shebang, foreign_script, probe
from .refusals import NOT_FOUND, NOT_RUN, cannot_open, not_by_name, refuse
from .resolve import Command, File, Missing, PythonStandIn, resolve_command
from .subshell import run_subshell

if TYPE_CHECKING:
    from ..state.jobs import Job


def run_command(ctx: Ctx, command: Command, argv: list[str]) -> int:
    """Run a command in the foreground and return its status."""
    return status_of(launch(ctx, command, argv))


def launch(ctx: Ctx, command: Command, argv: list[str]) -> int:
    """Run a command and return its status, or the negative number of the signal that ended it, as in subprocess."""
    if isinstance(command, Utility):
        return launch_utility(ctx, command, argv)
    if isinstance(command, Missing):
        return command_not_found(ctx, command.name, argv[1:])
    if isinstance(command, PythonStandIn):
        ctx.run.notice(command.message, "stand-in", hint=command.hint, fault=False)
        argv = [*command.words, *argv[1:]]
    return launch_file(ctx, command.path, argv)


def command_not_found(ctx: Ctx, name: str, operands: list[str]) -> int:
    """Report a missing command: status 127, a message, and a notice, because a guard that needs it did not run."""
    handler = ctx.functions.get("command_not_found_handle")
    if handler is not None:
        return call_function(ctx, handler, ["command_not_found_handle", name, *operands])
    ctx.warn(f"{quote_ansi(name) if needs_escapes(name) else name}: command not found")
    if name and ctx.fs.exists(ctx.fs.absolute(ctx.cwd, name)):
        hint = f"write ./{name}"
    elif name in ABSENT_BUILTINS:
        hint = "bash has this builtin, but the embedded shell does not; write the script without it"
    elif not ctx.run.spawn:
        hint = "processes are not allowed (spawn=False); use a command of the embedded shell"
    else:
        hint = "install it, or put its directory on PATH"
    ctx.run.notice("command not found", "command-not-found", command=name, hint=hint, status=NOT_FOUND)
    return NOT_FOUND


def launch_utility(ctx: Ctx, command: Utility, argv: list[str]) -> int:
    """Run a utility, in a job as a process of its own, and return its outcome."""
    try:
        if isinstance(ctx.task, ProcessTask):
            return run_in_job(ctx, lambda: make_call(ctx, argv), lambda call: _outcome(command, call))
        return _outcome(command, make_call(ctx, argv))
    except Stop:
        # The run was ended while a utility ran. With a TERM trap only the utility dies, as a process of the group does.
        if "TERM" in ctx.traps and in_grace(ctx):
            return -15
        raise


def _outcome(command: Utility, call: Call) -> int:
    status = execute(command, call)
    return -call.signaled if call.signaled else status


def make_call(ctx: Ctx, argv: list[str]) -> Call:
    """Return the call of a utility, with this context's descriptors, environment and files."""
    entries = ctx.fds.entries
    return Call(
        argv,
        env=Environment(ctx),
        cwd=ctx.cwd,
        fs=ctx.fs,
        stdin=entries.get(0, CLOSED),
        stdout=entries.get(1, CLOSED),
        stderr=entries.get(2, CLOSED),
        scope=ctx.task.scope,
        limits=ctx.limits,
        start=Starter(ctx),
        programs=ctx.run.registry,
        umask=ctx.umask,
    )


class _Closed(NullStream):
    """A descriptor that is not open: EBADF."""

    __slots__ = ()

    def read(self, size: int = 65536, /) -> bytes:
        raise OSError(errno.EBADF, "Bad file descriptor")

    def write(self, data: bytes, /) -> None:
        raise OSError(errno.EBADF, "Bad file descriptor")


CLOSED = _Closed()


def run_file(ctx: Ctx, path: str, argv: list[str]) -> int:
    """Run a file and return its status."""
    return status_of(launch_file(ctx, path, argv))


def launch_file(ctx: Ctx, path: str, argv: list[str]) -> int:
    """Run a file by the kind that its head indicates (crush 3.4) and return its outcome."""
    name = argv[0]
    host = ctx.run.host
    path = ctx.fs.absolute(ctx.cwd, path)
    native = ctx.fs.host_path(path)
    if host.windows and native is not None:
        from ..host.windows_text import PROGRAMS

        lower = path.lower()
        if lower.endswith(".ps1"):
            why = "a PowerShell script does not run by its name"
            return not_by_name(ctx, name, why, f"run `powershell -File {name}`")
        # ``tool`` may be tool.exe there, so a path that does not exist may still be a program.
        if lower.endswith(PROGRAMS) or not ctx.fs.exists(path):
            executable = host.find_executable(native)
            if executable is not None:
                return launch_native(ctx, executable, argv)
    try:
        found_kind = probe(ctx.fs, path)  # fails for ``>(…)`` as a command: a pipe cannot be run
    except BadShebang as error:
        return refuse(ctx, name, str(error), f"write an interpreter in the first line of {path}, such as #!/bin/sh")
    except OSError as error:
        if program_meant(ctx.fs, name) in SHELL_NAMES:
            return shell_outcome(ctx, argv)
        return cannot_open(ctx, name, error, path)
    if found_kind.shebang is not None:
        return launch_shebang(ctx, path, found_kind.shebang, argv)
    if found_kind.kind == "binary":
        if native is None:
            why = "a native program cannot be run from this file system"
            return refuse(ctx, name, why, "put it on the disk", REFUSED)
        return launch_native(ctx, native, argv)
    foreign = foreign_script(ctx.fs, path, name)
    if foreign is not None:
        return not_by_name(ctx, name, *foreign)
    return launch_source(ctx, path, argv[1:])


def launch_source(ctx: Ctx, path: str, args: list[str]) -> int:
    """Run a file of shell text in-process, with the state of a new process."""
    return run_script_file(ctx, path, path, args)


def launch_shebang(ctx: Ctx, path: str, shebang: Shebang, argv: list[str]) -> int:
    """Run a script by its interpreter, or by the substitute for it (crush 3.5; decisions shebang)."""
    from .script_files import choose, ended_without, program_search_of

    name, shown = argv[0], ctx.fs.in_one_form(argv[0])
    here = program_search_of(ctx)
    choice = choose(here, path, shebang)
    if choice.message and not choice.fault:
        choice.add_notice(ctx.run, shown)
    if choice.embedded:
        return run_script_file(ctx, path, path, argv[1:], options=shebang.argv)
    program, native = choice.program, ctx.fs.host_path(path)
    if program is None or native is None:
        ctx.warn(f"{name}: {choice.message}")
        return choice.status

    def ended(status: int) -> tuple[str, str]:
        return ended_without(here, path, program, status)

    words = [*choice.words, native, *argv[1:]]
    cause = ended if shebang.base in SHELLS else None  # only a shell's text shows which command it lacked
    outcome = launch_native(ctx, program, words, cause, name)
    if choice.fault and outcome not in (NOT_RUN, NOT_FOUND):
        choice.add_notice(ctx.run, shown)
    return outcome


class Starter:
    """Starts utilities, files and programs on PATH; never functions. ``sh -c`` by name is the embedded shell."""

    __slots__ = ("ctx",)

    def __init__(self, ctx: Ctx) -> None:
        self.ctx = ctx

    @property
    def spawn_allowed(self) -> bool:
        """Whether native processes may be started."""
        return self.ctx.run.spawn

    def __call__(
        self,
        argv: Sequence[str],
        *,
        stdin: Stream | None = None,
        stdout: Stream | None = None,
        stderr: Stream | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        scope: CancelScope | None = None,
        ignore: Collection[int] = (),
    ) -> StartedCommand:
        sub = self.ctx.subshell()
        for number, stream in enumerate((stdin, stdout, stderr)):
            if stream is not None:
                sub.fds.set(number, stream)
        if cwd is not None:
            sub.cwd = cwd
        if env is not None:
            for name in sub.exports:
                sub.vars.pop(name, None)  # the new environment replaces all exported variables
            sub.exports, sub.exports_shared = frozenset(env), True
            sub.vars.update(env)
            sub.hashed = {}  # the environment may have another PATH
        if ignore:
            sub.traps = {**sub.traps, **{NAMES[number]: "" for number in ignore if number in NAMES}}
        words = list(argv)
        try:
            _check(sub, words[0])
        except OSError:
            sub.fds.release()  # a pipe that stays open keeps its reader waiting
            raise
        return StartedCommand(self.ctx, sub, words, scope)


# Builtins that are also programs on other systems: the embedded shell under its names, and kill.
OWN_NAMES = SHELL_NAMES | {"kill"}


def run_words(ctx: Ctx, argv: list[str], name: str = "") -> int:
    """Run a utility (also one that bash has as a builtin), a file or a program, but never a function.

    Raises ``Died`` if a signal ended it. ``name`` is the name that the embedded shell gets as ``$0`` (``exec -a``).
    """
    found = resolve_command(ctx, argv[0])
    if isinstance(found, Utility) or argv[0] not in OWN_NAMES:
        outcome = launch(ctx, found, argv)
    elif argv[0] == "kill":
        command = BUILTINS.get(argv[0])
        assert command is not None
        return run_builtin(ctx, command, argv)
    else:
        outcome = shell_outcome(ctx, [name or argv[0], *argv[1:]])
    if outcome < 0:
        raise Died(128 - outcome)
    return outcome


def _check(ctx: Ctx, name: str) -> None:
    """Raise OSError if a command is missing: the calling utility writes the message.

    The run gets a notice all the same, because a command that a guard needs did not run.
    """
    if name in OWN_NAMES or program_meant(ctx.fs, name) in SHELL_NAMES:
        return
    command = resolve_command(ctx, name)
    try:
        if isinstance(command, Missing):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", name)
        if isinstance(command, File) and stat.S_ISDIR(ctx.fs.stat(command.path).st_mode):
            raise PermissionError(errno.EACCES, "Permission denied", name)
    except PermissionError:
        ctx.run.notice(
            "cannot be run", "file-not-runnable", command=name, hint="choose a script or program", status=126
        )
        raise
    except OSError:
        hint = "correct the path" if isinstance(command, File) else "install it, or put its directory on PATH"
        ctx.run.notice("command not found", "command-not-found", command=name, hint=hint, status=127)
        raise


class StartedCommand:
    """A started command. With a scope of its own it runs on another thread, else within ``wait``."""

    __slots__ = ("_ctx", "_job", "_status", "_sub", "_words", "signaled")

    def __init__(self, ctx: Ctx, sub: Ctx, words: list[str], scope: CancelScope | None) -> None:
        self._ctx = ctx
        self._sub = sub
        self._words = words
        self._status: int | None = None
        self._job: Job | None = None
        self.signaled: int | None = None
        if scope is not None:
            self._job = start_thread(ctx, sub, self._run, " ".join(words), scope=scope, becomes=True)

    def _run(self, ctx: Ctx) -> int:
        try:
            return run_words(ctx, self._words)
        except Died as flow:
            self.signaled = flow.status - 128
            raise

    def wait(self) -> int:
        if self._status is not None:
            return self._status
        job = self._job
        if job is None:
            self._status = run_subshell(self._sub, self._run)
            return self._status
        self._status = job.wait(self._ctx, interruptible=False)
        # A job that got a signal may have handled it: only the status of that death counts.
        if job.signaled and self._status == 128 + job.signaled:
            self.signaled = job.signaled
        return self._status

    def signal(self, number: int, group: bool = True) -> None:
        if self._job is not None:
            self._job.signal(number, group)
