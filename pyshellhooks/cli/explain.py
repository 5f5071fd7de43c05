"""``pyshellhooks explain EVENT``: list which hooks would run, which not, and why. Runs no hook."""

from __future__ import annotations

from collections.abc import Sequence

from . import arguments, hook_flags, show


def parser() -> arguments.Parser:
    """Return the parser of the command."""
    command_parser = arguments.parser(
        "explain",
        "Show which hooks would run for an event, which would not, and why.",
        examples=("explain before_tool", "explain stop --config crush.json"),
    )
    command_parser.add_argument(
        "event", metavar="EVENT", help="the system's name of the event, or a neutral name (before_tool)"
    )
    arguments.add_config_options(command_parser)
    hook_flags.add_hook_flags(command_parser)
    return command_parser


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    options = parser().parse_args(argv)
    fields = arguments.read_fields(options.input)
    with arguments.engine(options) as engine:
        plan = engine.explain(options.event, fields)
        show.warnings(engine, [why.id for why in plan if why.left_out], options.dialect)
    show.print_notices(arguments.with_input_name(options, plan.notices, plan.notices))
    if options.json:
        arguments.write(arguments.to_json([why.as_json() for why in plan]))
    else:
        show.plan(plan)
    return 0
