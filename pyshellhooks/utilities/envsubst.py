"""envsubst: substitute the values of environment variables in a text (GNU gettext 0.21)."""

from __future__ import annotations

import re

from ..command import Call, Flag, utility
from ..errors import UsageError
from ..regexes import lazy_pattern
from ..text import decode, encode
from .support.records import records

_NAME = rb"[A-Za-z_][A-Za-z0-9_]*"
_REFERENCE = lazy_pattern(rb"\$(?:(" + _NAME + rb")|\{(" + _NAME + rb")\})")


def _names(text: str) -> list[str]:
    return [decode(match[1] or match[2]) for match in _REFERENCE.finditer(encode(text))]


@utility(
    "envsubst",
    summary="Substitutes the values of environment variables.",
    usage="[OPTION] [SHELL-FORMAT]",
    flags=[
        Flag("-v", "--variables", help="output the variables occurring in SHELL-FORMAT"),
        Flag("-h", dest="help", help="display this help and exit"),
        Flag("-V", "--version", help="output version information and exit"),
    ],
)
def envsubst(call: Call) -> int:
    """Replace ``$NAME`` and ``${NAME}``, all or only those in SHELL-FORMAT; other shell syntax is not expanded."""
    opts, args = call.opts, call.args
    if opts.version:
        call.out.write(b"envsubst (pyshellhooks, as GNU gettext-runtime) 0.21\n")
        return 0
    if opts.variables:
        if not args:
            raise UsageError("missing arguments", hint=False)
        if len(args) > 1:
            raise UsageError("too many arguments", hint=False)
        call.out.write(b"".join(encode(name) + b"\n" for name in _names(args[0])))
        return 0
    if len(args) > 1:
        raise UsageError("too many arguments", hint=False)
    wanted = set(_names(args[0])) if args else None
    env = call.env

    def value(match: re.Match[bytes]) -> bytes:
        name = decode(match[1] or match[2])
        if wanted is not None and name not in wanted:
            return match[0]
        return encode(env.get(name, ""))

    for line in records(call, call.stdin):
        call.out.write(_REFERENCE.sub(value, line) if b"$" in line else line)
    return 0
