"""``${…}`` and subscripts (POSIX XCU 2.6.2, bash manual 3.5.3 and 6.7)."""

from __future__ import annotations

import re

from ...regexes import lazy_pattern
from .. import nodes as n
from .arithmetic import ATOM, NotStatic, static_parse
from .expansions import Expansions
from .words import IN_DOUBLE, Parts, add_literal

_PARAMETER = lazy_pattern(r"(?:\\\n)*([A-Za-z_](?:[A-Za-z0-9_]++|\\\n)*+|[0-9]+|[@*#?$!-])(?:\\\n)*")
_SIMPLE = lazy_pattern(r"([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*?$-])\}")
# A line continuation may be within an operator and after it.
_DEFAULTS = lazy_pattern(r":?(?:\\\n)*[-=?+](?:\\\n)*")
_PATTERN_OPS = lazy_pattern(r"([#%^,~])(?:(?:\\\n)*\1)?(?:\\\n)*")
_REPLACE = lazy_pattern(r"/(?:\\\n)*[/#%]?(?:\\\n)*")
_TRANSFORM = lazy_pattern(r"@([A-Za-z])(?=\})")
_OPERAND = lazy_pattern(r"[^}\\'\"$`<>\0]+")
_PATTERN = lazy_pattern(r"[^}/\\'\"$`<>\0]+")
_OPERAND_IN_DOUBLE = lazy_pattern(r"[^}'\"\\$`\0]+")
_SLICE = lazy_pattern(r"[^}:?()\"\\$`\0]+")
_PLAIN_INDEX = lazy_pattern(r"[0-9]+|[A-Za-z_][A-Za-z0-9_]*")
_INDIRECT_SPECIAL = "#?@*"
_SPECIALS = "@*#?$!-"
_SPECIALS_OR_DIGITS = f"{_SPECIALS}0123456789"


class Parameters(Expansions):
    """Reads ``${…}``."""

    __slots__ = ()

    def braced(self, pos: int, quoted: bool) -> n.WordPart:
        """Read ``${…}``; the cursor is after the brace."""
        match = _SIMPLE.match(self.text, self.pos)
        if match is not None:
            self.pos = end = match.end()
            return n.Parameter(match.group(1), pos, end, braced=True, line=self.line(pos))
        self.enter()
        start = self.pos
        node = n.Parameter("", pos, pos, braced=True, line=self.line(pos))
        if not self._subject(node) or not self._operation(node, quoted) or self.text[self.pos] != "}":
            # A mistake is reported when the expansion is reached ("bad substitution"), as in bash.
            self._operand_unquoted(_OPERAND, "}", quoted)
            node = n.Parameter(self.text[start : self.pos], pos, pos, op="bad", braced=True, line=node.line)
        if self.pos >= self.end:
            raise self.unclosed("${", "}", pos)
        self.pos += 1
        node.end = self.pos
        self.depth -= 1
        return node

    def _subject(self, node: n.Parameter) -> bool:
        # [!|#]name[subscript]
        text = self.text
        match = _PARAMETER.match(text, self.pos)
        if match is None:
            return False
        name = match.group(1)
        if name in ("#", "!"):
            following = _PARAMETER.match(text, match.end())
            if following is not None:
                # ``${#}`` and ``${#-x}`` are the parameter #, ``${#x}`` and ``${#-}`` a length; likewise with !.
                other = following.group(1)
                plain = other not in _SPECIALS
                char = text[following.end()]
                if name == "#":
                    node.length = char == "}" or (plain and char == "[")
                else:
                    node.indirect = plain or other in _INDIRECT_SPECIAL
                if node.length or node.indirect:
                    match = following
                    name = other
        node.name = name.replace("\\\n", "")
        self.pos = match.end()
        if text[self.pos] == "[" and name[0] not in _SPECIALS_OR_DIGITS:
            node.index = self.subscript()
        return True

    def _operation(self, node: n.Parameter, quoted: bool) -> bool:
        text = self.text
        char = text[self.pos]
        if node.length or char == "}":
            if node.indirect and node.index is not None and node.index.kind:
                node.op = "keys"
                node.indirect = False
            return char == "}"
        is_prefix = node.indirect and node.name not in _INDIRECT_SPECIAL
        if is_prefix and char in "@*" and text[self.pos + 1] == "}":  # ``${!prefix*}``
            node.op = "names" + char
            node.indirect = False
            self.pos += 1
            return True
        match = _DEFAULTS.match(text, self.pos)
        if match is not None:
            node.op = match.group().replace("\\\n", "")
            self.pos = match.end()
            node.word = self._operand(quoted)
            return True
        if char == ":":
            self.pos += 1
            return self._slice(node)
        if char == "/":
            self._substitution(node, quoted)
            return True
        match = _PATTERN_OPS.match(text, self.pos)
        if match is not None:
            node.op = match.group().replace("\\\n", "")
            self.pos = match.end()
            word = self._operand_unquoted(_OPERAND, "}", quoted)
            node.word = None if not word.parts and node.op[0] in "^,~" else word
            return True
        match = _TRANSFORM.match(text, self.pos)
        if match is not None:
            node.op = "@"
            node.word = n.Word((n.Literal(match.group(1), self.pos + 1, self.pos + 2),), self.pos + 1, self.pos + 2)
            self.pos = match.end()
            return True
        return False

    # --- operands -----------------------------------------------------------------------------------

    def _operand(self, quoted: bool) -> n.Word:
        # ${x:-word}: inside double quotes its plain text is quoted and "…" nests. Single quotes are plain too, but a }
        # between them does not close the expansion (bash; in POSIX mode they have no meaning).
        if not quoted:
            return self._operand_unquoted(_OPERAND, "}", False)
        start = self.pos
        single = -1
        parts: Parts = []
        while True:
            self.quoted_parts(parts, _OPERAND_IN_DOUBLE, '$`"\\}')
            pos = self.pos
            char = self.text[pos]
            if pos >= self.end and single >= 0:
                raise self.unclosed("'", "'", single)
            if pos >= self.end or (char == "}" and single < 0):
                return n.Word(tuple(parts), start, pos)
            if char == '"' and single < 0:
                parts.append(self.double_quoted())
                continue
            if char == "'" and not self.modes.posix:
                single = pos if single < 0 else -1
            self.plain_char(parts, char)

    def _operand_unquoted(self, plain: re.Pattern[str], stop: str, quoted: bool) -> n.Word:
        # A pattern: quotes in it quote, even if the whole expansion is in double quotes.
        start = self.pos
        parts: Parts = []
        while True:
            char = self.unquoted_parts(parts, plain)
            pos = self.pos
            if char in stop or pos >= self.end:
                return n.Word(tuple(parts), start, pos)
            if char in "<>" and self.text[pos + 1] == "(" and not quoted and not self.modes.posix:
                parts.append(self.process_sub())
                continue
            self.pos = pos + 1
            add_literal(parts, char, pos, pos + 1)

    def _substitution(self, node: n.Parameter, quoted: bool) -> None:
        text = self.text
        match = _REPLACE.match(text, self.pos)
        assert match is not None
        node.op = match.group().replace("\\\n", "")
        self.pos = pos = match.end()
        if node.op == "//" and text[pos] == "/":  # ${x////_}: the first slash of the pattern does not end it
            self.pos = pos + 1
            rest = self._operand_unquoted(_PATTERN, "}/", quoted)
            parts: Parts = [n.Literal("/", pos, pos + 1)]
            for part in rest.parts:
                if isinstance(part, n.Literal):
                    add_literal(parts, part.text, part.pos, part.end)
                else:
                    parts.append(part)
            node.word = n.Word(tuple(parts), pos, rest.end)
        else:
            node.word = self._operand_unquoted(_PATTERN, "}/", quoted)
        if self.text[self.pos] == "/":
            self.pos += 1
            node.word2 = self._operand_unquoted(_OPERAND, "}", quoted)

    def _slice(self, node: n.Parameter) -> bool:
        node.op = "slice"
        node.word = self._slice_part(":}")
        node.arith = static_parse(node.word, self.subscript_of)
        if self.text[self.pos] == ":":
            self.pos += 1
            node.word2 = self._slice_part("}")
            node.arith2 = static_parse(node.word2, self.subscript_of)
        return bool(node.word.parts) or node.word2 is not None

    def _slice_part(self, stop: str) -> n.Word:
        start = self.pos
        parts: Parts = []
        nested = ternaries = 0
        while True:
            self.quoted_parts(parts, _SLICE, IN_DOUBLE)
            pos = self.pos
            char = self.text[pos]
            if char == "}" or pos >= self.end:
                return n.Word(tuple(parts), start, pos)
            is_outside = not nested and not ternaries  # the colon of ``a ? b : c`` does not end the offset
            if char == ":" and ":" in stop and is_outside:
                return n.Word(tuple(parts), start, pos)
            nested += (char == "(") - (char == ")")
            ternaries += (char == "?") - (char == ":")
            self.plain_char(parts, char)

    # --- subscripts -----------------------------------------------------------------------------------

    def subscript(self) -> n.Subscript:
        """Read ``[…]``."""
        text = self.text
        opened = self.pos
        self.pos = start = opened + 1
        if text[start] in "@*" and text[start + 1] == "]":
            self.pos = start + 2
            word = n.Word((n.Literal(text[start], start, start + 1),), start, start + 1)
            return n.Subscript(text[start], word, None, opened, self.pos)
        word = self.bracketed(opened)
        kind = word.literal()
        if kind in ("@", "*"):  # with a line continuation
            return n.Subscript(kind, word, None, opened, self.pos)
        return n.Subscript("", word, self._index_arithmetic(word), opened, self.pos)

    def _index_arithmetic(self, word: n.Word) -> n.Arith | None:
        # The usual subscripts, a name and a small decimal number, need no parser.
        text = word.literal()
        if text is None or not _PLAIN_INDEX.fullmatch(text):
            return static_parse(word, self.subscript_of)
        if text[0] > "9":
            return n.Variable(text, None, word.pos, word.end)
        is_decimal = text[0] > "0" or text == "0"
        if is_decimal and len(text) < 19:  # a longer one may not fit into 64 bits
            return n.Number(int(text), word.pos, word.end)
        return static_parse(word, self.subscript_of)

    def subscript_of(self, text: str, atoms: Parts, pos: int) -> n.Subscript | None:
        """Parse a subscript's text, with ATOMs for its expansions. Raises NotStatic for ATOMs beside quotes."""
        end = pos + len(text)
        if text in ("@", "*"):
            return n.Subscript(text, n.Word((n.Literal(text, pos, end),), pos, end), None, pos, end)
        quotes = any(c in text for c in "'\"\\$`")
        parts: Parts = []
        if quotes and atoms:
            raise NotStatic  # the expansion's text would have to go inside the quotes
        if quotes:
            parts = list(self.child(text + "]", 0).bracketed(0).parts)
        else:
            left = iter(atoms)
            for i, piece in enumerate(text.split(ATOM)):
                if i:
                    parts.append(next(left))
                if piece:
                    parts.append(n.Literal(piece, pos, end))
        word = n.Word(tuple(parts), pos, end)
        return n.Subscript("", word, self._index_arithmetic(word), pos, end)
