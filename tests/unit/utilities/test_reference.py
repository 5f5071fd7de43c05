"""docs/utilities.md says what the declarations say."""

from __future__ import annotations

import pytest

from pyshellhooks.command import Flag, Utility
from tests.generators.utility_pages import cell, index, page, pages, source_of


def test_every_utility_has_a_page_and_a_row_with_its_source() -> None:
    rows = [line for line in index().splitlines() if line.startswith("| [`")]
    found = pages()
    assert len(rows) > 40 and len(found) == len(rows) + 1
    for row in rows:
        path = row.partition("](")[2].partition(")")[0]
        assert path in found and row.strip("| ").split(" | ")[-1].strip(), row


def test_a_page_has_the_known_facts() -> None:
    found = pages()
    assert "## Known differences" in found["utilities/awk.md"] and "## Examples" in found["utilities/sort.md"]
    assert max(map(len, found["utilities/sort.md"].splitlines())) < 300


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


def test_a_missing_effect_of_an_option_is_a_difference() -> None:
    flags = (Flag("-a", "--all", help="do all"), Flag("--debug", value="N", optional=True, help="(refused)"))
    text = page(Utility("none", lambda call: 0, summary="One | two.", listed=flags), "pyshellhooks.utilities.cat:cat")
    options, different = text.split("## ")[1:]
    assert "One \\| two." in text
    assert "| `-a, --all` | do all |" in options and "debug" not in options
    assert "| `--debug[=N]` | refused |" in different


def test_a_cell_keeps_bars_and_angles() -> None:
    assert cell("a | <b> `c | <d>` `e`") == "a \\| &lt;b> <code>c &#124; &lt;d></code> `e`"
