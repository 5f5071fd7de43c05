"""One call in two wordings: the caller's, and that of the system whose hooks are asked.

A guard that was written for Claude Code reads ``Bash`` and ``.tool_input.command``. An agent whose tool is ``execute``
with ``cmd`` is told to it in those words, and what the guard rewrites comes back in the agent's
(contracts/README.md, "tool names and words"). Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from posixpath import join as join_path
from posixpath import normpath
from typing import TYPE_CHECKING

from .model import Decision, HookOutcome
from .tool_kinds import Kind
from .tools import GUESSED, ToolCall, command_text, mcp_splits, wrapped_command
from .wire import JSON, JsonText, WireError, dumps, join, loads, loads_member, members, validate

if TYPE_CHECKING:
    from .dialect import Dialect

_PATHS = frozenset({"file_path", "path"})


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
    )

    def __init__(
        self, call: ToolCall, kind: Kind | None, names: Sequence[str], dialect: Dialect, cwd: str, output: JSON
    ) -> None:
        self.call = call
        self.kind = kind
        self.names = tuple(names)
        self.dialect = dialect
        self.guessed = call.how == GUESSED
        self.faults: tuple[str, ...] = ()
        # The tool's output in the shape in which the system's own tool gives it.
        self.output = dialect.shaped_output(kind.name, output) if kind is not None and output is not None else output
        self._cwd = cwd
        own = dialect.arguments.get(kind.name, {}) if kind is not None else {}
        self._forward: dict[str, str] = {}
        self._given: dict[str, JSON] = {}  # own key -> the caller's value, where it was told otherwise
        self._told: dict[str, JSON] = {}  # own key -> the value that was told instead
        if kind is not None:
            for key, _ in call.pairs:
                argument = kind.spelled.get(key)
                if argument is not None and own.get(argument, argument):
                    self._forward[key] = own.get(argument, argument)
            self._values(kind, own)
        self._back = {told: key for key, told in self._forward.items()}

    def _values(self, kind: Kind, own: Mapping[str, str]) -> None:
        """Find the values that are told in another form: a command as one text, a path from the root."""
        for argument in kind.spellings:
            key = own.get(argument, argument)
            spellings = [name for name, told in self._forward.items() if told == key]
            if not spellings:
                continue
            value = self.call.value(spellings[0])
            told = value
            if argument == "command":
                told = self._command(spellings)
            elif argument in _PATHS and kind.name in self.dialect.absolute and isinstance(value, str):
                told = value if _is_absolute(value) else normpath(join_path(self._cwd, value))
            if len(spellings) > 1:
                self.faults += (
                    f"the call of {self.call.name} has {' and '.join(spellings)}; which counts is not known",
                )
            if told is not value or len(spellings) > 1:
                self._given[key], self._told[key] = value, told
        need = kind.needs[0] if kind.needs else ""
        if need and self.call.pairs and own.get(need, need) not in self._forward.values():
            said = ", ".join(kind.spellings[need][:4])
            self.faults += (
                f"the tool {self.call.name} is of kind {kind.name}, and nothing in its call is called as a {need} is "
                f"({said}, …): guards see what stands there, under the names that it has",
            )

    def _command(self, spellings: Sequence[str]) -> JSON:
        """Give the command as one text; of several all of them, so that a guard sees what may run."""
        texts = [_one_text(name, self.call.value(name)) for name in spellings]
        if len(texts) > 1:
            return "\n".join(
                text if text is not None else dumps(self.call.value(name))
                for name, text in zip(spellings, texts, strict=True)
            )
        return texts[0] if texts[0] is not None else self.call.value(spellings[0])

    @property
    def changes_nothing(self) -> bool:
        """Say whether the caller's words are the system's already."""
        return (
            self.call.name in self.names
            and not self._told
            and not self.faults
            and all(key == told for key, told in self._forward.items())
        )

    @property
    def same_name(self) -> bool:
        """Say whether the caller's tool has the system's name, and only its arguments differ."""
        return self.call.name in self.names

    # -- there --------------------------------------------------------------------------------------------------------

    def input(self) -> JSON:
        """Give the tool's input in the system's words."""
        pairs: list[tuple[str, JSON]] = []
        for key, value in self.call.pairs:
            told = self._forward.get(key, key)
            if told in self._told:
                value = dumps(self._told[told]) if self.call.raw else self._told[told]
            pairs.append((told, value))
        if not pairs:
            return self.call.given
        return JsonText(join(pairs)) if self.call.raw else dict(pairs)

    def forward(self, outcome: HookOutcome) -> HookOutcome:
        """Give the outcome of a hook that was told in the caller's words in the system's."""
        if outcome.rewrite is None:
            return outcome
        rewrite, _ = self._renamed(outcome.rewrite, self._forward)
        return outcome.replace(rewrite=rewrite)

    # -- and back -----------------------------------------------------------------------------------------------------

    def back(self, outcome: HookOutcome) -> HookOutcome:
        """Give the outcome of a hook that was told in the system's words in the caller's.

        Of a guessed kind deny, ask and halt count, and nothing else.
        """
        if self.guessed:
            return self._tightened(outcome)
        changes: dict[str, object] = {}
        notices: tuple[str, ...] = ()
        if outcome.rewrite is not None:
            changes["rewrite"], notices = self._rewrite(outcome.rewrite)
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
        if not dropped:
            return outcome
        kind = self.kind.name if self.kind is not None else ""
        notice = (
            f"its {' and '.join(dropped)} does not count: that {self.call.name} is a {kind} is a guess; "
            f'say tools={{"{self.call.name}": "{kind}"}}'
        )
        decision = Decision.NONE if outcome.decision is Decision.ALLOW else outcome.decision
        return outcome.replace(
            decision=decision, rewrite=None, output=None, context="", notices=(*outcome.notices, notice)
        )

    def _rewrite(self, text: str) -> tuple[str, tuple[str, ...]]:
        """Give a patch or a whole input in the caller's words; what the call did not have is told, and kept."""
        pairs = _pairs(text)
        if pairs is None:
            return text, ()
        found: list[tuple[str, str]] = []
        had = {key for key, _ in self.call.pairs}
        added: list[str] = []
        clashing = {told for told in self._forward.values() if list(self._forward.values()).count(told) > 1}
        notices: tuple[str, ...] = ()
        for key, raw in pairs:
            name = self._back.get(key, key)
            if key in clashing:
                notices += (f"the rewrite of {key} is left out: the call has it under several names",)
                continue
            if name not in had:
                added.append(name)
            try:
                found.append((name, self._value_back(key, raw)))
            except _Unmapped:
                notices += (f"the rewrite of {key} is left out: the call of {self.call.name} has it inside {name}",)
        if added:
            notices += (f"the rewrite has {', '.join(added)}, which the call of {self.call.name} did not have",)
        return join(found), notices

    def _value_back(self, key: str, raw: str) -> str:
        if key not in self._told:
            return raw
        value = loads_member(raw)
        if value == self._told[key]:
            return dumps(self._given[key])
        given = self._given[key]
        if isinstance(given, Mapping):
            raise _Unmapped(key)
        if isinstance(value, str) and isinstance(given, (list, tuple)):
            return dumps(_words(value, given))
        if isinstance(value, str) and isinstance(given, str) and not _is_absolute(given):
            base = self._cwd.rstrip("/") + "/"
            return dumps(value.removeprefix(base))
        return raw

    def _output(self, text: str) -> str:
        if self.kind is None:
            return text
        try:
            value = loads(text)
        except WireError:
            return text
        plain = self.dialect.plain_output(self.kind.name, value)
        return text if plain is value else dumps(plain)

    def _renamed(self, text: str, names: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
        pairs = _pairs(text)
        if pairs is None:
            return text, ()
        found = []
        for key, raw in pairs:
            told = names.get(key, key)
            value = loads_member(raw) if told in self._told else None
            plain = command_text(value) if isinstance(value, (list, tuple)) else None
            found.append((told, dumps(plain) if plain is not None else raw))
        return join(found), ()


def _one_text(name: str, value: JSON) -> str | None:
    if name == "commands" and isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value):
        return "\n".join(value)
    return command_text(value)


def _pairs(text: str) -> list[tuple[str, str]] | None:
    try:
        validate(text)
        return members(text)
    except WireError:
        return None


def _words(text: str, given: Sequence[JSON]) -> list[str]:
    """Give a command's text in the form that the caller's list had: behind ``bash -lc``, or as words."""
    if wrapped_command(given) is not None:
        return [str(given[0]), str(given[1]), text]
    from shlex import join, split

    try:
        words = split(text)
    except ValueError:
        words = []
    # Only a text that is nothing but words may be taken apart; any other one is a script, and needs a shell.
    return words if words and join(words) == text else ["sh", "-c", text]


def _is_absolute(path: str) -> bool:
    return path[:1] in ("/", "\\", "~") or path[1:2] == ":" or not path


def wording(call: ToolCall, dialect: Dialect, cwd: str, output: JSON = None) -> Wording | None:
    """Say how a system tells a call; None where it has no words of its own for it, or the caller's are they."""
    names: tuple[str, ...] = ()
    kind = call.kind
    if call.name in dialect.other_tools:
        return None
    if kind is not None:
        names = dialect.tools.get(kind.name, ())
    elif call.how != GUESSED:
        names = tuple(
            dict.fromkeys(name for server, tool in mcp_splits(call.name) for name in dialect.mcp_names(server, tool))
        )
    if not names:
        return None
    found = Wording(call, kind, names, dialect, cwd, output)
    return None if found.changes_nothing and found.output is output else found
