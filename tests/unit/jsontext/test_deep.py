"""JSON that nests deeper than the stack hides nothing."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyshellhooks.hooks.aggregate import shallow_merge
from pyshellhooks.jsontext import compact
from pyshellhooks.jsontext.compact import TooDeep, WireError
from pyshellhooks.jsontext.recover import objects
from pyshellhooks.jsontext.walk import skip

DEPTH = 200_000  # Python 3.14 reads 50,000 levels with a stack of 8 MB
DEEP = "[" * DEPTH + "]" * DEPTH
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


@pytest.mark.slow
@given(VALUES, st.sampled_from(["", " ", ",", "]", "x"]), st.booleans())
def test_it_ends_where_the_scanner_does(value: object, tail: str, spaced: bool) -> None:
    text = json.dumps(value, indent=1 if spaced else None) + tail
    end = json.JSONDecoder().raw_decode(text)[1]
    assert skip(text, 0) == (end, True)


@given(st.text(alphabet='{}[],:"a1\\ ', max_size=8))
def test_it_accepts_the_same_texts_as_the_scanner(text: str) -> None:
    try:
        end: int | None = json.JSONDecoder().raw_decode(text.lstrip())[1]
    except ValueError:
        end = None
    found, valid = skip(text.lstrip(), 0)
    assert (found if valid else None) == end


@pytest.mark.parametrize(
    "text", ["", "{", "[1,]", '{"a":1,}', '{"a" 1}', "]", "[1 2]", '{"a":}', '["\x01"]', "nul", "{1:2}"]
)
def test_texts_that_are_not_json(text: str) -> None:
    assert skip(text, 0)[1] is False


def test_depth_is_no_reason_to_call_it_invalid() -> None:
    compact.validate(DEEP)
    compact.validate('{"a":' + DEEP + "}  ")
    with pytest.raises(WireError):
        compact.validate(DEEP[:-1])
    with pytest.raises(WireError):
        compact.validate(DEEP + "x")
    with pytest.raises(TooDeep):
        compact.loads(DEEP)


def test_members_patches_and_salvage_see_past_it() -> None:
    text = '{"x":' + DEEP + ',"command":"rm"}'
    assert compact.members(text) == [("x", DEEP), ("command", '"rm"')]
    merged, refused = shallow_merge(text, ['{"command":"ls"}'])
    assert merged == '{"x":' + DEEP + ',"command":"ls"}' and refused == []
    assert list(objects("log " + text)) == [{"x": None, "command": "rm"}]
