"""Print nodes as shell text, for ``declare -f``, ``jobs`` and error messages.

The text parses back to the same tree (positions aside); its layout follows bash's ``declare -f`` where that is cheap.
"""

from __future__ import annotations

from .. import nodes as n
from .commands import CommandPrinter

__all__ = ["print_arithmetic", "print_command", "print_function", "print_list", "print_word"]


def print_list(commands: n.List) -> str:
    """Print commands one below the other; the text ends without a newline unless a here-document ends it."""
    printer = CommandPrinter()
    printer.lines(commands)
    return printer.result()


def print_command(command: n.Command) -> str:
    """Print one command."""
    printer = CommandPrinter()
    printer.command(command)
    return printer.result()


def print_function(name: str, body: n.Command) -> str:
    """Print a function as ``declare -f`` does."""
    printer = CommandPrinter()
    printer.function(name, body)
    return printer.result()


def print_arithmetic(expression: n.Arithmetic) -> str:
    """Print an expression without its parentheses."""
    return CommandPrinter().arithmetic(expression)


def print_word(word: n.Word) -> str:
    """Print a word."""
    return CommandPrinter().word(word)
