"""``pyshellhooks mcp-shell``: a sandboxed shell as an MCP server on standard input and output (docs/mcp-shell.md)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from . import arguments, parsers, terminal

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from ..tool import ShellTool

POINT = "/work"
_KINDS = {
    "overlay": "a directory that the model reads; its writes stay in memory",
    "read-only": "a directory that the model reads",
    "read-write": "a directory that the model reads and writes",
}


def parser() -> parsers.Parser:
    """Return the parser of the command."""
    command_parser = parsers.parser(
        "mcp-shell",
        "Serve a sandboxed shell as a tool for models: an MCP server on standard input and output. Files are in memory. No "
        "program of the machine runs, and of its files only those in the directories of the options are visible.",
        examples=("mcp-shell --overlay .", "mcp-shell --read-only docs --show"),
    )
    for name, what in _KINDS.items():
        command_parser.add_argument(
            f"--{name}",
            metavar="HOST[:PATH]",
            action="append",
            default=[],
            help=f"{what}; mounted at PATH (default: {POINT})",
        )
    command_parser.add_argument(
        "--cwd", metavar="DIR", help=f"working directory at the start (default: {POINT} if it is mounted)"
    )
    command_parser.add_argument(
        "--env", metavar="NAME=VALUE", action="append", default=[], help="set an environment variable"
    )
    command_parser.add_argument("--timeout", metavar="SECONDS", default="60", help="time limit of a call (default: 60)")
    command_parser.add_argument(
        "--output", metavar="CHARACTERS", default="30000", help="length limit of a call's output (default: 30000)"
    )
    command_parser.add_argument("--name", metavar="NAME", default="bash", help="the tool's name (default: bash)")
    command_parser.add_argument("--show", action="store_true", help="print the model's instructions, and serve nothing")
    return command_parser


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    options = parser().parse_args(argv)
    tool = _tool(options)
    if options.show:
        arguments.write(
            arguments.to_json({**tool.mcp(), "instructions": tool.instructions}) if options.json else _shown(tool)
        )
        return 0
    if options.json:
        raise UsageError("--json needs --show: an MCP server always writes JSON")
    try:
        from mcp.types import CallToolResult, Tool  # noqa: F401
    except ImportError as error:
        raise UsageError(f"mcp-shell needs mcp 2.0 or later ({error}): pip install 'pyshellhooks[mcp]'") from None
    import asyncio

    asyncio.run(_serve(tool))
    return 0


def _shown(tool: ShellTool) -> str:
    return terminal.wrapped(f"{tool.instructions}\n", sys.stdout)


def _tool(options: Any) -> ShellTool:
    """Return the tool that the options describe. Raises ``UsageError``, ``OSError``."""
    from ..shell.shell import HOME, Shell
    from ..tool import ShellTool

    env = {}
    for assignment in options.env:
        name, equals, value = assignment.partition("=")
        if not equals or not name:
            raise UsageError(f"--env {assignment}: expected NAME=VALUE")
        env[name] = value
    places = {kind: _places(kind, getattr(options, kind.replace("-", "_"))) for kind in _KINDS}
    points = {point for place in places.values() for point in place}
    try:
        shell = Shell.sandbox(
            overlay=places["overlay"],
            read_only=places["read-only"],
            read_write=places["read-write"],
            env=env,
            cwd=options.cwd or (POINT if POINT in points else HOME),
        )
        timeout, most = _number("--timeout", options.timeout, float), _number("--output", options.output, int)
        return ShellTool(shell, name=options.name, timeout=timeout, most=most)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _number(name: str, text: str, kind: type[Any]) -> Any:
    try:
        return kind(text)
    except ValueError:
        raise UsageError(f"{name} {text}: expected a number") from None


def _places(kind: str, values: Sequence[str]) -> dict[str, str]:
    """Parse the values of one option, each ``HOST[:PATH]``. Raises ``UsageError``."""
    places: dict[str, str] = {}
    for value in values:
        host, path = arguments.host_and_path(value)
        if not host:
            raise UsageError(f"--{kind} {value}: expected HOST[:PATH] with a directory as HOST")
        point = path or POINT
        if point in places:
            raise UsageError(f"--{kind} {value}: {point} is mounted twice; choose another path, such as {host}:/other")
        places[point] = host
    return places


async def _serve(tool: ShellTool) -> None:
    from mcp.server.stdio import stdio_server

    from ..aio import InputLines

    server = make_server(tool)
    lines: Any = InputLines()  # mcp declares an AsyncFile, but only iterates over it
    async with stdio_server(stdin=lines) as (reads, writes):
        await server.run(reads, writes, server.create_initialization_options())


def make_server(tool: ShellTool) -> Server[Any]:
    """Return an MCP server with one tool. A failed call returns an error result; parallel calls run in turn."""
    from mcp import types
    from mcp.server.lowlevel import Server

    from .. import __version__

    async def list_tools(context: Any, params: Any) -> Any:
        return types.ListToolsResult(tools=[types.Tool.model_validate(tool.mcp())])

    async def call_tool(context: Any, params: Any) -> Any:
        if params.name != tool.name:
            text, is_error = f"unknown tool {params.name} (expected {tool.name})", True
        else:
            text, is_error = await tool.acall(params.arguments or {})
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=is_error)

    return Server(
        "pyshellhooks",
        version=__version__,
        instructions=tool.instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
