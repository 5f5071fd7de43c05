"""Colours of the output (``--colors``), as escape sequences of a terminal (ECMA-48 8.3.117)."""

from __future__ import annotations

from ...errors import UsageError

_TYPES = ("path", "line", "column", "match")
_COLORS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_STYLES = {
    "bold": ("bold", True),
    "nobold": ("bold", False),
    "intense": ("intense", True),
    "nointense": ("intense", False),
    "underline": ("underline", True),
    "nounderline": ("underline", False),
}


class _Spec:
    """The attributes of one kind of text."""

    __slots__ = ("background", "bold", "foreground", "intense", "underline")

    def __init__(self, foreground: str = "", bold: bool = False) -> None:
        self.clear()
        self.foreground = foreground
        self.bold = bold

    def clear(self) -> None:
        """Reset all attributes."""
        self.foreground = self.background = ""
        self.bold = self.intense = self.underline = False

    def start(self) -> bytes:
        """Return the escape sequences that precede such a text."""
        codes = ["0"]
        codes += ["1"] * self.bold + ["4"] * self.underline
        for color, plain, bright in ((self.foreground, "3", "38;5;"), (self.background, "4", "48;5;")):
            if color in _COLORS:
                place = _COLORS.index(color)
                if self.intense:
                    code = f"{bright}{place + 8}"
                else:
                    code = f"{plain}{place}"
                codes.append(code)
            elif color:
                codes.append(f"{plain}8;{color}")
        return b"".join([b"\33[%bm" % code.encode() for code in codes])


class Palette:
    """The colours of one call, for each kind of text."""

    __slots__ = ("_starts",)

    def __init__(self, specs: dict[str, _Spec]) -> None:
        self._starts = {name: spec.start() for name, spec in specs.items()}

    def paint(self, name: str, text: bytes) -> bytes:
        """Wrap a text in the colour of its kind: ``path line column match``."""
        return self._starts[name] + text + b"\33[0m"


def palette_of(values: list[str]) -> Palette:
    """Parse the values of ``--colors``, such as ``match:fg:blue``. Raise ``UsageError`` with ripgrep's messages."""
    specs = {
        "path": _Spec("magenta"),
        "line": _Spec("green"),
        "column": _Spec(),
        "match": _Spec("red", True),
    }
    for text in values:
        _apply(specs, text)
    return Palette(specs)


def _apply(specs: dict[str, _Spec], text: str) -> None:
    kind, *rest = text.split(":")
    if len(rest) not in (1, 2):
        raise _wrong_format(text)
    if kind.lower() not in _TYPES:
        raise UsageError(f"unrecognized output type '{kind}'. Choose from: path, line, column, match.", hint=False)
    spec = specs[kind.lower()]
    what = rest[0].lower()
    if what == "none":
        spec.clear()
        return
    if what not in ("fg", "bg", "style"):
        raise UsageError(f"unrecognized spec type '{rest[0]}'. Choose from: fg, bg, style, none.", hint=False)
    if len(rest) < 2:
        raise _wrong_format(text)
    value = rest[1].lower()
    if what == "style":
        if value not in _STYLES:
            raise UsageError(
                f"unrecognized style attribute '{rest[1]}'. Choose from: nobold, bold, nointense, intense, "
                "nounderline, underline.",
                hint=False,
            )
        setattr(spec, *_STYLES[value])
    elif what == "fg":
        spec.foreground = _color(value)
    else:
        spec.background = _color(value)


def _wrong_format(text: str) -> UsageError:
    return UsageError(
        f"invalid color spec format: '{text}'. Valid format is '(path|line|column|match):(fg|bg|style):(value)'.",
        hint=False,
    )


def _color(text: str) -> str:
    """Return a colour's name, or the parameters after 38 and 48 for a colour given by number or as a triple."""
    if text in _COLORS:
        return text
    parts = text.split(",")
    numbers = [_byte(part) for part in parts]
    is_number = text[:1].isdigit() or numbers[0] is not None
    if len(parts) == 1 and is_number:
        if numbers[0] is None:
            raise UsageError(
                f"unrecognized ansi256 color number, should be '[0-255]' (or a hex number), but is '{text}'", hint=False
            )
        return f"5;{numbers[0]}"
    if len(parts) == 3:
        if None in numbers:
            raise UsageError(
                "unrecognized RGB color triple, should be '[0-255],[0-255],[0-255]' (or a hex triple), "
                f"but is '{text}'",
                hint=False,
            )
        return f"2;{numbers[0]};{numbers[1]};{numbers[2]}"
    raise UsageError(
        f"unrecognized color name '{text}'. Choose from: {', '.join(_SHOWN)}",
        hint=False,
    )


_SHOWN = ("black", "blue", "green", "red", "cyan", "magenta", "yellow", "white")


def _byte(text: str) -> int | None:
    digits, base = text, 10
    if text.startswith("0x"):
        digits, base = text[2:], 16
    # Unlike Rust's parser, int() takes blanks, underscores, signs and digits of other scripts.
    if not digits or len(digits) > 9:
        return None
    if not digits.isascii() or not digits.isalnum():
        return None
    try:
        value = int(digits, base)
    except ValueError:
        return None
    if value < 256:
        return value
    return None
