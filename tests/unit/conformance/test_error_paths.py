"""The tool that finds the complaints which no case reaches."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.case import ShellCase
from conformance.error_paths import places, reached

SOURCE = """
def f(call, name):
    if not name:
        raise UsageError("missing operand")
    try:
        call.open(name)
    except OSError as error:
        call.fail(name, error)
        raise
    if call.scope.stop:
        raise Stop("deadline")
    call.out.write(
        b"fine"
    )
    return call.error(
        "not this"
    )
"""


def test_places_are_statements_that_complain() -> None:
    assert [(place.line, place.last, place.text) for place in places("m", SOURCE)] == [
        (4, 4, "raise UsageError('missing operand')"),
        (8, 8, "call.fail(name, error)"),
        (15, 17, "return call.error('not this')"),
    ]


@pytest.mark.not_on_windows("needs-tools")
def test_lines_that_a_case_reaches(root: Path) -> None:
    rmdir = (root / "pyshellhooks/utilities/rmdir.py").read_text(encoding="utf-8")
    lines = {place.line for place in places("rmdir", rmdir)}
    assert lines
    fine = ShellCase(id="t/fine", rule="r", source="s", script="mkdir d; rmdir d")
    wrong = ShellCase(id="t/wrong", rule="r", source="s", script="rmdir none")
    assert not reached([fine])["rmdir"] & lines
    assert reached([wrong])["rmdir"] & lines
