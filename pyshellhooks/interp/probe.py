"""The kind of a file: a probe of its head decides, not the execute bit and not the kernel (crush 3.4, 3.5)."""

from __future__ import annotations

import errno
from stat import S_IMODE, S_ISDIR, S_ISREG
from typing import TYPE_CHECKING

from ..text import decode

if TYPE_CHECKING:
    from ..fs.base import FileSystem

HEAD = 4096  # bytes that are read; a shebang line may be as long
SHELLS = frozenset({"sh", "bash", "dash", "ash"})
SCRIPTS = ("auto", "embedded", "host")  # the ways to run scripts whose shebang names a shell (docs/shell.md)
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
    """Return the value of the option ``scripts``. Raises ValueError for an unknown one."""
    if scripts not in SCRIPTS:
        raise ValueError(f'scripts must be "auto", "embedded" or "host", got {scripts!r}')
    return scripts


class Shebang:
    """``#!interpreter argument…``. ``path`` is the interpreter as it is written; ``argv`` are the arguments."""

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
    """The result of a probe: ``kind`` is ``script`` (with ``shebang``), ``binary`` or ``source``."""

    __slots__ = ("kind", "shebang")

    def __init__(self, kind: str, shebang: Shebang | None = None) -> None:
        self.kind = kind
        self.shebang = shebang


def probe(fs: FileSystem, path: str) -> Probe:
    """Probe a file's head. OSError if it can't be read (EISDIR for a directory), BadShebang for a bad first line."""
    mode = fs.stat(path).st_mode
    if S_ISDIR(mode):
        raise OSError(errno.EISDIR, "Is a directory", path)
    if not S_ISREG(mode) or not S_IMODE(mode):
        # A FIFO or device cannot be run. A file of mode 0 counts as unreadable for root too.
        raise OSError(errno.EACCES, "Permission denied", path)
    stream = fs.open(path, 0).retain()
    try:
        head = stream.read(HEAD)
    finally:
        stream.release()
    if head.startswith(b"\xef\xbb\xbf#!"):  # editors of Windows write a byte order mark
        head = head[3:]
    if head.startswith(b"#!"):
        return Probe("script", parse_shebang(head))
    if head.startswith(_MAGIC) or b"\0" in head:
        return Probe("binary")
    return Probe("source")


def foreign_script(fs: FileSystem, path: str, name: str) -> tuple[str, str] | None:
    """Return why a file without ``#!`` is not a shell script, and the hint; None if it may be a shell script.

    ``name``: the word that called it. A file for both systems that begins as a shell script (``: <<BATCH``) is one.
    """
    lower = path.lower()
    if lower.endswith(".ps1"):
        return "a PowerShell script does not run by its name", f"run `pwsh -File {name}`"
    if lower.endswith((".bat", ".cmd")):
        stream = fs.open(path, 0).retain()
        try:
            first = next(iter(decode(stream.read(HEAD)).lower().split()), "")
        finally:
            stream.release()
        if first.startswith(("@", "::")) or first in ("rem", "setlocal"):
            return "a batch file of Windows does not run by its name here", f"run `cmd.exe /c {name}`"
    return None


def parse_shebang(head: bytes) -> Shebang:
    """Parse a first line: at most one argument, as in kernels; ``env`` with a name, or ``-S`` and words."""
    line, newline, _ = head[2:].partition(b"\n")
    if not newline and len(head) >= HEAD:
        raise BadShebang(f"the first line is longer than {HEAD} bytes")
    text = decode(line).rstrip("\r").lstrip(" \t")  # a kernel would search for ``sh\r``
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
