"""The case format: what is read, and which mistakes are named."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from shipped_cases import shipped_cases

from conformance.case import NOT_ON_WINDOWS, BadCase, HookCase, ShellCase, load, load_file, load_known

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
        (
            GOOD + 'not_on_windows = "links"\n',
            "one: not_on_windows is one of drives, machine, needs-device, needs-fifo",
        ),
        (GOOD + "not_on_windows = true\n", "one: not_on_windows is one of drives"),
        (GOOD + "portable = false\n", "one: no such key: portable"),
        (GOOD + 'ours = ""\n', "one: ours needs the reason why no other shell can answer"),
        (GOOD + "ours = true\n", "one: ours needs the reason why no other shell can answer"),
        ("mood = 1\n" + GOOD, "not a default for a file: mood"),
        ("[[case]\n", "topic.toml"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadCase, match=re.escape(message)):
        load_file(write(tmp_path, text))


def test_ids_are_unique_and_every_answer_is_written_down() -> None:
    cases = shipped_cases()
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


def test_no_expectation_is_our_own_answer() -> None:
    assert [case.id for case in shipped_cases() if "pyshellhooks" in case.source.lower()] == []


def test_known_differences_name_cases() -> None:
    ids = {case.id for case in shipped_cases()}
    known = load_known()
    assert set(known) <= ids
    assert all(entry.reason and entry.evidence for entry in known.values())


def test_the_page_lists_each_reason() -> None:
    page = Path(__file__).parents[3].joinpath("docs/conformance.md").read_text(encoding="utf-8")
    assert [row for row in NOT_ON_WINDOWS.items() if "| `{}` | {} |".format(*row) not in page] == []


CHANGES_A_ROOT = re.compile(
    r"(?:^|[;&|({]) *(?:env )?"
    r"(?:(?:rm|chmod|chown|chgrp)\b(?=[^;&|\n]* (?:-\w*[rR]|--recursive))|find\b(?=[^;&|\n]* -(?:delete|exec)))"
    r"[^;&|\n]* [\"']?(?:/|//\w+/?|[A-Za-z]:/?|\.\.)[\"']?(?=[ ;&|\n]|$)",
    re.MULTILINE,
)


@pytest.mark.parametrize("script", ["rm -r /", "cd d; rm -rf 'C:/'", 'chmod -R 755 "/"', "find / -delete", "rm -r .."])
def test_a_script_that_changes_a_root_is_noticed(script: str) -> None:
    assert CHANGES_A_ROOT.search(script) and not CHANGES_A_ROOT.search(f"echo '{script}'")


def test_cases_that_change_a_root_run_in_memory_only() -> None:
    """A mistake of ours in ``rm`` once emptied the drive of Wine."""
    cases = [case for case in shipped_cases() if isinstance(case, ShellCase) and CHANGES_A_ROOT.search(case.script)]
    assert cases and [case.id for case in cases if not case.virtual] == []
