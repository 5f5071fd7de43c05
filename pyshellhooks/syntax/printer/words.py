"""Print words as shell text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...regexes import lazy_pattern
from .. import nodes as n
from ..quote import quote_ansi

_NAME = lazy_pattern(r"[A-Za-z0-9_]")
_IN_DOUBLE = lazy_pattern(r"[\"$`\\]")
_IN_OPERAND = lazy_pattern(r"[\"$`\\}]")
_IN_BODY = lazy_pattern(r"[$`\\]")
_IN_ARITHMETIC = lazy_pattern(r"[\"$`\\']")
_IN_SLICE = lazy_pattern(r"[\"$`]|\\(?![}:?()])")  # before these a backslash stays
_SINGLE = lazy_pattern(r"\\'")
_BARE_SINGLE = lazy_pattern(r"(?<!\\)'")
_IN_BACKQUOTES = lazy_pattern(r"[`\\]")


class WordPrinter:
    """Prints words and their parts."""

    __slots__ = ()

    def word(self, word: n.Word) -> str:
        """Print a word outside double quotes."""
        return "".join([self._part(part, False) for part in word.parts])

    def quoted(self, parts: tuple[n.WordPart, ...], special: re.Pattern[str] = _IN_DOUBLE) -> str:
        """Print the inside of double quotes; ``special`` matches the characters that need a backslash."""
        out: list[str] = []
        before: n.WordPart | None = None
        for part in parts:
            if type(part) is n.Quoted:
                if type(before) is n.Parameter and _runs_on(before, part.text):
                    out.append('""')  # only in arithmetic, whose quotes were dropped: $(( "$x"y ))
                out.append(special.sub(_backslashed, part.text))
            else:
                out.append(self._part(part, True))
            before = part
        if special is _IN_DOUBLE and out and out[-1].endswith("\\$") and type(before) is n.Quoted:
            out[-1] = out[-1][:-2] + "$"  # before the closing quote it is literal
        return "".join(out)

    def body(self, doc: n.HereDoc) -> str:
        """Print the body of a here-document."""
        if doc.quoted:
            return "".join([part.text for part in doc.body.parts if isinstance(part, n.Quoted)])
        return self.quoted(doc.body.parts, _IN_BODY)

    def _part(self, part: n.WordPart, quoted: bool) -> str:
        if type(part) is n.Parameter:  # the only part that is printed differently within double quotes
            return self._parameter(part, quoted)
        return _PART[type(part)](self, part)

    def _literal(self, part: n.Literal) -> str:
        return part.text

    def _double_quoted(self, part: n.DoubleQuoted) -> str:
        return f'"{self.quoted(part.parts)}"'

    def _arithmetic(self, part: n.Arithmetic) -> str:
        text = self.arithmetic(part)
        if _balanced(text):
            return f"$(({text}))"
        return f"$[{text}]"  # the only form that such a text can come from

    def _process_sub(self, part: n.ProcessSub) -> str:
        return f"{part.op}({self.inline(part.body)})"

    def _quoted_text(self, part: n.Quoted) -> str:
        if part.style == "\\":
            return "\\" + part.text
        if part.style == "$'":
            return quote_ansi(part.text)
        if part.style == '"':
            return '"' + _IN_DOUBLE.sub(r"\\\g<0>", part.text) + '"'
        return "'" + part.text.replace("'", "'\\''") + "'"

    def _command_sub(self, part: n.CommandSub) -> str:
        text = self.inline(part.body) if part.broken is None else part.broken
        if part.backquoted:
            return "`" + _IN_BACKQUOTES.sub(r"\\\g<0>", text) + "`"
        if text.startswith("("):  # ``$((`` would begin arithmetic
            return f"$( {text})"
        return f"$({text})"

    def arithmetic(self, node: n.Arithmetic) -> str:
        """Print an arithmetic text."""
        return self.quoted(node.text.parts, _IN_ARITHMETIC)

    # --- parameters ---------------------------------------------------------------------------------

    def _parameter(self, node: n.Parameter, quoted: bool) -> str:
        if node.op == "bad":
            return "${" + node.name + "}" if node.braced else node.name
        if not node.braced:
            return "$" + node.name
        sign = ""
        if node.length:
            sign = "#"
        elif node.indirect or node.op in ("keys", "names@", "names*"):
            sign = "!"
        subject = sign + node.name + self.subscript(node.index)
        return "${" + subject + self._operation(node, quoted) + "}"

    def _operation(self, node: n.Parameter, quoted: bool) -> str:
        op = node.op
        if op in ("", "keys"):
            return ""
        if op in ("names@", "names*"):
            return op[-1]
        if op == "slice":
            return self._slice(node)
        word = node.word
        if word is None:
            return op
        if op[-1] in "-=?+" and quoted:
            return op + self._quoted_operand(word.parts)
        text = op + self.word(word)
        if node.word2 is None:
            return text
        return text + "/" + self.word(node.word2)

    def _quoted_operand(self, parts: tuple[n.WordPart, ...]) -> str:
        r"""Print the word of ``"${x-word}"``.

        A ``'`` in it opens or closes a part in which ``}`` is text, unless a backslash precedes it; the backslash may
        be text, too (``\\'``). The tree has the same text for both, but an unescaped ``'`` always has a partner.
        """
        out: list[str] = []
        start = 0
        for end in (*(i for i, part in enumerate(parts) if type(part) is n.DoubleQuoted), len(parts)):
            text = ""
            odd = sum(len(_BARE_SINGLE.findall(part.text)) for part in parts[start:end] if type(part) is n.Quoted) % 2
            for part in parts[start:end]:
                if type(part) is n.Quoted:
                    pieces = _SINGLE.split(part.text)
                    for i, piece in enumerate(pieces):
                        text += _IN_OPERAND.sub(_backslashed, piece)
                        if i < len(pieces) - 1:
                            text += "\\\\'" if odd else "\\'"
                            odd = 0
                else:
                    text += self._part(part, True)
            out.append(text)
            if end < len(parts):
                out.append(self._part(parts[end], True))
            start = end + 1
        return "".join(out)

    def _slice(self, node: n.Parameter) -> str:
        offset = self.quoted(node.word.parts, _IN_SLICE) if node.word is not None else ""
        if offset[:1] in ("-", "=", "?", "+"):
            offset = '""' + offset  # quotes have no meaning here, but ${x:-1} is a default value
        if node.word2 is None:
            return ":" + offset
        return f":{offset}:{self.quoted(node.word2.parts, _IN_SLICE)}"

    def subscript(self, index: n.Subscript | None) -> str:
        """Print ``[…]``."""
        return "" if index is None else f"[{self.word(index.word)}]"

    if TYPE_CHECKING:

        def inline(self, body: n.List) -> str:
            """Print commands for ``$( … )``: on one line unless a here-document needs more."""


def _backslashed(match: re.Match[str]) -> str:
    char = match.group()
    return '"\'"' if char == "'" else "\\" + char  # arithmetic drops double quotes and has no single ones


def _runs_on(node: n.Parameter, text: str) -> bool:
    named = not node.braced and node.op != "bad" and (node.name[0].isalpha() or node.name[0] == "_")
    return named and _NAME.match(text) is not None


def _balanced(text: str) -> bool:
    nested = 0
    for char in text:
        nested += (char == "(") - (char == ")")
        if nested < 0:
            return False
    return not nested


_PART: dict[type, Callable[[Any, Any], str]] = {
    n.Literal: WordPrinter._literal,
    n.Quoted: WordPrinter._quoted_text,
    n.DoubleQuoted: WordPrinter._double_quoted,
    n.CommandSub: WordPrinter._command_sub,
    n.Arithmetic: WordPrinter._arithmetic,
    n.ProcessSub: WordPrinter._process_sub,
}
