"""The command line's own words: parsers, their help, and what each exit status means.

One status has one meaning in every subcommand; ``--help`` of each lists those that it can end with.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from . import BROKEN_PIPE, INTERRUPTED, WRONG

OK, DENIED, ASK, HALTED = 0, 2, 3, 49

STATUSES = {
    OK: "all is well; an event goes ahead",
    WRONG: "something is wrong, and was said: the call, a file, what was asked about, or trust that is missing",
    DENIED: "denied",
    ASK: "a person must be asked",
    HALTED: "denied, and the agent's turn ends",
    INTERRUPTED: "interrupted (Ctrl-C)",
    BROKEN_PIPE: "the reader of the output has gone",
}
USUAL = (OK, WRONG, INTERRUPTED, BROKEN_PIPE)

SHELL_STATUSES = {
    0: "the script's own, as any other that is not below",
    2: "a text that does not parse, or a wrong option",
    124: "ended by --timeout",
    125: "ended by a limit",
    126: "a file that cannot be run",
    127: "a command or a file that is not there",
    INTERRUPTED: STATUSES[INTERRUPTED],
    BROKEN_PIPE: STATUSES[BROKEN_PIPE],
}


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are short and status 1: 2 means "denied" here."""

    def __init__(self, *, examples: Sequence[str] = (), **options: Any) -> None:
        super().__init__(**options)
        self.examples = tuple(examples)
        self.given: tuple[str, ...] = ()

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, and remember the words: an error has to know whether JSON was asked for."""
        self.given = tuple(sys.argv[1:] if args is None else args)
        return super().parse_args(args, namespace)

    def print_help(self, file: Any = None) -> None:
        """Print the help, as JSON where that is asked for."""
        from . import arguments

        text = self.format_help()
        arguments.write(arguments.to_json({"help": text}) if "--json" in self.given else text)

    def error(self, message: str) -> NoReturn:
        """Print the message and how to get help, as JSON too where that was asked for, and exit."""
        what, colon, names = message.partition(": ")
        if what == "unrecognized arguments":
            message = f"{what}{colon}{names}" + near(names.split()[0], self._option_string_actions)
        if "--json" in self.given:
            from . import arguments

            arguments.write_error(message, WRONG)
        self.exit(WRONG, f"{self.prog}: {message}\n  {self.prog} --help shows the options\n")


def near(word: str, names: Any) -> str:
    """Say which of the names may be meant; ``""`` where none is close."""
    found = get_close_matches(word.partition("=")[0], list(names), n=1)
    return f"; did you mean {found[0]}?" if found else ""


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
    """Begin the parser of a subcommand, with ``--json``, the statuses that it ends with and examples.

    Options may not be abbreviated: a new one must not change old scripts.
    """
    lines = [before, ""] if before else []
    lines += ["exit status:", *(described(str(status), meanings[status]) for status in statuses)]
    lines += ["", "example:" if len(examples) == 1 else "examples:", *(f"  pyshellhooks {one}" for one in examples)]
    made = Parser(
        prog=f"pyshellhooks {command}".rstrip(),
        description=summary,
        allow_abbrev=False,
        epilog="\n".join(lines),
        formatter_class=Help,
        examples=examples,
        **options,
    )
    made.add_argument("--json", action="store_true", help="print one JSON document, of an error too")
    return made


class Help(argparse.HelpFormatter):
    """argparse's help, with a short usage and an epilog whose lines stay."""

    def _format_usage(self, usage: Any, actions: Any, groups: Any, prefix: Any) -> str:
        """Name the operands; the options stand below."""
        if usage is None:
            forms = {"?": "[{}]", "*": "[{}]...", "+": "{}..."}
            operands = [
                forms.get(action.nargs, "{}").format(action.metavar or action.dest)
                for action in actions
                if not action.option_strings
            ]
            usage = " ".join([f"{self._prog} [OPTION]...", *operands])
        return _fill(f"usage: {usage}", "", " " * 7) + "\n\n"

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "exit status:\n" in text else super()._fill_text(text, width, indent)


def described(name: str, meaning: str, indent: int = 6) -> str:
    """Return a name and what it means in lines no wider than the terminal."""
    return _fill(meaning, f"  {name:{indent - 2}}", " " * indent)


def _fill(text: str, first: str, others: str) -> str:
    import textwrap

    width = max(24, shutil.get_terminal_size().columns)
    return textwrap.fill(text, width, initial_indent=first, subsequent_indent=others, break_on_hyphens=False)
