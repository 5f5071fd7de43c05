"""``pyshellhooks help``: the help of the command as a whole, and its version."""

from __future__ import annotations

from collections.abc import Sequence

from . import COMMANDS, arguments, parsers


def parser() -> parsers.Parser:
    """Return the parser of the command itself, whose help lists the subcommands."""
    lines = ["commands:", *(parsers.described(name, summary, 14) for name, summary in COMMANDS.items())]
    command_parser = parsers.parser(
        "",
        "Run agent hooks in-process.",
        examples=("demo", "check .claude/settings.json", "help fire"),
        statuses=tuple(parsers.STATUSES),
        before="\n".join(lines),
        usage="pyshellhooks COMMAND [ARGUMENT]...",
    )
    command_parser.add_argument("-V", "--version", action="store_true", help="print the version")
    return command_parser


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    command_parser = parser()
    options = command_parser.parse_args(argv)
    from .. import __version__

    if options.json:
        arguments.write(arguments.to_json({"version": __version__, "commands": COMMANDS}))
    elif options.version:
        arguments.write(f"pyshellhooks {__version__}\n")
    else:
        arguments.write(command_parser.format_help())
    return 0
