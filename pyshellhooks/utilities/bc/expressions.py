"""bc's expressions to code, and the tokens they are read from (POSIX XCU bc, "Grammar"; GNU bc 1.07's binding)."""

from __future__ import annotations

from collections.abc import Callable

from ...errors import Stop
from .code import Code, Function, Names
from .lexer import Lexer, Token

# What an expression is, for the statement that it may be.
ASSIGNED, SHOWN, COMPARED, PARENTHESES, VOID = 0, 1, 2, 4, 8
_ASSIGN = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "^="))
_COMPARE = {"==": "=", "!=": "#", "<": "<", ">": ">", "<=": "{", ">=": "}"}
# The binding of the operators, from the loosest.
_OR, _AND, _NOT, _REL, _ADD, _MUL, _POW = range(1, 8)
_BINDING = {"||": _OR, "&&": _AND, "+": _ADD, "-": _ADD, "*": _MUL, "/": _MUL, "%": _MUL, "^": _POW}
_BINDING |= dict.fromkeys(_COMPARE, _REL)
_ASSIGN_BINDING = _ADD
_SUBSCRIPT = "void expression as subscript"
DEEPEST = 100  # constructs within each other
# What an expression can begin with.
OPENERS = frozenset("- ! ++ -- number ( length sqrt read random scale name ibase obase last history".split())


class BcSyntaxError(Exception):
    """The text is no bc program here."""


class Quit(Exception):
    """``quit`` was read."""


class ExpressionParser:
    """Reads expressions.

    ``say`` writes a message. ``standard`` makes errors of extensions, ``warning`` warns about them.
    """

    def __init__(
        self,
        lexer: Lexer,
        functions: dict[str, Function],
        say: Callable[[str], None],
        *,
        standard: bool = False,
        warning: bool = False,
    ) -> None:
        self.lexer = lexer
        self.functions = functions
        self.names = Names()
        self.voids: set[str] = set()  # functions that give nothing, also where they failed
        self.say = say
        self.standard = standard
        self.warning = warning
        self.failed = False
        self.quiet = 0  # tokens to read before a syntax error is told again
        self._held: Token | None = None
        self._label = 0
        self._depth = 0
        self._function: Function | None = None
        self._breaks: list[int] = []
        self._continues: list[int] = []
        self.code = Code()

    # Tokens.

    def peek(self) -> str:
        """Look at the kind of the next token."""
        if self._held is None:
            self._held = self.lexer.next()
            if self._held.kind == "quit":
                raise Quit
        return self._held.kind

    def take(self) -> Token:
        """Take the next token."""
        self.peek()
        token = self._held
        assert token is not None
        self._held = None
        self.quiet = max(0, self.quiet - 1)
        return token

    def accept(self, kind: str) -> bool:
        """Take a token of a kind if it is next."""
        if self.peek() == kind:
            self.take()
            return True
        return False

    def expect(self, kind: str) -> Token:
        """Take a token that must be next."""
        if self.peek() != kind:
            raise BcSyntaxError
        return self.take()

    def error(self, message: str) -> None:
        """Report an error: what is being read will not run."""
        self.failed = True
        self.say(f"{self.lexer.name} {self.lexer.line}: {message}\n")

    def extension(self, message: str) -> None:
        """Report something that POSIX does not have."""
        if self.standard:
            self.error(f"Error: {message}")
        elif self.warning:
            self.say(f"{self.lexer.name} {self.lexer.line}: (Warning) {message}\n")

    def _new_label(self) -> int:
        self._label += 1
        return self._label

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise Stop("limit", f"a bc program has more than {DEEPEST} constructs in each other")

    # Expressions.

    def _value(self, mistake: str = "void expression") -> int:
        flags = self._expression()
        self._refuse_void(flags, mistake)
        return flags

    def _refuse_void(self, flags: int, mistake: str) -> None:
        if flags & VOID:
            self.error(mistake)

    def _expression(self, binding: int = 0) -> int:
        self._deeper()
        flags = self._prefix()
        while True:
            op = self.peek()
            here = _BINDING.get(op, 0)
            if not here or here < binding:
                self._depth -= 1
                return flags
            self.take()
            flags = self._binary(op, here, flags)

    def _binary(self, op: str, here: int, flags: int) -> int:
        end = 0
        if op == "&&":
            self.extension("&& operator")
            end = self._new_label()
            self.code.add("D")
            self.code.jump("Z", end)
            self.code.add("p")
        elif op == "||":
            self.extension("|| operator")
            end = self._new_label()
            self.code.jump("B", end)
        # ^ binds to the right, all others to the left.
        right = self._expression(here if op == "^" else here + 1)
        # The % is lost in GNU's format.
        self._refuse_void(flags | right, f"void expression with {'comparison' if op in _COMPARE else op.strip('%')}")
        if op == "&&":
            self.code.add("D")
            self.code.jump("Z", end)
            self.code.add("p")
            self.code.add("1")
            self.code.mark(end)
        elif op == "||":
            done = self._new_label()
            self.code.jump("B", end)
            self.code.add("0")
            self.code.jump("J", done)
            self.code.mark(end)
            self.code.add("1")
            self.code.mark(done)
        else:
            self.code.add(_COMPARE.get(op, op))
        flags = (flags | right) & ~PARENTHESES
        return flags & ~VOID | SHOWN | COMPARED if op in _COMPARE else flags

    def _prefix(self) -> int:
        kind = self.peek()
        if kind == "-":
            self.take()
            self._deeper()
            flags = self._prefix()  # nothing binds tighter
            self._depth -= 1
            self._refuse_void(flags, "void expression with unary -")
            self.code.add("n")
            return flags & ~PARENTHESES
        if kind == "!":
            self.take()
            self.extension("! operator")
            flags = self._expression(_NOT)
            self._refuse_void(flags, "void expression with !")
            self.code.add("!")
            return (flags | SHOWN) & ~PARENTHESES
        if kind in ("++", "--"):
            self.take()
            self._changed(kind, before=True)
            return SHOWN
        return self._primary()

    def _primary(self) -> int:
        kind = self.peek()
        if kind == "number":
            text = self.take().text
            if text in ("0", "1"):
                self.code.add(text)
            else:
                self.code.add("K", text, len(text) + 2)
            return SHOWN
        if kind == "(":
            self.take()
            flags = self._expression()
            self.expect(")")
            self._refuse_void(flags, "void expression in parenthesis")
            return flags | SHOWN | PARENTHESES
        if kind in ("length", "sqrt", "read", "random") or (kind == "scale"):
            return self._built_in(kind)
        if kind == "name":
            name = self.take().text
            if self.accept("("):
                return self._call(name)
            return self._named(name)
        if kind in ("ibase", "obase", "last", "history"):
            if kind in ("last", "history"):
                self.extension(f"{kind.capitalize()} variable")
            self.take()
            return self._variable("simple", kind)
        raise BcSyntaxError

    def _built_in(self, kind: str) -> int:
        self.take()
        if kind == "scale" and self.peek() != "(":
            return self._variable("simple", "scale")
        self.expect("(")
        if kind in ("read", "random"):
            self.extension(f"{kind} function")
        else:
            self._value(f"void expression in {kind}()")
        self.expect(")")
        self.code.add({"length": "cL", "sqrt": "cR", "scale": "cS", "read": "cI", "random": "cX"}[kind], None, 2)
        return SHOWN

    def _call(self, name: str) -> int:
        arguments: list[str] = []
        size = 0
        if self.peek() != ")":
            while True:
                size += self._argument(arguments)
                if not self.accept(","):
                    break
        self.expect(")")
        head = self.names.function(name)
        self._lettered(name)
        self.code.add("C", (name, arguments, head), head + len(arguments) + 1)
        return VOID if name in self.voids else SHOWN

    def _argument(self, arguments: list[str]) -> int:
        if self.peek() == "name":
            # Only ``name[]`` is an array; the lexer tells by one more token.
            name = self.take().text
            if self.accept("["):
                if self.accept("]"):
                    self.code.add("A[]", name, len(str(self.names.array_number(name))) + 2)
                    arguments.append("array")
                    return 0
                self._value(_SUBSCRIPT)
                self.expect("]")
                flags = self._variable("array", name)
            elif self.accept("("):
                flags = self._call(name)
            else:
                flags = self._variable("simple", name)
            self._go_on(flags)
        else:
            self._value("void argument")
        arguments.append("simple")
        return 0

    def _go_on(self, flags: int) -> None:
        """Read the operators behind a first operand that was read already."""
        while (here := _BINDING.get(op := self.peek(), 0)) != 0:
            self.take()
            flags = self._binary(op, here, flags)
        self._refuse_void(flags, "void argument")

    def _lettered(self, name: str) -> None:
        if len(name) > 1:
            self.extension(f"multiple letter name - {name}")

    def _named(self, name: str) -> int:
        if self.accept("["):
            self._value(_SUBSCRIPT)
            self.expect("]")
            kind = "array"
        else:
            self.peek()
            kind = "simple"
        self._lettered(name)
        return self._variable(kind, name)

    def _variable(self, kind: str, name: str) -> int:
        """Read what follows a variable: an assignment, ``++``, or nothing."""
        op = self.peek()
        array = kind == "array"
        size = self.names.array(name) if array else self.names.simple(name)
        if op in _ASSIGN:
            self.take()
            if op != "=":
                if array:
                    self.code.add("D")
                self.code.add("L" if array else "l", name, size)
            flags = self._expression(_ASSIGN_BINDING)
            self._refuse_void(flags, "Assignment of a void expression")
            if op != "=":
                self.code.add(op[0])
            self.code.add("S" if array else "s", name, size)
            return ASSIGNED
        if op in ("++", "--"):
            self.take()
            if array:
                self.code.add("D")
                self.code.add("L", name, size)
                self.code.add("x")
                self.code.add("A" if op == "++" else "M", name, size)
            else:
                self.code.add("l", name, size)
                self.code.add("i" if op == "++" else "d", name, size)
            return SHOWN
        self.code.add("L" if array else "l", name, size)
        return SHOWN

    def _changed(self, op: str, *, before: bool) -> None:
        if self.peek() not in ("name", "ibase", "obase", "scale", "last", "history"):
            raise BcSyntaxError
        token = self.take()
        name = token.text if token.text != "." else "last"
        if token.kind == "name" and self.accept("["):
            self._value(_SUBSCRIPT)
            self.expect("]")
            size = self.names.array(name)
            self.code.add("D")
            self.code.add("A" if op == "++" else "M", name, size)
            self.code.add("L", name, size)
            return
        size = self.names.simple(name)
        self.code.add("i" if op == "++" else "d", name, size)
        self.code.add("l", name, size)
