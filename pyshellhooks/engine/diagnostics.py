"""What ``check`` and ``doctor`` can say: a stable code for each class of mistake, and how one is shown."""

from __future__ import annotations

from ..errors import Diagnostic
from ..syntax.display import excerpt

#: Every code, and what it stands for in one line. docs/diagnostics.md has the example and the mend of each.
CODES: dict[str, str] = {
    "script-missing": "a script inside the project that a hook runs is not there",
    "syntax-error": "a command or a script does not parse",
    "matcher-matches-nothing": "a matcher can match no name that its event is told with",
}


def shown(diagnostic: Diagnostic) -> str:
    """Show one to a person: its place and message, the line with a caret under it, and the mend."""
    where = ":".join([diagnostic.path, *(str(part) for part in (diagnostic.line, diagnostic.column) if part)])
    code = f" [{diagnostic.code}]" if diagnostic.code else ""
    lines = [f"{where}: {diagnostic.severity}: {diagnostic.message}{code}"]
    if diagnostic.source.strip() and diagnostic.column:
        lines.append(excerpt(diagnostic.source, diagnostic.column, diagnostic.end_column))
    if diagnostic.mend:
        lines.append(f"  hint: {diagnostic.mend}")
    return "\n".join(lines)
