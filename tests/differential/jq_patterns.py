"""Regular expressions by chance, in Oniguruma's syntax: well formed, odd, and damaged; and texts that they may match."""

from __future__ import annotations

import random

CHARS = "a b c a b ab . x é ß k ss s st 1 _ - K S € Ǆ ½".split() + [" ", "\n"]
MEMBERS = (
    r"a b c a-c x-z 0-9 \d \w \s \W \D [:alpha:] [:^alpha:] [:upper:] [:punct:] [:space:] [:word:] \p{Lu} \P{L} - k [ && é ß à-ü"
    r" \x{e9} \x{41-43} \n \b S ſ \] ^ . \x61 \xc3\xa9 \p{Greek} \x{2000}-\x{206f} \p{^Nd} [:^punct:] [:lower:]"
).split()
ESCAPES = (
    r"\d \w \s \D \W \S \b \B \A \z \Z ^ $ \G \R \X \N \O \h \v \x61 \x{e9} \x{61 62} \141 \n \t \e \. \- \p{L} \p{^Lu} \P{Ll}"
    r" \p{Alpha} \K \u0061 \Qa.b\E \cA \0 \y \Y \o{141} \xc3\xa9 \p{Word} \p{Punct}"
).split()
COUNTS = "* + ? *? +? ?? *+ ++ ?+ {2} {1,2} {0,2} {2,} {,2} {1,3}? {2}? {2}+ {1} {0} {0,1} {1,} {3,5} {0,20}".split()
REFERENCES = (
    r"\1 \2 \3 \k<n> \k<1> \k<-1> \g<1> \g<n> \g<0> (?1) (?-1) (?&n) (?R) \k'n' \10 (?(1)a|b) (?(<n>)a) (?(1)b) \g<-1> (?(a)b|c)"
    r" (?(1)) (?(a*)b|c) (*FAIL) (?{x}) (?(?=a)a|b) (?~|)"
).split()
OPENERS = (
    "( ( ( ( ( ( (?: (?: (?: (?: (?: (?<n> (?<m> (?= (?! (?<= (?<! (?> (?i: (?i)( (?s: (?m: (?-i: (?~ (?~| (?#c)(".split()
    + ["(?x: "]
)
DAMAGE = [
    *"()[]{}\\*+?|^$.<>=!:-,0123456789abcxXgkpPuUoQE&#~'\"_ ",
    *r"(? (?< \x{ \p{ [: {, \k< \g< (?( (?# (* \x \o{ \c [[: (?<n é \M- \C- (?@ (?P (?i [^] {1 } {999999} {5,2} \999".split(),
    *r"\400 \x{d800} \x{110000} \x{7fffffff} \xff \xc3 \xc3\xa9 \o{101} \12 \08 \p{Foo} [b-a] [a-\d]".split(),
]
FLAGS = ("", "", "", "g", "g", "g", "gi", "i", "i", "x", "gx", "s", "p", "m", "gm", "n", "gn", "l", "gl", "in")
LETTERS = "aaabbbcxéßss1 _-\nſKk€ẞǆΣσςİ\r😀½²"
ASCII_LETTERS = "aaabbbcx1 _-\nsSkK("


class Maker:
    """Patterns, flags and texts."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.damage = 0.3 if seed % 3 == 0 else 0.02
        self.letters = ASCII_LETTERS if seed % 2 else LETTERS

    def members(self) -> str:
        chance = self.random
        return f"[{chance.choice(('', '', '^'))}{''.join(chance.choices(MEMBERS, k=chance.randint(1, 4)))}]"

    def item(self, depth: int) -> str:
        chance = self.random
        kind = chance.random()
        if kind < 0.10:
            text = self.members()
        elif kind < 0.22:
            text = chance.choice(ESCAPES)
        elif kind < 0.40 and depth > 0:
            text = chance.choice(OPENERS) + self.choices(depth - 1) + ")"
        elif kind < 0.46 and depth > 0:
            text = chance.choice(REFERENCES)
        else:
            text = chance.choice(CHARS)
        while chance.random() < 0.3:
            text += chance.choice(COUNTS)
        return text

    def choices(self, depth: int) -> str:
        chance = self.random
        branches = chance.choice((1, 1, 1, 2, 2, 3))
        return "|".join(
            "".join(self.item(depth) for _ in range(chance.choice((0, 1, 1, 2, 2, 3, 4)))) for _ in range(branches)
        )

    def pattern(self) -> str:
        chance = self.random
        text = self.choices(chance.choice((1, 2, 2, 3, 3)))
        while chance.random() < self.damage:
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice(DAMAGE) + text[at + chance.choice((0, 0, 1, 2)) :]
        return text

    def flags(self) -> str:
        return self.random.choice(FLAGS)

    def text(self) -> str:
        return "".join(self.random.choices(self.letters, k=self.random.choice((0, 1, 2, 3, 4, 5, 6, 8, 12))))

    def cases(self, count: int) -> list[tuple[str, str, str]]:
        """Return text, pattern and flags, with two texts for each pattern."""
        found = []
        for _ in range(count // 2):
            pattern, flags = self.pattern(), self.flags()
            found += [(self.text(), pattern, flags), (self.text(), pattern, flags)]
        return found
