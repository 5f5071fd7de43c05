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
    made = arguments.parser(
        "schema",
        "Print the JSON Schema of a system's config, of an event's payload or answer, or of the verdict.",
        examples=("schema crush config", "schema crush input PreToolUse", "schema verdict"),
    )
    made.add_argument(
        "dialect", metavar="DIALECT", help="the hook system, NAME or NAME@EDITION; or verdict: what fire --json prints"
    )
    made.add_argument(
        "kind",
        metavar="{config,input,output}",
        choices=KINDS,
        nargs="?",
        help="config file, payload on stdin, or answer on stdout",
    )
    made.add_argument("event", metavar="EVENT", nargs="?", default="", help="for input and output; default: the first")
    return made


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    from .. import dialects

    made = parser()
    options = made.parse_args(argv)
    if options.dialect == VERDICT:
        if options.kind:
            made.error("the schema of the verdict has no kind and no EVENT")
        from ..types import verdict

        arguments.write(arguments.to_json(verdict.schema()))
        return 0
    dialect = dialects.get(options.dialect)
    if options.kind is None:
        made.error(f"say which schema of {dialect.title}: {', '.join(KINDS)}")
    if options.kind == "config" and options.event:
        made.error("the schema of a config has no EVENT")
    arguments.write(arguments.to_json(dialect.schema(options.kind, options.event)))
    return 0
