"""Files that are written beside another file and replace it once they are complete."""

from __future__ import annotations

import errno
import os

from ...command.call import Call
from ...streams.base import Stream

_TRIES = 10_000


def create_beside(call: Call, path: str, prefix: str) -> tuple[str, Stream]:
    """Create a file in the directory of a path, with a new name that begins with ``prefix``, for its owner only.

    Return its path and its stream. Raise ``OSError`` with the attempted path as its ``filename``.
    """
    directory = path.rpartition("/")[0]
    name = ""
    for _ in range(_TRIES):
        call.check()
        name = f"{directory}/{prefix}{os.urandom(3).hex()}"
        try:
            return name, call.fs.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600).retain()
        except FileExistsError:
            continue
        except OSError as error:
            error.filename = name
            raise
    raise FileExistsError(errno.EEXIST, "File exists", name)
