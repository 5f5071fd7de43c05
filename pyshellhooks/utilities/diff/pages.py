"""Output through ``pr`` (``-l``; diffutils manual 6.2), a program on the run's PATH, as for GNU diff."""

from __future__ import annotations

from types import TracebackType

from ...command import Call
from ...errors import UsageError
from ...streams.base import BytesReader
from ..support.lines import check_buffer_size

_PROGRAM = "pr"


class Pages:
    """The output for two files, which is passed to ``pr`` with a header at the end, unless it is empty."""

    def __init__(self, call: Call, header: str) -> None:
        self._call = call
        self._header = header
        self._parts: list[bytes] = []
        self._size = 0

    def __enter__(self) -> Pages:
        return self

    def write(self, data: bytes) -> None:
        """Add a part of the output; raise ``Stop`` if it exceeds a sixteenth of ``Limits.memory``."""
        self._size += len(data)
        check_buffer_size(self._call, self._size)
        self._parts.append(data)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and self._parts:
            self._print(b"".join(self._parts))

    def _print(self, data: bytes) -> None:
        stdin = BytesReader(data).retain()
        self._call.out.flush()
        try:
            status = self._call.start([_PROGRAM, "-h", self._header], stdin=stdin).wait()
        except FileNotFoundError:
            status = 127
        finally:
            stdin.release()
        if status:
            what = {126: "could not be invoked", 127: "not found"}.get(status, f"failed (exit status {status})")
            raise UsageError(f"subsidiary program '{_PROGRAM}' {what}", 2, hint=False)
