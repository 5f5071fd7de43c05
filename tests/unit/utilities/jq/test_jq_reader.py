"""Reading JSON: the two speeds agree, pieces do not matter, nothing runs on for long, and limits hold."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

from pyshellhooks.cancel import CancelScope
from pyshellhooks.command import Call
from pyshellhooks.errors import Stop
from pyshellhooks.fs.memory import MemoryFS
from pyshellhooks.limits import Limits
from pyshellhooks.streams import BytesReader, Capture, Stream
from pyshellhooks.utilities.jq.errors import JqError
from pyshellhooks.utilities.jq.inputs import InputError, open_inputs
from pyshellhooks.utilities.jq.json import reader
from pyshellhooks.utilities.jq.json.reader import END, MORE, ParseError, Parser, loads, read_text, read_values
from pyshellhooks.utilities.jq.json.streaming import Streamer
from pyshellhooks.utilities.jq.json.utf8 import decode
from pyshellhooks.utilities.jq.running import Run


class CountedPieces(Stream):
    """Gives pieces one by one, and says how many were asked for."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        super().__init__()
        self.pieces = pieces
        self.reads = 0

    def read(self, size: int = 65536, /) -> bytes:
        self.reads += 1
        return next(self.pieces, b"")


def make_run(
    stdin: bytes | Stream = b"", files: dict[str, bytes] | None = None, limits: Limits | None = None
) -> tuple[Run, Capture]:
    fs = MemoryFS()
    fs.mkdir("/w")
    for name, content in (files or {}).items():
        stream = fs.open(f"/w/{name}", os.O_WRONLY | os.O_CREAT).retain()
        stream.write(content)
        stream.release()
    error = Capture(1 << 16)
    call = Call(
        ["jq"],
        env={},
        cwd="/w",
        fs=fs,
        stdin=(BytesReader(stdin) if isinstance(stdin, bytes) else stdin).retain(),
        stdout=Capture(1 << 16),
        stderr=error,
        scope=CancelScope(timeout=30),
        limits=limits or Limits(),
        start=None,  # type: ignore[arg-type]
    )
    return Run(call), error


def nothing() -> None:
    """Check nothing."""


def read_in_pieces(text: str, size: int) -> list[Any]:
    parser = Parser(nothing)
    values: list[Any] = []
    for at in range(0, len(text) + size, size):
        parser.feed(text[at : at + size], at >= len(text))
        while (value := parser.next()) is not MORE and value is not END:
            values.append(value)
    return values


def make_value(chance: random.Random, depth: int = 0) -> Any:
    kind = chance.randrange(5 if depth > 3 else 8)
    if kind == 0:
        return chance.choice([0, -1, 7, 12345, 0.5, 3.25, 123456.789, 10**15 - 1])
    if kind == 1:
        return chance.choice([True, False, None])
    if kind < 5:
        return "".join(
            chance.choices(["a", "é", "😀", "\n", '"', "\\", "{", "]", ",", ":", " " * 9], k=chance.choice([0, 3, 99]))
        )
    if kind < 7:
        return [make_value(chance, depth + 1) for _ in range(chance.randrange(6))]
    return {f"{chance.choice('abé')}{number}": make_value(chance, depth + 1) for number in range(chance.randrange(6))}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("escaped", [True, False])
def test_pieces_of_any_size_give_the_same(indent: int | None, escaped: bool) -> None:
    chance = random.Random(11)
    values = [make_value(chance) for _ in range(60)]
    text = "\n".join(json.dumps(value, ensure_ascii=escaped, indent=indent) for value in values)
    for size in (1, 2, 3, 7, 64, 1000, 65536):
        assert read_in_pieces(text, size) == values


def test_the_two_speeds_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(12)
    texts = [json.dumps([make_value(chance) for _ in range(20)]) for _ in range(20)]
    fast = [loads(text, nothing) for text in texts]
    monkeypatch.setattr(reader, "WHOLE", 0)
    for size in (50, 700, 65536):
        monkeypatch.setattr(reader, "PIECE", size)
        assert [loads(text, nothing) for text in texts] == fast
    monkeypatch.setattr(reader, "_TRIES", 0)
    assert [loads(text, nothing) for text in texts] == fast


@pytest.mark.slow
def test_a_large_text_is_scanned_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    value = {
        "name": "x",
        "input": {f"field {number}": f"value {number}" for number in range(100_000)},
        "list": list(range(99_999)),
    }
    text = json.dumps(value)
    assert len(text) > reader.WHOLE
    scan, largest = reader.scan, 0

    def watched(text: str, at: int) -> tuple[Any, int]:
        nonlocal largest
        largest = max(largest, len(text) - at)
        return scan(text, at)

    monkeypatch.setattr(reader, "scan", watched)
    assert loads(text, nothing) == value
    assert 0 < largest <= 2 * reader.PIECE


ROWS: dict[str, Any] = {
    "objects": [{"n": n, "s": f"text {n}"} for n in range(3000)],
    "arrays": [[n, [n, f"a],{n}" if n % 50 == 0 else "b"]] for n in range(3000)],
    "objects in objects": {f"k{n}": {"n": n, "s": "a} b", "o": {"x": [n, n]}} for n in range(3000)},
    "mixed": [n if n % 3 else {"a": [n, {}], "b": "],},"} for n in range(3000)],
    "deep in the end": [[[[{"n": n} for n in range(3000)]]]],
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ROWS)
def test_many_members_are_read_at_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    value = {"tool_name": "bash", "content": ROWS[name], "tool_input": {"command": "ls"}}
    scan, calls = reader.scan, 0

    def watched(text: str, at: int) -> tuple[Any, int]:
        nonlocal calls
        calls += 1
        return scan(text, at)

    monkeypatch.setattr(reader, "scan", watched)
    for indent in (None, 1):
        text = json.dumps(value, indent=indent)
        for size in (1000, 4096, 65536):
            calls = 0
            assert read_in_pieces(text, size) == [value]
            assert calls < 40 * (len(text) // size + 1)


def test_a_repeated_key_keeps_its_place() -> None:
    members = [f'"k{number % 7000}":{number}' for number in range(20_000)]
    for text in ('{"b":1,"a":2,"b":3}', f"{{{','.join(members)}}}"):
        assert list(loads(text, nothing).items()) == list(json.loads(text).items())
        assert list(read_in_pieces(text, 1000)[0].items()) == list(json.loads(text).items())


def test_the_depth_of_brackets_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["[" * 500 + "]" * 500, "[" + "[]," * 20_000 + "{}]", '{"a":' * 300 + "[" + "{}," * 9000 + "1]" + "}" * 300]
    values = [loads(text, nothing) for text in texts]
    monkeypatch.setattr(reader, "_goes_deep", lambda: True)
    monkeypatch.setattr(reader, "DEPTH", 700)
    assert [loads(text, nothing) for text in texts] == values
    for text in ("[" * 701 + "]" * 701, '{"a":' * 351 + "1" + "}" * 351):
        with pytest.raises(ParseError, match="Exceeds depth limit"):
            loads(text, nothing)


@pytest.mark.parametrize("text", ["[" * 10_000 + "]" * 10_000, '{"a":' * 5000 + "1" + "}" * 5000])
def test_texts_as_deep_as_jq_takes(text: str) -> None:
    value = loads(text, nothing)
    depth = 0
    while value and value != 1:
        value = value[0] if type(value) is list else value["a"]
        depth += 1
    assert depth == (9999 if text[0] == "[" else 5000)


@pytest.mark.parametrize("text", ["[" * 10_001 + "]" * 10_001, '{"a":' * 5001 + "1" + "}" * 5001])
def test_texts_that_are_too_deep(text: str) -> None:
    with pytest.raises(ParseError, match="Exceeds depth limit for parsing at line 1, column"):
        loads(text, nothing)


def test_messages_of_fromjson() -> None:
    run, _ = make_run()
    for text, message in {
        "": "Expected JSON value",
        "1 2": "Unexpected extra JSON values",
        "1 ]": "Unmatched ']' at line 1, column 3",
        "{a:1}": "Invalid numeric literal at line 1, column 3",
        "[1\n,é": "Unfinished JSON term at EOF at line 2, column 3",
    }.items():
        with pytest.raises(JqError) as caught:
            read_text(run, text)
        expected = {"[1\n,é": "Invalid numeric literal at EOF at line 2, column 3"}.get(text, message)
        assert caught.value.value == f"{expected} (while parsing '{text}')"


def test_the_end_of_a_file_that_is_not_seen() -> None:
    run, _ = make_run()
    assert read_values(run, b"1 2") == [1, 2]
    assert read_values(run, b"1" + b" " * 4094 + b"2") == [1]  # as jq: a full block, and no look behind it
    with pytest.raises(ParseError, match="Unfinished string at EOF"):
        read_values(run, b'1 "')


def test_values_are_yielded_before_the_rest_is_read() -> None:
    pieces = CountedPieces(iter([b'{"a":1}', b" [2,", b"3] 4", b"\n", b"]"]))
    run, _ = make_run(pieces)
    inputs = open_inputs(run, [])
    assert (inputs.next(), pieces.reads) == ({"a": 1}, 1)
    assert (inputs.next(), pieces.reads) == ([2, 3], 3)
    assert (inputs.next(), pieces.reads) == (4, 4)
    with pytest.raises(InputError, match="Unmatched ']' at line 2, column 1"):
        inputs.next()


def test_events_are_yielded_before_the_rest_is_read() -> None:
    pieces = CountedPieces(iter([b'{"a":[1,', b'2],"a":', b"3,]"]))
    run, _ = make_run(pieces)
    inputs = open_inputs(run, [], stream=True)
    assert (inputs.next(), pieces.reads) == ([["a", 0], 1], 1)
    assert (inputs.next(), pieces.reads) == ([["a", 1], 2], 2)
    assert (inputs.next(), pieces.reads) == ([["a", 1]], 2)
    assert (inputs.next(), pieces.reads) == ([["a"], 3], 3)
    with pytest.raises(InputError, match="Expected another array element at line 1, column 18"):
        inputs.next()


def test_an_endless_stream_of_values() -> None:
    run, _ = make_run(CountedPieces(iter(lambda: b'{"a":[1,2]} "x"\n12 ', b"")))
    inputs = open_inputs(run, [])
    assert [inputs.next() for _ in range(3000)] == [{"a": [1, 2]}, "x", 12] * 1000


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("piece", "kind"), [(b'["a",', {}), (b"1" * 999, {}), (b'"' + b"x" * 998, {}), (b"\\u", {"raw": True})]
)
def test_one_input_has_a_bound(piece: bytes, kind: dict[str, bool]) -> None:
    def endless() -> Iterator[bytes]:
        yield piece
        while True:
            yield piece[1:] if piece[:1] in b'["' else piece

    run, _ = make_run(CountedPieces(endless()), limits=Limits(string=100_000))
    with pytest.raises(Stop, match="jq: an input is larger than 100000 characters"):
        open_inputs(run, [], **kind).next()


def test_lines_and_values_together_are_not_bounded() -> None:
    line = b'{"a":"' + b"x" * 90 + b'"}\n'
    for kind in ({}, {"stream": True}, {"raw": True}, {"slurp": True}):
        run, _ = make_run(line * 5000, limits=Limits(string=100_000))
        inputs = open_inputs(run, [], **kind)
        count = 0
        while (value := inputs.next()) is not END:
            count += len(value) if kind == {"slurp": True} else 1
        assert count == (10_000 if "stream" in kind else 5000)


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "text", ["[" + "nan," * 50_000, '["' + "\\udc00" * 50_000 + '"', "[" * 9000 + "1," * 50_000, "1 " * 50_000]
)
@pytest.mark.parametrize("kind", [{}, {"stream": True}, {"slurp": True}])
def test_reading_polls_the_deadline(text: str, kind: dict[str, bool]) -> None:
    run, _ = make_run(text.encode())
    inputs = open_inputs(run, [], **kind)
    asked = 0
    check = Run.check

    def stop(self: Run) -> None:
        nonlocal asked
        asked += 1
        if asked > 2:
            raise Stop("deadline")
        check(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Run, "check", stop)
        run, _ = make_run(text.encode())
        inputs = open_inputs(run, [], **kind)
        with pytest.raises(Stop):
            for _ in range(200_000):
                inputs.next()


def test_files_that_can_not_be_read() -> None:
    run, error = make_run(files={"a": b"1 2", "b": b"3"})
    run.call.fs.mkdir("/w/d")
    inputs = open_inputs(run, ["no", "a", "d", "b"])
    assert [inputs.next() for _ in range(3)] == [1, 23, END]
    assert inputs.failures == 2
    assert (inputs.file(), inputs.line()) == ("b", 0)
    assert (
        error.getvalue() == b"jq: error: Could not open file no: No such file or directory\njq: error: Is a directory\n"
    )


def test_where_we_are() -> None:
    run, _ = make_run(b'{"a":\n1}\n2 3\n', files={"f": b"\n\n4"})
    inputs = open_inputs(run, ["-", "f"])
    assert (inputs.file(), inputs.line(), inputs.position()) == (None, 0, "<unknown>")
    places = []
    while inputs.next() is not END:
        places.append(inputs.position())
    assert places == ["<stdin>:2", "<stdin>:3", "<stdin>:3", "f:2"]
    assert inputs.position() == "f:2"


def test_a_slurped_stream_keeps_the_values_before_a_mistake() -> None:
    run, _ = make_run(b"1 2 ]\n3")
    inputs = open_inputs(run, [], slurp=True)
    with pytest.raises(InputError, match="Unmatched ']' at line 1, column 5"):
        inputs.next()
    assert inputs.next() == [1, 2, 3]
    assert inputs.next() is END


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xe2\x82\xac", "€"),
        (b"a\xe2b", "a\ufffd"),  # a sequence that seems cut off takes the rest along
        (b"a\xe2bc", "a\ufffdbc"),
        (b"\xed\xa0\x80.", "\ufffd."),
        (b"\xf4\x90\x80\x80", "\ufffd"),
        (b"\xc0\x80\xff", "\ufffd\ufffd\ufffd"),
        (b"\xf0\x9f\x98", "\ufffd"),
        (b"\xf0\x9fabc", "\ufffdabc"),
    ],
)
def test_bytes_that_are_no_utf8(data: bytes, text: str) -> None:
    assert decode(data) == text


def test_events_of_deep_texts() -> None:
    streamer = Streamer(nothing)
    streamer.feed("[" * 20_000 + "]" * 20_000, True)
    event = streamer.next()
    assert (len(event[0]), event[1]) == (19_999, [])
    assert [len(streamer.next()[0]) for _ in range(3)] == [19_999, 19_998, 19_997]
