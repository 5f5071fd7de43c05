"""What the tests that measure have in common."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture
def alone() -> Iterator[None]:
    """Let no collection go through what other tests hold: that is no part of what a cell takes."""
    gc.freeze()
    yield
    gc.unfreeze()
