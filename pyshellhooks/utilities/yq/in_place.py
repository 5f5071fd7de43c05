"""Files that are edited in place (``-i``): written aside, and put in place when all went well.

A file is left as it is where the filter fails, gives nothing, or could not be written. What GNU's ``sed -i`` refuses is refused:
all but regular files. A link stays a link, and the mode stays.
"""

from __future__ import annotations

import os
import stat

from ...command import Call, reason
from ...errors import Stop
from .failures import Failure

_PIECE = 1 << 16
_TRIES = 10_000


class Edited:
    """One file that is edited."""

    __slots__ = ("_call", "_mode", "_path", "data", "name")

    def __init__(self, call: Call, name: str) -> None:
        self.name = name
        self._call = call
        fs = call.fs
        try:
            path = call.path(name)
            found = fs.stat(path)
            if not stat.S_ISREG(found.st_mode):
                raise Failure(f"couldn't edit {name}: not a regular file")
            call.open(name, os.O_WRONLY).release()  # a file that may not be written is not replaced either
            self._path = fs.realpath(path)
            self._mode = stat.S_IMODE(found.st_mode)
            self.data = self._read()
        except OSError as error:
            raise Failure(f"couldn't edit {name}: {reason(error)}") from None

    def _read(self) -> bytes:
        call = self._call
        stream = call.open(self.name)
        chunks: list[bytes] = []
        size = 0
        try:
            while chunk := stream.read(_PIECE):
                call.check()
                size += len(chunk)
                if size > call.limits.string:
                    raise Stop("limit", f"yq: {self.name} is larger than {call.limits.string} bytes", "string")
                chunks.append(chunk)
        finally:
            stream.release()
        return b"".join(chunks)

    def replace(self, data: bytes) -> None:
        """Put new contents in place."""
        fs = self._call.fs
        try:
            temporary = self._write_beside(data)
            try:
                fs.chmod(temporary, self._mode)
                fs.rename(temporary, self._path)
            except BaseException:
                fs.unlink(temporary)
                raise
        except OSError as error:
            raise Failure(f"couldn't edit {self.name}: {reason(error)}") from None

    def _write_beside(self, data: bytes) -> str:
        call = self._call
        directory = self._path.rpartition("/")[0]
        for _ in range(_TRIES):
            temporary = f"{directory}/yq{os.urandom(4).hex()}"
            try:
                stream = call.fs.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600).retain()
            except FileExistsError:
                continue
            try:
                for at in range(0, len(data), _PIECE):
                    call.check()
                    stream.write(data[at : at + _PIECE])
            except BaseException:
                stream.release()
                call.fs.unlink(temporary)
                raise
            stream.release()
            return temporary
        raise FileExistsError
