"""One tool, many names: what each agent system calls the same thing.

A matcher is written for one system's names. When an event is fired under its neutral name, the caller's tool name may
come from another system, so matchers also try what the dialect calls that tool (contracts/README.md, "tool names").
"""

from __future__ import annotations

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
