"""Parser of bc that compiles statements and expressions to operations in one pass (POSIX XCU bc, "Grammar").

Precedence and messages are those of GNU bc 1.07.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import Stop
from ...text import encode
from .lexer import Lexer, Token

# (operation, argument, the address after it, which GNU bc's messages contain)
Instruction = tuple[str, Any, int]

# Kinds of expressions: an expression statement prints its value unless it is an assignment.
_ASSIGNED, _SHOWN, _COMPARED = 0, 1, 2
_ASSIGN = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "^="))
_COMPARE = frozenset(("==", "!=", "<", ">", "<=", ">="))
# The precedence of the operators, from the lowest.
_OR, _AND, _NOT, _REL, _ADD, _MUL, _POW = range(1, 8)
_BINDING = {"||": _OR, "&&": _AND, "+": _ADD, "-": _ADD, "*": _MUL, "/": _MUL, "%": _MUL, "^": _POW}
_BINDING |= dict.fromkeys(_COMPARE, _REL)
# The sizes in bytes of GNU's operations before and after the right operand.
_LOGIC = {"&&": (5, 6), "||": (3, 8)}
_DEEPEST = 100  # nested constructs
_VARIABLES = frozenset(("name", "ibase", "obase", "scale", "last"))
# The tokens with which a statement can begin.
_STARTS = _VARIABLES | {"-", "!", "++", "--", "number", "(", "length", "sqrt", "string", "{", "if", "print", "halt"}


class _BcSyntaxError(Exception):
    """A syntax error at the current token."""


class Quit(Exception):
    """``quit`` was read."""


class Parser:
    """Parser of one line of statements at a time.

    ``report`` writes messages. With ``standard`` extensions are errors, with ``warning`` they cause warnings.
    """

    def __init__(
        self, lexer: Lexer, report: Callable[[str], None], *, standard: bool = False, warning: bool = False
    ) -> None:
        self._lexer = lexer
        self._report = report
        self._standard = standard
        self._warning = warning
        self._lookahead: Token | None = None
        self._quiet = 0  # tokens to read before the next syntax error is reported
        self._depth = 0
        self._address = 0
        self._code: list[Instruction] = []
        self.failed = False

    # Tokens and messages.

    def _peek(self) -> str:
        token = self._lookahead
        if token is None:
            token = self._lookahead = self._lexer.next()
            if token[0] == "quit":
                raise Quit
        return token[0]

    def _take(self) -> str:
        """Consume the next token and return its text."""
        self._peek()
        assert self._lookahead is not None
        text = self._lookahead[1]
        self._lookahead = None
        if self._quiet:
            self._quiet -= 1
        return text

    def _accept(self, kind: str) -> bool:
        if self._peek() != kind:
            return False
        self._take()
        return True

    def _expect(self, kind: str) -> None:
        if not self._accept(kind):
            raise _BcSyntaxError

    def _error(self, message: str) -> None:
        """Report an error: the current line will not run."""
        self.failed = True
        self._report(f"{self._lexer.name} {self._lexer.line}: {message}\n")

    def _extension(self, message: str) -> None:
        """Report a construct that is an extension to POSIX."""
        if self._standard:
            self._error(f"Error: {message}")
        elif self._warning:
            self._report(f"{self._lexer.name} {self._lexer.line}: (Warning) {message}\n")

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Stop("limit", f"a bc program has more than {_DEEPEST} nested constructs")

    # Operations.

    def _add(self, op: str, argument: object = None, size: int = 1) -> None:
        """Add an operation of ``size`` bytes of GNU bc's code."""
        self._address += size
        self._code.append((op, argument, self._address))

    def _jump(self, op: str, size: int = 3) -> int:
        """Add an operation that jumps and return its index; ``_land`` sets the target."""
        self._add(op, None, size)
        return len(self._code) - 1

    def _land(self, jump: int) -> None:
        op, _, address = self._code[jump]
        self._code[jump] = (op, len(self._code), address)

    # Statements.

    def item(self) -> list[Instruction] | None:
        """Parse one line and return its code, or None at the end; set ``failed`` if the code must not run."""
        self._code, self.failed = [], False
        self._address = self._depth = 0
        if self._peek() == "end":
            return None
        self._statements("newline")
        self.failed |= self._lexer.failed
        self._lexer.failed = False
        return self._code

    def _recover(self, *, newline: bool) -> bool:
        """Report an error and skip to the start of a statement, as yacc's parser does for the rule ``error statement``.

        ``newline``: the end of the line also ends the skipping; return whether it did. As in yacc, an error is not
        reported within three tokens of the last one.
        """
        self._peek()
        if not self._quiet:
            self._error("syntax error")
        self.failed = True
        while (kind := self._peek()) not in _STARTS:
            if kind == "end":
                raise Quit
            self._take()
            if kind == "newline" and newline:
                self._quiet = 0
                return True
        self._quiet = 3
        return False

    def _statements(self, end: str) -> None:
        separated, depth = False, self._depth
        while not self._accept(end):
            kind = self._peek()
            is_empty_line = kind == "newline" and end == "}"
            if kind == ";" or is_empty_line:
                self._take()
                separated = True
                continue
            try:
                self._statement(kind)
                if self._peek() in (";", "newline", end):
                    continue
                separated = False
                raise _BcSyntaxError
            except _BcSyntaxError:
                self._depth = depth
                # After a semicolon only a statement ends the recovery.
                if self._recover(newline=end == "newline" and not separated):
                    return

    def _statement(self, kind: str) -> None:
        self._deeper()
        if kind == "string":
            self._string("w")
        elif kind == "{":
            self._take()
            self._statements("}")
        elif kind == "if":
            self._if()
        elif kind == "print":
            self._print()
        elif kind == "halt":
            self._take()
            self._add("h")
        else:
            flags = self._expression()
            if flags & _COMPARED:
                self._extension("comparison in expression")
            self._add("W" if flags & _SHOWN else "p")
        self._depth -= 1

    def _string(self, op: str) -> None:
        text = self._take()
        self._add(op, text, len(encode(text)) + 2)

    def _print(self) -> None:
        self._take()
        self._extension("print statement")
        while True:
            if self._peek() == "string":
                self._string("O")
            else:
                self._expression()
                self._add("P")
            if not self._accept(","):
                return

    def _if(self) -> None:
        self._take()
        self._expect("(")
        self._expression()
        self._expect(")")
        jump = self._jump("if")
        self._branch()
        if self._accept("else"):
            self._extension("else clause in if statement")
            otherwise, jump = jump, self._jump("else")
            self._land(otherwise)
            self._branch()
        self._land(jump)

    def _branch(self) -> None:
        while self._accept("newline"):
            pass
        self._statement(self._peek())

    # Expressions: each method returns the kind of the expression, a combination of _SHOWN and _COMPARED.

    def _expression(self, binding: int = 0) -> int:
        self._deeper()
        flags = self._prefix()
        while (here := _BINDING.get(op := self._peek(), 0)) and here >= binding:
            self._take()
            flags |= self._binary(op, here)
        self._depth -= 1
        return flags

    def _binary(self, op: str, here: int) -> int:
        if op in _LOGIC:
            self._extension(f"{op} operator")
            before, behind = _LOGIC[op]
            jump = self._jump(op, before)
            flags = self._expression(here + 1)
            self._add("truth", op, behind)
            self._land(jump)
            return flags
        # ^ binds to the right, all others to the left.
        binding = here if op == "^" else here + 1
        flags = self._expression(binding)
        self._add(op, op)
        if op in _COMPARE:
            flags |= _SHOWN | _COMPARED
        return flags

    def _prefix(self) -> int:
        kind = self._peek()
        if kind == "-":
            self._take()
            self._deeper()
            flags = self._prefix()  # unary minus has the highest precedence
            self._depth -= 1
            self._add("n")
            return flags
        if kind == "!":
            self._take()
            self._extension("! operator")
            flags = self._expression(_NOT)
            self._add("!")
            return flags | _SHOWN
        if kind in ("++", "--"):
            self._take()
            if self._peek() not in _VARIABLES:
                raise _BcSyntaxError
            name = self._name()
            self._add(kind, name, 2)
            self._add("l", name, 2)
            return _SHOWN
        return self._primary(kind)

    def _name(self) -> str:
        """Consume the name of a variable and return it."""
        text = self._take()
        return "last" if text == "." else text

    def _primary(self, kind: str) -> int:
        if kind == "number":
            text = self._take()
            size = 1 if text in ("0", "1") else len(text) + 2  # GNU bc has operations of one byte for 0 and 1
            self._add("K", text, size)
            return _SHOWN
        if kind == "(":
            self._take()
            flags = self._expression()
            self._expect(")")
            return flags | _SHOWN
        if kind in ("length", "sqrt", "scale"):
            self._take()
            if kind == "scale" and self._peek() != "(":
                return self._variable("scale")
            self._expect("(")
            self._expression()
            self._expect(")")
            self._add(kind, None, 2)
            return _SHOWN
        if kind not in _VARIABLES:
            raise _BcSyntaxError
        if kind == "last":
            self._extension("Last variable")
        name = self._name()
        if kind == "name":
            if self._accept("("):
                return self._call(name)
            self._peek()
            self._check_name(name)
        return self._variable(name)

    def _check_name(self, name: str) -> None:
        if len(name) > 1:
            self._extension(f"multiple letter name - {name}")

    def _call(self, name: str) -> int:
        count = 0
        if self._peek() != ")":
            self._expression()
            count = 1
            while self._accept(","):
                self._expression()
                self._add("p", None, 0)  # no function takes a second argument
                count += 1
        self._expect(")")
        self._check_name(name)
        self._add("C", (name, count), 2)
        self._address += count + 1
        return _SHOWN

    def _variable(self, name: str) -> int:
        """Parse the rest of an expression after a variable: an assignment, ``++``, ``--``, or nothing."""
        op = self._peek()
        if op not in _ASSIGN:
            self._add("l", name, 2)
            if op in ("++", "--"):
                self._take()
                self._add(op, name, 2)
            return _SHOWN
        self._take()
        if op != "=":
            self._add("l", name, 2)
        self._expression(_ADD)
        if op != "=":
            self._add(op[0], op[0])
        self._add("s", name, 2)
        return _ASSIGNED
