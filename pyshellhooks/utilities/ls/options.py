"""Options of ls: layout, units, ignored names, refused options (GNU coreutils 9.1)."""

from __future__ import annotations

import stat
from collections.abc import Callable, Sequence

from ...command import Call, Options, RawArgument
from ...errors import UsageError
from ...patterns.glob import compile_glob
from ...text import parse_digits
from ..support.kinds import Argument, Choice, Count, Number
from ..support.quoting import quote
from .names import STYLES

FORMAT = Choice(("verbose", "long"), ("commas",), ("horizontal", "across"), ("vertical",), ("single-column",))
_LAYOUTS = {"verbose": "l", "commas": "m", "horizontal": "x", "vertical": "C"}
TIME = Choice(("atime", "access", "use"), ("ctime", "status"), ("birth", "creation"))
_BLOCK = Argument(1, units="gGkKmMPEtTYZ0", base=0)
INDICATOR = Choice("none", "slash", "file-type", "classify")
STYLE = Choice(*STYLES)
ORDERS = {
    "none": "U",
    "time": "t",
    "size": "S",
    "extension": "X",
    "version": "v",
    "width": "w",
}  # in the order of GNU's message
ORDER = Choice(*ORDERS)
TAB = Count("tab size", most=2**63 - 1, base=0)
WIDTH = Number("invalid line width: {q}", base=0, endless=True)
WHEN = Choice(("always", "yes", "force"), ("never", "no", "none"), ("auto", "tty", "if-tty"))
# GNU's default colours, without LS_COLORS.
_PAINT = {
    stat.S_IFDIR: "01;34",
    stat.S_IFLNK: "01;36",
    stat.S_IFIFO: "33",
    stat.S_IFSOCK: "01;35",
    stat.S_IFBLK: "01;33",
    stat.S_IFCHR: "01;33",
}


def layout_of(call: Call) -> str:
    """Return the layout: ``l`` long, ``C`` and ``x`` columns, ``m`` commas, ``1`` lines."""
    layout = "1"
    for dest, value in call.opts.given:
        if dest == "format":
            layout = _LAYOUTS.get(value or "", "1")
        elif dest in ("l", "g", "o", "numeric_uid_gid", "full_time"):
            layout = "l"
        elif dest in ("C", "x", "m"):
            layout = dest
        elif dest in ("1", "zero"):
            if layout != "l":  # -1 does not undo -l
                layout = "1"
        elif dest == "f" and layout == "l":
            layout = "1"
    return layout


def time_style(call: Call) -> str:
    """Return the style of ``--time-style`` or ``TIME_STYLE``: ``+FORMAT`` or the name of a style."""
    if "time_style" in call.opts:
        style = call.opts.value("time_style")
    else:
        style = call.env.get("TIME_STYLE", "locale")
    if style.startswith("posix-"):
        style = style.removeprefix("posix-")
    near = [name for name in _STYLES if name.startswith(style)]
    if style.startswith("+") or style in near:
        return style
    if len(near) != 1:
        kind = "ambiguous" if near else "invalid"
        rows = "".join(f"\n  - [posix-]{name}" for name in _STYLES)
        raise UsageError(
            f"{kind} argument {quote(style, call.env)} for {quote('time style', call.env)}\nValid arguments are:{rows}"
            "\n  - +FORMAT (e.g., +%H:%M) for a 'date'-style format"
        )
    return near[0]


_STYLES = ("full-iso", "long-iso", "iso", "locale")


def number(text: str, default: int) -> int:
    """Parse a number from the environment."""
    if text.isascii() and text.isdigit():
        return parse_digits(text)
    return default


class BlockSize:
    """The unit of sizes in bytes (0: the default units), and its suffix in the output.

    ``scale``: each size has a suitable unit, a power of this number.
    """

    __slots__ = ("name", "scale", "unit")

    def __init__(self, unit: int = 0, name: str = "", scale: int = 0) -> None:
        self.unit = unit
        self.scale = scale
        self.name = name


def block_size(argument: RawArgument) -> BlockSize:
    """Parse ``--block-size``."""
    text = argument.text.removeprefix("'")  # an apostrophe groups digits, which C.UTF-8 does not
    for word, scale in (("human-readable", 1024), ("si", 1000)):
        if text and word.startswith(text):
            return BlockSize(scale=scale)
    argument = RawArgument(text, argument.env, option=argument.option, flag=argument.flag, before=argument.before)
    unit = _BLOCK(argument)
    if not text[0].isalpha():
        return BlockSize(unit)
    letter, rest = text[0].upper(), text[1:]
    if letter == "K" and rest == "B":
        letter = "k"  # the SI prefix of 1000
    return BlockSize(unit, letter + rest)


def sizes_of(opts: Options) -> BlockSize:
    """Return the unit of sizes: the last of ``-h``, ``--si`` and ``--block-size`` decides."""
    last = opts.last_of("human_readable", "si", "block_size")
    if last == "block_size":
        return opts.read("block_size", BlockSize)[-1]
    return BlockSize(scale={"human_readable": 1024, "si": 1000}.get(last or "", 0))


def _wanted(call: Call, dest: str) -> bool:
    when = "never"
    if dest in call.opts:
        when = call.opts.value(dest, "always")
    if when == "always":
        return True
    return when == "auto" and call.stdout.isatty()


def painting(call: Call) -> bool:
    """Return whether names are coloured: like GNU's ls, only if TERM, COLORTERM or LS_COLORS indicate colours."""
    env = call.env
    able = env.get("TERM", "dumb") not in ("", "dumb") or env.get("COLORTERM") or env.get("LS_COLORS")
    if not _wanted(call, "color"):
        return False
    if not bool(able):
        return False
    return call.opts.last_of("color", "zero") == "color"


def color_of(mode: int) -> str:
    """Return the colour codes for a kind of file, or an empty text."""
    if stat.S_ISREG(mode):
        if mode & stat.S_ISUID:
            return "37;41"
        if mode & stat.S_ISGID:
            return "30;43"
        if mode & 0o111:
            return "01;32"
        return ""
    if stat.S_ISDIR(mode) and mode & (stat.S_ISVTX | stat.S_IWOTH):
        if not mode & stat.S_IWOTH:
            return "37;44"
        return "30;42" if mode & stat.S_ISVTX else "34;42"
    return _PAINT.get(stat.S_IFMT(mode), "")


def refuse_unsupported(call: Call) -> None:
    """Raise UsageError for options that only a terminal or an editor can use."""
    if _wanted(call, "hyperlink"):
        raise UsageError("option '--hyperlink' is supported only with 'auto' and 'never'", hint=False)
    if call.opts.dired:
        raise UsageError("option '--dired' (-D) is not supported", hint=False)


def ignoring(call: Call, patterns: Sequence[str]) -> Callable[[str], bool]:
    """Return a test whether a name is ignored; a leading dot must be matched by a dot in the pattern."""
    globs = [(text.startswith((".", "\\.")), compile_glob(text, extglob=False)) for text in patterns]

    def ignores(name: str) -> bool:
        hidden = name.startswith(".")
        for dotted, glob in globs:
            if hidden and not dotted:
                continue
            if glob.matches(name):
                return True
        return False

    return ignores
