"""``pyshellhooks doctor``: list the commands of the hooks that will not run here. Exits 1 if there is one."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from . import arguments, show
from .terminal import Progress, relative_paths

if TYPE_CHECKING:
    from ..engine.checks.doctor import CommandLookup
    from ..errors import Diagnostic


def parser() -> arguments.Parser:
    """Return the parser of the command."""
    command_parser = arguments.parser(
        "doctor",
        "List the hooks' commands that will not run here; with --all, also what runs the others.",
        examples=("doctor", "doctor crush.json --all"),
    )
    command_parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="a config, as with --config, or a directory for all files that discovery finds there; default: the current directory",
    )
    arguments.add_config_options(command_parser)
    command_parser.add_argument("--no-spawn", action="store_true", help="assume that no process may be started")
    command_parser.add_argument("--all", action="store_true", help="also show the commands that will run")
    return command_parser


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    options = parser().parse_args(argv)
    lookups: list[CommandLookup] = []
    errors: list[Diagnostic] = []
    hooks, fails, left_out = 0, False, False
    for path in options.files or [None]:
        for report in _reports(options, path):
            if report is None:
                fails = True
                continue
            count, commands, has_untrusted, problems = report
            hooks += count
            lookups += commands
            left_out |= has_untrusted
            errors += problems
    if options.json:
        facts = {"engine": versions(), "hooks": hooks, "commands": [finding.as_json() for finding in lookups]}
        facts["errors"] = [error.as_json() for error in errors]
        arguments.write(arguments.to_json(facts))
    else:
        print_report(options, lookups, show.counted(hooks, "hook") if hooks else "", left_out)
    if fails or errors or any(map(_is_bad, lookups)):
        return 1
    return 0


def _is_bad(finding: CommandLookup) -> bool:
    """Return whether a hook needs a command that will not run, without a test or a fallback for it."""
    return not finding.fine and not finding.excused


#: The number of hooks, a finding for each command, whether untrusted hooks were left out, and the errors of ``check``.
Report = tuple[int, "list[CommandLookup]", bool, "list[Diagnostic]"]


def _reports(options: Namespace, path: str | None) -> Iterator[Report | None]:
    """Examine a file, or all files that discovery finds in a directory; a plugin there has a report of its own."""
    from ..engine.config.loading import plugin_file

    if path is None and options.config:
        yield _examine(options, None, None)
    elif path is None or os.path.isdir(path):
        if path is not None and plugin_file(path):
            yield _examine(options, path, None)
            options.config = []  # set by the call before
        yield _examine(options, None, path or ".")
    else:
        yield _examine(options, path, None)


def _examine(options: Namespace, path: str | None, directory: str | None) -> Report | None:
    """Examine one file, the files that discovery finds in a directory, or those that the options name.

    Reports a file that does not load and returns None for it.
    """
    from ..engine.checks.doctor import examine
    from ..errors import ConfigError

    more: dict[str, Any] = {"spawn": not options.no_spawn}
    if path is not None:
        options.config = [path]
        # Relative commands start in the file's project, wherever doctor itself was started.
        more["cwd"] = _directory(path, options.dialect)
    try:
        with arguments.engine(options, directory, **more) as engine:
            show.warnings(engine, dialect=options.dialect)
            with Progress("looking up the hooks' commands"):
                lookups = examine(engine, spawn=not options.no_spawn)
                named = [path] if path is not None else [spec.origin.file for spec in engine.specs]
                errors = _errors(named, options.dialect, directory, lookups)
            # The warnings above have reported these places.
            places = {(diagnostic.file, diagnostic.line, diagnostic.column) for diagnostic in engine.diagnostics}
            others = [error for error in errors if (error.file, error.line, error.column) not in places]
            show.lines(others, options.dialect)
            return len(engine.specs), lookups, bool(engine.untrusted), errors
    except ConfigError as error:
        if path is None:
            raise
        show.lines(error.diagnostics, options.dialect)
        return None


def _errors(
    named: Sequence[str], dialect: str | None, directory: str | None, lookups: Sequence[CommandLookup]
) -> list[Diagnostic]:
    """Return the errors of ``check`` in the files: a hook that never runs, or never counts, does not run here either.

    Files that discovery finds in ``directory`` are checked, too. Errors that ``lookups`` has for a command are left out.
    """
    from ..engine.checks.checker import check_file, files_at, problems_at
    from ..engine.config.host_context import real_directory
    from ..engine.config.loading import plugin_file

    systems: dict[str, str | None] = dict.fromkeys(filter(None, named), dialect)
    diagnostics: list[Diagnostic] = []
    if directory is not None:
        systems |= files_at(directory, dialect)
        systems.pop(plugin_file(real_directory(directory)), None)  # it has a report of its own
        diagnostics += problems_at(directory, dialect)
    for file, system in systems.items():
        diagnostics += check_file(file, system).diagnostics
    reported = {finding.code for finding in lookups if _is_bad(finding)}
    errors = [diagnostic for diagnostic in dict.fromkeys(diagnostics) if diagnostic.severity == "error"]
    return [error for error in errors if error.code not in reported]


def _directory(path: str, dialect: str | None) -> str | None:
    """Return the directory that a file belongs to, as ``check`` does; None if its hook system is unknown."""
    from ..engine.checks.checker import home
    from ..engine.config.loading import choose_dialect, sources
    from ..errors import ConfigError

    try:
        return home(choose_dialect(dialect, sources(path, None, path)), path)
    except ConfigError:
        return None


def _row(finding: CommandLookup) -> tuple[str, ...]:
    where = f"{finding.file}:{finding.line}" if finding.file else finding.origin
    message = f"{finding.message}; {finding.hint}" if finding.hint else finding.message
    before, name, detail = (show.plain(relative_paths(text)) for text in (where, finding.name, message))
    return before, name, show.coloured(finding.kind, "" if finding.fine else "bold red"), detail


def versions() -> dict[str, str]:
    """Return the versions, and the engines of regular expressions and of jq that are used here."""
    from importlib.util import find_spec

    from .. import __version__
    from ..patterns.engines import load_re2

    regex = "google-re2" if load_re2() else "regex, with a timeout (the extra re2 is not installed)"
    jq = "with libjq in a worker for bulk" if find_spec("jq") else "alone (the package jq is not installed)"
    return {
        "pyshellhooks": __version__,
        "python": sys.version.split()[0],
        "regex": regex,
        "jq": f"the built-in evaluator, {jq}",
    }


def _summary(findings: Sequence[CommandLookup], hooks: str) -> str:
    """Return the line with the numbers of commands and of those that will not run; ``hooks`` is such as "3 hooks"."""
    bad = [finding for finding in findings if _is_bad(finding)]
    off = sum(finding.kind == "off-in-agent" for finding in bad)
    commands = len({finding.name for finding in findings if finding.kind != "off-in-agent"})
    summary = f"{hooks} with {show.counted(commands, 'command')}; {len(bad) - off} will not run here"
    if off:
        summary += f", {show.counted(off, 'part')} off in the agent"
    return summary


def print_report(options: Namespace, lookups: Sequence[CommandLookup], hooks: str, left_out: bool) -> None:
    """Print the report for people. ``hooks`` is such as "3 hooks"; ``left_out``: untrusted hooks were left out."""
    out = show.console()
    shown = lookups if options.all else [finding for finding in lookups if _is_bad(finding)]
    if shown:
        rows = show.table("where", "command", "is", "detail")
        for cells in dict.fromkeys(map(_row, shown)):  # a script that several hooks run has one row
            rows.add_row(*cells)
        out.print(rows)
    if hooks:
        out.print(_summary(lookups, hooks))
    else:
        out.print("found no trusted hooks" if left_out else "found no hooks")
    native = sorted({finding.name for finding in lookups if finding.kind == "program"})
    if native:
        out.print(f"programs of this machine: {show.plain(', '.join(native))}")
    facts = versions()
    out.print(
        f"pyshellhooks {facts['pyshellhooks']} on Python {facts['python']}; regular expressions: {facts['regex']}; "
        f"jq: {facts['jq']}"
    )
