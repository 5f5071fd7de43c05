"""Perl-compatible expressions for ``grep -P``, on the ``regex`` module with a timeout (pcre2pattern(3)).

Patterns that a linear engine supports run on it (perl_syntax.py, lines.py); for most others it finds candidate lines.
Syntax that differs from PCRE's is translated. As in GNU grep 3.8 ``\\d \\w \\s`` are ASCII, ``.`` is a character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..regexes import lazy_pattern
from ..text import decode, encode, remembered
from .bounded import compile_regex, search_bounded
from .characters import next_character
from .emit import Options, UnsupportedError
from .engines import Regex, Spans
from .perl_syntax import PerlParser
from .regex_nodes import Anchor, Concatenation, Node, PatternError
from .repeats import check_repeats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..cancel import CancelScope

_HORIZONTAL = r"\t \xa0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000"
_VERTICAL = r"\n-\r\x85\u2028\u2029"
_END = r"(?=\n?\Z)"
_PLAIN = {
    "h": f"[{_HORIZONTAL}]",
    "H": f"[^{_HORIZONTAL}]",
    "v": f"[{_VERTICAL}]",
    "V": f"[^{_VERTICAL}]",
    "R": r"(?>\r\n|[\n-\r\x85\u2028\u2029])",
    "N": r"[^\n]",
    "Z": r"(?=\n?\Z)",
    "z": r"\Z",
    "e": r"\x1b",
}
_POSIX_CLASSES = frozenset(
    "alpha lower upper alnum ascii blank cntrl digit graph print punct space word xdigit".split()
)  # pcre2pattern, POSIX character classes
_CLASSES = lazy_pattern(r"\\[dDwWsSbB]|\[:")
_CODES = lazy_pattern(r"(?<!\\)(?:\\\\)*\\x\{([0-9A-Fa-f]+)\}")
_IN_CLASS = {"h": _HORIZONTAL, "v": _VERTICAL, "e": r"\x1b", "b": r"\x08"}

# The messages of pcre2_get_error_message for those of regex.error.
_MESSAGES = (
    ("missing )", "missing closing parenthesis"),
    ("unbalanced parenthesis", "unmatched closing parenthesis"),
    ("missing ]", "missing terminating ] for character class"),
    ("unterminated character set", "missing terminating ] for character class"),
    ("nothing to repeat", "quantifier does not follow a repeatable item"),
    ("min repeat greater", "numbers out of order in {} quantifier"),
    ("invalid group reference", "reference to non-existent subpattern"),
    ("unknown group", "reference to non-existent subpattern"),
    ("unknown extension", "unrecognized character after (? or (?-"),
    ("unknown property", "unknown property after \\P or \\p"),
    ("bad escape (end", "\\ at end of pattern"),
)


def _posix_class(text: str) -> str:
    if text[2:-2].removeprefix("^") not in _POSIX_CLASSES:
        raise PatternError("unknown POSIX class name")
    return text


def translate(pattern: str, dollar: str = _END) -> str:
    """Translate PCRE's syntax to that of the ``regex`` module; ``dollar`` replaces ``$``."""
    out: list[str] = []
    at, size = 0, len(pattern)
    in_class = False
    for verb in ("(*UTF8)", "(*UTF)", "(*UCP)"):
        if pattern.startswith(verb):
            at = len(verb)
    while at < size:
        char = pattern[at]
        if char == "\\" and at + 1 < size:
            text, at = _escape(pattern, at + 1, in_class)
            out.append(text)
            continue
        if in_class:
            if char == "[" and pattern[at + 1 : at + 2] == ":" and (end := pattern.find(":]", at)) > 0:
                out.append(_posix_class(pattern[at : end + 2]))
                at = end + 2
                continue
            if char == "]":
                in_class = False
            elif char == "[":
                char = "\\["
        elif char == "[":
            in_class = True
            # A ] in the first place is a member.
            for start in ("[^]", "[]"):
                if pattern.startswith(start, at):
                    char = start[:-1] + "\\]"
                    at += len(start) - 1
                    break
        elif char == "$":
            char = dollar if not out or out[-1] != "(?m)" else "$"
        out.append(char)
        at += 1
    return "".join(out)


def _escape(pattern: str, at: int, in_class: bool) -> tuple[str, int]:
    char = pattern[at]
    if char == "Q":
        end = pattern.find("\\E", at)
        literal = pattern[at + 1 : end if end >= 0 else len(pattern)]
        return "".join([c if c.isalnum() else f"\\u{ord(c):04x}" for c in literal]), end + 2 if end >= 0 else len(
            pattern
        )
    if char == "E":
        return "", at + 1
    if char in "xogk" and pattern[at + 1 : at + 2] in ("{", "<", "'"):
        closer = {"{": "}", "<": ">", "'": "'"}[pattern[at + 1]]
        end = pattern.find(closer, at + 2)
        if end > 0:
            return _braced(char, pattern[at + 2 : end]), end + 1
    if char == "g" and (digits := _digits(pattern, at + 1)):
        return f"(?:\\{digits})", at + 1 + len(digits)
    if char == "c" and at + 1 < len(pattern):
        return f"\\x{ord(pattern[at + 1].upper()) ^ 64:02x}", at + 2
    return (_IN_CLASS if in_class else _PLAIN).get(char, "\\" + char), at + 1


def _braced(kind: str, text: str) -> str:
    try:
        if kind == "x":
            return f"\\U{int(text, 16):08x}"
        if kind == "o":
            return f"\\U{int(text, 8):08x}"
    except ValueError:
        raise PatternError("non-hex character in \\x{} (closing brace missing?)") from None
    return f"(?:\\{text})" if text.isdecimal() else f"(?P={text})"


def _digits(text: str, at: int) -> str:
    end = at
    while end < len(text) and text[end] in "0123456789":
        end += 1
    return text[at:end]


class PerlRegex:
    """A compiled expression with the interface of ``engines.Regex``.

    ``linear``: the same expression for a linear engine and any number of lines, None if it does not support it.
    ``tree``: a pattern, with ``options``, that matches at least the same lines; None if there is none.
    """

    __slots__ = ("_program", "_utf8", "groups", "linear", "names", "options", "tree", "warnings")

    def __init__(self, program: Any, tree: Node | None, options: Options, exact: bool) -> None:
        self._program = program
        self._utf8 = options.utf8
        self.tree = tree
        self.options = options
        self.linear = None
        if tree is not None and exact:
            self.linear = Regex(tree, 0, options, prove=True, warnings=())
        self.groups: int = program.groups
        self.names: dict[str, int] = program.groupindex
        self.warnings: tuple[str, ...] = ()

    def search(self, data: bytes, start: int = 0, *, scope: CancelScope | None = None) -> Spans | None:
        """Return the spans of the first match from ``start`` on."""
        plain = data.isascii() or not self._utf8
        text = data.decode("latin-1") if plain else decode(data)
        at = start if plain else len(decode(data[:start]))
        found = search_bounded(self._program, text, at, scope)
        if found is None:
            return None
        spans: Spans = found.regs
        if plain:
            return spans
        return [(-1, -1) if low < 0 else (len(encode(text[:low])), len(encode(text[:high]))) for low, high in spans]

    def find(self, data: bytes, start: int = 0, *, scope: CancelScope | None = None) -> int:
        """Return the start of the first match, or -1."""
        spans = self.search(data, start, scope=scope)
        return -1 if spans is None else spans[0][0]

    def test(self, data: bytes, *, scope: CancelScope | None = None) -> bool:
        """Return whether there is a match."""
        return self.search(data, 0, scope=scope) is not None

    def count(self, data: bytes, scope: CancelScope | None = None) -> int | None:
        """Return the number of lines with a match, None if ``Regex.count`` gives None or there is no ``linear``."""
        return None if self.linear is None else self.linear.count(data, scope)

    def matches(self, data: bytes, scope: CancelScope | None = None) -> Iterator[Spans]:
        """Yield all matches."""
        at = 0
        while at <= len(data):
            spans = self.search(data, at, scope=scope)
            if spans is None:
                return
            yield spans
            low, high = spans[0]
            if high > low and high > at:
                at = high
            else:
                at = next_character(data, max(at, high)) if self._utf8 else max(at, high) + 1


@remembered(64)
def compile_perl(
    pattern: str,
    *,
    ignore_case: bool = False,
    word: bool = False,
    whole_lines: bool = False,
    multiline: bool = False,
    dot_all: bool = False,
    unicode: bool = False,
    utf8: bool = True,
) -> PerlRegex:
    """Compile a PCRE pattern. Raise ``PatternError`` with PCRE2's message.

    ``multiline``: ``^`` and ``$`` match at each line of a text (PCRE2_MULTILINE). ``dot_all``: a dot matches newlines,
    too. ``unicode``: ``\\d \\w \\s \\b`` are Unicode's (PCRE2_UCP). ``utf8`` false is the C locale: characters are
    bytes, as Latin-1 here, and beyond ASCII none is a letter.
    """
    import regex

    pattern = pattern if utf8 else _in_bytes(pattern)
    ascii_only = not unicode and (pattern.isascii() or not ignore_case or not utf8)
    flags = regex.VERSION0 | regex.ASCII * ascii_only
    flags |= regex.IGNORECASE * ignore_case | regex.MULTILINE * multiline | regex.DOTALL * dot_all
    text = translate(pattern, "$" if multiline else _END)
    check_repeats(text)
    if word:
        text = rf"(?<!\w)(?:{text})(?!\w)"
    elif whole_lines:
        text = rf"^(?:{text})(?=\n?\Z)"
    try:
        program = compile_regex(text, flags)
    except (regex.error, RecursionError, OverflowError) as error:
        said = str(error)
        for theirs, ours in _MESSAGES:
            if theirs in said:
                raise PatternError(ours) from None
        raise PatternError(said) from None
    tree, exact, ignore_case = _for_lines(pattern, ignore_case, unicode, utf8)
    if tree is not None and whole_lines:
        tree = Concatenation([Anchor("^"), tree, Anchor("$")])
    options = Options(ignore_case, newline_anchors=True, newline_dot=False, captures=False, first=True, utf8=utf8)
    return PerlRegex(program, tree, options, exact and not word)


def _in_bytes(pattern: str) -> str:
    """Return a pattern of the C locale, with a character for each byte."""
    if any(int(found[1], 16) > 0xFF for found in _CODES.finditer(pattern)):
        raise PatternError("character code point value in \\x{} or \\o{} is too large")
    return encode(pattern).decode("latin-1")


def _for_lines(pattern: str, ignore_case: bool, unicode: bool, utf8: bool) -> tuple[Node | None, bool, bool]:
    """Return a tree that matches all lines of the pattern, whether it matches no others, and whether to ignore case."""
    parser = PerlParser(pattern)
    try:
        tree = parser.parse()
    except UnsupportedError:
        return None, False, ignore_case
    ignore_case |= parser.ignore_case
    if not utf8 or (unicode and _CLASSES.search(pattern)):
        return None, parser.exact, ignore_case  # the tree has characters, and its classes are ASCII's
    # Engines differ in the cases of letters beyond ASCII.
    return tree if pattern.isascii() or not ignore_case else None, parser.exact, ignore_case
