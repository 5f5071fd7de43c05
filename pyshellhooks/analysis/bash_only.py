"""The parts of a text that bash accepts and dash does not: dash is ``sh`` on Debian and Ubuntu. Pure.

Each row was verified with dash 0.5.12 (``tests/unit/syntax/test_bash_only.py`` repeats that). A text that tests for bash
itself (``[ -n "$BASH_VERSION" ] || exec bash "$0"``) has no such parts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from ..regexes import lazy_pattern
from ..syntax.nodes.arithmetic import Binary, Comma, IncDec, Number
from ..syntax.nodes.base import Node
from ..syntax.nodes.commands import (
    ArithCommand,
    Case,
    CaseArm,
    Coproc,
    For,
    ForArith,
    Function,
    If,
    List,
    Pipeline,
    Select,
    TestCommand,
)
from ..syntax.nodes.simple import ArrayLiteral, Assign, Redirect, Simple
from ..syntax.nodes.words import Arithmetic, CommandSub, DoubleQuoted, Literal, Parameter, ProcessSub, Quoted, Word
from .named_commands import SHELLS, flat_parts, nodes, shell_operand, static_text, static_words

_CHECKS_OR_STARTS_BASH = lazy_pattern(r"\bBASH_VERSION\b|\bexec\s+(?:/usr)?(?:/bin/)?(?:env\s+)?bash\b")

#: Builtins of bash that dash does not have: status 127, and the script continues.
_BUILTINS = frozenset(
    "builtin caller compgen coproc declare dirs enable let mapfile popd pushd readarray shopt source typeset".split()
)
_NODES: dict[type[Node], str] = {
    TestCommand: "[[ ]]",
    ArithCommand: "(( ))",
    ForArith: "for (( ))",
    Select: "select",
    Coproc: "coproc",
    ArrayLiteral: "arrays",
    ProcessSub: "<( )",
}
#: Names of the parameter operators that only bash has.
_OPERATORS = {
    **{op: f"${{name{op}}}" for op in ("/", "//", "/#", "/%", "^", "^^", ",", ",,", "@", "~", "~~")},
    **dict.fromkeys(("keys", "names*", "names@"), "${!name}"),
    "slice": "${name:from:to}",
}
#: Commands whose status a guard tests. dash parses ``&>`` as ``&`` and ``>``: it does not wait, and the status is 0.
_DECIDING = frozenset({"[", "test", "grep", "egrep", "fgrep", "rg", "jq"})
_READ_OPTIONS = frozenset("adeinNstu")
#: Options of ``set -o`` that dash has.
_SET_OPTIONS = frozenset(
    "errexit noglob ignoreeof interactive monitor noexec stdin xtrace verbose vi emacs noclobber allexport notify nounset"
    " nolog debug".split()
)
#: Variables that bash sets and dash does not.
_VARIABLES = frozenset(
    "BASHPID BASH_COMMAND BASH_REMATCH BASH_SOURCE DIRSTACK EPOCHREALTIME EPOCHSECONDS EUID FUNCNAME GROUPS HOSTTYPE MACHTYPE"
    " OSTYPE PIPESTATUS RANDOM SECONDS SRANDOM UID".split()
)
_BRACES = lazy_pattern(r"\{[^{}]*(?:,|\.\.)[^{}]*\}")
_NAME = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_TIME = lazy_pattern(r"%[-0-9]*\(")
_DESCRIPTOR = lazy_pattern(r"\d+-?\Z|-\Z")


class BashOnly:
    """A part that only bash accepts: its name, and its offsets in the text in characters."""

    __slots__ = ("end", "name", "pos")

    def __init__(self, name: str, node: Node) -> None:
        self.name = name
        self.pos = node.pos
        self.end = node.end

    def __repr__(self) -> str:
        return f"BashOnly({self.name!r}, {self.pos})"


def bash_only(tree: Node, text: str) -> list[BashOnly]:
    """Return the parts of a text that dash does not accept, in order; ``tree`` is the parsed text."""
    if checks_or_starts_bash(text):
        return []
    assigned = {node.name for node in nodes(tree) if isinstance(node, Assign | For)}
    features = [
        BashOnly(name, node)
        for node in nodes(tree)
        if (name := _name(node, text) or _bash_part_of_test_words(node, assigned))
    ]
    end = _end(tree)
    return sorted([feature for feature in features if feature.pos <= end], key=lambda feature: feature.pos)


def checks_or_starts_bash(text: str) -> bool:
    """Return whether a text tests for bash itself or starts it."""
    return _CHECKS_OR_STARTS_BASH.search(text) is not None


def _end(tree: Node) -> int:
    """Return the end of the first command after which nothing runs (``exit``, ``exec program``), or of the text."""
    for command, _ in tree.items if isinstance(tree, List) else ():
        if isinstance(command, Simple):
            words = static_words(command)
            if words[:1] == ["exit"] or (words[:1] == ["exec"] and len(words) > 1):
                return command.end
    return tree.end


def texts_for_sh(tree: Node) -> Iterator[tuple[Simple, str]]:
    """Yield the commands of a tree that run a text in ``sh`` or ``dash`` (``sh -c 'text'``), each with the text."""
    for node in nodes(tree):
        if isinstance(node, Simple) and (text := text_for_sh(static_words(node))):
            yield node, text


def text_for_sh(words: Sequence[str | None]) -> str:
    """Return the text that the words of a command run in ``sh`` or ``dash``; ``""`` if they run none."""
    name = (words[0] or "").rpartition("/")[2] if words else ""
    is_text, operand = shell_operand(words[1:]) if name in SHELLS - {"bash"} else (False, None)
    return operand or "" if is_text else ""


def _name(node: Node, text: str) -> str:
    """Return the name of a node that only bash accepts; ``""`` for any other node."""
    known = _NODES.get(type(node))
    if known:
        return known
    return _bash_syntax(node) or _bash_part_of_word(node, text) or _bash_part_of_arithmetic(node, text)


def _bash_syntax(node: Node) -> str:
    """Return the name of a command, or a part of one, that only bash accepts."""
    match node:
        case Simple():
            return _bash_part_of_command(node)
        case If() if any(_is_passed_over(condition) for condition, _ in node.clauses):
            return "&>"
        case Assign() if node.index is not None:
            return "arrays"
        case Assign() if node.append:
            return "+="
        case Redirect():
            return _bash_part_of_redirect(node)
        case Pipeline() if any(node.both):
            return "|&"
        case CaseArm() if any(_is_negated(pattern) for pattern in node.patterns):
            return "[^ ] in a pattern"
        case CaseArm() if node.terminator != ";;":
            return node.terminator
        case Function():
            return _bash_part_of_function(node)
    return ""


def _bash_part_of_word(node: Node, text: str) -> str:
    """Return the name of a part of a word that only bash accepts."""
    match node:
        case Parameter():
            return _bash_part_of_parameter(node)
        case CommandSub() if node.input_file is not None:
            return "$(<file)"
        case Quoted() if node.style == "$'":
            return "$' '"
        case DoubleQuoted() if text[node.pos - 1 : node.pos + 1] == '$"' and text[node.pos - 2 : node.pos] != "$$":
            return '$" "'
        case Arithmetic() if text.startswith("$[", node.pos):
            return "$[ ]"
        case For() if node.words is not None and any(_has_braces(word) for word in node.words):
            return "{a,b}"
    return ""


def _bash_part_of_arithmetic(node: Node, text: str) -> str:
    """Return the name of a part of an arithmetic expression that only bash accepts."""
    match node:
        case IncDec():
            return node.op
        case Comma():
            return ", in $(( ))"
        case Binary() if node.op == "**":
            return node.op
        case Number() if "#" in text[node.pos : node.end]:
            return "base#number"
    return ""


def _bash_part_of_function(node: Function) -> str:
    if node.source_text.startswith("function"):
        return "function"
    return "" if _NAME.match(node.name) else f"the function name {node.name}"


def _bash_part_of_redirect(node: Redirect) -> str:
    if node.op == "<<<":
        return node.op
    if node.variable:
        return "{name}>"
    if node.fd is not None and node.fd > 9:
        return f"{node.fd}{node.op}"
    target = static_text(node.target) if node.op == ">&" and isinstance(node.target, Word) else None
    return ">&file" if target is not None and not _DESCRIPTOR.match(target) else ""


def _has_braces(word: Node) -> bool:
    return isinstance(word, Word) and any(
        isinstance(part, Literal) and _BRACES.search(part.text) for part in word.parts
    )


def _is_negated(pattern: Word) -> bool:
    """Return whether a pattern has ``[^``: in dash, the ``^`` is a literal character, and only ``[!`` negates."""
    return any(isinstance(part, Literal) and "[^" in part.text for part in pattern.parts)


def _bash_part_of_test_words(node: Node, assigned: Collection[str]) -> str:
    """Return the name of a part that changes the result of a test in dash: its words are empty or begin with ``-e``."""
    if isinstance(node, Case):
        words: Sequence[Node] = (node.word,)
    elif isinstance(node, Simple) and static_words(node)[:1] in (["["], ["test"]):
        words = node.words
    else:
        return ""
    for part in (part for word in words if isinstance(word, Word) for part in flat_parts(word)):
        if isinstance(part, Parameter) and part.name in _VARIABLES and not part.op and part.name not in assigned:
            return f"${part.name}"
        if isinstance(part, CommandSub) and any(_has_echo_option(node) for node in nodes(part.body)):
            return "echo -e"
    return ""


def _has_echo_option(node: Node) -> bool:
    words = static_words(node) if isinstance(node, Simple) else []
    return words[:1] == ["echo"] and len(words) > 2 and words[1] in ("-e", "-E", "-en", "-ne")


def _is_passed_over(condition: List) -> bool:
    """Return whether a condition is a command with ``&>``, for which dash does not wait: its status is always 0."""
    command = condition.items[-1][0]
    if not isinstance(command, Simple) or not any(redirect.op in ("&>", "&>>") for redirect in command.redirects):
        return False
    # A test for a program (``command -v jq &>/dev/null``) does not judge a call.
    return static_words(command)[:1] not in (["command"], ["type"], ["hash"], ["which"])


def _bash_part_of_parameter(node: Parameter) -> str:
    if node.index is not None:
        return "arrays"
    if node.op[:1] in ("%", "#") and node.word is not None and _is_negated(node.word):
        return "[^ ] in a pattern"
    return "${!name}" if node.indirect else _OPERATORS.get(node.op, "")


def _bash_part_of_command(node: Simple) -> str:
    """Return the name of the part of a simple command that only bash accepts."""
    name, *rest = [word or "" for word in static_words(node)] or [""]
    if name in _BUILTINS:
        return name
    if name in _DECIDING and any(redirect.op in ("&>", "&>>") for redirect in node.redirects):
        return "&>"
    if name in _DECIDING and any(_has_braces(word) for word in node.words):
        return "{a,b}"
    found = _ARGUMENTS[name](rest) if name in _ARGUMENTS else ""
    return f"{name} {found}" if found else ""


def _bash_part_of_echo(rest: list[str]) -> str:
    """Return ``-e`` before JSON: dash prints the ``-e``, too, so that the output is not JSON."""
    return "-e" if rest[:1] == ["-e"] and "".join(rest[1:2]).lstrip().startswith("{") else ""


def _bash_part_of_read(rest: list[str]) -> str:
    if not any(word[:1] != "-" for word in rest):
        return "without a name"
    options = (word for word in rest if word.startswith("-"))
    return next((word for word in options if not _READ_OPTIONS.isdisjoint(word[1:])), "")


def _bash_part_of_printf(rest: list[str]) -> str:
    if rest[:1] == ["-v"]:
        return "-v"
    form = "".join(rest[:1])
    return "%q" if "%q" in form else "%( )T" if _TIME.search(form) else ""


def _bash_part_of_set(rest: list[str]) -> str:
    """Return the first option after ``-o`` (or ``-euo``) that dash does not have."""
    for option, name in zip(rest, rest[1:], strict=False):
        if option == "--":
            break
        if option.startswith("-") and option.endswith("o") and name and name not in _SET_OPTIONS:
            return f"-o {name}"
    return ""


def _bash_part_of_test(rest: list[str]) -> str:
    operands = rest[:-1] if rest[-1:] == ["]"] else rest
    if len(operands) == 2 and operands[0] in ("-a", "-o", "-N", "-R"):
        return operands[0]
    return _one_of("==", "=~", "-v")(rest)


def _option(letters: str) -> Callable[[list[str]], str]:
    """Return a function that returns the first argument if it is one of these options, else ``""``."""
    return lambda rest: rest[0] if rest and len(rest[0]) > 1 and rest[0][0] == "-" and rest[0][1] in letters else ""


def _one_of(*words: str) -> Callable[[list[str]], str]:
    """Return a function that returns the first argument that is one of these words, else ``""``."""
    return lambda rest: next((word for word in rest if word in words), "")


#: By command: the function that finds an argument that only bash accepts.
_ARGUMENTS: dict[str, Callable[[list[str]], str]] = {
    "[": _bash_part_of_test,
    "test": _bash_part_of_test,
    "echo": _bash_part_of_echo,
    "read": _bash_part_of_read,
    "printf": _bash_part_of_printf,
    "set": _bash_part_of_set,
    "exec": _option("acl"),
    "exit": _option("0123456789"),
    "export": _option("fn"),
    "local": _option("aAgiInrtx"),
    "readonly": _option("aAf"),
    "return": _option("0123456789"),
    "type": _option("afptP"),
    "trap": lambda rest: _one_of("ERR", "DEBUG", "RETURN")(rest[1:]),
}

__all__ = ["BashOnly", "checks_or_starts_bash", "bash_only", "text_for_sh", "texts_for_sh"]
