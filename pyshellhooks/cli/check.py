"""``pyshellhooks check FILE...``: read config files and say what is wrong, with line and column."""

from __future__ import annotations

from collections.abc import Sequence

from . import arguments


def parser() -> arguments.Parser:
    """Describe the command."""
    made = arguments.parser("check", "Read config files and say what is wrong with them. Exits 1 if one does not load.")
    made.add_argument("files", metavar="FILE", nargs="+")
    made.add_argument("--dialect", metavar="NAME[@EDITION]", help="the hook system, where the file does not tell it")
    made.add_argument("--strict", action="store_true", help="take warnings for errors")
    made.add_argument("--json", action="store_true", help="print the diagnostics as JSON")
    return made


def main(argv: Sequence[str]) -> int:
    """Run the command."""
    from ..engine import check

    options = parser().parse_args(argv)
    checked = [check([path], options.dialect) for path in options.files]
    found = [diagnostic for report in checked for diagnostic in report.diagnostics]
    if options.json:
        arguments.write(arguments.to_json([diagnostic.as_json() for diagnostic in found]))
    else:
        for diagnostic in found:
            arguments.write(f"{diagnostic}\n")
        for path, report in zip(options.files, checked, strict=True):
            if not report.diagnostics:
                hooks = len(report.specs)
                arguments.write(
                    f"{path}: {hooks} hook{'s' if hooks != 1 else ''} of {report.dialect.full_name}, nothing wrong\n"
                )
    bad = {"error", "warning"} if options.strict else {"error"}
    return 1 if any(diagnostic.severity in bad for diagnostic in found) else 0
