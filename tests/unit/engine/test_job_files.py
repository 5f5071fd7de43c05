"""Files that are there while a hook runs, and what is left of them."""

from __future__ import annotations

from typing import Any

import pytest

from pyshellhooks import Shell
from pyshellhooks.engine import ShellExecutor
from pyshellhooks.fs import MemoryFS
from pyshellhooks.hooks.model import HookJob, HookRun, HookSpec
from pyshellhooks.streams.base import Stream

PATH = "/w/.hooks/deep/p.json"


def job(command: str) -> HookJob:
    return HookJob(HookSpec("e", command), stdin=b"", env={}, cwd="/", timeout=1, files={PATH: b"payload"})


def run(fs: MemoryFS, command: str = f"cat {PATH}") -> HookRun:
    return ShellExecutor(fs=fs, env={}).run(job(command), None)


def test_files_made_for_a_hook_are_removed_and_others_stay() -> None:
    fs = MemoryFS({"/w/": b""})
    done = run(fs)
    assert done.notices == () and done.stdout == b"payload"
    assert fs.exists("/w") and not fs.exists("/w/.hooks")
    fs.mkdir("/w/.hooks")
    run(fs)
    assert fs.exists("/w/.hooks") and not fs.exists("/w/.hooks/deep")


def test_a_directory_that_has_something_else_in_it_stays() -> None:
    fs = MemoryFS()
    run(fs, "mkdir /w/.hooks/deep/kept")
    assert fs.exists("/w/.hooks/deep/kept") and not fs.exists(PATH)


def test_the_files_are_gone_when_the_run_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    fs = MemoryFS()

    def interrupted(*args: Any, **options: Any) -> None:
        assert fs.exists(PATH)
        raise KeyboardInterrupt

    monkeypatch.setattr(Shell, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(fs)
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
    done = run(Contended(5))
    assert done.notices == () and done.stdout == b"payload"


def test_a_file_that_cannot_be_written_is_a_notice() -> None:
    done = run(MemoryFS({"/w": b"in the way"}))
    assert done.notices[0].startswith(f"{PATH} could not be written: ") and done.status == 1
