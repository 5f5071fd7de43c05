"""``pyshellhooks check FILE...``: read config files and say what is wrong, with line and column."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .. import __version__
from . import arguments, formats, show
from .terminal import Progress, wrapped

if TYPE_CHECKING:
    from ..errors import Diagnostic


def parser() -> arguments.Parser:
    """Describe the command."""
    made = arguments.parser(
        "check",
        "Read config files and say what is wrong with them. Exits 1 if one does not load.",
        examples=("check .claude/settings.json",),
    )
    made.add_argument("files", metavar="FILE", nargs="+")
    made.add_argument("--dialect", metavar="NAME[@EDITION]", help="the hook system, where the file does not tell it")
    made.add_argument("--strict", action="store_true", help="take warnings for errors")
    made.add_argument(
        "--format",
        choices=("text", "json", "github", "sarif"),
        default="text",
        help="text for people; json as --json does; github for workflow commands; sarif for code scanning",
    )
    return made


def main(argv: Sequence[str]) -> int:
    """Run the command."""
    from ..engine import check

    options = parser().parse_args(argv)
    checked = []
    with Progress("checking") as progress:
        for path in options.files:
            progress.step = path
            checked.append(check([path], options.dialect))
    show.warnings(list(_trust(options.files)))
    found = [diagnostic for report in checked for diagnostic in report.diagnostics]
    if options.format == "github":
        arguments.write(formats.github(found))
    elif options.format == "sarif":
        arguments.write(arguments.to_json(formats.sarif(found, __version__)))
    elif options.json or options.format == "json":
        arguments.write(arguments.to_json([diagnostic.as_json() for diagnostic in found]))
    else:
        for diagnostic in found:
            arguments.write(wrapped(show.from_here(diagnostic), sys.stdout) + "\n")
        for path, report in zip(options.files, checked, strict=True):
            if not report.diagnostics:
                hooks = len(report.specs)
                arguments.write(
                    f"{path}: {hooks} hook{'s' if hooks != 1 else ''} of {report.dialect.full_name}, nothing wrong\n"
                )
    bad = {"error", "warning"} if options.strict else {"error"}
    return 1 if any(diagnostic.severity in bad for diagnostic in found) else 0


def _trust(files: Sequence[str]) -> Iterator[Diagnostic]:
    """Say what trust makes of those files that discovery would find here; to name a file needs none."""
    from ..engine import HookEngine
    from ..errors import ConfigError

    try:
        with HookEngine.discover(user=False) as engine:
            here = {os.path.realpath(file) for file in files}
            untrusted = {os.path.realpath(file) for file in engine.untrusted}
            if here & {os.path.realpath(spec.origin.file) for spec in engine.specs} or here & untrusted:
                yield from (one for one in engine.diagnostics if os.path.realpath(one.file) in untrusted)
    except ConfigError:
        return  # what does not load is told of each file
