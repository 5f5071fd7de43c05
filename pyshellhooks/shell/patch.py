"""The changes of a file system as a patch in git's format."""

from __future__ import annotations

import stat

from ..fs.base import FileSystem
from ..fs.change import Original
from ..fs.memory import MemoryFS
from ..text import encode

_SECONDS = 30.0  # timeout of the comparison of one file


def patch(fs: FileSystem) -> str:
    """Return the changes in the format of ``git diff``, with paths relative to the root, for ``git apply``."""
    parts = []
    for change in fs.changes():
        before = fs.original(change.path) if change.kind != "create" else None
        after = _now(fs, change.path) if change.kind != "delete" else None
        parts += _sections(change.path.lstrip("/"), before, after)
    return "".join(parts)


def _now(fs: FileSystem, path: str) -> Original | None:
    mode = fs.stat(path, follow=False).st_mode
    if stat.S_ISLNK(mode):
        return Original(mode, encode(fs.readlink(path)))
    return Original(mode, fs.read_bytes(path) if stat.S_ISREG(mode) else b"")


def _sections(name: str, before: Original | None, after: Original | None) -> list[str]:
    """Return the sections of one file: two if a file became a link or a link a file. Directories have no section."""
    old, new = _listed(before), _listed(after)
    if old is not None and new is not None and stat.S_IFMT(old.mode) != stat.S_IFMT(new.mode):
        return [_section(name, old, None), _section(name, None, new)]
    return [_section(name, old, new)] if old is not None or new is not None else []


def _listed(original: Original | None) -> Original | None:
    return None if original is None or stat.S_ISDIR(original.mode) else original


def _section(name: str, before: Original | None, after: Original | None) -> str:
    old, new = _quoted(f"a/{name}"), _quoted(f"b/{name}")
    header = [f"diff --git {old} {new}"]
    if before is None and after is not None:
        header.append(f"new file mode {_mode(after)}")
        old = "/dev/null"
    elif after is None and before is not None:
        header.append(f"deleted file mode {_mode(before)}")
        new = "/dev/null"
    elif before is not None and after is not None and _mode(before) != _mode(after):
        header += [f"old mode {_mode(before)}", f"new mode {_mode(after)}"]
    head = "".join(f"{line}\n" for line in header)
    texts = [b"" if original is None else original.content for original in (before, after)]
    return head + _hunks(old, new, *texts)


def _hunks(old: str, new: str, before: bytes, after: bytes) -> str:
    """Compare by the shell's own diff, whose timeout holds for any text."""
    if before == after:
        return ""
    if b"\0" in before + after:
        return f"Binary files {old} and {new} differ\n"
    from .shell import Shell

    shell = Shell(fs=MemoryFS({"/old": before, "/new": after}), env={"OLD": old, "NEW": new}, spawn=False)
    result = shell.run('diff -u --label "$OLD" --label "$NEW" /old /new', timeout=_SECONDS)
    if result.status > 1:  # too long and too different
        return f"Files {old} and {new} differ\n"
    return result.stdout.decode("utf-8", "surrogateescape")


def _mode(original: Original) -> str:
    """Return git's mode: it has one for executable files, one for other files, and one for links."""
    if stat.S_ISLNK(original.mode):
        return "120000"
    return "100755" if original.mode & 0o100 else "100644"


def _quoted(name: str) -> str:
    """Quote a name as git does if it contains quotes, backslashes or characters other than printable ASCII."""
    plain = all(" " <= c <= "~" and c not in '"\\' for c in name)
    if plain:
        return name
    return '"' + "".join(_escaped(byte) for byte in encode(name)) + '"'


def _escaped(byte: int) -> str:
    if byte in b'"\\':
        return "\\" + chr(byte)
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"
