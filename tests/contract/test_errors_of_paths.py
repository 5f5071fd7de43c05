"""The errors of each operation for each kind of path, as Linux 6.1 has them (ext4): the disk has the same on every system.

The other file systems fail for the same paths; which of two errors they report may differ. Windows removes ``.`` and ``..`` from a path without a look, and puts a directory in the place of a file, which is lost.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from test_filesystem import MAKERS, NEW, RD, WR, read, write

from pyshellhooks.fs.base import FileSystem

LONG = "x" * 300
FORBIDDEN = "a*b"  # no name on Windows
#: ``file`` and ``file2`` are files, ``empty…`` and ``full…`` directories.
LOOKUP = (
    f"ENOENT: missing missing/ missing/x {FORBIDDEN} a?b/x; ENOTDIR: file/ file/x file/. file/..; ENAMETOOLONG: {LONG};"
)
FILE = f"{LOOKUP} EISDIR: empty empty/ full full/ full/.;"
NEW_FILE = f"ENOENT: missing/x a?b/x; ENOTDIR: file/x file/. file/..; ENAMETOOLONG: {LONG};"
EXISTS = "EEXIST: file file/ empty empty/ full full/ full/.;"
Operation = Callable[[FileSystem, str, str], object]


def _open(fs: FileSystem, path: str, flags: int) -> None:
    fs.open(path, flags).retain().release()


OPERATIONS: dict[str, tuple[Operation, str]] = {
    "stat": (lambda fs, w, path: fs.stat(path), LOOKUP),
    "lstat": (lambda fs, w, path: fs.stat(path, follow=False), LOOKUP),
    "read": (lambda fs, w, path: _open(fs, path, RD), FILE),
    "write": (lambda fs, w, path: _open(fs, path, WR), FILE),
    "create": (
        lambda fs, w, path: _open(fs, path, NEW),
        f"{NEW_FILE} ENOTDIR: file/; EISDIR: missing/ empty empty/ full full/ full/.;",
    ),
    "create anew": (
        lambda fs, w, path: _open(fs, path, WR | os.O_CREAT | os.O_EXCL),
        f"{NEW_FILE} EISDIR: missing/ file/ empty/ full/; EEXIST: file empty full full/.;",
    ),
    "mkdir": (lambda fs, w, path: fs.mkdir(path), f"{NEW_FILE} {EXISTS}"),
    "rmdir": (lambda fs, w, path: fs.rmdir(path), f"{LOOKUP} ENOTDIR: file; ENOTEMPTY: full full/; EINVAL: full/.;"),
    "unlink": (lambda fs, w, path: fs.unlink(path), FILE),
    "scandir": (lambda fs, w, path: list(fs.scandir(path)), f"{LOOKUP} ENOTDIR: file;"),
    "chmod": (lambda fs, w, path: fs.chmod(path, 0o644), LOOKUP),
    "utime": (lambda fs, w, path: fs.utime(path, None), LOOKUP),
    "truncate": (lambda fs, w, path: fs.truncate(path, 0), FILE),
    "readlink": (lambda fs, w, path: fs.readlink(path), f"{LOOKUP} EINVAL: file empty empty/ full full/ full/.;"),
    "link from": (
        lambda fs, w, path: fs.link(path, f"{w}/new"),
        f"{LOOKUP} EPERM: empty empty/ full full/ full/.;",
    ),
    "link to": (lambda fs, w, path: fs.link(f"{w}/file", path), f"{NEW_FILE} ENOENT: missing/; {EXISTS}"),
    "rename to": (
        lambda fs, w, path: fs.rename(f"{w}/file", path),
        f"{NEW_FILE} ENOTDIR: missing/ file/ empty/ full/; EISDIR: empty full; EBUSY: full/.;",
    ),
}
PATHS = f"missing missing/ missing/x file file/ file/x file/. file/.. empty empty/ full full/ full/. {FORBIDDEN} a?b/x {LONG}"

FULL_DIRECTORY = (
    "ENOTDIR: file file2 file2/ file/x; ENOTEMPTY: full2 full2/; EINVAL: full/x full/sub/x full/in; ENOENT: missing/x;"
)
EMPTY_DIRECTORY = "ENOTDIR: file file2 file2/ file/x full/in; ENOTEMPTY: full full2 full2/; ENOENT: missing/x;"
RENAMES = {
    "missing": "ENOTDIR: file/x; ENOENT: *;",
    "file": "EISDIR: empty empty2 full full2; ENOTDIR: missing/ file2/ empty2/ full2/ file/x; ENOENT: missing/x;",
    "file/": "ENOENT: missing/x; ENOTDIR: *;",
    "file/x": "ENOTDIR: *;",
    "empty": EMPTY_DIRECTORY,
    "empty/": EMPTY_DIRECTORY,
    "full": FULL_DIRECTORY,
    "full/": FULL_DIRECTORY,
    ".": "ENOTDIR: file/x; ENOENT: missing/x; EBUSY: *;",
}
TARGETS = "missing file file2 empty empty2 full full2 missing/ file2/ empty2/ full2/ file/x full/x full/sub/x missing/x full/in"


#: Where new files go to the disk.
ON_DISK = ("host", "host-of-a-run", "rooted-host", "session-of-host")


def _errors(text: str, paths: list[str]) -> dict[str, str]:
    """Return the error of each path (``ok`` without one) by a text such as "ENOENT: a b; EEXIST: *;". The first one counts."""
    errors: dict[str, str] = {}
    for part in text.split(";"):
        code, _, names = part.strip().partition(": ")
        for path in paths if names == "*" else names.split():
            errors.setdefault(path, code)
    return {path: errors.get(path, "ok") for path in paths}


@pytest.fixture(params=MAKERS)
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[FileSystem, str]]:
    """Yield file systems with the same files, each time with an empty directory around them."""

    def make() -> Iterator[tuple[FileSystem, str]]:
        fs, top = MAKERS[request.param](tmp_path)
        for number in range(1000):
            w = f"{top}/{number}"
            for directory in ("", "/empty", "/empty2", "/full", "/full/sub", "/full2"):
                fs.mkdir(w + directory)
            for file in ("file", "file2", "full/in", "full2/in"):
                write(fs, f"{w}/{file}", file.encode())
            yield fs, w

    return make()


def _contents(fs: FileSystem, directory: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for entry in fs.scandir(directory):
        path = f"{directory}/{entry.name}"
        if entry.kind == "d":
            found.update({f"{path}/": b""}, **_contents(fs, path))
        else:
            found[path] = read(fs, path)
    return found


def _outcome(fs: FileSystem, w: str, act: Callable[[], object]) -> str:
    """Return the name of the error, or ``ok``; an error that changed a file is marked."""
    before = _contents(fs, w)
    try:
        act()
    except OSError as error:
        name = errno.errorcode[error.errno or 0]
        return name if _contents(fs, w) == before else f"{name}, and the files have changed"
    return "ok"


def _failing(errors: dict[str, str]) -> set[str]:
    return {path for path, error in errors.items() if error != "ok"}


def _check(request: pytest.FixtureRequest, found: dict[str, str], wanted: dict[str, str]) -> None:
    assert _failing(found) == _failing(wanted)
    assert not [error for error in found.values() if "changed" in error]
    if request.node.callspec.params["places"] == "host":
        assert found == wanted


@pytest.mark.parametrize("operation", OPERATIONS)
def test_each_operation(
    places: Iterator[tuple[FileSystem, str]], operation: str, request: pytest.FixtureRequest
) -> None:
    act, errors = OPERATIONS[operation]
    places_name = request.node.callspec.params["places"]
    expected = _errors(errors, PATHS.split())
    found = {}
    for path in expected:
        fs, w = next(places)
        if path == FORBIDDEN and expected[path] == "ok" and os.name == "nt" and places_name in ON_DISK:
            expected[path] = "EINVAL"
        found[path] = _outcome(fs, w, lambda fs=fs, w=w, path=path: act(fs, w, f"{w}/{path}"))  # type: ignore[misc]
    _check(request, found, expected)


@pytest.mark.parametrize("old", RENAMES)
def test_renames(places: Iterator[tuple[FileSystem, str]], old: str, request: pytest.FixtureRequest) -> None:
    expected = _errors(RENAMES[old], TARGETS.split())
    found = {}
    for new in expected:
        fs, w = next(places)
        found[new] = _outcome(fs, w, lambda fs=fs, w=w, new=new: fs.rename(f"{w}/{old}", f"{w}/{new}"))  # type: ignore[misc]
    _check(request, found, expected)
