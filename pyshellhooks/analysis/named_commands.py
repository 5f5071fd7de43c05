"""The commands that a script names, read from its tree without running it.

Only names in the text are found: a name that is composed at run time (``$tool``) is found only if the caller passes the
variables and the script does not change them. The operands of a program that runs another one (``env``, ``xargs``,
``sh -c``, ``eval``, …) are searched, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from ..errors import ShellSyntaxError
from ..syntax.nodes.base import Node
from ..syntax.nodes.commands import AndOr, Command, Function, List
from ..syntax.nodes.simple import Assign, Simple
from ..syntax.nodes.words import CommandSub, DoubleQuoted, Literal, Parameter, Quoted, Word
from ..syntax.parser import DEFAULT, Modes, Parser, parse
from ..syntax.source import Source

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
#: Their long options whose value is the next word.
_VALUED: dict[str, tuple[str, ...]] = {
    "env": ("--unset", "--chdir", "--split-string"),
    "nice": ("--adjustment",),
    "stdbuf": ("--input", "--output", "--error"),
    "sudo": ("--user", "--group", "--close-from", "--prompt", "--chdir"),
    "timeout": ("--kill-after", "--signal"),
    "xargs": ("--arg-file", "--delimiter", "--max-args", "--max-chars", "--max-procs"),
}
SHELLS = frozenset({"sh", "bash", "dash"})
_INPUT = frozenset({"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
_DESCRIPTORS = ("/dev/fd/", "/proc/self/fd/")
_EXEC = frozenset({"-exec", "-execdir", "-ok", "-okdir"})


class NamedCommand:
    """A command's name and its line in the script. ``script``: it is a file that a shell or ``.`` reads.

    ``name`` is ``""`` if it is unknown, and for a ``script`` that a shell reads from its input.
    ``words``: name and arguments, None for a word of unknown value. ``by``: the program that runs it, if not the shell.
    ``written``: the words of the whole command in the script, each with its begin and end.
    """

    __slots__ = ("by", "line", "name", "script", "words", "written")

    def __init__(
        self, name: str, line: int, script: bool = False, words: Iterable[str | None] = (), by: str = ""
    ) -> None:
        self.name = name
        self.line = line
        self.script = script
        self.words = tuple(words) or (name,)
        self.by = by
        self.written: tuple[tuple[str | None, int, int], ...] = ()

    def span(self, word: str) -> tuple[int, int]:
        """Return begin and end of a word in the script, or of the command's first word if it is not written there."""
        for text, begin, end in self.written:
            if text == word:
                return begin, end
        return self.written[0][1:] if self.written else (0, 0)

    def __repr__(self) -> str:
        return f"NamedCommand({self.name!r}, line {self.line})"


class _Scope:
    """State while a text is read: its functions, and the values of variables, if the caller passed any.

    ``partial``: in a text with a syntax error, read the commands before it, because a shell runs them.
    """

    __slots__ = ("_follows", "functions", "partial", "values")

    def __init__(self, values: Mapping[str, str] | None, partial: bool = False) -> None:
        self.functions: set[str] = set()
        self.partial = partial
        self.values = dict(values or {})
        self._follows = values is not None

    def assign(self, command: Simple) -> None:
        """Record assignments without a command, and those that are operands of ``export`` and the like."""
        if not self._follows:
            return
        if not command.words:
            for assign in command.assigns:
                self._set(assign)
        for word in command.words:
            if isinstance(word, Assign):
                self._set(word)

    def _set(self, assign: Assign) -> None:
        value = None
        is_plain = not assign.append and assign.index is None
        if is_plain and isinstance(assign.value, Word):
            value = _static(assign.value.parts, self.values)
        if value is None:
            self.values.pop(assign.name, None)
        else:
            self.values[assign.name] = value


def named_commands(
    text: str,
    values: Mapping[str, str] | None = None,
    *,
    untold: bool = False,
    functions: set[str] | None = None,
) -> list[NamedCommand]:
    """Return the commands that a script names, in its order, without its own functions. Raises ``ShellSyntaxError``.

    ``values``: variables that are known at the start; plain assignments in the script are followed. With BASH_SOURCE
    among them, so are the usual ways to a script's own directory (``$(cd "$(dirname "$0")" && pwd)``). ``untold``: also
    return commands of unknown name, the script's own functions, and of a script with a syntax error the commands before
    it. The names of the script's functions are added to ``functions``.
    """
    scope = _Scope(values, untold)
    commands = [command for command in _of_text(text, 1, scope, 0) if command.name or untold]
    if functions is not None:
        functions |= scope.functions
    if untold:  # a name may be a function in a subshell only (``(f() { :; }); f``)
        return commands
    return [command for command in commands if not _calls_function(command, scope)]


def _calls_function(command: NamedCommand, scope: _Scope) -> bool:
    if command.script or command.by:  # a program that another one runs (``command make``) is not a function
        return False
    return command.name in scope.functions


def named_in(tree: object, values: Mapping[str, str] | None = None) -> list[NamedCommand]:
    """Return the commands that a tree names, its own functions among them. ``values`` is that of ``named_commands``."""
    return [command for command in _of_tree(tree, 1, _Scope(values), 0) if command.name]


def assigned(tree: object, values: Mapping[str, str]) -> Mapping[str, str]:
    """Return the known values of variables after the commands of a tree."""
    scope = _Scope(values)
    for node in sorted((node for node in nodes(tree) if isinstance(node, Simple)), key=lambda node: node.pos):
        scope.assign(node)
    return scope.values


def named_by(words: Iterable[str | None]) -> list[NamedCommand]:
    """Return the commands that the words of one command name, as if they were in a script."""
    return [command for command in _of_words(list(words), _Scope(None), 0) if command.name]


def _of_text(text: str, line: int, scope: _Scope, depth: int) -> Iterator[NamedCommand]:
    yield from _of_tree(_beginning(text) if scope.partial else parse_script(text), line, scope, depth)


def parse_script(text: str) -> List:
    """Parse a text as bash does: after a ``shopt -s extglob`` in it, words may be extended patterns.

    Raises ``ShellSyntaxError``.
    """
    if "extglob" not in text:
        return parse(text)
    parser = Parser(Source(text))
    items: list[tuple[Command, bool]] = []
    modes = DEFAULT
    while (line := parser.next(modes)) is not None:
        items += line.items
        last = line.items[-1][0] if line.items else None
        if not isinstance(last, Simple):
            continue
        words = static_words(last)
        if words[:1] == ["shopt"] and "extglob" in words:
            # An option changes only the lines after it: bash has parsed its own line before it runs.
            modes = Modes(extglob=words[1] in ("-s", "-qs", "-sq"))
    return List(tuple(items), 0, len(text))


def _beginning(text: str) -> tuple[Node, ...]:
    """Parse the commands of a text up to the first syntax error: a shell runs each before it reads the next."""
    parser = Parser(Source(text))
    found: list[Node] = []
    try:
        while (command := parser.next()) is not None:
            found.append(command)
    except ShellSyntaxError:
        pass
    return tuple(found)


def _of_tree(tree: object, line: int, scope: _Scope, depth: int) -> Iterator[NamedCommand]:
    functions = [node for node in nodes(tree) if isinstance(node, Function | Simple)]
    for node in sorted(functions, key=lambda node: node.pos):
        if isinstance(node, Function):
            scope.functions.add(node.name)
            continue
        # The shell expands the words of a command before it assigns.
        written = tuple(_static_fields(node, scope.values))
        scope.assign(node)
        if not written:
            continue
        commands = list(_of_words([text for text, _, _ in written], scope, depth))
        if commands:
            last = commands[-1]
            if last.script and not last.name:
                last.name = _input(node, scope)
        for command in commands:
            command.line += node.line + line - 2
            command.written = written
            yield command


def _static_fields(node: Simple, values: Mapping[str, str]) -> Iterator[tuple[str | None, int, int]]:
    """Yield words with begin and end. An unquoted variable may be several words (POSIX XCU 2.6.5)."""
    for text, word in zip(static_words(node, values), node.words, strict=True):
        if text and _is_variable(word) and "IFS" not in values:
            for field in text.split() or [text]:
                yield field, word.pos, word.end
        else:
            yield text, word.pos, word.end


def _is_variable(word: Node) -> bool:
    if not isinstance(word, Word) or len(word.parts) != 1:
        return False
    return isinstance(word.parts[0], Parameter)


def _input(node: Simple, scope: _Scope) -> str:
    """Return the file that a command reads as its input (``sh < file``), ``""`` if it is unknown."""
    last = None
    for redirect in node.redirects:
        if redirect.op.startswith("<") and redirect.fd in (None, 0):
            last = redirect
    if last is None or last.op != "<":  # a here-document, or a descriptor
        return ""
    if not isinstance(last.target, Word):
        return ""
    return static_text(last.target, scope.values) or ""


def _of_words(words: list[str | None], scope: _Scope, depth: int, by: str = "") -> Iterator[NamedCommand]:
    name = words[0]
    if name != "":
        yield NamedCommand(name or "", 1, words=words, by=by)
    if not name:
        return
    base = name.rpartition("/")[2]
    if depth >= DEPTH or base not in _READERS:
        return
    # Without operands only a shell runs commands: those of its input.
    if len(words) > 1 or base in SHELLS:
        yield from _READERS[base](words[1:], scope, depth, base)


def _of_wrapped(rest: list[str | None], scope: _Scope, depth: int, base: str) -> Iterator[NamedCommand]:
    words = operands(rest, WRAPPERS[base], base)
    if words == [None] and None not in rest:  # it has no command
        return
    describes = base == "command" and is_query(rest)
    if describes and not scope.partial:
        return
    if base == "xargs":
        words = _without_places(words)
    yield from _of_words(words, scope, depth + 1, base)


def is_query(rest: Iterable[str | None]) -> bool:
    """Return whether ``command`` has the option ``-v`` or ``-V``: it describes a name and runs nothing."""
    for word in rest:
        if word is None or not word.startswith("-"):
            break
        if "v" in word.lower():
            return True
    return False


def _without_places(words: list[str | None]) -> list[str | None]:
    """Replace words with ``{}`` by None: ``find`` and ``xargs`` insert another text there."""
    known: list[str | None] = []
    for word in words:
        has_place = word is not None and "{}" in word
        known.append(None if has_place else word)
    return known


def _of_find(rest: list[str | None], scope: _Scope, depth: int, base: str) -> Iterator[NamedCommand]:
    rest = _without_places(rest)
    for index, word in enumerate(rest, 1):
        if word not in _EXEC:
            continue
        command = rest[index:]
        if command:
            yield from _of_words(command, scope, depth + 1, base)


def _of_source(rest: list[str | None], scope: _Scope, depth: int, base: str) -> Iterator[NamedCommand]:
    rest = _without_separator(rest)
    if rest and rest[0]:
        yield _named_script(rest[0], base)


def _without_separator(rest: list[str | None]) -> list[str | None]:
    return rest[1:] if rest[0] == "--" else rest


def _named_script(operand: str, base: str) -> NamedCommand:
    """Return the file that a shell or ``.`` reads; its name is unknown for a descriptor other than its input."""
    if operand in _INPUT:
        return NamedCommand("", 1, script=True, by=base)
    if operand.startswith(_DESCRIPTORS):
        return NamedCommand("", 1, by=base)
    return NamedCommand(operand, 1, script=True, by=base)


def _of_eval(rest: list[str | None], scope: _Scope, depth: int, base: str) -> Iterator[NamedCommand]:
    if None not in rest:
        yield from _nested(" ".join(map(str, rest)), scope, depth)


def _of_trap(rest: list[str | None], scope: _Scope, depth: int, base: str) -> Iterator[NamedCommand]:
    rest = _without_separator(rest)
    if len(rest) < 2:  # it prints or resets traps
        return
    action = rest[0]
    if action and not action.startswith("-"):
        yield from _nested(action, scope, depth)


def _of_alias(rest: list[str | None], scope: _Scope, depth: int, base: str) -> Iterator[NamedCommand]:
    if not scope.partial:  # an alias may never run: only if every possible command is wanted
        return
    for word in rest:
        if word is not None:
            yield from _nested(word.partition("=")[2], scope, depth)


def _of_shell(rest: list[str | None], scope: _Scope, depth: int, base: str) -> Iterator[NamedCommand]:
    is_text, operand = shell_operand(rest)
    if operand is None:
        return
    if not is_text:
        yield _named_script(operand, base)
    elif operand:
        yield from _nested(operand, scope, depth)


def shell_operand(rest: Iterable[str | None]) -> tuple[bool, str | None]:
    """Return whether a shell runs a text, and the text or file; ``""`` is its input, None unknown.

    An ``o`` or ``O`` takes the next word, even after other letters (``bash -euo pipefail file``); the text of ``-c``
    follows all options (bash manual 6.1).
    """
    is_text, valued = False, 0
    for word in rest:
        if valued:
            valued -= 1
        elif word is None or not word.startswith(("-", "+")):
            return is_text, word
        elif not word.startswith("--"):
            is_text |= word.startswith("-") and "c" in word
            valued = word.lower().count("o")
    return is_text, ""


# By a command's name: the function that finds commands in its arguments.
_READERS: dict[str, Callable[[list[str | None], _Scope, int, str], Iterator[NamedCommand]]] = {
    **dict.fromkeys(WRAPPERS, _of_wrapped),
    **dict.fromkeys(SHELLS, _of_shell),
    **dict.fromkeys((".", "source"), _of_source),
    "find": _of_find,
    "eval": _of_eval,
    "trap": _of_trap,
    "alias": _of_alias,
}


def _nested(text: str, scope: _Scope, depth: int) -> Iterator[NamedCommand]:
    try:
        yield from list(_of_text(text, 1, scope, depth + 1))
    except ShellSyntaxError:
        return  # it may be completed at run time


def operands(words: list[str | None], valued: str, base: str) -> list[str | None]:
    """Return the words after a wrapper's options, assignments and (timeout) duration; [None] if unknown or missing."""
    index = 0
    while index < len(words):
        word = words[index]
        if word is None:
            return [None]
        if word == "--":
            index += 1
            break
        # A single ``-`` is an option of env alone: it means ``-i``.
        is_option = word.startswith("-") and (len(word) > 1 or base == "env")
        is_assignment = base in ("env", "sudo") and "=" in word
        if not is_option and not is_assignment:
            break
        index += 1
        if is_option and _takes_next(word, valued, base):
            index += 1
    if base == "timeout":
        index += 1
    return words[index:] or [None]


def _takes_next(option: str, valued: str, base: str) -> bool:
    """Return whether the value of an option is the next word, not the rest of this one."""
    if len(option) == 2 and option[1] in valued:
        return True
    return option in _VALUED.get(base, ())


_NOTHING: Mapping[str, str] = {}
_DEFAULTS = (":-", "-", ":=", "=", ":+", "+")  # ``${x%y}`` is not ``y``


def static_words(command: Simple, values: Mapping[str, str] = _NOTHING) -> list[str | None]:
    """Return a simple command's words, None for an assignment and for a word of unknown value."""
    return [static_text(word, values) if type(word) is Word else None for word in command.words]


def flat_parts(word: Word) -> Iterator[Node]:
    """Yield the parts of a word, with double quotes replaced by their parts."""
    for part in word.parts:
        if isinstance(part, DoubleQuoted):
            yield from part.parts
        else:
            yield part


def static_text(word: Word, values: Mapping[str, str] = _NOTHING) -> str | None:
    """Return a word's text if ``values`` determine all expansions in it, else None."""
    text = _static(word.parts, values)
    home = values.get("HOME")
    if not text or not home:
        return text
    has_tilde = text == "~" or text.startswith("~/")
    # A quoted tilde, or one from a variable, is a literal character.
    if has_tilde and type(word.parts[0]) is Literal:
        return home + text[1:]
    return text


def _static(parts: Iterable[Node], values: Mapping[str, str]) -> str | None:
    texts = []
    for part in parts:
        if isinstance(part, Literal | Quoted):
            texts.append(part.text)
            continue
        inner = None
        if isinstance(part, DoubleQuoted):
            inner = _static(part.parts, values)
        elif isinstance(part, Parameter):
            inner = _value(part, values)
        elif isinstance(part, CommandSub) and "BASH_SOURCE" in values:
            inner = _directory(part.body, values)
        if inner is None:
            return None
        texts.append(inner)
    return "".join(texts)


def _value(part: Parameter, values: Mapping[str, str]) -> str | None:
    """Return the value of a parameter, None if it is not known."""
    if not _is_followed(part, values):
        return None
    value = values.get(part.name)
    if part.op == "%":
        return None if value is None else _above(part, value)
    text = value if part.op in ("", ":-", "-") else None
    if text or part.op not in _DEFAULTS:
        return text
    if part.word is not None and values:
        return _static(part.word.parts, values)
    return text


def _is_followed(part: Parameter, values: Mapping[str, str]) -> bool:
    """Return whether the value of a parameter may be known: not that of an array element or of a script's argument."""
    if part.length or part.indirect:
        return False
    if part.index is not None:
        return part.name == "BASH_SOURCE" and static_text(part.index.word) == "0"
    if not part.name.isdecimal() or part.name in values:
        return True
    # A hook's own text has no arguments, but a script's are unknown.
    return "BASH_SOURCE" not in values


def _above(part: Parameter, value: str) -> str | None:
    """Return the value of ``${x%/*}``, None for another pattern."""
    if part.word is None or static_text(part.word) != "/*":
        return None
    return value.rpartition("/")[0] if "/" in value else value


def _directory(body: List, values: Mapping[str, str]) -> str | None:
    """Return the output of ``dirname path`` or ``cd path && pwd``; None if ``cd`` needs PWD or for other commands."""
    lines: list[list[str | None]] = []
    for command in _before_alternatives(body):
        words = static_words(command, values) if isinstance(command, Simple) else []
        lines.append([word for word in words if word not in ("--", "-P", "-L")])
    match lines:
        case [["dirname", str(path)]]:
            head, slash, _ = path.rstrip("/").rpartition("/")
            if not slash:
                return "."
            return head or "/"
        case [["cd", str(path)], ["pwd"]] if path.startswith("/") or path[1:3] == ":/":
            return _without_dots(path)
    return None


def _before_alternatives(body: List) -> Iterator[Command]:
    """Yield the commands that run if none fails: those of a list, and of ``&&``."""
    for item, _ in body.items:
        if not isinstance(item, AndOr):
            yield item
            continue
        yield item.first
        for op, command in item.rest:
            if op == "||":
                break
            yield command


def _without_dots(path: str) -> str:
    """Return an absolute path without ``.`` and ``..``, as ``pwd`` prints it."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return ("/" if path.startswith("/") else "") + "/".join(parts)


_OFFSETS = frozenset({"pos", "end"})
_PARSED_TWICE = _OFFSETS | {"text", "word"}


def nodes(tree: object, into: Callable[[Node], bool] = lambda node: True) -> Iterator[Node]:
    """Yield every node of a tree, parents first; children only of nodes for which ``into`` returns true."""
    if isinstance(tree, tuple):
        for item in tree:
            yield from nodes(item, into)
        return
    if not isinstance(tree, Node):
        return
    yield tree
    if not into(tree):
        return
    # An expression and a subscript are in the tree twice, as a word and parsed.
    is_parsed = getattr(tree, "expr", None) is not None or getattr(tree, "arith", None) is not None
    skipped = _PARSED_TWICE if is_parsed else _OFFSETS
    for kind in type(tree).__mro__:
        for name in kind.__dict__.get("__slots__", ()):
            if name not in skipped:
                yield from nodes(getattr(tree, name), into)
