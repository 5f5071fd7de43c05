"""Expansions, which begin with ``$`` or a backquote (POSIX XCU 2.6, bash manual 3.5)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...errors import ShellSyntaxError
from ...regexes import lazy_pattern
from ...text import pause
from .. import nodes as n
from .arithmetic import static_parse
from .heredoc import HereDocuments
from .words import IN_DOUBLE, Parts

_DOLLAR = lazy_pattern(
    r"\$(?:\\\n)*(?:([A-Za-z_](?:[A-Za-z0-9_]++|\\\n)*+)|([0-9@*#?$!-])|(\{)|(\((?:\\\n)*\()|(\()|(\[)|(')|(\"))"
)
_ARITHMETIC = lazy_pattern(r"[^()\"\\$`\0]+")
_ARITHMETIC_PART = lazy_pattern(r"[^()\"\\$`;\0]+")
_OLD_ARITHMETIC = lazy_pattern(r"[^\[\]\"\\$`\0]+")
_SKIP = lazy_pattern(
    r"(?>[^()'\"\\`\0]++|\\[^\0]|'[^'\0]*'|\"(?:[^\"\\\0]++|\\[^\0])*+\"|`(?:[^`\\\0]++|\\[^\0])*+`)++"
)
_BACKQUOTED = lazy_pattern(r"(?:[^`\\\0]+|\\[^\0])*+`")
_ESCAPED = lazy_pattern(r"\\([$`\\])")
_ESCAPED_IN_DOUBLE = lazy_pattern(r"\\([$`\\\"])")


class Expansions(HereDocuments):
    """Reads expansions other than ``${…}``."""

    __slots__ = ()

    def dollar(self, quoted: bool) -> n.WordPart | None:
        """Read the expansion at ``$``; None if the ``$`` is literal (the cursor is then after it)."""
        pos = self.pos
        match = _DOLLAR.match(self.text, pos)
        if match is None:
            self.pos = pos + 1
            return None
        kind = match.lastindex
        if kind in (1, 2):
            name = match.group(kind)
            if "\\" in name:
                name = name.replace("\\\n", "")
            self.pos = end = match.end()
            return n.Parameter(name, pos, end, line=self.line(pos))
        if kind in (7, 8):
            if quoted:  # within double quotes ``$'`` and ``$"`` have no meaning
                self.pos = pos + 1
                return None
            if kind == 7:
                return self.ansi_quoted()
            self.pos = match.end() - 1
            return self.double_quoted()
        self.pos = match.end()
        if kind == 3:
            return self.braced(pos, quoted)
        if kind == 6:
            return self._old_arithmetic(pos)
        if kind == 4:
            if self.is_arithmetic(match.end()):
                return self._arithmetic(pos)
            self.pos = match.start(4) + 1  # ``$((a) | b)``: the second parenthesis begins a subshell
        return self._command_sub(pos)

    # --- commands -----------------------------------------------------------------------------------

    def _command_sub(self, pos: int) -> n.CommandSub:
        body = self.substituted("$(", pos)
        return n.CommandSub(body, False, _input_file(body), pos, self.pos)

    def process_sub(self) -> n.ProcessSub:
        """Read ``<(…)`` or ``>(…)``."""
        pos = self.pos
        self.pos = pos + 2
        op = self.text[pos]
        body = self.substituted(op + "(", pos)
        return n.ProcessSub(op, body, pos, self.pos)

    def substituted(self, opener: str, pos: int) -> n.List:
        """Read commands and the ``)`` after them.

        The body of an open here-document follows the newline after the word, as in bash; those of the outer line are
        not read in here.
        """
        self.enter()
        outer, self.docs = self.docs, []
        self.opened.append((opener, pos))
        self.substitutions += 1
        body = self.command_list()
        if self.text[self.pos] != ")":
            raise self.missing(opener, ")", pos)
        self.pos += 1
        self.substitutions -= 1
        self.opened.pop()
        self.docs = outer + self.docs
        self.depth -= 1
        return body

    def backquote(self, quoted: bool) -> n.CommandSub:
        r"""Read `` `…` ``: first drop a backslash before ``$``, `` ` `` or ``\`` (in double quotes ``"`` too)."""
        pos = self.pos
        match = _BACKQUOTED.match(self.text, pos + 1)
        if match is None:
            raise self.unclosed("`", "`", pos)
        self.enter()
        text = match.group()[:-1]
        if "\\" in text:
            text = (_ESCAPED_IN_DOUBLE if quoted else _ESCAPED).sub(r"\1", text)
        broken = None
        try:
            body = self.child(text, pos + 1).whole()
        except ShellSyntaxError:
            # bash parses backquotes when they run, and continues after an error in them.
            body, broken = n.List((), pos, pos), text
        self.pos = match.end()
        self.depth -= 1
        return n.CommandSub(body, True, _input_file(body), pos, self.pos, broken=broken)

    def whole(self) -> n.List:
        """Read the whole text as commands."""
        body = self.command_list()
        if self.pos < self.end:
            raise self.unexpected()
        if self.docs:
            self.here_documents()
        return body

    # --- arithmetic ---------------------------------------------------------------------------------

    def is_arithmetic(self, pos: int) -> bool:
        """Return whether ``((`` before ``pos`` is closed by ``))``; if not, it opens two subshells, as in bash."""
        text = self.text
        start = pos
        nested = 0
        while True:
            pause()
            match = _SKIP.match(text, pos)
            if match is not None:
                pos = match.end()
            char = text[pos]
            if char == "(":
                nested += 1
            elif char == ")":
                if not nested:
                    return text[pos + 1] == ")" or text.startswith("\\\n)", pos + 1)
                nested -= 1
            elif pos >= self.end:
                raise self.unclosed("((", ")", start - 2)
            pos += 1

    def arithmetic_text(self, plain: re.Pattern[str] = _ARITHMETIC) -> n.Word:
        """Read arithmetic up to an unbalanced ``)`` (or another character that is not plain)."""
        start = self.pos
        parts: Parts = []
        nested = 0
        while True:
            self.quoted_parts(parts, plain, IN_DOUBLE)
            char = self.text[self.pos]
            if char == "(":
                nested += 1
            elif char == ")" and nested:
                nested -= 1
            elif char != '"' and not (char == ";" and nested):  # ``for ((;;))`` is split at semicolons outside brackets
                return n.Word(tuple(parts), start, self.pos)
            self.plain_char(parts, char)

    def plain_char(self, parts: Parts, char: str) -> None:
        """Add the character under the cursor to text that is read as in double quotes; double quotes are dropped."""
        pause()
        pos = self.pos
        self.pos = pos + 1
        if char == '"':
            return
        last = parts[-1] if parts else None
        if type(last) is n.Quoted and last.style == '"':
            parts[-1] = n.Quoted(last.text + char, '"', last.pos, self.pos)
        else:
            parts.append(n.Quoted(char, '"', pos, self.pos))

    def close_arithmetic(self, opened: int) -> None:
        """Skip the ``))``. Raises ShellSyntaxError if it is missing."""
        self.blanks()
        at = self.pos
        if self.text[at] == ")":
            at += 1
            while self.text.startswith("\\\n", at):
                at += 2
        if at == self.pos or self.text[at] != ")":
            raise self.missing("((", ")", opened, "`))'")
        self.pos = at + 1

    def _arithmetic(self, pos: int) -> n.Arithmetic:
        self.enter()
        text = self.arithmetic_text()
        self.close_arithmetic(pos)
        self.depth -= 1
        return self.arithmetic_node(text, pos)

    def arithmetic_node(self, text: n.Word, pos: int) -> n.Arithmetic:
        """Return the node of an arithmetic text that ends at the cursor."""
        return n.Arithmetic(static_parse(text, self.subscript_of), text, pos, self.pos)

    def arithmetic_section(self) -> n.Arithmetic | None:
        """Read one of the three parts of ``for ((;;))``; None if it is empty."""
        pos = self.pos
        text = self.arithmetic_text(_ARITHMETIC_PART)
        if all(type(part) is n.Quoted and not part.text.strip() for part in text.parts):
            return None
        return self.arithmetic_node(text, pos)

    def _old_arithmetic(self, pos: int) -> n.Arithmetic:
        # ``$[…]`` is the old form of ``$((…))``, which bash deprecates.
        self.enter()
        start = self.pos
        parts: Parts = []
        nested = 0
        while True:
            self.quoted_parts(parts, _OLD_ARITHMETIC, IN_DOUBLE)
            char = self.text[self.pos]
            if self.pos >= self.end:
                raise self.unclosed("$[", "]", pos)
            if char == "]":
                if not nested:
                    break
                nested -= 1
            elif char == "[":
                nested += 1
            self.plain_char(parts, char)
        text = n.Word(tuple(parts), start, self.pos)
        self.pos += 1
        self.depth -= 1
        return self.arithmetic_node(text, pos)

    # --- methods of the layers above -------------------------------------------------------------------

    if TYPE_CHECKING:

        def braced(self, pos: int, quoted: bool) -> n.WordPart:
            """Read ``${…}``; the cursor is after the brace."""

        def subscript_of(self, text: str, atoms: Parts, pos: int) -> n.Subscript | None:
            """Parse a subscript's text, with ATOMs for its expansions. Raises NotStatic for ATOMs beside quotes."""


def _input_file(body: n.List) -> n.Word | None:
    """Return the file of ``$(< file)``, which is read without running a command (bash); None for other lists."""
    match body.items:
        case ((n.Simple(words=(), assigns=(), redirects=(redirect,)), False),):
            match redirect:
                case n.Redirect(op="<", fd=None | 0, variable=None, target=n.Word() as file):
                    return file
    return None
