"""``jobs``, ``disown``, ``fg``, ``bg`` (the last two work under ``set -m``; else they say that there is no job control)."""

from __future__ import annotations

from ..interp.builtin import builtin, option_letters
from ..interp.invoke import invoke
from ..interp.jobs.background import table
from ..interp.numbers import whole_number
from ..state.context import ExecutionContext as Ctx
from ..state.jobs import Job
from ..text import encode, whole


def _shown(ctx: Ctx) -> dict[int, Job]:
    """Return the jobs of this environment; a substitution or a stage of a pipeline without own ones shows the parent's."""
    jobs = ctx.jobs or ctx.outer_jobs
    return table(ctx).jobs if jobs is None else jobs.jobs


def job_named(ctx: Ctx, text: str) -> Job | None:
    """Find a job by ``%n``, ``%%``, ``%+``, ``%-`` or ``%text``."""
    jobs = list(_shown(ctx).values())
    if not jobs:
        return None
    name = text[1:]
    if name in ("", "%", "+"):
        return jobs[-1]
    if name == "-":
        return jobs[-2] if len(jobs) > 1 else jobs[-1]
    if name.isdecimal() and name.isascii():
        number = whole(name)
        return jobs[number - 1] if 0 < number <= len(jobs) else None
    if name.startswith("?"):
        return next((job for job in jobs if name[1:] in job.text), None)
    return next((job for job in jobs if job.text.startswith(name)), None)


@builtin("jobs", summary="Show background jobs.", usage="[-lnprs] [jobspec ...] or jobs -x command [args]")
def jobs(ctx: Ctx, argv: list[str]) -> int:
    flags, names = option_letters(argv, "lnprsx")
    if "x" in flags:
        return _run_with_pids(ctx, names)
    lines = []
    status = 0
    held = _shown(ctx)
    wanted = []
    for name in names:
        job = job_named(ctx, name)
        if job is None:
            ctx.warn(f"jobs: {name}: no such job")
            status = 1
        else:
            wanted.append(job)
    count = len(held)
    for number, job in enumerate(list(held.values()), 1):
        if job.reported or (names and job not in wanted) or "s" in flags or ("r" in flags and job.status is not None):
            continue
        if "p" in flags:
            lines.append(f"{job.pid}\n")
            continue
        if job.status is None:
            state = "Running"
        else:
            state = "Done" if not job.status else f"Exit {job.status}"
            if ctx.jobs is not None:
                held.pop(job.pid, None)
        mark = "+" if number == count else ("-" if number == count - 1 else " ")
        pid = f"{job.pid:5d}" if "l" in flags else ""
        amp = " &" if job.status is None else ""
        lines.append(f"[{number}]{mark} {pid} {state:<23} {job.text}{amp}\n")
    if lines:
        ctx.fds.get(1).write(encode("".join(lines)))
    return status


def _run_with_pids(ctx: Ctx, words: list[str]) -> int:
    """``jobs -x``: run a command with the pid for each job that its operands name."""
    argv = []
    for word in words:
        job = job_named(ctx, word) if word.startswith("%") else None
        argv.append(word if job is None else str(job.pid))
    return invoke(ctx, argv) if argv else 0


@builtin("disown", summary="Forget jobs.", usage="[-h] [-ar] [jobspec ... | pid ...]")
def disown(ctx: Ctx, argv: list[str]) -> int:
    held = table(ctx).jobs
    flags, names = option_letters(argv, "ahr")
    if not names:
        if "a" in flags:
            held.clear()
        elif held:
            held.popitem()
        else:
            ctx.warn("disown: current: no such job")
            return 1
        return 0
    status = 0
    for name in names:
        job = job_named(ctx, name) if name.startswith("%") else held.get(whole_number(name) or -1)
        if job is None:
            ctx.warn(f"disown: {name}: no such job")
            status = 1
        else:
            held.pop(job.pid, None)
    return status


def _has_control(ctx: Ctx, who: str) -> bool:
    """Say whether there is job control; bash looks at nothing else before."""
    if "monitor" in ctx.shopts:
        return True
    ctx.warn(f"{who}: no job control")
    return False


def _controlled(ctx: Ctx, who: str, name: str) -> Job | None:
    """Find the job that ``fg`` or ``bg`` is for."""
    job = job_named(ctx, name if name.startswith("%") else f"%{name}")
    if job is None:
        ctx.warn(f"{who}: {name or 'current'}: no such job")
    return job


@builtin("fg", summary="Wait for a job in the foreground.", usage="[job_spec]")
def fg(ctx: Ctx, argv: list[str]) -> int:
    if not _has_control(ctx, "fg"):
        return 1
    _, names = option_letters(argv, "")
    job = _controlled(ctx, "fg", names[0] if names else "")
    if job is None:
        return 1
    ctx.fds.get(1).write(encode(job.text + "\n"))
    job.signal(18)
    status = job.wait(ctx)
    table(ctx).jobs.pop(job.pid, None)
    return status


@builtin("bg", summary="Let jobs go on in the background.", usage="[job_spec ...]")
def bg(ctx: Ctx, argv: list[str]) -> int:
    if not _has_control(ctx, "bg"):
        return 1
    _, names = option_letters(argv, "")
    status = 0
    for name in names or [""]:
        job = _controlled(ctx, "bg", name)
        if job is None:
            status = 1
            continue
        number = list(table(ctx).jobs).index(job.pid) + 1
        if job.status is None:
            ctx.warn(f"bg: job {number} already in background")
    return status
