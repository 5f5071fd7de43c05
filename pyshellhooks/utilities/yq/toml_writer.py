"""Renderer from a value of jq to TOML (TOML 1.0), in the layout of Debian's yq.

Its library (``toml`` 0.10) is unmaintained, and ``tomli-w`` has another layout; both recurse at each level.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...text import Spelling, translated
from ..jq.json.numbers import Literal
from .failures import Failure

if TYPE_CHECKING:
    from ..jq.running import Run

_DEPTH = 100  # levels of nested arrays, and of tables in arrays
_bare = re.compile(r"[A-Za-z0-9_-]+").fullmatch
_NAMED = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def _spell_character(character: str) -> str:
    if character in _NAMED:
        return _NAMED[character]
    if character.isprintable():
        return character
    code = ord(character)
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\U{code:08x}"


_CHARACTERS = Spelling(_spell_character)
Tables = list[tuple[str, dict[str, Any]]]


class TomlWriter:
    """Writer of TOML documents to one output."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def document(self, value: Any) -> Iterator[str]:
        """Yield the text of a document. Raise ``Failure`` if it is not an object."""
        if type(value) is not dict:
            raise Failure("Error converting JSON to TOML: cannot represent non-object types at top level.")
        text, tables = self._table(value, "", 0)
        yield text
        end = text[-2:]
        while tables:
            inner: Tables = []
            for path, table in tables:
                self._run.check()
                text, subtables = self._table(table, path, 0)
                if text or not subtables:
                    text = f"[{path}]\n{text}"
                    if end and end != "\n\n":  # one empty line before each table, but not at the start
                        text = "\n" + text
                    yield text
                    end = text[-2:]
                inner += subtables
            tables = inner

    def end(self) -> Iterator[str]:
        """Yield nothing."""
        return iter(())

    def _table(self, table: dict[str, Any], path: str, depth: int) -> tuple[str, Tables]:
        """Return the text of a table without its subtables, and the subtables."""
        if depth > _DEPTH:
            raise Failure(f"Error converting JSON to TOML: tables are nested deeper than {_DEPTH} arrays.")
        values: list[str] = []
        arrays: list[str] = []
        tables: Tables = []
        for key, value in table.items():
            name = _spell_key(key)
            inner = f"{path}.{name}" if path else name
            if type(value) is dict:
                tables.append((inner, value))
            elif _is_array_of_tables(value):
                arrays += self._array_of_tables(value, inner, depth)
            elif value is not None:  # TOML has no null
                values.append(f"{name} = {self._value(value, 0)}\n")
        self._run.check()
        # Values come first: after a header they would belong to its table.
        return "".join(values + arrays), tables

    def _array_of_tables(self, items: list[Any], path: str, depth: int) -> Iterator[str]:
        for item in items:
            yield f"[[{path}]]\n"
            text, tables = self._table(item, path, depth + 1)
            if text[:1] == "[":
                yield "\n"
            yield text
            if text[:1] != "[":
                yield "\n"
            while tables:
                inner: Tables = []
                for name, table in tables:
                    text, subtables = self._table(table, name, depth + 1)
                    if text or not subtables:
                        yield f"[{name}]\n{text}"
                    inner += subtables
                tables = inner

    def _value(self, value: Any, depth: int) -> str:
        if depth > _DEPTH:
            raise Failure(f"Error converting JSON to TOML: arrays are nested deeper than {_DEPTH} levels.")
        if type(value) is str:
            return _quote(value)
        if type(value) is bool:
            return "true" if value else "false"
        if type(value) is int:
            return str(value)
        if type(value) is list:
            self._run.check()
            return f"[{''.join([f' {self._value(item, depth + 1)},' for item in value])}]"
        if type(value) is dict:
            return self._inline_table(value, depth)
        if value is None:
            raise Failure("Error converting JSON to TOML: an array with null: TOML has no null.")
        if type(value) is Literal and value.text.removeprefix("-").isdecimal():
            return value.text
        if type(value) is Literal:
            value = value.text
        return repr(float(value)).replace("e+0", "e+").replace("e-0", "e-")

    def _inline_table(self, table: dict[str, Any], depth: int) -> str:
        pairs = [
            f"{_spell_key(key)} = {self._value(item, depth + 1)}" for key, item in table.items() if item is not None
        ]
        if not pairs:
            return "{}"
        return f"{{ {', '.join(pairs)} }}"


def _is_array_of_tables(value: Any) -> bool:
    if type(value) is not list or not value:
        return False  # an empty array needs no header
    return all(type(item) is dict for item in value)


def _spell_key(key: str) -> str:
    return key if _bare(key) else _quote(key)


def _quote(text: str) -> str:
    return f'"{translated(text, _CHARACTERS)}"'
