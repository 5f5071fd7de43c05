"""Each test that is left out on Windows names a reason of the list, in the one way that can be counted."""

from __future__ import annotations

import re

import pytest
from rooms import ROOT

from tests.windows.left_out import MARK, REASONS

pytestmark = pytest.mark.not_on_windows("same-everywhere")

FILES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(ROOT.joinpath("tests").rglob("*.py"))
}
REASON = re.compile(rf"\b{MARK}\((?P<argument>[^)]*)\)")
OTHER_WAY = re.compile(r'skipif\((?!not )[^\n]*(?:os\.name == "nt"|platform == "win32"|\.windows\b)')


def test_each_mark_has_a_reason_of_the_list() -> None:
    marks = [
        (name, match["argument"])
        for name, text in FILES.items()
        for match in REASON.finditer(text)
        if f"mark.{match[0]}" in text
    ]
    assert len(marks) > 100
    assert [mark for mark in marks if mark[1].strip("\"'") not in REASONS] == []


def test_each_reason_is_used() -> None:
    cases = "".join(path.read_text(encoding="utf-8") for path in ROOT.joinpath("conformance/cases").rglob("*.toml"))
    texts = (
        cases + "".join(FILES.values()) + ROOT.joinpath("tests/windows/differences.toml").read_text(encoding="utf-8")
    )
    assert [reason for reason in REASONS if not re.search(rf"[\"']{reason}[\"']", texts)] == []


def test_no_test_is_skipped_on_windows_in_another_way() -> None:
    assert [
        name for name, text in FILES.items() if OTHER_WAY.search(text) and not name.endswith("test_not_on_windows.py")
    ] == []
