"""Renderer from a value of jq to XML, with xmltodict's mapping (``xml_reader``), in the layout of Debian's yq."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from ..jq.json.numbers import Literal
from .failures import Failure

if TYPE_CHECKING:
    from ..jq.running import Run
    from .arguments import Arguments

_ROOT = "Use --xml-root=name to envelope your output with a root element"
_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'


class XmlWriter:
    """Writer of XML documents to one output."""

    def __init__(self, run: Run, arguments: Arguments) -> None:
        self._run = run
        self._arguments = arguments

    def document(self, value: Any) -> Iterator[str]:
        """Yield the text of a document. Raise ``Failure`` if it has no root."""
        arguments = self._arguments
        if arguments.xml_root:
            value = {arguments.xml_root: value}
        elif type(value) is not dict:
            raise Failure(f"Error converting JSON to XML: cannot represent non-object types at top level. {_ROOT}.")
        if arguments.xml_dtd:
            if len(value) != 1:
                raise Failure(f"Error running jq: Exception: Document must have exactly one root. {_ROOT}.")
            if type(root := next(iter(value.values()))) is list and len(root) > 1:
                raise Failure("Error running jq: ValueError: document with multiple roots.")
            yield _DECLARATION
        yield from self._elements(value)
        yield "\n"

    def end(self) -> Iterator[str]:
        """Yield nothing."""
        return iter(())

    def _elements(self, root: dict[str, Any]) -> Iterator[str]:
        """Yield the text of elements and their contents; a stack has the open ones."""
        stack: list[tuple[Iterator[tuple[str, Any]], str]] = []
        children = _children(root)
        while True:
            for name, value in children:
                depth = len(stack)
                self._run.check()
                text, attributes, inner = _parts(value)
                yield f"{'  ' * depth}<{name}{attributes}>"
                if inner:
                    yield "\n"
                    stack.append((children, f"{text}{'  ' * depth}</{name}>"))
                    children = _children(inner)
                    break
                yield f"{text}</{name}>"
                if depth:
                    yield "\n"
            else:
                if not stack:
                    return
                children, end = stack.pop()
                yield end
                if stack:
                    yield "\n"


def _children(item: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the child elements from an object's members; the items of an array share a name."""
    for key, value in item.items():
        items = value if type(value) is list else (value,)
        for item_value in items:
            yield key, item_value


def _parts(value: Any) -> tuple[str, str, dict[str, Any]]:
    """Return an element's rendered text and attributes, and its children."""
    if type(value) is not dict:
        return escape(_spell(value)), "", {}
    text = attributes = ""
    children: dict[str, Any] = {}
    for key, item in value.items():
        if key == "#text":
            text = escape(_spell(item))
        elif key == "@xmlns" and type(item) is dict:
            attributes += "".join(
                f" xmlns{prefix and ':'}{prefix}={quoteattr(_spell(uri))}" for prefix, uri in item.items()
            )
        elif key[:1] == "@":
            attributes += f" {key[1:]}={quoteattr(_spell(item))}"
        else:
            children[key] = item
    return text, attributes, children


def _spell(value: Any) -> str:
    """Return a scalar's text; true and false as in JSON, also in attributes, where xmltodict 0.13 uses Python's."""
    if type(value) is str:
        return value
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is int:
        return str(value)
    if value is None:
        return ""
    if type(value) is dict or type(value) is list:
        kind = "an object" if type(value) is dict else "an array in an array"
        raise Failure(f"Error converting JSON to XML: {kind} can't be represented in XML.")
    if type(value) is Literal and value.text.removeprefix("-").isdecimal():
        return value.text
    if type(value) is Literal:
        value = value.text
    return str(float(value))
