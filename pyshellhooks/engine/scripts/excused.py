"""Programs and files that a script can run without, so that a report of their absence would be a false alarm."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from itertools import pairwise

from ...analysis.named_commands import NamedCommand, assigned, named_in, nodes, static_text
from ...analysis.needed_commands import TESTING, Known, before_or, checked_by_version, conditions, looks_up_names
from ...regexes import lazy_pattern
from ...syntax.nodes.base import Node
from ...syntax.nodes.commands import AndOr, Case, If, List, While
from ...syntax.nodes.simple import Redirect
from ...syntax.nodes.tests import TestUnary
from ...syntax.nodes.words import Literal, Quoted, Word

_FETCHING = frozenset({"curl", "wget"})
_MAKING = frozenset({"cp", "mv", "ln", "install", "touch", "tee"})
_OUTPUT = lazy_pattern(r"-\w*[oO]|--output|--output-document")
_OF_WINDOWS = frozenset({"pwsh", "powershell", "cmd", "pwsh.exe", "powershell.exe", "cmd.exe"})
_SYSTEM = lazy_pattern(r"(?i)(?:darwin|linux|mingw|msys|cygwin|windows)[\w*-]*")
_NOTHING: Mapping[str, str] = {}


class Excused:
    """The programs and files that a script can run without.

    ``names``: of programs, and paths of files. ``directories``: the script itself creates their contents. ``systems``:
    the programs that it runs on one operating system only.
    """

    __slots__ = ("directories", "names", "systems")

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.directories: set[str] = set()
        self.systems: set[str] = set()

    def covers(self, word: str, *, is_utility: bool = False) -> bool:
        """Return whether a word is among them.

        ``is_utility``: ``systems`` does not excuse it, because a guard may need a utility on every system.
        """
        if word in self.names:
            return True
        if word in self.systems and not is_utility:
            return True
        path = posixpath.normpath(word)
        return path in self.names or any(path.startswith(f"{one}/") for one in self.directories)


def excused(tree: List, values: Mapping[str, str] = _NOTHING) -> Excused:
    """Return the names that a script can run without: its functions, programs that it tests for, those before ``||``.

    Also the path, as written, of a file that it tests for (``[ -x hooks/x.sh ]``), writes or creates, and every name in
    code that runs only on one operating system. ``values``: variables that are known when it starts.
    """
    known, found, behind = Known(tree), Excused(), assigned(tree, values)
    found.names |= known.own | known.handled
    for node in nodes(tree):
        found.names.update(word for word in _files(node, behind) if word)
        found.names.update(_tried(node, values))
        if isinstance(node, AndOr | Case | If) and _tests_system(node):
            found.systems.update(one.name for one in named_in(node, values))
    for named in named_in(tree, values):
        found.names.update(word for word in _tested(named) if word)
        found.names.update(_made(named))
        found.directories.update(_made_trees(named))
    # A command that creates one of these would excuse every path below it.
    found.directories -= {"", ".", "..", "/"}
    return found


def _files(node: Node, values: Mapping[str, str]) -> Iterator[str | None]:
    """Yield the path that ``[[ -f path ]]`` tests for, or that a redirection writes."""
    if isinstance(node, TestUnary):
        yield static_text(node.word, values)
    if not isinstance(node, Redirect) or ">" not in node.op:
        return
    if isinstance(node.target, Word):
        yield static_text(node.target, values)


def _tried(node: Node, values: Mapping[str, str]) -> Iterator[str]:
    """Yield the programs with a fallback: those before ``||``, and those that are run for their version."""
    if isinstance(node, AndOr):
        yield from (one.name for one in named_in(before_or(node), values))
        fallbacks = tuple(command for op, command in node.rest if op == "||")
        yield from (one.name for one in named_in(fallbacks, values) if one.name in _OF_WINDOWS)
    if isinstance(node, AndOr | If | While):
        yield from checked_by_version(node)


def _tested(command: NamedCommand) -> Iterator[str | None]:
    """Yield the words of ``[``, and the paths among the words of ``command -v`` and similar commands."""
    rest = command.words[1:]
    if command.name in TESTING:
        yield from rest
        return
    if looks_up_names(command.name, rest):
        yield from (word for word in rest if word and "/" in word)


def _tests_system(node: AndOr | Case | If) -> bool:
    """Return whether a condition, or a pattern, is the name of an operating system."""
    tests = tuple(arm.patterns for arm in node.arms) if isinstance(node, Case) else conditions(node)
    texts = (one.text for one in nodes(tests) if isinstance(one, Literal | Quoted))
    return any(_SYSTEM.fullmatch(text) for text in texts)


def _made(command: NamedCommand) -> Iterator[str]:
    """Yield the files that a command creates, usually its last word."""
    name, words = command.name.rpartition("/")[2], [word or "" for word in command.words[1:]]
    if name in _MAKING and words:
        yield posixpath.normpath(words[-1])
    elif name in _FETCHING:
        for option, path in pairwise(words):
            if _OUTPUT.fullmatch(option):
                yield posixpath.normpath(path)


def _made_trees(command: NamedCommand) -> Iterator[str]:
    """Yield the directory that a command creates with its contents."""
    name, words = command.name.rpartition("/")[2], [word or "" for word in command.words]
    is_environment = name == "virtualenv" or ("-m" in words and "venv" in words)
    is_clone = name == "git" and "clone" in words
    if is_environment or is_clone:
        yield posixpath.normpath(words[-1])
    elif name == "uv" and words[1:2] == ["venv"]:
        named = words[2:] and not words[-1].startswith("-")
        yield posixpath.normpath(words[-1]) if named else ".venv"


__all__ = ["Excused", "excused"]
