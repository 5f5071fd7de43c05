"""``-regextype``: translation of the syntaxes of -regex to POSIX's (GNU find manual 8.5).

Emacs's syntax has the operators ``+`` and ``?``, ``\\(``, ``\\|``, and neither intervals nor character classes. The
minimal one has no alternation and no ``\\+``. Both are rewritten as basic expressions for ``pyshellhooks.patterns``.
"""

from __future__ import annotations

from ...patterns.engines import Regex, compile_patterns
from ...text import EVERY, pause

# Type: syntax and dialect.
_TYPES = {
    "findutils-default": ("emacs", "posix"),
    "ed": ("basic", "posix"),
    "emacs": ("emacs", "posix"),
    "gnu-awk": ("extended", "awk"),
    "grep": ("basic", "posix"),
    "posix-awk": ("extended", "awk"),
    "awk": ("extended", "awk"),
    "posix-basic": ("basic", "posix"),
    "posix-egrep": ("extended", "grep"),
    "egrep": ("extended", "grep"),
    "posix-extended": ("extended", "posix"),
    "posix-minimal-basic": ("minimal", "posix"),
    "sed": ("basic", "posix"),
}
TYPES = tuple(_TYPES)


def compile_regex(text: str, kind: str, ignore_case: bool, utf8: bool) -> Regex:
    """Compile an expression that must match a whole path; raise ``PatternError`` with glibc's message."""
    syntax, dialect = _TYPES[kind]
    if syntax in ("emacs", "minimal"):
        text = _as_basic(text, syntax == "emacs", kind != "emacs")
        syntax = "basic"
    elif kind in ("awk", "posix-awk"):
        text = _as_awk(text, kind == "posix-awk")
    return compile_patterns(
        (text,),
        syntax=syntax,
        dialect=dialect,
        ignore_case=ignore_case,
        captures=False,
        whole_lines=True,
        utf8=utf8,
    )


def _as_basic(text: str, emacs: bool, newline_dot: bool) -> str:
    out: list[str] = []
    at = 0
    while at < len(text):
        if not len(out) % EVERY:
            pause()
        char = text[at]
        if char == "[":
            end = _bracket_end(text, at, emacs)
            bracket = text[at:end]
            if emacs:
                bracket = _plain_bracket(bracket)
            out.append(bracket)
            at = end
            continue
        at += 1
        if char == "\\" and at < len(text):
            following = text[at]
            at += 1
            literal = "+?{}" if emacs else "+?|"
            if following in literal:
                out.append(following)
            else:
                out.append(char + following)
        elif emacs and char in "+?":
            out.append("\\" + char)
        elif char == "." and not newline_dot:
            out.append("[^\n]")  # only . excludes newlines: [^x] matches them
        else:
            out.append(char)
    return "".join(out)


def _as_awk(text: str, posix: bool) -> str:
    """Escape the operators that these two lack: GNU's (``\\w``), and in ``awk`` also intervals and ``\\1``."""
    out: list[str] = []
    at = 0
    while at < len(text):
        pause()
        char = text[at]
        if char == "[":
            end = _bracket_end(text, at, False)
            out.append(text[at:end])
            at = end
            continue
        at += 1
        if char == "\\" and at < len(text):
            following = text[at]
            at += 1
            is_reference = following in "123456789"
            plain = following in "wWsSbB<>`'" or (is_reference and not posix)
            if plain:
                out.append(following)
            else:
                out.append(char + following)
        elif char == "{" and not posix:
            out.append("\\{")
        else:
            out.append(char)
    return "".join(out)


def _bracket_end(text: str, at: int, emacs: bool) -> int:
    """Return the end of a bracket expression; in Emacs's syntax ``[:`` has no meaning inside."""
    at += 1
    if text.startswith("^", at):
        at += 1
    if text.startswith("]", at):
        at += 1
    while at < len(text) and text[at] != "]":
        pause()
        opens_class = text[at] == "[" and text[at + 1 : at + 2] in (":", ".", "=")
        if opens_class and not emacs:
            close = text.find(text[at + 1] + "]", at + 2)
            if close > 0:
                at = close + 1
        at += 1
    return min(at + 1, len(text))


def _plain_bracket(bracket: str) -> str:
    """Rewrite a bracket expression so that ``[:`` in it is two characters: the ``[`` is moved to its end."""
    if "[:" not in bracket[1:] or not bracket.endswith("]"):
        return bracket
    inside = bracket[1:-1]
    return "[" + inside.replace("[:", ":") + "[]"
