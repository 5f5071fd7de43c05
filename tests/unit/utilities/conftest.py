"""The fixture that drives one utility."""

from __future__ import annotations

import pytest
from utility_runs import RunUtility, run


@pytest.fixture
def run_utility() -> RunUtility:
    """Return ``run_utility(argv, stdin=b"", files={}, env={}) -> (status, stdout, stderr)``."""
    return run
