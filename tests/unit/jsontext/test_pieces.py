"""What is done to large JSON in pieces gives what one call for the whole gives: values, texts, mistakes and their places."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_json import Odd

from pyshellhooks.jsontext import chunked_reader as reader
from pyshellhooks.jsontext import chunked_writer as writer
from pyshellhooks.jsontext import chunks, compact, walk

SIZES = (1, 2, 7, 64)
SEEDS = st.integers(0, 2**32)
DECODERS = {
    "plain": compact._decoder,
    "spelled": compact._spelled,
    "careful": compact._careful,
}


def outcome(call: Callable[[], object]) -> object:
    """Return what a call gives, or what it raises, with its place."""
    try:
        return repr(call())
    except json.JSONDecodeError as error:
        return error.msg, error.pos, error.lineno, error.colno, error.doc
    except (ValueError, TypeError, RecursionError) as error:
        return type(error), str(error)


@settings(max_examples=400, deadline=None)
@given(SEEDS, st.sampled_from(sorted(DECODERS)))
def test_reading(seed: int, name: str) -> None:
    text = Odd(seed).text()
    decoder = DECODERS[name]
    whole = outcome(lambda: decoder.decode(text))
    scan = decoder.scan_once  # type: ignore[attr-defined]
    looked = "None" if isinstance(whole, str) else whole
    for size in SIZES:
        assert outcome(lambda size=size: reader.read_all(scan, text, size)) == whole
        assert outcome(lambda size=size: reader.look_at_all(scan, text, size)) == looked


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(SEEDS)
def test_members_and_ends_of_values(seed: int) -> None:
    text = Odd(seed).object()
    scan = compact._spelled.scan_once  # type: ignore[attr-defined]
    end = compact._spelled.raw_decode(text)[1]
    assert reader.look_deep(scan, text + "x", 0) == end
    first = chunks.blanks_end(text, 1)
    for size in SIZES:
        assert reader.value_end(scan, text, 0, size) == end
        if text[first] != "}":
            assert list(reader.members(scan, text, first, size)) == compact.members(text)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(SEEDS)
def test_changes_of_texts(seed: int) -> None:
    odd = Odd(seed)
    text, noise = odd.document(), odd.text()
    for size in SIZES:
        assert chunks.compacted(text, compact.compact, size) == compact.compact(text)
        assert chunks.escapes_changed(noise, compact.replace_lone_surrogates, size) == compact.replace_lone_surrogates(
            noise
        )
        assert chunks.changed(noise, compact.html_safe, size) == compact.html_safe(noise)
        assert chunks.changed(noise, compact.well_formed, size) == compact.well_formed(noise)
        assert "".join(chunks.escaped_pieces(noise, size)) == noise


@settings(max_examples=300, deadline=None)
@given(SEEDS)
def test_writing(seed: int) -> None:
    value = Odd(seed).value()
    whole = outcome(lambda: compact._encode(value))
    for batch, light in ((1, 1), (2, 3), (7, 10), (64, 5)):
        assert outcome(lambda batch=batch, light=light: writer.write(value, compact._encode, batch, light)) == whole


@given(st.text(), st.sampled_from(SIZES))
def test_strings(text: str, size: int) -> None:
    written = compact._string(text)
    assert chunks.encoded_string(text, size) == written
    for spelled in (written, json.dumps(text)):
        assert chunks.scanned_string(spelled + '"x', 0, size) == (text, len(spelled))


@given(st.binary(max_size=40), st.sampled_from(["replace", "surrogateescape"]), st.sampled_from(SIZES))
def test_decoding(data: bytes, errors: str, size: int) -> None:
    data = data + data.decode("latin-1").encode()
    assert chunks.decoded(data, errors, size) == data.decode("utf-8", errors)


@given(st.lists(st.text(max_size=3)), st.sampled_from(["", ",", "\n"]))
def test_joining(parts: list[str], separator: str) -> None:
    assert chunks.joined(separator, iter(parts), 2) == separator.join(parts)


def test_a_dict_of_pairs() -> None:
    assert chunks.mapped([("a", 1), ("b", 2), ("a", 3)]) == {"a": 3, "b": 2}


@given(st.text(alphabet="deny KİDΣς", max_size=30), st.sampled_from(SIZES))
def test_words_in_whatever_case(text: str, size: int) -> None:
    assert chunks.holds(text, ("deny", "key"), size) == ("deny" in text.lower() or "key" in text.lower())


@pytest.mark.parametrize("depth", [90, 120, 500, 5000])
@pytest.mark.parametrize(("begin", "end"), [("[", "]"), ('{"a":', "}"), ('[{"b":1,"a":', "}]")])
def test_depth_is_refused_where_the_scanner_refuses_it(depth: int, begin: str, end: str) -> None:
    text = begin * depth + "1" + end * depth
    scan = compact._spelled.scan_once  # type: ignore[attr-defined]
    whole = outcome(lambda: compact._spelled.decode(text))
    for size in (16, 1000, 4000):
        assert (outcome(lambda size=size: reader.read_all(scan, text, size))) == whole
        assert reader.value_end(scan, text, 0, size) == len(text)
    nested: list[object] = []
    for _ in range(depth):
        nested = [nested]
    written = outcome(lambda: compact._encode(nested))
    assert (isinstance(written, str)) == isinstance(outcome(lambda: writer.write(nested, compact._encode, 1, 1)), str)


def test_a_value_that_holds_itself() -> None:
    loop: list[object] = [1, 2, 3]
    loop.append({"a": loop})
    with pytest.raises(ValueError, match="Circular reference"):
        writer.write(loop, compact._encode, 2, 2)
    again = [[1, 2, 3]]
    assert writer.write([again, again], compact._encode, 1, 1) == "[[[1,2,3]],[[1,2,3]]]"


def test_an_invalid_string_costs_no_time_in_the_depth() -> None:
    # It took twice the time for each character more.
    assert walk.skip('["' + "a" * 200 + '\1"]', 0) == (1, False)
    with pytest.raises(compact.WireError):
        compact.validate("[" * 5000 + '"' + "a" * 200 + '\1"' + "]" * 5000)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take everything for large, and pieces of a few characters."""
    from pyshellhooks.hooks import fields, output
    from pyshellhooks.jsontext import recover, skeleton

    for module in (compact, chunks, output, fields, skeleton, recover, writer):
        monkeypatch.setattr(module, "LARGE", 24)  # more than a piece with what an escape adds to it
    for module in (chunks, reader, recover):
        monkeypatch.setattr(module, "PIECE", 7)
    for module in (compact, chunks):
        monkeypatch.setattr(module, "MANY", 2)
    monkeypatch.setattr(skeleton, "_MANY", 1)
    monkeypatch.setattr(skeleton, "_SHORT", 1)


@pytest.mark.usefixtures("tiny")
class TestWire:
    """What is built on it, where everything is large."""

    @pytest.mark.one_in(4)
    @pytest.mark.parametrize("seed", range(300))
    def test_texts(self, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
        text = Odd(seed).text()
        calls: list[Callable[[], object]] = [
            lambda: compact.loads(text),
            lambda: compact.validate(text),
            lambda: compact.fields_of(text),
            lambda: compact.to_bytes(text),
            lambda: compact.dumps({"text": text, "list": [text] * 9}),
            lambda: compact.document({"text": text, "n": [1.5] * 9}),
        ]
        found = [outcome(call) for call in calls]
        monkeypatch.undo()
        assert found == [outcome(call) for call in calls]

    def test_numbers_of_many_digits(self) -> None:
        assert compact.loads(f'{{"n": [1, {"1" * 5000}]}}') == {"n": [1, sys.float_info.max]}


def test_deep_texts() -> None:
    deep = "[" * 200_000 + "]" * 200_000  # Python 3.14 reads 50,000 levels
    text = f'{{"a":{deep}, "b": 1 }}'
    assert compact.fields_of(text) == {"a": deep, "b": 1}
    with pytest.raises(compact.TooDeep):
        compact.loads(text)
    with pytest.raises(compact.WireError, match="it is not JSON at character 400005"):
        compact.validate(text.replace(", ", "; "))


@pytest.mark.usefixtures("tiny")
class TestAnswers:
    """Answers, and what stands in noise, where everything is large."""

    def test_unread_values_hold_no_memory(self) -> None:
        from pyshellhooks.jsontext.skeleton import loads_outline

        text = ' {"updatedInput": {"a": [1]}, "x": [ ], "y": {}, "context": [[2]], "z": 5, "hookSpecificOutput": {"b": [3]}}'
        assert loads_outline(text) == {
            "updatedInput": {"": None},
            "x": [],
            "y": {},
            "context": [[2]],
            "z": 5,
            "hookSpecificOutput": {"b": [None]},
        }
        assert loads_outline("[[1], [2], [3], [4], [5], [6]]") == [[1], [2], [3], [4], [5], [6]]
        with pytest.raises(compact.WireError, match="Expecting ',' delimiter at line 1 column 29"):
            loads_outline("[[1], [2], [3], [4], [5], 6 [2]]")

    def test_objects_in_noise(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from pyshellhooks.jsontext import recover

        monkeypatch.setattr(recover, "_PARTS", (8, 30))
        texts = [
            'log {x {"decision": "deny"} {  \n\n\n\n\n\n\n\n\n  "reason": "a longer text, and more of it"} {"',
            "{" * 30 + "}",
        ]
        found = [list(recover.objects(text)) for text in texts]
        assert found == [[{"decision": "deny"}, {"reason": "a longer text, and more of it"}], [{}]]
