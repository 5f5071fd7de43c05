"""Mounted file systems of Linux, and whether they store the owners of files (proc(5), ``mountinfo``)."""

from __future__ import annotations

import os
import re

#: File systems whose files belong to the user who mounted them, or to the user of a mount option.
OWNERLESS = frozenset({
    "9p", "afpfs", "cifs", "drvfs", "exfat", "hfsplus", "msdos", "ntfs", "ntfs3", "prl_fs", "smb3", "smbfs", "umsdos", "vboxsf",
    "vfat", "virtiofs", "vmhgfs",
})  # fmt: skip
_ESCAPE = re.compile(rb"\\([0-7]{3})")


def kind_at(path: bytes, table: bytes) -> str:
    """Return the type of the file system of a real path, by the text of ``mountinfo``; ``""`` if it has no entry.

    Of several mounts at one place the last counts, which hides the others.
    """
    found, longest = b"", -1
    for line in table.splitlines():
        before, separator, after = line.partition(b" - ")
        words = before.split(b" ")
        if not separator or len(words) < 5:
            continue
        point = _ESCAPE.sub(lambda match: bytes([int(match[1], 8)]), words[4]).rstrip(b"/")
        is_below = path == point or path.startswith(point + b"/")
        if is_below and len(point) >= longest:
            found, longest = after.split(b" ")[0], len(point)
    return found.decode("ascii", "replace")


def owners_count(path: str) -> bool:
    """Return whether the file system at a path stores real owners; True if that is not known."""
    try:
        with open("/proc/self/mountinfo", "rb") as file:
            table = file.read()
    except OSError:
        return True
    kind = kind_at(os.path.realpath(os.fsencode(path)), table)
    return kind not in OWNERLESS and not kind.startswith("fuse")
