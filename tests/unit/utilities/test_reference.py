"""docs/utilities.md says what the declarations say."""

from __future__ import annotations

import pytest

from pyshellhooks.command import Flag, Utility
from tests.generators.reference import _row, build, main, source_of

pytestmark = pytest.mark.portable


def test_the_table_is_fresh() -> None:
    assert main(["--check"]) == 0, "run python -m tests.generators.reference"


def test_every_utility_has_a_row_with_its_source() -> None:
    rows = [line for line in build().splitlines() if line.startswith("| `")]
    assert len(rows) > 40
    for row in rows:
        assert row.split(" | ")[-2].strip(), row


@pytest.mark.parametrize(
    ("docstring", "source"),
    [
        (
            "sort: order lines (POSIX XCU sort; GNU coreutils 9.1). Collation is by byte.",
            "POSIX XCU sort; GNU coreutils 9.1",
        ),
        ("x: do (it) (GNU x 1.0).", "GNU x 1.0"),
        ("x: as nothing else.", "as nothing else"),
    ],
)
def test_source(docstring: str, source: str) -> None:
    assert source_of(docstring) == source


def test_what_an_option_does_not_do_is_a_difference() -> None:
    flags = (Flag("-a", "--all", help="do all"), Flag("--debug", value="N", optional=True, help="(refused)"))
    made = Utility("cat", lambda call: 0, summary="One | two.", listed=flags)
    row = _row(made, "pyshellhooks.utilities.cat:cat")
    assert "One \\| two." in row
    assert "`-a, --all` `--debug[=N]`" in row
    assert row.rstrip().endswith("| `--debug[=N]`: refused |")
