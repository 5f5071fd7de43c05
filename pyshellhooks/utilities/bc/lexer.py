"""Tokens of a bc program (POSIX XCU bc, "Lexical Conventions"; GNU bc 1.07), and the words that are refused.

Scripts use bc for arithmetic, comparisons, ``if`` and ``print``. The rest of the language is refused by name, with a
nonzero status: an empty output with status 0 could switch off a guard.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ...errors import Stop, UsageError
from ...regexes import lazy_pattern
from ...text import encode, paced

_KEYWORDS = {word: word for word in "quit halt if else print length sqrt scale ibase obase last".split()}
_NONE = "is not supported: bc has no {} here; use awk"
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
# A text without these needs no check of its tokens before it runs. A long text is checked anyway, since this search
# would block other threads for too long.
_WORTH = lazy_pattern(rf'"|/\*|{_MISSING_WORD}')
_LONG = 1 << 17
_KINDS = {"\n": "newline", ".": "last"}
STANDARD_INPUT = "(standard_in)"

# (kind, text): the kind is name, number, string, newline, end, or the operator or keyword itself.
Token = tuple[str, str]


class Lexer:
    """Lexer that reads more input only after all tokens of the last: so bc as a coprocess replies to each line.

    ``blocks`` are pairs of a file's name and complete lines of it; an empty text ends a file.
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
        self.failed = False  # an illegal character was found: the current line must not run

    def _more(self) -> bool:
        """Read the next blocks up to the end of a token; return False at the end of all files."""
        if self._ended:
            self.line = 1  # as in GNU bc, line numbers start again with each file
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
        """Return whether the text ends with a complete token; raise UsageError if it contains an unsupported word.

        So an unsupported program is refused before any of the text runs.
        """
        if len(self._text) <= _LONG and not _WORTH.search(self._text):
            return self._ends_line()
        for found in paced(_TOKEN.finditer(self._text)):
            kind = found.lastgroup or ""
            word = found[kind]
            if kind == "missing":
                line = self.line + self._text.count("\n", 0, found.start())
                place = f"line {line}"
                if self.name != STANDARD_INPUT:
                    place = f"{self.name}: {place}"
                raise UsageError(f'{place}: "{word}" {_MISSING[word]}', hint=False)
            if word == "quit":
                return True
            # At the end of a file a quote that is not closed is an illegal character, and the text after it is read.
            is_illegal = self._ended and word == '"'
            if kind == "open" and not is_illegal:
                return self._ended
        return self._ends_line()

    def _ends_line(self) -> bool:
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
                digits = before.lstrip("0")
                if after:
                    digits += f".{after}"
                return kind, digits or "0"
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
        """Report a string or a comment that is not closed at the end of the program."""
        if word == '"':
            self._refuse(word)
            return
        self._complain("EOF encountered in a comment.\n")
        self._found = iter(())

    def _refuse(self, char: str) -> None:
        self.failed = True
        for byte in encode(char):
            self._complain(f"{self.name} {self.line}: illegal character: {_shown(byte)}\n")


def _shown(byte: int) -> str:
    if byte < 32:
        return f"^{chr(byte + 64)}"
    if byte < 127:
        return chr(byte)
    return f"\\{byte:03o}"
