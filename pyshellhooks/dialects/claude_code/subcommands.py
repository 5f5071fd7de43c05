"""The commands in a shell text, as far as an ``if`` rule needs them (claude_code 3). They are parsed, never run.

A rule decides whether a guard runs. So a text that is not plainly understood is not judged: ``Unclear`` makes the guard
run. Quotes are removed, since ``"git" push`` is ``git push``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...analysis.named_commands import nodes
from ...errors import ShellSyntaxError, Stop
from ...syntax.nodes.base import Node
from ...syntax.nodes.commands import ArithCommand, Case, For, ForArith, Function, Group, Select, TestCommand
from ...syntax.nodes.simple import ArrayLiteral, Assign, HereDoc, Redirect, Simple
from ...syntax.nodes.words import Arithmetic, CommandSub, DoubleQuoted, Literal, Parameter, ProcessSub, Quoted, Word
from ...syntax.parser import parse
from ...text import remembered

_DEPTH = 50  # levels of nested backticks
#: Nodes that a rule can name although they are not simple commands: ``for *``.
_NAMED = For | Select | ForArith | ArithCommand | TestCommand
#: The characters of a file name pattern or a brace list, which a running shell expands in a name.
_PATTERN = re.compile(r"[*?\[{]")


#: Syntax for which Claude Code 2.1.332 asks every hook with a rule, whatever the rule.
_UNJUDGED = ProcessSub | Function | Group | ArithCommand | Arithmetic | ArrayLiteral
_BRACES = re.compile(r"\{.*(?:,|\.\.)")
#: So it does for a line that goes on inside a word, ``$"…"``, and for blanks and invisible characters beyond ASCII.
_ODD = re.compile('\\S\\\\\n|\\$"|[^\\S \t\n\r\x0b\x0c]|[\xad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]')


class Unclear(Exception):
    """A text that can't be split into its commands."""


class Subcommand:
    """One command: its text without quotes, its spelling, and whether only a running shell knows its name."""

    __slots__ = ("dynamic", "raw", "text")

    def __init__(self, text: str, raw: str, dynamic: bool = False) -> None:
        self.text = text
        self.raw = raw
        self.dynamic = dynamic

    def __repr__(self) -> str:
        return f"Subcommand({self.text!r})"


@remembered(16, most=1 << 22)  # every hook with a rule parses the same call
def subcommands(text: str, depth: int = 0) -> tuple[Subcommand, ...]:
    """Return every command, including those in ``$( )``, backticks and subshells. Raises ``Unclear``."""
    if depth > _DEPTH:
        raise Unclear("backticks nest too deeply")
    try:
        tree = parse(text)
    except (ShellSyntaxError, Stop) as error:
        raise Unclear(str(error)) from None
    commands: list[Subcommand] = []
    for node in nodes(tree, into=lambda node: not (isinstance(node, CommandSub) and node.backquoted)):
        if isinstance(node, Case | HereDoc) or (isinstance(node, Quoted) and node.style == "$'"):
            raise Unclear(f"a {type(node).__name__}")
        if isinstance(node, CommandSub) and node.backquoted:  # its positions are not those in this text
            inner = re.sub(r"\\([`\\$])", r"\1", text[node.pos + 1 : node.end - 1])
            commands += subcommands(inner, depth + 1)
        elif isinstance(node, Simple) and node.words:
            raw = text[node.words[0].pos : node.end].strip()
            spelled = " ".join(_unquoted(word, text) for word in node.words if not _is_file(word))
            commands.append(Subcommand(spelled, raw, _expands(node.words[0], spelled)))
        elif isinstance(node, _NAMED):
            raw = text[node.pos : node.end]
            commands.append(Subcommand(raw, raw))
    return tuple(commands)


@remembered(16, most=1 << 22)
def is_unjudged(text: str) -> bool:
    """Return whether a text has syntax that no rule is tried on. Raises ``Unclear`` for one that does not parse."""
    if _ODD.search(text):
        return True
    try:
        tree = parse(text)
    except (ShellSyntaxError, Stop) as error:
        raise Unclear(str(error)) from None
    tree_nodes = list(nodes(tree))
    if any(isinstance(node, _NAMED) for node in tree_nodes) and any(isinstance(node, Parameter) for node in tree_nodes):
        return True
    return any(map(_is_unjudged, tree_nodes))


def _is_unjudged(node: Node) -> bool:
    """Return whether a node, by itself, is syntax that no rule is tried on."""
    if isinstance(node, Literal):
        return "$" in node.text or _BRACES.search(node.text) is not None
    if isinstance(node, Quoted):
        return node.style == "\\" and node.text.isspace()
    if isinstance(node, Parameter):
        return node.braced
    if isinstance(node, DoubleQuoted):
        return _has_parameter(node)
    if isinstance(node, Word):
        return len(node.parts) > 1 and _has_parameter(node)
    if isinstance(node, Assign):
        return _is_unjudged_assignment(node)
    if isinstance(node, Redirect):
        return _is_unjudged_redirection(node)
    if isinstance(node, Simple):
        return _has_redirection_between_words(node)
    return isinstance(node, _UNJUDGED)


def _is_unjudged_assignment(node: Assign) -> bool:
    """Return whether an assignment is to an element (``a[0]=``), or its value has a parameter."""
    return node.index is not None or (isinstance(node.value, Word) and _has_parameter(node.value))


def _is_unjudged_redirection(node: Redirect) -> bool:
    """Return whether a redirection is ``<>``, names a variable (``{fd}>``), or has a target with an expansion."""
    parts = node.target.parts if isinstance(node.target, Word) else ()
    is_plain = all(isinstance(part, Literal | Quoted | DoubleQuoted) for part in parts)
    return node.op == "<>" or bool(node.variable) or not is_plain


def _has_redirection_between_words(node: Simple) -> bool:
    """Return whether a command has a redirection after its first word and before its last: ``echo >file word``."""
    return any(node.words[0].pos < redirect.pos < node.words[-1].pos for redirect in node.redirects if node.words)


def _has_parameter(node: Word | DoubleQuoted) -> bool:
    return any(isinstance(part, Parameter) for part in node.parts)


def expands(text: str) -> bool:
    """Return whether a text has expansions that only a running shell performs: ``$( )``, backticks, ``$VAR``."""
    return "`" in text or re.search(r"\$[({A-Za-z_0-9@*#?!$-]", text) is not None


def _is_file(word: Word | Assign) -> bool:
    """Return whether a word is ``<( )``, which is treated as a redirection."""
    return isinstance(word, Word) and any(isinstance(part, ProcessSub) for part in word.parts)


def _unquoted(word: Word | Assign, text: str) -> str:
    if isinstance(word, Word):
        return "".join(_spelled(word, text))
    value = _unquoted(word.value, text) if isinstance(word.value, Word) else text[word.value.pos : word.end]
    return text[word.pos : word.value.pos] + value


def _spelled(node: Node, text: str) -> Iterator[str]:
    """Yield the parts of a word without its quotes; expansions as they are spelled."""
    if isinstance(node, Literal | Quoted):
        yield node.text
    elif isinstance(node, Word | DoubleQuoted):
        for part in node.parts:
            yield from _spelled(part, text)
    else:
        yield text[node.pos : node.end]


def _expands(word: Word | Assign, spelled: str) -> bool:
    """Return whether only a running shell knows a command's name."""
    if isinstance(word, Assign) or spelled == "[" or spelled.startswith("[ "):
        return False
    if spelled.startswith("~") and isinstance(word.parts[0], Literal):
        return True
    parts = [inner for part in word.parts for inner in (part.parts if isinstance(part, DoubleQuoted) else (part,))]
    return any(
        not isinstance(part, Quoted) and not (isinstance(part, Literal) and not _PATTERN.search(part.text))
        for part in parts
    )
