"""Find a real program for a test, or skip the test where the program is missing or has another version than the cited one.

CI installs them all, so there it fails. ``conformance/oracles.py`` has the table of programs and versions. A test that compares
with one carries ``@pytest.mark.oracle``; one that only starts a program, of any version, uses ``native``.
"""

from __future__ import annotations

import os

import pytest

from conformance import oracles

BIN_SH = pytest.mark.skipif(
    not os.access("/bin/sh", os.X_OK), reason="this machine has no /bin/sh"
)  # a container may lack it


def need(*names: str, path: str | None = None) -> None:
    """Go on only where each program has the cited version on ``path``, which is the PATH that the comparison runs with."""
    for name in names:
        if why := oracles.lacking(name, path):
            if os.environ.get("CI"):
                pytest.fail(f"CI installs the programs that tests compare with, and {why}")
            pytest.skip(why)


def find(name: str, path: str | None = None) -> str:
    """Return the path of a program to compare with."""
    need(name, path=path)
    found = oracles.find(name, path)
    assert found is not None
    return found


def native(name: str, path: str | None = None) -> str:
    """Return the path of a program that a test only starts, also where PATH is empty; without it the test is skipped."""
    found = oracles.find(name, path) or oracles.find(name, os.defpath)
    if found is None:
        pytest.skip(f"this machine has no {name}")
    return found
