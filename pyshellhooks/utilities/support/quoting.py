"""Quoting of names and values in coreutils messages (gnulib quotearg)."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from ...command.call import Call, reason
from ...errors import UsageError
from ...host import current
from ...host.windows_text import drive_of
from ...text import Spelling, characters, translated

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./%+,@]{}#~")
_ESCAPES = {"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v"}


def uses_utf8(env: Mapping[str, str]) -> bool:
    """Return whether messages may use non-ASCII characters: by the first of LC_ALL, LC_CTYPE and LANG that is set."""
    name = env.get("LC_ALL") or env.get("LC_CTYPE") or env.get("LANG") or "C"
    return name.upper().replace("-", "").endswith("UTF8")


def quote(text: str, env: Mapping[str, str]) -> str:
    """Quote a value in a message: ``'x'``, with curly quotes in a UTF-8 locale."""
    if uses_utf8(env):
        return f"\N{LEFT SINGLE QUOTATION MARK}{_escape(text, '')}\N{RIGHT SINGLE QUOTATION MARK}"
    return f"'{_escape(text, chr(39))}'"


def _escape(text: str, mark: str) -> str:
    shown = text if _is_clean(text) else translated(text, _SHOWN)
    return shown.replace(mark, "\\" + mark) if mark else shown


def _printable(char: str) -> bool:
    return char.isprintable() or unicodedata.category(char) in ("Zs", "Cf", "Co")


def _escaped(char: str) -> str:
    return _ESCAPES.get(char) or "".join([f"\\{byte:03o}" for byte in char.encode("utf-8", "surrogateescape")])


def _shown(char: str) -> str:
    if char == "\\":
        return "\\\\"
    return char if _printable(char) else _escaped(char)


def _marked(char: str) -> str:
    if char == "'":
        return "'\\''"
    return char if _printable(char) else f"\0{_escaped(char)}\0"


_SHOWN = Spelling(_shown)
_MARKED = Spelling(_marked)  # escaped runs are between NULs, which do not occur in names


def quote_name(name: str) -> str:
    """Quote a file name in a message as a word of the shell, even if it needs no quotes."""
    found = characters(name)
    plain = all(map(_printable, found))
    if plain and "'" not in found:
        return f"'{name}'"
    if plain and not found & set('"$`\\!'):
        return f'"{name}"'
    return _shell_escape(name)


def _is_clean(text: str) -> bool:
    """Return whether a text has nothing to escape; almost every text is of this kind."""
    return text.isascii() and text.isprintable() and "\\" not in text


def _shell_escape(name: str) -> str:
    runs = translated(name, _MARKED).replace("\0\0", "").split("\0")  # every second run is escaped
    for at in range(1, len(runs), 2):
        # Text that follows needs a closed $'…' and an ordinary quote; else the quote at the very end closes it.
        reopened = "''" if runs[at + 1] else ""
        runs[at] = f"'$'{runs[at]}{reopened}"
    return "'" + "".join(runs) + "'"


def name_of(name: str) -> str:
    """Quote a file name at the start of a message, only if it needs quotes."""
    return quote_name(name) if _needs_quotes(name) else name


def wrong_choice(env: Mapping[str, str], option: str, word: str, choices: Sequence[Sequence[str]]) -> UsageError:
    """Return the error for an invalid value of an option. The words of one choice are synonyms."""
    rows = "".join("\n  - " + ", ".join(quote(name, env) for name in names) for names in choices)
    return UsageError(f"invalid argument {quote(word, env)} for {quote(option, env)}\nValid arguments are:{rows}", 1)


def _needs_quotes(name: str) -> bool:
    """Return whether gnulib's shell-escape style quotes a name."""
    # # and ~ are special to a shell only at the start, a brace only if it is the whole name.
    if not name or name[0] in "#~" or name in ("{", "}"):
        return True
    text = name
    if current().windows and drive_of(name):
        text = name[2:]  # the colon of a drive needs no quotes, as every absolute path has one there
    for char in characters(text):
        special = char not in _PLAIN
        if special and (char <= "\x7f" or not _printable(char)):
            return True
    return False


def choose(env: Mapping[str, str], option: str, word: str, choices: Sequence[Sequence[str]]) -> str:
    """Return the first word of the choice that a word names or abbreviates (gnulib argmatch)."""
    near = [names for names in choices if any(name.startswith(word) for name in names)]
    exact = [names for names in near if word in names]
    candidates = exact or near  # a full word wins, even if longer words begin with it
    if len(candidates) == 1:
        return candidates[0][0]
    error = wrong_choice(env, option, word, choices)
    if near:
        error.message = "ambiguous" + error.message.removeprefix("invalid")
    raise error


def report(call: Call, name: str, error: OSError) -> None:
    """Write ``utility: name: reason`` to stderr."""
    call.error(f"{name_of(name)}: {reason(error)}")
