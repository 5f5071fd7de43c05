"""Format strings against the real jq: values and bytes by chance."""

from __future__ import annotations

import base64
import json
import random
from typing import Any

import pytest
from jq_beside import answers

from pyshellhooks.utilities.jq.errors import JqError
from pyshellhooks.utilities.jq.functions.formats import format_value, function
from pyshellhooks.utilities.jq.json.reader import read_text
from pyshellhooks.utilities.jq.json.writer import compact

pytestmark = pytest.mark.oracle

FORMATS = ("text", "json", "csv", "tsv", "html", "uri", "urid", "sh", "base64", "base64d", "base32", "base32d", "Csv")
LETTERS = "abZ09 \t\n\r\0\\\"'&<>%~-_./+=é日😀\x7f\x80\ufffd\u2028"
NUMBERS = "0 -0 1 -1 1.0 1.10 1e1000 -1e1000 nan 0.1 1e17 1e-5 123456789012345678901234567890 5e-324 1E2".split()
BYTES = bytes.fromhex("41c3a9e282acf09f9880eda0ff80c0e0f490bfc2")


class QuietRun:
    """A run without end."""

    def check(self) -> None: ...
    def array(self, length: int) -> None: ...
    def made(self, size: int) -> None: ...
    def text(self, size: int) -> None: ...


RUN: Any = QuietRun()


class Maker:
    """JSON texts by chance."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def bytes(self) -> bytes:
        return bytes(self.random.choices(BYTES, k=self.random.randrange(12)))

    def text(self) -> str:
        chance = self.random
        return chance.choice(
            (
                "".join(chance.choices(LETTERS, k=chance.randrange(10))),
                "".join(chance.choices("0123456789abcdefABCDEF%%%%%", k=chance.randrange(8))),
                "".join(f"%{byte:02x}" for byte in self.bytes()),
                base64.b64encode(self.bytes()).decode(),
                base64.b64encode(self.bytes()).decode()[: chance.randrange(12)],
                "".join(chance.choices("AZaz09+/=", k=chance.randrange(12))),
                "%e9%" + chance.choice(("", "4", "zz", "41", "é")),
            )
        )

    def value(self, depth: int = 0) -> str:
        chance = self.random.randrange(9 if depth < 2 else 5)
        if chance < 3:
            return json.dumps(self.text())
        if chance < 5:
            return self.random.choice((*NUMBERS, "true", "false", "null", "[]", "{}"))
        items = [self.value(depth + 1) for _ in range(self.random.randrange(5))]
        if chance < 8:
            return f"[{','.join(items)}]"
        return "{" + ",".join(f'"{key}":{item}' for key, item in enumerate(items)) + "}"

    def row(self) -> str:
        items = [self.random.choice((*NUMBERS, "true", "null", json.dumps(self.text()))) for _ in range(5)]
        return f"[{','.join(items)}]"


def _answer(name: str, value: Any) -> str:
    try:
        return compact(RUN, [format_value(RUN, name, value)])
    except JqError as error:
        return compact(RUN, error.value)


@pytest.mark.parametrize("name", FORMATS)
def test_values(name: str) -> None:
    maker = Maker(1)
    inputs = [maker.value() for _ in range(1500)] + [maker.row() for _ in range(500)]
    wrong = []
    for text, line in zip(inputs, answers(f"try [@{name}] catch .", inputs), strict=True):
        ours = _answer(name, read_text(RUN, text))
        if ours != line:
            wrong.append(f"{text}: ours {ours}, jq {line}")
    assert not wrong, f"{len(wrong)} differ\n" + "\n".join(wrong[:20])


def test_format_by_name() -> None:
    names = ['"csv"', '"csv\\u0000x"', '"none"', '"none\\u0000x"', '""', "null", "1", '["csv"]', "{}", '"@csv"']
    theirs = answers(". as $name | try ([1] | format($name)) catch .", names)
    for name, line in zip(names, theirs, strict=True):
        try:
            ours: Any = function.functions["format/1"].run(RUN, [1], json.loads(name))
        except JqError as error:
            ours = error.value
        assert compact(RUN, ours) == line
