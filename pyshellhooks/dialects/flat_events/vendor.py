"""A vendor of the flat form: the names of its files, keys, variables and tools."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ...hooks.dialect import Field
from ...hooks.tools import KIND_OF, is_mcp, mcp_splits
from .rows import FlatEvent

#: A kind of tool -> the name that matches it, whatever the tool's own name (firebender 3).
TOOL_TYPES: dict[str, str] = {
    "shell": "Shell",
    "read": "Read",
    "write": "Write",
    "edit": "Write",
    "multiedit": "Write",
    "delete": "Delete",
    "grep": "Grep",
    "task": "Task",
    "mcp": "MCP",
}

#: Events that Firebender does not have: they identify a file as Cursor's.
CURSOR_ONLY = frozenset(
    [
        "postToolUseFailure",
        "beforeSubmitPrompt",
        "afterAgentResponse",
        "afterAgentThought",
        "beforeTabFileRead",
        "afterTabFileEdit",
        "workspaceOpen",
    ]
)


class Vendor:
    """The names that one vendor uses: all differences between Firebender and Cursor except those of behavior."""

    __slots__ = (
        "aliases",
        "attachment_path",
        "events",
        "folder",
        "known",
        "prefix",
        "quoted_output",
        "system_files",
        "title",
        "tools",
        "variables",
        "version_key",
    )

    def __init__(
        self,
        title: str,
        *,
        folder: str,
        version_key: str,
        prefix: str,
        events: Mapping[str, FlatEvent],
        tools: Mapping[str, tuple[str, ...]],
        attachment_path: str,
        variables: tuple[str, ...],
        aliases: Mapping[str, str] | None = None,
        system_files: tuple[str, ...] = (),
        quoted_output: bool = False,
    ) -> None:
        self.title = title
        self.folder = folder  # ".firebender": in the project and in the home
        self.version_key = version_key  # in the payload
        self.prefix = prefix  # of its variables
        self.events = events
        self.tools = tools
        self.attachment_path = attachment_path  # the key of an attachment's path
        self.variables = variables  # of its hooks' environment, without the prefix
        self.aliases = aliases or {}  # a variable of another vendor -> its own variable with the same value
        self.system_files = system_files  # of the computer's owner
        self.quoted_output = quoted_output  # tool_output is the result as JSON text, also if it is a string
        self.known = frozenset(field.native for row in events.values() for field in row.fields)

    @property
    def variable_names(self) -> tuple[str, ...]:
        """The names of the variables that it sets for its hooks."""
        return (*(f"{self.prefix}_{name}" for name in self.variables), *self.aliases)

    @property
    def file_name(self) -> str:
        """The last two parts of a configuration file's path."""
        return f"{self.folder}/hooks.json"

    def tool_names(self, tool: str) -> tuple[str, ...]:
        """Return the names that match a tool: its name, its kind; for an MCP tool also ``MCP`` and ``MCP:<tool>``."""
        return _known_names(tool) if len(tool) < _LONG else _names(tool)

    def foreign(self, word: str) -> str:
        """Return the vendor's name for a tool if ``word`` is only another system's name for it; else ``""``."""
        kind = KIND_OF.get(word)
        own = self.tools.get(kind, ()) if kind else ()
        return own[0] if own and word not in own else ""


def _names(tool: str) -> tuple[str, ...]:
    kind = "mcp" if tool == "MCP" or is_mcp(tool) else KIND_OF.get(tool, "")
    names = [tool]
    if kind == "mcp":
        names += mcp_names(tool)
    elif kind:
        names += [TOOL_TYPES[kind]] if kind in TOOL_TYPES else []
    return tuple(dict.fromkeys(names))


_LONG = 200  # characters; longer names are not cached
_known_names = lru_cache(512)(_names)


def mcp_names(tool: str) -> tuple[str, ...]:
    """Return the names that match an MCP tool, besides its own name."""
    bare = [name for _, name in mcp_splits(tool)]
    if tool[:4] in ("MCP:", "mcp:"):
        bare.append(tool[4:])
    bare = bare or [tool]
    return ("MCP", *dict.fromkeys(f"MCP:{name}" for name in bare if name != "MCP"))


def base_fields(version_key: str, *between: Field) -> tuple[Field, ...]:
    """Return the fields at the beginning of every payload (firebender 5)."""
    return (
        Field("conversation_id", "session_id", sample="conv-1"),
        Field("generation_id", "turn_id", sample="gen-1", about="another one for each message of the person"),
        Field("model", sample="some-model"),
        *between,
        Field("hook_event_name"),
        Field(version_key),
        Field("workspace_roots", default=[], kind="strings"),
        Field("user_email", default=None, kind="string or null"),
        Field("transcript_path", default=None, kind="string or null"),
    )
