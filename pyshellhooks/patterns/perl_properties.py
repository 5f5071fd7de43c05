"""Unicode properties of PCRE2 in the syntax of the ``regex`` module (pcre2pattern(3); PCRE2 10.42)."""

from __future__ import annotations

import re

from .ranges import is_property
from .tree import PatternError

_UNKNOWN = "unknown property after \\P or \\p"
#: Properties of PCRE2 alone, and the long names of categories, which it does not know.
_PROPERTIES = {
    "any": r"\U00000000-\U0010ffff",
    "l&": r"\p{Lu}\p{Ll}\p{Lt}",
    "xan": r"\p{L}\p{N}",
    "xps": r"\p{Z}\t-\r\x85",
    "xsp": r"\p{Z}\t-\r\x85",
    "xuc": r"$@`\xa0-\ud7ff\ue000-\U0010ffff",
    "xwd": r"\p{L}\p{N}_",
}
_LONG_CATEGORIES = re.compile(
    r"(?:cased|lowercase|modifier|other|titlecase|uppercase)?letter|(?:nonspacing|spacing|enclosing)?mark|combiningmark|"
    r"(?:decimal|letter|other)?number|(?:connector|dash|open|close|initial|final|other)?punctuation|"
    r"(?:math|currency|modifier|other)?symbol|(?:line|paragraph|space)?separator|control|format|surrogate|privateuse|"
    r"unassigned|other|i[sn].*"
)
_COMMON = frozenset({"common", "inherited"})  # of a script, not among its extensions
_VALUED = frozenset({"sc", "script", "scx", "scriptextensions", "bc", "bidiclass"})


def property_members(name: str) -> str:
    """Return members of a bracket expression for a property's name, in small letters without blanks and ``_``."""
    if name in _PROPERTIES:
        return _PROPERTIES[name]
    kind, mark, value = name.replace(":", "=").partition("=")
    if _LONG_CATEGORIES.fullmatch(name):
        raise PatternError(_UNKNOWN)
    if not mark:
        spelled = _with_extensions(name)
    elif kind in _VALUED:
        spelled = f"{kind}={value}"
    else:
        raise PatternError(_UNKNOWN)
    if not is_property(spelled):
        raise PatternError(_UNKNOWN)
    return f"\\p{{{spelled}}}"


def _with_extensions(name: str) -> str:
    """Return a script's name so that it includes the script's extensions, as in PCRE2; any other name as it is."""
    if len(name) <= 2 or name in _COMMON:
        return name
    extensions = f"scx={name}"
    return extensions if is_property(extensions) else name
