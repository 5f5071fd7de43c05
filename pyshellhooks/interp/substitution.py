"""``$( )``, ``<( )`` and ``$(< )``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ..command.call import reason
from ..state.context import ExecutionContext as Ctx
from ..streams.capture import Capture
from ..streams.pipe import MemoryPipe
from ..syntax import nodes as n
from ..text import decode
from .subshell import run_subshell

if TYPE_CHECKING:
    from ..streams.base import Stream

Exec = Callable[[Ctx], int]


def command_substitution(ctx: Ctx, body: Exec) -> str:
    """Run a command in a subshell and return its output."""
    sub = ctx.subshell(waits=True)
    # bash turns errexit off in a command substitution; POSIX keeps it.
    if ctx.errexit and "inherit_errexit" not in ctx.shopts and "posix" not in ctx.shopts:
        sub.errexit = False
    sub.nesting += 1
    capture = Capture(ctx.limits.substitution, "the output of $( )", "substitution", text=True)
    sub.fds.set(1, capture)
    capture.references += 1  # this function's: the end of the subshell must not close it
    try:
        status = run_subshell(sub, body)
        if capture.references > 1:
            _wait_for_jobs(ctx, capture)
        pipe_bridges = ctx.run.open_pipe_bridges
        if pipe_bridges is not None:
            pipe_bridges.wait_eof(capture, ctx.task.scope)
    finally:
        capture.release()
    ctx.substituted = ctx.status = status
    return captured_text(ctx, capture.getvalue())


def _wait_for_jobs(ctx: Ctx, capture: Capture) -> None:
    """Wait until no job holds the output any more, as bash reads its pipe to the end: ``$(echo a &)`` is ``a``.

    Call this before the pipe of native children is closed: a job may be about to start one more that writes to it.
    """
    from .jobs.background import wait_for_one

    while _has_writers(ctx, capture) and wait_for_one(ctx):
        pass


def _has_writers(ctx: Ctx, capture: Capture) -> bool:
    pipe_bridges = ctx.run.open_pipe_bridges
    ours = 1
    if pipe_bridges is not None and pipe_bridges.drains_into(capture):
        ours = 2  # the bridge that copies the output of native children holds it too
    return capture.references > ours


def captured_text(ctx: Ctx, data: bytes) -> str:
    """Return captured output as text without trailing newlines; NUL bytes are dropped with a warning (bash)."""
    if len(data) > 4096:
        ctx.run.grew(len(data))
    if 0 in data:  # an int is faster: ``b"\0" in`` raises and catches an error first
        ctx.warn("warning: command substitution: ignored null byte in input")
        data = data.replace(b"\0", b"")
    return decode(data).rstrip("\n")


def read_file(ctx: Ctx, name: str) -> str:
    """Return the text of ``$(< file)`` without running a command."""
    from .redirect import open_file

    capture = Capture(ctx.limits.substitution, "the output of $( )", "substitution")
    try:
        stream: Stream = open_file(ctx, name, "<").retain()
        try:
            while chunk := stream.read(65536):
                capture.write(chunk)
                ctx.task.check()
        finally:
            stream.release()
    except OSError as error:
        ctx.warn(f"{name}: {reason(error)}")
        ctx.substituted = ctx.status = 1
        return ""
    ctx.substituted = ctx.status = 0
    return captured_text(ctx, capture.getvalue())


def has_process_substitution(words: Iterable[n.Node]) -> bool:
    """Return whether one of the words contains ``<( )`` or ``>( )``."""
    return any(isinstance(part, n.ProcessSub) for word in words if isinstance(word, n.Word) for part in word.parts)


def releasing(body: Exec) -> Exec:
    """Wrap a command that contains process substitutions: their descriptors close when it ends (bash).

    Without this the reader of ``>( )`` would never see the end of its input.
    """

    def run(ctx: Ctx) -> int:
        fds, opened = ctx.fds, ctx.run.substitutions
        before = {number for table, number in opened if table is fds}
        try:
            return body(ctx)
        finally:
            mine = [entry for entry in opened if entry[0] is fds and entry[1] not in before]
            for entry in mine:
                opened.remove(entry)
                fds.close(entry[1])

    return run


def process_substitution(ctx: Ctx, op: str, body: Exec) -> str:
    """Start a command on the other end of a pipe and return ``/dev/fd/N`` (from 63 downwards, as bash numbers them)."""
    from .jobs.background import start_thread

    pipe = MemoryPipe(ctx.task.scope, ctx.limits.pipe)
    sub = ctx.subshell()
    sub.nesting += 1
    number = next((free for free in range(63, 9, -1) if free not in ctx.fds.entries), None)
    if number is None:
        number = ctx.fds.free(64)
    if op == "<":
        sub.fds.set(1, pipe.writer)
        ctx.fds.set(number, pipe.reader)
    else:
        sub.fds.set(0, pipe.reader)
        ctx.fds.set(number, pipe.writer)
    job = start_thread(ctx, sub, body)
    job.consumes = op == ">"
    ctx.last_background = job.pid  # bash 4.4
    ctx.run.substitutions.append((ctx.fds, number))
    return f"/dev/fd/{number}"
