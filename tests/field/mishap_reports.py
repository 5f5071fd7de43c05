"""The reports of ``check``, ``doctor`` and ``fire`` on a mishap, and where they are kinder than the agent's own program."""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from pyshellhooks import ConfigError, HookEngine, cli
from pyshellhooks.notice import Notice
from tests import recorded
from tests.field.mishap_table import AGENTS, FOLDER, Mishap, mishaps

RANKS = ("none", "hint", "warning", "error")
#: How ``check`` must report a guard that its agent passes by, and the least that ``doctor`` must exit with.
CAUSES = {
    "repository": ("error", 1),  # it follows from the repository's own files: the guard is off on every machine
    "answer": (
        "error",
        0,
    ),  # it runs on every machine, and its answer counts on none; doctor looks for commands only
    "machine": ("warning", 1),  # it hangs on what is installed here
    "doubt": ("hint", 0),  # it may be right, as the name of a tool that is somewhere else
    "run": ("none", 0),  # only a run shows it
}
#: Kinds of notices that tell that a deny of ours, or a part of the file or of the answer, does not count in the agent.
TELLING = {"off-in-agent", "deny-counts", "hook-left-out", "bad-output", "answer-ignored"}


class Report(NamedTuple):
    """Our reports on one mishap."""

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


def look(row: Mishap, root: Path, edition: str = "") -> Report:
    """Write a mishap below ``root``, and run the three commands on it, in this process; ``fire`` in this edition."""
    (root / "home").mkdir()
    config = row.write(root)
    project = row.project(root)
    start = project / row.setup.get("inside", "")
    payload = {
        "tool_name": row.agent.tool,
        "tool_input": {"command": f"{row.setup.get('call', '')}touch '{root}/ran'", "description": "work"},
        "cwd": str(project / row.setup["moved"] if "moved" in row.setup else start),
    }
    if row.setup.get("gone"):
        (project / row.setup["moved"]).rmdir()
    usual = {"PATH": os.environ["PATH"], "HOME": f"{root}/home"}
    with contextlib.chdir(start), mock.patch.dict(os.environ, row.environment(usual), clear=True):
        _, checked = _run("check", "--json", "--dialect", row.system, str(config))
        doctor, _ = _run("doctor", "--json", "--dialect", row.system, str(config))
        decision, kinds = _fire(row, config, payload, f"{row.system}@{edition}" if edition else row.system)
    findings = {f"{one['severity']} {one['code']}" for one in json.loads(checked)}
    return Report(tuple(sorted(findings)), doctor, decision, kinds)


def _fire(row: Mishap, config: Path, payload: dict[str, Any], dialect: str) -> tuple[str, frozenset[str]]:
    try:
        if "plugin" in row.setup:
            engine = HookEngine.load(str(config), dialect)
        else:
            engine = HookEngine.discover(dialect=dialect, trust_project=True)
        with engine:
            verdict = engine.fire(row.agent.event, payload)
    except ConfigError:
        return "refused", frozenset()
    kinds = frozenset(one.kind for one in verdict.notices if isinstance(one, Notice))
    return "halt" if verdict.halt else verdict.decision.value, kinds


def _run(*argv: str) -> tuple[int, str]:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
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


def forget(row: Mishap) -> None:
    """Take ``decided`` off a row."""
    path = FOLDER / f"mishaps_{row.system}.toml"
    before, header, after = path.read_text(encoding="utf-8").partition(f"[{row.kind}.{row.name}]\n")
    own, following, others = after.partition("\n[")
    lines = [line for line in own.split("\n") if not line.startswith(("decided = ", "shipped = "))]
    path.write_text(before + header + "\n".join(lines) + following + others, encoding="utf-8")


def main() -> None:
    """Run every row, print where ours are kinder without a decision, and take ``decided`` off the rows where they are not."""
    for row in (row for system in AGENTS for row in mishaps(system)):
        with tempfile.TemporaryDirectory() as folder:
            report = look(row, Path(folder).resolve())
        faults = [*kinder(row, answers(row.system)[str(row)]["answer"], report), *findings_missing(row, report)]
        if faults and "decided" not in row.demands:
            print(f"{row.system} {row}: {'; '.join(faults)}: {report}")
        if not faults and "decided" in row.demands:
            forget(row)
            print(f"{row.system} {row}: no longer kinder")


if __name__ == "__main__":
    main()
