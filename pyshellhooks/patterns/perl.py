"""Perl-compatible expressions for ``grep -P``, on the ``regex`` module with a timeout (pcre2pattern(3)).

Patterns that a linear engine supports run on it (flavors/perl.py, lines.py); for most others it finds candidate lines.
Syntax that differs from PCRE's is translated (perl_translation.py). As in GNU grep 3.8 ``\\d \\w \\s`` are ASCII, ``.`` is a character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import Stop
from ..regexes import lazy_pattern
from ..text import encode, remembered
from .characters import as_text, byte_spans, next_character
from .emit import Options, UnsupportedError
from .engines import Regex
from .flavors.perl import PerlParser
from .perl_translation import Translation
from .programs import Spans
from .repeats import check_repeats
from .timed_regex import compile_regex, search_bounded
from .tree import Anchor, Concatenation, Node, PatternError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..cancel import CancelScope

_END = r"(?=\n?\Z)"
_CLASSES = lazy_pattern(r"\\[dDwWsSbB]|\[:")
_CODES = lazy_pattern(r"(?<!\\)(?:\\\\)*\\x\{([0-9A-Fa-f]+)\}")

# The messages of pcre2_get_error_message for those of regex.error.
_MESSAGES = (
    ("missing )", "missing closing parenthesis"),
    ("unbalanced parenthesis", "unmatched closing parenthesis"),
    ("missing ]", "missing terminating ] for character class"),
    ("unterminated character set", "missing terminating ] for character class"),
    ("nothing to repeat", "quantifier does not follow a repeatable item"),
    ("multiple repeat", "quantifier does not follow a repeatable item"),
    ("bad character range", "range out of order in character class"),
    ("min repeat greater", "numbers out of order in {} quantifier"),
    ("invalid group reference", "reference to non-existent subpattern"),
    ("unknown group", "reference to non-existent subpattern"),
    ("unknown extension", "unrecognized character after (? or (?-"),
    ("unknown property", "unknown property after \\P or \\p"),
    ("bad escape (end", "\\ at end of pattern"),
)


class PerlRegex:
    """A compiled expression with the interface of ``engines.Regex``.

    ``linear``: the same expression for a linear engine and any number of lines, None if it does not support it.
    ``tree``: a pattern, with ``options``, that matches at least the same lines, or None.
    """

    __slots__ = ("_program", "_utf8", "linear", "names", "options", "tree", "warnings")

    def __init__(self, program: Any, tree: Node | None, options: Options, exact: bool) -> None:
        self._program = program
        self._utf8 = options.utf8
        self.tree = tree
        self.options = options
        self.linear = None
        if tree is not None and exact:
            self.linear = Regex(tree, 0, options, prove=True, warnings=())
        self.names: dict[str, int] = program.groupindex
        self.warnings: tuple[str, ...] = ()

    def search(self, data: bytes, start: int = 0, *, scope: CancelScope | None = None) -> Spans | None:
        """Return the spans of the first match from ``start`` on."""
        text, at, plain = as_text(data, start, self._utf8)
        match = search_bounded(self._program, text, at, scope)
        if match is None:
            return None
        spans: Spans = match.regs
        if plain:
            return spans
        return byte_spans(spans, text)

    def find(self, data: bytes, start: int = 0, *, scope: CancelScope | None = None) -> int:
        """Return the start of the first match, or -1."""
        spans = self.search(data, start, scope=scope)
        if spans is None:
            return -1
        return spans[0][0]

    def test(self, data: bytes, *, scope: CancelScope | None = None) -> bool:
        """Return whether there is a match."""
        return self.search(data, 0, scope=scope) is not None

    def count(self, data: bytes, scope: CancelScope | None = None) -> int | None:
        """Return the number of lines with a match, None if ``Regex.count`` gives None or there is no ``linear``."""
        if self.linear is None:
            return None
        return self.linear.count(data, scope)

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
                continue
            # Nothing was consumed, or ``\K`` moved the start of the match.
            at = max(at, high)
            at = next_character(data, at) if self._utf8 else at + 1


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

    if not utf8:
        pattern = _in_bytes(pattern)
    dollar = "$" if multiline else _END
    translation = Translation(pattern, dollar=dollar, ucp=unicode, ignore_case=ignore_case, utf8=utf8)
    flags = regex.VERSION0 | regex.ASCII * translation.ascii
    flags |= regex.IGNORECASE * ignore_case | regex.MULTILINE * multiline | regex.DOTALL * dot_all
    text = translation.text
    # Before the compilation, which can't be interrupted.
    check_repeats(text)
    if word:
        text = rf"(?<!{translation.word})(?:{text})(?!{translation.word})"
    elif whole_lines:
        text = rf"^(?:{text})(?=\n?\Z)"
    try:
        program = compile_regex(text, flags)
    except (regex.error, RecursionError, OverflowError, ValueError) as error:
        message = str(error)
        for theirs, ours in _MESSAGES:
            if theirs in message:
                raise PatternError(ours) from None
        # PCRE2 may accept it, and then a status that reads as "no match" would turn off a guard.
        raise Stop("regex", f"a regular expression of Perl is not supported here: {message}") from None
    tree, exact, ignore_case = _for_lines(pattern, ignore_case, unicode, utf8)
    if tree is not None and whole_lines:
        tree = Concatenation([Anchor("^"), tree, Anchor("$")])
    options = Options(ignore_case, newline_anchors=True, newline_dot=False, captures=False, first=True, utf8=utf8)
    return PerlRegex(program, tree, options, exact and not word)


def _in_bytes(pattern: str) -> str:
    """Return a pattern of the C locale, with a character for each byte."""
    if any(int(match[1], 16) > 0xFF for match in _CODES.finditer(pattern)):
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
    if not utf8:
        return None, parser.exact, ignore_case  # the tree has characters, not bytes
    if unicode and _CLASSES.search(pattern):
        return None, parser.exact, ignore_case  # the tree's classes are ASCII's
    if ignore_case and not pattern.isascii():
        return None, parser.exact, ignore_case  # engines differ in the cases of letters beyond ASCII
    return tree, parser.exact, ignore_case
