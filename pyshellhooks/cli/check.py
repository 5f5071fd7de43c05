"""``pyshellhooks check [FILE|DIR...]``: report mistakes in config files and in the scripts that they run."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from .. import __version__
from ..errors import message_of
from . import arguments, formats, show, terminal
from .terminal import Progress, relative_paths, wrapped

if TYPE_CHECKING:
    from ..engine.checks.checker import Checked
    from ..engine.checks.fixes import Correction
    from ..errors import Diagnostic
    from ..hooks.tools import ToldKind


_ROUNDS = 3  # of corrections, at most


def parser() -> arguments.Parser:
    """Return the parser of the command."""
    command_parser = arguments.parser(
        "check",
        "Check config files and the scripts that they run. Exits 1 if there is an error.",
        examples=("check", "check .claude/settings.json"),
    )
    command_parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="a config, or a directory for all files that discovery finds there; default: the current directory",
    )
    command_parser.add_argument(
        "--fix",
        action="store_true",
        help="fix execute bits, quotes, exit 1 of a guard, CRLF and byte order marks, and report the other mistakes",
    )
    command_parser.add_argument("--diff", action="store_true", help="show the changes of --fix without making them")
    command_parser.add_argument(
        "--dialect", metavar="NAME[@EDITION]", help="the hook system; default: recognized from the file"
    )
    command_parser.add_argument("--strict", action="store_true", help="treat warnings as errors")
    command_parser.add_argument(
        "--tool",
        metavar="NAME[=KIND[:ARGUMENT=OWN,...]]",
        action="append",
        default=[],
        help="a tool of the agent; a guard that misses it, or a matcher that matches no tool, is an error",
    )
    command_parser.add_argument(
        "--ignore",
        metavar="CODE",
        action="append",
        default=[],
        help="ignore warnings and hints of this code (docs/diagnostics.md), as tool.pyshellhooks.ignore in pyproject.toml "
        "does; errors are always reported",
    )
    command_parser.add_argument(
        "--format",
        choices=("text", "json", "github", "sarif"),
        default="text",
        help="text for people; json as --json does; github for workflow commands; sarif for code scanning",
    )
    return command_parser


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    from ..engine.checks.settings import settings_of

    options = parser().parse_args(argv)
    files, missing = _files(options.files or ["."], options.dialect)
    tools = dict(map(arguments.stated_tool, options.tool))
    ignored = codes(options.ignore)
    checked, reported, odd = [], [], missing
    with Progress("checking") as progress:
        for path, dialect in files.items():
            progress.step = path
            report = _report(path, dialect, tools, _ROUNDS if options.fix and not options.diff else 0)
            checked.append(report)
            of_project, wrong = settings_of(path)
            reported.append(report.reported(ignored | of_project))
            odd += wrong
            _report_errors(reported[-1], ignored | of_project)
    _trust(list(files))
    # Each once: several configs may run one script.
    diagnostics = [*dict.fromkeys(odd), *dict.fromkeys(diagnostic for report in reported for diagnostic in report)]
    if options.diff:
        _write_changes(checked)
    else:
        _write_diagnostics(options, diagnostics, _fine(checked, reported, options.files))
    bad = {"error", "warning"} if options.strict else {"error"}
    return 1 if any(diagnostic.severity in bad for diagnostic in diagnostics) else 0


def _report(path: str, dialect: str | None, tools: Mapping[str, ToldKind], rounds: int) -> Checked:
    """Return the report on a file, after at most ``rounds`` rounds of corrections."""
    from ..engine.checks.checker import check_file

    report = check_file(path, dialect, tools=tools)
    # A correction may reveal another mistake: in a script with CRLF no ``exit 1`` is recognized.
    for _ in range(rounds):
        if not _fix(report.corrections):
            break
        report = check_file(path, dialect, tools=tools)
    for message in report.kept if rounds else ():
        terminal.print_error(message)
    return report


def _write_changes(reports: Iterable[Checked]) -> None:
    """Write the corrections as a diff, once for each file."""
    # A dict by path, since a script of several hooks has a correction in each report.
    changes = {change.path: change for report in reports for change in report.corrections}
    arguments.write("".join(f"{line}\n" for change in changes.values() for line in difference(change)))


def _write_diagnostics(options: Namespace, diagnostics: Sequence[Diagnostic], fine: Iterable[Checked]) -> None:
    """Write the diagnostics in the format of the options; the text format also names the ``fine`` files."""
    from ..engine.checks.codes import CODES, shown

    if options.format == "github":
        arguments.write(formats.github(diagnostics))
    elif options.format == "sarif":
        arguments.write(arguments.to_json(formats.sarif(diagnostics, __version__, CODES)))
    elif options.json or options.format == "json":
        arguments.write(arguments.to_json([diagnostic.as_json() for diagnostic in diagnostics]))
    else:
        for diagnostic in diagnostics:
            arguments.write(wrapped(shown(diagnostic), sys.stdout) + "\n")
        for report in fine:
            arguments.write(_empty_report(report))


def _files(paths: Sequence[str], dialect: str | None) -> tuple[dict[str, str | None], list[Diagnostic]]:
    """Return the files to check, each with its system, and the problems of discovery in directories."""
    from ..engine.checks.checker import files_at, problems_at
    from ..engine.config.discovered_files import no_config_warning
    from ..host import current

    files: dict[str, str | None] = {}
    missing: list[Diagnostic] = []
    for path in paths:
        if not os.path.isdir(path):
            files[path] = dialect  # also if it does not exist, which is an error of the check
            continue
        found = {current().relative(file): system for file, system in files_at(path, dialect).items()}
        files.update(found)
        missing += problems_at(path, dialect)
        if not found:
            missing.append(no_config_warning(path))
    return files, missing


def difference(change: Correction) -> Iterator[str]:
    """Yield the lines of a unified diff; a change of mode is written as in git."""
    name = relative_paths(change.path)
    if change.mode_before != change.mode_after:
        yield from (f"old mode 100{change.mode_before:o} {name}", f"new mode 100{change.mode_after:o} {name}")
    if change.before != change.after:
        yield from show.difference(name, change.before, change.after)


def _fix(corrections: Sequence[Correction]) -> bool:
    """Write the corrections and report each; return whether anything was written."""
    done = False
    for change in corrections:
        name = relative_paths(change.path)
        try:
            if not _is_unchanged(change):
                terminal.print_error(f"{name}: not fixed, because it has just changed; run check --fix again")
                continue
            _write_correction(change)
        except OSError as error:
            terminal.print_error(f"{name}: can't be fixed: {message_of(error)}; give your user write permission")
            continue
        done = True
        terminal.print_error(f"corrected: {name}")
    return done


def _report_errors(diagnostics: Sequence[Diagnostic], ignored: Collection[str]) -> None:
    for code in dict.fromkeys(diagnostic.code for diagnostic in diagnostics if diagnostic.code in ignored):
        terminal.print_error(f"{code} is reported although it is ignored: this error turns a guard off")


def _is_unchanged(change: Correction) -> bool:
    """Return whether a file still has the text that was checked, and is not another file behind a link."""
    from ..engine.scripts.referenced_scripts import read_disk

    return os.path.realpath(change.path) == change.real and read_disk(change.real) == change.before


def _write_correction(change: Correction) -> None:
    from ..resident.install.files import put

    if change.before != change.after:
        put(change.real, change.after, change.real)
    if change.mode_before != change.mode_after:
        os.chmod(change.real, change.mode_after)


def _fine(
    checked: Sequence[Checked], diagnostics: Sequence[Sequence[Diagnostic]], named: Collection[str]
) -> list[Checked]:
    """Return the reports without diagnostics. If any file has hooks, leave out discovered files without hooks."""
    fine = [report for report, problems in zip(checked, diagnostics, strict=True) if not problems]
    if not any(map(_has_hooks, checked)):
        return fine
    return [report for report in fine if _has_hooks(report) or report.path in named]


def _has_hooks(report: Checked) -> bool:
    return report.configuration is not None and bool(report.configuration.specs)


def _empty_report(report: Checked) -> str:
    configuration = report.configuration
    if configuration is None:
        return ""
    hooks = show.counted(len(configuration.specs), "hook")
    return f"{report.path}: {hooks} of {configuration.dialect.full_name}, nothing wrong\n"


def codes(values: Sequence[str]) -> frozenset[str]:
    """Parse ``--ignore``: codes, each alone or several with commas. Raises InputError for an unknown code."""
    from ..engine.checks.codes import CODES
    from ..engine.checks.settings import unknown_code

    words = (code.strip() for text in values for code in text.split(","))
    names = list(filter(None, words))
    for code in names:
        if code not in CODES:
            raise arguments.InputError(f"--ignore: {'; '.join(unknown_code(code))}")
    return frozenset(names)


def _trust(files: Sequence[str]) -> None:
    """Report changes in trusted files if discovery finds a checked file here; a file named by path needs no trust."""
    from ..engine import HookEngine
    from ..engine.checks.codes import OF_ENGINES
    from ..engine.trust.trust import NEVER, left_out_diagnostic
    from ..errors import ConfigError

    here = {os.path.realpath(file) for file in files}
    try:
        with HookEngine.discover(user=False) as engine:
            untrusted, diagnostics = engine.untrusted, engine.diagnostics
            paths = {os.path.realpath(file) for file in (*untrusted, *(spec.origin.file for spec in engine.specs))}
    except ConfigError:
        return  # the report on each file has already shown why it does not load
    if here.isdisjoint(paths):
        return
    # A file that was never trusted needs no mention in its own check; one that changed since then does.
    never = [left_out_diagnostic(file, NEVER) for file in untrusted]
    changed = [diagnostic for diagnostic in diagnostics if diagnostic.file in untrusted and diagnostic not in never]
    show.lines(diagnostic for diagnostic in changed if diagnostic.code in OF_ENGINES)
