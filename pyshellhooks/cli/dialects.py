"""``pyshellhooks dialects``: the hook systems, their events, and what each event may do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..hooks.dialect import CLOSED, Dialect, EventSpec
from ..hooks.model import FAILURES
from . import arguments, show

ABILITIES = ("deny", "allow", "ask", "halt", "rewrite", "context", "output", "followup", "env", "plugins")


def parser() -> arguments.Parser:
    """Return the parser of the command."""
    command_parser = arguments.parser(
        "dialects",
        "List the hook systems, their events and the effects of each event.",
        examples=("dialects crush",),
    )
    command_parser.add_argument("names", metavar="NAME", nargs="*", help="only these systems")
    return command_parser


def described(dialect: Dialect) -> dict[str, Any]:
    """Return a system's tables as JSON."""
    return {
        "name": dialect.name,
        "title": dialect.title,
        "basis": dialect.basis,
        "files": list(dialect.file_names),
        "default_timeout": dialect.default_timeout,
        "settings": {name: setting.summary for name, setting in dialect.settings.items()},
        "editions": {name: sorted(quirks) for name, quirks in dialect.editions.items()},
        "quirks": {q.name: {"rule": q.rule, "summary": q.summary} for q in dialect.quirks.values()},
        "events": [
            {
                "name": row.native,
                "neutral": list(row.neutral),
                "matched_against": row.subject,
                "can": sorted(row.can),
                "order": row.order,
                "timeout": row.timeout or dialect.default_timeout,
                "on_failure": dict(row.failure),
                "fields": [field.native for field in row.fields],
                "summary": row.summary,
            }
            for row in dialect.events.values()
        ],
    }


def policy(row: EventSpec) -> str:
    """Return the effect of a failed hook of an event: ``open``, ``closed``, or the failures that deny."""
    if "deny" not in row.can:
        return "-"
    closed = sorted(ended for ended, policy in row.failure.items() if policy == CLOSED)
    if not closed:
        return "open"
    if set(closed) == FAILURES:
        return "closed"
    return f"closed: {', '.join(closed)}"


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    from .. import dialects

    options = parser().parse_args(argv)
    systems = [dialects.get(name) for name in options.names or dialects.names()]
    if options.json:
        arguments.write(arguments.to_json([described(dialect) for dialect in systems]))
        return 0
    out = show.console()
    for number, dialect in enumerate(systems):
        if number:
            out.print()
        files = ", ".join(dialect.file_names)
        out.print(f"[bold]{show.plain(dialect.title)}[/]: {show.plain(files)}; editions {', '.join(dialect.editions)}")
        rows = show.table("event", "neutral name", "matched against", "may", "timeout", "on failure", "meaning")
        for row in dialect.events.values():
            may = ", ".join(name for name in ABILITIES if name in row.can)
            cells = (
                row.native,
                ", ".join(row.neutral),
                row.subject,
                may,
                f"{row.timeout or dialect.default_timeout:g} s",
                policy(row),
                row.summary,
            )
            rows.add_row(*map(show.plain, cells))
        out.print(rows)
    return 0
