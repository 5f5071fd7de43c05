"""``[[ … ]]`` (bash manual 3.2.5.2 and 6.4)."""

from __future__ import annotations

from ...text import pause
from .. import nodes as n
from .simple import SimpleCommands

_UNARY = frozenset(f"-{c}" for c in "abcdefghknoprstuvwxzGLNORS")
_BINARY = frozenset(
    ("=", "==", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef")
)  # fmt: skip


class Tests(SimpleCommands):
    """Reads ``[[ … ]]``."""

    __test__ = False
    __slots__ = ()

    def test_command(self, start: int) -> n.Command:
        """Read ``… ]]`` after ``[[``."""
        self.enter()
        self.opened.append(("[[", start))
        expression = self._or()
        self.newlines()
        if self.command_word() != "]]":
            raise self.unexpected("`&&`, `||` or `]]`")
        self.pos += 2
        self.opened.pop()
        self.depth -= 1
        redirects = self.redirects()
        return n.TestCommand(expression, redirects, self.line(start), start, self.pos)

    def _or(self) -> n.Test:
        left = self._and()
        while self._takes("||"):
            left = n.TestOr(left, self._and())
        return left

    def _and(self) -> n.Test:
        left = self._term()
        while self._takes("&&"):
            left = n.TestAnd(left, self._term())
        return left

    def _takes(self, operator: str) -> bool:
        self.newlines()
        if self.operator() != operator:
            return False
        self.skip_operator(operator)
        pause()  # a test may be as long as a script
        return True

    def _term(self) -> n.Test:
        self.newlines()
        start = self.pos
        if self.text[start] == "(":
            self.enter()
            self.pos += 1
            self.opened.append(("(", start))
            inner = self._or()
            self.newlines()
            if self.text[self.pos] != ")":
                raise self.unexpected("`&&`, `||` or `)`")
            self.pos += 1
            self.opened.pop()
            self.depth -= 1
            return inner
        word = self.command_word()
        if word == "!":
            self.enter()
            self.pos += 1
            operand = self._term()
            self.depth -= 1
            return n.TestNot(operand, start)
        if word in _UNARY:
            return self._unary(word, start)
        left = self._side("an expression")
        return self._binary(left)

    def _side(self, expected: str, extglob: bool = False) -> n.Word:
        if self.command_word() == "]]":
            raise self.unexpected(expected)
        return self.wanted_word(expected, extglob=extglob)

    def _unary(self, op: str, start: int) -> n.Test:
        self.pos += len(op)
        self.blanks()
        word = self._side(f"the argument of `{op}`")
        return n.TestUnary(op, word, start, word.end)

    def _binary(self, left: n.Word) -> n.Test:
        self.blanks()
        op = self.command_word()
        if op in _BINARY:
            self.pos += len(op)
        elif self.text[self.pos] in "<>" and self.operator() in ("<", ">"):
            op = self.operator()
            is_redirection = left.end == self.pos and (left.literal() or "").isdigit()
            if is_redirection:  # bash's lexer makes ``2<`` one token, here as well
                raise self.unexpected("an operator (a number right before it makes it a redirection)")
            self.pos += 1
        elif op == "]]" or self.text[self.pos] == ")" or self.operator() in ("&&", "||"):
            return n.TestWord(left)
        else:
            raise self.unexpected("a binary operator such as `==`")
        self.blanks()
        if op == "=~":
            right = self.regex_word()
            if right.end == right.pos:
                raise self.unexpected("a regular expression")
        else:
            # Extended patterns are allowed there even without ``shopt -s extglob`` (bash 4.1).
            right = self._side(f"the right side of `{op}`", extglob=op in ("=", "==", "!="))
        return n.TestBinary(op, left, right)
