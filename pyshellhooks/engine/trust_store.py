"""Where trust in projects is kept: in the user's own directory, one record for each project, and the contents as trusted.

``projects/<sha256 of the real path>.json`` and ``contents/<sha256>``. A record is written whole, behind the contents that
it names; contents never change. So nobody needs a lock, and the last writer wins. A record that is there and can't be read
is never taken for "nothing was trusted".
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from io import BufferedReader
from typing import Any

from .. import host
from ..errors import PyShellHooksError
from ..text import encode
from .named_scripts import open_regular, read_disk
from .surroundings import home_directory

VERSION = 1
CONFIG, SCRIPT = "config", "script"
LARGEST = 1 << 24  # bytes of a record
WORKTREE = "."


class UnreadableRecord(PyShellHooksError):
    """A project's record is there and can't be read: what it guarded is not known."""

    def __init__(self, file: str, why: str) -> None:
        super().__init__(f"{file}: {why}")
        self.file = file
        self.why = why


class TrustedFile:
    """What a record says of one file, by its path in the project.

    ``hashes`` has every content ever trusted, the newest last. ``present`` is whether the file was there when ``trust``
    ran last. ``events``: dialect -> the native events of hooks that stand in it, or that name it.
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
        """Trust one more content, with its events: those of the contents before stay guarded."""
        self.hashes = [*(one for one in self.hashes if one != hash), hash]
        self.present = True
        for dialect, names in events.items():
            self.events[dialect] = sorted({*self.events.get(dialect, ()), *names})

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "hashes": self.hashes, "present": self.present, "events": self.events}


class Record:
    """What is trusted in one project. ``revoked``: nothing is, whatever its content.

    ``directories``: where in the project ``trust`` was run; ``WORKTREE`` among them where it is a worktree.
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
        """Say whether a content was ever trusted under a path of the project."""
        file = self.files.get(path)
        return not self.revoked and file is not None and hash in file.hashes

    def text(self) -> bytes:
        """Write it."""
        files = {path: file.as_json() for path, file in sorted(self.files.items())}
        record = {
            "version": VERSION, "project": self.project, "revoked": self.revoked, "directories": self.directories, "files": files,
        }  # fmt: skip
        return (json.dumps(record, indent=1) + "\n").encode("ascii")

    @classmethod
    def read(cls, data: bytes) -> Record:
        """Read one. Raises ``ValueError`` for what is none."""
        table = json.loads(data)
        if not isinstance(table, dict) or not isinstance(table.get("version"), int):
            raise ValueError("it is no record of trust")
        if table["version"] != VERSION:
            raise ValueError(f"it was written by another version of pyshellhooks (form {table['version']})")
        files = {path: _file(one) for path, one in table["files"].items()}
        texts = [table["project"], *table["directories"]]
        if not all(isinstance(one, str) for one in texts) or not isinstance(table["revoked"], bool):
            raise ValueError("it is no record of trust")
        return cls(table["project"], files, revoked=table["revoked"], directories=table["directories"])


def _file(one: Mapping[str, Any]) -> TrustedFile:
    kind, hashes, events, present = one["kind"], one["hashes"], one["events"], one["present"]
    texts = [*hashes, *events, *(name for names in events.values() for name in names)]
    if kind not in (CONFIG, SCRIPT) or not isinstance(present, bool) or not all(isinstance(one, str) for one in texts):
        raise ValueError("it is no record of trust")
    return TrustedFile(kind, hashes, events, present=present)


def hash_of(data: bytes) -> str:
    """Return the name of a content."""
    from hashlib import sha256  # 3 ms, which an engine without a store does not pay

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
    """The records of one user. Reads on demand; keeps nothing."""

    __slots__ = ("directory",)

    def __init__(self, directory: str) -> None:
        self.directory = directory

    @classmethod
    def of(cls, env: Mapping[str, str]) -> Store:
        """Return the store of the user whom an environment describes."""
        return cls(directory_of(env))

    def file_of(self, project: str) -> str:
        """Return the path of a project's record, by the project's real path."""
        return f"{self.directory}/projects/{hash_of(encode(project))}.json"

    def record(self, project: str) -> Record | None:
        """Return a project's record; None where there never was one. Raises ``UnreadableRecord``."""
        path = self.file_of(project)
        found = self._read(path)
        if found is not None and found.project != project:
            raise UnreadableRecord(path, f"it is about another project, {found.project}")
        return found

    def _read(self, path: str) -> Record | None:
        try:
            with BufferedReader(open_regular(path)) as file:
                if not host.current().is_own(os.fstat(file.fileno()).st_uid, path):
                    raise UnreadableRecord(path, "it belongs to another user")
                data = file.read(LARGEST + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise UnreadableRecord(path, error.strerror or str(error)) from None
        if len(data) > LARGEST:
            raise UnreadableRecord(path, f"it is larger than {LARGEST} bytes")
        try:
            return Record.read(data)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            why = str(error) if type(error) is ValueError else "it is no record of trust"
            raise UnreadableRecord(path, why) from None

    def records(self) -> Iterator[Record]:
        """Yield every record that can be read: what another project's says is only ever a reason to trust more."""
        try:
            names = sorted(os.listdir(f"{self.directory}/projects"))
        except OSError:
            return
        for name in names:
            if name.endswith(".json"):
                try:
                    found = self._read(f"{self.directory}/projects/{name}")
                except UnreadableRecord:
                    continue
                if found is not None and name == f"{hash_of(encode(found.project))}.json":
                    yield found

    def content(self, hash: str) -> bytes | None:
        """Return the bytes of a content as they were trusted; None where they are not there any more."""
        try:
            data = read_disk(f"{self.directory}/contents/{hash}")
        except OSError:
            return None
        return data if hash_of(data) == hash else None

    def write(self, record: Record, contents: Iterable[bytes] = ()) -> None:
        """Keep a project's record, and before it the contents that it names. Raises OSError."""
        for directory in (self.directory, f"{self.directory}/projects", f"{self.directory}/contents"):
            os.makedirs(directory, mode=0o700, exist_ok=True)
        os.chmod(self.directory, 0o700)
        for data in contents:
            path = f"{self.directory}/contents/{hash_of(data)}"
            if self.content(hash_of(data)) is None:
                _write(path, data)
        _write(self.file_of(record.project), record.text())


def _write(path: str, data: bytes) -> None:
    """Put a file in its place whole, and on the disk. Raises OSError."""
    temporary = f"{path}.{os.getpid()}.{os.urandom(4).hex()}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        try:
            os.unlink(temporary)
        except OSError:
            pass
        raise
