"""A junction is a link on Windows: nothing deep goes through it (rm, find, chmod, cp, grep, ls, globs).

The disk is this machine's. A directory whose name holds ``junction`` has the reparse tag that Windows gives, and what it
"leads to" lies in it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pyshellhooks import Shell
from pyshellhooks.fs import windows
from pyshellhooks.fs.base import Entry
from pyshellhooks.fs.windows import WindowsFS, is_junction

pytestmark = pytest.mark.not_on_windows("not-windows")

# winnt.h: IO_REPARSE_TAG_*
LINKS = {"mount point": 0xA0000003, "symlink": 0xA000000C, "lx symlink": 0xA000001D, "global": 0xA0000019}
OTHERS = {
    "none": 0,
    "cloud": 0x9000001A,
    "cloud 1": 0x9000101A,
    "dedup": 0x80000013,
    "wof": 0x80000017,
    "appexec": 0x8000001B,
}


@pytest.mark.parametrize("tag", LINKS.values(), ids=LINKS)
def test_a_name_for_another_place_is_a_link(tag: int) -> None:
    assert is_junction(facts(stat.S_IFDIR | 0o755, tag))


@pytest.mark.parametrize("tag", OTHERS.values(), ids=OTHERS)
def test_other_directories_are_directories(tag: int) -> None:
    assert not is_junction(facts(stat.S_IFDIR | 0o755, tag))


@pytest.mark.parametrize("tag", LINKS.values(), ids=LINKS)
def test_python_recognizes_paths_that_are_no_directory(tag: int) -> None:
    assert not is_junction(facts(stat.S_IFLNK | 0o777, tag))
    assert not is_junction(facts(stat.S_IFREG | 0o644, tag))


def facts(mode: int, tag: int) -> Any:
    return SimpleNamespace(st_mode=mode, st_reparse_tag=tag)


class Tagged:
    """A status with the tag that Windows would give."""

    def __init__(self, path: object, found: os.stat_result) -> None:
        self._found = found
        self.st_reparse_tag = LINKS["mount point"] if str(path).endswith("junction") else 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._found, name)

    def __getitem__(self, index: Any) -> Any:
        return self._found[index]


class TaggedEntry:
    """A directory's entry, as Windows gives it."""

    def __init__(self, entry: os.DirEntry[str]) -> None:
        self._entry = entry
        self.name = entry.name
        self.is_symlink, self.is_file, self.is_dir = entry.is_symlink, entry.is_file, entry.is_dir

    def stat(self, *, follow_symlinks: bool = True) -> Any:
        found = self._entry.stat(follow_symlinks=follow_symlinks)
        return found if follow_symlinks else Tagged(self.name, found)


class Disk(WindowsFS):
    """This machine's disk, seen as Windows's: a tree removal of a junction would show."""

    __slots__ = ()

    def absolute(self, cwd: str, path: str) -> str:
        return path if path.startswith("/") else f"{cwd}/{path}"

    def is_absolute(self, path: str) -> bool:
        return path.startswith("/")

    def _native(self, path: str) -> str:
        return path

    def root_at(self, path: str) -> None:
        return None

    def _entries(self, native: str | bytes) -> Iterator[Entry]:
        with os.scandir(os.fsdecode(native)) as entries:
            for entry in entries:
                yield Entry(entry.name, windows._kind(TaggedEntry(entry)))  # type: ignore[arg-type]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make ``work/a/junction`` with a file that must stay, and let the file system see tags."""
    inside = tmp_path / "work" / "a" / "junction"
    inside.mkdir(parents=True)
    (inside / "precious").write_text("x\n")
    (tmp_path / "work" / "a" / "file").write_text("x\n")
    real, removed = os.stat, os.rmdir

    def look(path: Any, *, follow_symlinks: bool = True) -> Any:
        found = real(path, follow_symlinks=follow_symlinks)
        return found if follow_symlinks else Tagged(path, found)

    def remove(path: Any) -> None:
        if not str(path).endswith("junction"):
            removed(path)
            return
        os.rename(path, tmp_path / "target")  # the junction has gone, its target is where it was

    names = {name: getattr(os, name) for name in dir(os) if not name.startswith("__")}
    fake = SimpleNamespace(**{**names, "stat": look, "lstat": lambda path: look(path, follow_symlinks=False)})
    fake.rmdir, fake.O_BINARY, fake.O_NOINHERIT = remove, 0, 0
    monkeypatch.setattr(windows, "os", fake)
    return tmp_path


#: Script -> where ``precious`` must be after it: in the junction, or only its target's.
REMOVALS = {
    "rm -r work": "target",
    "rm -rf work": "target",
    "rm -rf work/a/junction": "target",
    "rm -rf work/*": "target",
    "rm work/a/junction": "target",
    "find work -delete": "target",
    "find work -depth -delete": "target",
    "find work -type f -delete": "work/a/junction",
    "find work -type f -exec rm {} +": "work/a/junction",
    "find work -type l -delete": "target",
}


@pytest.mark.parametrize("script", REMOVALS)
def test_a_removal_leaves_the_target_of_a_junction(script: str, tree: Path) -> None:
    result = Shell(fs=Disk(), cwd=str(tree), spawn=False).run(script)
    assert (result.status, result.stderr) == (0, b""), result.ended
    assert (tree / REMOVALS[script] / "precious").read_text() == "x\n"


LOOKS = {
    "[ -L work/a/junction ] && echo link": "link\n",
    "[ -d work/a/junction ] && echo directory": "directory\n",
    "find work -name precious": "",
    "find work -type l": "work/a/junction\n",
    "find work -type d | sort": "work\nwork/a\n",
    "grep -rl x work": "work/a/file\n",
    "ls work/a/junction": "precious\n",
    "cat work/a/junction/precious": "x\n",
    "shopt -s globstar; echo work/**/precious": "work/**/precious\n",
}


@pytest.mark.parametrize("script", LOOKS)
def test_a_walk_does_not_go_through_it(script: str, tree: Path) -> None:
    result = Shell(fs=Disk(), cwd=str(tree), spawn=False).run(script)
    assert (result.stdout.decode(), result.stderr) == (LOOKS[script], b""), result.ended
