"""YAML with positions: YAML 1.2.2, core schema (10.3.2), and what a hostile file may not do."""

from __future__ import annotations

import json
import sys
from time import perf_counter
from typing import Any

import pytest
from clock import patient
from hypothesis import given, settings
from hypothesis import strategies as st

from pyshellhooks.jsontext.document import DEPTH, Document, JsonError, Node, decode_file
from pyshellhooks.jsontext.yaml_document import LARGEST, place_in_scalar, read_yaml


def plain(text: str) -> Any:
    return read_yaml(text, "f.yaml").root.plain()


def at(text: str, *path: str | int) -> tuple[Node, tuple[int, int]]:
    """Follow keys and numbers; give the node and its line and column."""
    document = read_yaml(text, "f.yaml")
    node = document.root
    for step in path:
        found = node.get(step) if isinstance(step, str) else node.value[step]
        assert found is not None
        node = found
    return node, document.place(node.offset)


def problem(text: str) -> tuple[str, int, int, str]:
    with pytest.raises(JsonError) as caught:
        read_yaml(text, "f.yaml")
    error = caught.value
    line, column = Document(text, "f.yaml").place(error.offset)
    return error.message, line, column, error.hint


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # YAML 1.2.2, 10.3.2: what the core schema resolves
        ("null", None), ("~", None), ("", None), ("Null", None), ("nULL", "nULL"),
        ("true", True), ("TRUE", True), ("False", False), ("tRUE", "tRUE"),
        ("0", 0), ("-19", -19), ("+12", 12), ("0o14", 12), ("0x3A", 58), ("007", 7),
        ("1e3", 1000.0), ("+12.5", 12.5), (".5", 0.5), ("0.", 0.0), ("-1E-2", -0.01),
        # and what it does not: YAML 1.1's words and numbers
        ("yes", "yes"), ("on", "on"), ("No", "No"), ("1:30", "1:30"), ("1_000", "1_000"), ("0b11", "0b11"),
        ("2026-11-21", "2026-11-21"), ("-0x1", "-0x1"), (".", "."), ("1e", "1e"), ("=", "="),
        ('"12"', "12"), ("'true'", "true"), ('"null"', "null"), ("|\n  5\n", "5\n"),
        ("12 13", "12 13"),
    ],
)  # fmt: skip
def test_core_scalars(text: str, value: Any) -> None:
    found = plain(f"k: {text}")["k"]
    assert (found, type(found)) == (value, type(value))


def test_a_number_of_many_digits_is_read_without_a_traceback() -> None:
    for number in ("9" * 5000, "9" * 3000, "0x" + "f" * 3900, "1e400"):
        assert plain(f"k: {number}")["k"] == sys.float_info.max
    assert plain("k: -1e400")["k"] == -sys.float_info.max


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("!!str 12", "12"), ("!!str true", "true"), ("! 12", "12"), ("!secret 12", "12"), ("&a !x 12", "12"),
        ("!!int 12", 12), ('!!int "12"', 12), ("!!bool 'true'", True), ("!!null ''", None), ("!!float 3", 3),
        ("!<tag:yaml.org,2002:str> 7", "7"),
    ],
)  # fmt: skip
def test_tags(text: str, value: Any) -> None:
    assert plain(f"k: {text}")["k"] == value


def test_a_tag_that_the_text_belies() -> None:
    assert problem("k: !!int x")[:3] == ('"x" does not match its tag !!int', 1, 4)


def test_directives() -> None:
    assert plain("%YAML 1.2\n%TAG ! tag:x,2000:\n---\na: !y 1\n...\n") == {"a": "1"}
    assert problem("a: 1\n%x")[1] == 2


def test_nodes_know_their_places() -> None:
    text = (
        "# head\nagents:\n  root:\n    hooks: # here\n      - command: |\n          one\n          two\n        n: 5\n"
    )
    assert at(text, "agents", "root", "hooks", 0)[1] == (5, 9)
    assert at(text, "agents", "root", "hooks", 0, "command")[1] == (5, 18)
    node, place = at(text, "agents", "root", "hooks", 0, "n")
    assert (node.value, place) == (5, (8, 12))


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends_are_read_as_one(newline: str) -> None:
    text = "a: |\n  x\n  y\nb: 1\n".replace("\n", newline)
    assert plain(text) == {"a": "x\ny\n", "b": 1}
    assert read_yaml(text, "f").root.value[1].offset == text.index("b")


def test_block_scalars() -> None:
    text = "a: |-\n    if x\n      y\n\n    fi\n\nb: >\n  one\n  two\n\n  three\nc: |+\n  z\n\n"
    assert plain(text) == {"a": "if x\n  y\n\nfi", "b": "one two\nthree\n", "c": "z\n\n"}


@pytest.mark.parametrize(
    "text",
    [
        "k: |\n  one\n\n    two\n  three\nx: 1\n",
        "k: |\r\n  one\r\n  two\r\n",
        "k: &a !!str |-   # said\n      one\n      two",
        "- - |2\n      one\n     two\n",
        "k: |2\n     one\n    two\n",
        "k: |\n\n\n  one\n",
        "k: plain words",
        "k: 'quoted words'",
        'k: "quoted words"',
    ],
)
def test_every_character_of_a_literal_text_is_found_again(text: str) -> None:
    node = read_yaml(text, "f").root
    while node.kind != "string":
        node = node.value[0] if node.kind == "array" else node.value[0].node
    for index, char in enumerate(node.value.rstrip("\n")):
        found = text[place_in_scalar(text, node.offset, index)]
        assert found == char or (char == "\n" and found == "\r"), index


def test_a_character_that_is_written_otherwise_is_where_its_scalar_begins() -> None:
    for text in ('k: "a\\tb"', "k: 'it''s'", "k: one\n  two"):
        assert place_in_scalar(text, 3, 4) == 3
    assert place_in_scalar("k: |\n  ab\n", 3, 99) == 10


def test_anchors_and_aliases_share_a_node() -> None:
    text = "a: &x {b: [1]}\nc: *x\n"
    document = read_yaml(text, "f")
    assert document.root.get("a") is document.root.get("c")
    assert plain(text) == {"a": {"b": [1]}, "c": {"b": [1]}}


def test_merge_keys() -> None:
    text = "a: &a {p: 1, q: 2}\nb: &b {q: 3, r: 4}\none:\n  q: 9\n  <<: *a\ntwo:\n  <<: [*a, *b]\n  s: 5\n"
    assert list(plain(text)["one"].items()) == [("p", 1), ("q", 9)]
    assert list(plain(text)["two"].items()) == [("p", 1), ("q", 2), ("r", 4), ("s", 5)]
    assert at(text, "two", "r")[1] == (2, 17)  # where it was written
    assert plain('"<<": 1') == {"<<": 1}
    assert problem("a:\n  <<: 5")[:3] == ("<< needs a mapping, not a number", 2, 7)
    assert problem("a:\n  <<: [{}, 5]")[0] == "<< needs a mapping, not an array"


def test_a_repeated_key() -> None:
    for text in ("a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n", '{"a": 1, "b": \n\n\n{"c": 1,\n  "c": 3}}'):
        message, line, column, hint = problem(text)
        assert (message, line, column) == ('duplicate key "c" in one mapping', 5, 3)
        assert hint == "put both under one key"
    assert problem('a: 1\n"a": 2')[1] == 2


def test_several_documents() -> None:
    message, line, _, hint = problem("a: 1\n---\nb: 2\n")
    assert "another document" in message and line == 2 and hint == "a file holds one document: remove what follows ---"
    assert plain("---\na: 1\n...\n") == {"a": 1}


@pytest.mark.parametrize("text", ["", "# only this\n", "---\n", "\ufeff", "  \n"])
def test_nothing(text: str) -> None:
    assert plain(text) is None


def test_a_byte_order_mark() -> None:
    assert plain("\ufeffa: 1") == {"a": 1}
    assert decode_file(b"\xef\xbb\xbfa: 1", "f") == ("a: 1", None)


def test_bytes_that_are_not_utf_8() -> None:
    text, diagnostic = decode_file("a: 1\nb: ä\xff".encode("latin-1"), "f.yaml")
    assert text == "" and str(diagnostic).startswith("f.yaml:2:4: error: byte 0xe4 is not UTF-8")


@pytest.mark.parametrize(
    ("text", "line", "column", "hint"),
    [
        ("a:\n\tb: 1", 2, 1, "indent with spaces: YAML allows no tabs there"),
        ("a:\n  b: 1\n \tc: 2", 3, 2, "indent with spaces: YAML allows no tabs there"),
        ("a: b: c", 1, 5, "is the indentation right, or does a text with a colon need quotes?"),
        ("a: 1\n b: 2", 2, 3, "is the indentation right, or does a text with a colon need quotes?"),
        ("a:\n - b\n c: 2", 3, 2, "indent all keys of one mapping equally"),
        ("m: *foo", 1, 4, "quote a text that begins with *"),
        ("a: 'b", 1, 6, ""),
        ("a: [1", 1, 6, ""),
        ('a: "\\q"', 1, 6, ""),
        ("a: x\x01", 1, 5, ""),
        ("a: @b", 1, 4, ""),
        ("? [a]\n: b", 1, 3, ""),
    ],
)
def test_mistakes_have_a_place(text: str, line: int, column: int, hint: str) -> None:
    message, *found = problem(text)
    assert found[:2] == [line, column] and "\n" not in message
    if hint:
        assert found[2] == hint


def test_an_escape_beyond_unicode_is_a_mistake() -> None:
    assert problem('a: "\\U99999999"')[0].startswith("not YAML")
    assert problem('a: "\\U00110000"')[0].startswith("not YAML")


def test_json_is_yaml() -> None:
    text = '{\n\t"a": [1, 2.5, true, null, "\\ud83d\\ude00\\/"],\n\t"b": {"c": "x"}\n}'
    assert plain(text) == json.loads(text)
    assert at(text, "b", "c")[1] == (3, 13)
    assert plain('a: "\\ud83d\\ude00"') == {"a": "\U0001f600"}
    assert plain("{a: 1, b: [x, 'y']}") == {"a": 1, "b": ["x", "y"]}
    assert plain("[a, b]") == ["a", "b"]


def test_aliases_in_themselves() -> None:
    assert problem("a: &x {b: *x}")[0] == "an alias refers to a node that contains it"
    assert problem("&x [*x]")[0] == "an alias refers to a node that contains it"


def test_an_alias_bomb_is_refused_quickly() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    begun = perf_counter()
    message, line, _, _ = problem("\n".join(lines))
    assert str(LARGEST) in message and line == 5 and perf_counter() - begun < patient(2)


def test_a_merge_bomb_is_refused() -> None:
    lines = ["a0: &a0 {" + ", ".join(f"k{n}: x" for n in range(100)) + "}"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 5)]
    assert str(LARGEST) in problem("\n".join(lines))[0]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "text",
    ["[" * (DEPTH + 5) + "]" * (DEPTH + 5), "- " * 5000 + "x", "{a: " * 5000, "[" * 100_000],
    ids=["little too deep", "sequences", "mappings", "far too deep"],
)
def test_deep_nesting_is_refused(text: str) -> None:
    assert str(DEPTH) in problem(text)[0] or "not YAML" in problem(text)[0]


def test_depth_counts_through_aliases() -> None:
    lines = [f"a0: &a0 {'[' * 40}x{']' * 40}"]
    lines += [f"a{n}: &a{n} {'[' * 40}*a{n - 1} {']' * 40}" for n in range(1, 60)]
    message, line, _, _ = problem("\n".join(lines))
    assert f"more than {DEPTH}" in message and line <= 3
    assert plain("[" * (DEPTH - 1) + "x" + "]" * (DEPTH - 1))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from([*"ab:-?*&!|>{}[],'\"#%@\\\n\t\r \x00\x85\ud800", "- ", ": ", "<<: ", "*a", "&a "]), max_size=40
    )
)
def test_whatever_the_text_is_it_is_read_or_refused_with_a_place(pieces: list[str]) -> None:
    text = "".join(pieces)
    try:
        document = read_yaml(text, "f")
    except JsonError as error:
        assert 0 <= error.offset <= len(text) and error.message
    else:
        assert 0 <= document.root.offset <= len(text)


@pytest.mark.slow
@pytest.mark.one_in(3, slow=3)
@pytest.mark.parametrize(
    "text", ["- 1\n" * 2 * LARGEST, f"[{'1,' * 2 * LARGEST}]", "".join(f"k{n}: 1\n" for n in range(2 * LARGEST))]
)
def test_a_long_list_without_aliases_is_no_bomb(text: str) -> None:
    assert len(read_yaml(text, "x.yaml").root.value) == 2 * LARGEST
