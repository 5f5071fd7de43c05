"""``OverlayFS``: a copy-on-write view of another file system, which stays unchanged."""

from __future__ import annotations

import errno
import os
import stat

from ..host.windows_text import volume_root
from ..streams.base import Stream
from ..text import encode
from .base import READ, FileSystem, Root, failure
from .change import Change, Original
from .memory import MemoryFS, ResolvedPath
from .nodes import DEVICES, Node

_TYPES = {"f": stat.S_IFREG, "d": stat.S_IFDIR, "l": stat.S_IFLNK, "o": 0}


class OverlayFS(MemoryFS):
    """A view of ``lower`` with changes in memory.

    Changed files are copied up into memory, as little as needed: names one at a time, content at the first write.
    Deleted names are whiteouts. ``lower`` is only read, and never through its symbolic links, which are resolved here.
    No native program sees the view: ``host_path`` is None. Hard links in ``lower`` are separate files here.
    ``devices``: whether to add ``/dev`` if there is none, which a root needs and a mounted directory does not.
    ``max_bytes`` and ``max_entries`` limit the memory as in ``MemoryFS``.
    """

    __slots__ = ("lower",)

    kind = "overlay"

    def __init__(
        self,
        lower: FileSystem,
        *,
        max_bytes: int = 256 * 1024 * 1024,
        max_entries: int = 100_000,
        devices: bool = True,
    ) -> None:
        from .readonly import ReadOnly

        self._start(max_bytes, max_entries)
        # ReadOnly is unnecessary here, and its access() would deny all writes to the overlay.
        self.lower = lower.inner if isinstance(lower, ReadOnly) else lower
        try:
            self._root = self._adopt("/")
        except OSError:
            # On Windows there is no directory above the drives.
            self._root = self._new(stat.S_IFDIR | 0o755)
            self._root.origin = "/"
            self._root.mode_set = True
        if devices and not self.exists("/dev/null"):
            self._add_devices()

    def _add_devices(self) -> None:
        if not self.exists("/dev"):
            self.mkdir("/dev", 0o755)
        for name in DEVICES:
            place = self._walk(f"/dev/{name}")
            if place.node is None:
                node = self._new(stat.S_IFCHR | 0o666, device=name)
                self._enter(place, node)
                node.changed = False
        self._find("/dev")[1].changed = False

    def is_virtual(self) -> bool:
        return self.lower.is_virtual()

    def is_absolute(self, path: str) -> bool:
        return path.startswith("/") or self.lower.is_absolute(path)

    def temporary_directory(self) -> str:
        return self.lower.temporary_directory()

    # --- nodes -------------------------------------------------------------------------------------------------

    def _adopt(self, origin: str) -> Node:
        """Return a node for a file of the lower file system."""
        status = self.lower.stat(origin, follow=False)  # links are resolved here, within the overlay
        node = Node(status.st_mode, status.st_ino, status.st_dev, status.st_uid)
        node.gid = status.st_gid
        node.links = status.st_nlink
        node.atime, node.mtime, node.ctime = status.st_atime_ns, status.st_mtime_ns, status.st_ctime_ns
        node.origin = origin
        node.below = True
        if node.is_link:
            node.target = self.lower.readlink(origin)
        elif stat.S_ISCHR(node.mode) and origin.startswith("/dev/") and origin[5:] in DEVICES:
            node.device = origin[5:]
        return node

    def _below(self, directory: Node, name: str) -> str | None:
        """Return the lower path of a name in a directory; None if the directory is only in memory."""
        origin = directory.origin
        if origin is None:
            return None
        is_drive = len(name) == 2 and name[1] == ":"
        if is_drive and origin == "/" and self.lower.is_absolute(name + "/"):
            return name + "/"  # Windows: C:/x is below a root that exists only here
        if origin.endswith("/"):
            return f"{origin}{name}"
        return f"{origin}/{name}"

    def _child(self, directory: Node, name: str) -> Node | None:
        if name in directory.entries:
            return directory.entries[name]
        origin = self._below(directory, name)
        if origin is None:
            return None
        try:
            return self._adopt(origin)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def _children(self, directory: Node) -> list[tuple[str, int]]:
        children = super()._children(directory)
        if directory.origin is not None:
            hidden = directory.entries
            try:
                entries = list(self.lower.scandir(directory.origin))
            except FileNotFoundError:  # it was deleted there since the start
                entries = []
            children += [(entry.name, _TYPES[entry.kind]) for entry in entries if entry.name not in hidden]
        return children

    def _prepare_chain(self, chain: list[tuple[str, Node]]) -> None:
        for (_, parent), (name, node) in zip(chain, chain[1:], strict=False):
            if parent.entries.get(name) is not node:
                parent.entries[name] = node
                self._count += 1

    def _load(self, node: Node) -> None:
        if not node.below or node.origin is None:
            return
        source = self.lower.open(node.origin, READ).retain()
        try:
            while chunk := source.read(65536):
                self.charge(len(chunk))  # the limit holds before all of a large file is read
                node.data += chunk
        finally:
            source.release()
        node.below = False

    def _resize(self, node: Node, size: int) -> None:
        node.below = False
        super()._resize(node, size)

    def _remove_entry(self, directory: Node, name: str) -> None:
        if self._below(directory, name) is None:
            del directory.entries[name]
        else:
            directory.entries[name] = None  # a whiteout

    def _size(self, node: Node) -> int:
        if node.below and node.origin is not None and not node.is_link:
            return self.lower.stat(node.origin, follow=False).st_size
        return super()._size(node)

    def _permits(self, node: Node, wanted: int) -> bool:
        if node.origin is None or node.mode_set:
            return super()._permits(node, wanted)
        if wanted == os.X_OK and node.is_directory:
            return True  # the next part's stat fails if not; this saves one access() for each part of a path
        return self.lower.access(node.origin, wanted)

    # --- opening -----------------------------------------------------------------------------------------------

    def _open_file(self, node: Node, place: ResolvedPath, flags: int) -> Stream:
        if node.below and not stat.S_ISREG(node.mode) and flags & 3 != READ:
            # A FIFO or device: a write to it would be an effect outside of the overlay.
            raise failure(errno.EROFS, place.path())
        return super()._open_file(node, place, flags)

    def _stream(self, node: Node, place: ResolvedPath, flags: int) -> Stream:
        if node.below and node.origin is not None:
            return self.lower.open(node.origin, flags)
        return super()._stream(node, place, flags)

    def realpath(self, path: str) -> str:
        return self._in_lower(super().realpath(path))

    def root_at(self, path: str) -> Root | None:
        if self.lower.is_absolute("C:/"):
            at = self.realpath(path).lstrip("/")
            if at[1:2] == ":":
                volume = volume_root(at)
                if volume:
                    return Root(volume, "volume")
        return super().root_at(path)

    # --- changes -----------------------------------------------------------------------------------------------

    def changes(self) -> list[Change]:
        """Return the changes against the lower file system, sorted by path."""
        changes: list[Change] = []
        with self.lock:
            self._compare(self._root, "", changes)
        return sorted(changes, key=lambda change: change.path)

    def original(self, path: str) -> Original | None:
        below = self._in_lower(path)
        try:
            mode = self.lower.stat(below, follow=False).st_mode
            if stat.S_ISLNK(mode):
                return Original(mode, encode(self.lower.readlink(below)))
            if stat.S_ISREG(mode):
                return Original(mode, self.lower.read_bytes(below))
            return Original(mode, b"")
        except OSError:
            return None

    def _in_lower(self, path: str) -> str:
        """Return a path of this file system as the lower one has it: ``C:/x`` for ``/C:/x``."""
        if path[2:3] == ":" and self.lower.is_absolute(path[1:]):
            return path[1:]
        return path

    def _compare(self, directory: Node, path: str, changes: list[Change]) -> None:
        for name, node in directory.entries.items():
            here = f"{path}/{name}"
            origin = self._below(directory, name)
            before = self._lower_mode(origin)
            if node is None:  # a whiteout
                if before is not None:
                    changes.append(Change("delete", self._in_lower(here)))
            elif node.origin is not None and node.origin == origin:
                # A directory is changed by each new name in it, which is listed by itself.
                if node.mode_set or (node.changed and not node.is_directory):
                    changes.append(Change("modify", self._in_lower(here)))
                if node.is_directory:
                    self._compare(node, here, changes)
            elif node.changed:  # all but the devices of ``_add_devices``
                self._add_new(node, here, before, changes)

    def _add_new(self, node: Node, path: str, before: int | None, changes: list[Change]) -> None:
        """Add the changes for a node that was created or moved to a path; ``before`` is the old file's mode, if any."""
        if before is None:
            self._add_created(node, path, changes)
        elif node.is_directory or stat.S_ISDIR(before):
            # A file in place of a directory, or the other way round, is not a modification.
            changes.append(Change("delete", self._in_lower(path)))
            self._add_created(node, path, changes)
        else:
            changes.append(Change("modify", self._in_lower(path)))

    def _lower_mode(self, origin: str | None) -> int | None:
        if origin is None:
            return None
        try:
            return self.lower.stat(origin, follow=False).st_mode
        except OSError:
            return None

    def _add_created(self, node: Node, path: str, changes: list[Change]) -> None:
        changes.append(Change("create", self._in_lower(path)))
        if not node.is_directory:
            return
        for name, _ in self._children(node):  # also names that are only below: a directory was moved with them
            child = self._child(node, name)
            if child is not None:
                self._add_created(child, f"{path}/{name}", changes)
