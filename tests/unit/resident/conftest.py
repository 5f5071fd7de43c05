"""Fixtures of the resident engine: a project, a meeting place, an engine that listens there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from resident_runs import Project, usual

from pyshellhooks.resident.server import Server


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The meeting place of engine and clients; short, because a socket's path has 107 bytes at most."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="psh", ignore_cleanup_errors=True) as name:
        monkeypatch.setenv("PYSHELLHOOKS_ENGINE_DIR", name)
        monkeypatch.setenv("PYSHELLHOOKS_NO_ENGINE", "1")
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
        yield name


@pytest.fixture
def engine(place: str) -> Iterator[Server]:
    with usual(place, env=dict(os.environ)) as running:
        yield running.server
