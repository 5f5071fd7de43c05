"""The commands that a script names, read from its tree without running it.

What is found is what the text says: a name that is put together at run time (``$tool``) is not seen. A program that
runs another one (``env``, ``xargs``, ``sh -c``, ``eval``, …) is looked through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..errors import ShellSyntaxError
from .nodes.base import Node
from .nodes.commands import Function
from .nodes.simple import Simple
from .nodes.words import DoubleQuoted, Literal, Quoted, Word
from .parser import parse

DEPTH = 8  # scripts inside scripts

# Programs that run the program in their operands, and their options that take a value.
WRAPPERS: dict[str, str] = {
    "builtin": "",
    "command": "",
    "env": "uCS",
    "exec": "a",
    "nice": "n",
    "nohup": "",
    "setsid": "",
    "stdbuf": "ioe",
    "sudo": "ugCpD",
    "timeout": "ks",
    "xargs": "aEdILnPs",
}
SHELLS = frozenset({"sh", "bash", "dash"})
_SOURCES = frozenset({".", "source"})
_EXEC = frozenset({"-exec", "-execdir", "-ok", "-okdir"})


class NamedCommand:
    """A command's name, and the line of the script that has it. ``script``: the operand of a shell or ``.``: a file.

    ``words``: name and arguments, None where an expansion takes part. ``by``: the program that runs it, if not the shell.
    """

    __slots__ = ("by", "line", "name", "script", "words")

    def __init__(
        self, name: str, line: int, script: bool = False, words: Iterable[str | None] = (), by: str = ""
    ) -> None:
        self.name = name
        self.line = line
        self.script = script
        self.words = tuple(words) or (name,)
        self.by = by

    def __repr__(self) -> str:
        return f"NamedCommand({self.name!r}, line {self.line})"


def named_commands(text: str) -> list[NamedCommand]:
    """Give the commands that a script names, in its order, without its own functions. Raises ``ShellSyntaxError``."""
    functions: set[str] = set()
    found = list(_of_text(text, 1, functions, 0))
    return [command for command in found if command.script or command.name not in functions]


def named_in(tree: object) -> list[NamedCommand]:
    """Give the commands that a tree names, its own functions among them."""
    return list(_of_tree(tree, 1, set(), 0))


def _of_text(text: str, line: int, functions: set[str], depth: int) -> Iterator[NamedCommand]:
    yield from _of_tree(parse(text), line, functions, depth)


def _of_tree(tree: object, line: int, functions: set[str], depth: int) -> Iterator[NamedCommand]:
    found = [node for node in nodes(tree) if isinstance(node, Function | Simple)]
    for node in sorted(found, key=lambda node: node.pos):
        if isinstance(node, Function):
            functions.add(node.name)
        elif node.words:
            for command in _of_words(static_words(node), functions, depth):
                command.line += node.line + line - 2
                yield command


def _of_words(words: list[str | None], functions: set[str], depth: int, by: str = "") -> Iterator[NamedCommand]:
    name = words[0]
    if not name:
        return
    yield NamedCommand(name, 1, words=words, by=by)
    base = name.rpartition("/")[2]
    rest = words[1:]
    if depth >= DEPTH:
        return
    if base in WRAPPERS:
        yield from _of_words(operands(rest, WRAPPERS[base], base), functions, depth + 1, base) if rest else ()
    elif base == "find":
        for index, word in enumerate(rest):
            if word in _EXEC and rest[index + 1 :]:
                yield from _of_words(rest[index + 1 :], functions, depth + 1, base)
    elif base in SHELLS:
        yield from _of_shell(rest, functions, depth)
    elif base in _SOURCES and rest and rest[0]:
        yield NamedCommand(rest[0], 1, script=True)
    elif base == "eval" and None not in rest:
        yield from _nested(" ".join(word or "" for word in rest), functions, depth)
    elif base == "trap" and len(rest) > 1 and rest[0] and not rest[0].startswith("-"):
        yield from _nested(rest[0], functions, depth)


def _of_shell(rest: list[str | None], functions: set[str], depth: int) -> Iterator[NamedCommand]:
    for index, word in enumerate(rest):
        if word is None:
            return
        if word.startswith("-") and "c" in word[1:] and not word.startswith("--"):
            following = rest[index + 1] if index + 1 < len(rest) else None
            if following is not None:
                yield from _nested(following, functions, depth)
            return
        if not word.startswith(("-", "+")):
            yield NamedCommand(word, 1, script=True)
            return


def _nested(text: str, functions: set[str], depth: int) -> Iterator[NamedCommand]:
    try:
        yield from list(_of_text(text, 1, functions, depth + 1))
    except ShellSyntaxError:
        return  # it may be completed at run time


def operands(words: list[str | None], valued: str, base: str) -> list[str | None]:
    """Give what follows a wrapper's own options, assignments and (timeout) duration."""
    index = 0
    while index < len(words):
        word = words[index]
        if word is None:
            return [None]
        if word == "--":
            index += 1
            break
        if word.startswith("-") and len(word) > 1:
            index += 2 if len(word) == 2 and word[1] in valued else 1
        elif base in ("env", "sudo") and "=" in word:
            index += 1
        else:
            break
    if base == "timeout":
        index += 1
    return words[index:] or [None]


def static_words(command: Simple) -> list[str | None]:
    """Give a simple command's words, None for each in which an expansion or an assignment takes part."""
    return [static_text(word) if type(word) is Word else None for word in command.words]


def static_text(word: Word) -> str | None:
    """Give a word's text where no expansion takes part in it, else None."""
    return _static(word.parts)


def _static(parts: Iterable[Node]) -> str | None:
    found = []
    for part in parts:
        if isinstance(part, Literal | Quoted):
            found.append(part.text)
        elif isinstance(part, DoubleQuoted):
            inner = _static(part.parts)
            if inner is None:
                return None
            found.append(inner)
        else:
            return None
    return "".join(found)


def nodes(tree: object) -> Iterator[Node]:
    """Give every node of a tree, each before what is in it."""
    if isinstance(tree, Node):
        yield tree
        # An expression and a subscript stand in the tree twice, as a word and parsed.
        parsed = getattr(tree, "expr", None) is not None or getattr(tree, "arith", None) is not None
        for kind in type(tree).__mro__:
            for name in kind.__dict__.get("__slots__", ()):
                if name not in ("pos", "end") and not (parsed and name in ("text", "word")):
                    yield from nodes(getattr(tree, name))
    elif isinstance(tree, tuple):
        for item in tree:
            yield from nodes(item)
