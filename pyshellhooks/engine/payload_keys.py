"""Which keys of the payload a program of jq asks for, read from its tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..errors import Stop
from ..utilities.jq.errors import CompileError
from ..utilities.jq.nodes import Node
from ..utilities.jq.syntax import parse, parse_program

_VALUES = {
    "--arg": 2, "--argjson": 2, "--slurpfile": 2, "--rawfile": 2, "--indent": 1, "-L": 1, "--library-path": 1,
}  # fmt: skip
_OTHER_INPUT = frozenset(
    ["--null-input", "--slurp", "--raw-input", "--from-file", "--stream", "--seq", "--args", "--jsonargs"]
)
_MOST = 4096  # characters of a program that is read


class Asked:
    """What a command line of jq is: its filter, and whether it has input of JSON on stdin and prints texts raw."""

    __slots__ = ("filter", "null", "plain", "raw")

    def __init__(self, words: Sequence[str | None]) -> None:
        self.filter = ""
        self.plain = True  # its input is stdin alone, one value at a time
        self.raw = self.null = False
        index, operands = 1, 0
        while index < len(words):
            word = words[index]
            index += 1
            if word is None:
                self.plain = False
            elif word.startswith("--"):
                self.plain &= word not in _OTHER_INPUT
                operands += word == "--from-file"
                self.raw |= word in ("--raw-output", "--join-output", "--raw-output0")
                self.null |= word == "--null-input"
                index += _VALUES.get(word, 0)
            elif word.startswith("-") and len(word) > 1:
                self.plain &= not set(word) & set("nsRf")
                operands += "f" in word
                self.raw |= bool(set(word) & set("rj"))
                self.null |= "n" in word
                index += _VALUES.get(word, 0)
            else:
                self.filter = self.filter if operands else word
                self.plain &= not operands
                operands += 1


def unknown_keys(program: str, known: frozenset[str]) -> list[str]:
    """Give the keys that a filter needs at the top of its input and that it never has: not those with ``?``.

    Of the operands of ``//`` one is enough: a script for several systems asks for what each of them has.
    """
    if len(program) > _MOST:
        return []
    try:
        return [key for key in dict.fromkeys(_keys(parse(program), known)) if key not in known]
    except (CompileError, RecursionError, Stop):
        return []


def compiles(program: str) -> bool:
    """Say whether a filter parses; of one that is too long or nests too deep, that it does."""
    try:
        if len(program) <= _MOST:
            parse_program(program)
    except CompileError:
        return False
    except (RecursionError, Stop):
        pass
    return True


def _alternatives(node: Node | None) -> list[Node | None]:
    """Give the operands of a chain of ``//``."""
    if node is not None and node.kind == "binary" and node.value == "//":
        return [one for part in node.parts for one in _alternatives(part)]
    return [node]


def _keys(node: Node | None, known: frozenset[str]) -> Iterator[str]:
    """Give the keys that a node asks of its input, where that is the payload."""
    if node is None:
        return
    parts = node.parts
    match node.kind:
        case "index":
            term, key = parts
            if term is not None and term.kind == "identity":
                if key is not None and key.kind == "literal" and isinstance(key.value, str) and not node.value:
                    yield str(key.value)
            elif not node.value:
                yield from _keys(term, known)
        case "slice" | "each":
            yield from _keys(parts[0], known)
        case "pipe":
            left, right = parts
            yield from _keys(left, known)
            if left is not None and (left.kind == "identity" or (left.kind == "call" and left.value == "select")):
                yield from _keys(right, known)
        case "binary" if node.value == "//":
            asking = [found for one in _alternatives(node) if (found := list(_keys(one, known)))]
            if not any(known.issuperset(found) for found in asking):
                yield from asking[0] if asking else ()
        case "binary":
            yield from _keys(parts[0], known)
            yield from _keys(parts[1], known)
        case "comma" | "array" | "string" | "object" | "negate" | "if":
            for part in parts:
                yield from _keys(part, known)
        case "call" if node.value == "select":
            yield from _keys(parts[0], known)
