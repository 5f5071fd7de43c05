"""``jobs``, ``disown``, ``fg``, ``bg`` (there is no job control in a hook: the last two say so)."""

from __future__ import annotations

from ..interp.builtin import builtin
from ..interp.context import ExecutionContext as Ctx
from ..interp.jobs import Job, table
from ..text import encode


def job_named(ctx: Ctx, text: str) -> Job | None:
    """Find a job by ``%n``, ``%%``, ``%+``, ``%-`` or ``%text``."""
    jobs = list(table(ctx).jobs.values())
    if not jobs:
        return None
    name = text[1:]
    if name in ("", "%", "+"):
        return jobs[-1]
    if name == "-":
        return jobs[-2] if len(jobs) > 1 else jobs[-1]
    if name.isdecimal():
        number = int(name)
        return jobs[number - 1] if 0 < number <= len(jobs) else None
    return next((job for job in jobs if job.text.startswith(name)), None)


@builtin("jobs", summary="Show background jobs.", usage="[-lnprs] [jobspec ...]")
def jobs(ctx: Ctx, argv: list[str]) -> int:
    flags = {letter for word in argv[1:] if word.startswith("-") for letter in word[1:]}
    lines = []
    held = table(ctx).jobs
    for number, job in enumerate(list(held.values()), 1):
        if job.reported:
            continue
        if "p" in flags:
            lines.append(f"{job.pid}\n")
            continue
        if job.status is None:
            state = "Running"
        else:
            state = "Done" if not job.status else f"Exit {job.status}"
            held.pop(job.pid, None)
        mark = "+" if number == len(held) else ("-" if number == len(held) - 1 else " ")
        pid = f" {job.pid}" if "l" in flags else ""
        amp = " &" if job.status is None else ""
        lines.append(f"[{number}]{mark} {pid} {state:<22} {job.text}{amp}\n")
    if lines:
        ctx.fds.get(1).write(encode("".join(lines)))
    return 0


@builtin("disown", summary="Forget jobs.", usage="[-h] [-ar] [jobspec ... | pid ...]")
def disown(ctx: Ctx, argv: list[str]) -> int:
    held = table(ctx).jobs
    names = [word for word in argv[1:] if not word.startswith("-")]
    if not names:
        if "-a" in argv:
            held.clear()
        elif held:
            held.popitem()
        return 0
    status = 0
    for name in names:
        job = job_named(ctx, name) if name.startswith("%") else held.get(int(name) if name.isdecimal() else -1)
        if job is None:
            ctx.warn(f"disown: {name}: no such job")
            status = 1
        else:
            held.pop(job.pid, None)
    return status


def _no_job_control(ctx: Ctx, argv: list[str]) -> int:
    ctx.warn(f"{argv[0]}: no job control")
    return 1


@builtin("fg", summary="Not available: there is no job control.", usage="[job_spec]")
def fg(ctx: Ctx, argv: list[str]) -> int:
    return _no_job_control(ctx, argv)


@builtin("bg", summary="Not available: there is no job control.", usage="[job_spec ...]")
def bg(ctx: Ctx, argv: list[str]) -> int:
    return _no_job_control(ctx, argv)
