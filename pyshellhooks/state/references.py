"""Variables named by text: ``x``, ``a[1]``, ``m[$key]`` (bash manual 6.7).

The subscript is expanded only once, at the lookup of the element: a second expansion would run the value of a key.
"""

from __future__ import annotations

from ..regexes import lazy_pattern
from .failure import ExpansionError

_NAME = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]*")


def is_name(text: str) -> bool:
    """Return whether a text can name a variable (POSIX XBD 3.216)."""
    return text.isascii() and text.isidentifier()


def is_digits(text: str) -> bool:
    """Return whether a text consists of decimal digits."""
    return text.isascii() and text.isdecimal()


def split_reference(text: str) -> tuple[str, str | None] | None:
    """Return the name of a variable and the text of its subscript, or None; None if the text is not a reference.

    A subscript has at least one character, and its closing bracket, outside of quotes and substitutions, ends the text
    (bash).
    """
    name, subscript, end = read_reference(text)
    if not name or subscript == "" or end != len(text):
        return None
    return name, subscript


def read_reference(text: str) -> tuple[str, str | None, int]:
    """Return the name at the start of a text, its subscript or None, and the index of their end."""
    match = _NAME.match(text)
    end = match.end() if match is not None else 0
    if not end or text[end : end + 1] != "[":
        return text[:end], None, end
    from ..syntax.parser.arithmetic import closing_bracket

    close = closing_bracket(text, end)
    if close < 0:
        return text[:end], None, end
    return text[:end], text[end + 1 : close], close + 1


def check_name(text: str, wrong: str = "not a valid identifier") -> None:
    """Raise ``ExpansionError`` unless a nameref's target is a name, with or without a subscript.

    ``wrong`` is the message; that of ``declare -n`` differs.
    """
    if split_reference(text) is None:
        raise ExpansionError(f"`{text}': {wrong}")


def unknown_element(text: str) -> ExpansionError:
    """Return the failure of an assignment to an invalid subscript."""
    error = ExpansionError(f"{text}: bad array subscript")
    error.unnamed = True
    return error
