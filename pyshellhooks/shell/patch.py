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
        before = None if change.kind == "create" else fs.original(change.path)
        after = None if change.kind == "delete" else _now(fs, change.path)
        parts += _sections(change.path.lstrip("/"), before, after)
    return "".join(parts)


def _now(fs: FileSystem, path: str) -> Original | None:
    mode = fs.stat(path, follow=False).st_mode
    if stat.S_ISLNK(mode):
        return Original(mode, encode(fs.readlink(path)))
    if stat.S_ISREG(mode):
        return Original(mode, fs.read_bytes(path))
    return Original(mode, b"")


def _sections(name: str, before: Original | None, after: Original | None) -> list[str]:
    """Return the sections of one file: two if a file became a link or a link a file. Directories have no section."""
    old, new = _listed(before), _listed(after)
    if old is None and new is None:
        return []
    # ``git apply`` rejects a section that changes the type.
    if old is not None and new is not None and stat.S_IFMT(old.mode) != stat.S_IFMT(new.mode):
        return [_section(name, old, None), _section(name, None, new)]
    return [_section(name, old, new)]


def _listed(original: Original | None) -> Original | None:
    if original is None or stat.S_ISDIR(original.mode):  # git tracks no directories
        return None
    return original


def _section(name: str, before: Original | None, after: Original | None) -> str:
    old, new = _quoted(f"a/{name}"), _quoted(f"b/{name}")
    header = [f"diff --git {old} {new}"]
    old_mode, old_content = _facts(before)
    new_mode, new_content = _facts(after)
    if before is None:
        header.append(f"new file mode {new_mode}")
        old = "/dev/null"
    elif after is None:
        header.append(f"deleted file mode {old_mode}")
        new = "/dev/null"
    elif old_mode != new_mode:
        header += [f"old mode {old_mode}", f"new mode {new_mode}"]
    head = "".join(f"{line}\n" for line in header)
    return head + _hunks(old, new, old_content, new_content)


def _facts(original: Original | None) -> tuple[str, bytes]:
    """Return the mode and the content of a file; of a missing one both are empty."""
    if original is None:
        return "", b""
    return _mode(original), original.content


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
    plain = name.isascii() and name.isprintable() and '"' not in name and "\\" not in name
    if plain:
        return name
    return '"' + "".join(map(_escaped, encode(name))) + '"'


def _escaped(byte: int) -> str:
    if byte in b'"\\':
        return "\\" + chr(byte)
    if 32 <= byte < 127:
        return chr(byte)
    return f"\\{byte:03o}"
