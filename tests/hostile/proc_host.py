"""A host with secrets in its environment, name, arguments and descriptors, whose scripts try to get at them.

Started by ``test_hostile_proc``: ``python proc_host.py RESULT quick|whole FS…``; what came of it is written to RESULT as JSON:
the cells that gave something away, those that should have failed and did not, and what happened to the descriptors.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[up]) for up in range(3)]

from clock import patient  # noqa: E402
from proc_table import MADE_LINKS, SECRET, cells  # noqa: E402

from pyshellhooks import Shell  # noqa: E402
from pyshellhooks.fs import HostFS, MemoryFS, MountFS, OverlayFS, ReadOnly, Rooted  # noqa: E402
from pyshellhooks.fs.session import SessionFS  # noqa: E402

# name -> (options of Shell, where proc is, where the script starts): made anew for each, beside the links on the disk
KINDS: dict[str, Callable[[str], tuple[dict[str, Any], str, str]]] = {
    "host": lambda w: ({}, "/proc", w),
    "spawnless": lambda w: ({"spawn": False}, "/proc", w),
    "readonly": lambda w: ({"fs": ReadOnly(HostFS())}, "/proc", w),
    "overlay": lambda w: ({"fs": OverlayFS(HostFS())}, "/proc", w),
    "overlay of readonly": lambda w: ({"fs": OverlayFS(ReadOnly(HostFS())), "spawn": False}, "/proc", w),
    "rooted": lambda w: ({"fs": Rooted(HostFS(), "/")}, "/proc", w),
    "mount": lambda w: ({"fs": MountFS(HostFS(), {"/mnt/m": MemoryFS()})}, "/proc", w),
    "mounted": lambda w: ({"fs": MountFS(memory(w), {"/host": Rooted(HostFS(), "/")})}, "/host/proc", w),
    "proc mounted": lambda w: ({"fs": MountFS(memory(w), {"/x/proc": Rooted(HostFS(), "/proc")})}, "/x/proc", w),
    "memory": lambda w: ({"fs": memory(w)}, "/proc", w),
    "session": lambda w: ({"fs": SessionFS({"/workspace": Rooted(HostFS(), w)})}, "/workspace/l-proc", "/workspace"),
    "process": lambda w: ({"isolation": "process"}, "/proc", w),
    "another mount": lambda w: ({}, os.environ["PROC_MOUNTS"] + "/proc", w),
    "a bound directory": lambda w: ({"spawn": False}, os.environ["PROC_MOUNTS"] + "/bound/..", w),
}  # fmt: skip


def memory(work: str) -> MemoryFS:
    fs = MemoryFS({f"{work}/plain": b"plain\n", f"{work}/d/": b""})
    for name, target in MADE_LINKS.items():
        fs.symlink(target.format(pid=os.getpid()), f"{work}/{name}")
    return fs


def furnish(work: Path) -> str:
    (work / "d").mkdir(parents=True)
    (work / "plain").write_bytes(b"plain\n")
    for name, target in MADE_LINKS.items():
        (work / name).symlink_to(target.format(pid=os.getpid()))
    return work.as_posix()


class Secrets:
    """What the host has open, and how it must look afterwards."""

    def __init__(self, root: Path) -> None:
        self.file = root / "kept"
        self.file.write_text(f"{SECRET} file\n" * 3)
        os.utime(self.file, (1, 1))
        gone = root / "gone"
        gone.write_text(f"{SECRET} unlinked\n" * 3)
        held = os.open(gone, os.O_RDWR)
        gone.unlink()
        reader, writer = os.pipe()
        os.write(writer, f"{SECRET} pipe\n".encode())
        os.set_blocking(reader, False)
        self.reader = reader
        self.numbers = {"unlinked": held, "file": os.open(self.file, os.O_RDWR), "pipe": reader}
        self.before = self.state()

    def state(self) -> list[Any]:
        import fcntl
        import termios

        waits = int.from_bytes(fcntl.ioctl(self.reader, termios.FIONREAD, bytes(4)), sys.byteorder)
        held = [os.fstat(self.numbers[name]) for name in ("unlinked", "file")]
        texts = [os.pread(self.numbers[name], 1000, 0).decode() for name in ("unlinked", "file")]
        return [waits, texts, [(facts.st_size, facts.st_mode, facts.st_mtime_ns, facts.st_nlink) for facts in held]]


def is_beside(kind: str, name: str) -> bool:
    """Say whether a path misses /proc: where file systems are stacked, thread-self is a directory of /proc, not of a task."""
    return "out of a thread:" in name and kind not in (
        "host",
        "spawnless",
        "process",
        "another mount",
        "a bound directory",
    )


def main() -> None:
    result, part, *kinds, _ = sys.argv[1:]  # the last one is a secret, too
    root = Path(result).parent
    secrets = Secrets(root)
    hidden = root / f"{SECRET}-cwd"
    hidden.mkdir()
    (hidden / "plain").write_text(SECRET)
    os.chdir(hidden)
    over = threading.Event()
    thread = threading.Thread(target=over.wait, daemon=True)
    thread.start()
    Path("/proc/self/comm").write_text(SECRET)
    numbers = {
        "pid": os.getpid(),
        "tid": thread.native_id or 0,
        "parent": os.getpid(),
        **secrets.numbers,
    }
    given, let, changed, count = [], [], [], 0
    for kind in kinds:
        options, proc, start = KINDS[kind](furnish(root / f"w-{kind.replace(' ', '-')}"))
        shell = Shell(env={"PATH": "/usr/bin:/bin", "HOME": "/"}, cwd=start, **options)
        for name, nature, script in cells(numbers, part == "whole"):
            count += 1
            run = shell.run(script.replace("@", proc), timeout=patient(3), stdin=b"")
            if SECRET.encode() in run.stdout + run.stderr:
                given.append(f"{kind}: {name}: {script}: {run.stdout + run.stderr!r:.300}")
            elif run.ended.reason or (
                nature == "reads"
                and run.status == 0
                and not is_beside(kind, name)
                and b"failed to create" not in run.stderr
            ):
                let.append(f"{kind}: {name}: {script}: {run!r:.300}")
            if (now := secrets.state()) != secrets.before:
                changed.append(f"{kind}: {name}: {script}: {now}")
                secrets.before = now
    Path(result).write_text(json.dumps({"count": count, "given": given, "let": let, "changed": changed}))


if __name__ == "__main__":
    main()
