"""The keys of the payload that a jq program reads, found in its syntax tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...errors import Stop
from ...utilities.jq.arguments import Arguments, Misuse, read_arguments
from ...utilities.jq.errors import CompileError
from ...utilities.jq.parser.nodes import Node
from ...utilities.jq.parser.syntax import parse, parse_program

_UNKNOWN = "\0"  # replaces a word that is not known; no word of a script contains it
_COMPARING = frozenset(["==", "!=", "<=", ">="])
_MOST = 4096  # characters of a program that is read

#: The path of a value in the payload: one or two keys, from the top.
Path = tuple[str, ...]
#: Returns whether the payload can have a value at a path.
Has = Callable[[Path], bool]


class JqCall:
    """A command line of jq: its filter (``""``: not known), whether stdin is its only input (``plain``), and whether it
    prints raw strings (``raw``).
    """

    __slots__ = ("filter", "plain", "raw")

    def __init__(self, words: Sequence[str | None]) -> None:
        try:
            found = read_arguments([_UNKNOWN if word is None else word for word in words[1:]])
        except Misuse:
            found = Arguments()
        known = found.filter != _UNKNOWN and not found.from_file
        self.filter = (found.filter or "") if known else ""
        has_own_input = found.null_input or found.from_file or bool(found.positional)
        self.plain = found.is_usual and not has_own_input
        self.raw = found.raw


def unknown_keys(program: str, has: Has) -> list[Path]:
    """Return the paths that a filter reads and that its input never has, without those marked ``?``.

    One known operand of ``//`` is enough: a script for several systems reads the keys of each of them.
    """
    if len(program) > _MOST:
        return []
    try:
        asked = (path if has(path[:1]) else path[:1] for path in _keys(parse(program), has))
        return [path for path in dict.fromkeys(asked) if not has(path)]
    except (CompileError, RecursionError, Stop):
        return []


def compiles(program: str) -> bool:
    """Return whether a filter parses; True also for a filter that is too long or too deeply nested to parse here."""
    try:
        if len(program) <= _MOST:
            parse_program(program)
    except CompileError:
        return False
    except (RecursionError, Stop):
        pass
    return True


def _alternatives(node: Node | None) -> list[Node | None]:
    """Return the operands of a chain of ``//``."""
    if node is None or node.kind != "binary" or node.value != "//":
        return [node]
    operands: list[Node | None] = []
    for part in node.parts:
        operands += _alternatives(part)
    return operands


def _path(node: Node | None) -> Path | None:
    """Return the path of a node that only indexes its input with literal keys; None for any other node."""
    if node is None:
        return None
    if node.kind == "identity":
        return ()
    if node.kind != "index" or node.value:
        return None
    term, key = node.parts
    above = _path(term)
    if above is None or key is None:
        return None
    if key.kind != "literal" or not isinstance(key.value, str):
        return None
    return (*above, key.value)


def _keys_of_pipe(left: Node | None, right: Node | None, has: Has) -> Iterator[Path]:
    """Yield the paths that ``left | right`` reads: those of the right side are below the path of the left one."""
    yield from _keys(left, has)
    at: Path | None = ()
    selects = left is not None and left.kind == "call" and left.value == "select"
    if not selects:  # ``select`` passes its input on unchanged
        at = _path(left)
    if at is None:
        return
    for path in _keys(right, lambda path: has((*at, *path)[:2])):
        yield (*at, *path)[:2]


def _keys_of_alternatives(node: Node, has: Has) -> Iterator[Path]:
    """Yield the paths of the first operand of a chain of ``//``, unless the payload has all paths of any operand."""
    operands = [paths for one in _alternatives(node) if (paths := list(_keys(one, has)))]
    if not operands or any(all(map(has, paths)) for paths in operands):
        return
    yield from operands[0]


def _keys(node: Node | None, has: Has) -> Iterator[Path]:
    """Yield the paths that a node reads, up to two keys deep, if its input is the payload."""
    if node is None:
        return
    parts = node.parts
    match node.kind:
        case "index" if not node.value:
            path = _path(node)
            if path:
                yield path[:2]
            else:
                yield from _keys(parts[0], has)
        case "slice" | "each":
            yield from _keys(parts[0], has)
        case "pipe":
            left, right = parts
            yield from _keys_of_pipe(left, right, has)
        case "binary" if node.value == "//":
            yield from _keys_of_alternatives(node, has)
        case "binary":
            if node.value in _COMPARING or not str(node.value).endswith("="):  # else its left side is written
                yield from _keys(parts[0], has)
            yield from _keys(parts[1], has)
        case "comma" | "array" | "string" | "object" | "negate" | "if":
            for part in parts:
                yield from _keys(part, has)
        case "call" if node.value == "select":
            yield from _keys(parts[0], has)
