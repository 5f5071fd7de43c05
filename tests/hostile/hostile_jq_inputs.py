"""Inputs that are large, deep, endless or odd, for jq.

``text_of`` makes those with an end, of about so many bytes; ``ENDLESS`` are chunks that come for ever.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache

from pyshellhooks.streams import Stream

LARGEST = 16_000_000  # bytes: the most that anybody may hand us
READ_AT_ONCE = 1_900_000  # bytes: what is read so fast that a program gets its turn


def _fill(size: int, text: str) -> str:
    return text * (size // len(text.encode()))


def _array(size: int, of: Callable[[int], str], each: int) -> str:
    return "[" + ",".join(of(n) for n in range(size // each)) + "]"


INPUTS: dict[str, Callable[[int], str]] = {
    "null": lambda size: "null",
    "numbers": lambda size: _array(size, lambda n: str(n * 7919 % 999_983), 8),
    "ones": lambda size: _array(size, lambda n: "1", 2),
    "odd numbers": lambda size: _array(size, lambda n: f"{n}.10e{n % 300}", 14),
    "long numbers": lambda size: _array(size, lambda n: "1" * 1000 + str(n), 1010),
    "strings": lambda size: _array(size, lambda n: f'"s{n * 7919 % 999_983}"', 11),
    "long strings": lambda size: _array(size, lambda n: '"' + "ab" * 50_000 + f'{n}"', 100_010),
    "arrays": lambda size: _array(size, lambda n: f"[{n},{-n}]", 16),
    "empty arrays": lambda size: _array(size, lambda n: "[]", 3),
    "objects": lambda size: _array(size, lambda n: f'{{"a":{n * 7919 % 999_983},"b":"x{n}"}}', 30),
    "entries": lambda size: _array(size, lambda n: f'{{"key":"k{n}","value":{n}}}', 35),
    "object": lambda size: "{" + ",".join(f'"k{n}":{n}' for n in range(size // 18)) + "}",
    "long keys": lambda size: "{" + ",".join(f'"{"k" * 1000}{n}":{n}' for n in range(size // 1020)) + "}",
    "one key again": lambda size: "{" + ",".join('"a":1' for _ in range(size // 6)) + "}",
    "string": lambda size: '"' + _fill(size, "a") + '"',
    "words": lambda size: '"' + _fill(size, "a, b ") + '"',
    "wide string": lambda size: '"' + _fill(size, "é") + '"',
    "astral string": lambda size: '"' + _fill(size, "😀") + '"',
    "escaped string": lambda size: '"' + _fill(size, "\\u00e9") + '"',
    "halves": lambda size: '"' + _fill(size, "\\ud83d\\ude00") + '"',
    "quotes": lambda size: '"' + _fill(size, '\\"') + '"',
    "controls": lambda size: '"' + _fill(size, "\\u0001") + '"',
    "percents": lambda size: '"' + _fill(size, "%41") + '"',
    "base64": lambda size: '"' + _fill(size, "YWJj") + '"',
    "lines of text": lambda size: _fill(size, "a line of text\n"),
    "one line of text": lambda size: _fill(size, "no end "),
    "digits": lambda size: "1" + _fill(size, "2"),
    "digits after the point": lambda size: "1." + _fill(size, "2"),
    "digits as a string": lambda size: '"1' + _fill(size, "2") + '"',
    "zeros as a string": lambda size: '"0.' + _fill(size, "0") + '1"',
    "json in a string": lambda size: '"' + _fill(size, "[1,2.5,{}],")[:-1].join(("[", "]")) + '"',
    "brackets in a string": lambda size: '"' + _fill(size, "[") + '"',
    "deep": lambda size: "[" * 9_999 + "]" * 9_999,
    "deep object": lambda size: '{"a":' * 9_999 + "1" + "}" * 9_999,
    "too deep": lambda size: _fill(size, "["),
    "too deep object": lambda size: _fill(size, '{"a":'),
    "deep often": lambda size: ("[" * 5_000 + "]" * 5_000 + "\n") * (size // 10_001),
    "json lines": lambda size: _fill(size, '{"a":1,"b":[1,2.50],"s":"text"}\n'),
    "tiny texts": lambda size: _fill(size, "1 "),
    "blanks": lambda size: _fill(size, " ") + "1",
    "newlines": lambda size: _fill(size, "\n") + "1",
    "truncated": lambda size: _array(size, lambda n: f'{{"a":{n}}}', 12)[:-5],
    "records": lambda size: _fill(size, "\x1e[1,2]\n"),
    "broken records": lambda size: _fill(size, "\x1e[1,"),
    "a's and no b": lambda size: '"' + "a" * 40 + '!"',
    "many a's": lambda size: '"' + "a" * 200_000 + '!"',
    "dates": lambda size: '"' + _fill(size, "2015-03-05T23:51:47Z") + '"',
    "code points": lambda size: _array(size, lambda n: str(n % 55_000), 6),
    "pairs": lambda size: "[" + ("[" + "1," * (size // 4) + "1],") + ("[" + "1," * (size // 4) + "2]") + "]",
    "small": lambda size: json.dumps({"a": [1, 2, {"b": "text"}], "s": "abc"}),
}
ENDLESS = {
    "endless numbers": b"1\n" * 16_384,
    "endless array": b"1," * 16_384,
    "endless string": b"a" * 32_768,
    "endless brackets": b"[" * 32_768,
    "endless blanks": b" " * 32_768,
    "endless lines": b"text text\n" * 3_000,
    "endless digits": b"1" * 32_768,
}
OPENINGS = {"endless array": b"[", "endless string": b'"'}


class Endless(Stream):
    """A pipe whose writer never stops."""

    def __init__(self, opening: bytes, chunk: bytes) -> None:
        super().__init__()
        self._next = opening + chunk
        self._chunk = chunk

    def read(self, size: int = 65536, /) -> bytes:
        data, self._next = self._next[:size], self._next[size:] or self._chunk
        return data


@lru_cache(maxsize=2)
def text_of(name: str, size: int) -> bytes:
    """Make an input of about so many bytes."""
    return INPUTS[name](size).encode()
