"""YAML features that do not survive parsing and writing: comments, anchors, tags, and some spellings.

``-i`` alone is mikefarah's form, and his yq preserves them. Here such a file is refused, with the place; ``-y`` allows
the loss.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import yaml

from ...streams import BytesReader
from .numbers import MOST_DIGITS
from .yaml_grammar import resolve_core, resolve_old
from .yaml_reader import YamlReader

if TYPE_CHECKING:
    from ..jq.running import Run


def first_loss(run: Run, data: bytes, name: str) -> tuple[int, str] | None:
    """Return the line and the kind of the first loss, None without any. Raise ``yaml.YAMLError`` for invalid YAML."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    return next(_losses(text, YamlReader(run, BytesReader(data), name)), None)


def _losses(text: str, reader: YamlReader) -> Iterator[tuple[int, str]]:
    last = 0
    for event in reader.events():
        at = _comment(text, last, event)
        if at >= 0:
            yield text.count("\n", 0, at) + 1, "a comment"
        kind = _kind(event)
        if kind:
            yield event.start_mark.line + 1, kind
        last = max(last, event.end_mark.index)
    at = text.find("#", last)
    if at >= 0:
        yield text.count("\n", 0, at) + 1, "a comment"


def _comment(text: str, last: int, event: Any) -> int:
    """Return the index of a comment before or in an event, else -1: outside scalars a ``#`` always begins a comment."""
    start, end = event.start_mark.index, event.end_mark.index
    if not isinstance(event, yaml.ScalarEvent):
        return text.find("#", last, end)
    if event.style in ("|", ">"):
        # A comment may follow the indicator of a block scalar, on the same line.
        line_end = text.find("\n", start, end)
        if line_end < 0:
            line_end = end
        return text.find("#", last, line_end)
    return text.find("#", last, start)


def _kind(event: Any) -> str:
    """Return the feature of an event that would be lost, or ""."""
    if isinstance(event, yaml.AliasEvent):
        return f"the alias *{event.anchor}"
    if getattr(event, "anchor", None):
        return f"the anchor &{event.anchor}"
    if getattr(event, "tag", None):
        return f"the tag {event.tag}"
    if isinstance(event, yaml.DocumentStartEvent) and (event.version or event.tags):
        return "a directive"
    if isinstance(event, yaml.ScalarEvent) and event.implicit[0] and _is_respelled(event.value):
        return f"a plain {event.value[:40]}"
    return ""


def _is_respelled(value: str) -> bool:
    """Return whether a plain scalar would be written differently: a date, ``yes``, ``010``, ``1.10``."""
    tag = resolve_core(value)
    if tag != resolve_old(value):
        return True
    number = tag.rpartition(":")[2]
    if number == "int":
        if not value.removeprefix("-").isdecimal():
            return True
        has_zeros = value.lstrip("-")[0] == "0"
        return has_zeros and value != "0"
    if number != "float":
        return False
    # jq prints infinity as the greatest double, and nan as null.
    if len(value) > MOST_DIGITS or value[-1] in "fFnN":
        return True
    return repr(float(value)) != value
