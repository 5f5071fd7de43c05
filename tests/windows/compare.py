"""Compare the answers of two systems: ``python -m tests.windows.compare LINUX WINDOWS [--ids] [--show ID] [--again FILE]``.

The table counts for each kind the identical records, those that differ in the verdict or a status, those that differ in the spelling of
paths only, and the rest. Records where Linux denies and Windows does not are listed by cause: there a guard is open. The status is 1 if a
difference is not in ``differences.toml``. Then FILE gets the ids of the records that may run once more: on a busy machine a program of
Wine may be late. Where a guard is open, or more than a few records differ, the difference is no matter of time, and FILE stays empty.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from conformance.case import NOT_ON_WINDOWS

LIST = Path(__file__).with_name("differences.toml")
#: Why an answer may differ: for a reason why a case is left out (docs/adr/0017-the-same-on-windows.md).
REASONS = tuple(NOT_ON_WINDOWS)
IDENTICAL, LISTED, VERDICT, SPELLING, OTHER = "identical", "listed", "verdict", "spelling", "other"
OUTCOMES = (IDENTICAL, LISTED, VERDICT, SPELLING, OTHER)
MOST_AGAIN = 3  # records that may run once more
MOST_SHOWN = 10  # records whose answers are printed
SPELLING_SLUGS = ("backslash", "lower", "slash", "msys", "cursor", "unc")  # as in the ids (tables.py)
Answer = Mapping[str, Any]


class Difference(NamedTuple):
    """A difference that stays, with its reason: all records whose ids match the pattern."""

    id: str
    reason: str
    why: str


class Compared(NamedTuple):
    """What the comparison found out about one record."""

    id: str
    kind: str
    outcome: str
    is_open: bool  # Linux denies, and Windows lets the call through
    cause: str


def differences() -> list[Difference]:
    """Read the list of the differences that stay."""
    table = tomllib.loads(LIST.read_text(encoding="utf-8"))
    return [Difference(**row) for row in table.get("difference", [])]


def read(file: str) -> dict[str, Answer]:
    """Read a file of answers, by their ids."""
    with open(file, encoding="utf-8") as lines:
        return {answer["id"]: answer for answer in map(json.loads, lines)}


def compared(linux: Answer, windows: Answer, listed: list[Difference]) -> Compared:
    """Compare the two answers of one record."""
    name = linux["id"]
    is_open = _denies(linux) and not _denies(windows)
    if linux == windows:
        outcome = IDENTICAL
    elif any(fnmatch.fnmatchcase(name, difference.id) for difference in listed):
        outcome = LISTED
    elif _decisive(linux) != _decisive(windows):
        outcome = VERDICT
    elif _plain(linux) == _plain(windows):
        outcome = SPELLING
    else:
        outcome = OTHER
    return Compared(name, linux["kind"], outcome, is_open, "" if outcome == IDENTICAL else cause(linux, windows))


def _denies(answer: Answer) -> bool:
    """Return whether an answer holds the call back: its decision, or what a command prints and its status."""
    if answer["kind"] in ("command", "resident"):
        return answer.get("status") == 2 or '"deny"' in str(answer.get("stdout"))
    return bool(answer.get("decision") == "deny")


def _decisive(answer: Answer) -> list[Any]:
    """Return the parts of an answer that decide how the caller goes on."""
    own = [answer.get(key) for key in ("decision", "halt", "status", "ended", "error", "hung", "crashed")]
    return [*own, [(hook["ended"], hook["status"]) for hook in answer.get("hooks", ())]]


def _plain(answer: Answer) -> str:
    r"""Return an answer as text in which all spellings of a path are the same."""
    text = json.dumps(answer, sort_keys=True, ensure_ascii=False).replace("\\\\", "\\")
    text = re.sub(r"<D as [^>]*>", "<D>", text)
    return re.sub(r"[\\/]+", "/", text)


def cause(linux: Answer, windows: Answer) -> str:
    """Return the likely cause of a difference; the first that fits."""
    ours, theirs = (json.dumps(answer, ensure_ascii=False) for answer in (linux, windows))
    ends = [hook["ended"] for hook in windows.get("hooks", ())]
    is_same_decision = _decisive(linux) == _decisive(windows)
    facts = {
        "the process ends": windows.get("crashed", False),
        "it does not end": windows.get("hung", False) and not linux.get("hung"),
        "a deadline is reached": "timed out" in theirs and "timed out" not in ours,
        "the hook does not start": "not_started" in ends or "not started" in theirs and "not started" not in ours,
        "an error is raised": "error" in windows and "error" not in linux,
        "a notice about the sh of Linux": is_same_decision
        and "the sh of Debian" in ours
        and "the sh of Debian" not in theirs,
        "a carriage return": theirs.count("\\r") > ours.count("\\r"),
        "a variable is not set": "unbound variable" in theirs and "unbound variable" not in ours,
        "a program is not found": "not found" in theirs and "not found" not in ours,
        "a path has another form": "<D as " in theirs,
        "a file is in use": "Permission denied" in theirs and "Permission denied" not in ours,
        "a file is not found": "No such file" in theirs and "No such file" not in ours,
    }
    return next((name for name, holds in facts.items() if holds), _usual_cause(linux))


def _usual_cause(answer: Answer) -> str:
    """Return the cause that a difference has most often in its kind; the spelling is a part of the id."""
    if answer["kind"] == "native":
        return "a native child"
    if answer["kind"] in ("bom", "guard", "pain", "rewrite", "system", "text", "tool"):
        spelling = next((part for part in answer["id"].split("/") if part in SPELLING_SLUGS), "")
        return f"the payload's path keeps its form: {spelling}"
    return f"other, in {answer['kind']}"


def compare(linux: Mapping[str, Answer], windows: Mapping[str, Answer]) -> list[Compared]:
    """Compare all records that both files have."""
    listed = differences()
    return [compared(linux[name], windows[name], listed) for name in linux if name in windows]


def table(rows: list[Compared]) -> list[str]:
    """Return the lines of the table of kinds."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        for name in (row.kind, "all"):
            counts[name].update([row.outcome, "records", *(["open"] if row.is_open else [])])
    columns = ("records", *OUTCOMES, "open")
    lines = [f"{'kind':12}" + "".join(f"{column:>10}" for column in columns)]
    for kind in [*sorted(kind for kind in counts if kind != "all"), "all"]:
        lines.append(f"{kind:12}" + "".join(f"{counts[kind][column]:10}" for column in columns))
    return lines


def by_cause(rows: list[Compared], examples: int) -> list[str]:
    """Return a line for each cause with its number of records and some of their ids, the most frequent first."""
    groups: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        groups[row.cause].append(row.id)
    ranked = sorted(groups.items(), key=lambda group: -len(group[1]))
    return [f"{len(ids):5}  {name}: " + ", ".join(ids[:examples]) for name, ids in ranked]


def report(rows: list[Compared], examples: int) -> list[str]:
    """Return the lines of the whole report."""
    unlisted = [row for row in rows if row.outcome not in (IDENTICAL, LISTED)]
    lines = [*table(rows), "", "Linux denies, Windows does not, by cause:"]
    lines += by_cause([row for row in rows if row.is_open], examples)
    for outcome in (VERDICT, SPELLING, OTHER):
        lines += ["", f"differ in {outcome}, by cause:"]
        lines += by_cause([row for row in unlisted if row.outcome == outcome], examples)
    return lines


def shown(row: Compared, linux: Answer, windows: Answer) -> list[str]:
    """Return the lines that show where the two answers of a record differ."""
    lines = [f"{row.id}: {row.outcome}, {row.cause}"]
    for key in sorted(linux.keys() | windows.keys()):
        if linux.get(key) != windows.get(key):
            lines += [f"    {key}", f"      linux    {linux.get(key)!r}", f"      windows  {windows.get(key)!r}"]
    return lines


def again(rows: list[Compared]) -> list[str]:
    """Return the ids of the records that may run once more, of those that differ and are not listed."""
    if len(rows) > MOST_AGAIN or any(row.is_open for row in rows):
        return []
    return [row.id for row in rows]


def main() -> int:
    """Print the report of two files."""
    parser = argparse.ArgumentParser(prog="python -m tests.windows.compare", description=__doc__.split(":")[0])
    parser.add_argument("linux")
    parser.add_argument("windows")
    parser.add_argument("--ids", action="store_true", help="list all ids of each cause")
    parser.add_argument("--show", default="", help="show both answers of the records whose ids match")
    parser.add_argument("--again", default="", help="write the ids of the records that may run once more to this file")
    options = parser.parse_args()
    linux, windows = read(options.linux), read(options.windows)
    rows = compare(linux, windows)
    if options.show:
        for row in rows:
            if fnmatch.fnmatchcase(row.id, options.show) and row.outcome != IDENTICAL:
                print("\n".join(shown(row, linux[row.id], windows[row.id])))
        return 0
    print("\n".join(report(rows, 10**6 if options.ids else 3)))
    missing = sorted(linux.keys() ^ windows.keys())
    if missing:
        print(f"\n{len(missing)} records in one file only: {', '.join(missing[:5])}")
    differing = [row for row in rows if row.outcome not in (IDENTICAL, LISTED)]
    for row in differing[:MOST_SHOWN]:
        print("", *shown(row, linux[row.id], windows[row.id]), sep="\n")
    if options.again:
        Path(options.again).write_text("".join(f"{name}\n" for name in again(differing)), encoding="utf-8")
    return int(bool(missing or differing))


if __name__ == "__main__":
    raise SystemExit(main())
