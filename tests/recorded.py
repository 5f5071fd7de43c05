"""How answers of real programs that are no cases of ``conformance`` are kept: what is said once, then a row a line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def write(path: Path, rows: Iterable[Any], *, version: str, **head: Any) -> None:
    """Write a table: the program and its version, what else is said once, and, as ``cases``, the rows."""
    said = {"version": version, **head}
    lines = [f"{json.dumps(name)}: {json.dumps(value)},\n" for name, value in said.items()]
    cases = ",\n".join(json.dumps(row) for row in rows)
    path.write_text("{" + "".join(lines) + f'"cases": [\n{cases}\n]}}\n', encoding="utf-8")


def read(path: Path) -> dict[str, Any]:
    """Return a table; one that does not say whose answers it has, or has none, fails."""
    table: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    assert table["version"] and table["cases"], path
    return table
