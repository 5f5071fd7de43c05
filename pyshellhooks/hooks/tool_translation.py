"""Translation of a tool call between the caller's names and those of the system whose hooks run.

A guard that was written for Claude Code reads ``Bash`` and ``.tool_input.command``. If an agent's tool is ``execute``
with ``cmd``, the guard receives the call under Claude Code's names, and its rewrite is translated back to the agent's
(decisions tool names). Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from posixpath import join as join_path
from posixpath import normpath
from typing import TYPE_CHECKING

from ..jsontext.chunks import joined, mapped
from ..jsontext.compact import JSON, JsonText, WireError, dumps, join, loads_member, members, validate
from ..notice import Notice
from .failure_notices import strict_fault
from .model import Decision, HookOutcome
from .tool_kinds import BESIDE_COMMAND, BY_NAME, MORE_OF_COMMAND, Kind
from .tools import DECLARED, GUESSED, ToolCall, command_text, is_ambiguous, mcp_splits, wrapped_command

if TYPE_CHECKING:
    from .dialect import Dialect

PATHS = frozenset({"file_path", "path"})  # arguments that become absolute paths, for system tools that require it
_ITEM = BY_NAME["edit"]  # an item of a list of edits has the argument names of an edit
#: Effects that count on a call of a guessed kind, beside deny, ask and halt: they permit nothing.
_HARMLESS = frozenset({"suppress_output", "tool_error"})


class _Unmapped(Exception):
    """A value that has no unique place in the caller's call."""


class ToolTranslation:
    """The translation of one call into a system's names, and of outcomes back into the caller's.

    ``names``: the system's names for the tool, likeliest first. ``guessed``: its kind is a guess, so outcomes may only
    tighten. ``faults``: the parts of the call that have no certain translation.
    """

    __slots__ = (
        "_back",
        "_cwd",
        "_doubled",
        "_forward",
        "_originals",
        "_translated",
        "call",
        "dialect",
        "faults",
        "guessed",
        "kind",
        "names",
        "output",
        "shaped",
    )

    def __init__(
        self, call: ToolCall, kind: Kind | None, names: Sequence[str], dialect: Dialect, cwd: str, output: JSON
    ) -> None:
        self.call = call
        self.kind = kind
        # If the system has a tool of the caller's name, this name comes first.
        self.names = tuple(names)
        if call.name in names:
            self.names = (call.name, *[name for name in names if name != call.name])
        self.dialect = dialect
        self.guessed = call.how == GUESSED
        self.faults: tuple[Notice, ...] = ()
        # The tool's output in the shape of the system's own tool.
        self.output = output
        if kind is not None and output is not None:
            self.output = dialect.shaped_output(kind.name, output)
        self.shaped = self.output is not output
        self._cwd = cwd
        self._forward: dict[str, str] = {}  # the caller's key -> the system's key
        self._originals: dict[
            str, tuple[str, JSON]
        ] = {}  # the system's key -> the caller's key and value, if translated
        self._translated: dict[str, JSON] = {}  # the system's key -> the translated value
        self._doubled: set[str] = set()  # the system's keys that the call has under several names
        if kind is not None:
            self._map(kind, dialect.arguments.get(kind.name, {}))
        self._back = {system_key: key for key, system_key in self._forward.items()}

    def _map(self, kind: Kind, own: Mapping[str, str]) -> None:
        """Find the system's name of each argument, and translate the values that have another form there."""
        keys = dict.fromkeys(key for key, _ in self.call.pairs)
        for argument in kind.spellings:
            system_key = own.get(argument, argument)
            spellings = [key for key in keys if kind.spelled.get(key) == argument]
            if not system_key or not spellings:
                continue
            # Further arguments of a tool with the system's name stay as they are.
            is_further = argument not in kind.needs and argument not in PATHS
            if is_further and self.same_name:
                continue
            is_other_argument = system_key in keys and kind.spelled.get(system_key) != argument
            if is_other_argument:  # both stay
                self._add_fault(f"{spellings[0]} and {system_key}; both are unchanged")
                continue
            if len(spellings) > 1:
                spellings = self._doubled_spellings(argument, spellings, system_key)
            self._forward.update(dict.fromkeys(spellings, system_key))
            self._translate_value(argument, kind, spellings, system_key)
        if kind.name == "shell":
            self._look_beside_command(kind, keys)
        if kind.name == "edit" and "edits" in self._forward.values():
            self._translate_one_edit(kind)
        missing = [need for need in kind.needs[:2] if own.get(need, need) not in self._forward.values()]
        if missing and self.call.tool_input not in (None, "", "{}", {}):
            self._add_missing_fault(kind, missing, keys)

    def _doubled_spellings(self, argument: str, spellings: list[str], system_key: str) -> list[str]:
        """Add a fault for an argument under several names, and return the names that hooks get as the system's."""
        self._doubled.add(system_key)
        self._add_fault(f"{' and '.join(spellings)}; the tool may use either")
        if argument == "command":  # a shell may run all of them
            return spellings
        # Only the system's name, or the first one, is translated; the others stay.
        return [system_key] if system_key in spellings else spellings[:1]

    def _add_fault(self, has: str) -> None:
        self.faults += (strict_fault(f"the call of {self.call.shown} has {has}", "words-lost", "use only one of them"),)

    def _translate_one_edit(self, kind: Kind) -> None:
        """Translate the old and the new text into a list of one edit."""
        texts = [(key, self.call.value(key)) for key, system_key in self._forward.items() if system_key == "edits"]
        names = [self.dialect.edit_items[kind.spelled[key] == "new_string"] for key, _ in texts]
        self._translated["edits"] = [{name: value for name, (_, value) in zip(names, texts, strict=True)}]
        self._originals["edits"] = ("", {name: key for name, (key, _) in zip(names, texts, strict=True)})

    def _look_beside_command(self, kind: Kind, keys: Iterable[str]) -> None:
        """Add a fault for words and input beside a shell's command: guards read the command alone."""
        more = [key for key in keys if key in MORE_OF_COMMAND and key not in kind.spelled]
        beside = [key for key in more if self.call.value(key)]
        if beside:
            message = f"the call of {self.call.shown} has {' and '.join(beside)} besides its command; guards read only the command"
            self.faults += (strict_fault(message, "words-lost", "put everything that runs into the command"),)

    def _add_missing_fault(self, kind: Kind, missing: Sequence[str], keys: Collection[str]) -> None:
        """Add a fault for needed arguments that the call has under no known name."""
        is_command_missing = missing == ["command"] and bool(keys)
        if is_command_missing and all(key in BESIDE_COMMAND for key in keys):
            return  # a restart of the shell, or a wait for it: no command runs
        words = "; ".join(f"{need}: {', '.join(kind.spellings[need][:4])}, …" for need in missing)
        message = (
            f"the tool {self.call.shown} is of kind {kind.name}, but its call has no {' and no '.join(missing)} "
            f"({words}): guards see its arguments under their own names"
        )
        self.faults += (strict_fault(message, "words-lost", "use one of these names, or map the names with tools="),)

    def _translate_value(self, argument: str, kind: Kind, spellings: Sequence[str], key: str) -> None:
        """Translate a value into the system's form: a command as one text, a path as an absolute one."""
        value = self.call.value(spellings[0])
        translated = value
        if argument == "command":
            translated = self._command_text(spellings)
        elif argument in PATHS and kind.name in self.dialect.absolute:
            if isinstance(value, str) and not _is_absolute(value):
                translated = normpath(join_path(self._cwd, value))
        elif argument == "edits" and kind.name == "multiedit" and isinstance(value, (list, tuple)):
            renamed = [_renamed(item, _ITEM.spelled, self.dialect.edit_items) for item in value]
            if renamed != list(value):
                translated = renamed
        if translated is not value:
            self._originals[key], self._translated[key] = (spellings[0], value), translated

    def _command_text(self, spellings: Sequence[str]) -> JSON:
        """Return the command of a call as one text; its value itself if that has no known form."""
        values = [(name, self.call.value(name)) for name in spellings]
        texts = [_one_text(name, value) for name, value in values]
        if len(texts) == 1:
            return values[0][1] if texts[0] is None else texts[0]
        # All of them, so that a guard sees every command that may run.
        lines: list[str] = []
        for name, text in zip(spellings, texts, strict=True):
            lines.append(self.call.text(name) if text is None else text)
        return "\n".join(lines)

    @property
    def changes_nothing(self) -> bool:
        """Whether the call is already in the system's names and forms."""
        if self.kind is None and len(self.names) > 1:  # matchers may use another spelling of an MCP tool's name
            return False
        if self._translated or self.faults or self.call.name not in self.names:
            return False
        return all(key == system_key for key, system_key in self._forward.items())

    @property
    def same_name(self) -> bool:
        """Whether the caller's tool has the system's name, so that only its arguments may differ."""
        return self.names[0] == self.call.name

    def again(self, tool_input: JSON) -> ToolTranslation:
        """Return the wording of the same call with other arguments, as one hook of a chain passes it to the next."""
        call = ToolCall(self.call.name, tool_input)
        call.kind, call.how = self.call.kind, self.call.how
        translation = ToolTranslation(call, self.kind, self.names, self.dialect, self._cwd, None)
        translation.output, translation.shaped = self.output, self.shaped
        return translation

    # -- to the system ------------------------------------------------------------------------------------------------

    def input(self) -> JSON:
        """Return the tool's input under the system's names.

        If the tool has the system's name, the caller's keys stay beside the translated ones: the matcher may have
        meant either tool.
        """
        pairs: list[tuple[str, JSON]] = []
        keys = {key for key, _ in self.call.pairs}
        written: set[str] = set()
        for key, value in self.call.pairs:
            system_key = self._forward.get(key, key)
            is_renamed = system_key != key and system_key not in keys
            if is_renamed and self.same_name:
                pairs.append((key, value))
            if system_key in self._translated:
                if system_key in written:
                    continue
                written.add(system_key)
                value = self._translated[system_key]
                if self.call.raw:
                    value = dumps(value)
            pairs.append((system_key, value))
        if not pairs:
            return self.call.tool_input
        return JsonText(join(pairs)) if self.call.raw else mapped(pairs)

    def translated_output(self, text: str) -> str:
        """Return an output, JSON text in the caller's shape, in the system's shape."""
        if self.kind is None or not self.shaped:
            return text
        value = loads_member(text)
        there = self.dialect.shaped_output(self.kind.name, value)
        return text if there is value else dumps(there)

    # -- back to the caller -------------------------------------------------------------------------------------------

    def back(self, outcome: HookOutcome) -> HookOutcome:
        """Return the outcome of a hook, translated from the system's names to the caller's.

        If the kind is a guess, only deny, ask and halt count.
        """
        if self.guessed:
            return self._tightened(outcome)
        changes: dict[str, object] = {}
        notices: tuple[Notice, ...] = ()
        if outcome.rewrite is not None:
            changes["rewrite"], notices, lost = self._rewrite(outcome.rewrite)
            if lost:
                changes["faults"] = (*outcome.faults, *lost)
                if outcome.decision is Decision.ALLOW:  # it allows the rewritten call, not the one that will run
                    changes["decision"] = Decision.NONE
                    message = "its allow is ignored without its rewrite"
                    notices += (Notice(message, "answer-ignored", hint="rewrite only arguments that the call has"),)
        if outcome.output is not None:
            changes["output"] = self._output(outcome.output)
        return outcome.replace(**changes, notices=outcome.notices + notices) if changes else outcome

    def _tightened(self, outcome: HookOutcome) -> HookOutcome:
        dropped = []
        if outcome.decision is Decision.ALLOW:
            dropped.append("allow")
        if outcome.rewrite is not None or outcome.output is not None:
            dropped.append("rewrite")
        if outcome.context:
            dropped.append("context")
        if outcome.followup is not None:
            dropped.append("followup")
        dropped += [name for name in outcome.effects if name not in _HARMLESS]
        if not dropped:
            return outcome
        kind = self.kind.name if self.kind is not None else ""
        message = f"its {' and '.join(dropped)} is ignored: that {self.call.shown} is a {kind} is a guess"
        notice = Notice(message, "answer-ignored", hint=f'set tools={{"{self.call.shown}": "{kind}"}}')
        return outcome.replace(
            decision=Decision.NONE if outcome.decision is Decision.ALLOW else outcome.decision,
            rewrite=None,
            output=None,
            context="",
            followup=None,
            effects={name: value for name, value in outcome.effects.items() if name in _HARMLESS},
            notices=(*outcome.notices, notice),
        )

    def _rewrite(self, text: str) -> tuple[str, tuple[Notice, ...], tuple[Notice, ...]]:
        """Return a patch or a whole input under the caller's names, all notices, and those notices that report a loss.

        A member that the call did not have is kept, with a notice. A rewrite that is left out leaves the call's value.
        """
        pairs = _pairs(text)
        if pairs is None:
            return text, (), ()
        rewritten: dict[str, str] = {}
        had = dict.fromkeys(key for key, _ in self.call.pairs)
        members_by_key = mapped(pairs)
        same: list[Notice] = []
        lost: list[Notice] = []
        for key, raw in pairs:
            name = self._back.get(key, key)
            system_key = self._forward.get(key, key)
            has_both = name != system_key and {name, system_key} <= members_by_key.keys()
            if has_both and self.same_name:  # hooks got both; one was changed
                is_callers = key == name
                if is_callers != self._changed(name, members_by_key[name], system_key, members_by_key[system_key]):
                    continue
            elif system_key != key and system_key in members_by_key:
                message = f"{key} of the rewrite is ignored: the rewrite has {system_key} too, the same argument"
                same.append(Notice(message, "rewrite-refused", hint="use only one of them"))
                continue
            try:
                rewritten |= self._members_back(key, raw)
            except _Unmapped as why:
                lost.append(strict_fault(f"the rewrite of {key} is ignored: {why}", "rewrite-refused", "deny instead"))
                rewritten |= self._under_callers_names(key, self.call.text(name))
        added = [name for name in rewritten if name not in had]
        if added:
            message = f"the rewrite has {', '.join(added)}, which the call of {self.call.shown} did not have"
            same.append(Notice(message, "rewrite-refused", hint="rewrite only arguments that the call has"))
        return join(rewritten.items()), (*lost, *same), tuple(lost)

    def _changed(self, name: str, raw: str, system_key: str, raw_there: str) -> bool:
        """Return whether the caller's key, of two keys with the same value, is the rewritten one."""
        there = self._translated.get(system_key, self.call.value(name))
        return bool(loads_member(raw) != self.call.value(name) and loads_member(raw_there) == there)

    def _members_back(self, key: str, raw: str) -> dict[str, str]:
        """Return the caller's members for one member of a rewrite. Raises ``_Unmapped`` if they can not express it."""
        if self._is_list_of_one_edit(key):
            return self._one_edit_back(raw)
        name = self._back.get(key, key)
        if key in self._doubled and loads_member(raw) != self._translated.get(key, self.call.value(name)):
            raise _Unmapped("the call has it under several names")
        return self._under_callers_names(key, self._value_back(key, raw))

    def _under_callers_names(self, key: str, value: str) -> dict[str, str]:
        """Return a value under the caller's name; the call's own values if the caller has several names for it."""
        if not self._has_several_names(key):
            return {self._back.get(key, key): value}
        return {name: self.call.text(name) for name, _ in self.call.pairs if self._forward.get(name) == key}

    def _is_list_of_one_edit(self, key: str) -> bool:
        """Return whether a key of the system holds the call's old and new text as a list of one edit."""
        if self.kind is None or self.kind.name != "edit":
            return False
        return key == "edits" and key in self._translated

    def _has_several_names(self, key: str) -> bool:
        """Return whether several of the caller's keys have become one translated key of the system."""
        if key in self._doubled:
            return True
        return key in self._translated and list(self._forward.values()).count(key) > 1

    def _one_edit_back(self, raw: str) -> dict[str, str]:
        """Return the only edit of a list as the caller's two arguments."""
        value = loads_member(raw)
        names: Mapping[str, str] = self._originals["edits"][1]
        if value == self._translated["edits"]:
            return {key: self.call.text(key) for key in names.values()}
        is_one = isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict)
        if not is_one or value[0].keys() != {*names}:
            raise _Unmapped(f"the call of {self.call.shown} takes exactly one edit with an old and a new text")
        return {names[name]: dumps(text) for name, text in value[0].items()}

    def _value_back(self, key: str, raw: str) -> str:
        if key not in self._translated:
            return raw
        value = loads_member(raw)
        name, original = self._originals[key]
        if value == self._translated[key]:
            return self.call.text(name)
        if isinstance(original, Mapping):
            raise _Unmapped(f"the call of {self.call.shown} has it inside {name}")
        if isinstance(value, list) and key == "edits":
            return dumps([_renamed(item, _ITEM.spelled, _item_names(original)) for item in value])
        if isinstance(value, str) and isinstance(original, (list, tuple)):
            return dumps(_listed(value, original, name))
        is_text = isinstance(value, str) and isinstance(original, str)
        if is_text and not _is_absolute(original):
            base = self._cwd.rstrip("/") + "/"
            return dumps(value.removeprefix(base) or ".")
        return raw

    def _output(self, text: str) -> str:
        if self.kind is None or not self.shaped:
            return text
        value = loads_member(text)
        plain = self.dialect.plain_output(self.kind.name, value)
        return text if plain is value else dumps(plain)


def _renamed(item: JSON, spelled: Mapping[str, str], names: tuple[str, str]) -> JSON:
    """Return an edit with these names for its old and its new text."""
    if not isinstance(item, Mapping):
        return item
    own = dict(zip(("old_string", "new_string"), names, strict=True))
    return {own.get(spelled.get(key, ""), key): value for key, value in item.items()}


def _item_names(edits: Sequence[JSON]) -> tuple[str, str]:
    """Return the names of the old and the new text in a list of edits; the first if it uses several."""
    keys: list[str] = []
    for item in edits:
        if isinstance(item, Mapping):
            keys += item
    old = next((key for key in keys if _ITEM.spelled.get(key) == "old_string"), "old_string")
    new = next((key for key in keys if _ITEM.spelled.get(key) == "new_string"), "new_string")
    return old, new


def text_of(value: JSON) -> str:
    """Return a tool's input as JSON text."""
    return str.__str__(value) if isinstance(value, str) else dumps(value)


def _one_text(name: str, value: JSON) -> str | None:
    if name != "commands" or not isinstance(value, (list, tuple)):
        return command_text(value)
    if not all(isinstance(item, str) for item in value):
        return command_text(value)
    return joined("\n", value)  # each is a command by itself, not a word of one


def _pairs(text: str) -> list[tuple[str, str]] | None:
    try:
        validate(text)
        return members(text)
    except WireError:
        return None


def _listed(text: str, original: Sequence[JSON], name: str) -> list[str]:
    """Return a command's text in the form of the caller's list: after ``bash -lc``, as a script, or as words."""
    if name == "commands" or not all(isinstance(item, str) for item in original):
        return [text]  # a list of scripts
    if wrapped_command(original) is not None:
        return [str(original[0]), str(original[1]), text]
    if is_ambiguous(original):
        raise _Unmapped("the call's list may hold words or scripts")
    from shlex import join, split

    try:
        words = split(text)
    except ValueError:
        words = []
    # Only a text that consists of plain words may be split; any other text is a script, and needs a shell.
    is_plain = bool(words) and join(words) == text
    return words if is_plain else ["sh", "-c", text]


def _is_absolute(path: str) -> bool:
    """Return whether a path is not relative to the call's directory; an empty one stays empty."""
    if not path or path[1:2] == ":":
        return True
    return path[0] in ("/", "\\", "~")


def _mcp_names(name: str, dialect: Dialect) -> tuple[str, ...]:
    """Return a system's spellings of an MCP tool's name, the usual one first.

    The caller's name is tried in any case, so the result has it only if it is the usual one.
    """
    names = [spelled for server, tool in mcp_splits(name) for spelled in dialect.mcp_names(server, tool)]
    return tuple(dict.fromkeys([*names[:1], *[spelled for spelled in names if spelled != name]]))


def translate(call: ToolCall, dialect: Dialect, cwd: str, output: JSON = None) -> ToolTranslation | None:
    """Return the translation of a call for a system; None if the system has no names for it, or the same ones."""
    names: tuple[str, ...] = ()
    kind = call.kind
    if call.name in dialect.other_tools and call.how != DECLARED:
        return None
    if kind is not None:
        names = dialect.tools.get(kind.name, ())
    elif call.how != GUESSED:
        names = _mcp_names(call.name, dialect)
    if not names:
        return None
    translation = ToolTranslation(call, kind, names, dialect, cwd, output)
    if translation.changes_nothing and translation.output is output:
        return None
    return translation
