"""One tool, many names: what a call is about, whatever its agent calls it.

A matcher is written for one system's names. When an event is fired under its neutral name, the caller's tool may come
from anywhere, so its kind is found out: the host says it, or the name tells it, or the shape of the call does
(contracts/README.md, "tool names and words").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from .suggest import did_you_mean
from .tool_kinds import BESIDE_COMMAND, BY_NAME, EDITOR_VERBS, EDITORS, KINDS, NO_SHELLS, Kind
from .wire import JSON, TooDeep, WireError, loads, loads_member, members, validate

#: A name and the kinds that it can be of, the likeliest first.
KINDS_OF: dict[str, tuple[Kind, ...]] = {}
for _kind in KINDS:
    for _name in _kind.names:
        KINDS_OF[_name] = (*KINDS_OF.get(_name, ()), _kind)
#: A name and its likeliest kind, by name.
KIND_OF: dict[str, str] = {name: kinds[0].name for name, kinds in KINDS_OF.items()}

#: An argument of a tool, and its names in the systems. What is made of it under a neutral name (variables, subjects,
#: other events) tries them in this order; the payload keeps the caller's.
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "command": BY_NAME["shell"].spellings["command"],
    "file_path": BY_NAME["read"].spellings["file_path"],
}

#: How the kind of a call was found out (``ToolCall.how``).
TOLD, NAMED, GUESSED, UNKNOWN = "told", "named", "guessed", "unknown"

_SHELL = BY_NAME["shell"]
_SHELL_WORDS = frozenset(["sh", "bash", "zsh", "dash", "ash", "ksh"])


class ToolCall:
    """What is known of the call that an event is about.

    ``kind``: None where nobody knows. ``how``: ``told`` by the host, ``named`` in our table, ``guessed`` from the
    arguments, or ``unknown``. ``pairs``: the arguments, each a key and a value or its JSON text (``raw``).
    """

    __slots__ = ("given", "how", "kind", "name", "pairs", "raw")

    def __init__(self, name: str, given: JSON) -> None:
        self.name = name
        self.given = given
        self.pairs, self.raw = arguments(given)
        self.kind: Kind | None = None
        self.how = UNKNOWN

    def value(self, key: str) -> JSON:
        """Give an argument's value; None where it is missing."""
        for name, value in reversed(self.pairs):
            if name == key:
                return loads_member(value) if self.raw else value
        return None

    @property
    def looks_like_shell(self) -> bool:
        """Say whether a command stands in it and nothing that no shell call has."""
        if self.name in EDITORS or self.name in NO_SHELLS:
            return False
        keys = [key for key, _ in self.pairs]
        commands = [key for key in keys if _SHELL.spelled.get(key) == "command"]
        return (
            bool(commands)
            and all(key in commands or key in BESIDE_COMMAND for key in keys)
            and any(command_text(self.value(key)) is not None for key in commands)
        )


class ToolNames:
    """The host's own tools: a name and the kind that the host says it is of (``HookEngine(tools=...)``).

    Raises ``ValueError`` for a kind that does not exist.
    """

    __slots__ = ("told",)

    def __init__(self, told: Mapping[str, str] | None = None) -> None:
        self.told: dict[str, Kind] = {}
        for name, kind in (told or {}).items():
            found = BY_NAME.get(kind) if isinstance(kind, str) else None
            if found is None:
                hint = did_you_mean(str(kind), BY_NAME)
                raise ValueError(
                    f"tools: {name!r} is of kind {kind!r}, which does not exist; {hint + ' ' if hint else ''}"
                    f"there are: {', '.join(BY_NAME)}"
                )
            self.told[name] = found

    def call(self, name: str, given: JSON) -> ToolCall:
        """Find out what a call is about, by its tool's name and its arguments."""
        call = ToolCall(name, given)
        call.kind = self.told.get(name)
        if call.kind is not None:
            call.how = TOLD
            return call
        call.kind = _named(call)
        if call.kind is not None:
            call.how = NAMED
        elif name not in NO_SHELLS and len(call.pairs) == 1 and call.pairs[0][0] in ("command", "cmd"):
            value = call.value(call.pairs[0][0])
            if isinstance(value, str) or wrapped_command(value) is not None:
                call.kind, call.how = _SHELL, GUESSED
        if call.kind is None and KINDS_OF.get(name) == (_SHELL,):
            # A shell by its name, with a command that is called otherwise: its guards are asked, and may only tighten.
            call.kind, call.how = _SHELL, GUESSED
        return call


def _named(call: ToolCall) -> Kind | None:
    """Give the kind that a tool's name and its arguments tell together."""
    keys = {key for key, _ in call.pairs}
    if call.name in EDITORS:
        verb = call.value("command")
        return BY_NAME.get(EDITOR_VERBS.get(verb, "")) if isinstance(verb, str) else None
    for kind in KINDS_OF.get(call.name, ()):
        # Where nothing is said of the arguments, the name alone counts.
        if not keys or call.name in kind.sure or has_needs(kind, keys):
            return kind
    return None


def has_needs(kind: Kind, keys: Iterable[str]) -> bool:
    """Say whether arguments with these names hold all that a kind needs."""
    found = {kind.spelled.get(key) for key in keys}
    return all(need in found for need in kind.needs)


def arguments(given: JSON) -> tuple[list[tuple[str, JSON]], bool]:
    """Give a tool's arguments in order, and whether their values are JSON text; nothing for what is no object."""
    if isinstance(given, str):
        try:
            validate(given)
            return list(members(given)), True
        except WireError:
            return [], False
    if isinstance(given, Mapping):
        return [(str(key), value) for key, value in given.items()], False
    return [], False


def wrapped_command(value: JSON) -> str | None:
    """Give the text in ``["bash", "-lc", text]``, as Codex calls a shell; None for anything else."""
    if isinstance(value, (list, tuple)) and len(value) == 3 and all(isinstance(word, str) for word in value):
        program, flags, text = value
        base = program.replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
        if base in _SHELL_WORDS and flags[:1] == "-" and flags[-1:] == "c":
            return str(text)
    return None


def command_text(value: JSON) -> str | None:
    """Give a command as one text, in whatever form it comes; None where there is none.

    A text; the text in ``["bash", "-lc", text]``; words, as a shell would read them (and the words as lines too, where
    they may be scripts of their own); objects that hold a command.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return next((command_text(value[key]) for key in ("command", "commands", "cmd") if key in value), None)
    if not isinstance(value, (list, tuple)) or not value:
        return None
    wrapped = wrapped_command(value)
    if wrapped is not None:
        return wrapped
    texts = [command_text(one) for one in value]
    if not all(isinstance(word, str) for word in value):
        return "\n".join(text for text in texts if text is not None) or None
    from shlex import join

    scripts = any(" " in word for word in value) and len(value) > 1
    return join(value) + ("\n" + "\n".join(value) if scripts else "")


def mcp_parts(tool: str) -> tuple[str, str] | None:
    """Split ``mcp__server__tool`` or ``mcp_server_tool``; None for any other tool.

    The single form is ambiguous where a server's name holds ``_``: the first one splits.
    """
    return next(iter(mcp_splits(tool)), None)


def mcp_splits(tool: str) -> list[tuple[str, str]]:
    """Give every server and tool that a name can mean: one for ``mcp__s__t``, several for ``mcp_a_b_c``."""
    if tool.startswith("mcp__"):
        server, found, name = tool[5:].partition("__")
        return [(server, name)] if found and server and name else []
    if not tool.startswith("mcp_"):
        return []
    server, found, name = tool[4:].partition("__")
    if found:  # mcp_server__tool, as Everruns and openai-agents write it
        return [(server, name)] if server and name else []
    words, rest = tool[4:].split("_")[:9], tool[4:].split("_")[9:]
    cuts = [("_".join(words[:at]), "_".join([*words[at:], *rest])) for at in range(1, len(words))]
    return [(server, name) for server, name in cuts if server and name]


def is_mcp(tool: str) -> bool:
    """Say whether a name is one of an MCP server's tools, as some system writes them."""
    return bool(mcp_splits(tool)) or tool.startswith(("MCP:", "mcp:"))


def own_names(
    tool: str, tools: Mapping[str, tuple[str, ...]], mcp: Callable[[str, str], tuple[str, ...]] | None = None
) -> tuple[str, ...]:
    """Give what a system calls a tool of another one: by its table, and for MCP tools by ``mcp(server, tool)``."""
    kinds = KINDS_OF.get(tool, ())
    names: tuple[str, ...] = ()
    if kinds:
        names = next((tools[kind.name] for kind in kinds if kind.name in tools), ())
    elif mcp is not None:
        names = tuple(name for server, bare in mcp_splits(tool) for name in mcp(server, bare))
    return tuple(name for name in dict.fromkeys(names) if name != tool)


def concept(fields: Mapping[str, JSON], names: ToolNames | None = None) -> str:
    """Say what kind of tool an event is about: a kind's name, ``mcp``, or ``""``."""
    tool = fields.get("tool_name")
    if not isinstance(tool, str):
        return ""
    if is_mcp(tool):
        return "mcp"
    found = (names or _NOBODY).call(tool, fields.get("tool_input"))
    if found.kind is not None and found.how != GUESSED:
        return found.kind.name
    # A tool that nobody knows, beside a server: its host tells of an MCP tool under its bare name.
    if fields.get("url") or fields.get("mcp_context"):
        return "mcp"
    return found.kind.name if found.kind is not None else ""


_NOBODY = ToolNames()


def argument(fields: Mapping[str, JSON], name: str) -> JSON:
    """Give an argument of an event's tool by any of its names (``ARGUMENTS``); None if it has none."""
    given = fields.get("tool_input")
    if isinstance(given, str):
        try:
            given = loads(given)
        except (WireError, TooDeep):
            return None
    if not isinstance(given, Mapping):
        return None
    return next((given[key] for key in ARGUMENTS[name] if key in given), None)


def failed(fields: Mapping[str, JSON]) -> bool:
    """Say whether an event tells of a tool call that failed."""
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
