"""Expanding text that is known at run time only: prompts, subscripts of indirect names."""

from __future__ import annotations

import time

from ..errors import ShellSyntaxError
from ..fs.identity import identity
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.failure import ExpansionError
from ..text import pause
from .compile import WORDS


def expand_text(ctx: Ctx, text: str) -> str:
    """Expand text as if it stood in double quotes."""
    if "$" not in text and "`" not in text and "\\" not in text and '"' not in text and "'" not in text:
        return text
    from ..syntax.parser import parse_word

    try:
        return WORDS.string(parse_word(text))(ctx)
    except ShellSyntaxError as error:
        raise ExpansionError(error.diagnostic.message) from None


def expand_subscript(ctx: Ctx, text: str) -> str:
    """Expand the text between ``[`` and ``]`` as a word of its own."""
    if "assoc_expand_once" in ctx.shopts or not any(c in text for c in "$`\\\"'"):
        return text
    from ..syntax.parser import parse_subscript

    try:
        return WORDS.string(parse_subscript(text).word, tilde=False)(ctx)
    except ShellSyntaxError as error:
        raise ExpansionError(error.diagnostic.message) from None


def subscript_number(ctx: Ctx, text: str) -> int:
    """Evaluate the text between ``[`` and ``]`` of an indexed array, expanded once."""
    if text.isdecimal() and text.isascii() and text[0] != "0" and len(text) < 19:
        return int(text)
    from ..expand.arithmetic import ArithCompiler
    from ..syntax.parser import parse_subscript

    try:
        key = ArithCompiler(WORDS, expanded=True).subscript(parse_subscript(text))(ctx, None)
    except ShellSyntaxError as error:
        raise ExpansionError(error.diagnostic.message) from None
    assert isinstance(key, int)
    return key


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
        letter = text[end + 1]
        at = end + 2
        if letter in "01234567":
            digits = text[at - 1 : at + 2]
            length = 0
            while length < 3 and length < len(digits) and digits[length] in "01234567":
                length += 1
            out += chr(int(digits[:length], 8))
            at += length - 1
        elif letter == "D" and text[at : at + 1] == "{":
            end = text.find("}", at)
            form = text[at + 1 : end] if end > 0 else ""
            at = end + 1 if end > 0 else len(text)
            out += _now(ctx, form or "%X")
        else:
            out += _escape(ctx, letter)
    return expand_text(ctx, out)


def _now(ctx: Ctx, form: str) -> str:
    """Say what time it is where the script says that it is: an exported TZ counts (bash), the machine's zone does not."""
    from ..times.moments import moment, strftime

    zone = variables.get(ctx, "TZ") if "TZ" in ctx.exports else ""
    return strftime(form, moment(time.time_ns(), zone or ""), extensions="")


def _escape(ctx: Ctx, letter: str) -> str:
    host = identity(ctx.run.fs)
    match letter:
        case "a" | "e" | "n" | "r":
            return {"a": "\a", "e": "\x1b", "n": "\n", "r": "\r"}[letter]
        case "$":
            return "#" if host.euid() == 0 else "\\$"
        case "h":
            return host.hostname().partition(".")[0]
        case "H":
            return host.hostname()
        case "u":
            return host.user_name() or ""
        case "w" | "W":
            home = variables.get(ctx, "HOME") or ""
            cwd = "~" + ctx.cwd[len(home) :] if home and (ctx.cwd + "/").startswith(home + "/") else ctx.cwd
            return cwd if letter == "w" else (cwd.rpartition("/")[2] or cwd)
        case "s":
            return ctx.arg0.rpartition("/")[2]
        case "v" | "V":
            return "5.2" if letter == "v" else "5.2.0"
        case "j" | "!" | "#":
            return "0" if letter == "j" else "1"
        case "t" | "T" | "@" | "A" | "d":
            forms = {"t": "%H:%M:%S", "T": "%I:%M:%S", "@": "%I:%M %p", "A": "%H:%M", "d": "%a %b %d"}
            return _now(ctx, forms[letter])
        case "[" | "]":
            return ""
        case "\\":
            return "\\\\"
        case _:
            return "\\" + letter
