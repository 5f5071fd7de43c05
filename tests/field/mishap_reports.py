"""What ``check``, ``doctor`` and ``fire`` report of a mishap, and where that is kinder than the agent's own program."""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from pyshellhooks import cli
from tests import recorded
from tests.field.mishap_table import FOLDER, Mishap

RANKS = ("none", "hint", "warning", "error")
#: How ``check`` must report a guard that its agent passes by, and the least that ``doctor`` must exit with.
CAUSES = {
    "repository": ("error", 1),  # it follows from the repository's own files: the guard is off on every machine
    "machine": ("warning", 1),  # it hangs on what is installed here
    "doubt": ("hint", 0),  # it may be right, as the name of a tool that is somewhere else
    "run": ("none", 0),  # only a run shows it
}
#: Kinds of notices that tell that a deny of ours does not count in the agent.
TELLING = {"off-in-agent", "deny-counts"}


class Report(NamedTuple):
    """What ours report of one mishap."""

    findings: tuple[str, ...]  # of ``check``: "error config-syntax"
    doctor: int  # its exit status
    decision: str  # of ``fire``; "refused" where the config does not load
    kinds: frozenset[str]  # of the notices

    @property
    def severity(self) -> str:
        """Return the gravest severity of ``check``."""
        return max((one.split()[0] for one in self.findings), key=RANKS.index, default="none")

    @property
    def stops(self) -> bool:
        """Return whether the call does not go ahead."""
        return self.decision not in ("none", "allow")


def look(row: Mishap, root: Path) -> Report:
    """Write a mishap below ``root``, and run the three commands on it, in this process."""
    (root / "home").mkdir()
    config = row.write(root)
    project = row.project(root)
    start = project / row.setup.get("inside", "")
    where = ["--config", str(config)] if "plugin" in row.setup else ["--trust-project"]
    payload = {
        "tool_name": row.agent.tool,
        "tool_input": {"command": f"touch '{root}/ran'", "description": "work"},
        "cwd": str(project / row.setup["moved"] if "moved" in row.setup else start),
    }
    usual = {"PATH": os.environ["PATH"], "HOME": f"{root}/home"}
    with contextlib.chdir(start), mock.patch.dict(os.environ, row.environment(usual), clear=True):
        _, checked = _run("check", "--json", "--dialect", row.system, str(config))
        doctor, _ = _run("doctor", "--json", "--dialect", row.system, str(config))
        fire = ("fire", row.agent.event, "--json", "--dialect", row.system, "--input", "-")
        _, fired = _run(*fire, *where, stdin=json.dumps(payload))
    findings = {f"{one['severity']} {one['code']}" for one in json.loads(checked)}
    verdict = json.loads(fired)
    decision = "refused" if "error" in verdict else verdict["decision"]
    if verdict.get("halt"):
        decision = "halt"
    kinds = frozenset(one["kind"] for one in verdict.get("faults", ()))
    return Report(tuple(sorted(findings)), doctor, decision, kinds)


def _run(*argv: str, stdin: str = "") -> tuple[int, str]:
    printed = io.StringIO()
    given = io.TextIOWrapper(io.BytesIO(stdin.encode()))
    with (
        mock.patch("sys.stdin", given),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        return cli.main(argv), printed.getvalue()


def kinder(row: Mishap, answer: str, report: Report) -> Iterator[str]:
    """Yield where ours call a guard sound that its agent passes by, or let a call pass that its agent stops."""
    if answer != "passed":
        if not report.stops:
            yield f"fire: {report.decision}, and the agent stops the call"
        if row.kind == "control" and report.findings:
            yield f"check: {', '.join(report.findings)}, and nothing is wrong"
        return
    severity, doctor = CAUSES[row.demands.get("cause", "repository")]
    if report.stops and report.decision != "refused" and not report.kinds & TELLING:
        yield f"fire: {report.decision} without a notice that the agent lets the call pass"
    if RANKS.index(report.severity) < RANKS.index(severity):
        yield f"check: {report.severity}, where {severity} is due"
    if report.doctor < doctor:
        yield "doctor: nothing wrong"


def findings_missing(row: Mishap, report: Report) -> Iterator[str]:
    """Yield the findings that the row names and ``check`` does not report."""
    for code in row.demands.get("check", "").split(", "):
        if code and code not in report.findings:
            yield f"check: no {code}"


def answers(system: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the recorded answers of a system's program."""
    table = recorded.read(FOLDER / f"mishaps_{system}.json")
    return {one["id"]: one for one in table["cases"]}
