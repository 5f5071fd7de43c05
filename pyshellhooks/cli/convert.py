"""``pyshellhooks convert --to SYSTEM FILE``: write a config for another hook system, and list the losses."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from . import USAGE_ERROR, arguments, show, terminal
from .parsers import OK

if TYPE_CHECKING:
    from ..convert import Conversion
    from ..engine.config.loading import Source
    from ..hooks.dialect import Dialect

ALL = "all"


def parser() -> arguments.Parser:
    """Return the parser of the command."""
    command_parser = arguments.parser(
        "convert",
        "Write a config for another hook system, and list what that system can't express. Writes nothing if a guard "
        "would be weaker there.",
        examples=(
            "convert --to codex crush.json",
            "convert --to all --wrap crush.json",
        ),
    )
    command_parser.add_argument("file", metavar="FILE", help="the config; - reads stdin")
    command_parser.add_argument(
        "--from",
        metavar="NAME[@EDITION]",
        dest="source",
        help="the system of the config; default: recognized from the file",
    )
    command_parser.add_argument(
        "--to", metavar="SYSTEM", required=True, help="the system to write for; all: each agent that the project uses"
    )
    command_parser.add_argument("-o", metavar="PATH", dest="output", help="write this file; default: standard output")
    command_parser.add_argument(
        "--wrap",
        action="store_true",
        help="put pyshellhooks-hook in front of each command that needs the payload, or the answers, of its own system",
    )
    command_parser.add_argument("--force", action="store_true", help="write even if a guard is weaker")
    command_parser.add_argument("--agent", metavar="NAME", default="", help="the agent, in a config with several")
    return command_parser


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    from ..engine.config import loading

    options = parser().parse_args(argv)
    source = _read(options.file)
    dialect = loading.choose_dialect(options.source, [source])
    if options.to == ALL and options.output:
        raise UsageError("-o names one file: use it with one system, not with --to all")
    targets = _targets(options, dialect)
    conversions = [(_converted(options, source, dialect, target, path), path) for target, path in targets]
    refused = [conversion for conversion, _ in conversions if conversion.weaker and not options.force]
    if not options.json:
        _report([conversion for conversion, _ in conversions], refused)
    texts = [] if refused else _write_files(conversions)
    if options.json:
        rows = [_row(conversion, path, written=not refused) for conversion, path in conversions]
        arguments.write(arguments.to_json(rows if options.to == ALL else rows[0]))
    else:
        _write_results(conversions, texts)
    return USAGE_ERROR if refused else OK


def _read(file: str) -> Source:
    from ..engine.config import loading

    if file != "-":
        return loading.read_named(file)
    import sys

    return loading.source_of("<stdin>", sys.stdin.buffer.read(), "given")


def _targets(options: Namespace, source: Dialect) -> list[tuple[Dialect, str]]:
    """Return the systems to write for, each with the path of its file; ``""`` is standard output."""
    from .. import dialects
    from ..convert.project import agents_in
    from ..engine.checks.checker import home

    if options.to != ALL:
        target = dialects.get(options.to)
        if target.name == source.name:
            raise UsageError(f"--to {options.to}: the config is {source.title}'s already")
        return [(target, options.output or "")]
    directory = home(source, os.path.abspath(options.file))
    agents = agents_in(directory, dict(os.environ), source)
    if not agents:
        raise UsageError(f"--to all: no other agent is found in {directory}; name a system")
    return agents


def _converted(options: Namespace, source: Source, dialect: Dialect, target: Dialect, path: str) -> Conversion:
    from ..convert import convert

    return convert(source, dialect, target, file=path, agent=options.agent, wrap=options.wrap)


def _row(conversion: Conversion, path: str, *, written: bool) -> dict[str, Any]:
    """Return a conversion as a JSON object; without ``written`` its ``config`` is null."""
    return {
        "from": conversion.source.full_name,
        "to": conversion.target.full_name,
        "file": path,
        "written": written,
        "weaker": conversion.weaker,
        "hooks": conversion.hooks,
        "config": conversion.text if written else None,
        "losses": [loss.as_json() for loss in conversion.losses],
    }


def _report(conversions: Sequence[Conversion], refused: Sequence[Conversion]) -> None:
    """Print the losses on stderr, and why nothing was written."""
    for conversion in conversions:
        for loss in conversion.losses:
            terminal.print_error(terminal.relative_paths(str(loss.diagnostic)))
    for conversion in refused:
        _report_refusal(conversion)


def _report_refusal(conversion: Conversion) -> None:
    """Print on stderr why nothing was written."""
    weaker = sum(loss.weaker for loss in conversion.losses)
    wraps = any("--wrap" in loss.diagnostic.hint for loss in conversion.losses if loss.weaker)
    hint = "try --wrap; --force writes it all the same" if wraps else "--force writes it all the same"
    message = f"nothing written: {conversion.target.title} would guard less ({show.counted(weaker, 'error')})"
    terminal.print_error(f"pyshellhooks convert: {message}; {hint}")


def _text_for(conversion: Conversion, path: str) -> str:
    """Return the text to write: in a file with other settings, beside these. Raises ``FileInUse``."""
    from ..convert.project import with_settings
    from ..convert.target import Target

    form = conversion.target.config_form
    if not path or form is None:
        return conversion.text
    return with_settings(path, Target(conversion.target, form, path), conversion.config, conversion.text)


def _write_files(conversions: Sequence[tuple[Conversion, str]]) -> list[str]:
    """Write the files, and return the texts. A refused file leaves all others unwritten."""
    texts = [_text_for(conversion, path) for conversion, path in conversions]
    for (_, path), text in zip(conversions, texts, strict=True):
        if path:
            _write(path, text)
    return texts


def _write(path: str, text: str) -> None:
    """Write a file with its mode, and a new one with its folders."""
    from ..resident.install.files import put

    if os.path.exists(path):
        put(os.path.realpath(path), text.encode(), path)
        return
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "x", encoding="utf-8", newline="\n") as file:
        file.write(text)


def _write_results(conversions: Sequence[tuple[Conversion, str]], texts: Sequence[str]) -> None:
    """Write the config to stdout, or the names of the files that were written."""
    for (conversion, path), text in zip(conversions, texts, strict=False):
        if path:
            line = f"{path}: {show.counted(conversion.hooks, 'hook')} for {conversion.target.title}\n"
            arguments.write(terminal.relative_paths(line))
        else:
            arguments.write(text)
