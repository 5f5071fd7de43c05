"""Fused and unfused pipelines show the same: see ``fused_pipelines``. Other seeds: ``-k seed`` with more of them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from pyshellhooks import Shell
from pyshellhooks.interp.compile.fused import Fused
from pyshellhooks.utilities.cat import cat
from tests.property.fused_pipelines import COUNTED, PAYLOADS, Pipelines, differing

SCRIPTS = 150


def shells(place: Path) -> tuple[Shell, Shell]:
    """Make two shells that differ in this alone. No process is started: ``nosuch`` must be none on any machine."""
    env = {"PATH": "/usr/bin:/bin", "HOME": place.as_posix()}
    return (
        Shell(cwd=str(place), env=env, spawn=False),
        Shell(cwd=str(place), env=env, spawn=False, limits=COUNTED),
    )


@pytest.mark.one_in(4, slow=4)
@pytest.mark.parametrize("seed", range(4))
def test_seed(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fused = 0
    whole = Fused.run

    def counted(self: Fused, *given: object) -> object:
        nonlocal fused
        outcome = whole(self, *given)  # type: ignore[arg-type]
        fused += outcome is not None
        return outcome

    monkeypatch.setattr(Fused, "run", counted)
    random = Random(f"fused {seed}")
    pipelines = Pipelines(random)
    one, other = shells(tmp_path)
    found = [differing(one, other, pipelines.script(), random.choice(PAYLOADS)) for _ in range(SCRIPTS)]
    assert not list(filter(None, found))
    assert fused > SCRIPTS // 4


def test_a_difference_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cat, "direct", lambda words: lambda data, context: (0, data.replace(b"r", b"R")))
    random = Random("fused crooked")
    pipelines = Pipelines(random)
    one, other = shells(tmp_path)
    assert any(differing(one, other, pipelines.script(), PAYLOADS[0]) for _ in range(SCRIPTS))
