"""The paths in an event's fields on Windows: as scripts see them, and back as the caller wrote them. Pure.

Only fields and arguments that hold paths change; commands and other texts never do (decisions paths on Windows).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...hooks.tool_kinds import KINDS
from ...jsontext.chunks import mapped
from ...jsontext.compact import JSON, JsonText, WireError, dumps, join, loads_member, members, validate
from ...windows_paths import (
    Exists,
    Spelling,
    in_spelling,
    script_path,
    script_path_or_relative,
    spelling_of,
    with_backslashes,
)

#: Fields of payloads that hold a path, a list of paths, or a list of objects with paths, in any system.
PATH_FIELDS = frozenset(
    """
    agent_transcript_path attachments cwd directory file_path modified_files new_cwd old_cwd parent_file_path project_dir
    transcript_path trigger_file_path workspace_roots worktree_path
    """.split()
)
_PATH_ARGUMENTS = ("file_path", "path", "cwd")
_MORE = "paths files file_paths filePaths filepaths directories notebook_path notebookPath".split()
#: Arguments of tools that hold a path or a list of paths: all names of ``tool_kinds`` for a file or a directory.
PATH_KEYS = frozenset(
    [*_MORE, *(name for kind in KINDS for argument in _PATH_ARGUMENTS for name in kind.spellings.get(argument, ()))]
)
_TOOL_INPUT = "tool_input"
#: Fields with the result of a tool: an object with the same keys, such as Claude Code's ``filePath``, or a text that stays.
_RESULTS = frozenset(["tool_response", "tool_output"])
_DEEPEST = 4  # nested lists and objects whose paths are converted

Change = Callable[[str, JSON], str]


class EventPaths:
    """The paths of one event.

    ``fields``: the event's fields with every path in the form that scripts see. ``is_known_tool``: the tool is of a known
    kind, so its relative paths are converted too; of any other tool only paths with a drive or a share are.
    """

    __slots__ = ("_exists", "_is_known_tool", "_original", "_spelling", "fields")

    def __init__(self, fields: Mapping[str, JSON], input_field: str, exists: Exists, is_known_tool: bool) -> None:
        self._exists = exists
        self._is_known_tool = is_known_tool
        self._spelling: Spelling | None = None
        self.fields: Mapping[str, JSON] = fields
        changes: dict[str, JSON] = {}
        for name in PATH_FIELDS & fields.keys():
            changes[name] = _convert(fields[name], None, self._field_for_scripts, is_path=True)
        for name in _RESULTS & fields.keys():
            changes[name] = _convert(fields[name], None, self._absolute_for_scripts)
        input_field = _TOOL_INPUT if _TOOL_INPUT in fields else input_field
        self._original = fields.get(input_field)
        if self._original:
            changes[input_field] = _convert_input(self._original, None, self._argument_for_scripts)
        if any(value is not fields[name] for name, value in changes.items()):
            self.fields = {**fields, **changes}

    def restore(self, text: str) -> str:
        """Return a tool's input that hooks rewrote, JSON text, with its paths in the caller's spelling.

        A path that the hooks left as it was becomes the caller's own text again.
        """
        original = self._original
        if isinstance(original, str):
            try:
                original = loads_member(original)
            except WireError:
                original = None
        restored = _convert_input(JsonText(text), original, self._for_caller)
        return str.__str__(restored) if isinstance(restored, str) else text

    def _field_for_scripts(self, path: str, original: JSON) -> str:
        self._note_spelling(path)
        return script_path_or_relative(path, self._exists)

    def _argument_for_scripts(self, path: str, original: JSON) -> str:
        self._note_spelling(path)
        if self._is_known_tool:
            return script_path_or_relative(path, self._exists)
        return self._absolute_for_scripts(path, original)

    def _absolute_for_scripts(self, path: str, original: JSON) -> str:
        absolute = script_path(path, self._exists)
        return path if absolute is None else absolute

    def _note_spelling(self, path: str) -> None:
        if self._spelling is None and script_path(path, self._exists) is not None:
            self._spelling = spelling_of(path)

    def _for_caller(self, path: str, original: JSON) -> str:
        spelling = self._spelling
        if isinstance(original, str):
            if self._is_same(path, original):
                return original
            spelling = spelling_of(original) or spelling
        absolute = script_path(path, self._exists)
        if spelling is None:
            return path
        if absolute is not None:
            return in_spelling(absolute, spelling)
        return in_spelling(path, spelling) if self._is_known_tool else path

    def _is_same(self, path: str, original: str) -> bool:
        return self._argument_for_scripts(path, None) == self._argument_for_scripts(original, None)


def for_native_program(payload: Mapping[str, JSON], input_field: str) -> dict[str, JSON]:
    """Return a payload with its paths in the form of native programs, for a hook that is one, such as ``python x.py``."""

    def change(path: str, original: JSON) -> str:
        return with_backslashes(path)

    native = dict(payload)
    for name, value in payload.items():
        if name in PATH_FIELDS:
            native[name] = _convert(value, None, change, is_path=True)
        elif name in _RESULTS:
            native[name] = _convert(value, None, change)
        elif name == input_field:
            native[name] = _convert_input(value, None, change)
    return native


def _convert_input(tool_input: JSON, original: JSON, change: Change) -> JSON:
    """Return a tool's input, an object or its JSON text, with changed paths; the input itself if no path changes."""
    if not isinstance(tool_input, str):
        return _convert(tool_input, original, change)
    try:
        validate(tool_input)
        pairs = members(tool_input)
        changed = [(key, _convert_member(key, raw, original, change)) for key, raw in pairs]
    except WireError:  # not an object
        return tool_input
    return tool_input if changed == pairs else type(tool_input)(join(changed))


def _convert_member(key: str, raw: str, original: JSON, change: Change) -> str:
    """Return a member of an object as JSON text, with changed paths; its own text if no path changes."""
    if key not in PATH_KEYS and raw[:1] not in "[{":
        return raw
    value = loads_member(raw)
    before = original.get(key) if isinstance(original, Mapping) else None
    changed = _convert(value, before, change, is_path=key in PATH_KEYS)
    return raw if changed is value else dumps(changed)


def _convert(value: JSON, original: JSON, change: Change, *, is_path: bool = False, depth: int = 0) -> JSON:
    """Return a value with changed paths; the value itself if none changes.

    ``original``: the caller's value at the same place. ``is_path``: the value is a path, or its items are.
    """
    if isinstance(value, str):
        if not is_path:
            return value
        path = change(value, original)
        return value if path == value else path
    if depth == _DEEPEST:
        return value
    if isinstance(value, Mapping):
        before = original if isinstance(original, Mapping) else {}
        pairs = [
            (key, _convert(item, before.get(key), change, is_path=key in PATH_KEYS, depth=depth + 1))
            for key, item in value.items()
        ]
        is_changed = any(item is not value[key] for key, item in pairs)
        return mapped(pairs) if is_changed else value
    if isinstance(value, (list, tuple)):
        olds: Sequence[JSON] = [None] * len(value)
        if isinstance(original, (list, tuple)) and len(original) == len(value):
            olds = original
        items = [
            _convert(item, old, change, is_path=is_path, depth=depth + 1) for item, old in zip(value, olds, strict=True)
        ]
        is_changed = any(item is not old for item, old in zip(items, value, strict=True))
        return items if is_changed else value
    return value
