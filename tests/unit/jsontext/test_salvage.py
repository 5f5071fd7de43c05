"""Objects in noise, in texts so large that they are read in parts: what a part cuts is no mistake of the text."""

from __future__ import annotations

import json
import random

import pytest

from pyshellhooks.jsontext import recover
from pyshellhooks.jsontext.chunks import LARGE

DENY = '{"decision": "deny"}'
BEFORE = {
    "a string that a part cuts": json.dumps({"reason": "x" * 5000}),
    "a longer one": json.dumps({"reason": "x" * 40_000}),
    "one that ends in a backslash": json.dumps({"reason": "x" * 4080 + "\\" * 40}),
    "one with quotes": json.dumps({"reason": '"' * 5000}),
    "a comma that is missing": '{"a": "b" "c": 1}',
    "one behind a long string": '{"a": "' + "x" * 5000 + '" "c": 1}',
    "a string that never ends": '{"a": 1, "b',
    "a line break in a string": '{"a": "b\n"}',
    "a bad escape": r'{"a": "\q"}',
    "a number cut short": '{"a": -',
}


@pytest.mark.parametrize("name", BEFORE)
def test_a_deny_behind_it_is_found_as_in_a_small_text(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"{BEFORE[name]}\n{DENY}\n" + "log line\n" * (LARGE // 9 + 1)
    found = list(recover.objects(text))
    monkeypatch.setattr(recover, "LARGE", len(text))
    assert found == list(recover.objects(text))
    assert {"decision": "deny"} in found or name == "a string that never ends"


def test_any_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Objects of random lengths, some of them broken: parts find what the whole has."""
    chance = random.Random(7)
    pieces = []
    for _ in range(300):
        value = {"k": "".join(chance.choice('ab"\\\n{}é') for _ in range(chance.choice((3, 50, 500))))}
        text = json.dumps(value)
        at = chance.randrange(len(text))
        pieces.append(text if chance.random() < 0.7 else text[:at] + text[at + 1 :])
    text = "\n".join(pieces)
    monkeypatch.setattr(recover, "_PARTS", (64, 256))
    monkeypatch.setattr(recover, "LARGE", 0)
    found = list(recover.objects(text))
    monkeypatch.setattr(recover, "LARGE", len(text))
    assert found == list(recover.objects(text)) and len(found) > 150
