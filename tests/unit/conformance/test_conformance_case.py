"""The case format: what is read, and which mistakes are named."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from conformance.case import BadCase, Case, HookCase, ShellCase, load, load_file, load_known

pytestmark = pytest.mark.portable


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    """Return all cases, for the tests of this file only."""
    return list(load())


GOOD = """
rule = "POSIX XCU 2.2"
source = "bash 5.2.15"

[[case]]
id = "one"
script = "echo a"
stdout = "a\\n"
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "topic.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_of_the_file_reach_each_case(tmp_path: Path) -> None:
    (case,) = load_file(write(tmp_path, GOOD))
    assert isinstance(case, ShellCase)
    assert (case.id, case.rule, case.source, case.stdout) == ("topic/one", "POSIX XCU 2.2", "bash 5.2.15", "a\n")


def test_a_case_of_a_clone_has_the_id_of_the_shipped_one(tmp_path: Path) -> None:
    """An installed command reads a clone's file: known.toml names its cases all the same."""
    folder = tmp_path / "cases" / "clone" / "conformance" / "cases" / "shell"
    folder.mkdir(parents=True)
    (case,) = load([write(folder, GOOD)])
    assert case.id == "shell/topic/one"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD + 'colour = "red"\n', "one: no such key: colour"),
        (GOOD.replace('source = "bash 5.2.15"', ""), "one: no source"),
        (GOOD.replace('rule = "POSIX XCU 2.2"', ""), "one: no rule"),
        (GOOD.replace('id = "one"', ""), "a case has no id"),
        (GOOD + '\n[[case]]\nid = "one"\nscript = ":"\n', "two cases are called topic/one"),
        (GOOD + "portable = false\n", "portable = false needs a why"),
        ("mood = 1\n" + GOOD, "not a default for a file: mood"),
        ("[[case]\n", "topic.toml"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadCase, match=re.escape(message)):
        load_file(write(tmp_path, text))


def test_ids_are_unique_and_every_answer_is_written_down(cases: list[Case]) -> None:
    assert [name for name, count in Counter(case.id for case in cases).items() if count > 1] == []
    assert [case.id for case in cases if isinstance(case, ShellCase) and case.stdout is None] == []
    hooks = [case for case in cases if isinstance(case, HookCase)]
    unjudged = [
        case.id
        for case in hooks
        if not (
            case.verdict
            or case.wrote
            or case.error_matches
            or case.reason_matches
            or case.explain
            or case.notices_match
        )
    ]
    assert unjudged == []
    assert len(hooks) >= 120
    assert len(cases) - len(hooks) >= 200


def test_no_expectation_comes_from_us(cases: list[Case]) -> None:
    assert [case.id for case in cases if "pyshellhooks" in case.source.lower()] == []


COVERED = [
    "1.1",
    "1.2",
    "1.3",
    "1.4",
    "1.5",
    "2.1",
    "2.2",
    "2.3",
    "2.4",
    "3.1",
    "3.2",
    "3.3",
    "3.4",
    "3.5",
    "3.8",
    "3.10",
    "4",
    "5",
    "5.1",
]


@pytest.mark.parametrize("section", COVERED)
def test_every_section_of_the_crush_contract_has_a_case(section: str, cases: list[Case]) -> None:
    assert any(case.rule == f"crush {section}" for case in cases)


def test_known_differences_name_cases(cases: list[Case]) -> None:
    ids = {case.id for case in cases}
    known = load_known()
    assert set(known) <= ids
    assert all(entry.reason and entry.evidence for entry in known.values())
