"""What the utilities say of files that one may not read: GNU coreutils 9.1 as a user other than root.

The cases of conformance/ may run as root, whom nothing is forbidden.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from pyshellhooks import MemoryFS, Shell

MADE = "mkdir -p /t/d/e; cd /t; echo > d/e/f; echo x > f; chmod 0 f d/e; "


def run(script: str, fs: MemoryFS | None = None) -> tuple[int, str, str]:
    """Run a script where ``f`` and the directory ``d/e`` are closed."""
    result = Shell(fs=fs or MemoryFS(), spawn=False).run(MADE + script, timeout=60)
    return result.status, result.stdout.decode(), result.stderr.decode()


@pytest.mark.parametrize(
    ("script", "answer"),
    [
        ("chmod -R g-w d", (1, "", "chmod: cannot read directory 'd/e': Permission denied\n")),
        ("chmod -Rf g-w d", (1, "", "")),
        ("ls d/e", (2, "", "ls: cannot open directory 'd/e': Permission denied\n")),
        ("ls -R d", (1, "d:\ne\n", "ls: cannot open directory 'd/e': Permission denied\n")),
        ("rm -r d", (1, "", "rm: cannot remove 'd/e': Permission denied\n")),
        ("rm -rf d", (1, "", "rm: cannot remove 'd/e': Permission denied\n")),
        ("strings f", (1, "", "strings: f: Permission denied\n")),
        ("cp f g", (1, "", "cp: cannot open 'f' for reading: Permission denied\n")),
        ("cp -r d x || ls x", (0, "e\n", "cp: cannot access 'd/e': Permission denied\n")),
    ],
)
def test_messages(script: str, answer: tuple[int, str, str]) -> None:
    assert run(script) == answer


class Gone(MemoryFS):
    """A tree whose links go between being seen and being read."""

    def readlink(self, path: str) -> Any:
        raise OSError(2, os.strerror(2), path)


def test_a_link_that_vanishes_meanwhile() -> None:
    status, out, err = run("ln -s f l; stat -c %N l", Gone())
    assert (status, out) == (1, "'l'\n")
    assert err == "stat: cannot read symbolic link 'l': No such file or directory\n"
