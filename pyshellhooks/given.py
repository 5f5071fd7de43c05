"""What callers of the shell pass in: Python's ordinary types become streams, and what can't be one is said at the call."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from .fs.base import FileSystem
from .host.streams import HostStream
from .limits import Limits
from .streams.base import Stream
from .text import encode


class BinaryReader(Protocol):
    """A file or pipe opened for reading bytes, ``io.BytesIO``, or what else has such a ``read``."""

    def read(self, size: int, /) -> bytes: ...


class BinaryWriter(Protocol):
    """A file or pipe opened for writing bytes, ``io.BytesIO``, or what else has such a ``write``."""

    def write(self, data: bytes, /) -> int | None: ...


Input = bytes | bytearray | memoryview | str | Stream | BinaryReader
Output = Stream | BinaryWriter


class _FileStream(Stream):
    """An object of Python with ``read`` or ``write``. A closed one, and one that gives no bytes, are errors of the script."""

    __slots__ = ("_file",)

    def __init__(self, file: Any) -> None:
        super().__init__()
        self._file = file

    def read(self, size: int = 65536, /) -> bytes:
        try:
            data = self._file.read(size)
        except ValueError as error:  # it is closed
            raise OSError(errno.EBADF, str(error)) from None
        if data is None:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise OSError(errno.EINVAL, "Invalid argument")
        return bytes(data)

    def write(self, data: bytes, /) -> None:
        view = memoryview(data)
        while view:
            try:
                done = self._file.write(bytes(view))
            except ValueError as error:
                raise OSError(errno.EBADF, str(error)) from None
            if not isinstance(done, int) or done >= len(view):  # a writer that says nothing took it all
                return
            view = view[done:]


class DescriptorStream(HostStream):
    """The descriptor of a file of Python's, which stays open as long as this."""

    __slots__ = ("_file",)

    def __init__(self, fd: int, file: object) -> None:
        super().__init__(fd, owns=False)
        self._file = file


def source(given: Input) -> bytes | Stream:
    """Return what a script reads: bytes, or a stream.

    Text is encoded as UTF-8. A file with a descriptor is read through that, so that waiting ends with the run and a native
    child goes on where the script stopped; it is not closed. Raises ``TypeError`` for anything else,
    ``ValueError`` for a closed file.
    """
    if isinstance(given, (bytes, Stream)):
        return given
    if isinstance(given, str):
        return encode(given)
    if isinstance(given, (bytearray, memoryview)):
        return bytes(given)
    if isinstance(given, io.TextIOBase):
        raise TypeError("stdin is a file of text; open it for bytes (mode 'rb'), or pass what it holds as a str")
    if given is None or not callable(getattr(given, "read", None)):
        raise TypeError(f"stdin is bytes, a str, a Stream or a file opened for bytes, not {_kind(given)}")
    _check_open(given, "stdin")
    return _through_descriptor(given) or _FileStream(given)


def sink(given: Output | None, name: str) -> Stream | None:
    """Return what a script writes to, None for the result. ``name`` is the argument's. Raises ``TypeError``."""
    if given is None or isinstance(given, Stream):
        return given
    if isinstance(given, io.TextIOBase):
        raise TypeError(f"{name} is a file of text; open it for bytes (mode 'wb'), or pass its .buffer")
    if not callable(getattr(given, "write", None)):
        raise TypeError(f"{name} is a Stream or a file opened for writing bytes, not {_kind(given)}")
    _check_open(given, name)
    flush = getattr(given, "flush", None)
    if callable(flush):
        flush()  # what was written before comes first
    return _through_descriptor(given) or _FileStream(given)


def _check_open(file: object, name: str) -> None:
    if getattr(file, "closed", False) is True:
        raise ValueError(f"{name} is a file that is closed")


def _through_descriptor(file: Any) -> Stream | None:
    """Return a stream on a file's descriptor, which stands where the file does; None where it has none."""
    if not isinstance(file, io.IOBase):
        return None
    try:
        fd = file.fileno()
        if file.seekable():
            os.lseek(fd, file.tell(), os.SEEK_SET)  # it may have been read ahead
    except (OSError, ValueError):
        return None
    return DescriptorStream(fd, file)


def check_script(script: object, args: Sequence[object]) -> None:
    """Raise ``TypeError`` for what is no script, or an argument that is no text."""
    if isinstance(script, (list, tuple)):
        words = ", ".join(map(repr, script))
        raise TypeError(
            f"a script is a str, not {_kind(script)}; a command and its words are run by: run('\"$@\"', {words})"
        )
    if isinstance(script, (bytes, bytearray)):
        raise TypeError("a script is a str, not bytes; decode it first")
    if isinstance(script, os.PathLike):
        raise TypeError(f"a script is its text, not the path of a file; read it first, or run: '. {os.fspath(script)}'")
    if script is None or not (isinstance(script, str) or hasattr(script, "text")):
        raise TypeError(f"a script is a str or what Shell.parse gives, not {_kind(script)}")
    for number, word in enumerate(args, 1):
        _must_be(str, word, f"argument {number} of the script is a str")


def check_environment(env: object) -> None:
    """Raise ``TypeError`` for what is no environment."""
    if not isinstance(env, Mapping):
        raise TypeError(f"env is a mapping of names to texts, not {_kind(env)}")
    for name, value in env.items():
        _must_be(str, name, "env: a name is a str")
        if not isinstance(value, str):
            raise TypeError(f'env: the value of "{name}" is a str, not {_kind(value)}')


def check_seconds(name: str, seconds: object) -> None:
    """Raise ``TypeError`` or ``ValueError`` for what is no time to wait."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise TypeError(f"{name} is a number of seconds, not {_kind(seconds)}")
    if not seconds >= 0:
        raise ValueError(f"{name} is a number of seconds from 0 on, not {seconds}")


def check_options(fs: object, limits: object, prefer_host: object) -> None:
    """Raise ``TypeError`` for options of a shell that are of the wrong kind."""
    _must_be((FileSystem, type(None)), fs, "fs is a FileSystem (MemoryFS(), OverlayFS(HostFS()), …)")
    if limits is not None and not isinstance(limits, Limits):
        mend = f": Limits({', '.join(f'{name}=…' for name in limits)})" if isinstance(limits, Mapping) else ""
        raise TypeError(f"limits is a Limits{mend}, not {_kind(limits)}")
    if isinstance(prefer_host, str) or not isinstance(prefer_host, Iterable):
        raise TypeError(f'prefer_host is a set of names ({{"git"}}), not {_kind(prefer_host)}')


def path_of(cwd: str | os.PathLike[str]) -> str:
    """Return a directory as text. Raises ``TypeError``."""
    _must_be((str, os.PathLike), cwd, "cwd is a path")
    as_posix = getattr(cwd, "as_posix", None)  # pathlib's, without importing it
    path = os.fspath(cwd) if as_posix is None else as_posix()
    if not isinstance(path, str):
        raise TypeError("cwd is a path of text, not of bytes")
    return path


def _must_be(kinds: type | tuple[type, ...], given: object, what: str) -> None:
    if not isinstance(given, kinds):
        raise TypeError(f"{what}, not {_kind(given)}")


def _kind(given: object) -> str:
    if given is None:
        return "None"
    name = type(given).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
