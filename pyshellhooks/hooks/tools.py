"""One tool, many names: what each agent system calls the same thing.

A matcher is written for one system's names. When an event is fired under its neutral name, the caller's tool name may
come from another system, so matchers also try what the dialect calls that tool (contracts/README.md, "tool names").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .wire import JSON, WireError, loads

CONCEPTS: dict[str, frozenset[str]] = {
    "shell": frozenset(
        [
            "bash",
            "Bash",
            "Shell",
            "shell",
            "run_shell_command",
            "execute_bash",
            "run_terminal_cmd",
            "terminal",
            "BashTool",
            "run_command",
        ]
    ),
    "read": frozenset(["view", "Read", "read_file", "ReadFile", "read_many_files", "fs_read"]),
    "write": frozenset(["write", "Write", "write_file", "WriteFile", "create_file", "fs_write"]),
    "edit": frozenset(
        ["edit", "Edit", "replace", "edit_file", "str_replace", "StrReplace", "search_replace", "apply_patch"]
    ),
    "multiedit": frozenset(["multiedit", "MultiEdit", "multi_edit"]),
    "delete": frozenset(["Delete", "delete_file"]),
    "list": frozenset(["ls", "LS", "list_directory", "list_dir"]),
    "glob": frozenset(["glob", "Glob", "find_files", "file_search"]),
    "grep": frozenset(["grep", "Grep", "search_file_content", "grep_search", "search_files_content"]),
    "fetch": frozenset(["fetch", "WebFetch", "web_fetch"]),
    "web_search": frozenset(["web_search", "WebSearch", "google_web_search"]),
    "task": frozenset(["agent", "Task", "Agent", "transfer_task"]),
    "todo": frozenset(["todos", "TodoWrite", "write_todos", "todo_write"]),
}

CONCEPT_OF: dict[str, str] = {name: concept for concept, names in CONCEPTS.items() for name in names}

#: An argument of a tool, and its names in the systems. What is made of it under a neutral name (variables, subjects,
#: other events) tries them in this order; the payload keeps the caller's.
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "command": ("command", "cmd", "commands"),
    "file_path": ("file_path", "filePath", "path", "absolute_path", "target_file"),
}


def mcp_parts(tool: str) -> tuple[str, str] | None:
    """Split ``mcp__server__tool`` or ``mcp_server_tool``; None for any other tool.

    The single form is ambiguous where a server's name holds ``_``: the first one splits.
    """
    if tool.startswith("mcp__"):
        server, found, name = tool[5:].partition("__")
    elif tool.startswith("mcp_"):
        server, found, name = tool[4:].partition("_")
    else:
        return None
    return (server, name) if found and server and name else None


def own_names(
    tool: str, tools: Mapping[str, tuple[str, ...]], mcp: Callable[[str, str], tuple[str, ...]] | None = None
) -> tuple[str, ...]:
    """Give what a system calls a tool of another one: by its table, and for MCP tools by ``mcp(server, tool)``."""
    found = CONCEPT_OF.get(tool)
    parts = mcp_parts(tool) if found is None and mcp is not None else None
    names = tools.get(found, ()) if found is not None else mcp(*parts) if mcp is not None and parts else ()
    return tuple(name for name in names if name != tool)


def concept(fields: Mapping[str, JSON]) -> str:
    """Say what kind of tool an event is about: a name of ``CONCEPTS``, ``mcp``, or ``""``."""
    tool = fields.get("tool_name")
    if not isinstance(tool, str):
        return ""
    if mcp_parts(tool) or tool.startswith(("MCP:", "mcp:")):
        return "mcp"
    known = CONCEPT_OF.get(tool, "")
    # A tool that nobody knows, beside a server: its host tells of an MCP tool under its bare name.
    return known or ("mcp" if fields.get("url") or fields.get("mcp_context") else "")


def argument(fields: Mapping[str, JSON], name: str) -> JSON:
    """Give an argument of an event's tool by any of its names (``ARGUMENTS``); None if it has none."""
    given = fields.get("tool_input")
    if isinstance(given, str):
        try:
            given = loads(given)
        except WireError:
            return None
    if not isinstance(given, Mapping):
        return None
    return next((given[key] for key in ARGUMENTS[name] if key in given), None)


def failed(fields: Mapping[str, JSON]) -> bool:
    """Say whether an event tells of a tool call that failed."""
    return fields.get("success") is False or bool(fields.get("tool_error"))


#: When a native event takes part in a neutral one (``EventSpec.when``).
CONDITIONS: dict[str, Callable[[Mapping[str, JSON]], bool]] = {
    "shell": lambda fields: concept(fields) == "shell",
    "mcp": lambda fields: concept(fields) == "mcp",
    "read": lambda fields: concept(fields) == "read",
    "edit": lambda fields: concept(fields) in ("write", "edit", "multiedit") and not failed(fields),
    "succeeded": lambda fields: not failed(fields),
    "failed": failed,
}
