"""The host's descriptors on a system without /proc, whose disk ignores case (macOS); answered by a fake of its disk.

XNU, bsd/miscfs/devfs/devfs_fdesc_support.c (``devfs_devfd_lookup``): ``/dev/fd/N`` is descriptor N of the process, with any
number of zeros before N, and a number above ``INT_MAX`` wraps.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

import pytest

from pyshellhooks.fs import proc
from pyshellhooks.fs.host import HostFS
from pyshellhooks.fs.proc_fd import DIRECTORY, OwnDescriptor
from pyshellhooks.host.posix import PosixHost

pytestmark = pytest.mark.not_on_windows("not-windows")

SECRET = 5
_DIRECTORY = {"/": 2, "/dev": 30, "/dev/fd": 31, "/users": 40}
_ZERO_WIDTH = "\u200c"  # HFS+ ignores it in a comparison


class _CaseBlindDisk:
    """Answers ``os.stat``, ``os.lstat`` and ``os.readlink`` as macOS does; everything else is the real module's."""

    def __getattr__(self, name: str) -> object:
        return getattr(os, name)

    def stat(self, path: str | bytes) -> os.stat_result:
        return self.lstat(path)

    def lstat(self, path: str | bytes) -> os.stat_result:
        # Not ``os.fsdecode``: it has no part in this test, and the paths are ASCII or UTF-8.
        text = path.decode() if isinstance(path, bytes) else path
        name = os.path.normpath(text).casefold().replace(_ZERO_WIDTH, "") or "/"
        if name in _DIRECTORY:
            return self._status(stat.S_IFDIR | 0o755, _DIRECTORY[name])
        if name == "/users/link":
            return self._status(stat.S_IFLNK | 0o777, 50)
        if name.startswith("/dev/fd/"):
            return self._status(stat.S_IFREG | 0o600, 60)
        raise FileNotFoundError(2, "No such file or directory", text)

    def readlink(self, path: str) -> str:
        assert path.casefold() == "/users/link", path
        return "/DEV"

    def _status(self, mode: int, inode: int) -> os.stat_result:
        return os.stat_result((mode, inode, 1, 1, 0, 0, 0, 0, 0, 0))


@pytest.fixture(autouse=True)
def disk(monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = proc._Mounts()
    mounts.seen.add(1)
    monkeypatch.setattr(mounts, "read", lambda: None)
    monkeypatch.setattr(proc, "_mounts", mounts)
    monkeypatch.setattr(proc, "_known", {})
    monkeypatch.setattr(proc, "os", _CaseBlindDisk())
    fake = _CaseBlindDisk()
    monkeypatch.setattr(os.path, "samefile", lambda one, two: fake.stat(one).st_ino == fake.stat(two).st_ino)


_CALLS: tuple[Callable[[HostFS, str], object], ...] = (
    lambda fs, path: fs.open(path, os.O_RDONLY),
    lambda fs, path: fs.stat(path),
)


@pytest.mark.parametrize(
    "path",
    [
        "/dev/fd/5", "/DEV/fd/5", "/Dev/./fd/5", "//dEv//fd/5", f"/d{_ZERO_WIDTH}ev/fd/5", "/users/../DEV/fd/5",
        "/users/link/fd/5", "/USERS/LINK/fd/5", "/DEV/../dev/fd/5", "/dev/FD/5", "/DEV/FD/5",
    ],
)  # fmt: skip
def test_each_spelling_names_the_scripts_own_descriptor(path: str) -> None:
    for call in _CALLS:
        with pytest.raises(OwnDescriptor) as caught:
            call(HostFS(), path)
        assert caught.value.number == SECRET


@pytest.mark.parametrize("path", ["/dev/fd", "/dev/../dev/fd", "/DEV/fd", "/DEV/FD", "/users/link/fd/.", "/dev/FD/"])
def test_the_directory_of_descriptors_is_the_scripts_own_one(path: str) -> None:
    with pytest.raises(OwnDescriptor) as caught:
        list(HostFS().scandir(path))
    assert caught.value.number == DIRECTORY


@pytest.mark.parametrize(
    "name", ["005", "05", "4294967301", "18446744073709551621", "5/x", "5/..namedfork/rsrc", "5/.."]
)
def test_another_way_to_write_a_number_is_missing(name: str) -> None:
    for call in _CALLS:
        with pytest.raises(FileNotFoundError) as caught:
            call(HostFS(), f"/DEV/fd/{name}")
        assert not isinstance(caught.value, OwnDescriptor)


@pytest.mark.parametrize("prefix", ["/.nofollow", "/.resolve/1", "/.vol/1/2", "/users/../.nofollow"])
def test_a_prefix_that_changes_how_the_kernel_reads_a_path_is_missing(
    prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PosixHost, "path_prefixes", frozenset((".vol", ".nofollow", ".resolve")))
    with pytest.raises(FileNotFoundError):
        proc.check(f"{prefix}/dev/fd/5", True, False)


def test_other_paths_in_dev_are_not_own() -> None:
    assert proc.check("/DEV/fd/../null", True, False) == (None, None)


def test_access_to_another_way_to_write_a_number_is_denied() -> None:
    assert HostFS().access("/DEV/fd/005", os.R_OK) is False
