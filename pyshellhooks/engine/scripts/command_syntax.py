"""Syntax check of inline commands, with diagnostics at their place in the config file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...errors import Diagnostic
from ...hooks.model import HookSpec, Origin
from ...jsontext.document import Document, JsonError, Node, read
from ...jsontext.string_offsets import place_in_string
from ...syntax import check_text


def check_commands(specs: Iterable[HookSpec], texts: dict[str, str]) -> list[Diagnostic]:
    """Return warnings on commands that do not parse, or whose here-document has no end. ``texts``: by file.

    Only warnings: such a hook loads, and fails whenever it runs; its ``mistake`` then gives the place and the error.
    """
    found: list[Diagnostic] = []
    documents: dict[str, Document | None] = {}
    for spec in specs:
        if spec.kind != "command" or spec.argv is not None:
            continue
        for problem in check_text(spec.command):
            file = spec.origin.file
            if file not in documents:
                documents[file] = document_of(texts.get(file, ""), file)
            line, column = place_of(documents[file], spec, problem.begin)
            what = "the command does not parse" if problem.severity == "error" else "the command"
            where = f"line {problem.line}: " if "\n" in spec.command else ""
            message = f"{what}: {where}{problem.message}"
            source = _line(texts, file, line)
            found.append(
                Diagnostic(file, line, column, message, problem.hint, "warning", code=problem.code, source=source)
            )
            if problem.severity == "error" and not spec.mistake:
                place = str(Origin(file).at(line, column))
                spec.mistake = f"{place}: {message}" if place else message
    return found


def _line(texts: dict[str, str], file: str, line: int) -> str:
    return next(iter(texts.get(file, "").split("\n")[max(line - 1, 0) :][:1]), "").rstrip("\r") if line else ""


def document_of(text: str, file: str) -> Document | None:
    """Parse a config, JSON, YAML or TOML, into a tree with offsets; None for any other text."""
    if file.endswith(".toml"):
        from ...jsontext.toml_document import read_toml

        try:
            return read_toml(text, file)
        except JsonError:
            return None
    try:
        return read(text, file)
    except JsonError:
        pass
    from ...jsontext.yaml_document import read_yaml

    try:
        return read_yaml(text, file)
    except JsonError:
        return None


def place_of(document: Document | None, spec: HookSpec, offset: int) -> tuple[int, int]:
    """Return line and column of an offset in a command: exact in JSON and YAML block scalars, else the scalar's."""
    origin = spec.origin
    if document is None:
        return origin.line, origin.column
    from ...jsontext.yaml_document import place_in_scalar

    for node in strings(document.root):
        if node.value != spec.command or document.place(node.offset)[0] < origin.line:
            continue
        written = document.text[node.offset : node.end]
        is_json_string = written.startswith('"') and written.endswith('"')
        if is_json_string and "\n" not in written:
            return document.place(place_in_string(document.text, node.offset, offset))
        return document.place(place_in_scalar(document.text, node.offset, offset))
    return origin.line, origin.column


def strings(node: Node) -> Iterator[Node]:
    """Yield the strings below a node."""
    if node.kind == "string":
        yield node
    elif node.kind == "array":
        for item in node.value:
            yield from strings(item)
    elif node.kind == "object":
        for member in node.value:
            yield from strings(member.node)
