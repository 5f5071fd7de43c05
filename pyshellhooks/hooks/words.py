"""One call in two wordings: the caller's, and that of the system whose hooks are asked.

A guard that was written for Claude Code reads ``Bash`` and ``.tool_input.command``. An agent whose tool is ``execute``
with ``cmd`` is told to it in those words, and what the guard rewrites comes back in the agent's
(decisions tool names). Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from posixpath import join as join_path
from posixpath import normpath
from typing import TYPE_CHECKING

from ..notice import Notice
from .facts import doubt
from .model import Decision, HookOutcome
from .pieces import joined, mapped
from .tool_kinds import BESIDE_COMMAND, BY_NAME, MORE_OF_COMMAND, Kind
from .tools import GUESSED, TOLD, ToolCall, command_text, mcp_splits, reads_twice, wrapped_command
from .wire import JSON, JsonText, WireError, dumps, join, loads_member, members, validate

if TYPE_CHECKING:
    from .dialect import Dialect

PATHS = frozenset({"file_path", "path"})  # the arguments that are told from the root, where a system's tool wants it
_ITEM = BY_NAME["edit"]  # an item of a list of edits has its words
#: What a hook may say of a call whose kind is a guess, beside deny, ask and halt: it loosens nothing.
_HARMLESS = frozenset({"suppress_output", "tool_error"})


class _Unmapped(Exception):
    """A value that has no place of its own in the caller's words."""


class Wording:
    """How a call is told in a system's words, and how answers come back.

    ``names``: what the system calls the tool, likeliest first. ``guessed``: its kind is a guess, so that answers may
    only tighten. ``faults``: what could not be told as the system would.
    """

    __slots__ = (
        "_back",
        "_cwd",
        "_doubled",
        "_forward",
        "_given",
        "_told",
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
        # The system has a tool of the caller's name: that is the one.
        self.names = (call.name, *[one for one in names if one != call.name]) if call.name in names else tuple(names)
        self.dialect = dialect
        self.guessed = call.how == GUESSED
        self.faults: tuple[Notice, ...] = ()
        # The tool's output in the shape in which the system's own tool gives it.
        self.output = dialect.shaped_output(kind.name, output) if kind is not None and output is not None else output
        self.shaped = self.output is not output
        self._cwd = cwd
        self._forward: dict[str, str] = {}  # the caller's key -> own key
        self._given: dict[str, tuple[str, JSON]] = {}  # own key -> the caller's key and value, where told otherwise
        self._told: dict[str, JSON] = {}  # own key -> the value that was told instead
        self._doubled: set[str] = set()  # own keys that the call has under several names
        if kind is not None:
            self._map(kind, dialect.arguments.get(kind.name, {}))
        self._back = {told: key for key, told in self._forward.items()}

    def _map(self, kind: Kind, own: Mapping[str, str]) -> None:
        """Find what each argument is called there, and the values that are told in another form."""
        keys = dict.fromkeys(key for key, _ in self.call.pairs)
        for argument in kind.spellings:
            told = own.get(argument, argument)
            spellings = [key for key in keys if kind.spelled.get(key) == argument]
            # What else a tool of the system's own has, under whatever name, is its own affair.
            if not told or not spellings or (self.same_name and argument not in kind.needs and argument not in PATHS):
                continue
            if told in keys and kind.spelled.get(told) != argument:  # another argument has that name: both stay
                self._doubt(f"{spellings[0]} and {told}; both stay as they are")
                continue
            if len(spellings) > 1:
                spellings = self._doubled_spellings(argument, spellings, told)
            self._forward.update(dict.fromkeys(spellings, told))
            self._tell(argument, kind, spellings, told)
        if kind.name == "shell":
            self._look_beside_command(kind, keys)
        if kind.name == "edit" and "edits" in self._forward.values():
            self._tell_one_edit(kind)
        missing = [need for need in kind.needs[:2] if own.get(need, need) not in self._forward.values()]
        if missing and self.call.given not in (None, "", "{}", {}):
            self._miss(kind, missing, keys)

    def _doubled_spellings(self, argument: str, spellings: list[str], told: str) -> list[str]:
        """Doubt an argument that the call has under several names, and return those that hooks get under the system's name."""
        self._doubled.add(told)
        self._doubt(f"{' and '.join(spellings)}; which counts is not known")
        if argument == "command":  # all of them may run
            return spellings
        # The system's own name stands for itself, and the others for themselves.
        return [told] if told in spellings else spellings[:1]

    def _doubt(self, has: str) -> None:
        self.faults += (doubt(f"the call of {self.call.shown} has {has}", "words-lost", "give one of them"),)

    def _tell_one_edit(self, kind: Kind) -> None:
        """Tell the old and the new text as a list of one edit."""
        texts = [(key, self.call.value(key)) for key, told in self._forward.items() if told == "edits"]
        names = [self.dialect.edit_items[kind.spelled[key] == "new_string"] for key, _ in texts]
        self._told["edits"] = [{name: value for name, (_, value) in zip(names, texts, strict=True)}]
        self._given["edits"] = ("", {name: key for name, (key, _) in zip(names, texts, strict=True)})

    def _look_beside_command(self, kind: Kind, keys: Iterable[str]) -> None:
        """Tell of words and input that a shell's call has beside its command: guards read the command alone."""
        beside = [key for key in keys if key in MORE_OF_COMMAND and key not in kind.spelled and self.call.value(key)]
        if beside:
            what = (
                f"the call of {self.call.shown} has {' and '.join(beside)} beside its command, which guards do not read"
            )
            self.faults += (doubt(what, "words-lost", "put all that runs into the command"),)

    def _miss(self, kind: Kind, missing: Sequence[str], keys: Collection[str]) -> None:
        """Say that nothing in the call is called as what its tool needs."""
        if missing == ["command"] and keys and all(key in BESIDE_COMMAND for key in keys):
            return  # a shell that is started anew, or waited for: nothing runs
        words = "; ".join(f"{need}: {', '.join(kind.spellings[need][:4])}, …" for need in missing)
        what = (
            f"the tool {self.call.shown} is of kind {kind.name}, and nothing in its call is called as a "
            f"{' or a '.join(missing)} is ({words}): guards see what stands there, under the names that it has"
        )
        self.faults += (doubt(what, "words-lost", "give its arguments those names, or say of which kind the tool is"),)

    def _tell(self, argument: str, kind: Kind, spellings: Sequence[str], key: str) -> None:
        """Find the form in which a value is told: a command as one text, a path from the root."""
        value = self.call.value(spellings[0])
        told = value
        if argument == "command":
            texts = [_one_text(spellings[0], value)]
            texts += [_one_text(name, self.call.value(name)) for name in spellings[1:]]
            if len(texts) > 1:  # all of them, so that a guard sees what may run
                lines = zip(spellings, texts, strict=True)
                told = "\n".join(text if text is not None else self.call.text(name) for name, text in lines)
            elif texts[0] is not None:
                told = texts[0]
        elif argument in PATHS and kind.name in self.dialect.absolute and isinstance(value, str):
            told = value if _is_absolute(value) else normpath(join_path(self._cwd, value))
        elif argument == "edits" and kind.name == "multiedit" and isinstance(value, (list, tuple)):
            renamed = [_renamed(item, _ITEM.spelled, self.dialect.edit_items) for item in value]
            told = value if renamed == list(value) else renamed
        if told is not value:
            self._given[key], self._told[key] = (spellings[0], value), told

    @property
    def changes_nothing(self) -> bool:
        """Say whether the caller's words are the system's already."""
        if self.kind is None and len(self.names) > 1:  # matchers may have the other spelling of an MCP tool's name
            return False
        return (
            self.call.name in self.names
            and not self._told
            and not self.faults
            and all(key == told for key, told in self._forward.items())
        )

    @property
    def same_name(self) -> bool:
        """Say whether the caller's tool has the system's name, and only its arguments differ."""
        return self.names[0] == self.call.name

    def again(self, given: JSON) -> Wording:
        """Return the wording of the same call with other arguments, as a hook of a chain leaves it to the next."""
        call = ToolCall(self.call.name, given)
        call.kind, call.how = self.call.kind, self.call.how
        found = Wording(call, self.kind, self.names, self.dialect, self._cwd, None)
        found.output, found.shaped = self.output, self.shaped
        return found

    # -- there --------------------------------------------------------------------------------------------------------

    def input(self) -> JSON:
        """Return the tool's input in the system's words.

        Of a tool that has the system's name its own keys stay beside them: the matcher took that name, and nobody
        knows whose tool it had in mind.
        """
        pairs: list[tuple[str, JSON]] = []
        keys = {key for key, _ in self.call.pairs}
        said: set[str] = set()
        for key, value in self.call.pairs:
            told = self._forward.get(key, key)
            if told != key and told not in keys and self.same_name:
                pairs.append((key, value))
            if told in self._told:
                if told in said:
                    continue
                said.add(told)
                value = dumps(self._told[told]) if self.call.raw else self._told[told]
            pairs.append((told, value))
        if not pairs:
            return self.call.given
        return JsonText(join(pairs)) if self.call.raw else mapped(pairs)

    def output_there(self, text: str) -> str:
        """Return an output in the caller's shape, as JSON text, in the system's."""
        if self.kind is None or not self.shaped:
            return text
        value = loads_member(text)
        there = self.dialect.shaped_output(self.kind.name, value)
        return text if there is value else dumps(there)

    # -- and back -----------------------------------------------------------------------------------------------------

    def back(self, outcome: HookOutcome) -> HookOutcome:
        """Return the outcome of a hook that was told in the system's words in the caller's.

        Of a guessed kind deny, ask and halt count, and nothing else.
        """
        if self.guessed:
            return self._tightened(outcome)
        changes: dict[str, object] = {}
        notices: tuple[Notice, ...] = ()
        if outcome.rewrite is not None:
            changes["rewrite"], notices, lost = self._rewrite(outcome.rewrite)
            if lost:
                changes["faults"] = (*outcome.faults, *lost)
                if outcome.decision is Decision.ALLOW:  # of a call as the hook would have it, and not as it will be
                    changes["decision"] = Decision.NONE
                    what = "its allow does not count without its rewrite"
                    notices += (Notice(what, "answer-ignored", mend="rewrite what the call has"),)
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
        what = f"its {' and '.join(dropped)} does not count: that {self.call.shown} is a {kind} is a guess"
        notice = Notice(what, "answer-ignored", mend=f'say tools={{"{self.call.shown}": "{kind}"}}')
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
        """Return a patch or a whole input in the caller's words, and notices; the last are of what was left out.

        What the call did not have is told, and kept. What is left out stays as the call has it.
        """
        pairs = _pairs(text)
        if pairs is None:
            return text, (), ()
        found: dict[str, str] = {}
        had = dict.fromkeys(key for key, _ in self.call.pairs)
        given = mapped(pairs)
        same: list[Notice] = []
        lost: list[Notice] = []
        for key, raw in pairs:
            name = self._back.get(key, key)
            told = self._forward.get(key, key)
            if self.same_name and name != told and {name, told} <= given.keys():  # both were told; one was changed
                if (key == name) != self._changed(name, given[name], told, given[told]):
                    continue
            elif told != key and told in given:
                what = f"{key} of the rewrite is left out: it has {told} too, which is the same"
                same.append(Notice(what, "rewrite-refused", mend="give one of them"))
                continue
            try:
                if key == "edits" and self.kind is not None and self.kind.name == "edit" and key in self._told:
                    found |= self._one_edit_back(raw)
                    continue
                if key in self._doubled and loads_member(raw) != self._told.get(key, self.call.value(name)):
                    raise _Unmapped("the call has it under several names")
                value = self._value_back(key, raw)
            except _Unmapped as why:
                lost.append(doubt(f"the rewrite of {key} is left out: {why}", "rewrite-refused", "deny instead"))
                value = self.call.text(name)
            if key in self._doubled or (key in self._told and list(self._forward.values()).count(key) > 1):
                found |= {one: self.call.text(one) for one in had if self._forward.get(one) == key}
            else:
                found[name] = value
        added = [name for name in found if name not in had]
        if added:
            what = f"the rewrite has {', '.join(added)}, which the call of {self.call.shown} did not have"
            same.append(Notice(what, "rewrite-refused", mend="rewrite what the call has"))
        return join(found.items()), (*lost, *same), tuple(lost)

    def _changed(self, name: str, raw: str, told: str, raw_there: str) -> bool:
        """Say whether a rewrite of a value that was told under two keys is under the caller's."""
        there = self._told.get(told, self.call.value(name))
        return bool(loads_member(raw) != self.call.value(name) and loads_member(raw_there) == there)

    def _one_edit_back(self, raw: str) -> dict[str, str]:
        """Return the one edit of a list in the caller's two arguments."""
        value = loads_member(raw)
        names: Mapping[str, str] = self._given["edits"][1]
        if value == self._told["edits"]:
            return {key: self.call.text(key) for key in names.values()}
        if (
            not isinstance(value, list)
            or len(value) != 1
            or not isinstance(value[0], dict)
            or value[0].keys() != {*names}
        ):
            raise _Unmapped(f"the call of {self.call.shown} has one edit")
        return {names[name]: dumps(text) for name, text in value[0].items()}

    def _value_back(self, key: str, raw: str) -> str:
        if key not in self._told:
            return raw
        value = loads_member(raw)
        name, given = self._given[key]
        if value == self._told[key]:
            return self.call.text(name)
        if isinstance(given, Mapping):
            raise _Unmapped(f"the call of {self.call.shown} has it inside {name}")
        if isinstance(value, list) and key == "edits":
            return dumps([_renamed(item, _ITEM.spelled, _item_names(given)) for item in value])
        if isinstance(value, str) and isinstance(given, (list, tuple)):
            return dumps(_listed(value, given, name))
        if isinstance(value, str) and isinstance(given, str) and not _is_absolute(given):
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
    """Return an edit with its old and its new text under these names."""
    if not isinstance(item, Mapping):
        return item
    own = dict(zip(("old_string", "new_string"), names, strict=True))
    return {own.get(spelled.get(key, ""), key): value for key, value in item.items()}


def _item_names(given: Sequence[JSON]) -> tuple[str, str]:
    """Return what the items of a list of edits call the old and the new text; of several names the first."""
    keys = [key for item in given if isinstance(item, Mapping) for key in item]
    old, new = (
        next((key for key in keys if _ITEM.spelled.get(key) == name), name) for name in ("old_string", "new_string")
    )
    return old, new


def text_of(value: JSON) -> str:
    """Return a tool's input as JSON text."""
    return str.__str__(value) if isinstance(value, str) else dumps(value)


def _one_text(name: str, value: JSON) -> str | None:
    if name == "commands" and isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value):
        return joined("\n", value)
    return command_text(value)


def _pairs(text: str) -> list[tuple[str, str]] | None:
    try:
        validate(text)
        return members(text)
    except WireError:
        return None


def _listed(text: str, given: Sequence[JSON], name: str) -> list[str]:
    """Return a command's text in the form that the caller's list had: behind ``bash -lc``, as a script, as words."""
    if name == "commands" or not all(isinstance(one, str) for one in given):
        return [text]  # scripts, each by itself
    if wrapped_command(given) is not None:
        return [str(given[0]), str(given[1]), text]
    if reads_twice(given):
        raise _Unmapped("whether the call's list holds words or scripts is not known")
    from shlex import join, split

    try:
        words = split(text)
    except ValueError:
        words = []
    # Only a text that is nothing but words may be taken apart; any other one is a script, and needs a shell.
    return words if words and join(words) == text else ["sh", "-c", text]


def _is_absolute(path: str) -> bool:
    return path[:1] in ("/", "\\", "~") or path[1:2] == ":" or not path


def _mcp_names(name: str, dialect: Dialect) -> tuple[str, ...]:
    """Return a system's spellings of an MCP tool's name, the usual one first.

    The caller's own name is tried anyway, so it is among them only if it is the usual one.
    """
    found = [spelled for server, tool in mcp_splits(name) for spelled in dialect.mcp_names(server, tool)]
    return tuple(dict.fromkeys([*found[:1], *[spelled for spelled in found if spelled != name]]))


def wording(call: ToolCall, dialect: Dialect, cwd: str, output: JSON = None) -> Wording | None:
    """Say how a system tells a call; None where it has no words of its own for it, or the caller's are they."""
    names: tuple[str, ...] = ()
    kind = call.kind
    if call.name in dialect.other_tools and call.how != TOLD:
        return None
    if kind is not None:
        names = dialect.tools.get(kind.name, ())
    elif call.how != GUESSED:
        names = _mcp_names(call.name, dialect)
    if not names:
        return None
    found = Wording(call, kind, names, dialect, cwd, output)
    return None if found.changes_nothing and found.output is output else found
