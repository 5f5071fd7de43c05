"""The tables of records that run on Linux and on Windows, what runs them, and what compares their answers."""

from __future__ import annotations

import fnmatch
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.windows import cases, compare, records, tables
from tests.windows.scratch import ON_WINDOWS, Scratch, spell

_SPELLINGS = ("C:\\x", "c:\\x", "C:/x", "/c/x", "/c:/x", "unc")
_FEWEST = 1000
_PAINS = 12


def test_the_tables_are_well_formed() -> None:
    rows = tables.records()
    assert len(rows) >= _FEWEST
    assert [name for name, count in Counter(row.id for row in rows).items() if count > 1] == []
    assert {row.spelling for row in rows} <= set(_SPELLINGS)


def test_each_kind_has_records_or_a_reason() -> None:
    kinds = tables.kinds()
    assert {row.kind for row in tables.records()} == {name for name, kind in kinds.items() if "left_out" not in kind}
    assert all(kind["about"] and kind["part"] in (*tables.PARTS, "scene") for kind in kinds.values())


def test_each_pain_names_its_thread() -> None:
    pains = {row.row["id"]: row.row for row in tables.records() if row.kind == "pain"}
    assert len(pains) == _PAINS
    assert all(pain["thread"].startswith("https://github.com/") and pain["about"] for pain in pains.values())


def test_each_listed_difference_has_a_reason_and_a_record() -> None:
    ids = [*(row.id for row in tables.records()), *(f"{cases.KIND}/{case.id}" for case in cases.choose("*"))]
    for difference in compare.differences():
        assert difference.reason in compare.REASONS and difference.why, difference.id
        assert fnmatch.filter(ids, difference.id), f"no record has the id {difference.id}"


def test_no_record_removes_what_it_has_not_made() -> None:
    words = ("rm -rf /", "rm -r /", "rm -rf ~", "rm -rf $", "rm -rf @", "rm -rf *", "find / -delete")
    rows = [row for row in tables.records() if row.part != "scene"]
    texts = {
        row.id: str({key: value for key, value in row.row.items() if key not in ("fields", "fixed")}) for row in rows
    }
    assert [name for name, text in texts.items() if any(word in text for word in words)] == []


@pytest.mark.parametrize(
    ("name", "decision"),
    [
        ("guard/end-of-path/cursor/slash/.env", "deny"),
        ("guard/end-of-path/cursor/slash/src-app.py", "none"),
        ("guard/grep/everruns/slash/.env", "deny"),
        ("system/layers/claude_code/slash/.env", "deny"),
    ],
)
def test_a_record_runs(name: str, decision: str, tmp_path: Path) -> None:
    record = next(record for record in tables.records() if record.id == name)
    assert records.run(record, tmp_path / "0")["decision"] == decision


def test_a_record_that_does_not_end_is_left_alone(tmp_path: Path) -> None:
    record = next(record for record in tables.records() if record.id == "limit/deadline-in-sleep/backslash")
    assert records.run(record, tmp_path / "0", seconds=0.0)["hung"] is True


@pytest.mark.parametrize(
    ("spelling", "path"),
    [
        ("C:\\x", "C:\\a\\b"),
        ("c:\\x", "c:\\a\\b"),
        ("C:/x", "C:/a/b"),
        ("/c/x", "/c/a/b"),
        ("/c:/x", "/c:/a/b"),
        ("unc", "\\\\localhost\\c$\\a\\b"),
    ],
)
def test_spellings(spelling: str, path: str) -> None:
    assert spell("C:/a/b", spelling) == path


@pytest.mark.parametrize("spelling", _SPELLINGS)
def test_a_path_of_the_caller_counts_as_the_plain_one(spelling: str, tmp_path: Path) -> None:
    scratch = Scratch(tmp_path / "0", spelling)
    assert scratch.told_back({"file_path": scratch.payload_path("src/a.py")}) == {"file_path": "<D>/project/src/a.py"}
    shown = scratch.tokens(f"not {scratch.path('project/a.py')}!")
    assert shown == "not <D>/project/a.py!" or ON_WINDOWS and spelling != "C:/x" and "<D as " in shown


@pytest.mark.parametrize(
    ("windows", "outcome", "is_open"),
    [
        ({}, compare.IDENTICAL, False),
        ({"decision": "none"}, compare.VERDICT, True),
        ({"hooks": [{"ended": "ok", "status": 0}]}, compare.VERDICT, False),
        ({"reason": "not <D as C:\\>\\a"}, compare.SPELLING, False),
        ({"reason": "not that"}, compare.OTHER, False),
    ],
)
def test_two_answers_are_compared(windows: dict[str, Any], outcome: str, is_open: bool) -> None:
    hooks = [{"ended": "nonzero", "status": 2}]
    linux = {"id": "guard/x", "kind": "guard", "decision": "deny", "reason": "not <D>/a", "hooks": hooks}
    found = compare.compared(linux, {**linux, **windows}, [])
    assert (found.outcome, found.is_open) == (outcome, is_open)


def test_a_listed_difference_is_none() -> None:
    linux = {"id": "line/mkfifo", "kind": "line", "status": 0}
    listed = [compare.Difference("line/mk*", "needs-fifo", "Windows has none")]
    assert compare.compared(linux, {**linux, "status": 1}, listed).outcome == compare.LISTED


@pytest.mark.parametrize(
    ("outcomes", "ids"),
    [
        ([compare.OTHER], ["row-0"]),
        ([compare.OTHER, "open"], []),
        ([compare.SPELLING] * (compare.MOST_AGAIN + 1), []),
    ],
    ids=["one", "a guard is open", "too many"],
)
def test_a_few_records_may_run_once_more(outcomes: list[str], ids: list[str]) -> None:
    rows = [
        compare.Compared(f"row-{number}", "guard", outcome, outcome == "open", "late")
        for number, outcome in enumerate(outcomes)
    ]
    assert compare.again(rows) == ids


def test_the_answer_of_a_case_has_no_name_of_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    (case,) = cases.choose("shell/builtins/umask")
    assert cases.run(case, tmp_path / "0") == {
        "id": f"case/{case.id}",
        "kind": "case",
        "status": 0,
        "stdout": case.stdout,
    }
    (case,) = cases.choose("crush/aggregation/deny-beats-allow")
    answer = cases.run(case, tmp_path / "1")
    assert (answer["decision"], str(tmp_path) in str(answer)) == ("deny", False)


def test_a_long_text_of_a_case_is_a_digest() -> None:
    assert cases.shortened({"a": ["x" * 10, "y" * 30_000]})["a"][0] == "x" * 10
    assert cases.shortened("y" * 30_000).startswith("30000 characters, ")
