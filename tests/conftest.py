"""What all tests share: the repository's root, and the rule for tests that need a real program."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """Give the repository's root."""
    return ROOT


@pytest.fixture
def program() -> Callable[[str], str]:
    """Find a real program to compare with; required in CI, else the test is skipped."""

    def find(name: str) -> str:
        path = shutil.which(name)
        if path is None:
            if os.environ.get("CI"):
                pytest.fail(f"CI has no {name}")
            pytest.skip(f"this machine has no {name}")
        return path

    return find
