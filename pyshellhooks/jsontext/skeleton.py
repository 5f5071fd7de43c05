"""A parser for large answers that leaves out unused members.

A rewritten input is passed on as the hook spelled it, and unknown members are not read. Building four million arrays of
them would only cost time: the garbage collector visits all in one pass, which stops the other threads for a third of a
second.
"""

from __future__ import annotations

from .chunks import LARGE, blanks_end
from .compact import JSON, check, loads, members

#: Members, in lower case, that some system reads; of others only the type or the text is used.
_READ = frozenset(
    "context decision continue reason stopreason stop_reason systemmessage watchpaths updatedpermissions content"
    " toolconfig allowedfunctionnames llm_response tailtoolcallrequest env pluginpaths permission behavior message".split()
)
_INNER = frozenset(["hookspecificoutput", "hook_specific_output", "decision", "patch"])  # objects with such members
_MANY = 1_000_000  # arrays and objects
_SHORT = 4096  # characters
_LEVELS = 3


def loads_outline(text: str) -> JSON:
    """Parse an answer as ``loads`` does; in an answer with very many arrays, large unused members are placeholders.

    A placeholder has the member's type and truth value.
    """
    if len(text) <= LARGE or text.count("[") + text.count("{") <= _MANY:
        return loads(text)
    check(text)
    return _outline(text[blanks_end(text, 0) :], _LEVELS)


def _outline(text: str, levels: int) -> JSON:
    if text[0] != "{" or not levels:
        return loads(text)
    result: dict[str, JSON] = {}
    for key, raw in members(text):
        name = key.lower()
        is_small = len(raw) <= _SHORT or raw[0] not in "{["
        if not is_small and name in _INNER:
            result[key] = _outline(raw, levels - 1)
        elif is_small or name in _READ:
            result[key] = loads(raw)
        else:
            empty = blanks_end(raw, 1) == len(raw) - 1
            result[key] = _nothing(raw[0], empty)
    return result


def _nothing(bracket: str, empty: bool) -> JSON:
    if bracket == "[":
        return [] if empty else [None]
    return {} if empty else {"": None}
