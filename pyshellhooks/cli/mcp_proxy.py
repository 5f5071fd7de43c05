"""``pyshellhooks mcp-proxy -- SERVER [ARG]...``: run hooks around the tools of any MCP server (docs/mcp-proxy.md).

Standard output belongs to the protocol: once the server has started, all messages go to standard error.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import shlex
import shutil
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..hooks.tools import is_mcp
from . import BROKEN_PIPE, INTERRUPTED, USAGE_ERROR, arguments, parsers, show, terminal

if TYPE_CHECKING:
    from ..engine import HookEngine
    from ..hooks.model import HookSpec

WHO = "pyshellhooks mcp-proxy"
EVENTS = ("before_tool", "after_tool")
ASK_CHOICES = ("elicit", "deny")

#: Programs that run another program, and their subcommands, which precede its name.
RUNNERS = frozenset("npx npm pnpm pnpx yarn bun bunx deno node uv uvx pipx python python3 py env".split())
VERBS = frozenset("run exec x dlx tool".split())
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def parser() -> arguments.Parser:
    """Return the parser of the command."""
    command_parser = arguments.parser(
        "mcp-proxy",
        "Start an MCP server and run the hooks for each call of its tools. The client uses standard input and output.",
        usage=f"{WHO} [OPTION]... -- SERVER [ARG]...",
        examples=("mcp-proxy --name git -- uvx git-mcp", "mcp-proxy --dry-run -- uvx git-mcp"),
    )
    command_parser.add_argument(
        "server", metavar="SERVER", nargs="?", help="the server's program; all words after it are its arguments"
    )
    command_parser.add_argument("arguments", metavar="ARG", nargs=argparse.REMAINDER, help="the server's arguments")
    command_parser.add_argument(
        "--name",
        metavar="SERVER",
        help="the server's name in matchers (mcp__SERVER__TOOL); default: derived from its program",
    )
    command_parser.add_argument(
        "--project", metavar="DIR", help="the project whose hooks run; default: the current directory"
    )
    command_parser.add_argument(
        "--ask",
        choices=ASK_CHOICES,
        default="elicit",
        help="if a hook asks for confirmation: ask the person through the client if it supports that (elicit), or deny",
    )
    command_parser.add_argument(
        "--dry-run", action="store_true", help="start nothing; list the hooks with their events and matchers"
    )
    arguments.add_config_options(command_parser, fields=False)
    return command_parser


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    options = _options(argv)
    command = [options.server, *options.arguments]
    server = _name(options.name, command)
    project = arguments.directory(options.project) or os.getcwd()
    # The hooks are loaded before the server starts: a mistake in a config is reported while stdout is still free.
    with _engine(options, server, project) as engine:
        show.warnings(engine, dialect=options.dialect)
        if options.dry_run:
            return _show(options, engine, server, command)
        if options.name is None:
            terminal.print_error(f"{WHO}: the tools are named mcp__{server}__TOOL; --name SERVER changes that")
        return _serve(options, engine, server, command, project)


def _options(argv: Sequence[str]) -> argparse.Namespace:
    """Parse the words before ``--`` as options; those after it belong to the server, even ``--json``."""
    words = list(argv)
    cut = words.index("--") if "--" in words else len(words)
    command_parser = parser()
    options: argparse.Namespace = command_parser.parse_args(words[:cut])
    if options.server is not None or not words[cut + 1 :]:
        command_parser.error("write the server after --, such as: pyshellhooks mcp-proxy -- npx -y SERVER")
    options.server, *options.arguments = words[cut + 1 :]
    return options


def _name(option: str | None, command: Sequence[str]) -> str:
    """Return the server's name for matchers: that of ``--name``, or of its program. Raises ``InputError``."""
    name = default_name(command) if option is None else option
    # mcp__SERVER__TOOL: a __ in the name would end it.
    if NAME.fullmatch(name) and "__" not in name:
        return name
    problem = f"can't derive a name from {command[0]}" if option is None else f"--name {option}"
    allowed = "a name has only letters, digits, - . and _, and no __"
    raise arguments.InputError(f"{problem}: {allowed}; pass --name NAME with the server's name in your matchers")


def default_name(command: Sequence[str]) -> str:
    """Return the last part of the path of a server's program, or of the package that ``npx``, ``python -m`` … run."""
    words = [word for word in command if not word.startswith("-")]
    while len(words) > 1 and _runs_another(words[0]):
        del words[0]
    return _base(words[0]) if words else ""


def _runs_another(word: str) -> bool:
    return word in VERBS or _base(word) in RUNNERS


def _base(word: str) -> str:
    """Return the last part of a path or of a package's name, without its version or file extension."""
    base = re.split(r"[/\\]", word.rstrip("/\\"))[-1]
    base = base.partition("@")[0] or base  # the version of package@1.2; a scope such as @org alone stays
    return re.sub(r"\.(exe|cmd|bat|js|mjs|cjs|ts|py|sh)$", "", base, flags=re.IGNORECASE)


def _engine(options: argparse.Namespace, server: str, project: str) -> HookEngine:
    """Load the hooks. A bare name under ``--tool`` means a tool of the server."""
    from ..engine import HookEngine

    settings = arguments.engine_settings(options)
    if options.tool:
        tools = {}
        for name, kind in arguments.tools(options).items():
            tools[name if is_mcp(name) else f"mcp__{server}__{name}"] = kind
        settings["tools"] = tools
    if options.config:
        return HookEngine.load(options.config, options.dialect, cwd=project, **settings)
    return HookEngine.discover(project, options.dialect, trust_project=arguments.trust(options), **settings)


def _show(options: argparse.Namespace, engine: HookEngine, server: str, command: Sequence[str]) -> int:
    """Print the hooks that the proxy would run; return the exit status."""
    specs = [spec for event in EVENTS for spec in _listening(engine, event)]
    status = USAGE_ERROR if engine.untrusted else parsers.OK
    if options.json:
        rows = [
            {"id": spec.id, "event": spec.event, "matcher": spec.matcher, "command": spec.command} for spec in specs
        ]
        facts = {"server": server, "command": list(command), "hooks": rows, "untrusted": list(engine.untrusted)}
        arguments.write(arguments.to_json(facts))
        return status
    out = show.console()
    out.print(show.plain(f"the tools are named mcp__{server}__TOOL"))
    out.print(show.plain(f"server command: {shlex.join(command)}"))
    if not specs:
        out.print("no hooks for tools")
        return status
    table = show.table("hook", "event", "matcher")
    for spec in specs:
        name = show.shortened(spec.name or spec.command)
        table.add_row(show.plain(name), show.plain(spec.event), show.plain(spec.matcher))
    out.print(table)
    return status


def _listening(engine: HookEngine, event: str) -> list[HookSpec]:
    """Return the hooks of an event in all systems; not every system has it."""
    from ..errors import UnknownEventError

    specs: list[HookSpec] = []
    for system in engine.systems:
        try:
            natives = system.dialect.natives(event)
        except UnknownEventError:
            continue
        for spec in system.specs:
            if spec.event in natives and spec.id not in system.disabled:
                specs.append(spec)
    return specs


def _serve(options: argparse.Namespace, engine: HookEngine, server: str, command: Sequence[str], project: str) -> int:
    """Relay until the client ends; return the exit status. Errors go to standard error only."""
    # Checked before the start, for a message with a hint.
    if shutil.which(command[0]) is None:
        hint = "install it, or add it to PATH"
        raise arguments.InputError(f"{command[0]}: program of the server not found; {hint}")
    try:
        from ..mcp_proxy.stdio import Interrupted, ServerEnded, run
    except ImportError as error:
        hint = "pip install 'pyshellhooks[mcp]'"
        raise arguments.InputError(f"mcp-proxy needs mcp 2.0 or later ({error}): {hint}") from None
    _quiet_loggers()
    try:
        run(engine, command, server, project, options.ask == "elicit", _print_message)
    except Interrupted as signal:
        return INTERRUPTED if signal.number == INTERRUPT else parsers.OK
    except ServerEnded:
        _print_message("the MCP server ended before its client; its errors are above")
        return USAGE_ERROR
    except Exception as error:
        if isinstance(error, BrokenPipeError):
            return BROKEN_PIPE
        _print_message(f"{type(error).__name__}: {error}")
        if os.environ.get("PYSHELLHOOKS_TRACEBACK"):
            raise
        return USAGE_ERROR
    return parsers.OK


INTERRUPT = 2


def _print_message(text: str) -> None:
    terminal.print_error(f"{WHO}: {text}")


class _Brief(logging.Handler):
    """Writes a warning as one line, without a traceback."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write the record's message to standard error."""
        _print_message(record.getMessage())


def _quiet_loggers() -> None:
    # Their tracebacks would hide the error of the server itself.
    for name in ("mcp", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers = [_Brief(logging.WARNING)]
        logger.propagate = False
