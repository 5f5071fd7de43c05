"""Programs that read further inputs: ``input`` and ``inputs`` as data.

The binding has no way to hand libjq more input while a program runs. Where the tree shows how often and in which order
a program reads, the inputs are given beforehand and each place gets its own; where it does not, the run is
refused: a wrong input would be a wrong answer.
"""

from __future__ import annotations

from .syntax import Node


class Unclear(Exception):
    """Reads in a place that may run never, or more than once."""


class Reads:
    """The places that read, in the order they run. ``all``: the last one takes all there is."""

    __slots__ = ("all", "partial", "places")

    def __init__(self, places: list[Node], partial: bool) -> None:
        self.places = places
        self.all = bool(places) and places[-1].value == "inputs"
        self.partial = partial  # perhaps not all that is given is taken

    def rewrite(self, program: str) -> str:
        """Put a name of its own at each place."""
        for position in reversed(range(len(self.places))):
            node = self.places[position]
            end = node.at + len(str(node.value))
            program = f"{program[: node.at]}__input{position}{program[end:]}"
        return program

    def definitions(self) -> str:
        """Give what these names mean."""
        found = ""
        for position, node in enumerate(self.places):
            if node.value == "inputs":
                found += f"def __input{position}: $__x.rest[{position}:][]; "
            else:
                here = f'if length > {position} then .[{position}] else error("break") end'
                found += f"def __input{position}: $__x.rest | {here}; "
        return found


def find_reads(node: Node) -> Reads | None:
    """Give the reads of a program, None where they can't be told."""
    walker = _Walker()
    try:
        places = walker.once(node)
    except Unclear:
        return None
    if any(place.value == "inputs" for place in places[:-1]):
        return None
    return Reads(places, walker.partial)


def _is_read(node: Node) -> bool:
    return node.kind == "call" and node.value in ("input", "inputs") and not node.parts


def _reads_any(node: Node | None) -> bool:
    return node is not None and any(map(_is_read, node.walk()))


def _single(node: Node | None) -> bool:
    """Say that a construct gives exactly one result, or fails."""
    if node is None:
        return True
    kind = node.kind
    if kind in ("identity", "literal", "variable", "format", "location", "array", "reduce"):
        return True
    if kind == "index":
        return not node.value and _single(node.parts[0]) and _single(node.parts[1])
    if kind in ("pipe", "object", "negate", "string"):
        return all(map(_single, node.parts))
    if kind == "binary":
        return all(map(_single, node.parts))
    if kind == "call":
        return node.value in ("input", "length", "type", "keys", "tostring", "tojson", "fromjson", "not", "add", "sort")
    return False


class _Walker:
    __slots__ = ("partial",)

    def __init__(self) -> None:
        self.partial = False

    def once(self, node: Node | None) -> list[Node]:
        """Give the reads in a construct that runs once."""
        if node is None or not _reads_any(node):
            return []
        if _is_read(node):
            return [node]
        kind, parts = node.kind, node.parts
        if kind == "comma":
            return self.once(parts[0]) + self.once(parts[1])
        if kind in ("pipe", "bind"):
            return self.sequence(parts)
        if kind in ("array", "negate", "each", "label"):
            return self.once(parts[0])
        if kind == "object":
            return self.sequence(parts)
        if kind in ("index", "slice", "reduce", "foreach"):
            return self.only(parts, 0)
        if kind == "try":
            self.partial = self.partial or parts[0] is None or not _is_read(parts[0])
            return self.only(parts, 0)
        if kind == "binary" and node.value == "//":
            return self.only(parts, 0)
        if kind == "binary" and node.value in ("+", "-", "*", "/", "%", "==", "!=", "<", ">", "<=", ">="):
            return self.sequence((parts[1], parts[0]))
        if kind == "if":
            return self.only(parts, 0)
        if kind == "def":
            return self.only(parts, 1)
        if kind == "call" and node.value in ("first", "last", "limit", "isempty", "add", "any", "all", "skip", "nth"):
            self.partial = self.partial or node.value not in ("last", "add")
            return self.only(parts, len(parts) - 1 if node.value in ("limit", "skip", "nth") else 0)
        raise Unclear

    def sequence(self, parts: tuple[Node | None, ...]) -> list[Node]:
        """Give the reads of parts that run one after the other, each for every result of those before."""
        found: list[Node] = []
        several = False
        for part in parts:
            reads = self.once(part)
            if reads and several:
                raise Unclear
            found += reads
            several = several or not _single(part)
        return found

    def only(self, parts: tuple[Node | None, ...], which: int) -> list[Node]:
        """Give the reads of one part; the others run at another rate and must have none."""
        for position, part in enumerate(parts):
            if position != which and _reads_any(part):
                raise Unclear
        return self.once(parts[which])
