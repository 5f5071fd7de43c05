"""Programs as native children: their descriptors, environment and outcome."""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..host.base import CannotStart
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.run import REFUSED, TOO_LARGE
from ..streams.base import BytesReader, Stream
from ..streams.pipe import PipeReader
from ..text import encode
from .descriptor_files import needs_files, run_with_files
from .jobs.process import NativeMember, ProcessTask
from .refusals import NOT_FOUND, NOT_RUN, cannot_open, refuse

if TYPE_CHECKING:
    from ..host.base import Process


def launch_native(
    ctx: Ctx,
    executable: str,
    argv: list[str],
    ended: Callable[[int], tuple[str, str]] | None = None,
    name: str = "",
) -> int:
    """Run a native program in the foreground and return its outcome.

    A program reports a command that it lacks only by its status, so 126 and 127 always add a notice. ``ended`` returns
    the notice's text and hint; ``name`` is the command that the notice names.
    """
    if needs_files(ctx, argv):
        return run_with_files(ctx, argv, lambda words: _launch(ctx, executable, words, ended, name))
    return _launch(ctx, executable, argv, ended, name)


def _launch(
    ctx: Ctx, executable: str, argv: list[str], ended: Callable[[int], tuple[str, str]] | None, name: str
) -> int:
    process = start_native(ctx, executable, argv)
    if isinstance(process, int):
        return process
    outcome = finish_native(ctx, process)
    if ctx.run.host.ran_nothing(executable, outcome):
        hint = f"install it; {executable} only opens the Microsoft Store"
        ctx.run.notice("command not found", "command-not-found", command=name or argv[0], hint=hint, status=NOT_FOUND)
        return NOT_FOUND
    if outcome not in (NOT_RUN, NOT_FOUND):
        return outcome
    kind, verb = ("command-not-found", "found") if outcome == NOT_FOUND else ("file-not-runnable", "run")
    if ended is not None:
        message, hint = ended(outcome)
    else:
        message, hint = f"a command or file in its arguments could not be {verb}", "see its stderr"
    ctx.run.notice(message, kind, command=name or argv[0], hint=hint, status=outcome)
    return outcome


def start_native(ctx: Ctx, executable: str, argv: list[str]) -> Process | int:
    """Start a native program on this context's descriptors; return its process, or the status of a failure."""
    run = ctx.run
    if not run.spawn:
        why = "is a native program, and processes are not allowed (spawn=False)"
        return refuse(ctx, argv[0], why, "allow processes", REFUSED)
    cwd = ctx.fs.host_path(ctx.cwd)
    if cwd is None:
        why = f"a native program cannot run in {ctx.cwd} of this file system"
        return refuse(ctx, argv[0], why, "put the directory on the disk", REFUSED)
    pipe_bridges = run.pipe_bridges
    fds = _plugged(ctx, argv)
    env = {**variables.environment(ctx), **_exported_functions(ctx)}

    def start(env: Mapping[str, str]) -> Process:
        with run.gate:
            pipe_bridges.check()
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
        return _not_started(ctx, argv[0], error, executable)


def _plugged(ctx: Ctx, argv: list[str]) -> dict[int, int]:
    """Return the host's descriptors for this context's streams; inputs in memory become pipes."""
    run = ctx.run
    pipe_bridges = run.pipe_bridges
    fds: dict[int, int] = {}
    for number, stream in list(ctx.fds.entries.items()):
        is_extra = number > 2
        if is_extra and not run.host.extra_fds:
            continue
        if is_extra and _is_foreign_pipe(stream, number, argv):
            continue
        is_input = number == 0 or (is_extra and isinstance(stream, BytesReader | PipeReader))
        if not is_input:
            fds[number] = pipe_bridges.output_fd(stream)
            continue
        fd, replacement = pipe_bridges.plug_input(stream)
        if replacement is not stream:
            if stream is run.stdin:
                run.stdin = replacement
            ctx.fds.set(number, replacement)
        fds[number] = fd
    return fds


def _not_started(ctx: Ctx, name: str, error: OSError, executable: str) -> int:
    """Report a native program that could not be started and return the status."""
    if isinstance(error, CannotStart):
        return refuse(ctx, name, error.why, error.hint)
    if error.errno == errno.ENOEXEC:
        why = "cannot execute binary file: Exec format error"
        return refuse(ctx, name, why, "use a program for this machine, or a script as text")
    return cannot_open(ctx, name, error, executable)


def _is_foreign_pipe(stream: Stream, number: int, argv: list[str]) -> bool:
    """Return whether a pipe above 2 is not in ``argv``: plugging it would drain a ``<( )`` of another command."""
    return isinstance(stream, PipeReader) and f"/dev/fd/{number}" not in argv


def _exported_functions(ctx: Ctx) -> dict[str, str]:
    """Return the variables from which a real bash imports functions (``BASH_FUNC_f%%``)."""
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


# Bytes of the largest variable in a native program's environment (Linux: 32 pages, with name and NUL).
LARGEST_VARIABLE = 128 * 1024


def _without_oversized(ctx: Ctx, name: str, env: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without variables too long for any native program, with a notice: so the guard runs."""
    small: dict[str, str] = {}
    for variable, value in env.items():
        if len(encode(variable)) + len(encode(value)) + 2 > LARGEST_VARIABLE:
            message = f"{variable} is too long for a native program's environment and was omitted"
            hint = "pass it on stdin, or in a file"
            ctx.run.notice(message, "input-too-large", command=name, hint=hint, own=TOO_LARGE)
        else:
            small[variable] = value
    return small


def finish_native(ctx: Ctx, process: Process) -> int:
    """Wait for a native child and return its outcome. All its output has arrived when this returns."""
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
    signal = process.signaled
    if signal is not None and ctx.run.scope.stop is not None:
        ctx.run.felled = True
    pipe_bridges = ctx.run.open_pipe_bridges
    if pipe_bridges is not None:
        for number, stream in list(ctx.fds.entries.items()):
            if number:
                pipe_bridges.sync(stream)
    if signal is None:
        return status
    # bash reports neither INT, because the user pressed Ctrl-C, nor PIPE, which is the usual end of a pipeline.
    if signal not in (2, 13) and ctx.task.scope.stop is None:
        report_signal(ctx, signal)
    return -signal


def report_signal(ctx: Ctx, number: int, text: str = "") -> None:
    """Report that a signal ended a command, as bash does."""
    texts = {1: "Hangup", 3: "Quit", 4: "Illegal instruction", 6: "Aborted", 8: "Floating point exception", 9: "Killed",
             11: "Segmentation fault", 15: "Terminated"}  # fmt: skip
    if number in texts and ctx.level == 0:
        ctx.warn(f"{texts[number]:<23} {text}" if text else texts[number])
