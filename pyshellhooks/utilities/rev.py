"""rev: reverse the characters of each line (util-linux 2.38.1)."""

from __future__ import annotations

from ..command import Call, Flag, utility
from ..command.call import reason
from ..patterns.charclass import is_utf8
from ..streams.base import Stream
from .support.records import Inputs, records


class _Files(Inputs):
    __slots__ = ()

    def open(self, name: str) -> Stream:
        """Open an input. For an operand ``-`` is an ordinary file name."""
        if self.call.args:
            return self.call.open(name)
        return self.call.open_input(name)

    def report(self, name: str, error: OSError) -> None:
        if isinstance(error, IsADirectoryError):
            self.call.error(f"{name}: 0: {reason(error)}")
        else:
            self.call.error(f"cannot open {name}: {reason(error)}")
        self.failed = True


def _reverse(call: Call, name: str, stream: Stream, wide: bool) -> bool:
    """Reverse the lines of one input. Invalid UTF-8 ends it with an error, as it does in util-linux's rev."""
    write = call.out.write
    for number, line in enumerate(records(call, stream)):
        text = line.removesuffix(b"\n")
        end = line[len(text) :]
        if not wide or text.isascii():
            write(text[::-1] + end)
            continue
        try:
            write(text.decode("utf-8")[::-1].encode() + end)
        except UnicodeDecodeError:
            shown = "stdin" if name == "-" else name
            # util-linux counts the lines from 0 here.
            call.error(f"{shown}: {number}: Invalid or incomplete multibyte or wide character")
            return False
    return True


@utility(
    "rev",
    paths=True,
    summary="Reverse lines characterwise.",
    usage="[options] [file ...]",
    flags=[
        Flag("-h", dest="help", help="display this help"),
        Flag("-V", "--version", help="display version"),
    ],
    filters=True,
)
def rev(call: Call) -> int:
    if call.opts.version:
        call.out.write(b"rev (pyshellhooks, as util-linux) 2.38.1\n")
        return 0
    inputs = _Files(call, call.args)
    for name, stream in inputs:
        if not _reverse(call, name, stream, is_utf8(call.env)):
            inputs.failed = True
    return int(inputs.failed)
