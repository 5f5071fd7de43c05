"""``pyshellhooks fire EVENT``: run the hooks of an event and print their verdict.

The exit status is the decision: 0 proceed, 2 denied, 3 ask a person, 49 halted; 1 is a usage or config error. It also
replaces 0 if untrusted hooks of the project were left out, so that the event does not proceed by mistake.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..engine.executor import RecordedExecutor
from ..engine.scheduler import HookRunner
from ..hooks.model import HookJob, HookRun
from ..notice import Notice
from . import USAGE_ERROR, arguments, hook_flags, show
from .parsers import DENIED, HALTED, NEEDS_APPROVAL, OK, STATUSES
from .terminal import Progress

if TYPE_CHECKING:
    from ..cancel import CancelScope
    from ..engine import HookEngine
    from ..hooks.verdict import HookResult, Verdict


BACKGROUND_SECONDS = 5.0  # for background work of hooks, after the verdict is printed


def status(verdict: Verdict) -> int:
    """Return the exit status of a verdict; a halt takes precedence over a deny."""
    if verdict.halt:
        return HALTED
    return {"deny": DENIED, "ask": NEEDS_APPROVAL}.get(verdict.decision.value, OK)


def parser() -> arguments.Parser:
    """Return the parser of the command."""
    command_parser = arguments.parser(
        "fire",
        "Fire an event and print the verdict of its hooks. The exit status is the decision.",
        statuses=tuple(STATUSES),
        examples=("fire before_tool --input call.json", "fire before_tool --sample"),
    )
    command_parser.add_argument(
        "event", metavar="EVENT", help="the system's name of the event, or a neutral name (before_tool)"
    )
    arguments.add_config_options(command_parser)
    hook_flags.add_hook_flags(command_parser)
    arguments.add_run_options(command_parser)
    command_parser.add_argument(
        "--dry-run", action="store_true", help="run nothing; show which hooks would run, and their input"
    )
    command_parser.add_argument("-v", "--verbose", action="store_true", help="show the input and output of each hook")
    command_parser.add_argument(
        "--sample", action="store_true", help="print sample fields of this event, to edit and pass with --input"
    )
    return command_parser


class RecordingRunner(HookRunner):
    """The runner of an engine, which also records the jobs."""

    __slots__ = ("jobs",)

    def __init__(self, inner: HookRunner) -> None:
        super().__init__(inner.executor, inner.handlers, inner.limits)
        self.jobs: list[HookJob] = []

    def run_hook(self, job: HookJob | HookRun, parent: CancelScope | None) -> HookRun:
        """Record the job and run it."""
        if isinstance(job, HookJob):
            self.jobs.append(job)
        return super().run_hook(job, parent)

    def pop_job_input(self, result: HookResult) -> dict[str, Any] | None:
        """Return the input of a hook's first recorded job and forget that job; None if the hook has no job."""
        for number, job in enumerate(self.jobs):
            if job.spec.id == result.spec.id:
                return delivery(self.jobs.pop(number))
        return None


def watch(engine: HookEngine) -> RecordingRunner:
    """Record the jobs of an engine from now on."""
    watched = RecordingRunner(engine.runner)
    for system in engine.systems:
        system.runner = watched
    return watched


def dry_run(options: Namespace, fields: Mapping[str, Any]) -> int:
    """Print the hooks that would run, and their input."""
    rehearsal = RecordedExecutor()
    with arguments.engine(options, executor=rehearsal) as engine:
        plan = engine.explain(options.event, fields)
        show.warnings(engine, [why.id for why in plan if why.left_out], options.dialect)
        engine.fire(options.event, fields)
    show.print_notices(arguments.with_input_name(options, plan.notices, plan.notices))
    job_input = delivery(rehearsal.jobs[0]) if rehearsal.jobs else {"stdin": None}
    if options.json:
        rows = [why.as_json() for why in plan]
        arguments.write(arguments.to_json({"dry_run": True, "hooks": rows, **job_input}))
        return OK
    show.plan(plan)
    if rehearsal.jobs:
        show.delivery(job_input)
    return OK


def skipped_hook_ids(verdict: Verdict) -> list[str]:
    """Return the ids of the hooks that were left out or did not start, from the verdict's notices."""
    notices = [notice for notice in verdict.notices if isinstance(notice, Notice)]
    return [notice.hook for notice in notices if notice.hook and notice.kind in ("hook-left-out", "hook-not-started")]


def delivery(job: HookJob) -> dict[str, Any]:
    """Return a job's input: stdin, directory, variables that differ from this process's environment, and files."""
    import os

    from ..host import current

    own = current().shell_env(os.environ)  # as a script sees it: on Windows with its paths converted
    return {
        "stdin": job.stdin.decode("utf-8", "replace"),
        "cwd": job.cwd,
        "environment": {name: value for name, value in sorted(job.env.items()) if own.get(name) != value},
        "files": sorted(job.files or ()),
    }


def sample(options: Namespace) -> int:
    """Print sample fields for an event of the system that ``--dialect`` or else the configs name."""
    from .. import dialects
    from ..hooks.fields import sample as fields

    if options.dialect:
        dialect = dialects.get(options.dialect)
    else:
        with arguments.engine(options) as engine:
            dialect = engine.dialect
    rows, neutral = dialect.native_events(options.event, {})
    sample_fields: dict[str, Any] = {}
    for row in rows or [dialect.event(options.event)[0]]:
        sample_fields = {**fields(row, neutral), **sample_fields}
    arguments.write(arguments.to_json(sample_fields))
    return OK


def wait_for_background(engine: HookEngine) -> list[Notice]:
    """Wait up to ``BACKGROUND_SECONDS`` for background work, then end it; return a notice of each unfinished job."""
    owner = engine.runner.background
    if owner is None or owner.wait(BACKGROUND_SECONDS):
        return []
    return owner.close()


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    options = parser().parse_args(argv)
    if options.sample:
        return sample(options)
    fields = arguments.read_fields(options.input)
    if options.dry_run:
        return dry_run(options, fields)
    files, mounts = arguments.file_system(options), arguments.mounts(options)
    with arguments.engine(options, spawn=not options.no_spawn, fs=files, mounts=mounts) as engine:
        watched = watch(engine) if options.verbose else None
        with Progress(f"running the hooks of {options.event}"):
            verdict = engine.fire(options.event, fields, timeout=options.timeout)
        show.warnings(engine, skipped_hook_ids(verdict), options.dialect)
        untrusted = engine.untrusted
        notices = show.without_untrusted(engine, verdict.notices)
        # Only a notice about the fields themselves gets the name of the --input file in front.
        if verdict.notices:
            odd = engine.explain(options.event, fields).notices
            notices = arguments.with_input_name(options, notices, odd)
            verdict = verdict.replace(notices=arguments.with_input_name(options, verdict.notices, odd))
        job_inputs: list[dict[str, Any] | None] = []
        if watched is not None:
            job_inputs = [watched.pop_job_input(result) for result in verdict.hooks]
        if options.json:
            document = verdict.as_json()
            if job_inputs:
                document["given"] = job_inputs
            arguments.write(arguments.to_json(document))
        else:
            show.hooks_in_full(verdict, job_inputs)
            show.verdict(verdict, notices, untrusted)
            sys.stdout.flush()  # the verdict is visible while background work is awaited
        show.print_notices(wait_for_background(engine))
    exit_status = status(verdict)
    if exit_status == OK and untrusted:
        return USAGE_ERROR  # skipped hooks must not look like an allow
    return exit_status
