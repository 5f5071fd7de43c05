"""What the tests of the proxy begin with; ``proxied.py`` has what it is made of."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from proxied import Place


@pytest.fixture(scope="session")
def mcp() -> None:
    """Skip where the package is not installed, unless it is wanted."""
    if "mcp" not in os.environ.get("PYSHELLHOOKS_ADAPTERS", "").split():
        pytest.importorskip("mcp_types", reason="mcp 2 is not installed: python -m tests.adapters.run mcp")


@pytest.fixture
def place(mcp: None, tmp_path: Path) -> Iterator[Place]:
    """Provide a place; its proxies end with the test."""
    made = Place(tmp_path)
    yield made
    for proxy in made.started:
        proxy.close()
