"""tee: copy standard input to files and standard output (POSIX XCU tee)."""

from __future__ import annotations

import os

from ..command import Call, Flag, utility
from ..streams.base import Stream
from ..text import paced
from .support.kinds import Choice
from .support.quoting import report
from .support.records import blocks

_MODE = Choice("warn", "warn-nopipe", "exit", "exit-nopipe")


@utility(
    "tee",
    paths=True,
    summary="Copy standard input to each FILE, and also to standard output.",
    version="GNU coreutils 9.1",
    usage="[OPTION]... [FILE]...",
    flags=[
        Flag("-a", "--append", help="append to the given FILEs, do not overwrite"),
        Flag("-i", "--ignore-interrupts", help="(ignored: no signal ends a utility)"),
        Flag("-p", help="continue when writing to a pipe fails"),
        Flag("--output-error", value="MODE", optional=True, kind=_MODE, help="set behavior on write error"),
    ],
)
def tee(call: Call) -> int:
    mode = os.O_WRONLY | os.O_CREAT
    mode |= os.O_APPEND if call.opts.append else os.O_TRUNC
    # Either option keeps tee alive when a reader of a pipe has gone.
    last = call.opts.last_of("p", "output_error")
    tolerant = last is not None
    how = call.opts.value("output_error") if last == "output_error" else ""
    outputs: list[tuple[str, Stream]] = []
    status = 0
    try:
        for name in paced(call.args):
            try:
                outputs.append((name, call.open(name, mode)))
            except OSError as error:
                report(call, name, error)
                status = 1
                if how.startswith("exit"):
                    return 1
        targets = [("standard output", call.stdout), *outputs]
        for chunk in blocks(call, call.stdin):
            for target in tuple(targets):
                try:
                    target[1].write(chunk)
                except BrokenPipeError:
                    if not tolerant:
                        raise
                    targets.remove(target)
                except OSError as error:
                    report(call, target[0], error)
                    if how.startswith("exit"):
                        return 1
                    targets.remove(target)
                    status = 1
            if not targets:
                break
    finally:
        for _, stream in outputs:
            stream.release()
    return status
