"""Simple commands, assignments, array literals, redirections (POSIX XCU 2.9.1 and 2.7, bash manual 6.7)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...errors import Stop
from ...regexes import lazy_pattern
from ...text import EVERY, pause
from .. import nodes as n
from .parameters import Parameters
from .words import Parts

_ASSIGNMENT = lazy_pattern(r"([A-Za-z_](?:[A-Za-z0-9_]++|\\\n)*+)(?:(\+?)(?:\\\n)*=|(\[))")
_LATE_ARRAY = lazy_pattern(r"(?:\\\n)+(?=\()")
_EQUALS = lazy_pattern(r"(?:\\\n)*(\+?)(?:\\\n)*=")
_REDIRECT = lazy_pattern(
    r"([0-9]+|\{[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]\n\0]*\])?\})?(<<-|<<<|<<|<&|<>|>>|>&|>\||&>>|&>|[<>](?!\())"
)
# In an argument, a blank in the brackets ends the word, unless it is quoted.
_INDEXED = lazy_pattern(r"\[(?>[^\s\]\\'\"\0]++|\\.|'[^']*'|\"(?:[^\"\\]++|\\.)*+\")++\]\+?=", re.DOTALL)
_DECLARATIONS = frozenset(("declare", "export", "local", "readonly", "typeset"))
# Arguments of these may be array literals too, but as text: the builtin evaluates it.
_ARRAY_TEXT = frozenset(("alias", "eval", "let"))
_PREFIXES = frozenset(("builtin", "command"))
_BETWEEN = lazy_pattern(r"(?:[ \t]++|\\\n)*+")  # between an alias and the next word
_MAX_FD = 1 << 31
_MAX_ALIASED = 1 << 15  # characters that aliases may add to one complete command: they can double at each step


def _counted(assigns: list[n.Assign], words: list[n.Word | n.Assign], redirects: list[n.Redirect]) -> int:
    """Return the offset whose line bash reports for a command: that of bash's parser when it creates the command.

    After a word it has read the next token, since ``name ()`` may follow; after an assignment or a redirection it has not.
    """
    begins_with_word = not assigns and bool(words) and (not redirects or words[0].pos < redirects[0].pos)
    if not begins_with_word:
        return min([*assigns[:1], *redirects[:1]], key=lambda part: part.pos).end
    if redirects and (len(words) < 2 or redirects[0].pos < words[1].pos):
        return redirects[0].pos
    return words[min(1, len(words) - 1)].end


class SimpleCommands(Parameters):
    """Reads simple commands."""

    __slots__ = ()

    def simple(self) -> n.Command:
        """Read a simple command or ``name() …``."""
        start = self.pos
        assigns: list[n.Assign] = []
        words: list[n.Word | n.Assign] = []
        redirects: list[n.Redirect] = []
        declares = ""  # the kind of the next words, see _declares
        while True:
            if not (len(words) + len(assigns) + len(redirects) + 1) % EVERY:
                pause()
            self.blanks()
            char = self.text[self.pos]
            if char in "<>&{0123456789" and self._redirect(redirects):
                continue
            if char in "\n;|&)" or self.pos >= self.end:
                break
            if char == "(":
                if len(words) == 1 and not assigns and not redirects:
                    return self._parenthesized(start, words[0])
                raise self.unexpected()
            if self.modes.aliases and (not words or self._behind_blank()) and self.expand_alias():
                continue
            item = self.word() if words and len(declares) < 2 else self._assignment(declares)
            if isinstance(item, n.Assign) and not words:
                assigns.append(item)
                continue
            if item.end == item.pos:
                raise self.unexpected()
            words.append(item)
            if (len(words) == 1 or declares == "?") and isinstance(item, n.Word):
                declares = _declares(item, declares)
        if not (assigns or words or redirects):
            raise self.unexpected()
        return n.Simple(
            tuple(assigns),
            tuple(words),
            tuple(redirects),
            self.line(_counted(assigns, words, redirects)),
            start,
            self._end_of(assigns, words, redirects),
        )

    def _end_of(self, assigns: list[n.Assign], words: list[n.Word | n.Assign], redirects: list[n.Redirect]) -> int:
        return max(part[-1].end for part in (assigns, words, redirects) if part)

    def _parenthesized(self, start: int, name: n.Word | n.Assign) -> n.Command:
        # word ( : a function definition, or an error
        opened = self.pos
        self.pos += 1
        self.blanks()
        if self.text[self.pos] != ")":
            if self.pos >= self.end:
                raise self.unclosed("(", ")", opened)
            if self.token() == "newline":
                raise self.unexpected("`)'")
            if self.modes.posix:  # bash names the bracket there, and otherwise the token after it
                self.pos = opened
            raise self.unexpected("`)' (a function is defined by `name() { …; }`)")
        self.pos += 1
        return self.function_body(start, self.text[name.pos : name.end])

    # --- aliases ------------------------------------------------------------------------------------

    def _behind_blank(self) -> bool:
        # After an alias that ends in a blank, the next word may be an alias, and so may the first word of its value.
        text = self.text
        pos = self.pos
        for alias in self.active:
            begin = alias.start
            if alias.end <= pos:
                if text[alias.end - 1] not in " \t":
                    continue
                begin = alias.end
            if _BETWEEN.fullmatch(text, begin, pos):
                return True
        return False

    def expand_following(self) -> None:
        """Expand aliases in a word that is not a command name, after an alias that ends in a blank (bash)."""
        if self.modes.aliases:
            while self._behind_blank() and self.expand_alias():
                self.blanks()

    def expand_alias(self) -> bool:
        """Replace the alias under the cursor by its value; return whether there was one."""
        word = self.command_word()
        if not word:
            return False
        value = self.modes.aliases.get(word)
        if value is None:
            return False
        start = self.pos
        if any(alias.name == word and alias.start <= start < alias.end for alias in self.active):
            return False  # an alias does not expand in its own value
        if len(self.text) + len(value) > len(self.source.text) + _MAX_ALIASED:
            raise Stop("limit", "aliases expand to too much text")
        self.replace_text(start + len(word), value, word)
        return True

    # --- assignments --------------------------------------------------------------------------------

    def _assignment(self, declares: str) -> n.Word | n.Assign:
        """Read an assignment, or a word that only begins like one."""
        text = self.text
        start = self.pos
        match = _ASSIGNMENT.match(text, start)
        if match is None:
            return self.word()
        name = match.group(1).replace("\\\n", "")
        append = match.group(2) == "+"
        self.pos = match.end()
        index = None
        if match.group(3):
            self.pos -= 1
            # The arguments of a builtin are split into words before the subscript is looked at: ``declare a[b c]=1``.
            is_word = declares == "text" or (declares and not _INDEXED.match(text, self.pos))
            if is_word:
                self.pos = start
                return self.word()
            index = self.subscript()
            text = self.text
            equals = _EQUALS.match(text, self.pos)
            if equals is None:
                self._continuations()
                prefix = n.Literal(name + "[", start, match.end())
                return self.word(parts=_joined(prefix, index, self.pos), start=start)
            append = equals.group(1) == "+"
            self.pos = equals.end()
        if opened := _LATE_ARRAY.match(text, self.pos):
            self.pos = opened.end()
        if text[self.pos] == "(" and declares != "prefixed":
            return self._array(name, index, append, start, declares)
        if declares == "text":
            self.pos = start
            return self.word()
        value = self.word()
        return n.Assign(name, index, append, value, start, self.pos)

    def _array(
        self, name: str, index: n.Subscript | None, append: bool, start: int, declares: str
    ) -> n.Word | n.Assign:
        opened = self.pos
        value = self._items()
        if declares != "text" and self.text[self.pos] in " \t\n;|&)<>(\0":
            return n.Assign(name, index, append, value, start, self.pos)
        if declares == "text":  # eval and let see the text
            return self.word(parts=[n.Literal(self.text[start : self.pos], start, self.pos)], start=start)
        word = self.word(parts=self._literal_as_text(value, opened), start=opened)
        return n.Assign(name, index, append, word, start, self.pos)

    def _literal_as_text(self, value: n.ArrayLiteral, opened: int) -> Parts:
        """Return an array literal as the beginning of a word, because more text follows it; expansions in it stay."""
        parts: Parts = []
        text, start = "(", opened
        for number, item in enumerate(value.items):
            if number:
                text += " "
            text += self.text[item.pos : item.word.pos]
            for part in item.word.parts:
                if isinstance(part, n.Literal):
                    text += part.text
                    continue
                if text:
                    parts.append(n.Literal(text, start, part.pos))
                parts.append(part)
                text, start = "", part.end
        parts.append(n.Literal(text + ")", start, self.pos))
        return parts

    def array_literal(self, pos: int) -> n.ArrayLiteral | None:
        """Read the array literal at ``pos``; None if more text follows it."""
        self.pos = pos
        value = self._items()
        return value if self.pos >= self.end else None

    def _items(self) -> n.ArrayLiteral:
        opened = self.pos
        self.pos += 1
        self.enter()
        self.opened.append(("(", opened))
        items: list[n.ArrayItem] = []
        while True:
            pause()
            self.newlines()
            char = self.text[self.pos]
            if char == ")":
                break
            if self.pos >= self.end:
                raise self.unclosed("(", ")", opened)
            items.append(self._array_item(char))
        self.opened.pop()
        self.depth -= 1
        self.pos += 1
        self._continuations()
        return n.ArrayLiteral(tuple(items), opened, self.pos)

    def _continuations(self) -> None:
        while self.text.startswith("\\\n", self.pos):
            self.pos += 2

    def _array_item(self, char: str) -> n.ArrayItem:
        start = self.pos
        if char != "[":
            word = self.word()
        else:
            index = self.subscript()
            equals = _EQUALS.match(self.text, self.pos)
            if equals is not None:
                self.pos = equals.end()
                word = self.word()
                return n.ArrayItem(index, equals.group(1) == "+", word, start, self.pos)
            self._continuations()
            word = self.word(parts=_joined(n.Literal("[", start, start + 1), index, self.pos), start=start)
        if word.end == word.pos:
            raise self.unexpected("a word or `)'")
        return n.ArrayItem(None, False, word, start, self.pos)

    # --- redirections -------------------------------------------------------------------------------

    def redirects(self) -> tuple[n.Redirect, ...]:
        """Read the redirections after a compound command."""
        redirects: list[n.Redirect] = []
        while True:
            pause()
            self.blanks()
            if self.text[self.pos] not in "<>&{0123456789" or not self._redirect(redirects):
                return tuple(redirects)

    def _redirect(self, redirects: list[n.Redirect]) -> bool:
        start = self.pos
        match = _REDIRECT.match(self.text, start)
        if match is None:
            return False
        prefix, op = match.groups()
        fd = variable = None
        self.pos = match.start(2)
        if self.text[match.end()] == "\\":
            op = self.operator()
        if op[0] == "&" and prefix:
            self.pos = start
            return False
        self.skip_operator(op)
        if prefix and prefix[0] == "{":
            variable = prefix[1:-1]
        elif prefix:
            fd = int(prefix) if len(prefix) < 11 else _MAX_FD
        self.blanks()
        target: n.Word | n.HereDoc
        if op in ("<<", "<<-"):
            target = self.here_document(op == "<<-")
        else:
            target = self.wanted_word("a word" if op == "<<<" else "a file name")
        redirects.append(n.Redirect(op, fd, variable, target, self.line(start), start, target.end))
        return True

    # --- methods of the layers above -------------------------------------------------------------------

    if TYPE_CHECKING:

        def command(self) -> n.Command:
            """Read one command."""

        def function_body(self, start: int, name: str) -> n.Function:
            """Read the body of a function."""


def _declares(word: n.Word, before: str) -> str:
    """Return the kind of the words after this one.

    ``declare``: assignments. ``prefixed``: assignments, but no array literals (after ``command export``, as in bash).
    ``text``: array literals, as text. ``?``: the next word decides. Empty: words only.
    """
    text = word.literal() or ""
    if text in _PREFIXES:
        return "?"
    if before and text.startswith("-"):  # an option of ``command`` or ``builtin``
        return "?"
    if text in _DECLARATIONS:
        return "prefixed" if before else "declare"
    if text in _ARRAY_TEXT and not before:
        return "text"
    return ""


def _joined(prefix: n.Literal, index: n.Subscript, end: int) -> Parts:
    # name[…] without "=": an ordinary word
    parts: Parts = [prefix, *index.word.parts, n.Literal("]", end - 1, end)]
    return merged(parts)


def merged(parts: Parts) -> Parts:
    """Join neighbouring literals."""
    out: Parts = []
    for part in parts:
        last = out[-1] if out else None
        if isinstance(part, n.Literal) and isinstance(last, n.Literal):
            out[-1] = n.Literal(last.text + part.text, last.pos, part.end)
        else:
            out.append(part)
    return out
