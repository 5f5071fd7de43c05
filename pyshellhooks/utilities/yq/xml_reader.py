"""Parser from XML to a value of jq, with the standard library's expat.

The mapping is xmltodict's, which Debian's yq uses: an element is its text, or an object of its children, of its
attributes as ``@name``, and of its text as ``#text``; one with neither is null, and several of one name are an array. A
document that declares entities is refused: ignoring them would hide text, expanding them has no limit (defusedxml does
the same).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any
from xml.parsers.expat import ParserCreate

from ...errors import Stop
from .failures import Failure

if TYPE_CHECKING:
    from ..jq.running import Run

_DEPTH = 5000  # nested elements: each is an object for jq


class _Element:
    """An open element; ``item`` is created with its first attribute or child."""

    __slots__ = ("item", "texts")

    def __init__(self, item: dict[str, Any] | None) -> None:
        self.item = item
        self.texts: list[str] = []

    def add(self, name: str, value: Any, as_list: bool) -> None:
        """Add a child."""
        if self.item is None:
            self.item = {}
        item = self.item
        if name not in item:
            item[name] = [value] if as_list else value
        elif type(item[name]) is list:
            item[name].append(value)
        else:
            item[name] = [item[name], value]  # a second element of the name


class _Builder:
    """Handlers of expat's events, which build the value."""

    def __init__(self, run: Run, force_list: Collection[str]) -> None:
        self._run = run
        self._force_list = force_list
        self._open = [_Element(None)]

    @property
    def value(self) -> Any:
        return self._open[0].item

    def start(self, name: str, attributes: list[str]) -> None:
        if len(self._open) > _DEPTH:
            raise Stop("limit", f"yq: elements are nested deeper than {_DEPTH} levels")
        self._run.made(200 + 100 * len(attributes))
        pairs = zip(attributes[::2], attributes[1::2], strict=True)
        self._open.append(_Element({f"@{key}": value for key, value in pairs} or None))

    def end(self, name: str) -> None:
        element = self._open.pop()
        text = "".join(element.texts).strip() or None  # as xmltodict
        value: Any = text
        if element.item is not None:
            if text:
                element.add("#text", text, "#text" in self._force_list)
            value = element.item
        self._open[-1].add(name, value, name in self._force_list)

    def text(self, data: str) -> None:
        self._open[-1].texts.append(data)

    def entity(self, name: str, *rest: object) -> None:
        raise Failure(f"Error running jq: the XML declares the entity '{name[:40]}': entities are not read")

    def skipped(self, name: str, is_parameter: bool) -> None:
        raise Failure(f"Error running jq: the XML uses the entity '{name[:40]}': entities are not read")


def read_xml(run: Run, blocks: Iterable[bytes], force_list: Collection[str]) -> Any:
    """Parse a document. Raise ``ExpatError`` with the place of an error."""
    builder = _Builder(run, force_list)
    parser = ParserCreate("utf-8")
    parser.ordered_attributes = True
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.text
    parser.EntityDeclHandler = builder.entity
    parser.SkippedEntityHandler = builder.skipped
    for block in blocks:
        run.check()
        parser.Parse(block, False)
    parser.Parse(b"", True)
    return builder.value
