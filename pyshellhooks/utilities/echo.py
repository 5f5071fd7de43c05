"""echo: write arguments (bash builtin; POSIX XCU echo leaves options and escapes unspecified)."""

from __future__ import annotations

from collections.abc import Sequence

from ..command import Call, Flag, utility
from ..text import encode
from .support.escapes import ECHO, expand


def format_echo(args: Sequence[str], xpg: bool = False) -> bytes:
    """Return what bash's ``echo`` prints for ``args``.

    A leading word of ``-`` and only the letters ``n``, ``e`` and ``E`` is an option; any other word begins the text.
    ``xpg`` is the ``xpg_echo`` option: escapes are expanded without ``-e``.
    """
    if not xpg and (not args or not args[0].startswith("-")):
        return encode(" ".join(args)) + b"\n"  # the usual call, without options
    newline = True
    escapes = xpg
    first = 0
    for word in args:
        letters = word[1:]
        if not word.startswith("-") or not letters or letters.strip("neE"):
            break
        first += 1
        for letter in letters:
            if letter == "n":
                newline = False
            else:
                escapes = letter == "e"  # of e and E the last one counts
    text = encode(" ".join(args[first:]))
    if escapes:
        text, ended, _ = expand(text, ECHO)
        if ended:  # \c also drops the newline
            return text
    return text + b"\n" if newline else text


_LISTED = (
    Flag("-n", help="do not output the trailing newline"),
    Flag("-e", help="enable interpretation of backslash escapes"),
    Flag("-E", help="disable interpretation of backslash escapes (default)"),
)


@utility("echo", summary="Write arguments to standard output.", usage="[-neE] [STRING]...", flags=None, listed=_LISTED)
def echo(call: Call) -> int:
    call.out.write(format_echo(call.args))
    return 0
