"""stat: display the status of files or file systems (GNU coreutils 9.1; no birth times if Python has none)."""

from __future__ import annotations

import stat as modes
from collections.abc import Callable
from time import time_ns

from ..command import Call, Flag, utility
from ..command.call import reason
from ..errors import UsageError
from ..fs.base import Stat
from ..regexes import lazy_pattern
from ..text import encode, paced, pause
from ..times.moments import moment, strftime
from .find.files import blocks_of
from .support.bsd_forms import stat_words
from .support.kinds import Choice
from .support.modes import mode_string
from .support.owners import Owners
from .support.quoting import name_of, quote, quote_name

_ESCAPES = {"a": 7, "b": 8, "e": 27, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, '"': 34, "\\": 92}
_DEFAULT = (
    "  File: %N\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\nDevice: %Hd,%Ld\tInode: %-10i  Links: {}\n"
    "Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\nAccess: %x\nModify: %y\nChange: %z\n Birth: %w\n"
)
_TERSE = "%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o\n"
_DEFAULT_SYSTEM = (
    '  File: "%n"\n    ID: %-8i Namelen: %-7l Type: %T\nBlock size: %-10s Fundamental block size: %S\n'
    "Blocks: Total: %-10b Free: %-10f Available: %a\nInodes: Total: %-10c Free: %d\n"
)
_TERSE_SYSTEM = "%n %i %l %t %s %S %b %f %a %c %d\n"

_TYPES = {
    modes.S_IFDIR: "directory",
    modes.S_IFLNK: "symbolic link",
    modes.S_IFIFO: "fifo",
    modes.S_IFSOCK: "socket",
    modes.S_IFBLK: "block special file",
    modes.S_IFCHR: "character special file",
}
# The names and numbers of statfs(2), by the file system's name in the list of mounts.
_MAGIC = {
    **dict.fromkeys(("ext2", "ext3", "ext4"), ("ext2/ext3", 0xEF53)),
    **dict.fromkeys(("tmpfs", "devtmpfs"), ("tmpfs", 0x01021994)),
    "overlay": ("overlayfs", 0x794C7630),
    "btrfs": ("btrfs", 0x9123683E),
    "xfs": ("xfs", 0x58465342),
    "proc": ("proc", 0x9FA0),
    "sysfs": ("sysfs", 0x62656572),
    "9p": ("v9fs", 0x01021997),
    "nfs": ("nfs", 0x6969),
    "nfs4": ("nfs", 0x6969),
    "zfs": ("zfs", 0x2FC12FC1),
    "fuse": ("fuseblk", 0x65735546),
    "vfat": ("msdos", 0x4D44),
}


class _Number:
    """A number and its format: ``d``, ``o`` or ``x``. A ``signed`` one accepts the flags ``+`` and space."""

    __slots__ = ("base", "signed", "value")

    def __init__(self, value: int, base: str = "d", signed: bool = False) -> None:
        self.value = value
        self.base = base
        self.signed = signed


class _Seconds:
    """A time in seconds, with the fraction digits of the precision."""

    __slots__ = ("nanoseconds",)

    def __init__(self, nanoseconds: int) -> None:
        self.nanoseconds = nanoseconds


_Value = str | _Number | _Seconds
_Fill = Callable[[str, str], _Value | None]


# --- formats --------------------------------------------------------------------------------------------------


_FLAGS = "'-+#0 I"
_OCTAL = "01234567"
_HEX = "0123456789abcdefABCDEF"
_PLAIN = lazy_pattern(r"[^%\\]+")


class _Formatter:
    """Formats one file. ``fill(letter, modifier)`` returns the value of a directive, or None for an unknown one."""

    __slots__ = ("_call", "_escapes")

    def __init__(self, call: Call, escapes: bool) -> None:
        self._call = call
        self._escapes = escapes

    def write(self, fmt: str, fill: _Fill) -> None:
        """Write the formatted text to the output."""
        write = self._call.out.write
        at = 0
        while at < len(fmt):
            char = fmt[at]
            if char == "%":
                at = self._directive(fmt, at, fill)
            elif char == "\\" and self._escapes:
                at = self._escape(fmt, at + 1)
            else:
                pause()
                match = _PLAIN.match(fmt, at + 1)
                end = match.end() if match is not None else at + 1
                write(encode(fmt[at:end]))
                at = end

    def _escape(self, fmt: str, at: int) -> int:
        write = self._call.out.write
        letter = fmt[at : at + 1]
        if not letter:
            self._call.error("warning: backslash at end of format")
            write(b"\\")
            return at
        start, digits, base, longest = at, _OCTAL, 8, 3
        if letter == "x":
            start, digits, base, longest = at + 1, _HEX, 16, 2
        end = start
        while end < min(len(fmt), start + longest) and fmt[end] in digits:
            end += 1
        if end > start:
            write(bytes([int(fmt[start:end], base) & 255]))
            return end
        if letter in _ESCAPES:
            write(bytes([_ESCAPES[letter]]))
        else:
            self._call.error(f"warning: unrecognized escape '\\{letter}'")
            write(encode(letter))
        return at + 1

    def _directive(self, fmt: str, at: int, fill: _Fill) -> int:
        start = at
        at += 1
        while at < len(fmt) and fmt[at] in _FLAGS:
            at += 1
        flags = fmt[start + 1 : at]
        width, at = _digits(fmt, at)
        precision: int | None = None
        if fmt.startswith(".", at):
            precision, at = _digits(fmt, at + 1)
            if precision is None:
                precision = -1  # a point alone
        letter = fmt[at : at + 1]
        if letter in ("", "%"):
            if at > start + 1:  # %% and a % at the end permit no flags
                raise UsageError(f"{quote(fmt[start : at + 1], self._call.env)}: invalid directive", 1, hint=False)
            self._call.out.write(b"%")
            return at + 1
        modifier = ""
        # H and L are modifiers only before a device: %Hd is its major, %Ld its minor number.
        if letter in "HL" and fmt[at + 1 : at + 2] in ("d", "r"):
            modifier, letter = letter, fmt[at + 1]
            at += 1
        value = fill(letter, modifier)
        self._call.out.write(b"?" if value is None else encode(_padded(value, flags, width or 0, precision)))
        return at + 1


def _digits(fmt: str, at: int) -> tuple[int | None, int]:
    end = at
    while end < len(fmt) and fmt[end] in "0123456789":
        end += 1
    if end == at:
        return None, end
    return min(int(fmt[at:end][:9]), 1 << 16), end


def _padded(value: _Value, flags: str, width: int, precision: int | None) -> str:
    """Format a value as C's printf does."""
    if isinstance(value, _Seconds):
        return _seconds(value.nanoseconds, flags, width, precision)
    if isinstance(value, str):
        text = value if precision is None else value[: max(precision, 0)]
        return text.ljust(width) if "-" in flags else text.rjust(width)
    sign = _sign(value, flags)
    text = format(abs(value.value), value.base)
    if precision is not None:
        text = text.rjust(max(precision, 0), "0")
    if "-" in flags:
        return (sign + text).ljust(width)
    if "0" in flags and precision is None:
        return sign + text.rjust(width - len(sign), "0")
    return (sign + text).rjust(width)


def _sign(number: _Number, flags: str) -> str:
    """Return the sign of a number, or the prefix of its base for ``#``."""
    if number.value < 0:
        return "-"
    if number.signed:
        if "+" in flags:
            return "+"
        return " " if " " in flags else ""
    if "#" in flags and number.value:
        return {"x": "0x", "o": "0"}.get(number.base, "")
    return ""


def _seconds(nanoseconds: int, flags: str, width: int, precision: int | None) -> str:
    seconds, fraction = divmod(nanoseconds, 10**9)
    text = str(seconds)
    digits = 9 if precision == -1 else precision or 0
    if digits:
        text += "." + f"{fraction:09d}"[:digits].ljust(digits, "0")
    if "-" in flags:
        return text.ljust(width)
    return text.rjust(width, "0" if "0" in flags else " ")


# --- files ----------------------------------------------------------------------------------------------------


# The split of a device number is that of Linux (glibc's gnu_dev_major), also on other systems.
def _major(number: int) -> int:
    return (number >> 8 & 0xFFF) | (number >> 32 & ~0xFFF)


def _minor(number: int) -> int:
    return (number & 0xFF) | (number >> 12 & ~0xFF)


class _File:
    """The values of the directives for one file."""

    __slots__ = ("_call", "_found", "_name", "_owners", "_path", "_shown", "failed")

    def __init__(self, call: Call, name: str, path: str, file_status: Stat, shown: Callable[[str], str]) -> None:
        self._call = call
        self._name = name
        self._path = path
        self._found = file_status
        self._shown = shown
        self._owners = Owners(call.fs)
        self.failed = False

    def fill(self, letter: str, modifier: str) -> _Value | None:
        """Return the value of a directive."""
        found = self._found
        numbers: dict[str, tuple[int, str]] = {
            "a": (modes.S_IMODE(found.st_mode), "o"),
            "b": (blocks_of(found), "d"),
            "B": (512, "d"),
            "D": (found.st_dev, "x"),
            "f": (found.st_mode, "x"),
            "g": (found.st_gid, "d"),
            "h": (found.st_nlink, "d"),
            "i": (found.st_ino, "d"),
            "o": (getattr(found, "st_blksize", None) or 4096, "d"),
            "R": (self._device(), "x"),
            "t": (_major(self._device()), "x"),
            "T": (_minor(self._device()), "x"),
            "u": (found.st_uid, "d"),
        }
        if letter in numbers:
            return _Number(*numbers[letter])
        if letter in ("d", "r"):
            number = found.st_dev if letter == "d" else self._device()
            return _Number({"": number, "H": _major(number), "L": _minor(number)}[modifier])
        if letter == "s":
            return _Number(found.st_size, signed=True)
        if letter in "wWxXyYzZ":
            return self._time(letter)
        return self._text(letter)

    def _device(self) -> int:
        number: int | None = getattr(self._found, "st_rdev", None)
        return number or 0

    def _text(self, letter: str) -> str | None:
        found = self._found
        if letter == "A":
            return mode_string(found.st_mode)
        if letter == "F":
            return self.kind()
        if letter == "U":
            return self._owners.user(found.st_uid, self._path)
        if letter == "G":
            return self._owners.group(found.st_gid, self._path)
        if letter == "n":
            return self._name
        if letter == "N":
            return self._quoted()
        if letter == "m":
            return self._mount_point()
        if letter == "C":
            self._call.error(f"failed to get security context of {quote_name(self._name)}: No data available")
            self.failed = True
            return "?"
        return None

    def kind(self) -> str:
        """Return the name of the file's type."""
        kind = modes.S_IFMT(self._found.st_mode)
        if kind == modes.S_IFREG:
            return "regular file" if self._found.st_size else "regular empty file"
        return _TYPES.get(kind, "weird file")

    def _quoted(self) -> str:
        if not modes.S_ISLNK(self._found.st_mode):
            return self._shown(self._name)
        try:
            return f"{self._shown(self._name)} -> {self._shown(self._call.fs.readlink(self._path))}"
        except OSError as error:
            self._call.error(f"cannot read symbolic link {quote_name(self._name)}: {reason(error)}")
            self.failed = True
            return self._shown(self._name)

    def _mount_point(self) -> str:
        fs = self._call.fs
        path = self._path
        if modes.S_ISLNK(self._found.st_mode):
            path = _parent(path)  # the directory that contains the link
        path = fs.realpath(path)
        if not modes.S_ISDIR(fs.stat(path).st_mode):
            path = _parent(path)
        device = fs.stat(path).st_dev
        while path != "/":
            above = _parent(path)
            if above == path or fs.stat(above).st_dev != device:
                break
            path = above
        return path

    def _time(self, letter: str) -> _Value:
        found = self._found
        lower = letter.lower()
        if lower == "w":
            birth: float | None = getattr(found, "st_birthtime", None)
            if birth is None:
                return "-" if letter == "w" else _Seconds(0)
            stamp: int = getattr(found, "st_birthtime_ns", int(birth * 10**9))
        else:
            stamp = {"x": found.st_atime_ns, "y": found.st_mtime_ns, "z": found.st_ctime_ns}[lower]
        if letter != lower:
            return _Seconds(stamp)
        return strftime("%Y-%m-%d %H:%M:%S.%N %z", moment(stamp, self._call.zone))


# --- file systems ---------------------------------------------------------------------------------------------


def _system_type(call: Call, native: str) -> tuple[str, int]:
    """Return the type from the list of mounts, of which the last mount over a path applies."""
    best, kind = "", ""
    try:
        stream = call.fs.open("/proc/self/mounts", 0).retain()
    except OSError:
        return "UNKNOWN", 0
    try:
        lines: list[bytes] = []
        while chunk := stream.read():
            lines.append(chunk)
    finally:
        stream.release()
    for line in b"".join(lines).decode("utf-8", "surrogateescape").split("\n"):
        words = line.split(" ")
        if len(words) < 3:
            continue
        point = words[1].replace("\\040", " ")  # the kernel writes blanks in octal, since they separate the fields
        inside = native == point or native.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, words[2]
    return _MAGIC.get(kind.partition(".")[0], ("UNKNOWN", 0))


def _swapped(identity: int) -> int:
    """Return a file system's id with its two words in the order of statfs(2)."""
    return (identity & 0xFFFFFFFF) << 32 | identity >> 32 & 0xFFFFFFFF


def _system(call: Call, name: str, path: str) -> _Fill | None:
    """Return the directives of a file's file system, or None if it is virtual or the host has no statvfs(3)."""
    import os

    native = call.fs.host_path(path)
    if native is None or not hasattr(os, "statvfs"):
        return None
    found = os.statvfs(native)
    kind, magic = _system_type(call, call.fs.realpath(path))
    numbers = {
        "a": (found.f_bavail, "d"),
        "b": (found.f_blocks, "d"),
        "c": (found.f_files, "d"),
        "d": (found.f_ffree, "d"),
        "f": (found.f_bfree, "d"),
        "i": (_swapped(found.f_fsid), "x"),
        "l": (found.f_namemax, "d"),
        "s": (found.f_bsize, "d"),
        "S": (found.f_frsize, "d"),
        "t": (magic, "x"),
    }

    def fill(letter: str, modifier: str) -> _Value | None:
        if letter in numbers:
            return _Number(*numbers[letter])
        return {"n": name, "T": kind}.get(letter)

    return fill


# --- the utility ----------------------------------------------------------------------------------------------


def _quoting(call: Call, plain: bool) -> Callable[[str], str]:
    """Return the quoting of %N: none in the default format, else that of QUOTING_STYLE, by default the shell's."""
    if plain:
        return str
    style = call.env.get("QUOTING_STYLE", "")
    known: dict[str, Callable[[str], str]] = {
        "literal": str,
        **dict.fromkeys(("shell", "shell-escape"), name_of),
        **dict.fromkeys(("shell-always", "shell-escape-always"), quote_name),
    }
    if style and style not in known:
        call.error(f"ignoring invalid value of environment variable QUOTING_STYLE: {quote(style, call.env)}")
    return known.get(style, quote_name)


def _standard_input(call: Call) -> Stat:
    """Return the status of standard input: of a file, or of a pipe if it is internal to this process."""
    import os

    stream = call.stdin
    path = stream.path()
    if path is not None:
        return call.fs.stat(path)
    number = stream.fileno()
    if number is not None:
        return os.fstat(number)
    # A pipe between commands of this process has no inode; a script sees a FIFO.
    times = dict.fromkeys(("st_atime_ns", "st_mtime_ns", "st_ctime_ns"), time_ns())
    return os.stat_result((modes.S_IFIFO | 0o600, 0, 0, 1, 0, 0, 0, 0, 0, 0), times)


def _one(call: Call, name: str, formatter: _Formatter, fmt: str | None, end: str) -> bool:
    """Print the status of one file."""
    opts = call.opts
    try:
        path = call.path(name)
        found = _standard_input(call) if name == "-" else call.fs.stat(path, follow=opts.dereference)
    except OSError as error:
        call.error(f"cannot statx {quote_name(name)}: {reason(error)}")
        return False
    file = _File(call, name, path, found, _quoting(call, fmt is None))
    if fmt is None:
        if opts.terse:
            fmt = _TERSE
        else:
            special = modes.S_ISCHR(found.st_mode) or modes.S_ISBLK(found.st_mode)
            fmt = _DEFAULT.format("%-5h Device type: %Hr,%Lr" if special else "%h")
    formatter.write(fmt, file.fill)
    call.out.write(encode(end))
    return not file.failed


def _one_system(call: Call, name: str, formatter: _Formatter, fmt: str | None, end: str) -> bool:
    if name == "-":
        call.error("using '-' to denote standard input does not work in file system mode")
        return False
    try:
        path = call.path(name)
        call.fs.stat(path)
        fill = _system(call, name, path)
    except OSError as error:
        call.error(f"cannot read file system information for {quote_name(name)}: {reason(error)}")
        return False
    if fill is None:
        call.error(f"cannot read file system information for {quote_name(name)}: Operation not supported")
        return False
    if fmt is None:
        fmt = _TERSE_SYSTEM if call.opts.terse else _DEFAULT_SYSTEM
    formatter.write(fmt, fill)
    call.out.write(encode(end))
    return True


_CACHED = Choice("default", "never", "always")


def _parent(path: str) -> str:
    return path.rpartition("/")[0] or "/"


@utility(
    "stat",
    paths=True,
    summary="Display file or file system status.",
    bsd=stat_words,
    version="GNU coreutils 9.1",
    usage="[OPTION]... FILE...",
    flags=[
        Flag("-L", "--dereference", help="follow links"),
        Flag("-f", "--file-system", help="display file system status instead of file status"),
        Flag("--cached", value="MODE", kind=_CACHED, help="(no effect: always, never, default)"),
        Flag("-c", "--format", value="FORMAT", help="use FORMAT instead of the default, a newline after each"),
        Flag("--printf", value="FORMAT", help="like --format, but read escapes, and add no newline"),
        Flag("-t", "--terse", help="print the information in terse form"),
    ],
)
def stat(call: Call) -> int:
    """Print the status of files. Return 0 if all could be read, else 1."""
    opts = call.opts
    if not call.args:
        raise UsageError("missing operand")
    which = opts.last_of("format", "printf")
    fmt = opts.value(which) if which else None
    formatter = _Formatter(call, which == "printf")
    show = _one_system if opts.file_system else _one
    # The default formats end with a newline of their own; --printf adds none.
    end = "\n" if which == "format" else ""
    status = 0
    for name in paced(call.args):
        call.check()
        if not show(call, name, formatter, fmt, end):
            status = 1
    return status
