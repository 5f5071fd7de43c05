"""``pyshellhooks trust``: show a project's configs and scripts and trust their contents (docs/trust.md)."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..text import visible
from . import arguments, show, terminal

if TYPE_CHECKING:
    from ..engine.checks.trust_review import Item, Survey

REFUSED = 1


def parser() -> arguments.Parser:
    """Return the parser of the command."""
    command_parser = arguments.parser(
        "trust",
        "Show a project's hooks and their scripts, ask for confirmation, and trust them as they are now.",
        examples=("trust", "trust --show"),
    )
    command_parser.add_argument(
        "directory", metavar="DIR", nargs="?", help="a directory of the project; default: the current directory"
    )
    command_parser.add_argument(
        "--show", action="store_true", help="only show which files are trusted; exits 1 if one is not"
    )
    command_parser.add_argument("--revoke", action="store_true", help="remove all trust in this project")
    command_parser.add_argument("--yes", action="store_true", help="trust without asking, after a review")
    command_parser.add_argument("--agent", metavar="NAME", help="the agent, in systems whose configs hold several")
    arguments.add_mounts(command_parser)
    return command_parser


def main(argv: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    options = parser().parse_args(argv)
    from ..engine.checks.trust_review import Survey

    options.fs = None  # ``mounts`` reads it; trust is about the disk
    directory, mounts = arguments.directory(options.directory), arguments.mounts(options)
    with terminal.Progress("reading the project's hooks"):
        survey = Survey(directory, None, options.agent or "", mounts)
    if options.revoke:
        survey.revoke()
        if options.json:
            arguments.write(arguments.to_json({"project": survey.project.real, "trusted": False, "revoked": True}))
        else:
            arguments.write(f"{visible(survey.project.real)}: trust revoked\n")
        return 0
    if options.json:
        rows = [item.as_json() for item in survey.items.values()]
        problem = str(survey.problem) if survey.problem is not None else ""
        facts = {"project": survey.project.real, "trusted": survey.trusted, "problem": problem, "files": rows}
        arguments.write(arguments.to_json(facts))
    else:
        report = _report(survey, contents=not options.show)
        arguments.write("".join(terminal.wrapped(line, sys.stdout) + "\n" for line in report))
    if options.show:
        return 0 if survey.trusted else REFUSED
    # A project that is trusted as a part of another one gets a record of its own only if the person confirms it.
    all_trusted = all(item.state == "trusted" for item in survey.items.values())
    if all_trusted and not survey.problem and not survey.outer:
        return 0
    return _confirm(options, survey)


def _confirm(options: Namespace, survey: Survey) -> int:
    if not arguments.confirmed(options, "trust", "Trust these?"):
        return REFUSED
    survey.keep()
    if not options.json:
        arguments.write("trusted\n")
    return 0


def _report(survey: Survey, *, contents: bool) -> Iterator[str]:
    """Yield the lines about each file; if ``contents``, also the diff of each file that is not trusted."""
    yield visible(survey.project.real)
    yield from _record(survey)
    if not survey.items:
        yield "no hooks found"
    for item in survey.items.values():
        yield f"  {item.state:10} {visible(item.name)}{_events(item)}"
        if item.message:
            yield f"             {visible(item.message)}"
    # After the table, so that its columns stay together.
    for item in survey.items.values():
        if item.state == "missing":
            yield f"{visible(item.name)} {_missing(item)}"
    for diagnostic in survey.said:
        yield visible(str(diagnostic))
    for name in survey.untold:
        yield f"not covered: the command that `{visible(name)}` runs is known only at run time"
    if not contents:
        return
    for item in survey.items.values():
        if item.state != "trusted" and item.data is not None:
            yield from _difference(item)


def _record(survey: Survey) -> Iterator[str]:
    """Yield the lines about the project's record of trust."""
    if survey.project.relative(survey.store.directory) is not None:
        yield f"warning: the trust store {visible(survey.store.directory)} is inside the project"
    if survey.problem is not None:
        yield f"can't read the project's record of trust: {visible(str(survey.problem))}"
    if survey.record is not None and survey.record.revoked:
        yield "trust in this project was revoked"
    if survey.outer:
        yield f"trusted as a part of {visible(survey.outer)}; trusting it alone leaves out the hooks there"


def _missing(item: Item) -> str:
    if item.needed:
        return "is missing: the events that it guards stay denied"
    gone = "its hooks are gone" if item.kind == "config" else "it is gone"
    return f"was removed; trusting now accepts that {gone}"


def _events(item: Item) -> str:
    """Return the events that a file has hooks for, by system."""
    from .. import dialects

    if not item.events:
        return "  (no hooks)"
    systems = []
    for name, events in item.events.items():
        systems.append(f"{dialects.dialect_class(name).title}: {', '.join(sorted(events))}")
    return f"  ({'; '.join(systems)})"


def _difference(item: Item) -> Iterator[str]:
    assert item.data is not None
    name = visible(item.name)
    if b"\0" in item.data:  # git's test for a binary file
        yield f"{name} is binary: {len(item.data)} bytes"
        return
    if item.state == "changed" and item.before is None:
        yield f"the trusted version of {name} is no longer stored; this is the whole file"
    yield from show.difference(name, item.before, item.data, f"{name} as it was trusted")
