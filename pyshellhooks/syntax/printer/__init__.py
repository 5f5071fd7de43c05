"""Print nodes as shell text, for ``declare -f``, ``jobs`` and error messages.

The text parses back to the same tree (positions aside); its layout follows bash's ``declare -f`` as far as that is cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import nodes as n

if TYPE_CHECKING:
    from .commands import CommandPrinter

__all__ = ["print_arithmetic", "print_command", "print_function", "print_list", "print_word"]


def _printer() -> CommandPrinter:
    from .commands import CommandPrinter  # imported here, because few runs print

    return CommandPrinter()


def print_list(commands: n.List) -> str:
    """Print commands one below the other; the text ends without a newline unless a here-document ends it."""
    printer = _printer()
    printer.lines(commands)
    return printer.result()


def print_command(command: n.Command) -> str:
    """Print one command."""
    printer = _printer()
    printer.command(command)
    return printer.result()


def print_function(name: str, body: n.Command) -> str:
    """Print a function as ``declare -f`` does."""
    printer = _printer()
    printer.function(name, body)
    return printer.result()


def print_arithmetic(expression: n.Arithmetic) -> str:
    """Print an expression without its parentheses."""
    return _printer().arithmetic(expression)


def print_word(word: n.Word) -> str:
    """Print a word."""
    return _printer().word(word)
