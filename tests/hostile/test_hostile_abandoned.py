"""A run that was cut off at a random moment has no effect after the call returned (rule 5)."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hostile_runs import ENV, left_in, side_by_side
from process_state import settled

from pyshellhooks import Shell
from pyshellhooks.fs.base import Entry, FileSystem, Stat
from pyshellhooks.fs.memory import MemoryFS
from pyshellhooks.streams.base import Stream

pytestmark = [
    pytest.mark.not_on_windows("needs-program"),
    pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="native children of POSIX"),
]

WRITERS = (
    "while :; do echo x >> f; done",
    "n=0; while :; do echo x > f$n; n=$((n+1)); done",
    "yes | cat > f",
    "yes > f & while :; do : > g; rm -f g; done",
    "while :; do mkdir d; rmdir d; mv f g 2>/dev/null; : > f; done",
    "f() { echo $(echo x >> f); f; }; f",
    "while :; do { echo a; echo b >> f; } | tee g > h; done",
    "trap 'while :; do echo x >> f; done' EXIT TERM; while :; do echo x >> g; done",
    "while :; do cat <(echo x; echo y >> f) > g; done",
    "for i in 1 2 3 4 5; do while :; do echo x >> f$i; done & done; wait",
    "while :; do sed -i s/x/y/ f 2>/dev/null || echo x > f; done",
    "while :; do touch f; ln -s f l; rm -f l; chmod 600 f; done",
)
SPAWNERS = (
    "while :; do /bin/echo x >> f; done",
    "while :; do /bin/sleep 5 & /bin/echo x > f; done",
    "/bin/sh -c 'while :; do echo x >> f; done'",
    "yes | /bin/cat > f",
    "x=$(/bin/sh -c 'while :; do echo x; done') ; echo x > f",
)


class WatchedStream(Stream):
    def __init__(self, inner: Stream, watch: Watched) -> None:
        super().__init__()
        self.inner = inner.retain()
        self.watch = watch

    def read(self, size: int = 65536, /) -> bytes:
        return self.inner.read(size)

    def write(self, data: bytes, /) -> None:
        self.watch.acts("write")
        self.inner.write(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self.inner.seek(offset, whence)

    def close(self) -> None:
        self.inner.release()


class Watched(FileSystem):
    """A file system that counts what is changed, and what is changed when nothing may be."""

    def __init__(self, inner: FileSystem) -> None:
        self.inner = inner
        self.over = False
        self.count = 0
        self.late: list[str] = []

    def acts(self, what: str) -> None:
        self.count += 1
        if self.over:
            self.late.append(what)

    def open(self, path: str, flags: int, mode: int = 0o666) -> Stream:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC):
            self.acts("open")
        return WatchedStream(self.inner.open(path, flags, mode), self)

    def stat(self, path: str, *, follow: bool = True) -> Stat:
        return self.inner.stat(path, follow=follow)

    def scandir(self, path: str) -> Iterator[Entry]:
        return self.inner.scandir(path)

    def access(self, path: str, mode: int) -> bool:
        return self.inner.access(path, mode)

    def readlink(self, path: str) -> str:
        return self.inner.readlink(path)

    def realpath(self, path: str) -> str:
        return self.inner.realpath(path)

    def is_absolute(self, path: str) -> bool:
        return self.inner.is_absolute(path)

    def absolute(self, cwd: str, path: str) -> str:
        return self.inner.absolute(cwd, path)

    def host_path(self, path: str) -> str | None:
        return None


def _change(name: str) -> Any:
    def change(self: Watched, *args: Any, **options: Any) -> Any:
        self.acts(name)
        return getattr(self.inner, name)(*args, **options)

    return change


for _name in ("mkdir", "unlink", "rmdir", "rename", "link", "symlink", "chmod", "utime", "truncate"):
    setattr(Watched, _name, _change(_name))
Watched.__abstractmethods__ = frozenset()


@pytest.mark.one_in(2, slow=2)
@pytest.mark.parametrize("seed", range(4))  # 2,000 runs: they keep one interpreter busy for 20 s
def test_five_hundred_runs_touch_no_file_afterwards(seed: int) -> None:
    chance = random.Random(seed)
    watched: list[Watched] = []
    lock = threading.Lock()

    def job() -> None:
        fs = Watched(MemoryFS({"/w/": b""}))
        with lock:
            script, timeout = chance.choice(WRITERS), chance.uniform(0.001, 0.02)
        result = Shell(fs=fs, cwd="/w", env={}, spawn=False).run(script, timeout=timeout, grace=0.0)
        fs.over = True
        assert result.ended.kind == "stopped", (script, result)
        with lock:
            watched.append(fs)

    side_by_side([job] * 500, 4)
    time.sleep(0.05)
    assert settled()
    assert len(watched) == 500
    assert [fs.late for fs in watched if fs.late] == []
    assert sum(fs.count for fs in watched) > 1000


def seen(directory: str) -> dict[str, tuple[int, int]]:
    """Return what a directory holds, with sizes and times."""
    found = {}
    for entry in os.scandir(directory):
        try:
            stat = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            found[entry.name] = (-1, -1)
            continue
        found[entry.name] = (stat.st_size, stat.st_mtime_ns)
    return found


def test_nothing_happens_on_the_disk_or_among_the_processes_afterwards(tmp_path: Path) -> None:
    chance = random.Random(5)
    wrong: list[str] = []
    jobs = []

    def make(number: int) -> Any:
        directory = tmp_path / str(number)
        directory.mkdir()
        script = chance.choice(WRITERS + SPAWNERS)
        timeout = chance.uniform(0.001, 0.02)

        def job() -> None:
            shell = Shell(env=ENV)
            shell.run(script, timeout=timeout, cwd=str(directory), grace=0.02)
            before = seen(str(directory))
            left = left_in(str(directory))
            time.sleep(0.05)
            if left or left_in(str(directory)) or seen(str(directory)) != before:
                wrong.append(f"{script}: left {left}, {before} became {seen(str(directory))}")

        return job

    for number in range(120):
        jobs.append(make(number))
    side_by_side(jobs, 4)
    assert not wrong, wrong[:3]
    assert settled()
