"""Format strings: answers of jq 1.8.2, and long texts in pieces."""

from __future__ import annotations

import base64
import random
from typing import Any

import pytest

from pyshellhooks.utilities.jq.errors import JqError
from pyshellhooks.utilities.jq.functions import formats


class CountingRun:
    """A run that counts how often it is asked, and the longest text it is told of."""

    def __init__(self) -> None:
        self.checks = self.longest = 0

    def check(self) -> None:
        self.checks += 1

    def array(self, length: int) -> None: ...
    def made(self, size: int) -> None: ...

    def text(self, size: int) -> None:
        self.longest = max(self.longest, size)


def _format(name: str, value: Any) -> str:
    run: Any = CountingRun()
    return formats.format_value(run, name, value)


@pytest.mark.parametrize(
    ("name", "value", "answer"),
    [
        ("csv", [1, "a\"b", None, True, float("nan"), 1.5], '1,"a""b",,true,,1.5'),
        ("tsv", ["a\tb\\c\r\n", 1, None, False], "a\\tb\\\\c\\r\\n\t1\t\tfalse"),
        ("html", "<a href='x'>\"&\"</a>", "&lt;a href=&apos;x&apos;&gt;&quot;&amp;&quot;&lt;/a&gt;"),
        ("uri", "é -_.~!*'()", "%C3%A9%20-_.~%21%2A%27%28%29"),
        ("urid", "%C3%A9+%2B", "é++"),
        ("sh", ["it's", 1, None, True], "'it'\\''s' 1 null true"),
        ("sh", "a b", "'a b'"),
        ("base64", "sure.", "c3VyZS4="),
        ("base64d", "c3VyZS4=", "sure."),
        ("base64d", "/w==", "\ufffd"),
        ("text", [1, "a"], '[1,"a"]'),
        ("json", "a", '"a"'),
    ],
)  # fmt: skip
def test_formats(name: str, value: Any, answer: str) -> None:
    assert _format(name, value) == answer


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("csv", {"a": 1}, 'object ({"a":1}) cannot be csv-formatted, only array'),
        ("tsv", 1, "number (1) cannot be tsv-formatted, only array"),
        ("csv", [[1]], "array ([1]) is not valid in a csv row"),
        ("tsv", [{}], "object ({}) is not valid in a csv row"),
        ("sh", [[]], "array ([]) can not be escaped for shell"),
        ("urid", "%4", 'string ("%4") is not a valid uri encoding'),
        ("urid", "%ff", 'string ("%ff") is not a valid uri encoding'),
        ("base64d", "a", 'string ("a") trailing base64 byte found'),
        ("base64d", "a b", 'string ("a b") is not valid base64 data'),
        ("base32", "a", "base32 is not a valid format"),
    ],
)
def test_errors(name: str, value: Any, message: str) -> None:
    with pytest.raises(JqError) as caught:
        _format(name, value)
    assert caught.value.value == message


@pytest.mark.parametrize("size", [4, 5, 9, 64])
def test_pieces_of_any_size_give_the_same(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(size)
    text = "".join(chance.choices("ab\"'\\&<\0\té日😀", k=500))
    noise = bytes(chance.choices(bytes.fromhex("41c3a9e282acf09f9880eda0ff80c0e0f490bfc2"), k=500))
    row = ["" if chance.random() < 0.2 else text[:30], 1, None, True] * 9
    values = {name: [text] for name in ("html", "uri", "base64", "sh")}
    values |= {"csv": [row, [], [None]], "tsv": [row], "urid": [_format("uri", text), text.replace("%", "")]}
    values["base64d"] = [base64.b64encode(noise).decode(), base64.b64encode(text.encode()).decode()]
    whole = {(name, index): _format(name, value) for name in values for index, value in enumerate(values[name])}
    monkeypatch.setattr(formats, "_PIECE", size)
    monkeypatch.setattr(formats, "_CELLS", 3)
    assert whole == {(name, index): _format(name, value) for name in values for index, value in enumerate(values[name])}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["base64", "base64d", "csv", "html", "sh", "tsv", "uri", "urid"])
def test_long_texts_are_interruptible(name: str) -> None:
    run: Any = CountingRun()
    text = ("%41a" if name == "urid" else "aaaa") * 2**19
    formats.format_value(run, name, [text] if name in ("csv", "tsv") else text)
    assert run.checks >= 6
    assert run.longest >= len(text) or name in ("base64d", "urid")


def test_long_rows_are_interruptible() -> None:
    run: Any = CountingRun()
    formats.format_value(run, "csv", [1] * 100_000)
    assert run.checks >= 20
