"""Running what the resolver found: utilities in-process, files by their probe, programs as native children."""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..command.call import Call, reason
from ..command.utility import Utility
from ..errors import Stop
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.run import REFUSED, TOO_LARGE
from ..streams.base import BytesReader, NullStream, Stream
from ..streams.pipe import PipeReader
from ..syntax.quote import needs_escapes, quote_ansi
from ..text import encode
from .dispatch import SHELLS, BadShebang, Shebang, foreign_script, probe
from .process import NativeMember, ProcessTask, run_utility_process
from .resolve import Command, Missing, PythonStandIn
from .start import Starter
from .traps import in_grace

if TYPE_CHECKING:
    from ..host.base import Process

NOT_FOUND = 127
NOT_RUN = 126


def run_resolved(ctx: Ctx, command: Command, argv: list[str]) -> int:
    """Run a command in the foreground and give its status."""
    outcome = outcome_of(ctx, command, argv)
    return outcome if outcome >= 0 else 128 - outcome


def outcome_of(ctx: Ctx, command: Command, argv: list[str]) -> int:
    """Run a command; gives its status, or as subprocess does the negative number of the signal that ended it."""
    if isinstance(command, Utility):
        return run_utility(ctx, command, argv)
    if isinstance(command, Missing):
        return command_not_found(ctx, command.name, argv[1:])
    if isinstance(command, PythonStandIn):
        ctx.run.notice(command.why, "stand-in", mend=command.mend, fault=False)
        argv = [*command.words, *argv[1:]]
    return _run_file(ctx, command.path, argv)


def command_not_found(ctx: Ctx, name: str, operands: list[str]) -> int:
    """Status 127, a message, and a notice on the verdict: a guard that needs the command did not run."""
    handler = ctx.functions.get("command_not_found_handle")
    if handler is not None:
        from .functions import call_function

        return call_function(ctx, handler, ["command_not_found_handle", name, *operands])
    ctx.warn(f"{quote_ansi(name) if needs_escapes(name) else name}: command not found")
    here = bool(name) and ctx.fs.exists(ctx.fs.absolute(ctx.cwd, name))
    mend = f"write ./{name}" if here else "install it, or put its directory on PATH"
    if not here and not ctx.run.spawn:
        mend = "no process is allowed (spawn=False), so it must be a command of this shell"
    ctx.run.notice("command not found", "command-not-found", command=name, mend=mend, status=NOT_FOUND)
    return NOT_FOUND


def run_utility(ctx: Ctx, command: Utility, argv: list[str]) -> int:
    """Run a utility as the process that it would be; gives its outcome."""
    try:
        return run_utility_process(ctx, command, lambda: make_call(ctx, argv))
    except Stop:
        # Told to end while a utility ran: with a TERM trap it is the utility that dies, as a process of the group would.
        if "TERM" in ctx.traps and in_grace(ctx):
            return -15
        raise


def make_call(ctx: Ctx, argv: list[str], env: Mapping[str, str] | None = None) -> Call:
    """Give a utility its world: descriptors, environment, files."""
    entries = ctx.fds.entries
    return Call(
        argv,
        env=Environment(ctx) if env is None else env,
        cwd=ctx.cwd,
        fs=ctx.fs,
        stdin=entries.get(0) or CLOSED,
        stdout=entries.get(1) or CLOSED,
        stderr=entries.get(2) or CLOSED,
        scope=ctx.task.scope,
        limits=ctx.limits,
        start=Starter(ctx),
        umask=ctx.umask,
    )


class Environment(Mapping[str, str]):
    """The exported variables, gathered when first looked at: most utilities never look."""

    __slots__ = ("_ctx", "_values")

    def __init__(self, ctx: Ctx) -> None:
        self._ctx = ctx
        self._values: dict[str, str] | None = None

    def _all(self) -> dict[str, str]:
        if self._values is None:
            self._values = variables.environment(self._ctx)
        return self._values

    def __getitem__(self, name: str) -> str:
        if self._values is None:
            # One name, as TZ or POSIXLY_CORRECT: no need to gather them all.
            if name in self._ctx.exports:
                value = variables.get(self._ctx, name)
                if value is not None:
                    return value
            raise KeyError(name)
        return self._values[name]

    def get(self, name: str, default: Any = None) -> Any:  # most that is asked for is not there
        if self._values is None and name not in self._ctx.exports:
            return default
        return super().get(name, default)

    def __contains__(self, name: object) -> bool:
        return name in self._ctx.exports and name in self._ctx.vars

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


class _Closed(NullStream):
    """A descriptor that is not open: EBADF."""

    __slots__ = ()

    def read(self, size: int = 65536, /) -> bytes:
        raise OSError(errno.EBADF, "Bad file descriptor")

    def write(self, data: bytes, /) -> None:
        raise OSError(errno.EBADF, "Bad file descriptor")


CLOSED = _Closed()


def run_file(ctx: Ctx, path: str, argv: list[str]) -> int:
    """Run a file and give its status."""
    outcome = _run_file(ctx, path, argv)
    return outcome if outcome >= 0 else 128 - outcome


def _run_file(ctx: Ctx, path: str, argv: list[str]) -> int:
    """Run a file by what its head says it is (crush.md 3.4); gives its outcome."""
    name = argv[0]
    host = ctx.run.host
    path = ctx.fs.absolute(ctx.cwd, path)
    native = ctx.fs.host_path(path)
    if host.windows and native is not None:
        lower = path.lower()
        if lower.endswith(".ps1"):
            why = "a PowerShell script is not run by its name"
            return _not_by_name(ctx, name, why, f"use: powershell -File {name}")
        if lower.endswith((".bat", ".cmd", ".exe", ".com")) or not ctx.fs.exists(path):
            found = host.find_executable(native)
            if found is not None:
                return spawn(ctx, found, argv)
    try:
        found_kind = probe(ctx.fs, path)  # ``>(…)`` as a command: a pipe is no program
    except BadShebang as error:
        return _refuse(ctx, name, str(error), f"name an interpreter in the first line of {path}, as #!/bin/sh")
    except OSError as error:
        return _cannot_open(ctx, name, error, path)
    foreign = foreign_script(ctx.fs, path, name) if found_kind.kind == "source" else None
    if foreign is not None:
        return _not_by_name(ctx, name, *foreign)
    if found_kind.shebang is not None:
        return run_shebang(ctx, path, found_kind.shebang, argv)
    if found_kind.kind == "binary":
        if native is None:
            why = "a native program cannot be run from this file system"
            return _refuse(ctx, name, why, "keep it on the disk", REFUSED)
        return spawn(ctx, native, argv)
    return run_source(ctx, path, argv[1:])


def _not_by_name(ctx: Ctx, name: str, why: str, mend: str) -> int:
    return _refuse(ctx, name, why, mend, shown=f"{why}; {mend}")


def _refuse(ctx: Ctx, name: str, why: str, mend: str, own: str = "", *, shown: str = "") -> int:
    """Status 126. ``own`` as of ``Run.notice``: the command would run outside of this library."""
    ctx.warn(f"{name}: {shown or why}")
    kind = "process-refused" if own else "file-not-runnable"
    ctx.run.notice(why, kind, command=name, mend=mend, status=NOT_RUN, own=own)
    return NOT_RUN


def _cannot_open(ctx: Ctx, name: str, error: OSError, path: str) -> int:
    text = reason(error)
    status = NOT_FOUND if error.errno == errno.ENOENT else NOT_RUN
    ctx.warn(f"{name}: {text}")
    notice_unopened(ctx, name, error, path, status)
    return status


def notice_unopened(ctx: Ctx, name: str, error: OSError, path: str, status: int) -> None:
    """Tell the run's caller that a script or program cannot be opened, and what to do about it."""
    own, kind = "", "file-not-runnable"
    if error.errno == errno.EISDIR:
        mend = "name a script in it"
    elif error.errno in (errno.ENOENT, errno.ENOTDIR):
        kind, mend = "file-not-found", f"there is no {path}: correct the path, or make the file"
    elif error.errno in (errno.E2BIG, errno.EINVAL):  # EINVAL: a NUL in a variable
        own, kind, mend = TOO_LARGE, "input-too-large", "give it less: no program can be started with that"
    else:
        mend = f"let its user read and run {path} (chmod)"
    ctx.run.notice(reason(error), kind, command=name, mend=mend, status=status, own=own)


def run_source(ctx: Ctx, path: str, args: list[str]) -> int:
    """Run a file of shell text in-process, in an environment as fresh as a new process's."""
    from .nested_shell import run_script_file

    return run_script_file(ctx, path, path, args)


def run_shebang(ctx: Ctx, path: str, shebang: Shebang, argv: list[str]) -> int:
    """Run a script by its interpreter, or by what stands in for it (crush.md 3.5; contracts/README.md, script files)."""
    from .script_files import choose, ended_without, where_of

    name = argv[0]
    here = where_of(ctx)
    choice = choose(here, path, shebang)
    if choice.why and not choice.fault:
        choice.tell(ctx.run, name)
    if choice.embedded:
        from .nested_shell import run_script_file

        return run_script_file(ctx, path, path, argv[1:], options=shebang.argv)
    program, native = choice.program, ctx.fs.host_path(path)
    if program is None or native is None:
        ctx.warn(f"{name}: {choice.why}")
        return choice.status

    def ended(status: int) -> tuple[str, str]:
        return ended_without(here, path, program, status)

    words = [*choice.words, native, *argv[1:]]
    outcome = spawn(ctx, program, words, ended if shebang.base in SHELLS else None, name)
    if choice.fault and outcome not in (NOT_RUN, NOT_FOUND):
        choice.tell(ctx.run, name)
    return outcome


def spawn(
    ctx: Ctx,
    executable: str,
    argv: list[str],
    ended: Callable[[int], tuple[str, str]] | None = None,
    name: str = "",
) -> int:
    """Run a native program in the foreground; gives its outcome.

    What it lacks itself shows only in its status: 126 and 127 are a notice, whoever hears the status. ``ended`` words it
    (what, mend), about ``name``.
    """
    process = start_native(ctx, executable, argv)
    if isinstance(process, int):
        return process
    outcome = finish_native(ctx, process)
    if outcome in (NOT_RUN, NOT_FOUND):
        found = outcome == NOT_FOUND
        what = f"a command or file that it was given could not be {'found' if found else 'run'}"
        what, mend = (what, "see its stderr") if ended is None else ended(outcome)
        kind = "command-not-found" if found else "file-not-runnable"
        ctx.run.notice(what, kind, command=name or argv[0], mend=mend, status=outcome)
    return outcome


def start_native(ctx: Ctx, executable: str, argv: list[str]) -> Process | int:
    """Start a native program on this context's descriptors; a failure is its status."""
    run = ctx.run
    if not run.spawn:
        return _refuse(
            ctx, argv[0], "is a native program, and processes are not allowed (spawn=False)", "allow them", REFUSED
        )
    cwd = ctx.fs.host_path(ctx.cwd)
    if cwd is None:
        return _refuse(
            ctx,
            argv[0],
            f"a native program cannot run in {ctx.cwd} of this file system",
            "keep it on the disk",
            REFUSED,
        )
    plumbing = run.plumbing
    fds: dict[int, int] = {}
    for number, stream in list(ctx.fds.entries.items()):
        if number > 2 and (not run.host.extra_fds or _is_anothers(stream, number, argv)):
            continue
        if number == 0 or (number > 2 and _reads(ctx, number)):
            fd, replacement = plumbing.plug_input(stream)
            if replacement is not stream:
                if stream is run.stdin:
                    run.stdin = replacement
                ctx.fds.set(number, replacement)
            fds[number] = fd
        else:
            fds[number] = plumbing.output_fd(stream)
    env = {**variables.environment(ctx), **_exported_functions(ctx)}

    def start(env: Mapping[str, str]) -> Process:
        return run.host.spawn(
            argv,
            executable=executable,
            env=env,
            cwd=cwd,
            fds=fds,
            gate=run.gate,
            cookie=run.cookie,
            umask=ctx.umask,
        )

    try:
        try:
            return start(env)
        except OSError as error:
            if error.errno != errno.E2BIG:
                raise
            return start(_without_oversized(ctx, argv[0], env))
    except OSError as error:
        if error.errno == errno.ENOEXEC:
            why, mend = (
                "cannot execute binary file: Exec format error",
                "give a program of this machine, or a script as text",
            )
            return _refuse(ctx, argv[0], why, mend)
        return _cannot_open(ctx, argv[0], error, executable)


def _is_anothers(stream: Stream, number: int, argv: list[str]) -> bool:
    """Say whether a pipe above 2 is meant for somebody else: handing it over would drain what ``<( )`` gives to others."""
    return isinstance(stream, PipeReader) and f"/dev/fd/{number}" not in argv


def _reads(ctx: Ctx, number: int) -> bool:
    return isinstance(ctx.fds.entries[number], BytesReader | PipeReader)


def _exported_functions(ctx: Ctx) -> dict[str, str]:
    """Give the variables by which a real bash takes over functions (``BASH_FUNC_f%%``)."""
    if not ctx.exported_functions:
        return {}
    from ..syntax.printer import print_function

    found = {}
    for name in ctx.exported_functions:
        function = ctx.functions.get(name)
        if function is not None:
            body = print_function(name, function.node.body).partition("{")[2]
            found[f"BASH_FUNC_{name}%%"] = "() {" + body  # bash looks for these four characters
    return found


# What one variable may take in a native program's environment (Linux: 32 pages, with name and NUL).
LARGEST_VARIABLE = 128 * 1024


def _without_oversized(ctx: Ctx, name: str, env: Mapping[str, str]) -> dict[str, str]:
    """Leave out variables that no native program can be given, and say so: it is better that the guard runs."""
    small: dict[str, str] = {}
    for variable, value in env.items():
        if len(encode(variable)) + len(encode(value)) + 2 > LARGEST_VARIABLE:
            what = f"{variable} is too long for a native program's environment and was left out"
            mend = "give it on stdin, or in a file"
            ctx.run.notice(what, "input-too-large", command=name, mend=mend, own=TOO_LARGE)
        else:
            small[variable] = value
    return small


def finish_native(ctx: Ctx, process: Process) -> int:
    """Wait for a native child and give its outcome; everything it wrote has arrived when this returns."""
    task = ctx.task
    if isinstance(task, ProcessTask):
        member = NativeMember(ctx, process)
        task.enter(ctx, member)
        try:
            status = process.wait(task.scope)
        finally:
            task.leave(member)
    else:
        status = process.wait(task.scope)
    if process.signaled is not None and ctx.run.scope.stop is not None:
        ctx.run.felled = True
    plumbing = ctx.run.plumbed
    if plumbing is not None:
        for number, stream in list(ctx.fds.entries.items()):
            if number:
                plumbing.sync(stream)
    if process.signaled is not None and process.signaled not in (2, 13) and ctx.task.scope.stop is None:
        report_signal(ctx, process.signaled)
    return status if process.signaled is None else -process.signaled


def report_signal(ctx: Ctx, number: int, text: str = "") -> None:
    """Say that a command died of a signal, as bash does."""
    texts = {1: "Hangup", 3: "Quit", 4: "Illegal instruction", 6: "Aborted", 8: "Floating point exception", 9: "Killed",
             11: "Segmentation fault", 15: "Terminated"}  # fmt: skip
    if number in texts and ctx.level == 0:
        ctx.warn(f"{texts[number]:<23} {text}" if text else texts[number])
