"""Names in the output of ls: quoting styles, widths and columns (GNU coreutils 9.1, gnulib quotearg)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...command import Call
from ..support.quoting import quote, quote_name
from ..wc import width_of

STYLES = (
    "literal", "shell", "shell-always", "shell-escape", "shell-escape-always", "c", "c-maybe", "escape", "locale",
    "clocale",
)  # fmt: skip
_ESCAPES = {"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v"}
_SPECIAL = frozenset(" !\"#$&'()*;<=>?[\\^`|")  # quoted in the shell styles; # and ~ only at the start
_GAP = 2
_LEAST = 3  # minimum width of a column


def style_of(call: Call) -> str:
    """Return the quoting style that the options or QUOTING_STYLE select."""
    opts = call.opts
    last = opts.last_of("literal", "escape", "quote_name", "quoting_style", "zero")
    if last == "quoting_style":
        return opts.value("quoting_style")
    if last is None:
        wanted = call.env.get("QUOTING_STYLE", "")
        return wanted if wanted in STYLES else "literal"
    return {"escape": "escape", "quote_name": "c"}.get(last, "literal")


def writer(call: Call, style: str) -> Callable[[str], str]:
    """Return the function that formats a name in a style."""
    hide = call.opts.last_of("hide_control_chars", "show_control_chars") == "hide_control_chars"
    if style == "literal":
        return _hidden if hide else lambda name: name
    if style in ("escape", "c", "c-maybe", "locale", "clocale"):
        return lambda name: _escaped(call, name, style)
    always = style.endswith("always")
    if style.startswith("shell-escape"):
        return lambda name: _shell_escaped(name, always)
    return lambda name: _shell_quoted(_hidden(name) if hide else name, always)


def _unprintable(char: str) -> bool:
    if not (char.isprintable() or char == "\u3000"):
        return True
    return 0xDC80 <= ord(char) <= 0xDCFF


def _hidden(name: str) -> str:
    return "".join("?" if _unprintable(char) else char for char in name)


def _escaped(call: Call, name: str, style: str) -> str:
    if style in ("locale", "clocale"):
        return quote(name, call.env)
    if style == "c-maybe" and '"' not in name and not any(_unprintable(char) for char in name):
        return name
    mark = '"' if style in ("c", "c-maybe") else " "
    out = []
    for char in name:
        if char == "\\" or char == mark:
            out.append("\\" + char)
        elif char in _ESCAPES:
            out.append(_ESCAPES[char])
        elif _unprintable(char):
            out.append("".join(f"\\{byte:03o}" for byte in char.encode("utf-8", "surrogateescape")))
        else:
            out.append(char)
    text = "".join(out)
    if style == "escape":
        return text
    return f'"{text}"'


def _needs_quotes(name: str) -> bool:
    if not name:
        return True
    if name[0] in "#~":
        return True
    return bool(_SPECIAL & set(name[1:]) or name[0] in _SPECIAL - {"#"})


def _shell_quoted(name: str, always: bool) -> str:
    is_plain = not always and not _needs_quotes(name) and "\n" not in name and "\t" not in name
    if is_plain:
        return name
    if "'" in name and not set(name) & set('"$`\\!'):
        return f'"{name}"'
    return "'" + name.replace("'", "'\\''") + "'"


def _shell_escaped(name: str, always: bool) -> str:
    if any(_unprintable(char) for char in name):
        return quote_name(name)
    return _shell_quoted(name, always)


def shown_width(name: str) -> int:
    """Return the number of columns that a name takes on a terminal."""
    if name.isascii() and name.isprintable():
        return len(name)
    # Undecodable bytes are shown as one character each.
    return sum(width_of(char) if char.isprintable() else 0xDC80 <= ord(char) <= 0xDCFF for char in name)


def columns(names: Sequence[str], lengths: Sequence[int], width: int, tab: int, *, down: bool, end: str) -> str:
    """Lay names out in as many columns as fit, down the columns (``-C``) or along the rows (``-x``)."""
    count = len(names)
    tab = tab if width else 0
    most = count
    if width:
        most = min(count, max(1, width // _LEAST))
    widths = [max(lengths)]
    for number in range(most, 1, -1):
        rows = -(-count // number)
        tried = [_LEAST] * number
        for at, length in enumerate(lengths):
            column = at // rows if down else at % number
            if column < number - 1:
                length += _GAP
            tried[column] = max(tried[column], length)
        if not width or sum(tried) < width:
            widths = tried
            break
    rows = -(-count // len(widths))
    lines = []
    for row in range(rows):
        if down:
            chosen = range(row, count, rows)
        else:
            chosen = range(row * len(widths), min(count, (row + 1) * len(widths)))
        line, at, start = [], 0, 0
        for column, index in enumerate(chosen):
            line.append(_indent(at, start, tab) + names[index])
            at = start + lengths[index]
            start += widths[column]
        lines.append("".join(line) + end)
    return "".join(lines)


def _indent(at: int, to: int, tab: int) -> str:
    out = []
    while at < to:
        if tab and to // tab > (at + 1) // tab:
            out.append("\t")
            at += tab - at % tab
        else:
            out.append(" ")
            at += 1
    return "".join(out)


def commas(names: Sequence[str], lengths: Sequence[int], width: int, end: str) -> str:
    """Join names with commas, in lines that fit (``-m``)."""
    out: list[str] = []
    at = 0
    for name, length in zip(names, lengths, strict=True):
        if out:
            if not width or at + length + _GAP < width:
                out.append(", ")
                at += _GAP
            else:
                out.append(f",{end}")
                at = 0
        out.append(name)
        at += length
    return "".join(out) + end
