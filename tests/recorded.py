"""How answers of real programs that are no cases of ``conformance`` are kept: what is said once, then a row a line."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, Protocol, TypeVar

AT_ONCE = 8  # rows about which a program is asked


def write(path: Path, rows: Iterable[Any], *, version: str, **head: Any) -> None:
    """Write a table: the program and its version, what else is said once, and, as ``cases``, the rows."""
    said = {"version": version, **head}
    lines = [f"{json.dumps(name)}: {json.dumps(value)},\n" for name, value in said.items()]
    cases = ",\n".join(json.dumps(row) for row in rows)
    path.write_text("{" + "".join(lines) + f'"cases": [\n{cases}\n]}}\n', encoding="utf-8")


class Row(Protocol):
    """A row of a table whose answers a program gives; ``digest`` is of all that the program reads."""

    @property
    def digest(self) -> str: ...


AnyRow = TypeVar("AnyRow", bound=Row)
Ask = Callable[
    [AnyRow], dict[str, Any]
]  # a row -> its answer, with the row's name as ``id`` and its digest as ``setup``


def fill(path: Path, rows: Sequence[AnyRow], ask: Ask[AnyRow], head: Mapping[str, Any], *, again: bool) -> None:
    """Ask about every row that has no answer yet, or about all of them, and write the table after each answer."""
    known = {one["id"]: one for one in read(path)["cases"]} if path.exists() and not again else {}
    fresh = {str(row): known[str(row)] for row in rows if known.get(str(row), {}).get("setup") == row.digest}
    left = [row for row in rows if str(row) not in fresh]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for task in as_completed([pool.submit(ask, row) for row in left]):
            try:
                answer = task.result()
            except subprocess.TimeoutExpired as error:
                print(f"no answer within {error.timeout} s: {error.cmd}", file=sys.stderr, flush=True)
                continue
            fresh[answer["id"]] = answer
            table = [fresh[str(row)] for row in rows if str(row) in fresh]
            today = datetime.datetime.now(datetime.UTC).date().isoformat()
            write(path, table, **{**head, "date": today})


def read(path: Path) -> dict[str, Any]:
    """Return a table; one that does not say whose answers it has, or has none, fails."""
    table: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    assert table["version"] and table["cases"], path
    return table
