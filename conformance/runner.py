"""Run cases on a driver and say how it went.

A case passes, fails, or is *known* to fail (``known.toml``). A known case that passes is a failure of the list, so
nothing stays excused for longer than it must.
"""

from __future__ import annotations

import shlex
import sys
import time
import traceback
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from pyshellhooks.cli import arguments, parsers, terminal
from pyshellhooks.cli import show as shown
from pyshellhooks.cli.running import guarded

from .case import BadCase, Case, Known, ShellCase, load, load_known
from .drivers import Driver, InProcess, Spawned
from .judge import judge
from .sections import report


@dataclass(slots=True)
class Report:
    """What a run of cases came to. ``failed`` maps an id to what was wrong."""

    driver: str
    passed: list[str] = field(default_factory=list)
    failed: dict[str, list[str]] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)
    unexpected: list[str] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """True if nothing failed and no known difference has gone."""
        return not self.failed and not self.unexpected

    def as_json(self) -> dict[str, object]:
        """Return it as a JSON object; ``ok`` says whether all is as expected."""
        return {"ok": self.ok, **asdict(self)}

    def summary(self) -> str:
        """Say it in one line."""
        parts = [f"{len(self.passed)} passed"]
        for count, word in (
            (len(self.failed), "failed"),
            (len(self.unexpected), "passed although known to fail"),
            (len(self.known), "known to fail"),
            (len(self.skipped), "not for this driver or system"),
        ):
            if count:
                parts.append(f"{count} {word}")
        return f"conformance of {self.driver}: {', '.join(parts)} in {self.seconds:.1f} s"


def on_windows() -> bool:
    """Return whether the cases that need another system are left out."""
    return sys.platform == "win32"


def attempt(case: Case, driver: Driver) -> list[str]:
    """Run and judge one case; anything that escapes is a failure of the case, not of the run."""
    try:
        return judge(case, driver.run(case))
    except Exception:  # whatever the thing under test raised is this case's answer
        return [traceback.format_exc()]


def run(cases: Iterable[Case], driver: Driver, known: Mapping[str, Known]) -> Report:
    """Run the cases in order. Known differences are ours: they excuse no other shell."""
    report = Report(driver.name)
    excused = known if isinstance(driver, InProcess) else {}
    began = time.perf_counter()
    for case in cases:
        if refusal := driver.refuses(case):
            report.skipped[case.id] = refusal
            continue
        if case.not_on_windows and on_windows():
            report.skipped[case.id] = case.not_on_windows
            continue
        wrong = attempt(case, driver)
        if case.id in excused:
            if wrong:
                report.known.append(case.id)
            else:
                report.unexpected.append(case.id)
        elif wrong:
            report.failed[case.id] = wrong
        else:
            report.passed.append(case.id)
    report.seconds = time.perf_counter() - began
    return report


def show(report: Report, cases: Mapping[str, Case], known: Mapping[str, Known]) -> None:
    """Print what failed, then the line that sums up."""
    for name, wrong in report.failed.items():
        case = cases[name]
        print(f"FAIL {name}  [{case.rule}; expected from {case.source}]")
        if isinstance(case, ShellCase):
            print("     " + case.script.strip().replace("\n", "\n     "))
        for line in wrong:
            print("   - " + line.rstrip().replace("\n", "\n     "))
    for name in report.unexpected:
        print(f"UNEXPECTED PASS {name}: take it out of known.toml ({known[name].reason})")
    print(report.summary())


def parser() -> parsers.Parser:
    """Describe the command."""
    made = parsers.parser(
        "conformance",
        "Run the conformance cases on pyshellhooks, or the shell cases on any shell command.",
        examples=("conformance", "conformance --against bash"),
    )
    made.add_argument("--against", metavar="CMD", help="a shell that takes -c SCRIPT NAME ARG..., such as bash")
    made.add_argument("--only", metavar="GLOB", help="only the cases whose id matches, such as 'utilities/jq_*'")
    made.add_argument("--list", action="store_true", help="list the cases and the rule each proves; run none")
    made.add_argument(
        "--sections",
        action="store_true",
        help="list the sections of the contracts and the cases that prove each; run none",
    )
    made.add_argument("paths", metavar="PATH", nargs="*", type=Path, help="case files or directories (default: all)")
    return made


def counted(cases: Collection[Case], progress: terminal.Progress) -> Iterator[Case]:
    """Yield the cases one by one, and say which one it is."""
    for number, case in enumerate(cases, 1):
        progress.step = f"{number}, {case.id}"
        yield case


def print_rows(rows: Sequence[Mapping[str, object]], as_json: bool) -> int:
    """Print rows that have the same columns; the status is 0."""
    if as_json:
        arguments.write(arguments.to_json(list(rows)))
        return 0
    table = shown.table(*rows[0])
    for row in rows:
        table.add_row(*(shown.plain(cell) for cell in row.values()))
    shown.console().print(table)
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 when all is as expected, 1 when not or on a usage error."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        return guarded("conformance", words, command)
    except SystemExit as stop:
        return int(stop.code or 0)


def command(argv: Sequence[str]) -> int:
    """Run the command; what is wrong with the call or the cases raises."""
    options = parser().parse_args(argv)
    try:
        cases = {case.id: case for case in load(options.paths)}
    except BadCase as error:
        raise OSError(str(error)) from None
    known = load_known()
    if options.only:
        cases = {name: case for name, case in cases.items() if fnmatchcase(name, options.only)}
    if options.sections:
        columns = ("section", "about", "cases", "files")
        return print_rows([dict(zip(columns, row, strict=True)) for row in report(cases.values())], options.json)
    if not cases:
        raise OSError("no case is selected")
    if options.list:
        rows = [{"id": case.id, "rule": case.rule, "source": case.source} for case in cases.values()]
        return print_rows(rows, options.json)
    driver: Driver = Spawned(shlex.split(options.against)) if options.against else InProcess()
    with terminal.Progress(f"running {len(cases)} cases:") as progress:
        outcome = run(counted(cases.values(), progress), driver, known)
    if options.json:
        arguments.write(arguments.to_json(outcome.as_json()))
    else:
        show(outcome, cases, known)
    return 0 if outcome.ok else 1
