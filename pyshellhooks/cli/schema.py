"""``pyshellhooks schema DIALECT {config|input|output} [EVENT]``: JSON Schema, for editors and for other programs."""

from __future__ import annotations

from collections.abc import Sequence

from . import arguments

KINDS = ("config", "input", "output")


def parser() -> arguments.Parser:
    """Describe the command."""
    made = arguments.parser(
        "schema",
        "Print the JSON Schema of a system's config, or of an event's payload or answer.",
        examples=("schema crush config", "schema crush input PreToolUse"),
    )
    made.add_argument("dialect", metavar="DIALECT", help="the hook system, NAME or NAME@EDITION")
    made.add_argument(
        "kind",
        metavar="{config,input,output}",
        choices=KINDS,
        help="config file, payload on stdin, or answer on stdout",
    )
    made.add_argument("event", metavar="EVENT", nargs="?", default="", help="for input and output; default: the first")
    return made


def main(argv: Sequence[str]) -> int:
    """Run the command."""
    from .. import dialects

    made = parser()
    options = made.parse_args(argv)
    dialect = dialects.get(options.dialect)
    if options.kind == "config" and options.event:
        made.error("the schema of a config has no EVENT")
    arguments.write(arguments.to_json(dialect.schema(options.kind, options.event)))
    return 0
