"""The records of ``tables/*.toml``: each template times its systems, spellings, paths and other values."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
FOLDER = HERE / "tables"
PARTS = ("hook", "shell", "command")
_SLUG = 60  # characters of a value in an id


class Record(NamedTuple):
    """One record: what runs, and in which spelling it sees the paths of its scratch directory.

    ``row`` is the template with its defaults, and with the values of ``each`` in place. ``path`` is the path in the payload:
    relative to the project, or to the home directory after ``~/``; it is empty when the payload has no path.
    """

    id: str
    kind: str
    part: str
    spelling: str
    path: str
    system: str
    row: dict[str, Any]


def kinds() -> dict[str, dict[str, Any]]:
    """Read the list of kinds."""
    table: dict[str, dict[str, Any]] = tomllib.loads((HERE / "kinds.toml").read_text(encoding="utf-8"))["kinds"]
    return table


@cache
def records() -> tuple[Record, ...]:
    """Return all records of the tables and the scenes, in the order of the files."""
    from .scenes import scenes

    from_tables = [record for file in sorted(FOLDER.glob("*.toml")) for record in _of_file(file)]
    from_scenes = [
        Record(f"{scene.kind}/{scene.name}/{_slug(spelling)}", scene.kind, "scene", spelling, "", "", {"scene": scene})
        for scene in scenes()
        for spelling in scene.spellings
    ]
    return tuple(_with_unique_ids([*from_tables, *from_scenes]))


def _of_file(file: Path) -> Iterator[Record]:
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    defaults = table.get("defaults", {})
    for template in table["template"]:
        row = {**defaults, **template}
        each = row.pop("each", {})
        for values in itertools.product(*each.values()):
            named = dict(zip(each, values, strict=True))
            yield from _of_row(_filled(row, named), [_slug(value) for value in values])


def _of_row(row: dict[str, Any], slugs: list[str]) -> Iterator[Record]:
    part = next(part for part in PARTS if part in row)
    systems = row.get("systems", ["claude_code"]) if part == "hook" else [""]
    paths = row.get("paths", [""]) if part == "hook" and "fields" not in row and "fixed" not in row else [""]
    for system, spelling, path in itertools.product(systems, row["spellings"], paths):
        names = [row["kind"], row["id"], *slugs, system, _slug(spelling), _slug(path)]
        yield Record("/".join(name for name in names if name), row["kind"], part, spelling, path, system, row)


def _filled(value: Any, named: dict[str, str]) -> Any:
    """Return a row with the values of ``each`` in the place of their names."""
    if isinstance(value, dict):
        return {key: _filled(item, named) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, named) for item in value]
    if isinstance(value, str):
        for name, text in named.items():
            value = value.replace(f"@{name}@", text)
    return value


def _slug(text: str) -> str:
    """Return a value as a part of an id: letters and digits, and other characters that ids may have."""
    spellings = {"C:\\x": "backslash", "c:\\x": "lower", "C:/x": "slash", "/c/x": "msys", "/c:/x": "cursor"}
    short = re.sub(r"[^\w.,=+~$-]+", "-", spellings.get(text, text))
    return short.strip("-")[:_SLUG]


def _with_unique_ids(rows: list[Record]) -> Iterator[Record]:
    """Number the records whose ids would be the same: those of two values that differ in punctuation only."""
    seen: dict[str, int] = {}
    for record in rows:
        seen[record.id] = number = seen.get(record.id, 0) + 1
        yield record if number == 1 else record._replace(id=f"{record.id}#{number}")
