"""All conformance cases, a topic at a time: what ``pyshellhooks conformance`` shows, as tests."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from clock import patient
from rotation import WHOLE_TABLES, first

from conformance.case import CASES, Case, HookCase, ShellCase, load, load_known
from conformance.drivers import InProcess
from conformance.judge import judge
from conformance.runner import run
from pyshellhooks.dialects.everruns import spec

pytestmark = [pytest.mark.timeout(300)]
if os.name == "nt":  # the handle of a process that has its end elsewhere is closed by the collector
    pytestmark.append(pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"))

WAITS = {
    "shell/killed_while_waiting",
    "shell/started_children",
    "utilities/timeout_signals",
}  # cases whose subject is time
IN_MEMORY = "\nvirtual = true\n"
# Cases that wait for a second or two, and do nothing: they wait together.
WAITING = frozenset(
    """
    claude_code/failures/deny-in-the-grace-counts claude_code/failures/session-end-has-a-budget
    crush/shipped/equal-command-the-first-entry-wins crush/timeouts/program-that-ignores-term
    crush/timeouts/verdict-in-the-grace-counts everruns/failures/a-block-in-the-grace-second-counts
    docker_agent/aggregation/equal-commands-keep-the-first-time docker_agent/config/timeout-in-seconds
    docker_agent/failures/a-deny-in-the-grace-counts docker_agent/failures/an-allow-in-the-grace-does-not-count
    docker_agent/failures/failclosed-timeout docker_agent/failures/its-stdout-does-not-count-then
    docker_agent/failures/no-time-left-denies-when-strict
    docker_agent/failures/no-time-left-denies-by-the-hosts-option docker_agent/failures/no-time-left-elsewhere
    docker_agent/failures/no-time-left-is-no-opinion docker_agent/failures/the-others-are-not-touched
    docker_agent/flags/an-equal-command-runs-once-with-the-files-time
    docker_agent/shipped/a-deny-after-its-time-is-lost gemini/config/the-first-of-equal-hooks-runs
    gemini/failures/a-deny-in-the-grace-counts gemini/failures/a-retry-in-the-grace-counts utilities/find/find-stream-1
    utilities/awk_gawk/procinfo-read-timeout utilities/awk_gawk/procinfo-read-timeout-of-the-input
    """.split()
)


@pytest.fixture(autouse=True)
def _default_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give hooks of Everruns without a timeout, which have five seconds, more of them on a busy machine."""
    monkeypatch.setattr(spec, "DEFAULT_TIMEOUT_MS", round(1000 * patient(5)))


def _topics() -> Iterator[Any]:
    """Yield the files of cases. On Windows a run takes every second file, and every fifth of the cases in memory."""
    for number, path in enumerate(sorted(CASES.rglob("*.toml"))):
        name = path.relative_to(CASES).with_suffix("").as_posix()
        step = 5 if IN_MEMORY in path.read_text(encoding="utf-8") else 2
        if os.name == "nt" and number % step != first(step) and not WHOLE_TABLES:
            continue
        yield pytest.param(path, id=name, marks=pytest.mark.slow if name in WAITS else ())


@pytest.mark.parametrize("topic", list(_topics()))
def test_topic(topic: Path) -> None:
    report = run((case for case in load([topic]) if case.id not in WAITING), InProcess(), load_known())
    lines = [f"{name}: {'; '.join(wrong)}" for name, wrong in report.failed.items()]
    assert report.ok, "\n".join([*lines, *(f"unexpected pass: {name}" for name in report.unexpected)])
    assert report.passed or report.skipped or report.known


def test_cases_that_wait() -> None:
    topics = sorted({(CASES / name).parent.with_suffix(".toml") for name in WAITING})
    cases = [case for case in load(topics) if case.id in WAITING]
    assert len(cases) == len(WAITING)
    together = [_with_more_time(case) for case in cases]
    with ThreadPoolExecutor(len(cases)) as pool:
        reports = list(pool.map(lambda case: run([case], InProcess(), {}), together))
    assert [report.failed for report in reports if not report.ok] == []


def _with_more_time(case: Case) -> Case:
    """Return a case that may take three times as long: its threads share the machine with those of the others."""
    if isinstance(case, HookCase) and case.within is not None:
        return replace(case, within=3 * case.within)
    return case


READ_IN_PART = re.compile(r"\brg\b[^|\"]*\| *(?:head|true|read|grep -\w*q|sed [^|]*\dq)\b")


def test_all_that_ripgrep_prints_is_read() -> None:
    """It complains of a reader that is gone, now and then: ``rg --version | head -c 14`` has no answer of its own."""
    assert READ_IN_PART.search("rg --version | head -c 14") and READ_IN_PART.search("rg x | sed 3q")
    scripts = [case.script for case in load([CASES]) if isinstance(case, ShellCase)]
    assert [script for script in scripts if READ_IN_PART.search(script)] == []


@pytest.mark.parametrize("name", ["echo", "printf", "test"])
def test_a_utility_answers_as_the_builtin_of_its_name(name: str) -> None:
    for case in load([CASES / f"utilities/{name}.toml"]):
        assert isinstance(case, ShellCase) and case.stderr is not None
        if not case.script.startswith(name):
            continue  # more than one command
        alone = replace(case, script=f"env {case.script}", stderr=case.stderr.replace("bash: line 1: ", ""))
        assert judge(alone, InProcess().run(alone)) == [], alone.script
