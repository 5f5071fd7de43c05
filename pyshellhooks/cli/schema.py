"""``pyshellhooks schema DIALECT {config|input|output} [EVENT]``: JSON Schema, for editors and for other programs.

``schema verdict`` prints the schema of the output of ``fire --json``.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import arguments

KINDS = ("config", "input", "output")
VERDICT = "verdict"


def parser() -> arguments.Parser:
    """Return the parser of the command."""
    command_parser = arguments.parser(
        "schema",
        "Print the JSON Schema of a system's config, of an event's payload or output, or of the verdict.",
        examples=("schema crush config", "schema crush input PreToolUse", "schema verdict"),
    )
    command_parser.add_argument(
        "dialect",
        metavar="DIALECT",
        help="the hook system, NAME or NAME@EDITION; or verdict for the output of fire --json",
    )
    command_parser.add_argument(
        "kind",
        metavar="{config,input,output}",
        choices=KINDS,
        nargs="?",
        help="the config file, the payload on stdin, or the output on stdout",
    )
    command_parser.add_argument(
        "event", metavar="EVENT", nargs="?", default="", help="for input and output; default: the first event"
    )
    return command_parser


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    from .. import dialects

    command_parser = parser()
    options = command_parser.parse_args(argv)
    if options.dialect == VERDICT:
        if options.kind:
            command_parser.error("the schema of the verdict takes no kind and no EVENT")
        from ..types import verdict

        arguments.write(arguments.to_json(verdict.schema()))
        return 0
    dialect = dialects.get(options.dialect)
    if options.kind is None:
        command_parser.error(f"missing kind of schema of {dialect.title} (expected {', '.join(KINDS)})")
    if options.kind == "config" and options.event:
        command_parser.error("the schema of a config takes no EVENT")
    arguments.write(arguments.to_json(dialect.schema(options.kind, options.event)))
    return 0
