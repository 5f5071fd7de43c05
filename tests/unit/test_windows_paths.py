"""The spellings of paths on Windows (decisions paths on Windows). Pure functions, so every system runs this."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pyshellhooks.windows_paths import (
    Spelling,
    in_spelling,
    script_path,
    script_path_or_relative,
    spelling_of,
    with_backslashes,
)

DRIVES = {"C:/", "D:/"}

# (a path as some program writes it, the form that scripts see; None: a text without a drive or a share)
SPELLINGS = [
    ("C:\\p\\.env", "C:/p/.env"),
    ("c:\\p\\.env", "C:/p/.env"),
    ("C:/p/.env", "C:/p/.env"),
    ("c:/p", "C:/p"),
    ("C:\\p/sub\\x", "C:/p/sub/x"),
    ("C:\\", "C:/"),
    ("C:/", "C:/"),
    ("C:", "C:/"),
    ("/c/p/.env", "C:/p/.env"),
    ("/C/p", "C:/p"),
    ("/c", "C:/"),
    ("/c/", "C:/"),
    ("/e/p", None),  # there is no drive E
    ("/cc/p", None),
    ("/c:/p/.env", "C:/p/.env"),
    ("/C:/", "C:/"),
    ("/e:/p", "E:/p"),
    ("\\\\server\\share\\x", "//server/share/x"),
    ("//server/share/x", "//server/share/x"),
    ("\\\\server\\share", "//server/share"),
    ("\\\\server", None),
    ("\\\\?\\C:\\long\\x", "C:/long/x"),
    ("\\\\?\\UNC\\server\\share\\x", "//server/share/x"),
    ("\\\\.\\COM1", None),
    ("//?/C:/x", None),
    ("C:x", None),  # relative to the drive's own directory
    ("cc:/x", None),
    ("https://example.org/c/x", None),
    ("/home/me", None),
    ("src\\x.py", None),
    ("src/x.py", None),
    ("~\\x", None),
    ("", None),
    ("/", None),
    ("//", None),
]


@pytest.mark.parametrize(("path", "expected"), SPELLINGS)
def test_scripts_see_one_form(path: str, expected: str | None) -> None:
    assert script_path(path, DRIVES.__contains__) == expected


@pytest.mark.parametrize("expected", sorted({form for _, form in SPELLINGS if form}))
def test_the_form_is_its_own(expected: str) -> None:
    assert script_path(expected, DRIVES.__contains__) == expected


@pytest.mark.parametrize(
    ("path", "spelling", "expected"),
    [
        ("C:/p/x", "D:\\q", "C:\\p\\x"),
        ("C:/p/x", "d:\\q", "c:\\p\\x"),
        ("C:/p/x", "D:/q", "C:/p/x"),
        ("C:/p/x", "d:/q", "c:/p/x"),
        ("C:/p/x", "/d/q", "/c/p/x"),
        ("C:/p/x", "/D/q", "/C/p/x"),
        ("C:/p/x", "/d:/q", "/c:/p/x"),
        ("C:/p/x", "\\\\server\\share", "C:\\p\\x"),
        ("//server/share/x", "D:\\q", "\\\\server\\share\\x"),
        ("//server/share/x", "D:/q", "//server/share/x"),
        ("//server/share/x", "/d/q", "//server/share/x"),
        ("src/x.py", "D:\\q", "src\\x.py"),
        ("src/x.py", "src\\y.py", "src\\x.py"),
        ("src/x.py", "D:/q", "src/x.py"),
        ("/tmp/x", "D:\\q", "/tmp/x"),
    ],
)
def test_back_to_the_spelling_of_the_caller(path: str, spelling: str, expected: str) -> None:
    found = spelling_of(spelling)
    assert found is not None
    assert in_spelling(path, found) == expected


def test_a_path_without_a_drive_has_no_spelling() -> None:
    assert spelling_of("src/x.py") is None
    assert spelling_of("/tmp/x") is None
    assert spelling_of("c:/x") == Spelling("C:/x", lower=True)


@pytest.mark.parametrize(
    ("path", "expected"),
    [("C:/p/x", "C:\\p\\x"), ("//server/share/x", "\\\\server\\share\\x"), ("src/x", "src/x"), ("/tmp/x", "/tmp/x")],
)
def test_native_programs_see_backslashes(path: str, expected: str) -> None:
    assert with_backslashes(path) == expected


def test_the_table_of_the_page() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "howto" / "windows.md"
    table = page.read_text(encoding="utf-8").partition("## How paths are spelled")[2].partition("\n\n- ")[0]
    rows = [line.split(" | ") for line in table.splitlines() if line.startswith("| `")]
    seen = {
        written: (script_path_or_relative(written, DRIVES.__contains__), form)
        for left, right in rows
        for written in re.findall("`([^`]+)`", left)
        for form in re.findall("`([^`]+)`", right)
    }
    assert len(seen) == 7 and all(script == form for script, form in seen.values()), seen
