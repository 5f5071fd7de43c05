"""All conformance cases, a topic at a time: what ``pyshellhooks conformance`` shows, as tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.case import CASES, load, load_known
from conformance.drivers import InProcess
from conformance.runner import run

pytestmark = [pytest.mark.portable, pytest.mark.timeout(60)]

TOPICS = sorted(CASES.rglob("*.toml"))


@pytest.mark.parametrize("topic", TOPICS, ids=lambda path: path.relative_to(CASES).with_suffix("").as_posix())
def test_topic(topic: Path) -> None:
    report = run(load([topic]), InProcess(), load_known())
    lines = [f"{name}: {'; '.join(wrong)}" for name, wrong in report.failed.items()]
    assert report.ok, "\n".join([*lines, *(f"unexpected pass: {name}" for name in report.unexpected)])
    assert report.passed or report.skipped or report.known
