"""The codes of the diagnostics of ``check`` and ``doctor``, one per class of mistake, and their rendering as text."""

from __future__ import annotations

from ...errors import Diagnostic
from ...host import current
from ...syntax.display import excerpt
from .code_table import TABLE

#: Every code, with its meaning in one line. docs/diagnostics.md has an example and the fix of each.
CODES: dict[str, str] = {row.code: row.meaning for row in TABLE}
#: Codes that depend on the machine and the host: an engine reports them when it is made; ``check`` of a file does not.
OF_ENGINES = frozenset(
    "config-missing config-unsupported plugin-missing hook-left-out not-trusted handler-missing hook-unknown setting-invalid"
    " setting-unknown not-asked".split()
)
#: The default hint of each code, for a diagnostic without a more specific one.
HINTS: dict[str, str] = {row.code: row.hint for row in TABLE if row.hint}
#: Mistakes because of which a hook never runs: an error for ``check``, even if the rest of the file loads.
NEVER = frozenset(
    "syntax-error unknown-event hook-never-runs wrong-nesting missing-key matcher-matches-nothing".split()
)
#: Directories whose files are built or installed on each machine, after the checkout.
PLACES_THAT_COME_LATER = frozenset(
    "node_modules .venv venv env vendor target dist build out .tox .nox .env .env.local".split()
)


def brief(diagnostic: Diagnostic) -> str:
    """Render a diagnostic in one line: its place relative to the current directory, its message and its code."""
    code = f" [{diagnostic.code}]" if diagnostic.code else ""
    return f"{current().relative(diagnostic.place)}: {diagnostic.severity}: {diagnostic.message}{code}"


def shown(diagnostic: Diagnostic) -> str:
    """Render a diagnostic: its place and message, the source line with a caret under it, and the hint."""
    lines = [brief(diagnostic)]
    if diagnostic.source.strip() and diagnostic.column:
        lines.append(excerpt(diagnostic.source, diagnostic.column, diagnostic.end_column))
    if hint := diagnostic.hint or HINTS.get(diagnostic.code, ""):
        lines.append(f"  hint: {hint}")
    return "\n".join(lines)
