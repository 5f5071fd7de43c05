"""``-i inplace``: a file's content is replaced by the output that is printed while it is read (gawk manual 17.7.4).

The output goes to a temporary file that is renamed at the end: until then, and after an error, the old file is intact.
"""

from __future__ import annotations

import stat
from contextlib import suppress

from ...command import reason
from ...errors import Stop
from ...streams.base import Stream
from ...text import decode
from ..support.beside import create_beside
from .runtime import Runtime
from .values import AwkError


class InPlace:
    """The file that is being edited, if there is one."""

    __slots__ = ("_aside", "_path", "_runtime", "_stdout")

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._path = self._aside = ""
        self._stdout: Stream | None = None  # while a file is edited

    def begin(self, name: str) -> None:
        """Finish the previous file and begin the next; a file that is not regular is not edited."""
        self.finish()
        runtime = self._runtime
        call = runtime.call
        if name in ("-", "/dev/stdin"):
            call.error(f"warning: inplace::begin: disabling in-place editing for invalid FILENAME `{name}'")
            return
        path = call.path(name)
        try:
            facts = call.fs.stat(path)
        except OSError as error:
            call.error(f"warning: inplace::begin: Cannot stat `{name}' ({reason(error)})")
            return
        if not stat.S_ISREG(facts.st_mode):
            call.error(f"warning: inplace::begin: `{name}' is not a regular file")
            return
        try:
            self._aside, stream = create_beside(call, path, "gawk.")
        except OSError as error:
            raise AwkError(f"inplace::begin: cannot write beside `{name}': {reason(error)}") from None
        self._path = path
        call.fs.chmod(self._aside, stat.S_IMODE(facts.st_mode))
        call.out.flush()
        self._stdout, call.out.stream = call.out.stream, stream
        runtime.channels.stdout = stream

    def finish(self) -> None:
        """Replace the file by the printed output; keep the old file as a backup if the program sets a suffix."""
        if self._stdout is None:
            return
        try:
            self._runtime.call.out.flush()
        except OSError as error:
            self.abandon()
            raise AwkError(f"inplace::end: cannot write `{self._path}': {reason(error)}") from None
        self._restore()
        call = self._runtime.call
        suffix = self._suffix()
        try:
            if suffix:
                backup = self._path + suffix
                with suppress(FileNotFoundError):
                    call.fs.unlink(backup)
                call.fs.link(self._path, backup)
            call.fs.rename(self._aside, self._path)
        except OSError as error:
            with suppress(OSError):
                call.fs.unlink(self._aside)
            raise AwkError(f"inplace::end: cannot put `{self._path}' in place: {reason(error)}") from None

    def abandon(self) -> None:
        """Discard the output and leave the file unchanged."""
        if self._stdout is not None:
            with suppress(OSError, Stop):
                self._runtime.call.out.flush()  # buffered output belongs to the file, not to stdout
            self._restore()
            with suppress(OSError, Stop):
                self._runtime.call.fs.unlink(self._aside)

    def _suffix(self) -> str:
        runtime = self._runtime
        place = runtime.names.get("INPLACE_SUFFIX")
        if place is None:
            return ""
        return decode(runtime.convert(runtime.slots[place]))

    def _restore(self) -> None:
        out = self._runtime.call.out
        assert self._stdout is not None
        out.stream.release()
        out.stream, self._stdout = self._stdout, None
        self._runtime.channels.stdout = None
