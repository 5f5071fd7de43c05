"""What a file is: a probe of its head decides, never the execute bit or the kernel (crush 3.4, 3.5)."""

from __future__ import annotations

import errno
from stat import S_IMODE, S_ISDIR, S_ISREG
from typing import TYPE_CHECKING

from ..text import decode

if TYPE_CHECKING:
    from ..fs.base import FileSystem

HEAD = 4096  # bytes looked at; a shebang line may be as long
SHELLS = frozenset({"sh", "bash", "dash", "ash"})
SCRIPTS = ("auto", "embedded", "host")  # what runs the scripts whose shebang names one of them (docs/shell.md)
_MAGIC = (
    b"MZ",
    b"\x7fELF",
    b"\xfe\xed\xfa\xce",
    b"\xfe\xed\xfa\xcf",
    b"\xcf\xfa\xed\xfe",
    b"\xce\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
)


def check_scripts(scripts: str) -> str:
    """Return the value of the option ``scripts`` if it is one. Raises ValueError."""
    if scripts not in SCRIPTS:
        raise ValueError(f'scripts is "auto", "embedded" or "host", not {scripts!r}')
    return scripts


class Shebang:
    """``#!interpreter argument…``. ``argv`` has the interpreter's words; ``path`` is how it was written."""

    __slots__ = ("argv", "path")

    def __init__(self, path: str, argv: list[str]) -> None:
        self.path = path
        self.argv = argv

    @property
    def base(self) -> str:
        """The name without directories."""
        return self.path.replace("\\", "/").rpartition("/")[2]


class BadShebang(Exception):
    """The first line names no interpreter that can be run: status 126."""


class Probe:
    """The answer: ``kind`` is ``script`` (with ``shebang``), ``binary`` or ``source``."""

    __slots__ = ("kind", "shebang")

    def __init__(self, kind: str, shebang: Shebang | None = None) -> None:
        self.kind = kind
        self.shebang = shebang


def probe(fs: FileSystem, path: str) -> Probe:
    """Look at a file's head. OSError where it can't be read (EISDIR for a directory), BadShebang for a bad first line."""
    mode = fs.stat(path).st_mode
    if S_ISDIR(mode):
        raise OSError(errno.EISDIR, "Is a directory", path)
    if not S_ISREG(mode) or not S_IMODE(mode):
        # A FIFO or device is no program; a file that is closed to everybody is closed to root too, which could read it.
        raise OSError(errno.EACCES, "Permission denied", path)
    stream = fs.open(path, 0).retain()
    try:
        head = stream.read(HEAD)
    finally:
        stream.release()
    if head.startswith(b"\xef\xbb\xbf#!"):
        head = head[3:]
    if head.startswith(b"#!"):
        return Probe("script", parse_shebang(head))
    if head.startswith(_MAGIC) or b"\0" in head:
        return Probe("binary")
    return Probe("source")


def foreign_script(fs: FileSystem, path: str, name: str) -> tuple[str, str] | None:
    """Say why a file without a first line ``#!`` is no script of a shell, and the mend; None for one that may be.

    ``name``: how it was called. A file for both, which begins as a shell's (``: <<BATCH``), is one.
    """
    lower = path.lower()
    if lower.endswith(".ps1"):
        return "a PowerShell script is not run by its name", f"use: pwsh -File {name}"
    if lower.endswith((".bat", ".cmd")):
        stream = fs.open(path, 0).retain()
        try:
            first = next(iter(decode(stream.read(HEAD)).lower().split()), "")
        finally:
            stream.release()
        if first.startswith(("@", "::")) or first in ("rem", "setlocal"):
            return "a batch file of Windows is not run by its name here", f"use: cmd.exe /c {name}"
    return None


def parse_shebang(head: bytes) -> Shebang:
    """Read a first line: one argument at most, as kernels do; ``env`` with a name, or ``-S`` and words."""
    line, newline, _ = head[2:].partition(b"\n")
    if not newline and len(head) >= HEAD:
        raise BadShebang(f"the first line is longer than {HEAD} bytes")
    text = decode(line).rstrip("\r").lstrip(" \t")
    path, _, rest = _cut(text)
    if not path:
        raise BadShebang("empty shebang")
    if path.replace("\\", "/").rpartition("/")[2] != "env":
        return Shebang(path, [rest] if rest else [])
    if not rest:
        raise BadShebang("env: missing program name")
    if not rest.startswith("-"):
        program, _, argument = _cut(rest)
        return Shebang(program, [argument] if argument else [])
    flag, _, words = _cut(rest)
    if flag != "-S":
        raise BadShebang(f"unsupported env flag: {flag}")
    split = words.split()
    if not split:
        raise BadShebang("env -S requires a program")
    return Shebang(split[0], split[1:])


def _cut(text: str) -> tuple[str, str, str]:
    for at, char in enumerate(text):
        if char in " \t":
            return text[:at], char, text[at:].strip(" \t")
    return text, "", ""
