"""Temporary files in place of ``/dev/fd/N``, for native programs that inherit no descriptor above 2 (Windows).

``python x.py <(echo deny)`` thus reads a file with the whole output. A file for ``>( )`` is passed on when the program has
ended.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..fs.base import CREATE, EXCLUSIVE, READ, WRITE
from ..regexes import lazy_pattern
from ..state.context import ExecutionContext as Ctx
from ..streams.capture import Capture
from ..streams.pipe import PipeWriter

if TYPE_CHECKING:
    from ..streams.base import Stream

_DESCRIPTOR = lazy_pattern(r"(.*=)?(?:/dev/fd/([0-9]{1,4})|/dev/stdin)")


def needs_files(ctx: Ctx, argv: Sequence[str]) -> bool:
    """Return whether a native program of this host can't open a descriptor that its arguments name."""
    return not ctx.run.host.extra_fds and ctx.run.spawn and any(map(_DESCRIPTOR.fullmatch, argv[1:]))


def run_with_files(ctx: Ctx, argv: Sequence[str], run: Callable[[list[str]], int]) -> int:
    """Call ``run`` with the arguments after each descriptor in them was replaced by a file; return its outcome."""
    words = list(argv)
    written: dict[str, Stream] = {}
    paths: list[str] = []
    try:
        for place, word in enumerate(argv[1:], 1):
            named = _DESCRIPTOR.fullmatch(word)
            if named is None:
                continue
            stream = ctx.fds.entries.get(int(named[2] or 0))
            path = f"{ctx.run.host.temporary_directory()}/fd-{os.urandom(8).hex()}"
            native = ctx.fs.host_path(path)
            if stream is None or native is None:
                continue
            paths.append(path)
            if isinstance(stream, PipeWriter):
                written[path] = stream
            _write(ctx, path, b"" if path in written else _content(ctx, stream))
            words[place] = (named[1] or "") + native
        outcome = run(words)
        for path, stream in written.items():
            stream.write(_content(ctx, ctx.fs.open(path, READ)))
        return outcome
    finally:
        for path in paths:
            try:
                ctx.fs.unlink(path)
            except OSError:  # the program has removed it, or a process that it left running has it open
                pass


def _content(ctx: Ctx, stream: Stream) -> bytes:
    """Read a stream to its end, up to the limit of ``$( )``."""
    content = Capture(ctx.limits.substitution, "the input of a native program", "substitution")
    stream.retain()
    try:
        while data := stream.read(65536):
            content.write(data)
            ctx.task.check()
    finally:
        stream.release()
    return content.getvalue()


def _write(ctx: Ctx, path: str, content: bytes) -> None:
    file = ctx.fs.open(path, WRITE | CREATE | EXCLUSIVE, 0o600).retain()
    try:
        file.write(content)
    finally:
        file.release()
