"""What the process does behind a target's back: it opens files, starts programs, and grows."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

ROOT = Path(__file__).resolve().parents[2]
#: What a virtual file system and ``spawn=False`` keep from the host (docs/threat-model.md).
STARTS = frozenset(
    "subprocess.Popen os.fork os.forkpty os.posix_spawn os.spawn os.exec os.system os.startfile _winapi.CreateProcess pty.spawn os.kill os.killpg".split()
)
TOUCHES = frozenset(
    "os.listdir os.scandir os.mkdir os.rmdir os.remove os.rename os.link os.symlink os.chmod os.chown os.truncate os.utime os.chdir shutil.rmtree".split()
)
#: Python itself reads its modules, and we our data, wherever they are installed.
READ = tuple(str(Path(path).resolve()) for path in (ROOT, sys.prefix, sys.base_prefix, sysconfig.get_path("stdlib"))) + (
    "/usr/share/zoneinfo", "/proc/self/stat", "/proc/meminfo", "/etc/localtime",
)  # fmt: skip
_seen: list[str] = []
_armed = False
_hooked = False


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if not _armed or not (event == "open" or event in STARTS or event in TOUCHES):
        return
    if event == "open":
        path, _, flags = args
        if not isinstance(path, (str, bytes)) or (not flags & 3 and os.fsdecode(path).startswith(READ)):
            return
    elif event in ("os.listdir", "os.scandir") and isinstance(args[0], str):
        if args[0].startswith(READ) or args[0] in sys.path:
            return
    _seen.append(f"{event} {args!r:.200}")


@contextmanager
def watched() -> Iterator[list[str]]:
    """Note what happens inside; what Python reads for itself is left out."""
    global _armed, _hooked
    if not _hooked:
        sys.addaudithook(_hook)  # it can't be taken off again
        _hooked = True
    _seen.clear()
    _armed = True
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # a module that is imported now would be written
    try:
        yield _seen
    finally:
        _armed = False
        sys.dont_write_bytecode = before


def growth() -> int:
    """Return the most that this process has ever had, in MiB; 0 where the system does not say."""
    if resource is None:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most >> (20 if sys.platform == "darwin" else 10)
