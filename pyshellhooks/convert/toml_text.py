"""Configs of hooks as TOML: tables, lists of tables, and values of the kinds that a config of hooks has.

No library: the standard one only reads TOML, and a writer of such configs needs three kinds of lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_text(config: Mapping[str, Any]) -> str:
    """Return a config as TOML."""
    return "\n".join(_table(config, ())).strip("\n") + "\n"


def _table(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """Yield the lines of a table: its values, then the tables in it."""
    inner: list[tuple[str, Any]] = []
    for key, value in table.items():
        if isinstance(value, Mapping) or _is_list_of_tables(value):
            inner.append((key, value))
        else:
            yield f"{_key(key)} = {_value(value)}"
    for key, value in inner:
        name = ".".join(map(_key, (*path, key)))
        for item in value if isinstance(value, list) else [value]:
            heading = f"[[{name}]]" if isinstance(value, list) else f"[{name}]"
            is_empty = isinstance(value, list) or any(not _has_tables(inner_value) for inner_value in item.values())
            yield from ("", heading) if is_empty else ()
            yield from _table(item, (*path, key))


def _has_tables(value: Any) -> bool:
    return isinstance(value, Mapping) or _is_list_of_tables(value)


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _string(key)


def _string(text: str) -> str:
    """Return a basic string, whose escapes are those of JSON, except for the character DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value)
