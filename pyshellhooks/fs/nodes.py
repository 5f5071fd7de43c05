"""Nodes (inodes) of the file systems in memory, and the streams over them."""

from __future__ import annotations

import errno
import os
import stat
from time import time_ns
from typing import TYPE_CHECKING, Any

from ..errors import Stop
from ..streams.base import NullStream, Stream

if TYPE_CHECKING:
    from .memory import MemoryFS


class Node:
    """An inode: a file, directory, symbolic link or device.

    ``mode`` has the type bits. ``entries`` are those of a directory (in an overlay, None is a whiteout). ``origin`` is
    its path in the lower file system of an overlay, ``below`` means that the content is still there, ``changed`` that
    the node was changed, ``mode_set`` that its mode was. Times are nanoseconds.
    """

    __slots__ = (
        "atime",
        "below",
        "changed",
        "ctime",
        "data",
        "device",
        "entries",
        "gid",
        "links",
        "mode",
        "mode_set",
        "mtime",
        "number",
        "opens",
        "origin",
        "target",
        "uid",
        "volume",
    )

    def __init__(self, mode: int, number: int, volume: int, owner: int, *, target: str = "", device: str = "") -> None:
        self.mode = mode
        self.number = number
        self.volume = volume
        self.uid = self.gid = owner
        self.links = 0
        self.opens = 0
        self.data = bytearray()
        self.entries: dict[str, Node | None] = {}
        self.target = target
        self.device = device
        self.origin: str | None = None
        self.below = False
        self.changed = False
        self.mode_set = False
        self.atime = self.mtime = self.ctime = time_ns()

    @property
    def is_directory(self) -> bool:
        return self.mode & 0o170000 == 0o040000

    @property
    def is_link(self) -> bool:
        return self.mode & 0o170000 == 0o120000

    def touch(self) -> None:
        """Record a change of the content."""
        self.changed = True
        self.mtime = self.ctime = time_ns()

    def status(self, size: int) -> os.stat_result:
        """Return the status of the node, as os.stat does."""
        links = 2 if self.is_directory else self.links  # its name and its ``.``; subdirectories are not counted
        atime, mtime, ctime = self.atime, self.mtime, self.ctime
        second = 1_000_000_000
        return os.stat_result(
            (
                *(self.mode, self.number, self.volume, links, self.uid, self.gid, size),
                *(atime // second, mtime // second, ctime // second),
            ),
            {
                "st_atime": atime / 1e9,
                "st_mtime": mtime / 1e9,
                "st_ctime": ctime / 1e9,
                "st_atime_ns": atime,
                "st_mtime_ns": mtime,
                "st_ctime_ns": ctime,
            },
        )


_KEPT = (
    *("mode", "number", "volume", "uid", "gid", "links", "target", "device", "origin", "below", "changed", "mode_set"),
    *("atime", "mtime", "ctime"),
)
_KINDS_OF: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("below", "changed", "mode_set"), (bool,)),
    **dict.fromkeys(("target", "device"), (str,)),
    "origin": (str, type(None)),
}


def save_tree(root: Node) -> list[dict[str, Any]]:
    """Return a tree's nodes as plain values, the root first; the entries refer to nodes by their index in the list."""
    places = {id(root): 0}
    nodes = [root]
    saved = []
    for node in nodes:  # the list grows in the loop
        entries: dict[str, int | None] = {}
        for name, child in node.entries.items():
            if child is not None and id(child) not in places:
                places[id(child)] = len(nodes)
                nodes.append(child)
            entries[name] = None if child is None else places[id(child)]
        attributes = {name: getattr(node, name) for name in _KEPT}
        saved.append({**attributes, "data": bytes(node.data), "entries": entries})
    return saved


def load_tree(saved: list[dict[str, Any]]) -> list[Node]:
    """Return the nodes of a ``save_tree`` result. Raises ``ValueError`` if it is not a valid tree."""
    try:
        nodes = [_loaded(facts) for facts in saved]
        if not nodes or not nodes[0].is_directory:
            raise ValueError("the snapshot is damaged: the root is missing")
        parents: set[int] = {0}
        for node, facts in zip(nodes, saved, strict=True):
            for name, place in facts["entries"].items():
                if not node.is_directory or not _is_valid_name(name):
                    raise ValueError(f"the snapshot is damaged: invalid name {name!r:.40}")
                node.entries[name] = None if place is None else _child(nodes, place, parents)
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"the snapshot is damaged: {error!r:.80}") from None
    return nodes


def _is_valid_name(name: str) -> bool:
    return "/" not in name and name not in ("", ".", "..")


def _loaded(facts: dict[str, Any]) -> Node:
    """Return a node without its entries."""
    node = Node(facts["mode"], facts["number"], facts["volume"], facts["uid"])
    for name in _KEPT:
        value = facts[name]
        if not isinstance(value, _KINDS_OF.get(name, (int,))):
            raise ValueError(f"the snapshot is damaged: invalid {name} {value!r:.40}")
        setattr(node, name, value)
    if node.device and node.device not in DEVICES:
        raise ValueError(f"the snapshot is damaged: unknown device {node.device:.40}")
    if not isinstance(facts["data"], bytes):
        raise ValueError("the snapshot is damaged: a file has no content")
    node.data = bytearray(facts["data"])
    return node


def _child(nodes: list[Node], place: int, parents: set[int]) -> Node:
    """Return the node at an index. Raises ``ValueError`` for a directory with two parents: a walk could loop."""
    child = nodes[place]
    if place < 0:  # Python would count from the end, and find a node under a second number
        raise ValueError("the snapshot is damaged: a directory has two parents")
    if child.is_directory:
        if place in parents:
            raise ValueError("the snapshot is damaged: a directory has two parents")
        parents.add(place)
    return child


KINDS = {stat.S_IFREG: "f", stat.S_IFDIR: "d", stat.S_IFLNK: "l"}


def kind_of(mode: int) -> str:
    """Return the ``Entry.kind`` of a mode."""
    return KINDS.get(stat.S_IFMT(mode), "o")


class MemoryFile(Stream):
    """An open file description on a node; it stays valid after the name is removed."""

    __slots__ = ("_append", "_fs", "_name", "_open", "_position", "_readable", "_writable", "node")

    def __init__(self, fs: MemoryFS, node: Node, name: str, *, readable: bool, writable: bool, append: bool) -> None:
        self.references = 0
        self._fs = fs
        self._name = name
        self._position = 0
        self._readable = readable
        self._writable = writable
        self._append = append
        self._open = True
        self.node = node
        node.opens += 1  # the content of a removed file lives until the last close

    def _require(self, allowed: bool) -> None:
        if not allowed or not self._open:
            raise OSError(errno.EBADF, "Bad file descriptor")

    def read(self, size: int = 65536, /) -> bytes:
        self._require(self._readable)
        start = self._position
        chunk = bytes(self.node.data[start : start + size])
        self._position = start + len(chunk)
        return chunk

    def readline(self, delimiter: bytes = b"\n", limit: int = -1) -> bytes:
        self._require(self._readable)
        start = self._position
        data = self.node.data
        end = data.find(delimiter, start)
        end = len(data) if end < 0 else end + len(delimiter)
        if limit >= 0:
            end = min(end, start + limit)
        line = bytes(data[start:end])
        self._position = start + len(line)
        return line

    def write(self, data: bytes, /) -> None:
        self._require(self._writable)
        with self._fs.lock:
            content = self.node.data
            start = len(content) if self._append else self._position
            end = start + len(data)
            growth = end - len(content)
            if growth > 0:
                self._fs.charge(growth)
                if start > len(content):  # a gap before the position reads as zeros (POSIX XSH lseek)
                    content.extend(bytes(start - len(content)))
            if start == len(content):
                content += data
            else:
                content[start:end] = data
            self._position = end
            self.node.touch()

    def seek(self, offset: int, whence: int = 0) -> int:
        to = (0, self._position, len(self.node.data))[whence] + offset
        if to < 0:
            raise OSError(errno.EINVAL, "Invalid argument")
        self._position = to
        return to

    def close(self) -> None:
        if self._open:
            self._open = False
            self.node.opens -= 1
            self._fs.forget(self.node)

    def path(self) -> str | None:
        return self._name


_MOST = 1 << 20  # most bytes of one read of a device


class ZeroStream(Stream):
    """``/dev/zero``."""

    __slots__ = ()

    def read(self, size: int = 65536, /) -> bytes:
        return bytes(min(size, _MOST))

    def readline(self, delimiter: bytes = b"\n", limit: int = -1) -> bytes:
        if delimiter == b"\0" and limit:
            return b"\0"
        if limit < 0:
            raise Stop("limit", "a line of a device has no end", "string")
        return bytes(limit)

    def write(self, data: bytes, /) -> None:
        pass

    def path(self) -> str | None:
        return "/dev/zero"


class FullStream(ZeroStream):
    """``/dev/full``: reads are zeros, writes are ENOSPC."""

    __slots__ = ()

    def write(self, data: bytes, /) -> None:
        if data:
            raise OSError(errno.ENOSPC, "No space left on device")

    def path(self) -> str | None:
        return "/dev/full"


class RandomStream(ZeroStream):
    """``/dev/urandom``."""

    __slots__ = ()

    def read(self, size: int = 65536, /) -> bytes:
        return os.urandom(min(size, _MOST))

    def readline(self, delimiter: bytes = b"\n", limit: int = -1) -> bytes:
        got = bytearray()
        while limit < 0 or len(got) < limit:
            # The bytes after the line can be dropped, since they are random.
            line, end, _ = os.urandom(256).partition(delimiter)
            got += line + end
            if end:
                break
        return bytes(got if limit < 0 else got[:limit])

    def path(self) -> str | None:
        return "/dev/urandom"


DEVICES: dict[str, type[Stream]] = {
    "null": NullStream,
    "zero": ZeroStream,
    "full": FullStream,
    "random": RandomStream,
    "urandom": RandomStream,
}
