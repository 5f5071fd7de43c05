"""clear: clear the terminal's screen (ncurses 6.4), with built-in sequences of common terminals, without terminfo."""

from __future__ import annotations

from ..command import Call, Flag, utility
from ..errors import UsageError

_HOME = b"\x1b[H"
_BELOW = _HOME + b"\x1b[J"
_SCREEN = _HOME + b"\x1b[2J"
_SCROLLBACK = b"\x1b[3J"
# By the first part of the terminal's name: sequences to clear the screen and to clear the scrollback.
_TERMINALS = {
    "xterm": (_SCREEN, _SCROLLBACK),
    "linux": (_BELOW, _SCROLLBACK),
    "tmux": (_BELOW, _SCROLLBACK),
    "screen": (_BELOW, b""),
    "vt100": (_BELOW, b""),
    "vt220": (_BELOW, b""),
    "ansi": (_BELOW, b""),
}


@utility(
    "clear",
    summary="Clear the terminal screen.",
    usage="[options]",
    flags=[
        Flag("-T", value="TERM", help="use this instead of $TERM"),
        Flag("-x", help="do not try to clear scrollback"),
    ],
)
def clear(call: Call) -> int:
    if call.args:
        raise UsageError(f"extra operand '{call.args[0]}'")
    name = call.opts.value("T") if "T" in call.opts else call.env.get("TERM")
    if name is None:
        call.stderr.write(b"TERM environment variable not set.\n")
        return 1
    if name == "dumb":
        return 1  # a dumb terminal cannot clear its screen
    found = _TERMINALS.get(name.partition("-")[0])
    if found is None:
        call.stderr.write(f"'{name}': unknown terminal type.\n".encode("utf-8", "surrogateescape"))
        return 1
    screen, scrollback = found
    call.out.write(screen if call.opts.x else screen + scrollback)
    return 0
