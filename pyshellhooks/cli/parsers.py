"""Argument parsers of the subcommands, their help, and the exit statuses.

A status has the same meaning in every subcommand; each ``--help`` lists the possible ones.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from . import BROKEN_PIPE, INTERRUPTED, USAGE_ERROR

OK, DENIED, NEEDS_APPROVAL, HALTED = 0, 2, 3, 49

STATUSES = {
    OK: "success; the event may proceed",
    USAGE_ERROR: "a reported problem: invalid arguments, a file, a failed check, or missing trust",
    DENIED: "denied",
    NEEDS_APPROVAL: "a person must confirm",
    HALTED: "denied, and the agent's turn ends",
    INTERRUPTED: "interrupted (Ctrl-C)",
    BROKEN_PIPE: "the reader of the output closed it",
}
USUAL = (OK, USAGE_ERROR, INTERRUPTED, BROKEN_PIPE)

SHELL_STATUSES = {
    0: "the script's exit status, as any other status not listed here",
    2: "a syntax error, or an invalid option",
    124: "ended by --timeout",
    125: "ended by a limit",
    126: "a file can't be run",
    127: "a command or a file was not found",
    INTERRUPTED: STATUSES[INTERRUPTED],
    BROKEN_PIPE: STATUSES[BROKEN_PIPE],
}


class Parser(argparse.ArgumentParser):
    """An argument parser with short errors and exit status 1 for them: 2 means "denied" here."""

    def __init__(self, *, examples: Sequence[str] = (), **options: Any) -> None:
        super().__init__(**options)
        self.examples = tuple(examples)
        self.arguments: tuple[str, ...] = ()

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, and store the words: an error is JSON too if ``--json`` is among them."""
        self.arguments = tuple(sys.argv[1:] if args is None else args)
        return super().parse_args(args, namespace)

    def print_help(self, file: Any = None) -> None:
        """Print the help, as JSON under ``--json``."""
        from . import arguments

        text = self.format_help()
        if "--json" in self.arguments:
            text = arguments.to_json({"help": text})
        arguments.write(text)

    def error(self, message: str) -> NoReturn:
        """Print the message and how to get help, under ``--json`` as JSON too, and exit."""
        what, colon, names = message.partition(": ")
        if what == "unrecognized arguments":
            message = f"{what}{colon}{names}" + similar_name_question(names.split()[0], self._option_string_actions)
        if "--json" in self.arguments:
            from . import arguments

            arguments.write_error(message, USAGE_ERROR)
        self.exit(USAGE_ERROR, f"{self.prog}: {message}\n  {self.prog} --help lists the options\n")


def similar_name_question(word: str, names: Any) -> str:
    """Return a question that suggests a similar name; ``""`` if no name is similar."""
    matches = get_close_matches(word.partition("=")[0], list(names), n=1)
    return f"; did you mean {matches[0]}?" if matches else ""


def parser(
    command: str,
    summary: str,
    *,
    examples: Sequence[str],
    statuses: Sequence[int] = USUAL,
    meanings: dict[int, str] = STATUSES,
    before: str = "",
    **options: Any,
) -> Parser:
    """Return a parser for a subcommand, with ``--json``, its exit statuses and examples.

    Options cannot be abbreviated, so that a new option does not change old scripts.
    """
    lines = [before, ""] if before else []
    lines += ["exit status:", *(described(str(status), meanings[status]) for status in statuses)]
    lines += ["", "example:" if len(examples) == 1 else "examples:"]
    lines += [f"  pyshellhooks {example}" for example in examples]
    command_parser = Parser(
        prog=f"pyshellhooks {command}".rstrip(),
        description=summary,
        allow_abbrev=False,
        epilog="\n".join(lines),
        formatter_class=Help,
        examples=examples,
        **options,
    )
    command_parser.add_argument("--json", action="store_true", help="print one JSON document, also for an error")
    return command_parser


class Help(argparse.HelpFormatter):
    """argparse's help with a short usage and an epilog that keeps its line breaks."""

    def _format_usage(self, usage: Any, actions: Any, groups: Any, prefix: Any) -> str:
        """Show only the operands; the options are listed below."""
        if usage is None:
            forms = {"?": "[{}]", "*": "[{}]...", "+": "{}..."}
            operands = []
            for action in actions:
                if not action.option_strings:
                    operands.append(forms.get(action.nargs, "{}").format(action.metavar or action.dest))
            usage = " ".join([f"{self._prog} [OPTION]...", *operands])
        return _fill(f"usage: {usage}", "", " " * 7) + "\n\n"

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "exit status:\n" in text:
            return text  # the epilog, whose lines were filled when it was written
        return super()._fill_text(text, width, indent)


def described(name: str, meaning: str, indent: int = 6) -> str:
    """Return a name and its meaning in lines no wider than the terminal."""
    return _fill(meaning, f"  {name:{indent - 2}}", " " * indent)


def _fill(text: str, first: str, others: str) -> str:
    import textwrap

    width = max(24, shutil.get_terminal_size().columns)
    return textwrap.fill(text, width, initial_indent=first, subsequent_indent=others, break_on_hyphens=False)
