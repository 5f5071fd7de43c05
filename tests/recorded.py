"""How answers of real programs that are no cases of ``conformance`` are kept: what is said once, then a row a line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def write(path: Path, rows: Iterable[Any], **head: Any) -> None:
    """Write a table: its head (the program's version among it) and, as ``cases``, its rows."""
    lines = [f"{json.dumps(name)}: {json.dumps(value)},\n" for name, value in head.items()]
    cases = ",\n".join(json.dumps(row) for row in rows)
    path.write_text("{" + "".join(lines) + f'"cases": [\n{cases}\n]}}\n', encoding="utf-8")
