"""Direct calls of filters: utilities that only read standard input and write standard output, run on a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn, cast

from ..streams.base import BytesReader, Stream
from .call import Call, Start
from .direct import Direct, DirectContext
from .utility import Utility, execute

if TYPE_CHECKING:
    from ..fs.base import FileSystem

# Bytes of input and of output. A pipe holds no more before it must be read; a larger output may never end; and a run
# that is given up should have cost little.
_MOST = 65536


class Refused(Exception):
    """The call used more than its input, or its output was too large; it will probably do so again."""


class _Nothing:
    """Replaces the file system. Any use raises ``Refused``."""

    def temporary_directory(self) -> str:
        """Return a directory for temporary files; creating one raises ``Refused``."""
        return "/tmp"

    def __getattr__(self, name: str) -> NoReturn:
        raise Refused


class _Silent(Stream):
    """Replaces stderr. Any message raises ``Refused``."""

    __slots__ = ()

    def write(self, data: bytes, /) -> NoReturn:
        raise Refused

    def close(self) -> None:
        pass


class _Output(Stream):
    """Collects the output. Too much raises ``Refused``."""

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


def _start(*arguments: Any, **named: Any) -> NoReturn:
    raise Refused


_FILES = cast("FileSystem", _Nothing())
_STDERR = _Silent()


def make_filter(command: Utility, words: Sequence[str], shared: bool) -> Direct:
    """Return the direct call of a filter (``utility(…, filters=True)``).

    It calls ``run`` and raises ``Refused`` if that needs more than its input.

    ``shared``: the input is the shell's own, from which later commands read.
    """
    argv = [command.name, *words]

    def run(data: bytes, context: DirectContext) -> tuple[int, bytes] | None:
        if len(data) > _MOST:
            return None
        stdin, stdout = BytesReader(data), _Output()
        call = Call(
            argv,
            env=context.env,
            cwd=context.cwd,
            fs=_FILES,
            stdin=stdin.retain(),
            stdout=stdout.retain(),
            stderr=_STDERR,
            scope=context.scope,
            limits=context.limits,
            start=cast(Start, _start),
        )
        status = execute(command, call)
        if shared and stdin.peek():
            return None  # the rest belongs to a later command
        return status, b"".join(stdout.chunks)

    return run
