"""A payload with raw control characters, as an agent once sent one: read as Python's ``json`` with ``strict=False`` reads it."""

from __future__ import annotations

import json

import pytest

from pyshellhooks.jsontext.document import escaped

TEXTS = [
    '{"a": "x\x07y"}',
    '{"a": "line\nline", "b": "tab\there"}',
    '{"a\x01": "\x00"}',
    '{"a": "quote \\" and \x1b[0m", "b": ["\x02"]}',
    '{\n\t"a": "back\\\\", "b": "\x03"\r\n}',
]


@pytest.mark.parametrize("text", TEXTS)
def test_it_is_read_as_python_reads_it(text: str) -> None:
    changed, told = escaped(text)
    assert json.loads(changed) == json.loads(text, strict=False)
    assert told is not None and told.severity == "warning" and "it is read as if it were escaped" in told.message


@pytest.mark.parametrize("text", ['{"a": "x"}', '{\n\t"a": 1\r\n}', "\x07", '{"a": \x07}', '{"never closed: \x07'])
def test_a_text_without_one_in_a_string_is_unchanged(text: str) -> None:
    assert escaped(text) == (text, None)


def test_the_place_is_reported() -> None:
    told = escaped('{"a": 1,\n "b": "x\x07"}')[1]
    assert told is not None and (told.line, told.column) == (2, 9)
