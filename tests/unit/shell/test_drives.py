"""The pattern ``/*`` for paths that begin with a drive (ADR 17); a file system in memory that has drives stands for Windows."""

from __future__ import annotations

import pytest

from pyshellhooks import MemoryFS, Shell


class DriveFS(MemoryFS):
    """A file system whose paths may begin with a drive."""

    __slots__ = ()

    def is_absolute(self, path: str) -> bool:
        return path[:1] == "/" or path[1:3] == ":/"


TESTS = [
    ("case C:/x in /*) echo yes ;; *) echo no ;; esac", "yes"),
    ('p=C:/x; case $p in "/"*) echo yes ;; *) echo no ;; esac', "yes"),
    ("case C:x in /*) echo yes ;; *) echo no ;; esac", "no"),
    ("case C: in /*) echo yes ;; *) echo no ;; esac", "no"),
    ("case x in /*) echo yes ;; *) echo no ;; esac", "no"),
    ("case C:/etc/x in /etc/*) echo yes ;; *) echo no ;; esac", "no"),
    ("case C:/x in [A-Z]:/*) echo drive ;; /*) echo yes ;; esac", "drive"),
    ("[[ C:/x == /* ]] && echo yes || echo no", "yes"),
    ("[[ C:/x != /* ]] && echo yes || echo no", "no"),
    ('[[ C:/x == "/*" ]] && echo yes || echo no', "no"),
    ("d=C:/a/b; while [ -n \"$d\" ]; do echo $d; d=${d%/*}; done | tr '\\n' ' '", "C:/a/b C:/a C: "),
    ('d=C:; echo "[${d%/*}][${d%%/*}][${d#/*}][${d%x*}]"', "[][][C:][C:]"),
    ("d=x:y; echo ${d%/*}", "x:y"),
]


@pytest.mark.parametrize(("script", "expected"), TESTS, ids=[script for script, _ in TESTS])
def test_with_drives(script: str, expected: str) -> None:
    assert Shell(fs=DriveFS()).run(script).stdout.decode().rstrip("\n") == expected


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("case C:/x in /*) echo yes ;; *) echo no ;; esac", "no"),
        ("[[ C:/x == /* ]] && echo yes || echo no", "no"),
        ("d=C:; echo ${d%/*}", "C:"),
    ],
)
def test_without_drives(script: str, expected: str) -> None:
    assert Shell(fs=MemoryFS()).run(script).stdout.decode().rstrip("\n") == expected
