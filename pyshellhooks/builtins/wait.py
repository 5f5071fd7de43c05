"""``wait`` (POSIX XCU wait; bash ``-n``, ``-p``, ``-f``)."""

from __future__ import annotations

from ..cancel import about_to_block
from ..errors import UsageError
from ..interp.builtin import Options, builtin, each
from ..interp.jobs.background import table
from ..interp.native import report_signal
from ..interp.numbers import whole_number
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.jobs import Job
from ..state.references import split_reference
from .jobs import job_named, known_job


@builtin("wait", summary="Wait for jobs to end.", usage="[-fn] [-p var] [id ...]")
def wait(ctx: Ctx, argv: list[str]) -> int:
    options = Options(argv, "fn", "p")
    values = dict(options)
    into, args = values.get("p"), options.operands
    if into is not None and split_reference(into) is None:
        raise UsageError(f"`{into}': not a valid identifier", 1, hint=False)
    if "n" in values:
        return _wait_any(ctx, args, into)
    if not args:
        for job in list(table(ctx).jobs.values()):
            job.wait(ctx)
            if ctx.task.pending:
                return 128 + ctx.task.pending[0]
        # The statuses are known now, and bash forgets the jobs.
        table(ctx).jobs.clear()
        return 0
    status = 0
    for target in args:
        status = _wait_for(ctx, target, into)
    return status


def _find(ctx: Ctx, target: str) -> Job | None:
    if target.startswith("%"):
        return job_named(ctx, target)
    pid = _pid(target)
    if pid is None:
        return None
    return ctx.run.jobs.get(pid)


def _pid(text: str) -> int | None:
    """Parse a pid: a text that begins with a digit and fits into 32 bits (bash)."""
    if not "0" <= text[:1] <= "9":  # ``whole_number`` also reads signs and blanks
        return None
    return whole_number(text, 0, 2**31 - 1)


def _wait_for(ctx: Ctx, target: str, into: str | None) -> int:
    pid = _pid(target)
    is_name = target.startswith("%")
    if pid is None and not is_name:
        ctx.warn(f"wait: `{target}': not a pid or valid job spec")
        return 1
    job = _find(ctx, target)
    if job is None or not _is_child(ctx, job):
        if is_name:
            ctx.warn(f"wait: {target}: no such job")
        else:
            ctx.warn(f"wait: pid {pid} is not a child of this shell")
        return 127
    status = job.wait(ctx)
    job.reported = job.status is not None
    # bash reports a job's death by a signal, but not by INT, PIPE or TERM.
    if job.signaled not in (0, 2, 13, 15) and job.status == 128 + job.signaled:
        report_signal(ctx, job.signaled, job.text)
    if into is not None:
        variables.assign_reference(ctx, into, str(job.pid))
    return status


def _is_child(ctx: Ctx, job: Job) -> bool:
    """Return whether a job belongs to this environment, or is its last one, whose status stays known (POSIX wait)."""
    return job.pid in table(ctx).jobs or job.pid == ctx.last_background


def _wait_any(ctx: Ctx, args: list[str], into: str | None) -> int:
    own = table(ctx).jobs
    jobs = [] if args else [job for job in own.values() if not job.reported]

    def handle_operand(target: str) -> None:
        job = _find(ctx, target)
        jobs.append(known_job(target, job if job in own.values() else None))

    each(ctx, "wait", args, handle_operand)
    if not jobs:
        return 127
    about_to_block()
    while True:
        ctx.task.check()
        for job in jobs:
            if job.status is not None:
                own.pop(job.pid, None)
                if into is not None:
                    variables.assign_reference(ctx, into, str(job.pid))
                return job.status
        if ctx.task.pending:
            return 128 + ctx.task.pending[0]
        # The jobs have no event in common, so all of them are polled.
        jobs[0]._done.wait(0.005)
