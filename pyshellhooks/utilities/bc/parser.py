"""bc's statements and functions to code, in one pass (POSIX XCU bc, "Grammar"; GNU bc 1.07's extensions and messages)."""

from __future__ import annotations

from collections.abc import Callable

from ...text import encode
from .code import Code, Function
from .expressions import COMPARED, OPENERS, PARENTHESES, SHOWN, VOID, BcSyntaxError, ExpressionParser, Quit


class Parser(ExpressionParser):
    """Reads one item at a time: a line of statements, or a function."""

    # Items.

    def item(self) -> Code | None:
        """Read one item; its code, None at the end, and ``failed`` if it must not run."""
        self.code, self.failed = Code(), False
        self._label, self._depth, self._function = 0, 0, None
        self._breaks, self._continues = [], []
        if self.peek() == "end":
            return None
        try:
            if self.peek() == "define":
                self._define()
                return Code()
        except BcSyntaxError:
            if not self._recover(newline=True):
                self._statements("newline")
        else:
            self._statements("newline")
        self.failed |= self.lexer.failed
        self.lexer.failed = False
        return self.code

    def _recover(self, *, newline: bool) -> bool:
        """Report an error and skip to where a statement begins, as a parser made by yacc does from ``error statement``.

        ``newline``: the end of the line will do, too; gives whether it was that. Errors that come before three tokens
        were read are not told.
        """
        self.peek()
        if not self.quiet:
            self.error("syntax error")
        self.failed = True
        while (kind := self.peek()) not in _STARTS:
            if kind == "end":
                raise Quit
            self.take()
            if kind == "newline" and newline:
                self.quiet = 0
                return True
        self.quiet = 3
        return False

    def _statements(self, end: str) -> None:
        separated, depth = False, self._depth
        while True:
            kind = self.peek()
            if kind == ";" or (kind == "newline" and end == "}"):
                self.take()
                separated = True
                continue
            if kind == end:
                self.take()
                return
            try:
                if kind == "end":  # a line without its newline, too
                    raise BcSyntaxError
                self._statement()
                if self.peek() in (";", "newline", end):
                    continue
                separated = False
                raise BcSyntaxError
            except BcSyntaxError:
                self._depth = depth
                # Behind a semicolon only a statement makes up for a mistake.
                if self._recover(newline=end == "newline" and not separated):
                    return

    def _statement(self) -> None:
        self._deeper()
        kind = self.peek()
        method = _STATEMENTS.get(kind)
        if method is not None:
            method(self)
        elif kind == "string":
            text = self.take().text
            self.code.add("w", text, len(encode(text)) + 2)
        else:
            flags = self._expression()
            if flags & COMPARED:
                self.extension("comparison in expression")
            self.code.add("W" if flags & SHOWN and not flags & VOID else "p")
        self._depth -= 1

    def _block(self) -> None:
        self.take()
        self._statements("}")

    def _break(self) -> None:
        self.take()
        if self._breaks:
            self.code.jump("J", self._breaks[-1])
        else:
            self.error("Break outside a for/while")

    def _continue(self) -> None:
        self.take()
        self.extension("Continue statement")
        if self._continues:
            self.code.jump("J", self._continues[-1])
        else:
            self.error("Continue outside a for")

    def _halt(self) -> None:
        self.take()
        self.code.add("h")

    def _limits(self) -> None:
        self.take()
        self.code.add("limits", None, 0)

    def _warranty(self) -> None:
        self.take()
        self.code.add("warranty", None, 0)

    def _print(self) -> None:
        self.take()
        self.extension("print statement")
        while True:
            if self.peek() == "string":
                text = self.take().text
                self.code.add("O", text, len(encode(text)) + 2)
            else:
                self._value("void expression in print")
                self.code.add("P")
            if not self.accept(","):
                return

    def _return(self) -> None:
        self.take()
        if self.peek() not in OPENERS:
            self.code.add("0")
        else:
            flags = self._expression()
            if not flags & PARENTHESES:
                self.extension("return expression requires parenthesis")
            self._refuse_void(flags, "return requires non-void expression")
            if self._function is not None and self._function.void:
                self.error("Return expression in a void function.")
        if self._function is None:
            self.error("Return outside of a function.")
        self.code.add("R")

    def _newlines(self) -> None:
        while self.accept("newline"):
            pass

    def _condition(self) -> None:
        self.expect("(")
        self._value()

    def _if(self) -> None:
        self.take()
        otherwise = self._new_label()
        self._condition()
        self.expect(")")
        self.code.jump("Z", otherwise)
        self._newlines()
        self._statement()
        if self.peek() == "else":
            self.take()
            self.extension("else clause in if statement")
            end = self._new_label()
            self.code.jump("J", end)
            self.code.mark(otherwise)
            self._newlines()
            self._statement()
            otherwise = end
        self.code.mark(otherwise)

    def _while(self) -> None:
        self.take()
        again, end = self._new_label(), self._new_label()
        self._continues.append(again)
        self.code.mark(again)
        self._condition()
        self._breaks.append(end)
        self.code.jump("Z", end)
        self.expect(")")
        self._body(again, end)

    def _body(self, again: int, end: int) -> None:
        self._newlines()
        self._statement()
        self._breaks.pop()
        self._continues.pop()
        self.code.jump("J", again)
        self.code.mark(end)

    def _for(self) -> None:
        self.take()
        test, again, body, end = (self._new_label() for _ in range(4))
        self._breaks.append(end)
        self.expect("(")
        if self._optional(";", "first"):
            self.code.add("p")
        self.expect(";")
        self.code.mark(test)
        if not self._optional(";", "second"):
            self.code.add("1")
        self.expect(";")
        self._continues.append(again)
        self.code.jump("B", body)
        self.code.jump("J", end)
        self.code.mark(again)
        if self._optional(")", "third"):
            self.code.add("p")
        self.expect(")")
        self.code.jump("J", test)
        self.code.mark(body)
        self._body(again, end)

    def _optional(self, end: str, place: str) -> bool:
        if self.peek() == end:
            self.extension("Missing expression in for statement")
            return False
        self._value(f"{place} expression is void")
        return True

    # Functions.

    def _define(self) -> None:
        self.take()
        void = self.accept("void")
        if void:
            self.extension("void functions")
        function = Function(self.expect("name").text)
        function.void = void
        (self.voids.add if void else self.voids.discard)(function.name)
        self._function = function
        self.names.function(function.name)
        self.expect("(")
        function.params = self._declared(")")
        self.expect(")")
        if self.peek() == "newline":
            self._newlines()
        self.expect("{")
        if self.peek() != "newline":
            self.extension("End of line required")
        self._newlines()
        if self.accept("auto"):
            function.autos = self._declared("newline")
            if self.peek() not in (";", "newline"):
                raise BcSyntaxError
            self.take()
        self._lettered(function.name)
        if len(set(function.params)) < len(function.params):
            self.error("duplicate parameter names")
        if len(set(function.autos)) < len(function.autos):
            self.error("duplicate auto variable names")
        self._statements("}")
        if set(function.params) & set(function.autos):
            self.error("variable in both parameter and auto lists")
        self.code.add("0")
        self.code.add("R")
        function.code = self.code
        if not self.failed:
            self.functions[function.name] = function

    def _declared(self, end: str) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        if self.peek() == end:
            return found
        while True:
            shared = self.accept("*") or self.accept("&")
            name = self.expect("name").text
            if self.accept("["):
                self.expect("]")
                self.names.array(name)
                found.append(("shared" if shared else "array", name))
            elif shared:
                raise BcSyntaxError
            else:
                self.names.simple(name)
                found.append(("simple", name))
            if not self.accept(","):
                return found


_STATEMENTS: dict[str, Callable[[Parser], None]] = {
    "{": Parser._block,
    "break": Parser._break,
    "continue": Parser._continue,
    "halt": Parser._halt,
    "limits": Parser._limits,
    "warranty": Parser._warranty,
    "print": Parser._print,
    "return": Parser._return,
    "if": Parser._if,
    "while": Parser._while,
    "for": Parser._for,
}
# What a statement can begin with.
_STARTS = frozenset(_STATEMENTS) | OPENERS | {"string"}
