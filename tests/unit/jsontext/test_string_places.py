"""A character of a decoded JSON string is found again in the document (RFC 8259, 7)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyshellhooks.jsontext.string_offsets import place_in_string


@pytest.mark.parametrize(
    ("raw", "index", "place"),
    [
        ('"abc"', 0, 1),
        ('"abc"', 2, 3),
        ('"abc"', 3, 4),  # the end of the text is the closing quote
        ('"abc" "x"', 9, 4),
        ('""', 0, 1),
        (r'"a\nb"', 1, 2),
        (r'"a\nb"', 2, 4),
        (r'"\"\\\/\b"', 1, 3),
        (r'"\"\\\/\b"', 3, 7),
        (r'"\u00e9x"', 1, 7),
        (r'"\ud83d\ude00x"', 1, 13),  # a pair is one character
        (r'"\ud83dx"', 1, 7),  # half a pair is one too
        (r'"\ud83d\u0041x"', 1, 7),
        (r'"\ud83d\u0041x"', 2, 13),
        (r'"\ude00\ud83dx"', 2, 13),
        ('"\U0001f600x"', 1, 2),
        ('"abc', 9, 4),  # a string that is not closed
        (r'"\u00', 5, 5),
        ('"\\', 5, 2),
    ],
)
def test_places(raw: str, index: int, place: int) -> None:
    assert place_in_string(raw, 0, index) == place


def test_the_string_may_be_anywhere() -> None:
    document = '{"hooks": [{"command": "if true;\\nfi"}]}'
    start = document.index('"if')
    command = json.loads(document)["hooks"][0]["command"]
    assert document[place_in_string(document, start, command.index("fi")) :].startswith('fi"')


@pytest.mark.slow
@given(st.text(), st.booleans())
def test_each_character_is_where_it_was_written(text: str, ascii_only: bool) -> None:
    """The piece between two neighbours, decoded alone, is the character."""
    raw = json.dumps(text, ensure_ascii=ascii_only)
    for index, char in enumerate(text):
        begin, end = place_in_string(raw, 0, index), place_in_string(raw, 0, index + 1)
        assert json.loads(f'"{raw[begin:end]}"') == char
