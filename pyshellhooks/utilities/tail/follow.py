"""Following of files: output of appended text (``-f``, ``-F``, ``--follow=name``; GNU coreutils 9.1).

It ends with the run, when its reader closes the pipe, when no file remains, or when a process ends (``--pid``).
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

_MESSAGE = 4096  # the most bytes of kill's messages
_INTERVAL = 0.05  # seconds between two polls; the kernel notifies GNU's tail at once


class Followed:
    """A followed file. Its stream is None while the file cannot be opened."""

    __slots__ = ("identity", "name", "place", "stream")

    def __init__(self, name: str, stream: Stream | None, identity: tuple[int, int] | None) -> None:
        self.name = name
        self.stream = stream
        self.identity = identity  # device and inode, to detect a replacement
        self.place = _place(stream) if stream is not None else 0

    def close(self) -> None:
        """Release the stream."""
        if self.stream is not None:
            self.stream.release()
            self.stream = None


def _place(stream: Stream) -> int:
    """Return the offset of a stream, or -1 if it cannot seek."""
    try:
        return stream.seek(0, 1)
    except OSError:
        return -1


class Follower:
    """The files of a call. ``by_name``: reopen a replaced file; ``retry``: wait for a missing file.

    ``pid``: a process of this run, whose end ends the call, or 0. Other processes count as ended, as a run cannot see
    them (rule 3).
    """

    def __init__(self, call: Call, *, by_name: bool, retry: bool, pid: int = 0) -> None:
        self._call = call
        self._by_name = by_name
        self._retry = retry
        self._pid = pid
        self._last = ""
        self._files: list[Followed] = []

    def add(self, name: str, stream: Stream) -> None:
        """Follow a file whose last part has been printed."""
        self._last = name
        if name == "-":
            is_complete = _place(stream) < 0 or isinstance(stream, BytesReader)
            if is_complete:
                return  # a pipe or a text has been read to its end
        self._files.append(Followed(name, stream.retain(), self._identity(name)))

    def wait_for_missing(self, name: str, error: OSError) -> None:
        """Wait for a file that cannot be opened, if the call retries."""
        if error.errno == errno.EISDIR:
            what = "cannot follow end of this type of file"
            if not self._retry:
                what += "; giving up on this name"
            self._call.error(f"{name_of(name)}: {what}")
        if self._retry:
            self._files.append(Followed(name, None, None))

    def _identity(self, name: str) -> tuple[int, int] | None:
        if name == "-":
            return None
        try:
            file_status = self._call.fs.stat(self._call.path(name))
        except OSError:
            return None
        return file_status.st_dev, file_status.st_ino

    def run(self, headers: Headers) -> None:
        """Print appended text until no more can come."""
        call = self._call
        try:
            while any(file.stream is not None or self._retry for file in self._files):
                gone = self._pid != 0 and not self._is_alive()  # checked first: its last output is printed
                for file in self._files:
                    may_be_replaced = self._by_name and file.name != "-"
                    if file.stream is None or may_be_replaced:
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
        """Return whether the process is alive, by ``kill -0``, which sees the processes of the run."""
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
            if file.place >= 0:
                file.place += len(chunk)

    def _look(self, file: Followed) -> None:
        """Open the file that has this name now, if it is another one."""
        call, shown = self._call, quote_name(file.name)
        try:
            file_status = call.fs.stat(call.path(file.name))
            if (file_status.st_dev, file_status.st_ino) == file.identity and file.stream is not None:
                return
            if not stat.S_ISREG(file_status.st_mode):
                return
            stream = call.open(file.name).retain()
        except OSError as error:
            if file.stream is not None:
                call.error(f"{shown} has become inaccessible: {reason(error)}")
                file.close()
            return
        had = file.stream is not None
        if had:
            event = "been replaced"
        else:
            event = "appeared"
        call.error(f"{shown} has {event};  following new file")
        file.close()
        file.stream, file.identity, file.place = stream, (file_status.st_dev, file_status.st_ino), 0
