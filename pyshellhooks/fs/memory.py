"""``MemoryFS``: a file system in memory, which never writes to the disk."""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from time import time_ns

from ..errors import Stop
from ..forks import renewed_after_fork
from ..streams.base import Stream
from ..text import encode
from .base import (
    APPEND,
    CREATE,
    EXCLUSIVE,
    TOP,
    TRUNCATE,
    Entry,
    FileSystem,
    Root,
    Saved,
    Stat,
    failure,
    one_more_link,
    parent_of,
    without_slash,
)
from .change import Change, Original, of_kind
from .nodes import DEVICES, MemoryFile, Node, kind_of, load_tree, save_tree
from .proc_fd import OwnDescriptor, backwards, further, must_not_be_own

OWNER = 1000  # not root, for whom permissions would not count
NAME_MAX = 255  # bytes, as in ext4
PATH_MAX = 4096  # bytes with the NUL at the end, as in Linux

_ACCESS = {os.O_RDONLY: os.R_OK, os.O_WRONLY: os.W_OK, os.O_RDWR: os.R_OK | os.W_OK}
_volumes = count(1)
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


class ResolvedPath:
    """A resolved path: ``chain`` of (name, directory) from the root to the parent, ``name`` in it, and its node.

    ``node`` is None if the last part does not exist. ``slash``: the path ends with a slash, so it must be a directory.
    """

    __slots__ = ("chain", "name", "node", "slash")

    def __init__(self, chain: list[tuple[str, Node]], name: str, node: Node | None, slash: bool) -> None:
        self.chain = chain
        self.name = name
        self.node = node
        self.slash = slash

    @property
    def parent(self) -> Node:
        return self.chain[-1][1]

    def path(self) -> str:
        """Return the path without links, ``.`` and ``..``."""
        return "/".join([name for name, _ in self.chain] + [self.name]) or "/"


class MemoryFS(FileSystem):
    """Files in memory, with POSIX's rules, for one user who is not root and owns all files.

    ``files`` maps absolute paths to contents (bytes, or str in UTF-8); a path that ends in ``/`` is a directory;
    parents are created. ``/tmp`` and ``/dev`` exist. More than ``max_bytes`` of content or ``max_entries`` names raise
    ``Stop``, which ends the run (rule 1).
    """

    kind = "memory"

    __slots__ = (
        "__weakref__",
        "_count",
        "_originals",
        "_next",
        "_root",
        "_used",
        "_volume",
        "lock",
        "max_bytes",
        "max_entries",
    )

    def __init__(
        self,
        files: Mapping[str, bytes | str] | None = None,
        *,
        max_bytes: int = 256 * 1024 * 1024,
        max_entries: int = 100_000,
    ) -> None:
        self._start(max_bytes, max_entries)
        self._root = self._new(stat.S_IFDIR | 0o755)
        self.mkdir("/tmp", 0o1777)
        self.mkdir("/dev", 0o755)
        for name in DEVICES:
            place = self._walk(f"/dev/{name}")
            self._enter(place, self._new(stat.S_IFCHR | 0o666, device=name))
        self._originals: dict[str, Original] = {path: Original(0o040000, b"") for path in ("/", "/tmp", "/dev")}
        for path, content in (files or {}).items():
            self._put(path, content)

    def _start(self, max_bytes: int, max_entries: int) -> None:
        self.renew_locks()
        renewed_after_fork(self)
        self._volume = next(_volumes)
        self.max_bytes = max_bytes
        self.max_entries = max_entries
        self._used = 0
        self._count = 0
        self._next = 1

    def renew_locks(self) -> None:
        """See ``forks``."""
        self.lock = threading.RLock()

    def _put(self, path: str, content: bytes | str) -> None:
        parts = [part for part in path.split("/") if part]
        for end in range(1, len(parts) + path.endswith("/")):
            parent = "/" + "/".join(parts[:end])
            if not self.exists(parent):
                self.mkdir(parent)
            self._originals[parent] = Original(0o040777, b"")
        if not path.endswith("/"):
            data = content if isinstance(content, bytes) else encode(content)
            stream = self.open(path, os.O_WRONLY | CREATE | TRUNCATE, 0o644)
            stream.write(data)
            stream.close()
            self._originals["/" + "/".join(parts)] = Original(0o100644, data)

    # --- nodes -------------------------------------------------------------------------------------------------

    def _new(self, mode: int, *, target: str = "", device: str = "") -> Node:
        number = self._next
        self._next = number + 1
        return Node(mode, number, self._volume, OWNER, target=target, device=device)

    def charge(self, size: int) -> None:
        """Count new bytes of content. Raises ``Stop`` beyond ``max_bytes``."""
        self._used += size
        if self._used > self.max_bytes:
            self._used -= size
            raise Stop("limit", f"more than {self.max_bytes} bytes in the memory file system")

    def forget(self, node: Node) -> None:
        """Free the bytes of a node without names and open files."""
        if node.links <= 0 and not node.opens and node.data:
            self._used -= len(node.data)
            node.data = bytearray()

    def _child(self, directory: Node, name: str) -> Node | None:
        return directory.entries.get(name)

    def _children(self, directory: Node) -> list[tuple[str, int]]:
        # A copy in one call: another thread may add names.
        return [(name, node.mode) for name, node in list(directory.entries.items()) if node is not None]

    def _prepare_chain(self, chain: list[tuple[str, Node]]) -> None:
        """Prepare the nodes of a chain for a change; an overlay copies them up from its lower file system."""

    def _load(self, node: Node) -> None:
        """Load the content of a node into memory; only an overlay needs it."""

    def _size(self, node: Node) -> int:
        return len(encode(node.target)) if node.is_link else len(node.data)

    def _permits(self, node: Node, wanted: int) -> bool:
        """Return whether the owner's mode bits grant the access (``os.R_OK | os.W_OK | os.X_OK``)."""
        return (node.mode >> 6) & wanted == wanted

    # --- paths -------------------------------------------------------------------------------------------------

    def _walk(self, path: str, follow: bool = True) -> ResolvedPath:
        """Resolve a path (POSIX XBD 4.13); only its last part may be missing."""
        if not path:
            raise failure(errno.ENOENT, path)
        if "\0" in path:
            raise failure(errno.EINVAL, path)
        if _is_longer(path, PATH_MAX - 1):
            raise failure(errno.ENAMETOOLONG, path)
        parts = backwards(path)
        slash = path.endswith("/")
        chain: list[tuple[str, Node]] = [("", self._root)]
        links = 0
        while parts:
            part = parts.pop()
            directory = chain[-1][1]
            if not directory.is_directory:
                raise failure(errno.ENOTDIR, path)
            if not self._permits(directory, os.X_OK):
                raise failure(errno.EACCES, path)
            if part == ".":
                continue
            if part == "..":
                del chain[max(1, len(chain) - 1) :]  # the parent of the root is the root
                continue
            if _is_longer(part, NAME_MAX):
                raise failure(errno.ENAMETOOLONG, path)
            if len(chain) < 3:
                must_not_be_own(path, [*(name for name, _ in chain[1:]), part], parts)
            try:
                child = self._child(directory, part)
            except OwnDescriptor as own:
                raise further(own, path, parts) from None
            if child is None:
                if parts:
                    raise failure(errno.ENOENT, path)
                return ResolvedPath(chain, part, None, slash)
            # A last slash follows a last link, even for lstat (POSIX XBD 4.13).
            is_followed = parts or follow or slash
            if not child.is_link or not is_followed:
                chain.append((part, child))
                continue
            links = one_more_link(links, path, _joined(chain, part))
            target = child.target
            slash |= not parts and target.endswith("/")
            if target.startswith("/"):
                del chain[1:]
            parts += backwards(target)
        name, node = chain.pop()
        if slash and not node.is_directory:
            raise failure(errno.ENOTDIR, path)
        return ResolvedPath(chain, name, node, slash)

    def _find(self, path: str, follow: bool = True) -> tuple[ResolvedPath, Node]:
        place = self._walk(path, follow)
        if place.node is None:
            raise failure(errno.ENOENT, path)
        return place, place.node

    def _change(self, path: str, follow: bool = True) -> tuple[ResolvedPath, Node]:
        """Return a node whose metadata will change: the user owns it, so its mode does not matter."""
        place, node = self._find(path, follow)
        self._prepare_chain([*place.chain, (place.name, node)])
        return place, node

    def _writable_parent(self, place: ResolvedPath, path: str) -> Node:
        if not place.chain:
            raise failure(errno.EBUSY, path)
        if not self._permits(place.parent, os.W_OK | os.X_OK):
            raise failure(errno.EACCES, path)
        return place.parent

    def _enter(self, place: ResolvedPath, node: Node) -> None:
        """Add a name for a node. Raises ``Stop`` beyond ``max_entries``."""
        if self._count >= self.max_entries:
            raise Stop("limit", f"more than {self.max_entries} entries in the memory file system")
        self._prepare_chain(place.chain)
        place.parent.entries[place.name] = node
        place.parent.touch()
        node.links += 1
        node.changed = True
        self._count += 1

    def _leave(self, place: ResolvedPath, node: Node) -> None:
        """Remove a name of a node."""
        self._prepare_chain(place.chain)
        self._remove_entry(place.parent, place.name)
        place.parent.touch()
        node.links -= 1
        node.ctime = time_ns()
        self._count -= 1
        self.forget(node)

    def _remove_entry(self, directory: Node, name: str) -> None:
        del directory.entries[name]

    def _new_place(self, path: str) -> ResolvedPath:
        """Return the place for a new name. Raises ``OSError``: EEXIST if it exists, EACCES."""
        place = self._walk(path, follow=False)
        if place.node is not None:
            raise failure(errno.EEXIST, path)
        self._writable_parent(place, path)
        return place

    def _new_place_of_file(self, path: str) -> ResolvedPath:
        """Return the place for a new name of a file that is not a directory. Raises ``OSError``: ENOENT with a last slash."""
        place = self._new_place(path)
        if place.slash:
            raise failure(errno.ENOENT, path)
        return place

    # --- the port ----------------------------------------------------------------------------------------------

    def open(self, path: str, flags: int, mode: int = 0o666) -> Stream:
        if flags & (CREATE | TRUNCATE | 3):
            with self.lock:
                return self._open(path, flags, mode)
        return self._open(path, flags, mode)

    def _open(self, path: str, flags: int, mode: int) -> Stream:
        exclusive = flags & CREATE and flags & EXCLUSIVE
        place = self._walk(path, follow=not (exclusive or flags & _NO_FOLLOW))
        node = place.node
        if node is None:
            if not flags & CREATE:
                raise failure(errno.ENOENT, path)
            if place.slash:
                raise failure(errno.EISDIR, path)
            self._writable_parent(place, path)
            node = self._new(stat.S_IFREG | mode & 0o7777)
            self._enter(place, node)
            return self._stream(node, place, flags)
        if exclusive:
            raise failure(errno.EEXIST, path)
        self._check_open(node, flags, path)
        if node.device:
            return DEVICES[node.device]()
        return self._open_file(node, place, flags)

    def _check_open(self, node: Node, flags: int, path: str) -> None:
        if node.is_link:
            raise failure(errno.ELOOP, path)
        access = flags & 3
        if node.is_directory:
            # At open, not at the first read as in POSIX: every file system raises it at the same time.
            raise failure(errno.EISDIR, path)
        if flags & _DIRECTORY:
            raise failure(errno.ENOTDIR, path)
        wanted = _ACCESS.get(access, os.R_OK)
        if flags & TRUNCATE:
            wanted |= os.W_OK
        if not self._permits(node, wanted):
            raise failure(errno.EACCES, path)

    def _open_file(self, node: Node, place: ResolvedPath, flags: int) -> Stream:
        if flags & TRUNCATE:
            self._prepare_chain([*place.chain, (place.name, node)])
            self._resize(node, 0)
        elif flags & 3:
            self._prepare_chain([*place.chain, (place.name, node)])
            self._load(node)
        return self._stream(node, place, flags)

    def _stream(self, node: Node, place: ResolvedPath, flags: int) -> Stream:
        access = flags & 3
        return MemoryFile(
            self,
            node,
            place.path(),
            readable=access != os.O_WRONLY,
            writable=access != os.O_RDONLY,
            append=bool(flags & APPEND),
        )

    def _resize(self, node: Node, size: int) -> None:
        growth = size - len(node.data)
        if growth > 0:
            self.charge(growth)
            node.data.extend(bytes(growth))
        else:
            self._used += growth
            del node.data[size:]
        node.touch()

    def stat(self, path: str, *, follow: bool = True) -> Stat:
        node = self._find(path, follow)[1]
        return node.status(self._size(node))

    def scandir(self, path: str) -> Iterator[Entry]:
        _, node = self._find(path)
        if not node.is_directory:
            raise failure(errno.ENOTDIR, path)
        if not self._permits(node, os.R_OK):
            raise failure(errno.EACCES, path)
        return iter([Entry(name, kind_of(mode)) for name, mode in self._children(node)])

    def access(self, path: str, mode: int) -> bool:
        try:
            node = self._find(path)[1]
        except OwnDescriptor:
            raise
        except OSError:
            return False
        return self._permits(node, mode)

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        with self.lock:
            self._enter(self._new_place(path), self._new(stat.S_IFDIR | mode & 0o7777))

    def unlink(self, path: str) -> None:
        with self.lock:
            place, node = self._find(path, follow=False)
            if node.is_directory:
                raise failure(errno.EISDIR, path)  # as in Linux; POSIX has EPERM
            self._writable_parent(place, path)
            self._leave(place, node)

    def rmdir(self, path: str) -> None:
        last = _last_part(path)
        if last == ".":
            raise failure(errno.EINVAL, path)
        with self.lock:
            # For rmdir(2) "link/" is not a directory, in contrast to other calls.
            place, node = self._find(without_slash(path), follow=False)
            if not node.is_directory:
                raise failure(errno.ENOTDIR, path)
            # The directory at ``x/..`` contains x.
            if last == ".." or self._children(node):
                raise failure(errno.ENOTEMPTY, path)
            self._writable_parent(place, path)
            self._leave(place, node)

    def rename(self, old: str, new: str) -> None:
        if {_last_part(old), _last_part(new)} & {".", ".."}:
            raise failure(errno.EBUSY, old)
        with self.lock:
            source, node = self._find(old, follow=False)
            # Before the second walk: both must see the same nodes.
            self._prepare_chain([*source.chain, (source.name, node)])
            goal = self._walk(new, follow=False)
            if goal.node is node:  # two names of one file: nothing happens, both stay (POSIX XSH rename)
                return
            if node.is_directory and any(step is node for _, step in goal.chain):  # a move into itself
                raise failure(errno.EINVAL, old)
            self._writable_parent(source, old)
            self._writable_parent(goal, new)
            if not node.is_directory and goal.slash:
                raise failure(errno.ENOTDIR, new)
            if goal.node is not None:
                self._replaceable(node, goal.node, new)
                self._leave(goal, goal.node)
            self._move(source, goal, node)

    def _move(self, source: ResolvedPath, goal: ResolvedPath, node: Node) -> None:
        node.links += 1  # so that ``_leave`` does not free it
        self._leave(source, node)
        self._enter(goal, node)
        node.links -= 1

    def _replaceable(self, node: Node, by: Node, path: str) -> None:
        if by.is_directory:
            if not node.is_directory:
                raise failure(errno.EISDIR, path)
            if self._children(by):
                raise failure(errno.ENOTEMPTY, path)
        elif node.is_directory:
            raise failure(errno.ENOTDIR, path)

    def link(self, target: str, path: str) -> None:
        with self.lock:
            source, node = self._find(target, follow=False)
            if node.is_directory:
                raise failure(errno.EPERM, target)  # directories have one name (POSIX XSH link)
            self._prepare_chain([*source.chain, (source.name, node)])
            self._enter(self._new_place_of_file(path), node)
            node.ctime = time_ns()

    def symlink(self, target: str, path: str) -> None:
        if not target:
            raise failure(errno.ENOENT, path)
        with self.lock:
            # The mode of a link has no meaning; Linux shows 0777.
            self._enter(self._new_place_of_file(path), self._new(stat.S_IFLNK | 0o777, target=target))

    def readlink(self, path: str) -> str:
        node = self._find(path, follow=False)[1]
        if not node.is_link:
            raise failure(errno.EINVAL, path)
        return node.target

    def chmod(self, path: str, mode: int) -> None:
        with self.lock:
            node = self._change(path)[1]
            node.mode = stat.S_IFMT(node.mode) | mode & 0o7777
            node.changed = node.mode_set = True
            node.ctime = time_ns()

    def utime(self, path: str, times: tuple[int, int] | None, *, follow: bool = True) -> None:
        with self.lock:
            node = self._change(path, follow)[1]
            node.changed = True
            node.ctime = now = time_ns()
            node.atime, node.mtime = times if times is not None else (now, now)

    def truncate(self, path: str, size: int) -> None:
        with self.lock:
            place, node = self._find(path)
            if node.is_directory:
                raise failure(errno.EISDIR, path)
            if node.device or size < 0:
                raise failure(errno.EINVAL, path)
            if not self._permits(node, os.W_OK):
                raise failure(errno.EACCES, path)
            self._prepare_chain([*place.chain, (place.name, node)])
            if size:  # an empty file needs nothing of the old content
                self._load(node)
            self._resize(node, size)

    def realpath(self, path: str) -> str:
        parts = path
        missing: list[str] = []
        while True:
            try:
                found = self._walk(parts).path()
            except OSError as error:
                if error.errno not in (errno.ENOENT, errno.ENOTDIR):
                    raise
                parts, _, last = parts.rstrip("/").rpartition("/")
                missing.append(last)
                parts = parts or "/"
                continue
            for part in reversed(missing):
                if part == "..":
                    found = parent_of(found)
                elif part not in ("", "."):
                    found = f"{found.rstrip('/')}/{part}"
            return found

    def root_at(self, path: str) -> Root | None:
        _, node = self._find(path)
        return TOP if node is self._root else None

    def host_path(self, path: str) -> str | None:
        return None

    # --- changes -----------------------------------------------------------------------------------------------

    def changes(self) -> list[Change]:
        with self.lock:
            changes: list[Change] = []
            seen = {"/"}
            pending = [("", self._root)]
            while pending:
                above, directory = pending.pop()
                for name, node in directory.entries.items():
                    if node is None or node.device:
                        continue
                    path = f"{above}/{name}"
                    seen.add(path)
                    if (kind := self._compared(node, self._originals.get(path))) is not None:
                        changes.append(Change(kind, path))
                    if node.is_directory:
                        pending.append((path, node))
            changes += [Change("delete", path) for path in self._originals if path not in seen]
        return sorted(changes, key=lambda change: change.path)

    def _compared(self, node: Node, before: Original | None) -> str | None:
        """Return the ``Change.kind`` of a node compared to its original, or None if it is unchanged."""
        if before is None:
            return "create"
        if node.mode == before.mode and node.data == before.content:
            return None
        if node.is_directory and not before.mode & 0o7777:
            return None  # for /, /tmp and /dev no mode is recorded
        return "modify"

    def original(self, path: str) -> Original | None:
        return self._originals.get(path)

    def save(self) -> Saved:
        with self.lock:
            return {"kind": self.kind, "nodes": save_tree(self._root)}

    def load(self, saved: Saved) -> Callable[[], None]:
        nodes = load_tree(of_kind(saved, self.kind)["nodes"])
        used = sum(len(node.data) for node in nodes)
        names = sum(len(node.entries) for node in nodes)
        if used > self.max_bytes or names > self.max_entries:
            raise ValueError(f"the snapshot has {used} bytes in {names} files, above the limits of this file system")

        def commit() -> None:
            with self.lock:
                self._root, self._used, self._count = nodes[0], used, names
                for node in nodes:
                    if node.origin is None:  # created here, or in the process that took the snapshot
                        node.volume = self._volume
                        self._next = max(self._next, node.number + 1)

        return commit


def _is_longer(text: str, most: int) -> bool:
    """Return whether a text has more bytes."""
    if len(text) <= most // 4:  # a character has at most four
        return False
    return len(encode(text)) > most


def _joined(chain: list[tuple[str, Node]], name: str) -> str:
    return "/".join([above for above, _ in chain] + [name])


def _last_part(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]
