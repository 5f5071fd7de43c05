"""Projects and rules on a disk that ignores letter case, and macOS's ``/private``; the disk's answer is a fake."""

from __future__ import annotations

import os

import pytest

from pyshellhooks.dialects.claude_code.rules import PathRule
from pyshellhooks.engine.scripts.referenced_scripts import Project
from pyshellhooks.text import folded_name

CAFE, DECOMPOSED = "caf\N{LATIN SMALL LETTER E WITH ACUTE}", "cafe\N{COMBINING ACUTE ACCENT}"
PROJECT = f"/Users/me/{CAFE}"


@pytest.fixture
def case_blind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "samefile", lambda one, other: folded_name(str(one)) == folded_name(str(other)))


@pytest.fixture
def case_sensitive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "samefile", lambda one, other: one == other)


SPELLINGS = [
    "/Users/me/CAF\N{LATIN CAPITAL LETTER E WITH ACUTE}/hooks/Guard.sh",
    f"/users/ME/{DECOMPOSED}/hooks/Guard.sh",
    f"/Users/me/{CAFE}/../{DECOMPOSED}/hooks/Guard.sh",
    "/Users/me/ca\N{ZERO WIDTH NON-JOINER}f\N{LATIN SMALL LETTER E WITH ACUTE}/hooks/Guard.sh",
]


@pytest.mark.parametrize("path", SPELLINGS)
@pytest.mark.usefixtures("case_blind")
def test_a_script_of_the_project_in_another_spelling_is_the_projects(path: str) -> None:
    assert Project(PROJECT, PROJECT).relative(path) == "hooks/Guard.sh"


@pytest.mark.parametrize("path", SPELLINGS)
@pytest.mark.usefixtures("case_sensitive")
def test_where_case_counts_it_is_another_directory(path: str) -> None:
    assert Project(PROJECT, PROJECT).relative(path) is None


@pytest.mark.usefixtures("case_blind")
def test_the_root_itself_and_other_directories_are_outside() -> None:
    project = Project(PROJECT, PROJECT)
    assert [project.relative(path) for path in ("/USERS/me/CAFE", "/Users/me/caf", "/Users", "/")] == [None] * 4
    assert project.relative(f"/USERS/me/{CAFE}") is None


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        (".env", "/w/.ENV"),
        ("/.env", "/W/.Env"),
        (CAFE, f"/w/{DECOMPOSED}"),
        (f"{DECOMPOSED}/**", f"/w/{CAFE}/x"),
        ("secrets", "/w/\N{LATIN SMALL LETTER LONG S}ecrets"),
        ("//tmp/**", "/private/tmp/x"),
        ("//private/tmp/**", "/tmp/x"),
        ("//etc/hosts", "/private/ETC/hosts"),
        ("~/.ssh/**", "/private/var/root/.ssh/id"),
        ("/src/**", "/private/w/../tmp/../w/src/x"),
    ],
)
def test_a_rule_covers_each_spelling_of_a_file(pattern: str, path: str) -> None:
    project = "/private/w" if path.startswith("/private/w") else "/w"
    assert PathRule(pattern).matches(path, project, project, "/var/root")


def test_a_project_below_a_link_of_macos_is_one_directory() -> None:
    assert PathRule("/.env").matches("/tmp/p/.env", "/private/tmp/p", "/private/tmp/p", "/h")
    assert PathRule("/.env").matches("/private/tmp/p/.env", "/tmp/p", "/tmp/p", "/h")
    assert not PathRule("/.env").matches("/private/other/p/.env", "/other/p", "/other/p", "/h")


@pytest.mark.parametrize("pattern", [".env", "secret[s]", CAFE])
def test_other_names_stay_outside(pattern: str) -> None:
    assert not PathRule(pattern).matches("/w/x", "/w", "/w", "/h")
