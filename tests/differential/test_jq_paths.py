"""The fast path against libjq: on any document both give the same text, or the fast path declines."""

from __future__ import annotations

import json
from json import JSONDecoder
from typing import Any

import jq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyshellhooks.utilities.jq.lexer import Number
from pyshellhooks.utilities.jq.output import Decline, compact
from pyshellhooks.utilities.jq.paths import compile_path
from pyshellhooks.utilities.jq.program import get_program
from pyshellhooks.utilities.jq.syntax import parse

_decode = JSONDecoder(parse_int=Number, parse_float=Number).decode
_compiled: dict[str, Any] = {}

KEYS = st.sampled_from(["a", "b", "c", "", "\u00e9", "A b", "value"])
TEXT = st.text(max_size=6).filter(lambda text: not any("\ud800" <= c < "\ue000" for c in text)) | KEYS
NUMBERS = st.sampled_from(
    ["0", "-0", "1", "-1", "1.0", "1.10", "12345678901234567890", "0.5", "-2.50", "1e5", "1E-7", "0.0000001", "3"]
)
SCALARS = st.none() | st.booleans() | TEXT | NUMBERS.map(Number)
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


def _spell(value: Any) -> str:
    """Write a document with its numbers as they are."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(_spell, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)}: {_spell(v)}" for k, v in value.items()) + "}"
    return json.dumps(value)


STEPS = st.sampled_from(
    [
        ".a",
        ".b",
        '.["c"]',
        '."A b"',
        ".[0]",
        ".[-1]",
        ".[2]",
        ".[]",
        ".a?",
        ".[0]?",
        ".[]?",
        ".a.b",
        ".a[0]",
        ".b[]",
        ".",
    ]
)
LITERALS = st.sampled_from(['"x"', '""', "null", "true", "false", "0", "1.50", "empty", '"\\n\u00e9"'])
FUNCTIONS = st.sampled_from(
    ["length", "type", "keys", "not", "tostring", "tojson", "ascii_downcase", "empty", 'startswith("a")']
    + ['endswith("b")', "map(.a)", "map(.a?)", 'join(",")', "[.[]?]", "select(.)", "[]"]
)
LEAVES = STEPS | LITERALS | FUNCTIONS


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(inner, inner)
    return (
        pair.map(" | ".join)
        | pair.map(lambda p: f"({p[0]}) // ({p[1]})")
        | pair.map(lambda p: f"{p[0]}, {p[1]}")
        | pair.map(lambda p: f"({p[0]}) == ({p[1]})")
        | pair.map(lambda p: f"({p[0]}) != ({p[1]})")
        | pair.map(lambda p: f"({p[0]}) and ({p[1]})")
        | pair.map(lambda p: f"({p[0]}) or ({p[1]})")
        | pair.map(lambda p: f"({p[0]}) + ({p[1]})")
        | pair.map(lambda p: f'"<\\({p[0]})-\\({p[1]})>"')
        | pair.map(lambda p: f"{{a: ({p[0]}), b: ({p[1]})}}")
        | pair.map(lambda p: f"if {p[0]} then {p[1]} end")
        | inner.map(lambda p: f"select({p})")
        | inner.map(lambda p: f"[{p}]")
        | inner.map(lambda p: f"map({p})")
        | inner.map(lambda p: f"({p})?")
    )


PROGRAMS = st.recursive(LEAVES, _larger, max_leaves=4)


def _libjq(program: str, text: str) -> list[str] | None:
    """Give what libjq answers, None where it fails."""
    source = get_program(program).source
    if source not in _compiled:
        _compiled[source] = jq.compile(source)
    found = list(_compiled[source].input_text(text))
    return None if any(isinstance(event, list) for event in found) else found


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(document=DOCUMENTS, program=PROGRAMS)
def test_same_as_libjq(document: Any, program: str) -> None:
    path = compile_path(parse(program))
    if path is None:
        return
    text = _spell(document)
    try:
        mine = [compact(result) for result in path.run(_decode(text))]
    except Decline:
        return
    assert mine == _libjq(program, text), (program, text)


@pytest.mark.parametrize(
    "program",
    [
        ".tool_input.command",
        ".tool_input.command // empty",
        '.a // "none"',
        ".a.b[0].c?",
        '"\\(.a): \\(.b)"',
        ".a, .b",
        "{a, b: .c}",
        '.a == "x" and (.b | not)',
        "[.a[] | .b]",
        '.a | map(select(.k == "v"))',
    ],
)
def test_the_usual_filters_are_paths(program: str) -> None:
    assert compile_path(parse(program)) is not None


@pytest.mark.parametrize(
    "program",
    [".a + 1 * 2", '.a | test("x")', ". as $x | $x", "reduce .[] as $x (0; .)", "$ENV", ".[1e9]", ".a |= 1", "now"]
    + ["|".join(["[., .]"] * 7), "|".join([". + ."] * 7), "|".join([".,."] * 7)],
)
def test_what_is_no_path(program: str) -> None:
    assert compile_path(parse(program)) is None
