"""What builtins do in pieces, so that they can be interrupted: the same with pieces of any size."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pyshellhooks.utilities.jq.errors import JqError
from pyshellhooks.utilities.jq.functions import arrays, find, objects, paths, searching, strings
from pyshellhooks.utilities.jq.json.values import equal


class QuietRun:
    """A run without end."""

    def check(self) -> None: ...
    def array(self, length: int) -> None: ...
    def made(self, size: int) -> None: ...
    def text(self, size: int) -> None: ...


RUN: Any = QuietRun()


def _call(name: str, arguments: list[Any]) -> Any:
    declared = find(f"{name}/{len(arguments) - 1}")
    assert declared is not None
    try:
        return [declared.run(RUN, *arguments)]
    except JqError as error:
        return error.value


class Maker:
    """Values by chance."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def text(self, letters: str = "ab,", longest: int = 30) -> str:
        return "".join(self.random.choices(letters, k=self.random.randint(0, longest)))

    def blanks(self) -> str:
        return self.text(" \t\u3000") + self.text("x ", 3) + self.text("\n \xa0")

    def wide(self) -> str:
        return self.text("aZé日😀")

    def scalar(self) -> Any:
        return self.random.choice((None, True, False, 1, 2, 7, 0.5, -3, 2**52, self.text(longest=3)))

    def item(self) -> Any:
        kind = self.random.random()
        if kind < 0.6:
            return self.scalar()
        return self.array(2) if kind < 0.8 else {"a": self.scalar(), self.text(): 1}

    def array(self, longest: int = 30) -> list[Any]:
        return [self.item() for _ in range(self.random.randint(0, longest))]

    def alike(self) -> list[Any]:
        kind = self.random.choice((lambda: self.random.randint(-3, 9), self.text, lambda: [self.scalar()]))
        found = [kind() for _ in range(self.random.randint(0, 30))]
        if self.random.random() < 0.3:
            found.insert(self.random.randint(0, len(found)), self.item())
        return found

    def points(self) -> list[Any]:
        points = [self.random.choice((97, 233, 0x65E5, 0x1F600)) for _ in range(self.random.randint(0, 30))]
        return points if self.random.random() < 0.5 else [*points, self.random.choice((0xD800, 98.5, "a", -1))]

    def entries(self) -> list[Any]:
        return [{"key": self.text("abc", 1) or None, "value": self.scalar()} for _ in range(self.random.randint(0, 9))]

    def places(self) -> list[Any]:
        return [[self.random.choice((0, 1, -1, 5, {"start": 2, "end": 9}))] for _ in range(self.random.randint(0, 9))]


CASES: dict[str, list[str]] = {
    "split": ["text", "text"],
    "join": ["array", "text"],
    "ascii_downcase": ["wide"],
    "ascii_upcase": ["wide"],
    "explode": ["wide"],
    "implode": ["points"],
    "utf8bytelength": ["wide"],
    "trim": ["blanks"],
    "ltrim": ["blanks"],
    "rtrim": ["blanks"],
    "indices": ["text", "text"],
    "add": ["alike"],
    "any": ["array"],
    "all": ["array"],
    "min": ["alike"],
    "max": ["alike"],
    "unique": ["alike"],
    "transpose": ["array"],
    "flatten": ["array"],
    "to_entries": ["array"],
    "from_entries": ["entries"],
    "delpaths": ["array", "places"],
}


@pytest.mark.parametrize("name", CASES)
def test_pieces_of_any_size(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make = Maker(11)
    if name == "transpose":
        calls = [[[make.array(5) for _ in range(make.random.randint(0, 9))]] for _ in range(300)]
    else:
        calls = [[getattr(make, kind)() for kind in CASES[name]] for _ in range(300)]
    whole = [_call(name, arguments) for arguments in calls]
    for size in (1, 2, 3, 7):
        for module in (arrays, objects, paths, searching, strings):
            monkeypatch.setattr(module, "_PIECE", size)
        monkeypatch.setattr(strings, "_ASCII_PIECE", size)
        for arguments, expected in zip(calls, whole, strict=True):
            got = _call(name, arguments)
            assert equal(got, expected), (size, arguments, got, expected)


def test_positions() -> None:
    make = Maker(7)
    for _ in range(20_000):
        text = make.text("ab", 40) * make.random.randint(1, 3)
        start = make.random.randint(0, len(text))
        expected = text[start : start + make.random.randint(1, 20)] or "a" * make.random.randint(1, 9)
        places = [at for at in range(len(text)) if text.startswith(expected, at)]
        assert searching.string_positions(RUN, text, expected) == places, (text, expected)
        assert searching.first_position(text, expected) == (places[0] if places else None)
        assert searching.last_position(text, expected) == (places[-1] if places else None)


def test_nothing_is_changed_in_place() -> None:
    inner = {"b": [1, 2, 3]}
    value = {"a": inner, "c": 1}
    assert paths.setpath(RUN, value, ["a", "b", 0], 9) == {"a": {"b": [9, 2, 3]}, "c": 1}
    assert paths.delpaths(RUN, value, [["a", "b", 0], ["a", "b", 2], ["c"]]) == {"a": {"b": [2]}}
    assert arrays.add(RUN, [[1], [2]]) == [1, 2]
    assert value == {"a": {"b": [1, 2, 3]}, "c": 1}
    parts = [{"a": 1}, {"b": 2}]
    assert arrays.add(RUN, parts) == {"a": 1, "b": 2}
    assert parts == [{"a": 1}, {"b": 2}]
