"""``jobs``, ``disown``, ``fg``, ``bg``. Without ``set -m`` the last two only report that job control is off."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import builtin, each, option_letters, write_lines
from ..interp.invoke import invoke
from ..interp.jobs.background import table
from ..interp.numbers import whole_number
from ..state.context import ExecutionContext as Ctx
from ..state.jobs import Job
from ..state.references import is_digits
from ..text import parse_digits


def _shown(ctx: Ctx) -> dict[int, Job]:
    """Return this environment's jobs; a substitution or pipeline stage without own jobs shows its parent's."""
    jobs = ctx.jobs or ctx.outer_jobs
    if jobs is None:
        jobs = table(ctx)
    return jobs.jobs


def job_named(ctx: Ctx, text: str) -> Job | None:
    """Return the job of ``%n``, ``%%``, ``%+``, ``%-`` or ``%text``, or None."""
    jobs = list(_shown(ctx).values())
    name = text[1:]
    if name in ("", "%", "+"):
        matching = jobs[-1:]
    elif name == "-":
        matching = jobs[-2:]
    elif is_digits(name):
        matching = [job for number, job in enumerate(jobs, 1) if number == parse_digits(name)]
    elif name.startswith("?"):
        matching = [job for job in jobs if name[1:] in job.text]
    else:
        matching = [job for job in jobs if job.text.startswith(name)]
    return next(iter(matching), None)


def known_job(text: str, job: Job | None) -> Job:
    """Return a job that was found. Raise ``UsageError`` for None."""
    if job is None:
        raise UsageError(f"{text}: no such job")
    return job


@builtin("jobs", summary="Show background jobs.", usage="[-lnprs] [jobspec ...] or jobs -x command [args]")
def jobs(ctx: Ctx, argv: list[str]) -> int:
    flags, names = option_letters(argv, "lnprsx")
    if "x" in flags:
        return _run_with_pids(ctx, names)
    jobs_by_pid = _shown(ctx)
    wanted: list[Job] = [] if names else list(jobs_by_pid.values())
    status = each(ctx, "jobs", names, lambda name: wanted.append(known_job(name, job_named(ctx, name))))
    lines = []
    count = len(jobs_by_pid)
    for number, job in enumerate(list(jobs_by_pid.values()), 1):
        running = job.status is None
        if job.reported or job not in wanted:
            continue
        if "s" in flags:  # only stopped jobs, and a job here never stops
            continue
        if "r" in flags and not running:
            continue
        if "p" in flags:
            lines.append(str(job.pid))
            continue
        mark = {count: "+", count - 1: "-"}.get(number, " ")
        pid = f"{job.pid:5d}" if "l" in flags else ""
        lines.append(f"[{number}]{mark} {pid} {_state(job):<23} {job.text}{' &' * running}")
        # A job that has ended is shown once; those of the parent, seen in a substitution, stay (bash).
        if ctx.jobs is not None and not running:
            jobs_by_pid.pop(job.pid, None)
    write_lines(ctx, lines)
    return status


def _state(job: Job) -> str:
    return {None: "Running", 0: "Done"}.get(job.status, f"Exit {job.status}")


def _run_with_pids(ctx: Ctx, words: list[str]) -> int:
    """Run ``jobs -x``: a command with each job operand replaced by its pid."""
    argv: list[str] = []
    for word in words:
        job = job_named(ctx, word) if word.startswith("%") else None
        argv.append(word if job is None else str(job.pid))
    if not argv:
        return 0
    return invoke(ctx, argv)


@builtin("disown", summary="Forget jobs.", usage="[-h] [-ar] [jobspec ... | pid ...]")
def disown(ctx: Ctx, argv: list[str]) -> int:
    jobs_by_pid = table(ctx).jobs
    flags, names = option_letters(argv, "ahr")
    if "a" in flags and not names:
        jobs_by_pid.clear()
        return 0

    def forget(name: str) -> None:
        if name.startswith("%"):
            job = job_named(ctx, name)
        else:
            job = jobs_by_pid.get(whole_number(name) or -1)
        shown = name if names else "current"
        jobs_by_pid.pop(known_job(shown, job).pid, None)

    return each(ctx, "disown", names or ["%"], forget)


def _has_control(ctx: Ctx, who: str) -> bool:
    """Return whether job control is on; as in bash, this is checked before the operands."""
    if "monitor" in ctx.shopts:
        return True
    ctx.warn(f"{who}: no job control")
    return False


def _controlled(ctx: Ctx, name: str) -> Job:
    """Return the job that ``fg`` or ``bg`` applies to."""
    return known_job(name or "current", job_named(ctx, "%" + name.removeprefix("%")))


@builtin("fg", summary="Wait for a job in the foreground.", usage="[job_spec]")
def fg(ctx: Ctx, argv: list[str]) -> int:
    if not _has_control(ctx, "fg"):
        return 1
    _, names = option_letters(argv, "")
    status = 1

    def handle_operand(name: str) -> None:
        nonlocal status
        job = _controlled(ctx, name)
        write_lines(ctx, [job.text])
        # SIGCONT, as bash sends it.
        job.signal(18)
        status = job.wait(ctx)
        table(ctx).jobs.pop(job.pid, None)

    failed = each(ctx, "fg", names[:1] or [""], handle_operand)
    return failed or status


@builtin("bg", summary="Continue jobs in the background.", usage="[job_spec ...]")
def bg(ctx: Ctx, argv: list[str]) -> int:
    if not _has_control(ctx, "bg"):
        return 1
    _, names = option_letters(argv, "")

    def go_on(name: str) -> None:
        job = _controlled(ctx, name)
        number = list(table(ctx).jobs).index(job.pid) + 1
        # Without stops a job that is alive runs already.
        if job.status is None:
            ctx.warn(f"bg: job {number} already in background")

    return each(ctx, "bg", names or [""], go_on)
