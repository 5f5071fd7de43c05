"""Layouts and colors beside the real jq, on random values."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest
from jq_beside import MARKS, RUN, need_jq, read, run_real_jq

from pyshellhooks.utilities.jq.colors import DEFAULT_COLORS, Paint, read_colors
from pyshellhooks.utilities.jq.json.writer import Layout, pieces, write

pytestmark = MARKS

NUMBERS = """
    0 1 -1 -0 1.0 1.10 1.5 -2.25 1e5 1E-7 12345678901234567890 1e1000 -1e1000 NaN 0.1 100 3.0e2 0.00001 9007199254740993 17 17 2.5
""".split()
CHARACTERS = "ab\"\\/\x7f\x00\x1f\n\t\r\b\f\x80\xe9\u2028\u20ac\ud7ff\ufffd\uffff\U0001f600\U0010ffff é<>&'"
LAYOUTS = {
    "-c": Layout(),
    "--indent 2": Layout("  "),
    "--tab": Layout("\t"),
    "--indent 0": Layout(""),
    "--indent 1": Layout(" "),
    "--indent 7": Layout("       "),
    "-S": Layout("  ", sort=True),
    "-cS": Layout(sort=True),
    "-a": Layout("  ", ascii=True),
    "-acS": Layout(ascii=True, sort=True),
}


@pytest.fixture(autouse=True)
def _jq() -> None:
    need_jq()


class Maker:
    """Texts of values by chance."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def string(self, more: str = "") -> str:
        text = "".join(self.chance.choices(CHARACTERS, k=self.chance.choice([0, 1, 2, 3, 5, 8, 20]))) + more
        return json.dumps(text, ensure_ascii=self.chance.random() < 0.5)

    def scalar(self) -> str:
        kind = self.chance.random()
        if kind < 0.4:
            return self.string()
        return self.chance.choice(NUMBERS if kind < 0.8 else ["null", "true", "false"])

    def value(self, depth: int) -> str:
        chance = self.chance
        if depth <= 0 or chance.random() < 0.4:
            return self.scalar()
        count = (
            chance.choice([0, 1, 2, 3, 4, 10, 30]) if chance.random() < 0.96 else chance.choice([127, 128, 129, 300])
        )
        if chance.random() < 0.2:
            alike = chance.choice([["1"], ["1", "2.5"], NUMBERS, ['"a"']])
            return f"[{','.join(chance.choices(alike, k=count))}]"
        if chance.random() < 0.5:
            return f"[{','.join(self.value(depth - 1) for _ in range(count))}]"
        places = [chance.choice(["", str(place)]) for place in range(count)]
        return "{" + ",".join(f"{self.string(place)}:{self.value(depth - 1)}" for place in places) + "}"


@cache
def _texts() -> list[str]:
    maker = Maker(1)
    # --raw-output0 ends results so that they can be told apart, but gives strings as they are.
    texts = [maker.value(4) for _ in range(300)]
    return [f"[{text}]" if text[0] == '"' else text for text in texts if len(text) < 20_000]


@pytest.mark.parametrize("options", LAYOUTS)
@pytest.mark.parametrize("color", ["-M", "-C"])
def test_layout(options: str, color: str) -> None:
    answers = run_real_jq(
        "\n".join(_texts()).replace("NaN", "nan"), "--raw-output0", ".", *options.split(), color
    ).split("\0")[:-1]
    layout = LAYOUTS[options]
    wrong = {}
    for text, answer in zip(_texts(), answers, strict=True):
        value = read(text)
        if color == "-C":
            ours = ["".join(Paint(layout).pieces(RUN, value))]
        else:
            ours = [write(RUN, value, layout), "".join(pieces(RUN, value, layout))]
        if any(one != answer for one in ours):
            wrong[text] = (answer, ours)
    assert not wrong


def test_deep_values() -> None:
    program = "reduce range(10000 + .) as $i (1; if $i % 2 == 0 then [.] else {a: .} end)"
    for more, options in ((0, ["-c"]), (1, ["-c"]), (2, ["-cS"]), (4, ["-cC"])):
        value: Any = 1
        for level in range(10_000 + more):
            value = {"a": value} if level % 2 else [value]
        layout = Layout(sort="-cS" in options)
        found = Paint(layout).pieces(RUN, value) if "-cC" in options else pieces(RUN, value, layout)
        assert "".join(found) + "\n" == run_real_jq(str(more), *options, program)


def test_settings_of_colors() -> None:
    chance = random.Random(3)
    value: Any = [None, True, False, 1, "a", {}, [], {"a": [1]}]
    program = '[null, true, false, 1, "a", {}, [], {"a": [1]}]'
    settings = [
        "",
        ":",
        "::",
        "x",
        "1x",
        "1;31:",
        ":::::::",
        ":::::::1x",
        ":::::::x:y",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8x",
    ]
    for _ in range(80):
        codes = [
            "".join(chance.choices("0123456789;", k=chance.choice([0, 0, 1, 2, 4])))
            for _ in range(chance.randint(0, 10))
        ]
        setting = ":".join(codes)
        if chance.random() < 0.2:
            place = chance.randint(0, len(setting))
            setting = setting[:place] + chance.choice("x :,m\n") + setting[place:]
        settings.append(setting)
    for setting in settings:
        answer = run_real_jq("", "-nCc", program, environment={"JQ_COLORS": setting})
        colors = read_colors(setting) or DEFAULT_COLORS
        assert "".join(Paint(Layout(), colors).pieces(RUN, value)) + "\n" == answer, setting
    assert read_colors(None) == DEFAULT_COLORS
    assert read_colors("x") is None
