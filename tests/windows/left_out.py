"""Print which tests are left out on Windows, by reason: ``python -m tests.windows.left_out [--ids REASON]``.

A test without the mark ``not_on_windows`` runs on every system. The mark's argument is a reason of ``REASONS``. A test that is marked
``oracle`` compares with a program of Unix, and so needs no second mark.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from conformance.case import NOT_ON_WINDOWS

MARK = "not_on_windows"
#: The reasons of the cases, and those that only tests have.
REASONS: Mapping[str, str] = {
    **NOT_ON_WINDOWS,
    "needs-fork": "a copy of the process, made by `fork`",
    "needs-poll": "a pipe or a descriptor that tells whether a read or a write would wait",
    "needs-sandbox": "it attacks the machine, and runs only where its limits hold",
    "needs-terminal": "a pseudo-terminal",
    "needs-tools": "a tool or an SDK that CI does not install there",
    "not-windows": "the test shows how another system differs from Windows",
    "same-everywhere": "the test reads the repository's files only, and another system changes nothing",
}


def reason_of(item: pytest.Item) -> str:
    """Return why a test is left out on Windows; empty if it runs there."""
    mark = item.get_closest_marker(MARK)
    if mark is not None:
        return str(mark.args[0])
    return "needs-program" if item.get_closest_marker("oracle") else ""


class Count:
    """A plugin that prints the reasons of the collected tests."""

    def __init__(self, wanted: str) -> None:
        self.wanted = wanted

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Count them."""
        counts = Counter(reason_of(item) for item in session.items)
        for reason, count in counts.most_common():
            print(f"{count:6}  {reason or 'run on Windows too'}")
        for item in session.items:
            if self.wanted and reason_of(item) == self.wanted:
                print(item.nodeid)


def main() -> int:
    """Collect all tests of both tiers."""
    parser = argparse.ArgumentParser(prog="python -m tests.windows.left_out", description=__doc__.split(":")[0])
    parser.add_argument("--ids", default="", choices=["", *REASONS], help="list the tests with this reason")
    options = parser.parse_args()
    words = ["-qq", "--collect-only", "--no-summary", "-m", "", "-p", "no:xdist", "-p", "no:cacheprovider"]
    root = Path(__file__).resolve().parents[2]
    return int(pytest.main([*words, str(root / "tests")], plugins=[Count(options.ids)]))


if __name__ == "__main__":
    raise SystemExit(main())
