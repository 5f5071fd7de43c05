"""What is added to files that tail follows (``-f``, ``-F``, ``--follow=name``; GNU coreutils 9.1).

It ends with the run, with a reader that has gone, when no file is left, and when a process is gone (``--pid``).
"""

from __future__ import annotations

import errno
import stat

from ...command import Call, reason
from ...streams.base import BytesReader, Stream
from ...streams.capture import Capture
from ...streams.pipe import PipeWriter
from ..head import Headers
from ..support.quoting import name_of, quote_name
from ..support.records import BLOCK

_MESSAGE = 4096  # bytes that kill may say
_INTERVAL = 0.05  # seconds between two looks; GNU's tail is told at once by the kernel


class Followed:
    """A file: its stream, None while it cannot be opened."""

    __slots__ = ("identity", "name", "place", "stream")

    def __init__(self, name: str, stream: Stream | None, identity: tuple[int, int] | None) -> None:
        self.name = name
        self.stream = stream
        self.identity = identity  # device and inode, by which a file is known again
        self.place = _place(stream) if stream is not None else 0

    def close(self) -> None:
        """Let go of the stream."""
        if self.stream is not None:
            self.stream.release()
            self.stream = None


def _place(stream: Stream) -> int:
    """Return where a file is read; -1 for what has no places."""
    try:
        return stream.seek(0, 1)
    except OSError:
        return -1


class Follower:
    """The files of a call. ``by_name``: a file that is replaced is opened anew; ``retry``: one that is not there may come.

    ``pid``: a process of this run, with whose end it ends; of others a run knows nothing (rule 3), they are gone. 0: none.
    """

    def __init__(self, call: Call, *, by_name: bool, retry: bool, pid: int = 0) -> None:
        self._call = call
        self._by_name = by_name
        self._retry = retry
        self._pid = pid
        self._last = ""
        self._files: list[Followed] = []

    def add(self, name: str, stream: Stream) -> None:
        """Follow a file whose last part is printed."""
        self._last = name
        if name == "-" and (_place(stream) < 0 or isinstance(stream, BytesReader)):
            return  # a pipe or a text has been read to its end
        self._files.append(Followed(name, stream.retain(), self._identity(name)))

    def missing(self, name: str, error: OSError) -> None:
        """Wait for a file that cannot be opened, if that is asked for."""
        if error.errno == errno.EISDIR:
            what = "cannot follow end of this type of file"
            self._call.error(f"{name_of(name)}: {what}{'' if self._retry else '; giving up on this name'}")
        if self._retry:
            self._files.append(Followed(name, None, None))

    def _identity(self, name: str) -> tuple[int, int] | None:
        if name == "-":
            return None
        try:
            found = self._call.fs.stat(self._call.path(name))
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def run(self, headers: Headers) -> None:
        """Print what comes, until nothing can."""
        call = self._call
        try:
            while any(file.stream is not None or self._retry for file in self._files):
                gone = self._pid != 0 and not self._is_alive()  # asked first: what it wrote last is printed
                for file in self._files:
                    if file.stream is None or (self._by_name and file.name != "-"):
                        self._look(file)
                    if file.stream is not None:
                        self._copy(file, file.stream, headers)
                call.out.flush()
                out = call.stdout
                if isinstance(out, PipeWriter) and not out.pipe.reader_open:
                    raise BrokenPipeError(errno.EPIPE, "Broken pipe")
                if gone:
                    return
                call.sleep(_INTERVAL)
        finally:
            for file in self._files:
                file.close()

    def _is_alive(self) -> bool:
        """Ask ``kill`` for the process: it knows those of the run."""
        unheard = Capture(_MESSAGE).retain()
        try:
            return self._call.start(["kill", "-0", str(self._pid)], stderr=unheard).wait() == 0
        finally:
            unheard.release()

    def _copy(self, file: Followed, stream: Stream, headers: Headers) -> None:
        call = self._call
        if file.place >= 0:
            if stream.seek(0, 2) < file.place:
                call.error(f"{name_of(file.name)}: file truncated")
                file.place = 0
            stream.seek(file.place)
        while chunk := stream.read(BLOCK):
            call.check()
            if self._last != file.name:
                self._last = file.name
                headers.write(call, file.name)
            call.out.write(chunk)
            file.place += len(chunk) if file.place >= 0 else 0

    def _look(self, file: Followed) -> None:
        """Open a file anew that now has its name."""
        call, shown = self._call, quote_name(file.name)
        try:
            found = call.fs.stat(call.path(file.name))
            if (found.st_dev, found.st_ino) == file.identity and file.stream is not None:
                return
            if not stat.S_ISREG(found.st_mode):
                return
            stream = call.open(file.name).retain()
        except OSError as error:
            if file.stream is not None:
                call.error(f"{shown} has become inaccessible: {reason(error)}")
                file.close()
            return
        had = file.stream is not None
        call.error(f"{shown} has {'been replaced' if had else 'appeared'};  following new file")
        file.close()
        file.stream, file.identity, file.place = stream, (found.st_dev, found.st_ino), 0
