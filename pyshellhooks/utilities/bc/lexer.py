"""The words of a bc program (POSIX XCU bc, "Lexical Conventions"; GNU bc 1.07), and those that are refused.

What scripts ask bc for is arithmetic, comparisons, ``if`` and ``print``. The programming language is refused by name, with
a status: an empty answer with status 0 could switch off a guard.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ...errors import Stop, UsageError
from ...regexes import lazy_pattern
from ...text import encode, paced

_KEYWORDS = {word: word for word in "quit halt if else print length sqrt scale ibase obase last".split()}
_NONE = "is not supported: there are no {} here; use awk"
_MISSING = {
    **dict.fromkeys(("define", "auto", "return", "void"), _NONE.format("functions")),
    **dict.fromkeys(("for", "while", "break", "continue"), _NONE.format("loops")),
    "[": _NONE.format("arrays"),
    "j": _NONE.format("Bessel functions"),
    "read": "is not supported: write the number into the program",
    "random": "is not supported: use $RANDOM",
    **dict.fromkeys(("limits", "warranty"), "is not supported"),
}
_MISSING_WORD = rf"(?:{'|'.join(word for word in _MISSING if len(word) > 1)})(?![a-z0-9_])|j(?=[ \t]*\()|\["
_TOKEN = lazy_pattern(
    rf"""
    [ \t]*+(?:
    (?P<missing>{_MISSING_WORD})
    |(?P<name>[a-z][a-z0-9_]*)
    |(?P<number>[0-9A-Z](?:[0-9A-Z]++|\\\n)*+(?:\.(?:[0-9A-Z]++|\\\n)*+)?|\.(?:\\\n)*+[0-9A-Z](?:[0-9A-Z]++|\\\n)*+)
    |(?P<blank>\#[^\n]*|/\*.*?\*/|\\\n|\Z)
    |(?P<string>"[^"]*")
    |(?P<open>"|/\*)
    |(?P<operator>&&|\|\||[-+*/%^<>=!]=|\+\+|--|[-+*/%^<>=!(){{}}\],;.\n])
    |(?P<illegal>.)
    )
    """,
    re.VERBOSE | re.DOTALL,
)
# What makes it worth while to look at each word beforehand. In a long text the search alone would hold up other threads.
_WORTH = lazy_pattern(rf'"|/\*|{_MISSING_WORD}')
_LONG = 1 << 17
_KINDS = {"\n": "newline", ".": "last"}
STANDARD_INPUT = "(standard_in)"

# (kind, text): the kind is name, number, string, newline, end, or the operator or keyword itself.
Token = tuple[str, str]


class Lexer:
    """Gives words, and reads on only when all that was read is used up: so a coprocess is answered line by line.

    ``blocks`` are whole lines with the name of the file that they are from; an empty block ends a file.
    """

    def __init__(self, blocks: Iterator[tuple[str, str]], complain: Callable[[str], None], most: int) -> None:
        self._blocks = blocks
        self._complain = complain
        self._most = most
        self._text = ""
        self._found: Iterator[re.Match[str]] = iter(())
        self._ended = False
        self.line = 1
        self.name = STANDARD_INPUT
        self.failed = False  # a character that cannot be: what is being read will not run

    def _more(self) -> bool:
        """Take in what comes next; False at the end of everything."""
        if self._ended:
            self.line = 1  # as GNU's, which starts counting for the next file
        self._text = ""
        for name, block in self._blocks:
            if self._ended and not self._text:
                self.line = 1
            self.name = name
            self._text += block
            self._ended = not block
            if len(self._text) > self._most:
                raise Stop("limit", f"a bc token is longer than {self._most} bytes", "string")
            if self._text and self._is_whole():
                self._found = paced(_TOKEN.finditer(self._text))
                return True
        self.line = 1
        return False

    def _is_whole(self) -> bool:
        """Say whether no word goes on in the next block. What is not supported is refused before any of it runs."""
        looks = len(self._text) > _LONG or _WORTH.search(self._text)
        for found in paced(_TOKEN.finditer(self._text)) if looks else ():
            kind = found.lastgroup or ""
            word = found[kind]
            if kind == "missing":
                place = "" if self.name == STANDARD_INPUT else f"{self.name}: "
                line = self.line + self._text.count("\n", 0, found.start())
                raise UsageError(f'{place}line {line}: "{word}" {_MISSING[word]}', hint=False)
            if word == "quit":
                return True
            if kind == "open" and not (self._ended and word == '"'):
                return self._ended
        return self._ended or not self._text.endswith("\\\n")

    def next(self) -> Token:
        """Return the next token."""
        while True:
            found = next(self._found, None)
            if found is None:
                if not self._more():
                    return "end", ""
                continue
            kind = found.lastgroup or ""
            word = found[kind]
            if kind == "name":
                return _KEYWORDS.get(word, kind), word
            if kind == "number":
                before, _, after = word.replace("\\\n", "").partition(".")
                self.line += word.count("\n")
                return kind, before.lstrip("0") + (f".{after}" if after else "") or "0"
            if kind == "open":
                self._open(word)
            elif kind == "illegal":
                self._refuse(word)
            else:
                self.line += word.count("\n")
                if kind == "operator":
                    return _KINDS.get(word, word), word
                if kind == "string":
                    return kind, word[1:-1]

    def _open(self, word: str) -> None:
        """Complain about what is open at the end."""
        if word == '"':
            self._refuse(word)
            return
        self._complain("EOF encountered in a comment.\n")
        self._found = iter(())

    def _refuse(self, char: str) -> None:
        self.failed = True
        for byte in encode(char):
            shown = chr(byte) if 32 <= byte < 127 else f"^{chr(byte + 64)}" if byte < 32 else f"\\{byte:03o}"
            self._complain(f"{self.name} {self.line}: illegal character: {shown}\n")
