"""Names of owners, groups and time zones where the system has no user database and long names of zones."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pyshellhooks import Shell
from pyshellhooks.times.zones import abbreviation


@pytest.mark.parametrize(
    ("name", "offset", "expected"),
    [
        ("CET", 3600, "CET"),
        ("+0330", 12600, "+0330"),
        ("Greenwich Standard Time", 0, "UTC"),
        ("Coordinated Universal Time", 0, "UTC"),
        ("W. Europe Standard Time", 3600, "+01"),
        ("India Standard Time", 19800, "+0530"),
        ("Newfoundland Standard Time", -12600, "-0330"),
        ("Pacific Daylight Time", -25200, "-07"),
    ],
)
def test_the_abbreviation_of_a_zone(name: str, offset: int, expected: str) -> None:
    assert abbreviation(name, offset) == expected


def test_the_owner_of_a_new_file(tmp_path: Path) -> None:
    shell = Shell(cwd=str(tmp_path))
    run = shell.run("touch f; set -- $(ls -l f); echo $3 $4; stat -c '%U %G' f; echo $(id -un) $(id -gn)")
    names = run.stdout.splitlines()
    assert run.stderr == b""
    assert names[0] == names[1] == names[2]
    assert not names[0].isdigit()


@pytest.mark.skipif(sys.platform != "win32", reason="the name of the user")
def test_the_name_of_the_user(tmp_path: Path) -> None:
    run = Shell(cwd=str(tmp_path)).run('touch f; stat -c %U f; id; [ "$(stat -c %U f)" = "$USER" ] && date +%Z')
    lines = run.stdout.decode().splitlines()
    assert (len(lines), " " in lines[2], run.stderr) == (3, False, b"")
