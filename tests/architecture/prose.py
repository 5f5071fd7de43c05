"""How often the package's English has habits that readers stumble over, by room: in docstrings, comments, texts and names.

A local is a variable that is set, or a parameter, with one of the names in ``LOCALS``.
A text is a string literal of at least three words, such as a message. ``types`` is generated and does not count.
``python -m tests.architecture.prose`` writes ``prose.txt`` anew; with the name of a room or a file it prints each place.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .rooms import PACKAGE, sources, tree

PROSE = Path(__file__).with_name("prose.txt")
GENERATED = "types"

HABITS = {
    "what as a noun": re.compile(r"(?<!\bor )\bwhat (?:a |an |the |it |is |of |was |are |has |can |does |comes |there |[a-z]+s )", re.IGNORECASE),
    "say": re.compile(r"\b(?:say|says|said|saying)\b", re.IGNORECASE),
    "tell": re.compile(r"\b(?:tell|tells|told|telling)\b", re.IGNORECASE),
    "ask": re.compile(r"\b(?:asks|asked|asking)\b", re.IGNORECASE),
    "stand": re.compile(r"\b(?:stand|stands|stood|standing)\b", re.IGNORECASE),
    "where as if": re.compile(r"\bwhere (?:it|there|they|none|nothing|that) ", re.IGNORECASE),
    "is none": re.compile(r"\b(?:is|are|be|was) (?:none\b|no [a-z]+|nothing\b)", re.IGNORECASE),
    "nobody": re.compile(r"\b(?:nobody|somebody|whoever)\b", re.IGNORECASE),
    "mend": re.compile(r"\bmend(?:s|ed|ing)?\b", re.IGNORECASE),
}  # fmt: skip
OPENING = re.compile(r"(?:Say|Tell|Let|Be|Ask)\b")  # of a docstring: it does not name what the function returns or does
NAME = re.compile(r"(?:^|_)(?:say|says|said|told|tell|telling|ask|asked|asks|kept|held|given|unasked)(?:_|$)")
LOCALS = {
    "found",
    "made",
    "said",
    "told",
    "given",
    "kept",
    "one",
}  # variables and parameters that do not say what they hold
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_DOCUMENTED = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Place(NamedTuple):
    """One occurrence: the room, the kind of text, the habit, and where it is."""

    room: str
    kind: str
    habit: str
    file: str
    line: int
    text: str


def prose(source: str, module: ast.Module) -> Iterator[tuple[str, int, str]]:
    """Yield docstrings, comments and texts as kind, line and text."""
    docstrings = set()
    for node in ast.walk(module):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            literal = node.body[0].value  # type: ignore[attr-defined]
            docstrings.add(id(literal))
            yield "docstring", literal.lineno, literal.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield "comment", token.start[0], token.string
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            if len(re.findall(r"[A-Za-z]{2,}", node.value)) >= 3:
                yield "text", node.lineno, node.value


def occurrences(kind: str, text: str) -> Iterator[str]:
    """Yield the habits of a text, each as often as it has it."""
    for habit, pattern in HABITS.items():
        for _ in pattern.finditer(text):
            yield habit
    if kind == "docstring" and OPENING.match(text.lstrip()):
        yield "opening"


def places(where: str = "") -> Iterator[Place]:
    """Yield every occurrence in the package, or in a room or a file."""
    for path in sources():
        file = path.relative_to(PACKAGE).as_posix()
        room = file.partition("/")[0].removesuffix(".py")
        if room == GENERATED or (where and where not in (room, file)):
            continue
        for kind, line, text in prose(path.read_text(encoding="utf-8"), tree(path)):
            for habit in occurrences(kind, text):
                yield Place(room, kind, habit, file, line, text)
        for node in ast.walk(tree(path)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                if NAME.search(CAMEL.sub("_", node.name).lower()):
                    yield Place(room, "name", "say, told, asked …", file, node.lineno, node.name)
            elif isinstance(node, ast.arg) and node.arg in LOCALS:
                yield Place(room, "local", "found, made, one …", file, node.lineno, node.arg)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in LOCALS:
                yield Place(room, "local", "found, made, one …", file, node.lineno, node.id)


@cache
def counted() -> dict[str, int]:
    """Return how often each room has each habit in each kind of text; rows of zero are left out."""
    counts = Counter(f"{place.room}: {place.kind}: {place.habit}" for place in places())
    return dict(sorted(counts.items()))


def listed() -> dict[str, int]:
    """Return the counts that are written down."""
    rows = (line.rsplit(" ", 1) for line in PROSE.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    return {key: int(count) for key, count in rows}


def main(where: str = "") -> None:
    """Write the counts as they are, or print the places of a room or a file."""
    if where:
        for place in places(where):
            first = place.text.strip().partition("\n")[0]
            print(f"{place.file}:{place.line}: {place.kind}: {place.habit}: {first[:150]}")
        return
    head = "# Habits of the package's English (docs/glossary.md). Rows may go and numbers may fall; nothing is added.\n"
    PROSE.write_text(head + "".join(f"{key} {count}\n" for key, count in counted().items()), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:2])
