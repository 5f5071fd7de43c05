"""Make JSON texts and the literals of programs at random; ``jq_grammar.py`` says what the kinds are."""

from __future__ import annotations

import random
from collections.abc import Callable

from jq_ingredients import (
    DATES,
    FLAGS,
    HALVES,
    INTEGERS,
    KEYS,
    NUMBERS,
    REGEXES,
    SIMPLE,
    SIMPLE_PATHS,
    SPELLED_ONLY_IN_PROGRAMS,
    STRINGS,
    TIME_FORMATS,
    TIMES,
)


class Values:
    """Makes values and literals."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.leaf: dict[str, Callable[[], str]] = {
            "n": self._number, "i": self._integer, "s": self._string, "b": self._boolean, "z": lambda: "null",
            "r": lambda: f'"{self.chance.choice(REGEXES)}"', "g": self._flags, "m": lambda: f'"{self.chance.choice(TIME_FORMATS)}"',
            "d": lambda: f'"{self.chance.choice(DATES)}"', "t": lambda: self.chance.choice(TIMES),
            "f": self._simple, "c": self._simple, "l": self._simple_path, "q": lambda: "tostream",
        }  # fmt: skip
        self.literal_only = False  # in the JSON texts of inputs

    def value(self, kind: str, depth: int) -> str:
        """Make a JSON text of a kind."""
        self.literal_only = True
        try:
            return self._value(kind, depth)
        finally:
            self.literal_only = False

    def _value(self, kind: str, depth: int) -> str:
        chance = self.chance
        if kind == "x" or chance.random() < 0.04:
            kind = chance.choice("nsaobzuvwe" if depth > 0 else "nsbz")
        if kind in "nisbzdgrm" and kind in self.leaf:
            return self.leaf[kind]()
        if kind == "o":
            keys = chance.sample(KEYS, chance.choice([0, 1, 2, 2, 3, 4]))
            return "{" + ",".join(f'"{key}":{self._value("x", depth - 1)}' for key in keys) + "}"
        inner = {"u": "n", "v": "s", "w": "a", "e": "E", "p": "K", "y": "x", "t": "n"}.get(kind, "x")
        count = chance.choice([0, 1, 1, 2, 2, 3, 4]) if depth > 0 else 0
        if inner == "E":
            return "[" + ",".join(self._entry(depth - 1) for _ in range(count)) + "]"
        if inner == "K":
            return "[" + ",".join(chance.choice([self._key(), self._integer()]) for _ in range(count)) + "]"
        return "[" + ",".join(self._value(inner, depth - 1) for _ in range(count)) + "]"

    def _entry(self, depth: int) -> str:
        chance = self.chance
        key = chance.choice(["key", "key", "k", "name", "Key", "Name", "K"])
        value = chance.choice(["value", "value", "v", "Value", "V"])
        spelled = self._key() if chance.random() < 0.7 else self._value("x", 0)
        return f'{{"{key}":{spelled},"{value}":{self._value("x", depth)}}}'

    def _number(self) -> str:
        chance = self.chance
        if not self.literal_only and chance.random() < 0.15:
            return chance.choice(SPELLED_ONLY_IN_PROGRAMS)
        if chance.random() < 0.1:
            return repr(
                chance.choice(
                    [
                        chance.uniform(-1e3, 1e3),
                        chance.random() * 10 ** chance.randint(-320, 300),
                        float(chance.randint(0, 1 << 60)),
                    ]
                )
            )
        return chance.choice(NUMBERS)

    def _integer(self) -> str:
        return self.chance.choice(INTEGERS)

    def _string(self) -> str:
        if self.literal_only and self.chance.random() < 0.03:
            return f'"{self.chance.choice(HALVES)}"'
        if self.chance.random() < 0.15:
            return '"' + "".join(self.chance.choices(STRINGS, k=2)) + '"'
        return f'"{self.chance.choice(STRINGS)}"'

    def _boolean(self) -> str:
        return self.chance.choice(["true", "false"])

    def _flags(self) -> str:
        flags = self.chance.choice(FLAGS)
        return flags if flags == "null" else f'"{flags}"'

    def _key(self) -> str:
        return f'"{self.chance.choice(KEYS)}"'

    def _simple(self) -> str:
        return self.chance.choice(SIMPLE)

    def _simple_path(self) -> str:
        return self.chance.choice(SIMPLE_PATHS)
