"""Parser of expressions (POSIX XCU awk, "Grammar", with gawk's extensions of the grammar).

Precedence climbing on two levels: operators that bind tighter than concatenation (``_arithmetic``), and operators whose
operands are concatenations (``_logical``). An assignment may be an operand of the second level.
"""

from __future__ import annotations

from . import nodes as n
from .lexer import BUILTINS, Lexer
from .values import AwkError

_LOGICAL = {"||": 1, "&&": 2, "in": 3, "~": 4, "!~": 4, "<": 5, "<=": 5, "==": 5, "!=": 5, ">": 5, ">=": 5}
_RELATIONAL = 5
_ARITHMETIC = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}
_ASSIGNMENT = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "^="))
_ENDS = frozenset((";", "newline", "}", "end", ">", ">>", "|", "|&"))
_STARTS = frozenset(("number", "string", "name", "call", "builtin", "$", "!", "(", "++", "--", "@", "getline"))


class ExpressionParser:
    """Parser of the expressions of one program."""

    def __init__(self, lexer: Lexer) -> None:
        self.lexer = lexer
        self.kind = ""
        self._no_greater = False  # in print, outside of parentheses: > redirects
        self._list_at = -1  # position of print's parenthesis, which may contain a list
        self._loose = -1  # position of the last token in whose place a newline was allowed
        self.function = ""  # name of the function that is being parsed
        self.rule = ""  # kind of the rule that is being parsed: BEGIN and the like

    def advance(self) -> None:
        """Read the next token."""
        self.kind = self.lexer.advance()

    def skip_newlines(self) -> None:
        """Skip newlines at a place where the grammar allows them."""
        while self.kind == "newline":
            self.advance()
        self._loose = self.lexer.start

    def error(self, message: str = "syntax error") -> AwkError:
        """Return the error for the current token."""
        lexer = self.lexer
        if self.kind in ("end", "newline") and message == "syntax error":
            message = "unexpected newline or end of string"
            if self.kind == "end" and lexer.text.endswith("\n", 0, lexer.start):
                lexer.start -= 1
                lexer.line -= 1
            elif self.kind == "end" and lexer.start != self._loose:
                lexer.line += 1  # gawk adds a newline at the end of the program and has read it by then
        return lexer.error(message)

    def expect(self, kind: str) -> None:
        """Read past a token of this kind; raise a syntax error if the current token is another."""
        if self.kind != kind:
            raise self.error()
        self.advance()

    def where(self) -> str:
        """Return the name of the current line."""
        return self.lexer.where()

    def expression(self) -> n.Expr:
        """Parse an expression of any kind."""
        test = self._logical(1)
        if self.kind != "?":
            return test
        where = self.where()
        self.advance()
        self.skip_newlines()
        yes = self.expression()
        self.expect(":")
        self.skip_newlines()
        return n.Conditional(where, test, yes, self.expression())

    def _logical(self, least: int) -> n.Expr:
        left = self.operand()
        while True:
            operator = self.kind
            level = _LOGICAL.get(operator, 0)
            if level < least or (operator == ">" and self._no_greater):
                return left
            where = self.where()
            self.advance()
            if operator == "in":
                left = n.In(where, [left], self.array())
                continue
            if level < 3:
                self.skip_newlines()
            left = n.Binary(where, operator, left, self._logical(level + 1))
            if (
                level == _RELATIONAL
                and _LOGICAL.get(self.kind) == level
                and not (self.kind == ">" and self._no_greater)
            ):
                raise self.error()

    def operand(self) -> n.Expr:
        """Parse a concatenation, an assignment or ``command | getline``."""
        left = self._arithmetic(1)
        if self.kind in _ASSIGNMENT and isinstance(left, n.Name | n.Index | n.Field):
            where, operator = self.where(), self.kind[:-1]
            self.advance()
            return n.Assign(where, operator, left, self.expression())
        left = self.concatenation(left)
        while self.kind in ("|", "|&"):
            place, pipe = self.lexer.save(), self.kind
            self.advance()
            if self.kind != "getline":
                if not self._no_greater:
                    raise self.error()  # only print and printf may pipe to a command
                self.lexer.restore(place)
                # The print statement itself reads this pipe.
                self.kind = pipe
                return left
            where = self.where()
            self.advance()
            left = n.Getline(where, pipe, left, self._getline_target())
            # ``"cmd" | getline + 1`` adds to the result: getline binds more tightly.
            left = self.concatenation(self._arithmetic(1, left))
        return left

    def concatenation(self, left: n.Expr | None = None) -> n.Expr:
        """Parse a concatenation: expressions side by side."""
        if left is None:
            left = self._arithmetic(1)
        if self.kind not in _STARTS:
            return left
        where = self.where()
        parts = [left]
        while self.kind in _STARTS:
            parts.append(self._arithmetic(1))
        return n.Concat(where, parts)

    def _arithmetic(self, least: int, left: n.Expr | None = None) -> n.Expr:
        if left is None:
            left = self._unary()
        while True:
            operator = self.kind
            level = _ARITHMETIC.get(operator, 0)
            if level < least:
                return left
            where = self.where()
            self.advance()
            left = n.Binary(where, operator, left, self._arithmetic(level + 1))

    def _unary(self) -> n.Expr:
        operator = self.kind
        where = self.where()
        if operator in ("!", "-", "+"):
            self.advance()
            return n.Unary(where, operator, self._unary())
        base = self._stepped(self._primary())
        if self.kind == "^":
            self.advance()
            return n.Binary(where, "^", base, self._unary())
        return base

    def _primary(self) -> n.Expr:
        kind, where, value = self.kind, self.where(), self.lexer.value
        if kind == "number":
            assert isinstance(value, float)
            self.advance()
            return n.Number(where, value)
        if kind == "string":
            assert isinstance(value, bytes)
            self.advance()
            return n.String(where, value)
        if kind in ("/", "/="):
            return self._regex(False)
        if kind == "name":
            return self.variable()
        if kind == "$":
            return self._field()
        if kind == "(":
            return self._group()
        if kind == "builtin":
            return self._builtin()
        if kind == "call":
            return self._call(where, str(value), False)
        if kind in ("++", "--"):
            self.advance()
            target = self._field() if self.kind == "$" else self.variable()
            return n.Step(where, target, 1.0 if kind == "++" else -1.0, True)
        if kind == "getline":
            return self._getline()
        if kind == "@":
            return self._at_sign()
        raise self.error()

    def _regex(self, typed: bool) -> n.Regex:
        where = self.where()
        text = self.lexer.regex()
        self.advance()
        return n.Regex(where, text, typed)

    def _field(self) -> n.Field:
        where = self.where()
        self.advance()
        if self.kind in ("-", "+", "!"):  # $-1 and $!x, without parentheses
            return n.Field(where, self._unary())
        index = self._primary()
        # In $$a++-- the first operators belong to the inner fields.
        return n.Field(where, self._stepped(index) if isinstance(index, n.Field) else index)

    def _stepped(self, base: n.Expr) -> n.Expr:
        """Parse an optional ``++`` or ``--`` after a variable, element or field."""
        if self.kind not in ("++", "--") or not isinstance(base, n.Name | n.Index | n.Field):
            return base
        stepped = n.Step(self.where(), base, 1.0 if self.kind == "++" else -1.0, False)
        self.advance()
        return stepped

    def variable(self) -> n.Name | n.Index:
        """Parse a name and its subscripts."""
        where = self.where()
        if self.kind != "name":
            raise self.error()
        found: n.Name | n.Index = n.Name(where, str(self.lexer.value))
        self.advance()
        while self.kind == "[":
            found = n.Index(where, found, self.subscripts())
        return found

    array = variable

    def subscripts(self) -> list[n.Expr]:
        """Parse ``[a, b]``."""
        self.advance()
        return self._items("]")

    def _items(self, closer: str) -> list[n.Expr]:
        """Parse a list of one or more expressions and its closing token."""
        outer, self._no_greater = self._no_greater, False
        items = [self.expression()]
        while self.kind == ",":
            self.advance()
            self.skip_newlines()
            items.append(self.expression())
        self._no_greater = outer
        self.expect(closer)
        return items

    def _group(self) -> n.Expr:
        where, start = self.where(), self.lexer.start
        self.advance()
        items = self._items(")")
        if len(items) == 1:
            return n.Group(where, items[0])
        if self.kind == "in":
            self.advance()
            return n.In(where, items, self.array())
        if start != self._list_at or self.kind not in _ENDS:
            raise self.error()
        return n.Grouping(where, items)

    def _arguments(self) -> list[n.Expr]:
        self.expect("(")
        if self.kind == ")":
            self.advance()
            return []
        items = self._items(")")
        for number, item in enumerate(items, 1):
            if isinstance(item, n.Regex) and not item.typed:
                text = f"regexp constant for parameter #{number} yields boolean value"
                self.lexer.warnings.append(f"{item.where}: warning: {text}")
        return items

    def _builtin(self) -> n.Expr:
        where, name = self.where(), str(self.lexer.value)
        self.advance()
        if name == "length" and self.kind != "(":
            return n.Builtin(where, name, [])  # POSIX XCU awk: length alone is length($0)
        if self.kind != "(":
            raise self.error()
        self.advance()
        outer, self._no_greater = self._no_greater, False
        items: list[n.Expr] = []
        while self.kind != ")":
            items.append(self.expression())
            if self.kind != ",":
                break
            self.advance()
            self.skip_newlines()
            if self.kind == ")":
                raise self.error()
        self._no_greater = outer
        if self.kind != ")":
            raise self.error()
        least, most = BUILTINS[name]
        if name in ("and", "or", "xor") and len(items) < 2:
            raise AwkError(f"{name}: called with less than two arguments", where)
        if not least <= len(items) <= most:
            raise self.error(f"{len(items)} is invalid as number of arguments for {name}")
        self.advance()
        return n.Builtin(where, name, items)

    def _call(self, where: str, name: str, indirect: bool) -> n.Call:
        self.advance()
        return n.Call(where, name, self._arguments(), indirect)

    def _at_sign(self) -> n.Expr:
        where = self.where()
        self.advance()
        if self.kind in ("/", "/="):
            return self._regex(True)
        if self.kind == "call":
            return self._call(where, str(self.lexer.value), True)
        if self.kind == "name":
            word = str(self.lexer.value)
            if word in ("include", "load", "namespace"):
                if word == "include":
                    text = "is not supported but at the beginning of a line"
                else:
                    text = "is not supported"
                raise AwkError(f"@{word} {text}", where)
        raise self.error()

    def _getline_target(self) -> n.Target | None:
        if self.kind == "$":
            return self._field()
        return self.variable() if self.kind == "name" else None

    def _getline(self) -> n.Getline:
        where = self.where()
        self.advance()
        target = self._getline_target()
        if self.kind == "<":
            self.advance()
            return n.Getline(where, "<", self._arithmetic(1), target)
        if self.rule in ("BEGINFILE", "ENDFILE"):
            raise AwkError(f"non-redirected `getline' invalid inside `{self.rule}' rule", where, "error")
        return n.Getline(where, "", None, target)

    def printed(self) -> tuple[list[n.Expr], str, n.Expr | None]:
        """Parse the arguments and the redirection of ``print``."""
        items: list[n.Expr] = []
        self._no_greater = True
        self._list_at = self.lexer.start if self.kind == "(" else -1
        if self.kind not in _ENDS:
            items.append(self.expression())
            while self.kind == ",":
                self.advance()
                self.skip_newlines()
                items.append(self.expression())
        if len(items) == 1 and isinstance(items[0], n.Grouping):
            items = items[0].items  # print (a, b) > "file": the parentheses are not part of the list
        redirection, target = "", None
        if self.kind in (">", ">>", "|", "|&"):
            redirection = self.kind
            self.advance()
            target = self.concatenation()
        self._no_greater = False
        self._list_at = -1
        return items, redirection, target
