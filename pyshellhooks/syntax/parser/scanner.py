"""The parser's cursor in the text: blanks, newlines, operators, replacement of aliases, and syntax errors.

Shell text can't be split into tokens before it is parsed (``}`` is a word in ``echo }`` and a bracket in ``{ a; }``),
so the grammar reads characters itself. The text ends with a NUL as sentinel, which no script contains: looking one
character ahead never needs a bounds check.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Self

from ...errors import Opened, ShellSyntaxError, Stop
from ...regexes import lazy_pattern
from ...text import pause
from .. import nodes as n
from ..source import Source
from .modes import Modes

# Repetitions are possessive: each backtracking point of the engine costs memory, a gigabyte for a long word.
_BLANKS = lazy_pattern(r"(?:[ \t]++|\\\n)*+(?:#[^\n\0]*)?")
_OPERATOR = lazy_pattern(r";;&|;;|;&|&&|&>>|&>|\|\||\|&|<<-|<<<|<<|<&|<>|>>|>&|>\||[;&|()<>]")
_WORD_TEXT = lazy_pattern(r"[^ \t\n|&;()<>\0]+")

# A word that can be a reserved word or an alias: no quoting, no expansion.
COMMAND_WORD = lazy_pattern(r"[^ \t\n|&;()<>\\'\"$`\0]++(?=[ \t\n|&;()<>\0])")
_JOINED = lazy_pattern(r"(?:[^ \t\n|&;()<>\\'\"$`\0]++|\\\n)++(?=[ \t\n|&;()<>\0])")
_RESERVED = frozenset(
    (
        "if",
        "then",
        "elif",
        "else",
        "fi",
        "do",
        "done",
        "case",
        "esac",
        "while",
        "until",
        "for",
        "select",
        "function",
        "coproc",
        "time",
        "in",
        "{",
        "}",
        "!",
        "[[",
        "]]",
    )
)

_MOST_UNENDED = 10  # here-documents without end that are recorded: one line can begin any number

# Parts that must be on the same line as the part before them.
_ON_THE_LINE = frozenset(
    {
        "the name of a variable",
        "the name of a function",
        "a word",
        "a file name",
        "the delimiter of a here-document",
        "a pattern after `|`",
        "`|` or `)` after the pattern",
    }
)
_CLOSERS = {"if": "fi", "case": "esac", "{": "}", "(": ")", "((": "))", "[[": "]]", "$(": ")", "<(": ")", ">(": ")"}
_OPENERS = {
    "then": "if",
    "elif": "if",
    "else": "if",
    "fi": "if",
    "do": "for`, `while` or `until",
    "done": "do",
    "esac": "case",
    "}": "{",
    ")": "(",
    ";;": "case",
    ";&": "case",
    ";;&": "case",
    "]]": "[[",
}


class Replacement:
    """Text that replaces ``length`` characters of the source: the value of the alias ``name``."""

    __slots__ = ("end", "length", "name", "start")

    def __init__(self, start: int, end: int, length: int, name: str) -> None:
        self.start = start
        self.end = end
        self.length = length
        self.name = name


def _start_of(replaced: tuple[int, int, int, int]) -> int:
    return replaced[0]


class Scanner:
    """A cursor in one text. ``pos`` is the next character to read; ``end`` is the place of the sentinel."""

    __slots__ = (
        "active",
        "commands_read",
        "depth",
        "docs",
        "end",
        "modes",
        "opened",
        "pos",
        "replaced",
        "source",
        "substitutions",
        "text",
        "unended",
    )

    def __init__(self, source: Source, modes: Modes, depth: int = 0) -> None:
        self.source = source
        self.modes = modes
        text = source.text
        if "\0" in text:
            text = text.replace("\0", "")  # bash drops them from a script
        self.text = text + "\0"
        self.end = len(text)
        self.pos = 0
        self.depth = depth
        self.commands_read = 0
        self.substitutions = 0  # how many $( … ) are open
        self.docs: list[tuple[n.HereDoc, bool]] = []  # here-documents whose bodies come after the next newline
        self.opened: list[tuple[str, int]] = []
        self.unended: list[Opened] = []  # here-documents that ran to the end of the text: a warning in bash
        # Replaced parts of the source: the replacement under the cursor with those nested in it, and the earlier ones
        # as (start, end, shift before, shift after).
        self.active: list[Replacement] = []
        self.replaced: list[tuple[int, int, int, int]] = []

    def child(self, text: str, pos: int) -> Self:
        """Return a parser for a text from this one at ``pos`` (a backquote, a here-document)."""
        source = Source(text, self.source.name, self.line(pos), made=True)
        return type(self)(source, self.modes, self.depth)

    # --- moving -------------------------------------------------------------------------------------

    def blanks(self) -> None:
        """Skip blanks, line continuations and a comment."""
        self.pos = _BLANKS.match(self.text, self.pos).end()  # type: ignore[union-attr]

    def newlines(self) -> None:
        """Skip everything up to the next token, newlines included."""
        while True:
            self.blanks()
            if self.text[self.pos] != "\n":
                return
            self.newline()

    def newline(self) -> None:
        """Skip the newline under the cursor and the here-documents of the line, which follow it."""
        pause()
        self.pos += 1
        if self.docs:
            self.here_documents()

    def command_word(self) -> str:
        """Return the unquoted word under the cursor if it can be a reserved word or an alias, else ``""``."""
        match = COMMAND_WORD.match(self.text, self.pos)
        if match is None:
            if "\\\n" not in self.text[self.pos : self.pos + 16] or not self._join_word():
                return ""
            match = COMMAND_WORD.match(self.text, self.pos)
            assert match is not None
        word = match.group()
        if word == "!" and self.modes.extglob and self.text[match.end()] == "(":
            return ""
        return word

    def _join_word(self) -> bool:
        # A reserved word with a line continuation in it: so rare that rewriting the text is cheap enough.
        match = _JOINED.match(self.text, self.pos)
        if match is None or (word := match.group().replace("\\\n", "")) not in _RESERVED:
            return False
        self.replace_text(match.end(), word, "")
        return True

    def replace_text(self, end: int, value: str, name: str) -> None:
        """Replace the text from the cursor to ``end`` by ``value``, the value of the alias ``name``."""
        start = self.pos
        grown = len(value) - (end - start)
        self.text = self.text[:start] + value + self.text[end:]
        self.end += grown
        active = self.active
        while active and active[-1].end <= start:
            done = active.pop()
            if not active:
                before = self.replaced[-1][3] if self.replaced else 0
                self.replaced.append((done.start, done.end, before, before + done.end - done.start - done.length))
        for outer in active:
            outer.end += grown
        active.append(Replacement(start, start + len(value), end - start, name))

    def operator(self) -> str:
        """Return the operator under the cursor (without line continuations), or ``""``."""
        match = _OPERATOR.match(self.text, self.pos)
        if match is None:
            return ""
        if "\\\n" not in self.text[self.pos : match.end() + 2]:
            return match.group()
        return self._split_operator()[0]

    def skip_operator(self, operator: str) -> None:
        """Move the cursor after the operator under it."""
        if self.text.startswith(operator, self.pos):
            self.pos += len(operator)
        else:
            self.pos = self._split_operator()[1]

    def _split_operator(self) -> tuple[str, int]:
        # An operator with line continuations in it: at most three characters, so a short lookahead suffices.
        text = ""
        ends = []
        at = self.pos
        while len(text) < 4 and self.text[at] != "\0":
            if self.text.startswith("\\\n", at):
                at += 2
                continue
            text += self.text[at]
            at += 1
            ends.append(at)
        match = _OPERATOR.match(text)
        assert match is not None
        return match.group(), ends[match.end() - 1]

    def line(self, pos: int) -> int:
        """Return the line of an offset."""
        return self.source.line(self.origin(pos) if self.active else pos)

    def origin(self, pos: int) -> int:
        """Return the offset in the source of an offset in the text, in which aliases are expanded."""
        shift = 0
        at = bisect_right(self.replaced, pos, key=_start_of) - 1
        if at >= 0:
            start, end, before, shift = self.replaced[at]
            if pos < end:  # inside an alias's value: the place of the alias
                return start - before
        if self.active and pos >= self.active[0].start:
            last = self.active[0]
            if pos < last.end:
                return last.start - shift
            shift += last.end - last.start - last.length
        return min(pos - shift, len(self.source.text))

    # --- bounds -------------------------------------------------------------------------------------

    def enter(self) -> None:
        """Enter one more construct. Raises ``Stop("limit")`` if too many are nested."""
        self.depth += 1
        if self.depth > self.modes.depth:
            raise Stop("limit", f"more than {self.modes.depth} constructs are nested in each other", "parser_depth")

    # --- errors -------------------------------------------------------------------------------------

    def token(self) -> str:
        """Return the token under the cursor for a message; ``""`` at the end of the text."""
        if self.pos >= self.end:
            return ""
        if self.text[self.pos] == "\n":
            return "newline"
        match = _WORD_TEXT.match(self.text, self.pos)
        return self.operator() or (match.group() if match else self.text[self.pos])

    def unexpected(self, expected: str = "") -> ShellSyntaxError:
        """Return the error for the token under the cursor."""
        token = self.token()
        shown = self.source.line_text(self.origin(min(self.pos, self.end)))
        if not token and expected in _ON_THE_LINE:  # bash sees a newline before the end of the text
            return self._error(
                "syntax error near unexpected token `newline'",
                self._at_end(expected),
                incomplete=True,
                offending=f"`{shown}'",
            )
        if not token:
            return self._error("syntax error: unexpected end of file", self._at_end(expected), incomplete=True)
        hint = self._hint(token, expected)
        return self._error(f"syntax error near unexpected token `{token}'", hint, offending=f"`{shown}'")

    def _hint(self, token: str, expected: str) -> str:
        """Return the hint for an unexpected token."""
        hints: list[str] = []
        if expected:
            hints.append(f"expected {expected}")
        elif token in _OPENERS:
            opener = _OPENERS[token]
            if opener.split("`")[0] not in [word for word, _ in self.opened]:
                hints.append(f"no `{opener}` is open here")
        if self.opened:
            hints.append(f"{self._lacking(*self.opened[-1])} yet")
        if hints:
            return "; ".join(hints)
        if self.operator():
            return "a command can't begin with it"
        return "expected a newline, `;`, `&` or an operator"

    def _at_end(self, expected: str) -> str:
        if self.opened:
            return self._lacking(*self.opened[-1], expected)
        if expected:
            return f"expected {expected}"
        return "the text ends inside a command"

    def _lacking(self, word: str, pos: int, expected: str = "") -> str:
        awaited = f"; expected {expected}" if expected in ("`then`", "`do`", "`in`") else ""
        return f"`{word}` on line {self.line(pos)} has no `{_CLOSERS.get(word, 'done')}`{awaited}"

    def unclosed(self, opener: str, closer: str, pos: int) -> ShellSyntaxError:
        """Return the error for a quote or bracket that the text never closes; its place is the opener."""
        origin = self.origin(pos)
        where = f"line {self.source.line(origin)}, column {self.source.column(origin)}"
        message = f"unexpected EOF while looking for matching `{closer}'"
        shown = "`` ` ``" if opener == "`" else f"`{opener}`"
        error = self._error(message, f"{shown} on {where} is never closed", pos, incomplete=True)
        if not self.opened or self.opened[-1][1] != pos:
            error.opened += (self._opened(opener, pos),)
        return error

    def missing(self, opener: str, closer: str, pos: int, expected: str = "") -> ShellSyntaxError:
        """Return the error for a missing closer: another token is under the cursor, or the text ends."""
        if self.pos >= self.end:
            return self.unclosed(opener, closer, pos)
        return self.unexpected(expected)

    def error(self, message: str, hint: str = "", pos: int | None = None, *, offending: str = "") -> ShellSyntaxError:
        """Return an error at ``pos``, or at the cursor."""
        return self._error(message, hint, pos, offending=offending)

    def _error(
        self, message: str, hint: str, pos: int | None = None, *, incomplete: bool = False, offending: str = ""
    ) -> ShellSyntaxError:
        if pos is None:
            pos = min(self.pos, self.end)
        where = self.origin(pos)
        if incomplete:
            for document in self.unended:  # the missing closer is probably in its body
                hint += f"; the here-document `{document.what[2:]}` of line {document.line} has no end"
        return ShellSyntaxError(
            self.source.diagnostic(where, message, hint),
            incomplete=incomplete,
            source_line=self.source.line_text(where),
            opened=[*(self._opened(word, at) for word, at in self.opened), *self.unended],
            offending=offending,
        )

    def _opened(self, word: str, pos: int) -> Opened:
        origin = self.origin(pos)
        source = self.source
        return Opened(word, source.line(origin), source.column(origin), source.line_text(origin))

    def unended_document(self, doc: n.HereDoc) -> None:
        """Record a here-document that ended with the text."""
        if len(self.unended) < _MOST_UNENDED:
            self.unended.append(self._opened(f"<<{doc.delimiter}", doc.pos))

    # --- methods of the layers above -------------------------------------------------------------------

    if TYPE_CHECKING:

        def here_documents(self) -> None:
            """Read the bodies of ``docs``."""

        def dollar(self, quoted: bool) -> n.WordPart | None:
            """Read the expansion at ``$``; None if the ``$`` is literal (the cursor is then after it)."""

        def backquote(self, quoted: bool) -> n.CommandSub:
            """Read `` `…` ``."""

        def process_sub(self) -> n.ProcessSub:
            """Read ``<(…)`` or ``>(…)``."""

        def command_list(self) -> n.List:
            """Read commands up to a token that can't begin one."""
