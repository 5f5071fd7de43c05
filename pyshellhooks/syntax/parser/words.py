"""Words and quoting (POSIX XCU 2.2, bash manual 3.1.2).

Each context has a pattern for a run of its plain characters; the character after the run is handled on its own.
"""

from __future__ import annotations

import re

from ...regexes import lazy_pattern
from ...text import pause
from .. import nodes as n
from .escapes import decode_ansi
from .scanner import Scanner

_WORD = lazy_pattern(r"[^ \t\n|&;()<>\\'\"$`\0]+")
_WHOLE_WORD = lazy_pattern(r"[^ \t\n|&;()<>\\'\"$`\0]++(?=[ \t\n;)|&\0])")
_REGEX = lazy_pattern(r"[^ \t\n&;()<>\\'\"$`\0]+")
_PARENTHESES = lazy_pattern(r"[^()\\'\"$`\0]+")
_SUBSCRIPT = lazy_pattern(r"[^\[\]\\'\"$`\0]+")
_DOUBLE = lazy_pattern(r"[^\"\\$`\0]+")
_ANSI = lazy_pattern(r"(?:[^'\\\0]+|\\[^\0])*+'", re.DOTALL)

IN_DOUBLE = '$`"\\'

Parts = list[n.WordPart]


def add_literal(parts: Parts, text: str, pos: int, end: int) -> None:
    """Append unquoted text, joining it with unquoted text before it."""
    if parts:
        last = parts[-1]
        if type(last) is n.Literal:
            parts[-1] = n.Literal(last.text + text, last.pos, end)
            return
    parts.append(n.Literal(text, pos, end))


class Words(Scanner):
    """Reads words."""

    __slots__ = ()

    def word(self, *, extglob: bool = False, parts: Parts | None = None, start: int = -1) -> n.Word:
        """Read one word; ``parts`` are pieces of it that were read already.

        The word may be empty: the caller decides whether that is an error.
        """
        text = self.text
        if parts is None:
            start = self.pos
            match = _WHOLE_WORD.match(text, start)
            if match is not None:
                self.pos = end = match.end()
                return n.Word((n.Literal(match.group(), start, end),), start, end)
            parts = []
        extglob = extglob or self.modes.extglob
        while True:
            pos = self.pos
            match = _WORD.match(text, pos)
            if match is not None:
                self.pos = pos = match.end()
                add_literal(parts, match.group(), match.start(), pos)
            char = text[pos]
            if char in " \t\n;|&)":
                break
            if self.special(parts):
                text = self.text  # an alias in $( … ) may have changed it
                continue
            if char in "<>" and text[pos + 1] == "(" and not self.modes.posix:
                parts.append(self.process_sub())
                text = self.text
            elif char == "(" and extglob and match is not None and text[pos - 1] in "@?*+!":
                self.parentheses(parts)
                text = self.text
            else:
                break
        return n.Word(tuple(parts), start, self.pos)

    def wanted_word(self, what: str, *, extglob: bool = False) -> n.Word:
        """Read one word that must not be empty; ``what`` names it for the error."""
        word = self.word(extglob=extglob)
        if word.end == word.pos:
            raise self.unexpected(what)
        return word

    def special(self, parts: Parts) -> bool:
        r"""Read a quote or an expansion outside double quotes; false if the cursor is at neither."""
        pause()
        text = self.text
        pos = self.pos
        char = text[pos]
        if char == "$":
            part = self.dollar(False)
            if part is None:
                add_literal(parts, "$", pos, self.pos)
            else:
                parts.append(part)
        elif char == '"':
            parts.append(self.double_quoted())
        elif char == "'":
            close = text.find("'", pos + 1)
            if close < 0:
                raise self.unclosed("'", "'", pos)
            self.pos = close + 1
            parts.append(n.Quoted(text[pos + 1 : close], "'", pos, close + 1))
        elif char == "\\":
            self._backslash(parts)
        elif char == "`":
            parts.append(self.backquote(False))
        else:
            return False
        return True

    def unquoted_parts(self, parts: Parts, plain: re.Pattern[str]) -> str:
        """Read up to a character that is neither plain nor begins a quote or an expansion; return that character."""
        while True:
            pause()
            pos = self.pos
            match = plain.match(self.text, pos)
            if match is not None:
                self.pos = match.end()
                add_literal(parts, match.group(), pos, self.pos)
            if not self.special(parts):
                return self.text[self.pos]

    def _backslash(self, parts: Parts) -> None:
        pos = self.pos
        char = self.text[pos + 1]
        if pos + 1 >= self.end:  # the last character of the text is literal
            char = "\\"
            self.pos = self.end
        else:
            self.pos = pos + 2
        if char != "\n":
            parts.append(n.Quoted(char, "\\", pos, self.pos))

    def ansi_quoted(self) -> n.Quoted:
        """Read ``$'…'`` (its escapes decoded)."""
        pos = self.pos
        start = self.text.index("'", pos) + 1
        match = _ANSI.match(self.text, start)
        if match is None:
            raise self.unclosed("$'", "'", pos)
        self.pos = match.end()
        return n.Quoted(decode_ansi(self.text[start : self.pos - 1]), "$'", pos, self.pos)

    def double_quoted(self) -> n.DoubleQuoted:
        """Read ``"…"``."""
        pos = self.pos
        self.pos += 1
        self.enter()
        parts: Parts = []
        self.quoted_parts(parts, _DOUBLE, IN_DOUBLE)
        if self.text[self.pos] != '"':
            raise self.unclosed('"', '"', pos)
        self.pos += 1
        self.depth -= 1
        return n.DoubleQuoted(tuple(parts), pos, self.pos)

    def quoted_parts(self, parts: Parts, plain: re.Pattern[str], escapes: str) -> None:
        """Read as in double quotes up to a character that is neither plain nor ``$``, `` ` `` or a backslash.

        ``escapes`` are the characters that a backslash quotes here; before others it is literal.
        """
        text = self.text
        pending: list[str] = []
        start = self.pos
        while True:
            pause()
            pos = self.pos
            match = plain.match(text, pos)
            if match is not None:
                pending.append(match.group())
                self.pos = pos = match.end()
            char = text[pos]
            if char == "\\":
                following = text[pos + 1] if pos + 1 < self.end else ""
                self.pos = pos + 1 + len(following)
                if following != "\n":
                    pending.append(following if following and following in escapes else char + following)
                continue
            if char == "$":
                part = self.dollar(True)
                text = self.text
                if part is None:
                    pending.append("$")
                    continue
            elif char == "`":
                part = self.backquote('"' in escapes)  # in a here-document a " is plain, and so is \\" (bash)
            else:
                break
            _flush(parts, pending, start, pos)
            parts.append(part)
            start = self.pos
        _flush(parts, pending, start, self.pos)

    def parentheses(self, parts: Parts) -> None:
        """Read ``(…)`` as unquoted text in which blanks and operators are plain (extended globs, regexes)."""
        start = self.pos
        nested = 0
        while True:
            char = self.unquoted_parts(parts, _PARENTHESES)
            pos = self.pos
            if pos >= self.end:
                raise self.unclosed("(", ")", start)
            nested += 1 if char == "(" else -1
            self.pos = pos + 1
            add_literal(parts, char, pos, pos + 1)
            if not nested:
                return

    def regex_word(self) -> n.Word:
        """Read the right side of ``=~``: ``(``, ``)`` and ``|`` belong to it (bash manual 3.2.5.2)."""
        start = self.pos
        parts: Parts = []
        while self.unquoted_parts(parts, _REGEX) == "(":
            self.parentheses(parts)
        return n.Word(tuple(parts), start, self.pos)

    def bracketed(self, opened: int) -> n.Word:
        """Read the inside of ``[…]`` and its end: quotes and expansions are special, blanks and operators are not."""
        start = self.pos
        parts: Parts = []
        nested = 0
        while True:
            char = self.unquoted_parts(parts, _SUBSCRIPT)
            pos = self.pos
            if pos >= self.end:
                raise self.unclosed("[", "]", opened)
            self.pos = pos + 1
            nested += 1 if char == "[" else -1
            if nested < 0:
                return n.Word(tuple(parts), start, pos)
            add_literal(parts, char, pos, pos + 1)


def _flush(parts: Parts, pending: list[str], start: int, end: int) -> None:
    if pending:
        text = "".join(pending)
        pending.clear()
        last = parts[-1] if parts else None
        if type(last) is n.Quoted and last.style == '"':
            parts[-1] = n.Quoted(last.text + text, '"', last.pos, end)
        else:
            parts.append(n.Quoted(text, '"', start, end))


def unquote(word: n.Word, text: str) -> tuple[str, bool]:
    """Return a here-document's delimiter without its quotes, unexpanded, and whether it had any quotes."""
    out = []
    quoted = False
    for part in word.parts:
        if isinstance(part, n.Literal):
            out.append(part.text)
        elif isinstance(part, n.Quoted):
            quoted = True
            out.append(part.text)
        elif isinstance(part, n.DoubleQuoted):
            quoted = True
            out += [p.text if isinstance(p, n.Quoted) else text[p.pos : p.end] for p in part.parts]
        else:
            out.append(text[part.pos : part.end])
    return "".join(out), quoted
