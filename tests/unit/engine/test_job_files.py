"""Files that are there while a hook runs, and what is left of them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pyshellhooks.engine.job_files import with_files
from pyshellhooks.fs import MemoryFS
from pyshellhooks.hooks.model import HookJob, HookRun, HookSpec
from pyshellhooks.streams.base import Stream

pytestmark = pytest.mark.portable

PATH = "/w/.hooks/deep/p.json"


def job(content: bytes = b"payload") -> HookJob:
    return HookJob(HookSpec("e", "x"), stdin=b"", env={}, cwd="/", timeout=1, files={PATH: content})


def run(fs: MemoryFS, seen: list[bytes]) -> HookRun:
    def hook(env: Mapping[str, str]) -> HookRun:
        try:
            seen.append(fs.open(PATH, 0).read())
        except OSError:
            seen.append(b"")
        return HookRun()

    return with_files(fs, job(), hook)


def test_what_was_made_for_a_hook_is_gone_and_what_was_there_stays() -> None:
    fs = MemoryFS({"/w/": b""})
    seen: list[bytes] = []
    assert run(fs, seen).notices == () and seen == [b"payload"]
    assert fs.exists("/w") and not fs.exists("/w/.hooks")
    fs.mkdir("/w/.hooks")
    run(fs, seen)
    assert fs.exists("/w/.hooks") and not fs.exists("/w/.hooks/deep")


def test_a_directory_that_has_something_else_in_it_stays() -> None:
    fs = MemoryFS()

    def hook(env: Mapping[str, str]) -> HookRun:
        fs.mkdir("/w/.hooks/deep/kept")
        return HookRun()

    with_files(fs, job(), hook)
    assert fs.exists("/w/.hooks/deep/kept") and not fs.exists(PATH)


def test_the_files_are_gone_when_the_run_raises() -> None:
    fs = MemoryFS()

    def hook(env: Mapping[str, str]) -> HookRun:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        with_files(fs, job(), hook)
    assert not fs.exists("/w")


class Contended(MemoryFS):
    """Another hook takes the directory away, a few times."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left
        super().__init__()

    def open(self, path: str, flags: int, mode: int = 0o666) -> Stream:
        if path == PATH and flags and self.left:
            self.left -= 1
            self.rmdir("/w/.hooks/deep")
        return super().open(path, flags, mode)


def test_a_directory_that_another_hook_takes_away_is_made_again() -> None:
    seen: list[bytes] = []
    assert run(Contended(5), seen).notices == () and seen == [b"payload"]


def test_a_file_that_cannot_be_written_is_a_notice() -> None:
    fs = MemoryFS({"/w": b"in the way"})
    seen: list[bytes] = []
    (notice,) = run(fs, seen).notices
    assert notice.startswith(f"{PATH} could not be written: ") and seen == [b""]
