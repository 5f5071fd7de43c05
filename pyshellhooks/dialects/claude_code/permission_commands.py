"""The commands of a shell text as permission rules see them (claude_code 12.4, 12.5). They are parsed, never run.

A ``deny`` or ``ask`` rule also matches the command behind ``sudo``, ``env`` or ``timeout``, and a program by its path. An
``allow`` rule matches plain texts only: a grant must not cover a command that the rule does not name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...analysis.named_commands import WRAPPERS, nodes, operands, parse_script, static_text, static_words
from ...errors import ShellSyntaxError, Stop
from ...syntax.nodes.base import Node
from ...syntax.nodes.commands import AndOr, List, Pipeline
from ...syntax.nodes.simple import Redirect, Simple
from ...syntax.nodes.words import CommandSub, DoubleQuoted, Literal, Parameter, ProcessSub, Quoted, Word
from ...text import present, remembered

#: Programs whose command a ``deny`` or ``ask`` rule sees; ``WRAPPERS`` has the options of some of them.
_SEEN_BEHIND = frozenset(
    "sudo doas env command builtin exec nice ionice nohup timeout stdbuf setsid strace watch xargs".split()
)
#: Those whose command a rule about files sees, and a rule that allows.
_PLAIN = frozenset("command nice nohup timeout stdbuf env".split())
_GRANTED = frozenset("command nice nohup timeout".split())
_DEPTH = 50  # levels of nested backticks
_NAME_ONLY_OPTIONS = re.compile("-[vVp]*[vV]")  # of ``command``: it describes a name and runs nothing
#: Characters of a word without quotes that a running shell expands.
_EXPANDED = re.compile(r"[*?\[{$`]|^~")
#: A word that may lead out of the working directory, or to files such as ``.git`` and ``.claude``.
_ELSEWHERE = re.compile(r"^[/~]|(?:^|[/=])\.(?!$|/)|^\.\.$|\.\./|/\.\.")
_HARMLESS_TARGETS = frozenset(["/dev/null"])

#: Commands whose operands are files that they read, and those that write them (2.1.332).
READERS = frozenset(
    "awk base64 cat cmp column comm cp cut diff expand file find fmt fold grep head hexdump jq ls md5sum mv nl od paste"
    " pr rev rg sed sha256sum sort stat strings tac tail uniq wc".split()
)
WRITERS = frozenset("cp mkdir mv rm rmdir sed tee touch".split())
#: Commands whose first operand is a pattern or a program, unless an option has it.
_PATTERN_FIRST = frozenset("awk grep jq rg sed".split())
_PATTERN_OPTION = re.compile("-[A-Za-z]*[ef]|--(?:file|regexp|expression|from-file)(?:=|$)")


class Unclear(Exception):
    """A text that does not parse."""


class Command:
    """One simple command. ``words``: its words without quotes, an unknown one as it is spelled.

    ``raw``: its text. ``dynamic``: only a running shell knows its name. ``outer``: no substitution is around it.
    ``files``: the targets of its redirections, each with whether the command reads or writes it.
    """

    __slots__ = ("dynamic", "files", "outer", "raw", "short", "words")

    def __init__(
        self,
        words: Sequence[str],
        raw: str,
        short: Sequence[str],
        files: Sequence[tuple[str, bool]],
        *,
        dynamic: bool,
        outer: bool,
    ) -> None:
        self.words = tuple(words)
        self.raw = raw
        self.short = tuple(short)  # without the words that are parameters of unknown value
        self.files = tuple(files)
        self.dynamic = dynamic
        self.outer = outer

    def texts(self) -> Iterator[str]:
        """Yield the texts on which a ``deny`` or ``ask`` rule is tried."""
        yield self.raw
        for words in (self.words, self.short):
            for unwrapped in _unwrapped(words, _SEEN_BEHIND):
                yield " ".join(unwrapped)
                name = unwrapped[0].rpartition("/")[2]
                if name and name != unwrapped[0]:
                    yield " ".join([name, *unwrapped[1:]])

    def read_files(self) -> Iterator[str]:
        """Yield the files that the command is known to read."""
        return self._files(READERS, False)

    def written_files(self) -> Iterator[str]:
        """Yield the files that the command is known to write."""
        return self._files(WRITERS, True)

    def _files(self, names: frozenset[str], written: bool) -> Iterator[str]:
        yield from (path for path, is_written in self.files if is_written is written)
        for words in _unwrapped(self.words, _PLAIN):
            is_diff = words[:2] == ("git", "diff") and not written
            if is_diff or words[0] in names:
                yield from _operands(words[2:] if is_diff else words[1:], words[0], written)


def _operands(rest: Sequence[str], name: str, written: bool) -> Sequence[str]:
    """Return the operands of a command that are files which it reads, or writes."""
    files = [word for word in rest if word[:1] != "-"]
    if name in _PATTERN_FIRST and not any(_PATTERN_OPTION.match(word) for word in rest):
        files = files[1:]
    if name == "find":
        options = [index for index, word in enumerate(rest) if word[:1] in ("-", "(", "!")]
        files = list(rest[: options[0]] if options else rest)
    if name == "cp" or (name == "mv" and not written):
        files = files[-1:] if written else files[:-1]
    return files


def _unwrapped(words: Sequence[str], wrappers: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """Yield the words, and those of the commands behind wrappers."""
    rest = tuple(words)
    while rest:
        yield rest
        base = rest[0].rpartition("/")[2]
        if base not in wrappers or (base == "xargs" and rest[1:2] and rest[1][:1] == "-"):
            return
        if base == "command" and rest[1:2] and _NAME_ONLY_OPTIONS.fullmatch(rest[1]):
            return
        rest = tuple(word for word in operands(list(rest[1:]), WRAPPERS.get(base, "u"), base) if word is not None)


@remembered(16, most=1 << 22)  # every rule is tried on the same call
def commands(text: str, depth: int = 0, outer: bool = True) -> tuple[Command, ...]:
    """Return every simple command of a text, also those in substitutions and functions. Raises ``Unclear``."""
    if depth > _DEPTH:
        raise Unclear("backticks nest too deeply")
    tree = _parse(text)
    inner = {id(node) for sub in nodes(tree) if isinstance(sub, CommandSub | ProcessSub) for node in nodes(sub)}
    values: dict[str, str] = {}
    result: list[Command] = []
    in_text = [node for node in nodes(tree, into=_is_in_this_text) if isinstance(node, Simple | CommandSub)]
    for node in sorted(in_text, key=lambda node: node.pos):
        if isinstance(node, CommandSub):
            if node.backquoted:  # its positions are not those in this text
                written = re.sub(r"\\([`\\$])", r"\1", text[node.pos + 1 : node.end - 1])
                result += commands(written, depth + 1, False)
            continue
        if node.words:
            result.append(_command(node, text, values, outer and id(node) not in inner))
        else:
            _assign(node, values)
    return tuple(result)


def _parse(text: str) -> List:
    try:
        return parse_script(text)
    except (ShellSyntaxError, Stop) as error:
        raise Unclear(str(error)) from None


def _is_in_this_text(node: Node) -> bool:
    return not (isinstance(node, CommandSub) and node.backquoted)


def _assign(node: Simple, values: dict[str, str]) -> None:
    """Keep the values of assignments without a command."""
    for assign in node.assigns:
        value = static_text(assign.value, values) if isinstance(assign.value, Word) else None
        if value is None or assign.append or assign.index is not None:
            values.pop(assign.name, None)
        else:
            values[assign.name] = value


def _command(node: Simple, text: str, values: Mapping[str, str], outer: bool) -> Command:
    known = static_words(node, values)
    words: list[str] = []
    short: list[str] = []
    for value, word in zip(known, node.words, strict=True):
        spelled = text[word.pos : word.end] if value is None else value
        words.append(spelled)
        if value is not None or not _is_parameter(word):
            short.append(spelled)
    raw = text[node.words[0].pos : node.words[-1].end].strip()
    first = node.words[0]
    is_plain = isinstance(first, Word) and not any(map(_is_expanded, first.parts))
    dynamic = known[0] is None or not is_plain
    files = present(map(_target, node.redirects))
    return Command(words, raw, short or words, files, dynamic=dynamic, outer=outer)


def _is_parameter(word: Node) -> bool:
    return isinstance(word, Word) and len(word.parts) == 1 and isinstance(word.parts[0], Parameter)


def _is_expanded(part: Node) -> bool:
    return isinstance(part, Literal) and re.search(r"[*?\[{]", part.text) is not None and part.text != "["


def _target(redirect: Redirect) -> tuple[str, bool] | None:
    """Return the file of a redirection and whether it is written; None for a descriptor, or an unknown file."""
    path = static_text(redirect.target) if isinstance(redirect.target, Word) else None
    if path is None or redirect.op in ("<&", "<<<", "<>") or (redirect.op == ">&" and path.strip("-").isdecimal()):
        return None
    return path, redirect.op != "<"


class Granted(NamedTuple):
    """A command of a plain text as it is written, and the texts on which a rule with ``*`` is tried."""

    raw: str
    texts: tuple[str, ...]


# -- grants -----------------------------------------------------------------------------------------------------------


@remembered(16, most=1 << 22)
def granted_commands(text: str) -> tuple[Granted, ...] | None:
    """Return the commands of a plain text, which rules may grant; None if the text is not plain.

    Plain is a list or a pipeline of commands whose words and files are known, and below the working directory.
    """
    try:
        tree = _parse(text)
    except Unclear:
        return None
    result: list[Granted] = []
    for node in nodes(tree):
        if isinstance(node, List):
            if any(in_background for _, in_background in node.items):
                return None
        elif isinstance(node, Simple):
            command = _granted(node, text)
            if command is None:
                return None
            result.append(command)
        elif isinstance(node, Redirect):
            if not _is_harmless(node):
                return None
        elif not isinstance(node, AndOr | Pipeline | Word | Literal | Quoted | DoubleQuoted):
            return None
    return tuple(result)


def _granted(node: Simple, text: str) -> Granted | None:
    words = static_words(node)
    if node.assigns or not words or any(word is None or _ELSEWHERE.search(word) for word in words):
        return None
    parts = [part for word in node.words if isinstance(word, Word) for part in word.parts]
    if any(isinstance(part, Literal) and _EXPANDED.search(part.text) for part in parts):
        return None
    if words[0] == "cd":
        return None
    known = tuple(str(word) for word in words)
    raw = text[node.words[0].pos : node.words[-1].end]
    return Granted(raw, (raw, *map(" ".join, _unwrapped(known, _GRANTED))))


def _is_harmless(redirect: Redirect) -> bool:
    target = static_text(redirect.target) if isinstance(redirect.target, Word) else None
    if target is None:
        return False
    return (redirect.op == ">&" and target.isdecimal()) or target in _HARMLESS_TARGETS
