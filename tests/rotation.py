"""Where a run begins in a table that is too long to be run whole.

A usual run takes the same rows each time: a test that passed yesterday fails today only because of a change. ``ROTATION=commit`` takes
other rows with each commit, so that all of the table has its turn, and ``ROTATION=NUMBER`` those rows again; a failure
prints the number (``pytest_runtest_makereport`` in tests/conftest.py). ``TABLES=whole`` runs all tables whole.
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
WHOLE_TABLES = os.environ.get("TABLES") == "whole"


def decide() -> str:
    """Leave the number in the environment, where the workers of pytest-xdist find it too, and return it.

    The number of a commit is a whole number from its name. Where there is no git it is the number of the day.
    """
    expected = os.environ.get(VARIABLE, "0")
    if expected == "commit":
        expected = str(_of_the_commit() or datetime.datetime.now(datetime.UTC).toordinal())
    os.environ[VARIABLE] = expected
    return expected


def _of_the_commit() -> int:
    name = _git("rev-parse", "--short=7", "HEAD")[:7]
    return int(name, 16) if name else 0


def _git(*words: str) -> str:
    """Return the output of git; nothing without git or a repository."""
    try:
        done = subprocess.run(
            ["git", *words], cwd=Path(__file__).parent, capture_output=True, text=True, check=True, timeout=20
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout


def changed_lately(folder: Path, days: int) -> set[Path]:
    """Return the files of a folder that commits of the last days changed, or that differ from the last commit."""
    root = _git("rev-parse", "--show-toplevel").strip()
    names = _git("log", f"--since={days}.days", "--name-only", "--format=", "--", str(folder))
    names += _git("status", "--porcelain=v1", "--no-renames", "-uall", "--", str(folder)).replace("?? ", "")
    return {Path(root, line.split(maxsplit=1)[-1]) for line in names.splitlines() if line}


def first(step: int, after: int = 0) -> int:
    """Return the place of the first row, from 0 to ``step - 1``; ``after`` sets two samples of one table apart."""
    return (int(decide()) + after) % step


def sample(table: Sequence[Row], step: int, after: int = 0) -> Sequence[Row]:
    """Take every so many rows of a table; all of them where ``step`` is 1 or the tables are to run whole."""
    if WHOLE_TABLES:
        return table
    return table[first(step, after) :: step]
