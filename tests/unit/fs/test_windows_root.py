"""The root above the drives on Windows: loops that walk up end there (decisions paths on Windows)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pyshellhooks import Shell
from pyshellhooks.builtins.cd import normalise
from pyshellhooks.utilities.dirname import directory_of
from pyshellhooks.utilities.realpath import lexical

on_windows = pytest.mark.skipif(os.name != "nt", reason="needs-drives")


@pytest.mark.parametrize(
    ("path", "parent"),
    [
        ("C:/x", "C:/"),
        ("C:/x/y", "C:/x"),
        ("C:/x/y/", "C:/x"),
        ("C:/x//y", "C:/x"),
        ("C:/", "/"),
        ("C:", "/"),
        ("//server/share/x", "//server/share"),
        ("//server/share", "/"),
        ("/", "/"),
        ("/x", "/"),
        ("x/y", "x"),
        ("x", "."),
        ("", "."),
    ],
)
def test_dirname_ends_above_the_drives(path: str, parent: str) -> None:
    assert directory_of(path, has_drives=True) == parent


def test_without_drives_a_colon_is_an_ordinary_character() -> None:
    assert directory_of("C:/x") == "C:"
    assert directory_of("C:") == "."


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("C:/x/..", "C:/"),
        ("C:/..", "/"),
        ("C:/x/../..", "/"),
        ("C:/../..", "/"),
        ("C:/x/../../tmp", "/tmp"),
        ("/..", "/"),
        ("/x/../..", "/"),
    ],
)
def test_the_parent_of_a_drive_is_the_root(path: str, expected: str) -> None:
    assert normalise(path) == expected
    assert lexical(path) == expected


# The usual loops that walk up to a file of a project.
LOOPS = {
    "dirname": 'd=$PWD; while [ "$d" != / ]; do [ -d "$d/no such" ] && break; d=$(dirname "$d"); done; echo "$d"',
    "cd ..": 'while [ "$PWD" != / ]; do cd ..; done; echo "$PWD"',
    "until": 'd=$PWD; until [ -e "$d/no such" ] || [ "$d" = "/" ]; do d=$(dirname "$d"); done; echo "$d"',
    "same": 'd=$PWD; while :; do p=$(dirname "$d"); [ "$p" = "$d" ] && break; d=$p; done; echo "$d"',
    "cd -P": 'cd -P .; while [ "$(pwd)" != / ]; do cd ..; done; pwd',
}


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
def test_loops_that_walk_up_end(tmp_path: Path, loop: str) -> None:
    result = Shell(cwd=str(tmp_path)).run(loop, timeout=20)
    assert (result.stdout, result.stderr, result.status) == (b"/\n", b"", 0)


@on_windows
@pytest.mark.parametrize(
    ("script", "output"),
    [
        ("dirname C:/x C:/ 'C:\\x\\y'", "C:/\n/\nC:/x\n"),
        ("basename 'C:\\x\\y.txt' .txt; basename 'x\\y'", "y\nx\\y\n"),
        ("cd C:/ && cd .. && pwd; cd C: && pwd", "/\nC:/\n"),
        ("cd /C: && pwd; cd / && cd C:/windows && cd ../.. && pwd", "C:/\n/\n"),
        ("ls / | grep -x -e C: -e dev -e tmp", "C:\ndev\ntmp\n"),
        ("cd /; echo /C*; [ -d /C:/windows ] && echo yes", "/C:\nyes\n"),
        ("ls /dev | grep -x null; [ -d /dev ] && echo yes", "null\nyes\n"),
        ("find / -maxdepth 1 -name 'C:' -printf '%p %y %l\\n'", "/C: l C:/\n"),
        ("find / -name tmp -prune -o -name windows -print | head -n 1", ""),
        ("readlink /C:; realpath /C:/windows/.. /C:", "C:/\nC:/\nC:/\n"),
        ("[ -L /C: ] && [ -d /C: ] && echo both", "both\n"),
        ("mkdir -p 'a\\b' 2> /dev/null; d=$PWD/deep; mkdir -p \"${d//\\//\\\\}\\\\er\" && ls deep", "er\n"),
        ("touch f.txt; p=$PWD/f.txt; p=${p//\\//\\\\}; find \"$p\" -printf '%f\\n'; cp \"$p\" deep2 && ls deep2", "f.txt\ndeep2\n"),
        ("touch g.txt; mkdir in; p=$PWD/g.txt; mv \"${p//\\//\\\\}\" in && ls in", "g.txt\n"),
    ],
)  # fmt: skip
def test_paths_above_and_below_a_drive(tmp_path: Path, script: str, output: str) -> None:
    result = Shell(cwd=str(tmp_path)).run(script, timeout=30)
    assert (result.stdout.decode(), result.stderr) == (output, b"")


@on_windows
@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        ("'C:\\x\\y'", "C:/x/y\n"),
        ("-u c:/x /c/x /c:/x 'rel\\x'", "C:/x\nC:/x\nC:/x\nrel/x\n"),
        ("-m /c/x", "C:/x\n"),
        ("-w /c/x C:/x/y rel/x", "C:\\x\nC:\\x\\y\nrel\\x\n"),
        ("-w //server/share/x", "\\\\server\\share\\x\n"),
        ("-wp /c/x:/c/y", "C:\\x;C:\\y\n"),
        ("-up 'C:\\x;C:\\y'", "/c/x:/c/y\n"),
        ("-ua x | sed 's|.*/||'", "x\n"),
        ("-u /tmp/no/such", "/tmp/no/such\n"),
    ],
)
def test_cygpath(tmp_path: Path, arguments: str, output: str) -> None:
    result = Shell(cwd=str(tmp_path)).run(f"cygpath {arguments}", timeout=30)
    assert (result.stdout.decode(), result.stderr, result.status) == (output, b"", 0)


@on_windows
def test_cygpath_without_a_path_is_an_error() -> None:
    result = Shell().run("cygpath -u")
    assert (result.stdout, result.status) == (b"", 1)
    assert result.stderr.startswith(b"cygpath: not enough arguments\n")


@pytest.mark.not_on_windows("not-windows")
def test_cygpath_exists_on_windows_only() -> None:
    assert Shell().run("command -v cygpath || echo no; type cygpath").stdout == b"no\n"
