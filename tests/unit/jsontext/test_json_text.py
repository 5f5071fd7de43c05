"""Reading JSON with positions: what is accepted, and where a mistake is shown."""

from __future__ import annotations

import json

import pytest

from pyshellhooks.jsontext.document import DEPTH, Document, JsonError, decode_file, read


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, 2.5, -3e2, true, false, null, "x\\n\\u00e9"], "b": {}}',
        '  "just a string"  ',
        "[]",
        "0",
        '{"\\ud83d\\ude00": "\\u00e9"}',
    ],
)
def test_agrees_with_the_standard_library(text: str) -> None:
    assert read(text, "f", comments=False).root.plain() == json.loads(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, // one\n "b": 2,\n}', {"a": 1, "b": 2}),
        ("/* head */ [1, /* two */ 2,]", [1, 2]),
        ('{"url": "http://x//y"} // tail', {"url": "http://x//y"}),
    ],
)
def test_comments_and_trailing_commas(text: str, value: object) -> None:
    assert read(text, "f").root.plain() == value
    with pytest.raises(JsonError):
        read(text, "f", comments=False)


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("", (1, 1), "expected a JSON value, found nothing", ""),
        ('{"a": 1', (1, 8), 'the text ends before the "{" of line 1, column 1 is closed', ""),
        ('{\n  "a": [1, 2\n', (3, 1), 'the text ends before the "[" of line 2, column 8 is closed', ""),
        ('{"a": "b', (1, 7), "this string is never closed", ""),
        ('{"a" 1}', (1, 6), 'expected ":" after the key "a"', ""),
        ('{"a": 1 "b": 2}', (1, 8), 'expected "," or "}"', 'is there a "," missing?'),
        ("{a: 1}", (1, 2), "the key a needs double quotes", 'write "a"'),
        ("{'a': 1}", (1, 2), "keys need double quotes", "use \" instead of '"),
        ('{"a": True}', (1, 7), "expected a JSON value, not 'True'", "write true"),
        ('{"a": None}', (1, 7), "expected a JSON value, not 'None'", "write null"),
        ('{"a": NaN}', (1, 7), "expected a JSON value, not 'NaN'", 'write "NaN"'),
        ('{"a": 01}', (1, 7), "not a JSON number", ""),
        ('{"a": 1.}', (1, 7), "not a JSON number", ""),
        ('{"a": "x\ny"}', (1, 9), "a line break or control character inside a string", "write \\n"),
        ('{"a": "C:\\Users"}', (1, 10), "a bad \\ escape inside a string", "write \\\\ for a backslash"),
        ("{} {}", (1, 4), "text after the end of the JSON value", ""),
        ("[1, /* x", (1, 5), "this comment is never closed", ""),
        ("[,]", (1, 2), "expected a JSON value, not ','", ""),
    ],
)
def test_mistakes_have_a_place(text: str, place: tuple[int, int], message: str, hint: str) -> None:
    with pytest.raises(JsonError) as caught:
        read(text, "f")
    from pyshellhooks.jsontext.document import Document

    assert (Document(text, "f").place(caught.value.offset), caught.value.message, caught.value.hint) == (
        place,
        message,
        hint,
    )


def test_positions_of_keys_and_values() -> None:
    document = read('{\n  "é": {"k": 1},\n\t"b": true}', "f")
    first, second = document.root.value
    assert document.place(first.offset) == (2, 3)
    assert document.place(first.node.offset) == (2, 8)
    assert document.place(second.offset) == (3, 2)


def test_a_deep_document_is_a_mistake_and_not_a_crash() -> None:
    deep = "[" * 100_000
    with pytest.raises(JsonError) as caught:
        read(deep, "f")
    assert caught.value.offset == DEPTH
    assert read("[" * DEPTH + "]" * DEPTH, "f").root.kind == "array"


def test_a_number_with_many_digits() -> None:
    assert read("9" * 5000, "f").root.kind == "number"


def test_duplicate_keys_stay_and_the_last_counts() -> None:
    root = read('{"a": 1, "a": 2}', "f").root
    assert [member.key for member in root.value] == ["a", "a"]
    node = root.get("a")
    assert node is not None and node.value == 2


@pytest.mark.parametrize(
    ("data", "text", "problem"),
    [
        (b"\xef\xbb\xbf{}", "{}", None),
        (b"{}", "{}", None),
        (b"\xff\xfe{\x00", "", "f:1:1: error: the file is UTF-16\n  hint: save it as UTF-8"),
        (b'{\n "\xc3\xa9\xff"}', "", "f:2:4: error: byte 0xff is not UTF-8\n  hint: save it as UTF-8"),
    ],
)
def test_bytes_of_a_file(data: bytes, text: str, problem: str | None) -> None:
    decoded, diagnostic = decode_file(data, "f")
    assert decoded == text
    assert (str(diagnostic) if diagnostic else None) == problem


def test_the_line_of_a_mistake_ends_before_its_crlf() -> None:
    document = Document('{"a": 1,\r\n "b": 2}\r\n', "c.json")
    assert document.diagnostic(1, "no").source == '{"a": 1,'
    assert document.diagnostic(11, "no").source == ' "b": 2}'
