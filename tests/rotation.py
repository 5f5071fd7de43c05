"""Where a run begins in a table that is too long to be run whole.

A usual run takes the same rows each time: what passed yesterday fails today by a change alone. ``ROTATION=commit`` takes
other rows with each commit, so that all of the table has its turn, and ``ROTATION=NUMBER`` those rows again; a failure
prints the number (``pytest_runtest_makereport`` in tests/conftest.py).
"""

from __future__ import annotations

import datetime
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

Row = TypeVar("Row")
VARIABLE = "ROTATION"


def decide() -> str:
    """Leave the number in the environment, where the workers of pytest-xdist find it too, and return it.

    The number of a commit is a whole number from its name. Where there is no git it is the number of the day.
    """
    wanted = os.environ.get(VARIABLE, "0")
    if wanted == "commit":
        wanted = str(_of_the_commit() or datetime.datetime.now(datetime.UTC).toordinal())
    os.environ[VARIABLE] = wanted
    return wanted


def _of_the_commit() -> int:
    command = ["git", "rev-parse", "--short=7", "HEAD"]
    try:
        told = subprocess.run(
            command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True, timeout=20
        )
        return int(told.stdout[:7], 16)
    except (OSError, subprocess.SubprocessError, ValueError):
        return 0


def first(step: int, after: int = 0) -> int:
    """Return the place of the first row, from 0 to ``step - 1``; ``after`` sets two samples of one table apart."""
    return (int(decide()) + after) % step


def sample(table: Sequence[Row], step: int, after: int = 0) -> Sequence[Row]:
    """Take every so many rows of a table; all of them where ``step`` is 1."""
    return table[first(step, after) :: step]
