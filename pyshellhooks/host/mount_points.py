"""What Linux has mounted where, and whether files there have owners that mean anything (proc(5), ``mountinfo``)."""

from __future__ import annotations

import os
import re

#: File systems whose files belong to whoever mounted them, or to whom an option says.
OWNERLESS = frozenset({
    "9p", "afpfs", "cifs", "drvfs", "exfat", "hfsplus", "msdos", "ntfs", "ntfs3", "prl_fs", "smb3", "smbfs", "umsdos", "vboxsf",
    "vfat", "virtiofs", "vmhgfs",
})  # fmt: skip
_ESCAPE = re.compile(rb"\\([0-7]{3})")


def kind_at(path: bytes, table: bytes) -> str:
    """Return the kind of the file system that a real path is on, by the text of ``mountinfo``; ``""`` where it does not say.

    Of several at one place the last counts, which hides the others.
    """
    found, longest = b"", -1
    for line in table.splitlines():
        before, separator, after = line.partition(b" - ")
        words = before.split(b" ")
        if not separator or len(words) < 5:
            continue
        point = _ESCAPE.sub(lambda match: bytes([int(match[1], 8)]), words[4]).rstrip(b"/")
        if len(point) >= longest and (path == point or path.startswith(point + b"/")):
            found, longest = after.split(b" ")[0], len(point)
    return found.decode("ascii", "replace")


def owners_count(path: str) -> bool:
    """Say whether the owner of a file tells who may have written it; yes where that is not known."""
    try:
        with open("/proc/self/mountinfo", "rb") as file:
            table = file.read()
    except OSError:
        return True
    kind = kind_at(os.path.realpath(os.fsencode(path)), table)
    return kind not in OWNERLESS and not kind.startswith("fuse")
