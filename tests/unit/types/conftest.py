"""The process that a typed hook is."""

from __future__ import annotations

import pytest
from typed import Process


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Process:
    return Process(monkeypatch, capsysbinary)
