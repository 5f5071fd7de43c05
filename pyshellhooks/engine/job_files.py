"""Temporary files of a hook's run: its payload, and one to which it may write variables."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from ..errors import message_of
from ..fs.base import CREATE, EXCLUSIVE, READ, TRUNCATE, WRITE
from ..hooks.model import HookJob, HookRun
from ..notice import Notice

if TYPE_CHECKING:
    from ..fs.base import FileSystem
    from ..streams.base import Stream

LARGEST = 1 << 20  # bytes of variables that are read back
_TRIES = 100


class JobFiles:
    """The files of one job, which exist while its hook runs; ``env``: the job's variables and the one of ``env_file``.

    A file that cannot be written or removed is a notice, never a reason not to run a guard (everruns 4).
    """

    __slots__ = ("_directories", "_env_file", "_fs", "_notices", "_paths", "env")

    def __init__(self, fs: FileSystem, job: HookJob) -> None:
        self._fs = fs
        self._notices: list[Notice] = []
        self._paths: list[str] = []
        self._directories: list[str] = []
        self.env = dict(job.env)
        for path, content in (job.files or {}).items():
            _write(fs, path, content, self._paths, self._directories, self._notices)
        self._env_file = _new_variables_file(fs, self._notices) if job.env_file else ""
        if self._env_file:
            self._paths.append(self._env_file)
            self.env[job.env_file] = self._env_file

    def read_into(self, run: HookRun) -> None:
        """Add the variables that the hook wrote, and the notices about its files, to its run."""
        if self._env_file:
            run.env_text = _read(self._fs, self._env_file)
        run.notices += tuple(self._notices)

    def remove(self) -> None:
        """Remove the files, and the directories that were made for them."""
        for path in self._paths:
            try:
                self._fs.unlink(path)
            except OSError:
                pass  # the hook has removed it
        for path in reversed(self._directories):
            try:
                self._fs.rmdir(path)
            except OSError:
                pass  # it is not empty: other files were added


def _write(
    fs: FileSystem, path: str, content: bytes, made: list[str], directories: list[str], notices: list[Notice]
) -> None:
    try:
        stream = _open(fs, path, directories)
    except OSError as error:
        notices.append(_write_failure(path, error))
        return
    made.append(path)
    try:
        stream.write(content)
    except OSError as error:
        notices.append(_write_failure(path, error))
    finally:
        stream.close()


def _write_failure(path: str, error: OSError) -> Notice:
    message = f"{path} could not be written: {message_of(error)}"
    return Notice(message, "file-failed", hint="give the user of this process write permission")


def _open(fs: FileSystem, path: str, directories: list[str]) -> Stream:
    """Open a new file. Retries, because another hook that ends may remove the directory in between."""
    for _ in range(_TRIES):
        _directory(fs, path.rpartition("/")[0], directories)
        try:
            return fs.open(path, WRITE | CREATE | TRUNCATE, 0o600)
        except OSError as error:
            if error.errno != errno.ENOENT:
                raise
    return fs.open(path, WRITE | CREATE | TRUNCATE, 0o600)


def _directory(fs: FileSystem, path: str, directories: list[str]) -> None:
    if not path:
        return
    try:
        fs.mkdir(path)
    except OSError as error:
        if error.errno == errno.EEXIST:
            return
        if error.errno != errno.ENOENT:
            raise
        _directory(fs, path.rpartition("/")[0], directories)
        fs.mkdir(path)
    directories.append(path)


def _new_variables_file(fs: FileSystem, notices: list[Notice]) -> str:
    """Create an empty file for variables among the temporary files; return its path, ``""`` on failure."""
    problem = ""
    for _ in range(8):
        path = f"{fs.temporary_directory().rstrip('/')}/hook-{os.urandom(8).hex()}.env"
        try:
            fs.open(path, WRITE | CREATE | EXCLUSIVE, 0o600).close()
            return path
        except OSError as error:
            problem = message_of(error)
    message = f"the file for the hook's variables could not be created: {problem}"
    hint = "make sure that the directory for temporary files exists, is writable and has space"
    notices.append(Notice(message, "file-failed", hint=hint))
    return ""


def _read(fs: FileSystem, path: str) -> bytes:
    try:
        stream = fs.open(path, READ)
    except OSError:
        return b""
    found = bytearray()
    try:
        while len(found) < LARGEST:
            data = stream.read(65536)
            if not data:
                break
            found += data
    except OSError:
        pass
    finally:
        stream.close()
    return bytes(found)
