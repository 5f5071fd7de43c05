"""Atomic writes of files, and the file with the original hooks of the settings."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import NamedTuple

from ...errors import message_of
from .targets import Refused, Target

VERSION = 1


class Undo(NamedTuple):
    """The data of ``--uninstall``: the text of ``hooks`` before and after, and the text of the file of hooks."""

    removed: str
    written: str
    ours: str

    def data(self, target: Target) -> bytes:
        """Return the content of the undo file."""
        table = {
            "about": f"pyshellhooks serve --uninstall {target.dialect.name} restores these hooks",
            "version": VERSION,
            **self._asdict(),
        }
        return (json.dumps(table, indent=1) + "\n").encode("ascii")


def read_undo(target: Target) -> Undo | None:
    """Return the data of the undo file, or None if it does not exist. Raises ``Refused`` if it is invalid."""
    data = read(target.undo)
    if data is None:
        return None
    try:
        table = json.loads(data)
        if table["version"] != VERSION:
            raise Refused(
                f"{target.undo}: written by another version of pyshellhooks (format {table['version']}); uninstall with that version"
            )
        undo = Undo(table["removed"], table["written"], table["ours"])
        if not all(isinstance(text, str) for text in undo):
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Refused(f"{target.undo}: invalid content; restore the file as `serve --install` wrote it") from None
    return undo


def read(path: str) -> bytes | None:
    """Return a file's bytes, or None if it does not exist. Raises ``Refused``."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Refused(f"{path}: {message_of(error)}") from None


def put(path: str, data: bytes, like: str) -> None:
    """Write a file atomically and durably, with the mode and owner of the file ``like``. Raises ``OSError``."""
    model = os.stat(like)
    temporary = f"{path}.{os.getpid()}.{os.urandom(4).hex()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            _copy_owner(model, temporary)
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    _sync(os.path.dirname(path))


def _copy_owner(model: os.stat_result, path: str) -> None:
    if hasattr(os, "chown"):
        mine = os.stat(path)
        if (mine.st_uid, mine.st_gid) != (model.st_uid, model.st_gid):
            os.chown(path, model.st_uid, model.st_gid)
    os.chmod(path, model.st_mode & 0o7777)


def _sync(directory: str) -> None:
    """Make a rename durable, on systems where directories can be opened."""
    try:
        descriptor = os.open(directory, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)


def remove(path: str) -> None:
    """Remove a file if it exists. Raises ``OSError``."""
    with suppress(FileNotFoundError):
        os.unlink(path)
