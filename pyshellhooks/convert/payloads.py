"""The words of a payload that another system has under other names, as far as a hook's script reads them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..hooks.dialect import Dialect, EventSpec
from ..hooks.tool_kinds import BY_NAME
from .script_texts import ScriptTexts

#: Fields by which no guard decides.
_ABOUT_THE_SESSION = frozenset(["session_id", "turn_id", "cwd", "model", "transcript_path", "permission_mode"])


def renamed(
    source: Dialect, row: EventSpec, target: Dialect, other: EventSpec, kinds: Collection[str], texts: ScriptTexts
) -> Iterator[tuple[str, str]]:
    """Yield each word of the payload that a script reads, or may read, with its name in the other system.

    ``kinds``: of the tools that the hook is for. The name is ``""`` for a word that the other system does not have.
    """
    is_same_place = source.data_key == target.data_key and source.payload_variables == target.payload_variables
    for field in row.fields:
        if field.native == source.event_key or field.neutral in _ABOUT_THE_SESSION:
            continue
        name = other.places.get(field.neutral, "")
        is_same = name == field.native and is_same_place
        may_be_read = (texts.whole or field.needed) and texts.has_word(field.native)
        if may_be_read and not is_same:
            yield field.native, f"{target.data_key}.{name}" if name and target.data_key else name
    if "tool_input" in row.places and texts.has_word(row.places["tool_input"]):
        yield from _arguments(source, target, kinds, texts)
        if texts.has_word(row.places.get("tool_name", "\0")):
            yield from _tools(source, target, kinds, texts)


def _arguments(
    source: Dialect, target: Dialect, kinds: Collection[str], texts: ScriptTexts
) -> Iterator[tuple[str, str]]:
    """Yield the arguments of tools that the other system has under other names."""
    for kind in kinds:
        if kind not in BY_NAME:
            continue
        for argument in BY_NAME[kind].needs:
            here = source.arguments.get(kind, {}).get(argument, argument)
            there = target.arguments.get(kind, {}).get(argument, argument)
            if here != there and texts.has_word(here):
                yield here, there


def _tools(source: Dialect, target: Dialect, kinds: Collection[str], texts: ScriptTexts) -> Iterator[tuple[str, str]]:
    """Yield the names of tools that the other system has under other names."""
    for kind in kinds:
        others = target.tools.get(kind, ())
        for name in source.tools.get(kind, ()) if others else ():
            if name not in others and texts.has_value(name):
                yield name, others[0]


def in_patches(source: Dialect, target: Dialect, kinds: Collection[str], texts: ScriptTexts) -> list[str]:
    """Return the arguments that a script reads, or may read, and that the other system's tool has only inside a patch.

    No translation finds them: the arguments of such a tool are one text.
    """
    names_read: dict[str, None] = {}
    for kind in kinds:
        known = BY_NAME.get(kind)
        if known is None or not _is_patch(target, kind) or _is_patch(source, kind):
            continue
        names = (source.arguments.get(kind, {}).get(argument, argument) for argument in known.needs)
        names_read.update(dict.fromkeys(name for name in names if texts.has_word(name)))
    return list(names_read)


def _is_patch(dialect: Dialect, kind: str) -> bool:
    """Return whether a system's tool of a kind takes a text instead of the usual arguments."""
    tools = dialect.tools.get(kind, ())
    return bool(tools) and BY_NAME["edit"].sure.issuperset(tools)
