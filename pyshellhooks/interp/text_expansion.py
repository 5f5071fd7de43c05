"""Expanding text that is known at run time only: prompts, subscripts of indirect names."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from ..errors import ShellSyntaxError
from ..fs.identity import identity
from ..regexes import lazy_pattern
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.failure import ExpansionError
from ..text import pause
from .compile import WORDS


def expand_text(ctx: Ctx, text: str) -> str:
    """Expand text as in double quotes."""
    if not _may_expand(text):
        return text
    from ..syntax.parser import parse_word

    try:
        return WORDS.string(parse_word(text))(ctx)
    except ShellSyntaxError as error:
        raise ExpansionError(error.diagnostic.message) from None


def _may_expand(text: str) -> bool:
    return any(character in text for character in "$`\\\"'")


def expand_subscript(ctx: Ctx, text: str) -> str:
    """Expand the text between ``[`` and ``]`` as a separate word."""
    if "assoc_expand_once" in ctx.shopts or not _may_expand(text):
        return text
    from ..syntax.parser import parse_subscript

    try:
        return WORDS.string(parse_subscript(text).word, tilde=False)(ctx)
    except ShellSyntaxError as error:
        raise ExpansionError(error.diagnostic.message) from None


def subscript_number(ctx: Ctx, text: str) -> int:
    """Evaluate the text between ``[`` and ``]`` of an indexed array, expanded once."""
    from ..expand.arithmetic import ArithCompiler, is_plain

    if is_plain(text):
        return int(text)
    from ..syntax.parser import parse_subscript

    try:
        key = ArithCompiler(WORDS, expanded=True).subscript(parse_subscript(text))(ctx, None)
    except ShellSyntaxError as error:
        raise ExpansionError(error.diagnostic.message) from None
    assert isinstance(key, int)
    return key


# Escapes of more than a letter: up to three octal digits, and a date, whose brace need not be closed.
_LONG = lazy_pattern(r"(?P<code>[0-7]{1,3})|D\{(?:(?P<form>[^}]*)\}|.*)", re.DOTALL)


def expand_prompt(ctx: Ctx, text: str) -> str:
    """Expand a prompt: backslash escapes first, then as in double quotes (bash "Controlling the Prompt")."""
    out = ""
    at = 0
    while at < len(text):
        pause()
        end = text.find("\\", at)
        if end < 0 or end + 1 == len(text):
            out += text[at:]
            break
        out += text[at:end]
        match = _LONG.match(text, end + 1)
        if match is None:
            at = end + 2
            out += _escape(ctx, text[end + 1])
            continue
        at = match.end()
        if match["code"]:
            out += chr(int(match["code"], 8))
        else:
            out += _now(ctx, match["form"] or "%X")
    return expand_text(ctx, out)


def _now(ctx: Ctx, form: str) -> str:
    """Format the current time in the zone of an exported TZ (bash), else in UTC: the machine's zone does not count."""
    from ..times.moments import moment, strftime

    zone = variables.get(ctx, "TZ") if "TZ" in ctx.exports else ""
    return strftime(form, moment(time.time_ns(), zone or ""), extensions="")


def _escape(ctx: Ctx, letter: str) -> str:
    text = _TEXTS.get(letter)
    if text is not None:
        return text
    form = _TIMES.get(letter)
    if form is not None:
        return _now(ctx, form)
    reading = _READINGS.get(letter)
    return "\\" + letter if reading is None else reading(ctx)


def _directory(ctx: Ctx) -> str:
    home = variables.get(ctx, "HOME") or ""
    is_below_home = bool(home) and (ctx.cwd + "/").startswith(home + "/")
    return "~" + ctx.cwd[len(home) :] if is_below_home else ctx.cwd


_TEXTS = {
    "a": "\a", "e": "\x1b", "n": "\n", "r": "\r", "v": "5.2", "V": "5.2.0", "j": "0", "!": "1", "#": "1",
    "[": "", "]": "", "\\": "\\\\",
}  # fmt: skip
_TIMES = {"t": "%H:%M:%S", "T": "%I:%M:%S", "@": "%I:%M %p", "A": "%H:%M", "d": "%a %b %d"}
_READINGS: dict[str, Callable[[Ctx], str]] = {
    "$": lambda ctx: "\\$" if identity(ctx.run.fs).euid() else "#",
    "h": lambda ctx: identity(ctx.run.fs).hostname().partition(".")[0],
    "H": lambda ctx: identity(ctx.run.fs).hostname(),
    "u": lambda ctx: identity(ctx.run.fs).user_name() or "",
    "s": lambda ctx: ctx.arg0.rpartition("/")[2],
    "w": _directory,
    "W": lambda ctx: _directory(ctx).rpartition("/")[2] or _directory(ctx),
}
