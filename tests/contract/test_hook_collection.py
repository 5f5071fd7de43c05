"""Hooks of the kinds that public collections hold, on us and on real bash, jq and git: same stdout, status, verdict, files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.contract.hooks_beside_bash import Comparison, Hook, Place, differences, hooks, make_template, programs, words

pytestmark = pytest.mark.oracle


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the project once."""
    return make_template(tmp_path_factory.mktemp("collection"), programs())


@pytest.mark.parametrize("hook", hooks(), ids=str)
def test_same_as_bash(hook: Hook, template: Path, tmp_path: Path, program: Callable[[str], str]) -> None:
    for name in ("bash", "jq", "gawk", "git"):
        program(name)
    comparison = Comparison(hook, Place(tmp_path / "place", template))
    for payload, expected in hook.expect.items():
        ours, real = comparison.ours(payload), comparison.real(payload)
        assert differences(hook, ours, real) == {}, payload
        assert words(ours.verdict) == expected, (payload, ours.verdict, ours.run.stdout, ours.run.stderr)
