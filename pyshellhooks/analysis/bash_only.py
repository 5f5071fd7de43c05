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
    end = _end(tree)
    features: list[BashOnly] = []
    for node in nodes(tree):
        name = _name(node, text) or _bash_part_of_test_words(node, assigned)
        if name and node.pos <= end:
            features.append(BashOnly(name, node))
    # The walk takes the parts of a node in the order of its slots, which is not that of the text.
    return sorted(features, key=lambda feature: feature.pos)


def checks_or_starts_bash(text: str) -> bool:
    """Return whether a text tests for bash itself or starts it."""
    return _CHECKS_OR_STARTS_BASH.search(text) is not None


def _end(tree: Node) -> int:
    """Return the end of the first command after which nothing runs (``exit``, ``exec program``), or of the text."""
    if not isinstance(tree, List):
        return tree.end
    for command, _ in tree.items:
        if not isinstance(command, Simple):
            continue
        words = static_words(command)
        # An exec without a program only redirects, and the script continues.
        replaces_shell = words[:1] == ["exec"] and len(words) > 1
        if replaces_shell or words[:1] == ["exit"]:
            return command.end
    return tree.end


def texts_for_sh(tree: Node) -> Iterator[tuple[Simple, str]]:
    """Yield the commands of a tree that run a text in ``sh`` or ``dash`` (``sh -c 'text'``), each with the text."""
    for node in nodes(tree):
        if isinstance(node, Simple) and (text := text_for_sh(static_words(node))):
            yield node, text


def text_for_sh(words: Sequence[str | None]) -> str:
    """Return the text that the words of a command run in ``sh`` or ``dash``; ``""`` if they run none."""
    if not words or words[0] is None:
        return ""
    name = words[0].rpartition("/")[2]
    if name == "bash" or name not in SHELLS:
        return ""
    is_text, operand = shell_operand(words[1:])
    if not is_text or operand is None:
        return ""
    return operand


def _name(node: Node, text: str) -> str:
    """Return the name of a node that only bash accepts; ``""`` for any other node."""
    name = _NODES.get(type(node)) or _bash_syntax(node)
    if name:
        return name
    return _bash_part_of_word(node, text) or _bash_part_of_arithmetic(node, text)


def _bash_syntax(node: Node) -> str:
    """Return the name of a command, or a part of one, that only bash accepts."""
    match node:
        case Simple():
            return _bash_part_of_command(node)
        case If() if any(_is_passed_over(condition) for condition, _ in node.clauses):
            return "&>"
        case Assign():
            return _bash_part_of_assignment(node)
        case Redirect():
            return _bash_part_of_redirect(node)
        case Pipeline() if any(node.both):
            return "|&"
        case CaseArm():
            return _bash_part_of_case_arm(node)
        case Function():
            return _bash_part_of_function(node)
    return ""


def _bash_part_of_assignment(node: Assign) -> str:
    if node.index is not None:
        return "arrays"
    return "+=" if node.append else ""


def _bash_part_of_case_arm(node: CaseArm) -> str:
    if any(_is_negated(pattern) for pattern in node.patterns):
        return "[^ ] in a pattern"
    if node.terminator == ";;":
        return ""
    return node.terminator


def _bash_part_of_word(node: Node, text: str) -> str:
    """Return the name of a part of a word that only bash accepts."""
    match node:
        case Parameter():
            return _bash_part_of_parameter(node)
        case CommandSub() if node.input_file is not None:
            return "$(<file)"
        case Quoted() if node.style == "$'":
            return "$' '"
        case DoubleQuoted() if _is_translated(node, text):
            return '$" "'
        case Arithmetic() if text.startswith("$[", node.pos):
            return "$[ ]"
        case For() if node.words is not None and any(_has_braces(word) for word in node.words):
            return "{a,b}"
    return ""


def _is_translated(node: DoubleQuoted, text: str) -> bool:
    """Return whether a dollar sign marks double quotes for translation; that of ``$$`` belongs to the process id."""
    if text[node.pos - 1 : node.pos + 1] != '$"':
        return False
    return text[node.pos - 2 : node.pos] != "$$"


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
    if _NAME.match(node.name):
        return ""
    return f"the function name {node.name}"


def _bash_part_of_redirect(node: Redirect) -> str:
    if node.op == "<<<":
        return node.op
    if node.variable:
        return "{name}>"
    if node.fd is not None and node.fd > 9:
        return f"{node.fd}{node.op}"
    if node.op != ">&" or not isinstance(node.target, Word):
        return ""
    target = static_text(node.target)
    if target is None or _DESCRIPTOR.match(target):
        return ""
    return ">&file"


def _unquoted_texts(word: Word) -> list[str]:
    return [part.text for part in word.parts if isinstance(part, Literal)]


def _has_braces(word: Node) -> bool:
    if not isinstance(word, Word):
        return False
    return any(_BRACES.search(text) for text in _unquoted_texts(word))


def _is_negated(pattern: Word) -> bool:
    """Return whether a pattern has ``[^``: in dash, the ``^`` is a literal character, and only ``[!`` negates."""
    return any("[^" in text for text in _unquoted_texts(pattern))


def _bash_part_of_test_words(node: Node, assigned: Collection[str]) -> str:
    """Return the name of a part that changes the result of a test in dash: its words are empty or begin with ``-e``."""
    if isinstance(node, Case):
        words: Sequence[Node] = (node.word,)
    elif isinstance(node, Simple) and static_words(node)[:1] in (["["], ["test"]):
        words = node.words
    else:
        return ""
    for word in words:
        if not isinstance(word, Word):
            continue
        for part in flat_parts(word):
            name = _bash_part_of_tested(part, assigned)
            if name:
                return name
    return ""


def _bash_part_of_tested(part: Node, assigned: Collection[str]) -> str:
    """Return the name of a part of a tested word whose text differs in dash."""
    if isinstance(part, CommandSub):
        return "echo -e" if any(_has_echo_option(node) for node in nodes(part.body)) else ""
    if not isinstance(part, Parameter) or part.name not in _VARIABLES:
        return ""
    # An operator such as ${EUID:-0} and an assignment show that the author thought of other shells.
    if part.op or part.name in assigned:
        return ""
    return f"${part.name}"


def _has_echo_option(node: Node) -> bool:
    if not isinstance(node, Simple):
        return False
    words = static_words(node)
    if words[:1] != ["echo"] or len(words) < 3:
        return False
    return words[1] in ("-e", "-E", "-en", "-ne")


def _writes_both(command: Simple) -> bool:
    return any(redirect.op in ("&>", "&>>") for redirect in command.redirects)


def _is_passed_over(condition: List) -> bool:
    """Return whether a condition is a command with ``&>``, for which dash does not wait: its status is always 0."""
    command = condition.items[-1][0]
    if not isinstance(command, Simple) or not _writes_both(command):
        return False
    # A test for a program (``command -v jq &>/dev/null``) does not judge a call.
    return static_words(command)[:1] not in (["command"], ["type"], ["hash"], ["which"])


def _bash_part_of_parameter(node: Parameter) -> str:
    if node.index is not None:
        return "arrays"
    if node.word is not None and node.op[:1] in ("%", "#"):
        if _is_negated(node.word):
            return "[^ ] in a pattern"
    if node.indirect:
        return "${!name}"
    return _OPERATORS.get(node.op, "")


def _bash_part_of_command(node: Simple) -> str:
    """Return the name of the part of a simple command that only bash accepts."""
    words = [word or "" for word in static_words(node)]
    if not words:
        return ""
    name, *rest = words
    if name in _BUILTINS:
        return name
    if name in _DECIDING:
        if _writes_both(node):
            return "&>"
        if any(_has_braces(word) for word in node.words):
            return "{a,b}"
    if name not in _ARGUMENTS:
        return ""
    found = _ARGUMENTS[name](rest)
    return f"{name} {found}" if found else ""


def _bash_part_of_echo(rest: list[str]) -> str:
    """Return ``-e`` before JSON: dash prints the ``-e``, too, so that the output is not JSON."""
    if len(rest) < 2 or rest[0] != "-e":
        return ""
    return "-e" if rest[1].lstrip().startswith("{") else ""


def _bash_part_of_read(rest: list[str]) -> str:
    options = [word for word in rest if word.startswith("-")]
    if len(options) == len(rest):
        return "without a name"
    for option in options:
        if not _READ_OPTIONS.isdisjoint(option[1:]):
            return option
    return ""


def _bash_part_of_printf(rest: list[str]) -> str:
    if not rest:
        return ""
    form = rest[0]
    if form == "-v":
        return "-v"
    if "%q" in form:
        return "%q"
    return "%( )T" if _TIME.search(form) else ""


def _bash_part_of_set(rest: list[str]) -> str:
    """Return the first option after ``-o`` (or ``-euo``) that dash does not have."""
    for option, name in zip(rest, rest[1:], strict=False):
        if option == "--":
            break
        if not option.startswith("-") or not option.endswith("o"):
            continue
        # A name that is composed at run time is "" here.
        if name and name not in _SET_OPTIONS:
            return f"-o {name}"
    return ""


def _bash_part_of_test(rest: list[str]) -> str:
    operands = rest[:-1] if rest[-1:] == ["]"] else rest
    # With two operands, -a and -o are unary tests of bash; with more, dash has them, too, as "and" and "or".
    if len(operands) == 2 and operands[0] in ("-a", "-o", "-N", "-R"):
        return operands[0]
    return _first_of(rest, ("==", "=~", "-v"))


def _bash_part_of_trap(rest: list[str]) -> str:
    return _first_of(rest[1:], ("ERR", "DEBUG", "RETURN"))


def _first_of(rest: Sequence[str], words: Collection[str]) -> str:
    """Return the first argument that is one of some words, else ``""``."""
    for word in rest:
        if word in words:
            return word
    return ""


def _option(letters: str) -> Callable[[list[str]], str]:
    """Return a function that returns the first argument if it is one of these options, else ``""``."""

    def find(rest: list[str]) -> str:
        if not rest:
            return ""
        word = rest[0]
        if len(word) < 2 or word[0] != "-":
            return ""
        return word if word[1] in letters else ""

    return find


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
    "trap": _bash_part_of_trap,
}

__all__ = ["BashOnly", "checks_or_starts_bash", "bash_only", "text_for_sh", "texts_for_sh"]
