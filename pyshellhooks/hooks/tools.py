"""The kind of a tool call, whatever name its agent gives the tool.

A matcher is written for one system's names. When an event is fired under its neutral name, the caller's tool may be
any agent's, so its kind is derived: from the host's statement, from the tool's name, or from the call's arguments
(decisions tool names).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ..jsontext.chunks import joined
from ..jsontext.compact import JSON, TooDeep, WireError, dumps, loads, loads_member, members, validate
from ..regexes import lazy_pattern
from ..text import present, remembered
from .suggest import did_you_mean
from .tool_kinds import (
    BESIDE_COMMAND,
    BY_NAME,
    COMMAND_WORDS,
    EDITOR_VERBS,
    EDITORS,
    KINDS,
    LOOK_WORDS,
    NO_SHELLS,
    RUN_WORDS,
    SCRIPTS,
    SHELL_WORDS,
    Kind,
)

#: A tool's name and its possible kinds, the likeliest first.
KINDS_OF: dict[str, tuple[Kind, ...]] = {}
for _kind in KINDS:
    for _name in _kind.names:
        KINDS_OF[_name] = (*KINDS_OF.get(_name, ()), _kind)
#: A tool's name and the name of its likeliest kind.
KIND_OF: dict[str, str] = {name: kinds[0].name for name, kinds in KINDS_OF.items()}

#: An argument of a tool, and its names in the systems. Under a neutral event name, variables, subjects and other
#: events read the first of these names that the call has; the payload keeps the caller's.
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "command": BY_NAME["shell"].spellings["command"],
    "file_path": BY_NAME["read"].spellings["file_path"],
}

#: How the kind of a call was derived (``ToolCall.how``).
DECLARED, NAMED, GUESSED, UNKNOWN = "declared", "named", "guessed", "unknown"

_SHELL = BY_NAME["shell"]
_EDITING = ("edit", "multiedit", "write")
_SHOWN = 100  # characters of a tool's name in a message
_DEEPEST = 20  # nested lists and objects that are searched for a command
_SHELLS = frozenset(["sh", "bash", "zsh", "dash", "ash", "ksh"])
_NAMES = 1000  # tool names whose result of ``has_shell_name`` is cached
_WORD = lazy_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

#: The kind that a host states for one of its tools, alone or with the tool's names of that kind's arguments.
ToldKind = str | tuple[str, Mapping[str, str]]


class ToolCall:
    """The tool call of an event, and its kind.

    ``kind``: None if unknown. ``how``: ``declared`` by the host, ``named`` in our table, ``guessed`` from the arguments, or
    ``unknown``. ``pairs``: the arguments, each a key and a value or its JSON text (``raw``).
    """

    __slots__ = ("how", "kind", "name", "pairs", "raw", "tool_input")

    def __init__(self, name: str, tool_input: JSON) -> None:
        self.name = name
        self.tool_input = tool_input
        self.pairs, self.raw = arguments(tool_input)
        self.kind: Kind | None = None
        self.how = UNKNOWN

    @property
    def shown(self) -> str:
        """The tool's name for a message: one line, shortened."""
        name = self.name if len(self.name) <= _SHOWN else self.name[:_SHOWN] + "…"
        return name if name.isprintable() else repr(name)[1:-1]

    def value(self, key: str) -> JSON:
        """Return an argument's value; None if it is missing."""
        for name, value in reversed(self.pairs):
            if name == key:
                return loads_member(value) if self.raw else value
        return None

    def text(self, key: str) -> str:
        """Return an argument's value as JSON text in its original spelling. Raises ``WireError`` if it has none."""
        for name, value in reversed(self.pairs):
            if name == key:
                return value if self.raw else dumps(value)
        return "null"

    @property
    def depends_on_values(self) -> bool:
        """Whether the kind depends on more than the names of the tool and its arguments."""
        if self.name in EDITORS or has_shell_name(self.name):
            return True
        return self.kind is None and any(key in ("command", "cmd") for key, _ in self.pairs)

    @property
    def looks_like_shell(self) -> bool:
        """Whether it has a command and only arguments of shell calls, or a shell's name and a script."""
        bare = {self.name, *(tool for _, tool in mcp_splits(self.name))}
        if not bare.isdisjoint(EDITORS | NO_SHELLS):
            return False
        if self.scripts or any(wrapped_command(self.value(key)) is not None for key, _ in self.pairs):
            return True
        keys = [key for key, _ in self.pairs]
        commands = [key for key in keys if _SHELL.spelled.get(key) == "command"]
        if is_mcp(self.name) and commands == ["action"]:  # many servers' tools have a verb under this name
            return False
        if not commands or not all(key in commands or key in BESIDE_COMMAND for key in keys):
            return False
        return any(command_text(self.value(key)) is not None for key in commands)

    @property
    def scripts(self) -> tuple[str, ...]:
        """The arguments that may contain the command of a tool with a shell's name."""
        if not has_shell_name(self.name):
            return ()
        keys = [key for key, _ in self.pairs if _SHELL.spelled.get(key) == "command" or key in SCRIPTS]
        if not keys and LOOK_WORDS.isdisjoint(_words(self.name)):
            keys = [key for key, _ in self.pairs if key not in BESIDE_COMMAND and not key.lower().endswith("id")]
        return tuple(key for key in keys if command_text(self.value(key)) is not None)


class ToolNames:
    """The kinds of tools by name, with the kinds that the host states for its own tools (``HookEngine(tools=...)``).

    Raises ``ValueError`` for a kind, or an argument of a kind, that does not exist.
    """

    __slots__ = ("_last", "declared")

    def __init__(self, declared: Mapping[str, ToldKind] | None = None) -> None:
        self.declared: dict[str, Kind] = {}
        self._last: ToolCall | None = None  # for JSON text, which may be long: one event looks it up several times
        for name, kind in (declared or {}).items():
            self.declared[name] = _declared_kind(name, kind)

    def call(self, name: str, tool_input: JSON) -> ToolCall:
        """Return the call with its kind, derived from the tool's name and the arguments."""
        last = self._last
        if last is not None and last.tool_input is tool_input and last.name == name:
            return last
        call = self._infer_kind(ToolCall(name, tool_input))
        if isinstance(tool_input, str):
            self._last = call
        return call

    def _infer_kind(self, call: ToolCall) -> ToolCall:
        name = call.name
        call.kind = self.declared.get(name)
        if call.kind is not None:
            call.how = DECLARED
            return call
        call.kind = _named(call)
        if call.kind is not None:
            call.how = NAMED
        elif _has_only_command(call):
            value = call.value(call.pairs[0][0])
            if isinstance(value, str) or wrapped_command(value) is not None:
                call.kind, call.how = _SHELL, GUESSED
        if call.kind is None and KINDS_OF.get(name) == (_SHELL,):
            # A shell by its name, without a known command argument: its guards run, and may only tighten.
            call.kind, call.how = _SHELL, GUESSED
        if call.kind is None and not is_mcp(name):
            scripts = call.scripts
            if scripts:
                call.kind, call.how = _SHELL.with_names({"command": scripts}), GUESSED
        return call


def _has_only_command(call: ToolCall) -> bool:
    """Return whether a call's only argument is a command, and its tool neither an MCP server's nor in ``NO_SHELLS``."""
    if len(call.pairs) != 1 or call.pairs[0][0] not in ("command", "cmd"):
        return False
    # The server of an MCP tool defines the meaning of its arguments.
    return call.name not in NO_SHELLS and not is_mcp(call.name)


def _declared_kind(name: str, declared: ToldKind) -> Kind:
    """Return the kind that a host states for one of its tools, with the tool's names of the kind's arguments."""
    kind: object = declared
    names: Mapping[str, str] = {}
    if isinstance(declared, (tuple, list)) and len(declared) == 2:
        kind, names = declared
    known_kind = BY_NAME.get(kind) if isinstance(kind, str) else None
    if known_kind is None:
        raise ValueError(f"tools: {name!r} has the unknown kind {kind!r}; {_expected(kind, BY_NAME)}")
    is_mapping = isinstance(names, Mapping) and all(isinstance(own, str) and own for own in names.values())
    if not is_mapping:
        raise ValueError(f"tools: {name!r} maps arguments to names, such as ({kind!r}, {{'command': 'cmdline'}})")
    for argument in names:
        if argument not in known_kind.spellings:
            hint = _expected(argument, known_kind.spellings)
            raise ValueError(f"tools: {name!r} maps the unknown {kind} argument {argument!r}; {hint}")
    if not names:
        return known_kind
    return known_kind.with_names({argument: (own,) for argument, own in names.items()})


def _expected(name: object, known: Iterable[str]) -> str:
    """Return a hint for an unknown name: the nearest known one, and all known ones."""
    known = tuple(known)
    hint = f"expected one of: {', '.join(known)}"
    nearest = did_you_mean(str(name), known)
    return f"{nearest} {hint}" if nearest else hint


@remembered(_NAMES)
def has_shell_name(name: str) -> bool:
    """Return whether the name of a tool, or of an MCP tool, is a shell's: ``remote_shell``, ``executeCommand``."""
    if any(name in names for names in (EDITORS, NO_SHELLS, KINDS_OF)):
        return False
    splits = mcp_splits(name)
    if not splits:
        return _is_shell_name(_words(name))
    return any(_is_shell_of_server(server, tool) for server, tool in splits)


def _is_shell_of_server(server: str, tool: str) -> bool:
    """Return whether the name of an MCP tool is a shell's, by itself or with its server's (``shell``, ``run``)."""
    if tool in NO_SHELLS or tool in EDITORS:
        return False
    if _is_shell_name(_words(tool)):
        return True
    return not SHELL_WORDS.isdisjoint(_words(server)) and not RUN_WORDS.isdisjoint(_words(tool))


def _is_shell_name(words: frozenset[str]) -> bool:
    if not SHELL_WORDS.isdisjoint(words) or words >= {"power", "shell"}:
        return True
    commands = words & COMMAND_WORDS
    if not commands:
        return False
    return not RUN_WORDS.isdisjoint(words) or words <= commands | {"tool", "exe", "line"}


def _words(name: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(name[:_SHOWN]))


def _named(call: ToolCall) -> Kind | None:
    """Return the kind that a tool's name has together with its arguments."""
    keys = {key for key, _ in call.pairs}
    if call.name in EDITORS:
        verb = call.value("command")
        if isinstance(verb, str):
            return BY_NAME.get(EDITOR_VERBS.get(verb, ""))
        return next((kind for kind in map(BY_NAME.__getitem__, _EDITING) if has_needs(kind, keys)), None)
    for kind in KINDS_OF.get(call.name, ()):
        if not keys or call.name in kind.sure:  # without arguments the name alone decides
            return kind
        if has_needs(kind, keys):
            return kind
    return None


def has_needs(kind: Kind, keys: Iterable[str]) -> bool:
    """Return whether arguments with these names include all that a kind needs."""
    names = {kind.spelled.get(key) for key in keys}
    return all(need in names for need in kind.needs)


def arguments(tool_input: JSON) -> tuple[list[tuple[str, JSON]], bool]:
    """Return a tool's arguments in order, and whether their values are JSON text; none unless it is an object."""
    if isinstance(tool_input, str):
        try:
            validate(tool_input)
            return list(members(tool_input)), True
        except WireError:
            return [], False
    if isinstance(tool_input, Mapping):
        return [(_key(key), value) for key, value in tool_input.items()], False
    return [], False


def _key(key: JSON) -> str:
    """Return an object's key as JSON text spells it."""
    if isinstance(key, str):
        return str.__str__(key)
    try:
        return str(next(iter(loads(dumps({key: None})))))
    except WireError:
        return str(key)


def wrapped_command(value: JSON) -> str | None:
    """Return the text in ``["bash", "-lc", text]``, the form of Codex's shell calls; None for any other value."""
    if not isinstance(value, (list, tuple)) or len(value) != 3:
        return None
    if not all(isinstance(word, str) for word in value):
        return None
    program, flags, text = value
    base = program.replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
    is_cluster_with_c = flags[:1] == "-" and flags[-1:] == "c"
    if base not in _SHELLS or not is_cluster_with_c:
        return None
    return str(text)


def command_text(value: JSON, depth: int = 0) -> str | None:
    """Return a command in any known form as one text; None if the value has no command.

    The forms: a text; the text in ``["bash", "-lc", text]``; words, quoted for a shell (and again as lines, if each may
    be a script); objects with a command and its arguments. Of a list nothing is left out: items that are not commands
    appear as JSON.
    """
    if isinstance(value, str):
        return value
    if depth >= _DEEPEST:
        return None
    if isinstance(value, Mapping):
        texts = present(command_text(value.get(key), depth + 1) for key in ("command", "commands", "cmd"))
        behind = value.get("args")
        if not texts:
            return None
        more = behind if isinstance(behind, (list, tuple)) else ()
        return " ".join(["\n".join(texts), *map(_word, more)])
    if not isinstance(value, (list, tuple)) or not value:
        return None
    wrapped = wrapped_command(value)
    if wrapped is not None:
        return wrapped
    if not all(isinstance(word, str) for word in value):
        each = ((command_text(item, depth + 1), item) for item in value)
        return joined("\n", (_json(item) if text is None else text for text, item in each))
    if len(value) == 1:
        return str(value[0])
    words = joined(" ", map(_word, value))
    if not is_ambiguous(value):
        return words
    return words + "\n" + joined("\n", value)


def is_ambiguous(value: Sequence[JSON]) -> bool:
    """Return whether a list of texts may be the words of one command or several scripts."""
    return any(_word(word) != word for word in value)


def _word(value: JSON) -> str:
    from shlex import quote

    text = value if isinstance(value, str) else _json(value)
    return quote(text)


def _json(value: JSON) -> str:
    try:
        return dumps(value)
    except WireError:
        return str(type(value))


def mcp_parts(tool: str) -> tuple[str, str] | None:
    """Split ``mcp__server__tool``, ``mcp:server:tool`` or ``mcp_server_tool``; None for any other tool.

    The last form is ambiguous if the server's name contains ``_``; the first ``_`` splits it.
    """
    return next(iter(mcp_splits(tool)), None)


def mcp_splits(tool: str) -> list[tuple[str, str]]:
    """Return every pair of server and tool that a name can mean: one for ``mcp__s__t``, several for ``mcp_a_b_c``."""
    if tool.startswith(("mcp:", "MCP:")):  # mcp:server:tool, as Docker Agent's document writes it
        server, separator, name = tool[4:].partition(":")
    elif tool.startswith("mcp__"):
        server, separator, name = tool[5:].partition("__")
    elif tool.startswith("mcp_"):
        server, separator, name = tool[4:].partition("__")
        if not separator:
            return _splits_at_any_underscore(tool[4:])
        # mcp_server__tool, as Everruns and openai-agents write it
    else:
        return []
    if not server or not name:
        return []
    return [(server, name)]


def _splits_at_any_underscore(text: str) -> list[tuple[str, str]]:
    """Return the pairs of ``server_tool``, where either may have underscores of its own."""
    every = text.split("_")
    words, rest = every[:9], every[9:]
    splits: list[tuple[str, str]] = []
    for at in range(1, len(words)):
        server, name = "_".join(words[:at]), "_".join([*words[at:], *rest])
        if server and name:
            splits.append((server, name))
    return splits


def is_mcp(tool: str) -> bool:
    """Return whether a name has the form of an MCP tool's name in some system."""
    return bool(mcp_splits(tool)) or tool.startswith(("MCP:", "mcp:"))


def own_names(
    tool: str, tools: Mapping[str, tuple[str, ...]], mcp: Callable[[str, str], tuple[str, ...]] | None = None
) -> tuple[str, ...]:
    """Return a system's names for another system's tool: from its table, or ``mcp(server, tool)`` for MCP tools."""
    kinds = KINDS_OF.get(tool, ())
    names: tuple[str, ...] = ()
    if kinds:
        names = next((tools[kind.name] for kind in kinds if kind.name in tools), ())
    elif mcp is not None:
        names = tuple(name for server, bare in mcp_splits(tool) for name in mcp(server, bare))
    return tuple(name for name in dict.fromkeys(names) if name != tool)


def tool_kind(fields: Mapping[str, JSON], names: ToolNames | None = None) -> str:
    """Return the kind of an event's tool: a kind's name, ``mcp``, or ``""``."""
    tool = fields.get("tool_name")
    if not isinstance(tool, str):
        return ""
    names = names or _NOBODY
    if is_mcp(tool) and tool not in names.declared:
        return "mcp"
    call = names.call(tool, fields.get("tool_input"))
    if call.kind is not None and call.how != GUESSED:
        return call.kind.name
    # An unknown tool in an event with an MCP server: the host names the MCP tool without its prefix.
    if fields.get("url") or fields.get("mcp_context"):
        return "mcp"
    return call.kind.name if call.kind is not None else ""


_NOBODY = ToolNames()


def argument(fields: Mapping[str, JSON], name: str) -> JSON:
    """Return an argument of an event's tool by any of its names (``ARGUMENTS``); None if it is missing."""
    tool_input = fields.get("tool_input")
    if isinstance(tool_input, str):
        try:
            tool_input = loads(tool_input)
        except (WireError, TooDeep):
            return None
    if not isinstance(tool_input, Mapping):
        return None
    return next((tool_input[key] for key in ARGUMENTS[name] if key in tool_input), None)


def failed(fields: Mapping[str, JSON]) -> bool:
    """Return whether an event reports a failed tool call."""
    return fields.get("success") is False or bool(fields.get("tool_error"))


Condition = Callable[[Mapping[str, JSON], str], bool]
#: When a native event takes part in a neutral one (``EventSpec.when``), by its fields and the tool's kind.
CONDITIONS: dict[str, Condition] = {
    "shell": lambda fields, kind: kind == "shell",
    "mcp": lambda fields, kind: kind == "mcp",
    "read": lambda fields, kind: kind == "read",
    "edit": lambda fields, kind: kind in ("write", "edit", "multiedit") and not failed(fields),
    "succeeded": lambda fields, kind: not failed(fields),
    "failed": lambda fields, kind: failed(fields),
}
