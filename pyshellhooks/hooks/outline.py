"""Large answers without what is only taken as text.

A rewritten input goes on as the hook spelled it, and nobody looks into it. Four million arrays of it would only keep the
collector busy: it looks at all that there are in one go, which takes a third of a second, and no other thread runs.
"""

from __future__ import annotations

from collections.abc import Collection

from .pieces import LARGE, blanks_end
from .wire import JSON, check, loads, members

#: Members, in lower case, of which only the type is looked at: what they hold is taken from the text.
AS_TEXT = frozenset(
    ["updated_input", "updatedinput", "tool_input", "llm_request", "updatedtooloutput", "updatedmcptooloutput"]
    + ["updated_mcp_tool_output", "patch"]
)
_MANY = 1_000_000  # arrays and objects
_SHORT = 4096  # characters
_LEVELS = 3  # in which such members stand


def loads_outline(text: str, as_text: Collection[str] = AS_TEXT) -> JSON:
    """Parse an answer as ``loads`` does; in one of very many arrays, large members that are taken as text hold nothing.

    They are still false where they would be.
    """
    if len(text) <= LARGE or text.count("[") + text.count("{") <= _MANY:
        return loads(text)
    check(text)
    return _outline(text[blanks_end(text, 0) :], as_text, _LEVELS)


def _outline(text: str, as_text: Collection[str], levels: int) -> JSON:
    if text[0] != "{" or len(text) <= _SHORT or not levels:
        return loads(text)
    found: dict[str, JSON] = {}
    for key, raw in members(text):
        if len(raw) > _SHORT and raw[0] in "{[" and key.lower() in as_text:
            empty = blanks_end(raw, 1) == len(raw) - 1
            found[key] = _nothing(raw[0], empty)
        else:
            found[key] = _outline(raw, as_text, levels - 1)
    return found


def _nothing(bracket: str, empty: bool) -> JSON:
    if bracket == "[":
        return [] if empty else [None]
    return {} if empty else {"": None}
