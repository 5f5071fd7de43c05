"""The message of an ``OSError`` comes from ``errors.message_of``: on Windows ``strerror`` has Windows's words."""

from __future__ import annotations

import ast

import pytest
from rooms import PACKAGE

pytestmark = pytest.mark.not_on_windows("same-everywhere")

#: Files that may read ``strerror``: the function itself, and a script for POSIX that imports nothing of the package.
ALLOWED = {"errors.py", "host/parent_guard.py"}
FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))


def lines_with_strerror(source: str) -> list[int]:
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute)
        and node.attr == "strerror"
        and not (isinstance(node.value, ast.Name) and node.value.id == "os")
    ]


def test_messages_come_from_one_function() -> None:
    found = {name: lines_with_strerror((PACKAGE / name).read_text(encoding="utf-8")) for name in FILES}
    assert {name for name, lines in found.items() if lines} == ALLOWED


@pytest.mark.parametrize(
    ("source", "count"), [("os.strerror(1)", 0), ("error.strerror", 1), ("self.error.strerror", 1)]
)
def test_the_search(source: str, count: int) -> None:
    assert len(lines_with_strerror(source)) == count
