"""The commands that a script needs, read from its tree without running it (decisions shebang).

A real shell that lacks one of them fails, often unnoticed: ``CMD=$(jq -r .command)`` is empty then, and the guard lets
everything pass. So "sure" errs on one side only: a command that a script may do without is never sure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..regexes import lazy_pattern
from ..syntax.nodes.base import Node
from ..syntax.nodes.commands import (
    AndOr,
    Case,
    Command,
    For,
    Function,
    Group,
    If,
    List,
    Pipeline,
    Select,
    Subshell,
    TestCommand,
    While,
)
from ..syntax.nodes.simple import ArrayLiteral, Assign, HereDoc, Redirect, Simple
from ..syntax.nodes.tests import Test, TestAnd, TestBinary, TestNot, TestOr, TestUnary, TestWord
from ..syntax.nodes.words import CommandSub, DoubleQuoted, ProcessSub, Word
from .named_commands import (
    WRAPPERS,
    NamedCommand,
    is_query,
    named_in,
    nodes,
    operands,
    parse_script,
    static_text,
    static_words,
)

_NAMES_PATH = lazy_pattern(r"PATH(?:\Z|\+?=)")

# Wrappers that always run their operand: not xargs (its input may be empty), not sudo (it has its own PATH).
_RUNNING = frozenset(WRAPPERS) - {"sudo", "xargs"}
_LOOKING_UP = frozenset({"type", "which", "hash"})
TESTING = frozenset({"[", "test"})
_SPOILING = frozenset({".", "source", "eval"})  # they may define, or change, anything
_VERSIONS = frozenset({"--version", "-V", "--help"})
_ENDING = frozenset({"exit", "return", "exec", "kill"})
_GO, _RETURN, _EXIT = range(3)


class Needs:
    """The commands that a script needs. ``sure``: every run that gets that far needs them. ``unsure``: all others.

    ``certain``: the sure ones before any command that may end the script, so that every run needs them (except one that
    fails before, under ``set -e``). No set has a name that the script itself defines or tests for (``command -v jq``).
    All are empty if the meaning of a name depends on more than the text: PATH is assigned, another file is read, text is
    evaluated.
    """

    __slots__ = ("certain", "sure", "unsure")

    def __init__(self, sure: Iterable[str] = (), unsure: Iterable[str] = (), certain: Iterable[str] = ()) -> None:
        self.certain = tuple(certain)
        self.sure = tuple(sure)
        self.unsure = tuple(unsure)


def needed_commands(text: str) -> Needs:
    """Return the commands that a script needs. Raises ``ShellSyntaxError`` if any part does not parse."""
    tree = parse_script(text)
    known = Known(tree)
    if known.spoiled:
        return Needs()
    path = _Path(known.functions)
    path.run(tree)
    sure = [name for name in path.found if name not in known.own and name not in known.handled]
    unsure = [name for name in known.named if name not in known.own and name not in sure]
    return Needs(sure, unsure, (name for name in sure if name in path.certain))


def looks_up_names(name: str | None, rest: Sequence[str | None]) -> bool:
    """Return whether a command looks up the names in its words and runs none: ``type``, ``command -v`` and the like."""
    if name == "command":
        return is_query(rest)
    return name in _LOOKING_UP


def before_or(node: AndOr) -> tuple[Command, ...]:
    """Return the commands before the last ``||``."""
    operators = [op for op, _ in node.rest]
    if "||" not in operators:
        return ()
    last = len(operators) - 1 - operators[::-1].index("||")
    return (node.first, *(command for _, command in node.rest[:last]))


def conditions(node: AndOr | If | While) -> tuple[Command, ...]:
    """Return the commands whose status determines which other commands run."""
    match node:
        case AndOr():
            return (node.first, *(command for _, command in node.rest[:-1]))
        case If():
            return tuple(condition for condition, _ in node.clauses)
        case While():
            return (node.condition,)


def checked_by_version(node: AndOr | If | While) -> Iterator[str]:
    """Yield the programs whose version a condition queries, to test whether they exist."""
    for command in named_in(conditions(node)):
        if not _VERSIONS.isdisjoint(command.words[1:2]):
            yield command.name


class Known:
    """Facts about the names in a script, collected from its whole text."""

    __slots__ = ("functions", "handled", "named", "own", "spoiled")

    def __init__(self, tree: List) -> None:
        self.spoiled = False
        self.own: set[str] = set()  # functions, aliases, and commands that the script tests for
        self.handled: set[str] = set()  # commands before ``||``
        self.functions: dict[str, Function | None] = {}  # None: defined more than once
        for node in nodes(tree):
            self._add_node(node)
        self.own.update(self.functions)
        self.spoiled |= "command_not_found_handle" in self.functions
        commands = named_in(tree)
        for command in commands:
            self._read(command)
        self.named = dict.fromkeys(command.name for command in commands if not command.script)

    def _add_node(self, node: Node) -> None:
        if isinstance(node, Function):
            # Which of two definitions a call runs depends on the path to it.
            self.functions[node.name] = None if node.name in self.functions else node
        elif isinstance(node, AndOr):
            self.handled.update(command.name for command in named_in(before_or(node)))
        elif isinstance(node, If):
            self.own.update(checked_by_version(node))
        elif isinstance(node, Assign | For | Select):
            self.spoiled |= node.name == "PATH"
        elif isinstance(node, CommandSub):
            # Backquotes that do not parse: their commands are unknown.
            self.spoiled |= node.broken is not None
        elif isinstance(node, TestUnary):
            self._found_by_path(static_text(node.word))

    def _read(self, command: NamedCommand) -> None:
        name, words = command.words[0], command.words[1:]
        assigns_path = any(_NAMES_PATH.match(word or "") for word in words)  # ``export PATH=…``, ``env PATH=…``
        if assigns_path or name in _SPOILING:
            self.spoiled = True
            return
        if name == "alias":
            for word in words:
                self._add_checked(None if word is None else word.partition("=")[0])
        elif name in TESTING:
            for word in words:
                self._found_by_path(word)
        elif looks_up_names(name, words):
            for word in words:
                is_option = word is not None and word.startswith("-")
                if not is_option:
                    self._add_checked(word)

    def _found_by_path(self, word: str | None) -> None:
        """Add the name of a tested path: ``[ -x /usr/bin/jq ]`` tests for jq."""
        if word and "/" in word:
            self.own.add(word.rpartition("/")[2])

    def _add_checked(self, name: str | None) -> None:
        """Add a name that the script tests for; None, a name composed at run time, may be any name."""
        if name is None:
            self.spoiled = True
        elif name:
            self.own.add(name.rpartition("/")[2])


class _Path:
    """Follows the path that every run of a script takes, and collects the names in command position."""

    __slots__ = ("_defined", "_functions", "_open", "certain", "found")

    def __init__(self, functions: dict[str, Function | None]) -> None:
        self.found: dict[str, None] = {}
        self.certain: set[str] = set()
        self._open = True  # no command so far may have ended the script
        self._functions = functions
        self._defined: set[str] = set()  # functions defined so far on the path, except those being followed

    def run(self, node: Command) -> int:
        """Follow one command; return whether the path continues after it: ``_GO``, ``_RETURN`` or ``_EXIT``."""
        ended = self._run(node)
        if isinstance(node, AndOr | If | While | For | Select | Case) and self._open:
            self._open = not any(command.name in _ENDING for command in named_in(node))
        return ended

    def _run(self, node: Command) -> int:
        for redirect in getattr(node, "redirects", ()):
            self._redirect(redirect)
        match node:
            case Simple():
                return self._simple(node)
            case List():
                for command, background in node.items:
                    ended = self.run(command)
                    if ended and not background:
                        return ended
            case Group():
                return self.run(node.body)
            case Pipeline(commands=(command,)):
                return self.run(command)
            case Pipeline():
                for command in node.commands:
                    self.run(command)
            case AndOr() if all(op == "&&" for op, _ in node.rest):
                return self.run(node.first)
            case If():
                return self.run(node.clauses[0][0])
            case While():
                return self.run(node.condition)
            case Function():
                self._defined.add(node.name)
            case _:
                self._other(node)
        return _GO

    def _other(self, node: Command) -> None:
        if isinstance(node, Subshell):
            self.run(node.body)
        elif isinstance(node, For | Select):
            for word in node.words or ():
                self._word(word)
        elif isinstance(node, Case):
            self._word(node.word)
        elif isinstance(node, TestCommand):
            self._test(node.expression)

    def _simple(self, node: Simple) -> int:
        for word in (*node.words, *node.assigns):
            self._word(word)
        words = static_words(node)
        name = words[0] if words else None
        if name == "exit":
            return _EXIT
        if name == "return":
            return _RETURN
        if name in self._functions:
            return self._call(name)
        while name:
            self._find(name)
            if name not in _RUNNING or len(words) == 1:
                break
            words = operands(words[1:], WRAPPERS[name], name)
            if name == "exec" and words[0] is not None:
                self._find(words[0])
                return _EXIT
            name = words[0]
        return _GO

    def _find(self, name: str) -> None:
        self.found[name] = None
        if self._open:
            self.certain.add(name)

    def _call(self, name: str) -> int:
        function = self._functions[name]
        if function is None or name not in self._defined:
            return _GO
        self._defined.remove(name)  # a recursive function is followed once
        ended = self.run(function.body)
        self._defined.add(name)
        return _EXIT if ended == _EXIT else _GO

    def _redirect(self, redirect: Redirect) -> None:
        target = redirect.target
        self._word(target.body if isinstance(target, HereDoc) else target)

    def _word(self, word: Word | Assign) -> None:
        if isinstance(word, Word):
            self._parts(word.parts)
            return
        value = word.value
        if isinstance(value, ArrayLiteral):
            for item in value.items:
                self._word(item.word)
        elif isinstance(value, Word):
            self._word(value)

    def _parts(self, parts: Iterable[object]) -> None:
        for part in parts:
            if isinstance(part, DoubleQuoted):
                self._parts(part.parts)
            elif isinstance(part, CommandSub | ProcessSub):
                self.run(part.body)

    def _test(self, test: Test) -> None:
        match test:
            case TestAnd() | TestOr():
                self._test(test.left)
            case TestNot():
                self._test(test.operand)
            case TestBinary():
                self._word(test.left)
                self._word(test.right)
            case TestUnary() | TestWord():
                self._word(test.word)
