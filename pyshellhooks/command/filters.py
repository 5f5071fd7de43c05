"""A utility that reads its standard input and writes its standard output, run on a text without anything around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn, cast

from ..streams.base import BytesReader, Stream
from .call import Call, Start
from .direct import Direct, Surroundings
from .utility import Utility, execute

if TYPE_CHECKING:
    from ..fs.base import FileSystem

# Bytes of input and of output. A pipe takes no more before somebody must read; what writes more may never end; and what
# was done in vain should have cost little.
_MOST = 65536


class Refused(Exception):
    """The call asked for more than its input, or gave too much: it will most likely do so again."""


class _Nothing:
    """Stands for the files: whoever looks is refused."""

    def temporary_directory(self) -> str:
        """Say where files could be made; whoever makes one is refused."""
        return "/tmp"

    def __getattr__(self, name: str) -> NoReturn:
        raise Refused


class _Silent(Stream):
    """Stands for stderr: whoever complains is refused."""

    __slots__ = ()

    def write(self, data: bytes, /) -> NoReturn:
        raise Refused

    def close(self) -> None:
        pass


class _Output(Stream):
    """Gathers the output; whoever writes much is refused."""

    __slots__ = ("chunks", "size")

    def __init__(self) -> None:
        super().__init__()
        self.chunks: list[bytes] = []
        self.size = 0

    def write(self, data: bytes, /) -> None:
        self.size += len(data)
        if self.size > _MOST:
            raise Refused
        self.chunks.append(data)


def _start(*given: Any, **named: Any) -> NoReturn:
    raise Refused


_FILES = cast("FileSystem", _Nothing())
_STDERR = _Silent()


def make_filter(command: Utility, words: Sequence[str], shared: bool) -> Direct:
    """Return the direct way of a filter (``utility(…, filters=True)``): its own ``run``; Refused where that asks for more.

    ``shared``: the input is the shell's own, which others read after this call.
    """
    argv = [command.name, *words]

    def run(data: bytes, surroundings: Surroundings) -> tuple[int, bytes] | None:
        if len(data) > _MOST:
            return None
        stdin, stdout = BytesReader(data), _Output()
        call = Call(
            argv,
            env=surroundings.env,
            cwd=surroundings.cwd,
            fs=_FILES,
            stdin=stdin.retain(),
            stdout=stdout.retain(),
            stderr=_STDERR,
            scope=surroundings.scope,
            limits=surroundings.limits,
            start=cast(Start, _start),
        )
        status = execute(command, call)
        if shared and stdin.peek():
            return None  # the rest is somebody else's
        return status, b"".join(stdout.chunks)

    return run
