"""Random words of the shell language: quoting, expansions, arithmetic, patterns. All from one seed.

``bash=False`` keeps to what POSIX XCU 2 defines and dash has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

SCALARS = ("x", "y", "e", "s", "p", "k")
NAMES = (*SCALARS, "x", "s", "u", "1", "2", "3")  # u is unset; so may be some of the arguments
PLAIN = (
    "a", "b", "foo", "bar", "1", "42", "-n", "--", "-", "a.txt", "b.txt", "c.sh", "sub", "sub/x.c", "a=b", "x:y", "007",
    ".", "é", "A", "Foo", "%s", "abcabc", "0", "-1",
)  # fmt: skip
GLOBS = ("*", "*.txt", "?.txt", "[ab].txt", "[!a]*", "*/x.c", "s*/*", "no*such", "[[:alpha:]].txt", ".h*", "*.{c,txt}")
PATTERNS = (
    "a*",
    "*b",
    "?",
    "*",
    "[a-c]",
    "[!a]",
    "foo",
    "a",
    "*[[:digit:]]*",
    "b*b",
    "\\*",
    "'*'",
    "*.txt",
    "",
    "o",
    "é",
)
EXTENDED = ("@(a|foo)", "!(a)", "*(a|b)", "+([a-z])", "?(f)oo", "!(*.txt)")
SINGLE = (
    "",
    "a b",
    "$x",
    "\\",
    "*",
    "a  b ",
    '"',
    "`",
    "#",
    "x\ty",
    "a;b",
    "~",
    "!",
    "{a,b}",
    "é",
    "a:b::c",
    " ",
    "\\n",
)
DOUBLE = (
    "",
    "a b",
    "\\$x",
    '\\"',
    "\\\\",
    "*",
    "'",
    "#",
    " ",
    "\\a",
    "~",
    "{a,b}",
    "\\`",
    "a:b",
    "é",
    "  x  ",
    "?",
    "\\}",
)
ANSI = ("\\n", "\\t", "\\'", "\\x41", "\\101", "\\u00e9", "\\\\", "a b", "\\e", '"', "\\?", "\\cA", "\\x", "$x", "\\0z")
DEFAULTS = (":-", "-", ":+", "+", ":=", "=", ":?", "?")
TRANSFORMS = "QEPAaULuKk"
BINARY = ("+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "&", "|", "^", "<<", ">>")
ASSIGNING = ("=", "+=", "-=", "*=", "|=", "^=")
NUMBERS = ("0", "1", "2", "3", "7", "10", "-1", "010", "0x1f", "9223372036854775807")


class Words:
    """Makes words. ``depth`` bounds what lies in what, so that every script is short."""

    def __init__(self, random: Random, bash: bool = True) -> None:
        self.random = random
        self.bash = bash
        self.depth = 0

    def choose(self, *choices: tuple[int, Callable[[], str]]) -> str:
        """Take one of several ways, by weight."""
        ways = [way for _, way in choices]
        return self.random.choices(ways, [weight for weight, _ in choices])[0]()

    def any(self, texts: Sequence[str]) -> str:
        return self.random.choice(texts)

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def body(self) -> str:
        """Return what stands in ``$( )``; a generator of commands puts its own here."""
        return "printf '%s\\n' " + self.word()

    # words ----------------------------------------------------------------------------------------------------------

    def words(self, least: int = 0, most: int = 4) -> str:
        return " ".join(self.word() for _ in range(self.random.randint(least, most)))

    def word(self) -> str:
        """Make a word of one to three parts."""
        parts = [self.part() for _ in range(self.random.choice((1, 1, 1, 2, 2, 3)))]
        return "".join(parts)

    def part(self) -> str:
        return self.choose(
            (8, lambda: self.any(PLAIN)),
            (2, lambda: self.any(GLOBS) if self.bash else self.any(GLOBS[:-1])),
            (3, lambda: "'" + self.any(SINGLE) + "'"),
            (6, self.double),
            (6, self.expansion),
            (1, lambda: "\\" + self.any("ab $'\"\\*?~#;é")),
            (1, lambda: self.any(("~", "~/x", "{a,b}", "{1..3}", "x{,y}z", "{a}", "~nobody", "{b..a}", "{1..5..2}")))
            if self.bash
            else (1, lambda: "~"),
            (1 if self.bash else 0, lambda: "$'" + self.any(ANSI) + self.any(ANSI) + "'"),
        )

    def double(self) -> str:
        """Make a double-quoted part."""
        parts = []
        for _ in range(self.random.choice((0, 1, 1, 2, 3))):
            parts.append(self.any(DOUBLE) if self.chance(0.4) else self.expansion(quoted=True))
        return '"' + "".join(parts) + '"'

    def expansion(self, quoted: bool = False) -> str:
        """Make something that begins with ``$`` or a backquote."""
        if self.depth > 3:
            return "$" + self.any(("x", "{s}", "e", "#", "?"))
        self.depth += 1
        try:
            return self.choose(
                (4, lambda: "$" + self.any(NAMES)),
                (2, lambda: "${" + self.any(NAMES) + "}"),
                (2, lambda: self.any(("$@", "$*", "$#", "$?", "$-" if self.depth < 0 else "$#"))),
                (6, lambda: self.default(quoted)),
                (3, self.trimmed),
                (1, lambda: "${#" + self.any((*NAMES, "@", "*") if self.bash else NAMES) + "}"),
                (3, lambda: "$((" + self.arithmetic() + "))"),
                (3, lambda: "$(" + self.body() + ")"),
                (1, lambda: "`printf %s " + self.any(("a", "'b c'", '"$x"', "$s", "\\\\", "\\$x", "'*'")) + "`"),
                (6 if self.bash else 0, self.bash_expansion),
            )
        finally:
            self.depth -= 1

    def default(self, quoted: bool) -> str:
        """Make ``${x:-word}`` and its like."""
        operator = self.any(DEFAULTS[:6]) if self.chance(0.95) else self.any(DEFAULTS)
        name = self.any(SCALARS) if "=" in operator or not self.chance(0.4) else self.any((*NAMES, "@", "*"))
        inner = self.choose(
            (3, lambda: self.any(PLAIN)),
            (3, lambda: self.expansion(quoted)),
            (1, lambda: ""),
            (2, lambda: self.any(("a b", "'a b'", '"a b"', '"*"', "*", "a:b c", "\\a", "\\}", "~", '"$s"', "'$s'"))),
            (2, self.double),
        )
        return "${" + name + operator + inner + "}"

    def pattern(self) -> str:
        return self.choose(
            (6, lambda: self.any(PATTERNS)),
            (2, lambda: self.expansion()),
            (1, self.double),
            (1, lambda: self.any(PATTERNS) + self.any(PATTERNS)),
        )

    def trimmed(self) -> str:
        name = self.any((*NAMES, "@", "*")) if self.bash else self.any(NAMES)
        return "${" + name + self.any(("#", "##", "%", "%%")) + self.pattern() + "}"

    # bash -----------------------------------------------------------------------------------------------------------

    def bash_expansion(self) -> str:
        return self.choose(
            (3, self.replaced),
            (3, self.sliced),
            (
                2,
                lambda: (
                    "${" + self.parameter() + self.any(("^", "^^", ",", ",,")) + self.any(("", "", "[a-c]", "a")) + "}"
                ),
            ),
            (3, lambda: "${" + self.parameter() + "@" + self.any(TRANSFORMS) + "}"),
            (2, lambda: "${!" + self.any(("p", "r[@]", "r[*]", "m[@]", "x@", "s*", "r", "k")) + "}"),
            (4, lambda: "${" + self.element() + "}"),
            (1, lambda: "${#" + self.element() + "}"),
            (2, lambda: "${" + self.element() + self.any(DEFAULTS[:4]) + self.any(PLAIN) + "}"),
            (1, lambda: "$(<" + self.any(("a.txt", "b.txt", '"c d"')) + ")"),
        )

    def parameter(self) -> str:
        return self.any((*NAMES, "@", "*")) if self.chance(0.6) else self.element()

    def element(self) -> str:
        subscript = self.any(("0", "1", "@", "*", "-1", "9", "1+1", "n", "i")) if self.chance(0.8) else self.number()
        return self.choose(
            (3, lambda: f"r[{subscript}]"),
            (1, lambda: "m[" + self.any(("a", "b c", "$x", "@", "*", '"b c"', "zz")) + "]"),
            (1, lambda: "x[" + self.any(("0", "1", "@")) + "]"),
        )

    def replaced(self) -> str:
        new = self.choose(
            (2, lambda: "/" + self.any(PLAIN)),
            (1, lambda: ""),
            (1, lambda: "/" + self.expansion()),
            (1, lambda: "/" + self.double()),
        )
        return "${" + self.parameter() + self.any(("/", "//", "/#", "/%")) + self.pattern().replace("/", "") + new + "}"

    def sliced(self) -> str:
        start = self.any((":0", ":1", ": -1", ": -2", ":n", ":9", ":1+1", ":$#"))
        length = self.any(("", "", ":1", ":2", ":0", ": -1", ":n"))
        return "${" + self.parameter() + start + length + "}"

    # arithmetic -----------------------------------------------------------------------------------------------------

    def number(self) -> str:
        numbers = NUMBERS if self.bash else NUMBERS[:-1]
        return self.any((*numbers, *numbers[:5], "n", "n", "i", "$n", "${#x}", "u"))

    def arithmetic(self, depth: int = 0) -> str:
        """Make an expression. Only small numbers are shifted by or divided by, mostly."""
        if depth > 2 or self.chance(0.35):
            return self.number()
        deeper = depth + 1
        return self.choose(
            (
                6,
                lambda: (
                    self.arithmetic(deeper) + self.any(("", " ")) + self.any(BINARY) + " " + self.arithmetic(deeper)
                ),
            ),
            (2, lambda: "(" + self.arithmetic(deeper) + ")"),
            (1, lambda: self.any("-+!~") + " " + self.arithmetic(deeper)),
            (1, lambda: f"{self.arithmetic(deeper)} ? {self.arithmetic(deeper)} : {self.arithmetic(deeper)}"),
            (2, lambda: "n " + self.any(ASSIGNING) + " " + self.arithmetic(deeper)),
            (2 if self.bash else 0, self.bash_arithmetic),
        )

    def bash_arithmetic(self) -> str:
        return self.any(
            (
                "n++",
                "++n",
                "n--",
                "--n",
                "2**3",
                "1,2",
                "r[1]",
                "r[n]=5",
                "16#ff",
                "2#101",
                "n+++1",
                "n**2",
                "r[0]++",
                "x",
            )
        )
