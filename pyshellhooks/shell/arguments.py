"""Arguments of the shell's callers: ordinary Python types are converted to streams, wrong ones raise at the call."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from ..fs.base import FileSystem
from ..host.streams import HostStream
from ..limits import Limits
from ..streams.base import Stream
from ..text import encode


class BinaryReader(Protocol):
    """A file or pipe opened for reading bytes, ``io.BytesIO``, or another object with such a ``read``."""

    def read(self, size: int, /) -> bytes: ...


class BinaryWriter(Protocol):
    """A file or pipe opened for writing bytes, ``io.BytesIO``, or another object with such a ``write``."""

    def write(self, data: bytes, /) -> int | None: ...


Input = bytes | bytearray | memoryview | str | Stream | BinaryReader
Output = Stream | BinaryWriter


class _FileStream(Stream):
    """A stream over a Python object with ``read`` or ``write``. Raises ``OSError`` if that is closed, or for text."""

    __slots__ = ("_file",)

    def __init__(self, file: Any) -> None:
        super().__init__()
        self._file = file

    def read(self, size: int = 65536, /) -> bytes:
        try:
            data = self._file.read(size)
        except ValueError as error:  # the file is closed
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
            if not isinstance(done, int) or done >= len(view):  # None means that all was written
                return
            view = view[done:]  # a raw file may take a part


class DescriptorStream(HostStream):
    """A stream over the descriptor of a Python file, which stays open as long as the stream."""

    __slots__ = ("_file",)

    def __init__(self, fd: int, file: object) -> None:
        super().__init__(fd, owns=False)
        self._file = file


def source(value: Input) -> bytes | Stream:
    """Return the stdin of a script: bytes, or a stream.

    Text is encoded as UTF-8. A file with a descriptor is read through that, so that a wait ends with the run and a
    native child continues at the script's position; it is not closed. Raises ``TypeError`` for other types,
    ``ValueError`` for a closed file.
    """
    if isinstance(value, (bytes, Stream)):
        return value
    if isinstance(value, str):
        return encode(value)
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, io.TextIOBase):
        raise TypeError("stdin is a text file; open it in binary mode ('rb'), or pass its content as a str")
    if value is None or not callable(getattr(value, "read", None)):
        raise TypeError(f"stdin must be bytes, a str, a Stream or a file in binary mode, got {_kind(value)}")
    _check_open(value, "stdin")
    return _through_descriptor(value) or _FileStream(value)


def sink(value: Output | None, name: str) -> Stream | None:
    """Return an output stream of a script; None stays None, which means the run's result.

    ``name`` is the argument's name. Raises ``TypeError`` for other types, ``ValueError`` for a closed file.
    """
    if value is None or isinstance(value, Stream):
        return value
    if isinstance(value, io.TextIOBase):
        raise TypeError(f"{name} is a text file; open it in binary mode ('wb'), or pass its .buffer")
    if not callable(getattr(value, "write", None)):
        raise TypeError(f"{name} must be a Stream or a writable file in binary mode, got {_kind(value)}")
    _check_open(value, name)
    flush = getattr(value, "flush", None)
    if callable(flush):
        flush()  # so that earlier output comes first
    return _through_descriptor(value) or _FileStream(value)


def _check_open(file: object, name: str) -> None:
    if getattr(file, "closed", False) is True:
        raise ValueError(f"{name} is a closed file")


def _through_descriptor(file: Any) -> Stream | None:
    """Return a stream over a file's descriptor, at the file's position; None if it has no descriptor."""
    if not isinstance(file, io.IOBase):
        return None
    try:
        fd = file.fileno()
        if file.seekable():
            os.lseek(fd, file.tell(), os.SEEK_SET)  # its buffer may be ahead
    except (OSError, ValueError):
        return None
    return DescriptorStream(fd, file)


def check_script(script: object, args: Sequence[object]) -> None:
    """Raise ``TypeError`` if a script or one of its arguments has the wrong type."""
    if isinstance(script, (list, tuple)):
        words = ", ".join(map(repr, script))
        raise TypeError(
            f"a script must be a str, got {_kind(script)}; to run a command and its words: run('\"$@\"', {words})"
        )
    if isinstance(script, (bytes, bytearray)):
        raise TypeError("a script must be a str, not bytes; decode it first")
    if isinstance(script, os.PathLike):
        raise TypeError(
            f"a script must be its text, not the path of a file; read it first, or run: '. {os.fspath(script)}'"
        )
    if not isinstance(script, str) and not hasattr(script, "text"):
        raise TypeError(f"a script must be a str or the result of Shell.parse, got {_kind(script)}")
    for number, word in enumerate(args, 1):
        _must_be(str, word, f"argument {number} of the script must be a str")


def check_environment(env: object) -> None:
    """Raise ``TypeError`` if an environment is not a mapping of str to str."""
    if not isinstance(env, Mapping):
        raise TypeError(f"env must be a mapping of names to texts, got {_kind(env)}")
    for name, value in env.items():
        _must_be(str, name, "env: a name must be a str")
        if not isinstance(value, str):
            raise TypeError(f'env: the value of "{name}" must be a str, got {_kind(value)}')


def check_seconds(name: str, seconds: object) -> None:
    """Raise ``TypeError`` or ``ValueError`` if a duration is not a number from 0 on."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise TypeError(f"{name} must be a number of seconds, got {_kind(seconds)}")
    if not seconds >= 0:  # this is true for NaN
        raise ValueError(f"{name} must be at least 0 seconds, got {seconds}")


def check_options(fs: object, limits: object, prefer_host: object) -> None:
    """Raise ``TypeError`` for options of a shell that have the wrong type."""
    _must_be((FileSystem, type(None)), fs, "fs must be a FileSystem (MemoryFS(), OverlayFS(HostFS()), …)")
    if limits is not None and not isinstance(limits, Limits):
        hint = ""
        if isinstance(limits, Mapping):
            hint = f": Limits({', '.join(f'{name}=…' for name in limits)})"
        raise TypeError(f"limits must be a Limits{hint}, got {_kind(limits)}")
    if isinstance(prefer_host, str) or not isinstance(prefer_host, Iterable):  # a str would be a set of letters
        raise TypeError(f'prefer_host must be a set of names ({{"git"}}), got {_kind(prefer_host)}')


def path_of(cwd: str | os.PathLike[str]) -> str:
    """Return a directory as str. Raises ``TypeError``."""
    _must_be((str, os.PathLike), cwd, "cwd must be a path")
    as_posix = getattr(cwd, "as_posix", None)  # pathlib's, without importing it
    path = os.fspath(cwd) if as_posix is None else as_posix()
    if not isinstance(path, str):
        raise TypeError("cwd must be a str path, not bytes")
    return path


def _must_be(kinds: type | tuple[type, ...], value: object, rule: str) -> None:
    if not isinstance(value, kinds):
        raise TypeError(f"{rule}, got {_kind(value)}")


def _kind(value: object) -> str:
    if value is None:
        return "None"
    name = type(value).__name__
    if name[0] in "aeiou":
        return f"an {name}"
    return f"a {name}"
