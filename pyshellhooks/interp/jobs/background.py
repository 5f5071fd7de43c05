"""Background jobs: in-process ones on pooled threads, native children by their own processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import monotonic

from ...cancel import CancelScope, about_to_block, blocking_callbacks
from ...errors import Stop
from ...state import variables
from ...state.context import ExecutionContext as Ctx
from ...state.control import ExitShell, Killed
from ...state.jobs import Job, JobTable
from ...streams.base import NullStream
from ...streams.pipe import MemoryPipe, PipeWriter
from ...syntax import nodes as n
from ..subshell import run_subshell
from .process import KILLED, Member, NativeMember, ProcessTask

Exec = Callable[[Ctx], int]

SETTLE_SECONDS = 0.1  # for which the end of a run waits until all its jobs have started


def wait_for_one(ctx: Ctx) -> bool:
    """Wait a moment for the newest job of the run that has not ended; return whether there is one."""
    live = next((job for job in reversed(ctx.run.jobs.values()) if job.status is None), None)
    if live is None:
        return False
    about_to_block()
    live.rest()
    ctx.task.check()
    return True


def table(ctx: Ctx) -> JobTable:
    """Return the job table of an environment."""
    if ctx.jobs is None:
        ctx.jobs = JobTable()
    return ctx.jobs


def start_background(ctx: Ctx, body: Exec, node: n.Command) -> None:
    """Start ``command &``; ``$!`` is its pid."""
    sub = ctx.subshell()
    if sub.fds.entries.get(0) is ctx.run.stdin:
        sub.fds.set(0, NullStream())  # only for the shell's own stdin: a pipe or redirection stays (bash)
    if "monitor" not in ctx.shopts:
        sub.traps = {**sub.traps, "INT": "", "QUIT": ""}  # POSIX XCU 2.11
    _start_job(ctx, sub, body, node)


def _start_job(ctx: Ctx, sub: Ctx, body: Exec, node: n.Command) -> Job:
    """Start a job that ``jobs`` lists and ``$!`` refers to."""
    live = sum(1 for job in ctx.run.jobs.values() if job.status is None)
    if live >= ctx.limits.jobs:
        raise Stop("limit", f"more than {ctx.limits.jobs} background jobs", "jobs")
    from ...syntax.printer import print_command

    sheds = bool(getattr(node, "redirects", ()))
    job = start_thread(ctx, sub, body, print_command(node), becomes=isinstance(node, n.Simple), sheds=sheds)
    first: object = node
    while isinstance(first, n.AndOr):  # an AND-OR list has no line of its own
        first = first.first
    job.line = getattr(first, "line", 0)
    table(ctx).jobs[job.pid] = job
    ctx.last_background = job.pid
    return job


def start_thread(
    ctx: Ctx,
    sub: Ctx,
    body: Exec,
    text: str = "",
    *,
    scope: CancelScope | None = None,
    becomes: bool = False,
    sheds: bool = False,
) -> Job:
    """Run a subshell on a pooled thread under a scope of its own, below ``scope`` (default: the run's).

    ``becomes``: see ``ProcessTask``; ``sheds``: see ``Task``.
    """
    run = ctx.run
    sub.pid = run.next_pid()
    sub.condition = 0  # no ``if`` of the caller tests its status
    sub.frame = ctx.frame
    outer = run.scope if scope is None else scope
    task = ProcessTask(CancelScope(parent=outer, grace=ctx.task.scope.grace), sub, becomes=becomes)
    task.sheds = sub if sheds else None
    sub.task = task
    job = Job(sub.pid, text, task)
    run.jobs[job.pid] = job
    output = sub.fds.entries.get(1)

    def work() -> None:
        status = 1
        callbacks = blocking_callbacks()
        callbacks.append(job.underway.set)
        try:
            status = _run(sub, task, body)
        finally:
            callbacks.pop()
            if run.open_pipe_bridges is not None and isinstance(output, PipeWriter):
                run.open_pipe_bridges.detach(output)
            job.finish(status)
            task.end_task()

    try:
        run.start_thread(work, task)
    except Stop:
        job.finish(1)
        task.end_task()
        sub.fds.release()
        raise
    return job


def _run(sub: Ctx, task: ProcessTask, body: Exec) -> int:
    """Run a job's body; every way it can end becomes a status, or the end of the run."""
    scope = sub.run.scope
    try:
        status = run_subshell(sub, body)
        return 128 + task.signaled if task.ended_by_signal else status
    except Killed as death:
        task.signaled = death.number
        return 128 + death.number
    except ExitShell as flow:
        return flow.status
    except Stop as stop:
        if stop.reason != KILLED and scope.stop is None:
            scope.cancel(stop.reason, stop.detail, stop.limit)  # an exceeded limit ends the whole run (rule 1)
        return 128 + task.signaled if task.signaled else 1
    except RecursionError:
        scope.cancel("limit", "the script nests deeper than the stack")
    except Exception as error:
        scope.cancel("crashed", f"{type(error).__name__}: {error}")
    return 1


def await_consumers(ctx: Ctx) -> None:
    """Wait after the script's end until every ``>( )`` has read all its input: ``exec > >(tee log)`` loses nothing.

    bash exits at once, but its ``>( )`` keep its output open, so that the output's reader waits for them. Here the end
    of the run would end them.
    """
    consumers = [job for job in ctx.run.jobs.values() if job.consumes and job.status is None]
    if consumers:
        ctx.fds.release()
    for job in consumers:
        job.wait(ctx)


def settle(jobs: Iterable[Job]) -> None:
    """Wait until background jobs have started their programs: in bash, ``program & exit`` has forked by then."""
    until = monotonic() + SETTLE_SECONDS
    for job in jobs:
        job.underway.wait(max(0.0, until - monotonic()))


def unfinished(jobs: Iterable[Job]) -> list[Job]:
    """Return the background jobs that the end of the run would cut off.

    Others are left out: a job that has become a native program lives on, a job that got a signal is ending, and a
    process substitution is not background work.
    """
    return [job for job in jobs if job.status is None and job.text and not _is_over(job)]


def _is_over(job: Job) -> bool:
    task = job.task
    native = isinstance(task, ProcessTask) and isinstance(_innermost(task), NativeMember)
    return native or bool(job.signaled)


def _innermost(task: ProcessTask) -> Member | None:
    """Return the process that has taken the place of this one: ``nohup program &`` is nohup, then the program."""
    member: Member | None = task.successor
    while isinstance(member, ProcessTask) and member.successor is not None:
        member = member.successor
    return member


def start_coprocess(ctx: Ctx, name: str, body: Exec, node: n.Command) -> None:
    """Start ``coproc``: NAME[0] reads its output, NAME[1] writes its input, NAME_PID is its pid."""
    into = MemoryPipe(ctx.run.scope, ctx.limits.pipe)
    out = MemoryPipe(ctx.run.scope, ctx.limits.pipe)
    sub = ctx.subshell()
    sub.fds.set(0, into.reader)
    sub.fds.set(1, out.writer)
    reader = ctx.fds.free(60)
    ctx.fds.set(reader, out.reader)
    writer = ctx.fds.free(60)
    ctx.fds.set(writer, into.writer)
    job = _start_job(ctx, sub, body, node)
    job.is_coprocess = True
    variables.unset(ctx, name)
    var = variables.make_array(ctx, name)
    var.value = {0: str(reader), 1: str(writer)}
    variables.assign(ctx, f"{name}_PID", str(job.pid))
