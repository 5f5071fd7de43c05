"""Which paths are roots of their files, on each file system."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from pyshellhooks import FileSystem, HostFS, MemoryFS, MountFS, OverlayFS, ReadOnly, Rooted
from pyshellhooks.fs.base import Root
from pyshellhooks.fs.pinned import PinnedFS
from pyshellhooks.fs.windows import WindowsFS

TIMES = ("st_atime", "st_mtime", "st_ctime", "st_atime_ns", "st_mtime_ns", "st_ctime_ns")
TOP = Root("/", "top")


class Drives(WindowsFS):
    """Windows's disk as far as names go: there are C: and D:, all names are directories, and ``C:/top`` leads to ``D:/``."""

    __slots__ = ()

    def stat(self, path: str, *, follow: bool = True) -> os.stat_result:
        number = hash(path.rstrip("/").lower()) & 0xFFFF | 1
        return os.stat_result((0o040755, number, 1, 1, 0, 0, 0, 0, 0, 0), dict.fromkeys(TIMES, 0))

    def _rooted(self, path: str, cwd: str = "") -> str:
        return super()._rooted(path, cwd or "C:/")


@pytest.fixture
def drives(monkeypatch: pytest.MonkeyPatch) -> FileSystem:
    """Return Windows's disk, for names alone: nothing of this machine's is looked at."""
    monkeypatch.setattr("pyshellhooks.fs.windows.os.path.isdir", lambda path: path in ("C:/", "D:/"))
    monkeypatch.setattr(
        "pyshellhooks.fs.windows.os.path.realpath",
        lambda path: path.replace("C:\\top", "\\\\?\\D:\\") if "top" in path else path,
    )
    fs: FileSystem = object.__new__(Drives)
    return fs


WRAPPED: dict[str, Callable[[FileSystem], FileSystem]] = {
    "itself": lambda fs: fs,
    "read only": ReadOnly,
    "pinned": lambda fs: PinnedFS(fs, {}),
    "mount": lambda fs: MountFS(fs, {"/m": MemoryFS()}),
}
SPELLED = {
    **dict.fromkeys(("C:/", "c:/", "C:\\", "c:\\", "C:", "/c", "/c/", "/C/", "C:/x/..", "C:/./", "//?/C:/", "/c/.", "/x/.."), "C:/"),
    **dict.fromkeys(("D:", "d:/", "/d/", "C:/top", "C:/top/", "/top/", "/c/top"), "D:/"),
    **dict.fromkeys(("//server/share", "//server/share/", "\\\\server\\share", "//server/share/x/.."), "//server/share"),
    **dict.fromkeys(("C:/x", "/x", "/c/x", "x", "D:/x/", "//server/share/x", "/dev/null", "/e/", "C:/x:y"), ""),
}  # fmt: skip


@pytest.mark.parametrize("spelled", SPELLED)
@pytest.mark.parametrize("kind", WRAPPED)
def test_drives_and_shares(drives: FileSystem, kind: str, spelled: str) -> None:
    if kind == "mount" and (spelled.endswith(":") or spelled.startswith(("//", "\\\\"))):
        pytest.skip("with mounts, these are names below / or the working directory")
    fs = WRAPPED[kind](drives)
    root = fs.root_at(fs.absolute("C:/w", spelled))
    if kind == "mount" and spelled == "/x/..":  # with mounts, ``/x`` is below ``/`` and not on a drive
        assert root == TOP
        return
    assert root == (Root(SPELLED[spelled], "volume") if SPELLED[spelled] else None)


@pytest.mark.parametrize("spelled", ["/", "/.", "/..", "\\"])
@pytest.mark.parametrize("kind", WRAPPED)
def test_above_the_drives(drives: FileSystem, kind: str, spelled: str) -> None:
    fs = WRAPPED[kind](drives)
    root = fs.root_at(fs.absolute("C:/w", spelled))
    assert root is not None
    assert root.kind == "top"


@pytest.mark.parametrize("path", ["/", "C:/", "/C:/", "/C:", "C:/w/..", "/C:/w/../."])
def test_a_drive_in_an_overlay(drives: FileSystem, path: str) -> None:
    found = OverlayFS(drives, devices=False).root_at(path)
    assert found == (TOP if path == "/" else Root("C:/", "volume"))
    assert OverlayFS(drives, devices=False).root_at("C:/w") is None


def test_a_drive_that_is_mounted_or_a_root_stays_one(drives: FileSystem) -> None:
    part = Rooted(MemoryFS({"/p/d/": b""}), "/p")
    whole = MountFS(MemoryFS({"/x/": b""}), {"/c": drives, "/p": part, "/host": HostFS()})
    assert whole.root_at("/c") == Root("/c", "mount")
    assert whole.root_at("/p") == whole.root_at("/x/../p/") == Root("/p", "mount")
    assert whole.root_at("/x") is None and whole.root_at("/p/d") is None
    if os.sep == "/":
        assert whole.root_at("/host") == Root("/host", "top")


def test_names_are_those_of_the_queried_file_system() -> None:
    mounted = MountFS(MemoryFS({"/p/": b""}), {"/p/m": MemoryFS({"/x/": b""})})
    assert Rooted(mounted, "/p").root_at("/m") == Root("/m", "mount")
    assert Rooted(mounted, "/p/m").root_at("/") == TOP
    assert Rooted(mounted, "/p").root_at("/m/x") is None


@pytest.mark.skipif(os.sep == "\\", reason="its disk has drives")
@pytest.mark.parametrize("path", ["/", "//", "/.", "/..", "/tmp/..", "/../../"])
def test_the_disk(path: str) -> None:
    assert HostFS().root_at(path) == TOP
    assert HostFS().race_free_view().root_at(path) == TOP
    assert HostFS().root_at("/tmp") is None
