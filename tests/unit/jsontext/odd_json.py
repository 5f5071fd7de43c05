"""JSON texts and values that are odd in every way, and broken ones."""

from __future__ import annotations

import json
from random import Random

WORDS = [
    "a",
    "",
    '"',
    "\\",
    "/",
    "\n",
    "\t",
    "é",
    "中",
    "\ud800",
    "\udc00",
    "😀",
    ",",
    ":",
    "{",
    "}",
    "[",
    "]",
    "\0",
    "\1",
]
WORDS += ["\0\0", "\1\1", " ", "b", "c", "\\u0000", "x" * 20]
SCALARS = ["null", "true", "false", "0", "7", "-1", "1.50", "1e300", "0.001", "-0", "1" * 30, "1E+2"]
NOISE = ['"', "\\", ",", ":", "[", "]", "{", "}", "1", " ", "x", "NaN", "\1", "null", "\\ud800", "Infinity", "e5", "\n"]
SHORT = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\n": "\\n", "\t": "\\t"}


class Odd:
    """Makes them, the same ones for a seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def text(self) -> str:
        """Return a text with blanks around, that is often broken."""
        found = self._blank() + self.broken(self.document(self.random.choice([1, 2, 3, 5]))) + self._blank()
        return found + self.random.choice(["", "", "", "x", "]"])

    def document(self, depth: int = 4) -> str:
        """Return a sound text."""
        kind = self.random.random()
        if depth <= 0 or kind < 0.4:
            return self.random.choice(SCALARS) if self.random.random() < 0.6 else self.string()
        items = range(self.random.randrange(5))
        if kind < 0.7:
            parts = [self._spaced(self.document(depth - 1)) for _ in items]
            return f"[{self._blank()}{','.join(parts)}]"
        return self.object(depth)

    def object(self, depth: int = 4) -> str:
        """Return a sound object; its keys may come again."""
        parts = []
        for _ in range(self.random.randrange(5)):
            key = self.string() if self.random.random() < 0.5 else self.random.choice(['"a"', '"b"', '"\\u0061"'])
            parts.append(f"{self._spaced(key)}:{self._spaced(self.document(depth - 1))}")
        return f"{{{self._blank()}{','.join(parts)}}}"

    def string(self) -> str:
        """Return a string, with characters as they are and as escapes."""
        out = []
        for char in "".join(self.random.choice(WORDS) for _ in range(self.random.choice([0, 1, 1, 2, 3, 8]))):
            if char not in '"\\' and char >= " " and self.random.random() < 0.7:
                out.append(char)
            elif char in SHORT and self.random.random() < 0.7:
                out.append(SHORT[char])
            else:
                escape = json.dumps(char)[1:-1]
                out.append(escape if escape[:2] == "\\u" else f"\\u{ord(char):04X}")
        return f'"{"".join(out)}"'

    def broken(self, text: str) -> str:
        """Return a text with up to two mistakes."""
        for _ in range(self.random.choice([0, 0, 1, 1, 2])):
            at = self.random.randrange(len(text) + 1)
            behind = self.random.choice([text[at:], text[at + 1 :], ""])
            text = text[:at] + self.random.choice([*NOISE, "", ""]) + behind
        return text

    def value(self, depth: int = 4) -> object:
        """Return a Python value; rarely one that JSON can't say."""
        kind = self.random.random()
        if depth <= 0 or kind < 0.4:
            known: list[object] = [None, True, 1, -1.5, 10**40, "a", 'é"\\\n\1\ud800', "", "x" * 50]
            return self.random.choice(known if self.random.random() > 0.02 else [float("inf"), object(), {1}, b"x"])
        items = range(self.random.randrange(8))
        if kind < 0.6:
            return [self.value(depth - 1) for _ in items]
        if kind < 0.7:
            return tuple(self.value(depth - 1) for _ in items)
        keys = ["a", "b", "é", "", 1, 2.5, None, True, "k" * 9]
        return {self.random.choice(keys): self.value(depth - 1) for _ in items}

    def _blank(self) -> str:
        return self.random.choice([""] * 6 + [" ", "\n", "  \t", "\r\n"])

    def _spaced(self, text: str) -> str:
        return self._blank() + text + self._blank()
