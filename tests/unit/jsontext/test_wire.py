"""JSON on the wire keeps what the model wrote."""

from __future__ import annotations

import json

import pytest

from pyshellhooks.jsontext import compact
from pyshellhooks.jsontext.compact import JsonText, WireError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{ "b" : 1.0 , "a" : [ 1e2, 2 ] }', '{"b":1.0,"a":[1e2,2]}'),
        ('{"a b": "x  y\\" z", "a b": 2}', '{"a b":"x  y\\" z","a b":2}'),
        ("\n[ ]\t", "[]"),
        ('"a b"', '"a b"'),
        ('{"p":"C:\\\\ x"}', '{"p":"C:\\\\ x"}'),
    ],
)
def test_compact_drops_only_white_space_between_tokens(text: str, expected: str) -> None:
    assert compact.compact(text) == expected
    assert json.loads(compact.compact(text)) == json.loads(text)


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a": -Infinity}', "", "{", "{} x", "[" * 100_000, "'a'"])
def test_loads_refuses_invalid_json(text: str) -> None:
    with pytest.raises(WireError):
        compact.loads(text)
    with pytest.raises(WireError):
        compact.validate(text)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"a": object()}, {1, 2}])
def test_dumps_refuses_values_that_json_cannot_express(value: object) -> None:
    with pytest.raises(WireError):
        compact.dumps(value)


def test_dumps_refuses_a_value_that_holds_itself() -> None:
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(WireError):
        compact.dumps(loop)


def test_an_integer_of_many_digits_is_no_reason_to_lose_a_document() -> None:
    assert compact.loads('{"decision":"deny","n":' + "1" * 5000 + "}")["decision"] == "deny"


@pytest.mark.parametrize("text", ["1e400", "-1E+400", "9" * 5000, '{"a":[1e999,-1e999]}'])
def test_a_number_that_no_float_can_hold_can_be_written_again(text: str) -> None:
    assert compact.loads(compact.dumps(compact.loads(text))) == compact.loads(text)


def test_members_preserve_order_duplicates_and_spelling() -> None:
    pairs = compact.members(' { "b" : 1.50 , "a":{"x": [1,2]} , "b" : "\\u0041" } ')
    assert pairs == [("b", "1.50"), ("a", '{"x": [1,2]}'), ("b", '"\\u0041"')]
    assert compact.members("{}") == []
    with pytest.raises(WireError):
        compact.members("[1]")


def test_document_keeps_json_text_and_characters() -> None:
    text = compact.document({"event": "E", "cwd": "/é<&>", "tool_input": JsonText('{"n":1.0}'), "n": None})
    assert text == '{"event":"E","cwd":"/é<&>","tool_input":{"n":1.0},"n":null}'


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('"x\ud800y"', '"x\ufffdy"'),
        (r'"x\ud800y"', '"x\ufffdy"'),
        (r'"\uDC00"', '"\ufffd"'),
        (r'"\ud83d\ude00"', r'"\ud83d\ude00"'),
        (r'"\ud83d\ud83d\ude00"', '"\ufffd' + r'\ud83d\ude00"'),
        (r'"a\\ud800"', r'"a\\ud800"'),
        (r'"\\\ud800\n"', '"\\\\\ufffd\\n"'),
        (r'{"\ud800": 1}', '{"\ufffd": 1}'),
    ],
)
def test_half_a_surrogate_pair_does_not_reach_a_hook(text: str, written: str) -> None:
    # jq 1.6 and 1.8.2: "Invalid \\uXXXX\\uXXXX surrogate pair escape", and nothing of the document is read
    data = compact.to_bytes(text)
    assert data == written.encode()
    json.loads(data)


def test_html_safe_equals_the_output_of_go() -> None:
    # Go's encoding/json: < > & U+2028 U+2029 (crush 2.1)
    assert compact.html_safe('{"c":"a && b > c < d \u2028\u2029"}') == (
        '{"c":"a \\u0026\\u0026 b \\u003e c \\u003c d \\u2028\\u2029"}'
    )
