"""The recorded answers of the shell cases are bash's: files of cases that are new are asked again, and a twentieth of the rest."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from rotation import changed_lately, sample

from conformance.case import CASES, load
from conformance.drivers import Spawned
from conformance.runner import run

pytestmark = pytest.mark.oracle

DAYS = 3
TOPICS = [path for path in sorted(CASES.rglob("*.toml")) if "script = " in path.read_text(encoding="utf-8")]


def _topics() -> list[Path]:
    return sorted({*sample(TOPICS, 20), *changed_lately(CASES, DAYS).intersection(TOPICS)})


@pytest.mark.parametrize("topic", _topics(), ids=lambda path: path.relative_to(CASES).with_suffix("").as_posix())
def test_bash_still_gives_the_recorded_answer(
    topic: Path, program: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bash = program("bash")
    monkeypatch.setenv("PATH", f"{Path(program('jq')).parent}{os.pathsep}{os.environ['PATH']}")
    report = run(load([topic]), Spawned([bash]), {})
    assert report.ok, "\n".join(f"{name}: {'; '.join(wrong)}" for name, wrong in report.failed.items())
