"""Access of scripts to ``/proc`` on the host's disk.

For the kernel an embedded script *is* the host's process: ``/proc/self/environ`` would be the agent's environment,
``/proc/self/fd/5`` a file that the agent has open. So the host's own process is closed, under each of its names:
``self``, its number, its threads' numbers, through links, ``..`` and other mounts of a procfs. Its descriptors are the
script's own (``OwnDescriptor``). Of the rest, a script that may start programs sees the same as they do; other scripts
(``spawn=False``, file systems over this one) see only ``SYSTEM``.

Paths are checked one part after the other, so a link that is swapped meanwhile can mislead the check. Open files are
checked again (``is_closed``), and for a script that can't start processes all paths are (``race_free``). A script that
can start a program could read the same files through it, where only the kernel limits access.
"""

from __future__ import annotations

import errno
import os
import stat

from ..host import current
from ..text import decode, encode
from .base import LINKS_MAX
from .proc_fd import DIRECTORY, OwnDescriptor, backwards, must_not_be_own, number_of

# Files about the whole machine, none of them about one process.
SYSTEM = frozenset(
    tuple(name.split("/"))
    for name in (
        "cpuinfo", "filesystems", "loadavg", "meminfo", "mounts", "self/mounts", "stat", "uptime", "version", "sys/kernel/hostname",
        "sys/kernel/osrelease", "sys/kernel/ostype", "sys/kernel/pid_max", "sys/kernel/random/boot_id", "sys/kernel/random/uuid",
        "sys/kernel/version",
    )
)  # fmt: skip
_ABOVE = frozenset(path[:length] for path in SYSTEM for length in range(1, len(path)))

# Parts of the own process that are open: /proc itself has links to them (/proc/mounts, /proc/net).
_SHARED = ("mounts", "net")
SELF = ("self", "thread-self")

_NAMED = (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK)  # an open file of these types has a name as long as it has a link
_KNOWN_MAX = 4096

helpers: set[int] = set()
"""Processes that are as closed as the own one: in a worker, the host that started it."""

Parts = tuple[str, ...]


def _native(path: str) -> str | bytes:
    return path if path.isascii() else encode(path)


def _unescaped(field: bytes) -> str:
    """Return a field of mountinfo without its octal escapes."""
    for code, byte in ((b"\\040", b" "), (b"\\011", b"\t"), (b"\\012", b"\n"), (b"\\134", b"\\")):
        field = field.replace(code, byte)
    return decode(field)


class _Mounts:
    """The mounts of procfs: ``points`` maps a mount point to the path in the procfs that is mounted there."""

    def __init__(self) -> None:
        self.points: dict[str, Parts] = {}
        self.devices: set[int] = set()
        self.seen: set[int] = set()  # devices in the list, or tested by ``knows`` since

    def read(self) -> None:
        """Read the kernel's list, which only Linux has (Wine shows Linux's, and has no device numbers)."""
        if not hasattr(os, "makedev"):
            return
        points: dict[str, Parts] = {}
        devices: set[int] = set()
        try:
            with open("/proc/self/mountinfo", "rb") as file:
                lines = file.read().split(b"\n")
        except OSError:
            return
        for line in lines:
            fields = line.split(b" ")
            if b"-" not in fields:
                continue
            major, _, minor = fields[2].partition(b":")
            device = os.makedev(int(major), int(minor))
            self.seen.add(device)
            if fields[fields.index(b"-") + 1] == b"proc":
                devices.add(device)
                root = _unescaped(fields[3])
                points[_unescaped(fields[4])] = tuple(part for part in root.split("/") if part)
        self.points, self.devices = points, devices

    def knows(self, device: int) -> bool:
        """Return whether a device is known. If not, read the list again: it may be a new mount."""
        if device in self.seen:
            return True
        self.read()
        self.seen.add(device)
        return False

    def place(self, done: list[str]) -> tuple[Parts, str] | None:
        """Return the parts of a resolved path inside a procfs, and a mount point of the whole procfs; or None."""
        points = self.points
        for length in range(len(done), -1, -1):
            point = "/" + "/".join(done[:length])
            root = points.get(point)
            if root is not None:
                return (*root, *done[length:]), "/proc" if root else point
        return None


_mounts = _Mounts()
_known: dict[str, tuple[int, int]] = {}  # directories known to be outside of every procfs: path -> device and inode


def _is_own(number: str, point: str) -> bool:
    """Return whether a number is of the own process, a helper, or one of their threads."""
    try:
        with open(f"{point}/{number}/status", "rb") as file:
            for line in file:
                # A thread has a number of its own in /proc, and the group of its process.
                if line.startswith(b"Tgid:"):
                    group = line[5:].strip().decode()
                    return int(group) in helpers or group == os.readlink(f"{point}/self")
    except (OSError, ValueError):
        pass
    return False


class Place:
    """A path in a procfs. ``own``: a directory of the own process, of which a script may only see that it exists."""

    __slots__ = ("own", "parts")

    def __init__(self, parts: Parts, own: bool) -> None:
        self.parts = parts
        self.own = own

    def shows(self, name: str) -> bool:
        """Return whether a name in this directory is visible to scripts that see only ``SYSTEM``."""
        path = (*self.parts, name)
        return path in SYSTEM or path in _ABOVE

    def is_of_process(self) -> bool:
        """Return whether it is a file about one process."""
        return bool(self.parts) and self.parts[0].isdecimal()


def _own_part(parts: Parts, path: str, everything: bool) -> Place:
    """Return the place of a path below the own process. Raises ``OSError`` (EACCES) for nearly all of them."""
    rest = parts[1:]
    if rest[:1] == ("task",):
        rest = rest[2:]
    if not rest:
        return Place(parts, True)
    if rest[0] == "fd" and len(rest) < 3:
        number = number_of(rest[1]) if len(rest) == 2 else DIRECTORY
        if number is None:
            raise OSError(errno.ENOENT, "No such file or directory", path)
        raise OwnDescriptor(path, number)
    if rest[0] in _SHARED and (everything or ("self", *rest) in SYSTEM):
        return Place(parts, False)
    raise OSError(errno.EACCES, "Permission denied", path)


def _judge(parts: Parts, point: str, path: str, everything: bool) -> Place:
    """Return a place in a procfs. Raises ``OSError`` if the script may not see it."""
    if not parts:
        return Place(parts, False)
    head = parts[0]
    if head in SELF or (head.isdecimal() and _is_own(head, point)):
        return _own_part(parts, path, everything)
    if head == "kcore":  # all memory
        raise OSError(errno.EACCES, "Permission denied", path)
    if everything or parts in SYSTEM or parts in _ABOVE:
        return Place(parts, False)
    raise OSError(errno.ENOENT, "No such file or directory", path)


def _parts_without_proc(path: str, done: list[str], pending: list[str]) -> list[str]:
    """Return the parts that are ``done``, on a system without /proc; ``/dev`` and ``/dev/fd`` in their usual spelling.

    Raises ``OSError`` if the path leads to a descriptor. XNU takes ``/dev/fd/005`` and ``/dev/fd/4294967301`` for
    descriptor 5 (``devfs_devfd_lookup``), so each other name in that directory is missing.
    """
    done = _usual_spelling(done)
    if done[:1] == ["dev"]:
        must_not_be_own(path, done, pending)
    is_prefix = done[:1] and done[0] in current().path_prefixes
    is_odd_descriptor = len(done) > 2 and done[:2] == ["dev", "fd"]
    if is_prefix or is_odd_descriptor:
        raise OSError(errno.ENOENT, "No such file or directory", path)
    return done


def _usual_spelling(done: list[str]) -> list[str]:
    """Return the usual parts of ``/dev`` and ``/dev/fd``, which a disk finds by other names as well.

    A disk that ignores case finds ``/DEV``, and HFS+ ignores some characters without width. So the directory's identity
    decides and not its name.
    """
    try:
        facts = os.lstat(_native("/" + "/".join(done)))
    except OSError:
        return done
    if stat.S_ISDIR(facts.st_mode):
        for usual in (["dev"], ["dev", "fd"]):
            try:
                if os.path.samestat(facts, os.stat("/" + "/".join(usual))):
                    return usual
            except OSError:
                continue
    return done


def _target(path: str) -> str:
    return os.readlink(path) if path.isascii() else decode(os.readlink(encode(path)))


def walk(path: str, follow: bool, everything: bool, *, beyond: bool = False) -> Place | None:
    """Follow a path part by part. Return its place in a procfs, or None if it is outside. Raises ``OSError`` if closed.

    Missing parts and loops of links end the walk: the system reports them later. ``beyond``: a missing part counts as a
    directory, as it does for a canonical name.
    """
    if not _mounts.seen:
        _mounts.read()
    pending = backwards(path)
    slash = path.endswith("/") and bool(pending)
    done: list[str] = []
    links = 0
    place: Place | None = None
    while pending:
        part = pending.pop()
        if part == ".":
            continue
        if part == "..":
            del done[-1:]
        else:
            done.append(part)
        place = None
        found = _mounts.place(done)
        if found is not None:
            try:
                place = _judge(*found, path, everything)
            except OwnDescriptor as own:
                if not pending:
                    raise
                if own.number != DIRECTORY:
                    raise OSError(errno.ENOTDIR, "Not a directory", path) from None
                continue  # followed by a name in it, or by ``..``
        elif not _mounts.points:
            done = _parts_without_proc(path, done, pending)
        is_last = not pending
        if part == ".." or (is_last and not follow and not slash):
            continue
        at = "/" + "/".join(done)
        try:
            facts = os.lstat(_native(at))
            if not _mounts.knows(facts.st_dev) and _mounts.place(done) != found:
                # It is a mount that is newer than the list: all parts so far may have been misjudged.
                return walk(path, follow, everything, beyond=beyond)
            if not stat.S_ISLNK(facts.st_mode):
                continue
            target = _target(at)
        except OSError:
            if beyond:
                continue
            return place
        is_absolute = target.startswith("/")
        if not is_absolute and place is not None and place.is_of_process():
            return place  # not a path, but a pipe, a socket, a namespace
        links += 1
        if links > LINKS_MAX:
            return place
        done = [] if is_absolute else done[:-1]
        place = None
        pending += backwards(target)
    return place


def is_inside(path: str) -> bool:
    """Return whether a path without links is in a procfs."""
    if not _mounts.seen:
        _mounts.read()
    return any(path == point or path.startswith(point + "/") for point in _mounts.points)


def _is_same(directory: str) -> bool:
    """Return whether a directory is known to be outside, and still has the same inode."""
    known = _known.get(directory)
    if known is None:
        return False
    try:
        facts = os.stat(_native(directory) or "/")
    except OSError:
        return False
    return known[1] == facts.st_ino and known[0] == facts.st_dev


def _is_outside(directory: str, everything: bool) -> bool:
    """Return whether a directory is outside of every procfs; cached for its inode."""
    try:
        facts = os.stat(_native(directory or "/"))
    except OSError:
        return False
    identity = facts.st_dev, facts.st_ino
    try:
        if walk(directory, True, everything) is not None or facts.st_dev in _mounts.devices:
            return False
    except OSError:  # a walk of the whole path may raise a more exact error
        return False
    if not _mounts.points and os.path.samefile(directory or "/", "/dev"):
        return False  # without /proc, /dev/fd is not a link
    if len(_known) >= _KNOWN_MAX:
        _known.clear()
    _known[directory] = identity
    return True


def check(path: str, follow: bool, everything: bool) -> tuple[Place | None, os.stat_result | None]:
    """Return the place of a path like ``walk``; fast if its directory is known and its last part is not a link.

    The second value is the status of the file if it was read: then it is not a link.
    """
    directory, _, name = path.rpartition("/")
    is_outside = name != ".." and (_is_same(directory) or _is_outside(directory, everything))
    if not is_outside:
        return walk(path, follow, everything), None
    if not name or name == ".":
        return None, None
    try:
        facts = os.lstat(_native(path))
    except OSError:
        return None, None
    if facts.st_mode & 0o170000 == 0o120000:
        if not follow:
            return None, None
    elif _mounts.knows(facts.st_dev) and facts.st_dev not in _mounts.devices:
        return None, facts
    return walk(path, follow, everything), None


def _name_of(fd: int) -> str:
    return decode(os.readlink(b"/proc/self/fd/%d" % fd))


def place_of(fd: int, path: str) -> Place | None:
    """Return the place of an open file by the kernel's name of it. Raises ``OSError`` if it is closed."""
    facts = os.fstat(fd)
    if not _mounts.knows(facts.st_dev):
        _mounts.read()
    if facts.st_dev in _mounts.devices:
        return walk(_name_of(fd), False, False)
    has_name = facts.st_nlink > 0 and stat.S_IFMT(facts.st_mode) in _NAMED
    if has_name:
        return None
    name = _name_of(fd)
    if not name.startswith("/") or name.endswith(" (deleted)"):  # reached through a link below /proc/self/fd
        raise OSError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return None


def place_in(fd: int, name: str) -> Place | None:
    """Return the place of a name in an open directory of a procfs. Raises ``OSError`` if it is closed."""
    return walk(f"{_name_of(fd)}/{name}", False, False)


def is_closed(device: int, place: Place | None) -> bool:
    """Return whether an open file is in a procfs although its path was outside: a link was swapped meanwhile."""
    return place is None and device in _mounts.devices
