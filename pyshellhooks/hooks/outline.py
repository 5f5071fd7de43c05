"""Large answers without what nobody looks at.

A rewritten input goes on as the hook spelled it, and what a system does not know is not read. Four million arrays of it
would only keep the collector busy: it looks at all that there are in one go, which takes a third of a second, and no
other thread runs.
"""

from __future__ import annotations

from .pieces import LARGE, blanks_end
from .wire import JSON, check, loads, members

#: Members, in lower case, into which some system looks; of others only the type counts, or their text.
_READ = frozenset(
    "context decision continue reason stopreason stop_reason systemmessage watchpaths updatedpermissions content"
    " toolconfig allowedfunctionnames llm_response tailtoolcallrequest env pluginpaths permission behavior message".split()
)
_INNER = frozenset(["hookspecificoutput", "hook_specific_output", "decision", "patch"])  # objects with such members
_MANY = 1_000_000  # arrays and objects
_SHORT = 4096  # characters
_LEVELS = 3


def loads_outline(text: str) -> JSON:
    """Parse an answer as ``loads`` does; in one of very many arrays, large members that nobody looks into hold nothing.

    They are of their type, and false where they would be.
    """
    if len(text) <= LARGE or text.count("[") + text.count("{") <= _MANY:
        return loads(text)
    check(text)
    return _outline(text[blanks_end(text, 0) :], _LEVELS)


def _outline(text: str, levels: int) -> JSON:
    if text[0] != "{" or not levels:
        return loads(text)
    found: dict[str, JSON] = {}
    for key, raw in members(text):
        name = key.lower()
        if len(raw) <= _SHORT or raw[0] not in "{[" or (name in _READ and name not in _INNER):
            found[key] = loads(raw)
        elif name in _INNER:
            found[key] = _outline(raw, levels - 1)
        else:
            empty = blanks_end(raw, 1) == len(raw) - 1
            found[key] = _nothing(raw[0], empty)
    return found


def _nothing(bracket: str, empty: bool) -> JSON:
    if bracket == "[":
        return [] if empty else [None]
    return {} if empty else {"": None}
