"""Hooks of the kinds that public collections hold, on us and on real bash, jq, git and python: what comes of them is the same.

The collection stands in ``hook_collection/*.toml``, one file a kind, all in our own words; each hook says for each payload
which verdict its words mean, so that two equal failures are not taken for an answer. A difference is named with its reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.contract.collected_hooks import CALLS, Hook, hooks
from tests.contract.hooks_beside_bash import (
    COMPARED,
    PATH,
    Comparison,
    Place,
    differences,
    make_template,
    programs,
    words,
)
from tests.contract.test_hundred_hooks import COMMANDS

pytestmark = pytest.mark.oracle
CLOCK = re.compile(r"\bdate\b|\bnow\b|\$\$|SECONDS")  # what no two runs answer alike; the collection gets HOOK_NOW
HUNDRED = [number for number, command in enumerate(COMMANDS) if not CLOCK.search(command)]


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the project once."""
    return make_template(tmp_path_factory.mktemp("collection"), programs())


@pytest.fixture
def place(template: Path, tmp_path: Path, program: Callable[[str], str]) -> Place:
    """Return a directory for a hook, where there is something to compare with."""
    for name in COMPARED:
        program(name, PATH)
    return Place(tmp_path / "place", template)


@pytest.mark.one_in(3, slow=3)
@pytest.mark.parametrize("hook", hooks(), ids=str)
def test_same_as_bash(hook: Hook, place: Place) -> None:
    comparison = Comparison(hook, place)
    for payload, expected in hook.expect.items():
        ours, real = comparison.ours(payload), comparison.real(payload)
        found = differences(ours, real)
        assert sorted(found) == sorted(hook.differs), (payload, found)
        assert words(ours.verdict) == expected, (payload, ours.verdict, ours.run.stdout, ours.run.stderr)


@pytest.mark.parametrize("number", HUNDRED)
def test_the_hundred_are_the_same_too(number: int, place: Place) -> None:
    comparison = Comparison(Hook("crush", "hundred", str(number), "PreToolUse", {}, COMMANDS[number]), place)
    assert differences(comparison.ours("quotes"), comparison.real("quotes")) == {}


def test_the_collection_is_one() -> None:
    kinds = Counter(hook.kind for hook in hooks())
    assert len(hooks()) >= 150
    assert min(kinds.values()) >= 8, kinds
    assert (
        len({(hook.kind, hook.name) for hook in hooks()})
        == len({hook.command + hook.script for hook in hooks()})
        == len(hooks())
    )
    assert {hook.system for hook in hooks()} == set(CALLS)
    assert len(HUNDRED) >= 90
    answers = Counter(answer for hook in hooks() for answer in hook.expect.values())
    assert (
        min(
            answers[one]
            for one in ("none", "allow", "ask", "deny", "none context", "none followup", "allow rewrite", "none failed")
        )
        >= 7
    )
    assert all(bool(hook.differs) == bool(hook.because) for hook in hooks())


def test_a_difference_is_seen(place: Place) -> None:
    hook = Hook("claude_code", "", "", "PreToolUse", {}, "echo one; echo a >> logs/x; exit 2")
    ours = Comparison(hook, place).ours("list")
    other = hook._replace(command="echo two >&2; echo b >> logs/x; exit 0")
    found = differences(ours, Comparison(other, place).real("list"))
    assert sorted(found) == ["decision", "file project/logs/x", "reason", "status", "stderr", "stdout"]
