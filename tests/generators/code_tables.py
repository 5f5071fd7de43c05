"""The tables of docs/diagnostics.md and docs/notices.md, from the codes of diagnostics and the kinds of notices.

The rest of these pages is written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pyshellhooks.engine.checks.code_table import TABLE, Code
from pyshellhooks.notice import KINDS

from . import ROOT

DOCS = ROOT / "docs"
_TABLE = r"\| {} \|[^\n]*\n(?:\|[^\n]*\n)+"


def _table(head: str, rows: Sequence[str], rule: str) -> str:
    return "\n".join([head, rule, *rows, ""])


def _row(row: Code) -> str:
    return f"| `{row.code}` | {row.details or row.meaning} | {row.example} | {row.fix} |"


def _diagnostics(page: str) -> str:
    for section in dict.fromkeys(row.section for row in TABLE):
        rows = [_row(row) for row in TABLE if row.section == section]
        table = _table("| code | meaning | example | fix |", rows, "|---|---|---|---|")
        before, heading, after = page.partition(f"## {section}\n")
        page = before + heading + re.sub(_TABLE.format("code"), lambda _, text=table: text, after, count=1)
    return page


def _notices(page: str) -> str:
    rows = [f"| `{kind}` | {meaning} |" for kind, meaning in KINDS.items()]
    table = _table("| kind | meaning |", rows, "| --- | --- |")
    return re.sub(_TABLE.format("kind"), lambda _: table, page, count=1)


def pages() -> dict[str, str]:
    """Return the pages with their tables written anew, by their paths below docs/."""
    writers = {"diagnostics.md": _diagnostics, "notices.md": _notices}
    return {name: write((DOCS / name).read_text(encoding="utf-8")) for name, write in writers.items()}
