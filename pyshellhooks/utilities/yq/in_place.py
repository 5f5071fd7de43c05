"""In-place editing (``-i``): the result is written to a temporary file, which replaces the original on success.

A file is not changed if the filter fails or gives no result, or if writing fails. As in GNU's ``sed -i``, only regular
files can be edited. A link stays a link, and the mode is kept.
"""

from __future__ import annotations

import os
import stat

from ...command import Call, reason
from ..jq.inputs import read_file
from ..support.beside import create_beside
from .failures import Failure

_PIECE = 1 << 16


class Edited:
    """A file to edit."""

    __slots__ = ("_call", "_mode", "_path", "data", "name")

    def __init__(self, call: Call, name: str) -> None:
        self.name = name
        self._call = call
        fs = call.fs
        try:
            path = call.path(name)
            file_status = fs.stat(path)
            if not stat.S_ISREG(file_status.st_mode):
                raise Failure(f"couldn't edit {name}: not a regular file")
            call.open(name, os.O_WRONLY).release()  # a file without write permission must not be replaced either
            self._path = fs.realpath(path)
            self._mode = stat.S_IMODE(file_status.st_mode)
            self.data = read_file(call, name, "yq")
        except OSError as error:
            raise Failure(f"couldn't edit {name}: {reason(error)}") from None

    def replace(self, data: bytes) -> None:
        """Replace the file's contents."""
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
        temporary, stream = create_beside(call, self._path, "yq")
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
