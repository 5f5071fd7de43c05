"""Variables named by text: ``x``, ``a[1]``, ``m[$key]`` (bash manual 6.7).

The subscript of a text is expanded once, by whoever looks the element up. Twice would run what a key holds.
"""

from __future__ import annotations

from ..regexes import lazy_pattern
from .failure import ExpansionError

_NAME = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]*")


def is_name(text: str) -> bool:
    """Say whether a text can name a variable (POSIX XBD 3.216)."""
    return text.isascii() and text.isidentifier()


def is_digits(text: str) -> bool:
    """Say whether a text is decimal digits and nothing else."""
    return text.isascii() and text.isdecimal()


def split_reference(text: str) -> tuple[str, str | None] | None:
    """Return the name and the text of its subscript, if it has one; None for what names no variable.

    A subscript has at least a character, and its bracket closes at the end, quotes and substitutions counted (bash).
    """
    name, subscript, end = read_reference(text)
    return (name, subscript) if name and subscript != "" and end == len(text) else None


def read_reference(text: str) -> tuple[str, str | None, int]:
    """Return the name at the start of a text, its subscript if one follows, and where they end."""
    found = _NAME.match(text)
    end = found.end() if found is not None else 0
    if not end or text[end : end + 1] != "[":
        return text[:end], None, end
    from ..syntax.parser.arithmetic import closing_bracket

    close = closing_bracket(text, end)
    return (text[:end], None, end) if close < 0 else (text[:end], text[end + 1 : close], close + 1)


def check_name(text: str, wrong: str = "not a valid identifier") -> None:
    """A nameref's target must be a name, with or without a subscript; ``declare -n`` has its own word for what is not."""
    if split_reference(text) is None:
        raise ExpansionError(f"`{text}': {wrong}")


def unknown_element(text: str) -> ExpansionError:
    """Return the failure of setting what a subscript does not name."""
    error = ExpansionError(f"{text}: bad array subscript")
    error.unnamed = True
    return error
