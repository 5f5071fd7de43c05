"""Options that the hook commands share, the fields of an event from ``--input``, and output to stdout."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from ..errors import message_of
from ..interp.probe import SCRIPTS
from ..jsontext.compact import WireError, fields_of, without_marks
from ..jsontext.document import decode_file, escaped, mistake
from . import hook_flags, terminal
from .parsers import Parser, parser

if TYPE_CHECKING:
    from ..engine import HookEngine
    from ..fs.base import FileSystem
    from ..hooks.tools import ToldKind

__all__ = ["Parser", "parser"]

# Names contain colons (mcp:server:tool) and may contain "="; kinds contain neither.
_STATED_TOOL = re.compile(r"(?P<name>.+?)=(?P<kind>[^=:]*)(?::(?P<names>.*))?", re.DOTALL)


def add_config_options(parser: argparse.ArgumentParser, *, fields: bool = True) -> None:
    """Add the options that select the hooks, and ``--input`` for the fields of an event."""
    group = parser.add_argument_group("which hooks to run, and how")
    group.add_argument(
        "--config",
        metavar="FILE",
        action="append",
        default=[],
        help="a config file, lowest precedence first; default: the files that discovery finds",
    )
    group.add_argument("--dialect", metavar="NAME[@EDITION]", help="the hook system; default: recognized from the file")
    group.add_argument("--agent", metavar="NAME", help="the agent, in systems whose configs hold several")
    group.add_argument("--strict", action="store_true", help="treat warnings and faults as failures")
    group.add_argument(
        "--tool",
        metavar="NAME=KIND[:ARGUMENT=OWN,...]",
        action="append",
        default=[],
        help="the kind of a tool of the agent, such as execute=shell, or run=shell:command=line if its arguments have "
        "other names; guards get the call in their own system's names",
    )
    group.add_argument(
        "--own-failures",
        choices=("deny", "vendor"),
        default="deny",
        help="the effect of a failure that only pyshellhooks has (a limit, a lost worker): deny, or the system's own rule",
    )
    group.add_argument(
        "--scripts",
        choices=SCRIPTS,
        default="auto",
        help="the shell for script files whose first line names sh, bash or dash: that shell, or the embedded one if it "
        "would fail (auto); always the embedded one (embedded); never the embedded one (host)",
    )
    group.add_argument(
        "--paths",
        choices=("script", "native"),
        default="script",
        help="on Windows, the paths in payloads: C:/x for scripts and C:\\x for native programs (script), or as the event "
        "has them (native)",
    )
    group.add_argument(
        "--no-permissions",
        action="store_true",
        help="leave out the permission rules of the settings (`permissions` of Claude Code), which decide beside the hooks",
    )
    group.add_argument(
        "--trust-project",
        action="store_true",
        help="run the project's hooks even if they are untrusted (see pyshellhooks trust): for CI and containers",
    )
    if fields:
        group.add_argument("--input", metavar="FILE", help="a JSON object of the event's fields; - reads stdin")


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that limit a run: processes, files and time."""
    group = parser.add_argument_group("limits of the hooks")
    group.add_argument("--no-spawn", action="store_true", help="start no process at all")
    group.add_argument(
        "--fs",
        choices=("host", "memory", "overlay"),
        help="the hooks' file system; overlay keeps their writes off the disk; default: the hook system's own",
    )
    add_mounts(group)
    group.add_argument("--timeout", metavar="SECONDS", type=seconds, help="time limit of the whole event")


def add_mounts(group: argparse._ActionsContainer) -> None:
    """Add ``--mount``, which shows host directories to hooks at other paths."""
    group.add_argument(
        "--mount",
        metavar="HOST:PATH",
        action="append",
        default=[],
        help="mount a host directory at a path",
    )


def directory(path: str | None) -> str | None:
    """Return the absolute path of a directory, None for None. Raises InputError if it does not exist."""
    if path is None:
        return None
    if not os.path.isdir(path):
        raise InputError(f"{path}: no such directory")
    return os.path.abspath(path)


def seconds(text: str) -> float:
    """Parse a number of seconds above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 4e6:  # false for nan too; Windows waits at most 2**32 milliseconds
        raise argparse.ArgumentTypeError(f"invalid time {text!r} (expected seconds above 0, such as 2.5)")
    return value


def confirmed(options: argparse.Namespace, who: str, question: str) -> bool:
    """Return whether a person or ``--yes`` agrees.

    Without a terminal, or under ``--json``, report that and return False.
    """
    if options.yes:
        return True
    if options.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        terminal.print_error(
            f"pyshellhooks {who}: can't ask for confirmation without a terminal; review the output, then pass --yes"
        )
        return False
    write(f"{question} [y/N] ")
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    write("nothing changed\n")
    return False


def read_fields(path: str | None) -> dict[str, Any]:
    """Read an event's fields; objects and lists stay JSON text, so that hooks get them exactly as they were written."""
    if path is None:
        return {}
    if path == "-":
        data = sys.stdin.buffer.read()
    else:
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError as error:
            hint = "`pyshellhooks fire EVENT --sample` prints sample fields"
            raise InputError(f"--input: {path}: {message_of(error)}\n  hint: {hint}") from None
    name = input_name(path)
    text, problem = decode_file(data, name)
    if problem is not None:
        raise InputError(str(problem))
    text = without_marks(text)
    try:
        return fields_of(text)
    except WireError as error:
        # People write line breaks in strings by hand; the field's meaning is clear, so only a warning is printed.
        lenient, raw = escaped(text)
        try:
            fields = fields_of(lenient)
        except WireError:
            raise InputError(str(mistake(text, name, error))) from None
    if raw is not None:
        terminal.print_error(f"{name}:{raw.line}:{raw.column}: {raw.severity}: {raw.message}\n  hint: {raw.hint}")
    return fields


def input_name(path: str) -> str:
    """Return the name of the ``--input`` file for messages."""
    return "standard input" if path == "-" else path


#: Kinds of notices that are not about the fields of an event.
_NOT_OF_FIELDS = ("not-trusted", "off-in-agent", "permission-rule", "permission-unknown")


def with_input_name(options: argparse.Namespace, notices: Iterable[str], odd: Iterable[str]) -> list[str]:
    """Put the input's name before those notices that are about the event's fields (``odd``)."""
    where = "no --input" if options.input is None else input_name(options.input)
    known = frozenset(notice for notice in odd if getattr(notice, "kind", "") not in _NOT_OF_FIELDS)
    return [f"{where}: {notice}" if notice in known else notice for notice in notices]


class InputError(OSError):
    """An event's fields cannot be read."""


def file_system(options: argparse.Namespace) -> FileSystem | None:
    """Return the file system that ``--fs`` names; None for the default of the hook system."""
    if options.fs is None:
        return None
    from ..fs.host import HostFS
    from ..fs.memory import MemoryFS
    from ..fs.overlay import OverlayFS

    makers: dict[str, Callable[[], FileSystem]] = {
        "host": HostFS,
        "memory": MemoryFS,
        "overlay": lambda: OverlayFS(HostFS()),
    }
    return makers[options.fs]()


def host_and_path(text: str) -> tuple[str, str]:
    """Parse ``HOST:PATH``, where HOST may begin with a drive; PATH is ``""`` if the text names none."""
    drive, rest = os.path.splitdrive(text)
    if drive.startswith("."):  # Windows' rules take the "." of ".:/point" for a drive
        drive, rest = "", text
    host, colon, path = rest.rpartition(":")
    if not colon or not path.startswith("/"):
        return text, ""
    return drive + host, path


def mounts(options: argparse.Namespace) -> dict[str, FileSystem | str]:
    """Parse ``--mount HOST:PATH``."""
    mounts_by_path: dict[str, FileSystem | str] = {}
    for mount in options.mount:
        host, path = host_and_path(mount)
        if not host or not path:
            raise InputError(f"--mount {mount}: expected HOST:PATH with an absolute PATH")
        if not os.path.isdir(host):
            raise InputError(f"--mount {mount}: {host} is not a directory")
        full = os.path.abspath(host)
        mounts_by_path[path] = _untouched(full) if options.fs == "overlay" else full
    return mounts_by_path


def tools(options: argparse.Namespace) -> dict[str, ToldKind]:
    """Parse ``--tool NAME=KIND[:ARGUMENT=OWN,...]``."""
    kinds: dict[str, ToldKind] = {}
    for text in options.tool:
        name, kind = stated_tool(text)
        if not kind:
            raise InputError(f"--tool {text}: expected NAME=KIND, such as execute=shell")
        kinds[name] = kind
    return kinds


def stated_tool(text: str) -> tuple[str, ToldKind]:
    """Parse one ``NAME``, ``NAME=KIND`` or ``NAME=KIND:ARGUMENT=OWN,...``; without a kind, the kind is ``""``.

    Raises InputError for any other form, and for a kind or an argument that does not exist.
    """
    from ..hooks.tools import ToolNames

    stated = _STATED_TOOL.fullmatch(text)
    if stated is None:
        if "=" in text or not text:
            raise InputError(f"--tool {text}: expected NAME=KIND, such as execute=shell, or run=shell:command=line")
        return text, ""
    name, kind, names = stated.group("name", "kind", "names")
    told_kind: ToldKind = kind if names is None else (kind, _argument_names(text, names))
    try:
        ToolNames({name: told_kind})
    except ValueError as error:
        raise InputError(f"--{str(error).replace('tools', 'tool', 1)}") from None
    return name, told_kind


def _argument_names(text: str, names: str) -> dict[str, str]:
    own_names: dict[str, str] = {}
    for pair in names.split(","):
        argument, equals, own = pair.partition("=")
        is_pair = bool(equals and argument and own)
        if not is_pair or argument in own_names:
            raise InputError(
                f"--tool {text}: expected ARGUMENT=OWN once for each argument, such as run=shell:command=line"
            )
        own_names[argument] = own
    return own_names


def _untouched(directory: str) -> FileSystem:
    """Return an overlay over a host directory: writes stay in memory and leave the directory unchanged."""
    from ..fs.host import HostFS
    from ..fs.overlay import OverlayFS
    from ..fs.rooted import Rooted

    return OverlayFS(Rooted(HostFS(), directory))


def engine_settings(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of an engine that the command line gives."""
    return {
        "strict": options.strict, "agent": options.agent or "", "scripts": options.scripts,
        "own_failures": options.own_failures, "paths": options.paths, "permissions": not options.no_permissions,
    }  # fmt: skip


def engine(options: argparse.Namespace, directory: str | None = None, **more: Any) -> HookEngine:
    """Load the engine that the options describe. Discovery searches ``directory``; None is the current one."""
    from ..engine import HookEngine

    if options.tool:
        more["tools"] = tools(options)
    settings = {**engine_settings(options), **more}
    # First, since the flags add hooks to those of the configs.
    with_flags = hook_flags.engine(options, settings, directory)
    if with_flags is not None:
        return with_flags
    if options.config:
        return HookEngine.load(options.config, options.dialect, **settings)
    return HookEngine.discover(directory, options.dialect, trust_project=trust(options), **settings)


def trust(options: argparse.Namespace) -> bool | Literal["store"]:
    """Return the engine's ``trust_project``: True under ``--trust-project``, else the user's trust store."""
    return True if options.trust_project else "store"


def write(text: str) -> None:
    """Write to stdout as UTF-8, whatever the code page: verdicts contain text of the model. Raises OutputError."""
    try:
        sys.stdout.flush()  # print() may have written before, into the text layer's own buffer
        buffer = getattr(sys.stdout, "buffer", None)
        if buffer is None:  # replaced, as by pytest or after it was closed
            sys.stdout.write(text)
            return
        buffer.write(text.encode("utf-8", "replace"))
        buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.errno, message_of(error), "standard output") from None


class OutputError(OSError):
    """A write to standard output failed."""


def to_json(value: Mapping[str, Any] | list[Any]) -> str:
    """Return indented JSON, for programs and people."""
    import json

    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def write_error(message: str, status: int) -> None:
    """Write the JSON document that reports an error under ``--json``."""
    write(to_json({"error": message, "status": status}))
