"""Drive one utility as the shell would, on an in-memory file system."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from pyshellhooks.cancel import CancelScope
from pyshellhooks.command import Call, Registry, Utility, execute
from pyshellhooks.fs.memory import MemoryFS
from pyshellhooks.limits import Limits
from pyshellhooks.streams import BytesReader, Capture, Stream
from pyshellhooks.utilities._index import INDEX

Outcome = tuple[int, bytes, bytes]
RunUtility = Callable[..., Outcome]


class Alone:
    """The ``start`` of a host that lets nothing start processes."""

    spawn_allowed = False

    def __call__(self, *_: object, **__: object) -> Any:
        """Fail: a utility must ask first."""
        raise AssertionError("started a command")


def find_utility(name: str) -> Utility:
    """Find a utility by its name, without a shell."""
    found = Registry(INDEX).get(name)
    if found is None:
        raise LookupError(name)
    return found


def _refuse(*_: object, **__: object) -> NoReturn:
    raise AssertionError("this utility must not start commands")


def make_files(fs: MemoryFS, files: Mapping[str, bytes], root: str = "/w") -> None:
    """Write files below ``root``, with the directories they need; a name that ends in a slash is a directory."""
    made: set[str] = set()

    def directory(path: str) -> None:
        if path and path != "/" and path not in made and not fs.exists(path):
            directory(path.rpartition("/")[0])
            fs.mkdir(path)
        made.add(path)

    directory(root)
    for name, content in files.items():
        path = f"{root}/{name}".rstrip("/")
        directory(path if name.endswith("/") else path.rpartition("/")[0])
        if not name.endswith("/"):
            stream = fs.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC).retain()
            stream.write(content)
            stream.release()


def run(
    argv: Sequence[str],
    stdin: bytes | Stream = b"",
    files: Mapping[str, bytes] | None = None,
    env: Mapping[str, str] | None = None,
    *,
    fs: MemoryFS | None = None,
    start: Any = _refuse,
    scope: CancelScope | None = None,
) -> Outcome:
    """Run a utility in ``/w`` and give status, stdout and stderr."""
    fs = MemoryFS() if fs is None else fs
    make_files(fs, files or {})
    out, err = Capture(1 << 26), Capture(1 << 26)
    with scope or CancelScope() as running:
        call = Call(
            argv,
            env={"PATH": "/bin", **(env or {})},
            cwd="/w",
            fs=fs,
            stdin=(BytesReader(stdin) if isinstance(stdin, bytes) else stdin).retain(),
            stdout=out,
            stderr=err,
            scope=running,
            limits=Limits(),
            start=start,
            programs=INDEX,
        )
        status = execute(find_utility(argv[0]), call)
    return status, out.getvalue(), err.getvalue()
