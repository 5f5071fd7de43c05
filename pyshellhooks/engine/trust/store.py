"""The user's trust store: one record for each project, and the trusted contents.

``projects/<sha256 of the real path>.json`` and ``contents/<sha256>``. A record is replaced as a whole, after the contents
that it names are written; contents never change. So no lock is needed, and the last writer wins. A record that exists but
can't be read never means "nothing was trusted".
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from io import BufferedReader
from typing import Any

from ... import host
from ...errors import PyShellHooksError, message_of
from ...fs.identity import home_directory
from ...text import encode
from ..scripts.referenced_scripts import open_regular, read_disk

VERSION = 1
CONFIG, SCRIPT = "config", "script"
LARGEST = 1 << 24  # bytes of a record
WORKTREE = "."


class UnreadableRecord(PyShellHooksError):
    """A project's record exists but can't be read, so the events that it guarded are not known."""

    def __init__(self, file: str, message: str) -> None:
        super().__init__(f"{file}: {message}")
        self.file = file
        self.message = message


class TrustedFile:
    """The entry of one file in a record.

    ``hashes`` has every content ever trusted, the newest last. ``present`` is whether the file existed when ``trust``
    ran last. ``events``: dialect -> the native events of the hooks that are defined in it or that name it.
    """

    __slots__ = ("events", "hashes", "kind", "present")

    def __init__(
        self,
        kind: str,
        hashes: Iterable[str] = (),
        events: Mapping[str, Iterable[str]] | None = None,
        *,
        present: bool = True,
    ) -> None:
        self.kind = kind
        self.hashes = list(hashes)
        self.events = {dialect: sorted(set(names)) for dialect, names in (events or {}).items()}
        self.present = present

    def now(self, hash: str, events: Mapping[str, Iterable[str]]) -> None:
        """Trust one more content, and add its events: those of earlier contents stay guarded."""
        self.hashes = [*(one for one in self.hashes if one != hash), hash]
        self.present = True
        for dialect, names in events.items():
            self.events[dialect] = sorted({*self.events.get(dialect, ()), *names})

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "hashes": self.hashes, "present": self.present, "events": self.events}


class Record:
    """The trusted files of one project. ``revoked``: none is trusted, whatever its content.

    ``directories``: those in which ``trust`` was run, by path in the project; with ``WORKTREE`` if it is a worktree.
    """

    __slots__ = ("directories", "files", "project", "revoked")

    def __init__(
        self,
        project: str,
        files: Mapping[str, TrustedFile] | None = None,
        *,
        revoked: bool = False,
        directories: Iterable[str] = (),
    ) -> None:
        self.project = project
        self.directories = sorted(set(directories))
        self.files = dict(files or {})
        self.revoked = revoked

    def knows(self, path: str, hash: str) -> bool:
        """Return whether a content was ever trusted under a path of the project."""
        file = self.files.get(path)
        if self.revoked or file is None:
            return False
        return hash in file.hashes

    def text(self) -> bytes:
        """Render the record as JSON."""
        files = {path: file.as_json() for path, file in sorted(self.files.items())}
        record = {
            "version": VERSION, "project": self.project, "revoked": self.revoked, "directories": self.directories, "files": files,
        }  # fmt: skip
        return (json.dumps(record, indent=1) + "\n").encode("ascii")

    @classmethod
    def read(cls, data: bytes) -> Record:
        """Parse a record. Raises ``ValueError``, ``KeyError``, ``TypeError`` … if it is invalid."""
        table = json.loads(data)
        if not isinstance(table, dict) or not isinstance(table.get("version"), int):
            raise ValueError("it is not a record of trust")
        if table["version"] != VERSION:
            raise ValueError(f"it was written by another version of pyshellhooks (form {table['version']})")
        files = {path: _file(entry) for path, entry in table["files"].items()}
        texts = [table["project"], *table["directories"]]
        if not all(isinstance(text, str) for text in texts) or not isinstance(table["revoked"], bool):
            raise ValueError("it is not a record of trust")
        return cls(table["project"], files, revoked=table["revoked"], directories=table["directories"])


def _file(entry: Mapping[str, Any]) -> TrustedFile:
    kind, hashes, events, present = entry["kind"], entry["hashes"], entry["events"], entry["present"]
    texts = [*hashes, *events]
    for names in events.values():
        texts += names
    is_valid = kind in (CONFIG, SCRIPT) and isinstance(present, bool)
    if not is_valid or not all(isinstance(text, str) for text in texts):
        raise ValueError("it is not a record of trust")
    return TrustedFile(kind, hashes, events, present=present)


def hash_of(data: bytes) -> str:
    """Return the SHA-256 of a content in hexadecimal, which is its name in the store."""
    from hashlib import sha256  # the import takes 3 ms, and an engine without a store does not need it

    return sha256(data).hexdigest()


def directory_of(env: Mapping[str, str]) -> str:
    """Return the directory of the store for a user with this environment."""
    home = home_directory(env).rstrip("/")
    if host.current().windows:
        base = env.get("LOCALAPPDATA", "").replace("\\", "/") or f"{home}/AppData/Local"
    else:
        base = env.get("XDG_DATA_HOME", "")
        if not base.startswith("/"):  # a relative one is to be ignored (XDG Base Directory Specification)
            base = f"{home}/.local/share"
    return f"{base.rstrip('/')}/pyshellhooks/trust"


class Store:
    """The records of one user, read on demand and not cached."""

    __slots__ = ("directory",)

    def __init__(self, directory: str) -> None:
        self.directory = directory

    @classmethod
    def of(cls, env: Mapping[str, str]) -> Store:
        """Return the store of the user whose environment this is."""
        return cls(directory_of(env))

    def file_of(self, project: str) -> str:
        """Return the path of the record of a project, given the project's real path."""
        return f"{self.directory}/projects/{hash_of(encode(project))}.json"

    def record(self, project: str) -> Record | None:
        """Return a project's record; None if it has none. Raises ``UnreadableRecord``."""
        path = self.file_of(project)
        record = self._read(path)
        # A copied record must not trust the files of a project that was never reviewed.
        if record is not None and record.project != project:
            raise UnreadableRecord(path, f"it is about another project, {record.project}")
        return record

    def _read(self, path: str) -> Record | None:
        try:
            with BufferedReader(open_regular(path)) as file:
                if not host.current().is_own(os.fstat(file.fileno()).st_uid, path):
                    raise UnreadableRecord(path, "it belongs to another user")
                data = file.read(LARGEST + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise UnreadableRecord(path, message_of(error)) from None
        if len(data) > LARGEST:
            raise UnreadableRecord(path, f"it is larger than {LARGEST} bytes")
        try:
            return Record.read(data)
        # All that a damaged or crafted record can raise: it is unreadable, which locks, and never missing, which does not.
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            why = str(error) if type(error) is ValueError else "it is not a record of trust"
            raise UnreadableRecord(path, why) from None

    def records(self) -> Iterator[Record]:
        """Yield every readable record and skip the others: another project's record can only add trust."""
        try:
            names = sorted(os.listdir(f"{self.directory}/projects"))
        except OSError:
            return
        for name in names:
            if name.endswith(".json"):
                try:
                    record = self._read(f"{self.directory}/projects/{name}")
                except UnreadableRecord:
                    continue
                if record is not None and name == f"{hash_of(encode(record.project))}.json":
                    yield record

    def content(self, hash: str) -> bytes | None:
        """Return a trusted content by its hash; None if the file is missing, unreadable or changed."""
        try:
            data = read_disk(f"{self.directory}/contents/{hash}")
        except OSError:
            return None
        return data if hash_of(data) == hash else None

    def write(self, record: Record, contents: Iterable[bytes] = ()) -> None:
        """Write the contents, then the record that names them. Raises OSError."""
        for directory in (self.directory, f"{self.directory}/projects", f"{self.directory}/contents"):
            os.makedirs(directory, mode=0o700, exist_ok=True)
        # ``makedirs`` leaves the mode of an existing directory, and a umask takes bits from its own.
        os.chmod(self.directory, 0o700)
        # The contents come first: a record must not name one that a crash kept from the disk.
        for data in contents:
            path = f"{self.directory}/contents/{hash_of(data)}"
            # Also one that is there and damaged is written again.
            if self.content(hash_of(data)) is None:
                _write(path, data)
        _write(self.file_of(record.project), record.text())


def _write(path: str, data: bytes) -> None:
    """Write a file atomically and flush it to the disk. Raises OSError."""
    temporary = f"{path}.{os.getpid()}.{os.urandom(4).hex()}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            # Without it the rename may reach the disk before the data (fsync(2)).
            os.fsync(file.fileno())
        os.replace(temporary, path)
    # An interrupt must not leave the temporary file either.
    except BaseException:
        try:
            os.unlink(temporary)
        except OSError:
            pass
        raise
