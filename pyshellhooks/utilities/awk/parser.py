"""Parser of rules, functions and statements."""

from __future__ import annotations

from ...text import remembered
from . import nodes as n
from .expressions import ExpressionParser
from .lexer import Lexer, Source
from .values import AwkError, whole_text

_KINDS = ("BEGIN", "END", "BEGINFILE", "ENDFILE")
SPECIAL = frozenset(
    "ARGC ARGIND ARGV BINMODE CONVFMT ENVIRON ERRNO FIELDWIDTHS FILENAME FNR FPAT FS FUNCTAB IGNORECASE LINT NF NR OFMT OFS "
    "ORS PREC PROCINFO RLENGTH ROUNDMODE RS RSTART RT SUBSEP SYMTAB TEXTDOMAIN".split()
)


class Parser(ExpressionParser):
    """Parser of one program."""

    def __init__(self, lexer: Lexer) -> None:
        super().__init__(lexer)
        self._rules: list[n.Rule] = []
        self._functions: dict[str, n.Function] = {}
        self._loops = 0
        self._switches = 0

    def program(self) -> n.Program:
        """Parse the whole program."""
        self.advance()
        while True:
            self.skip_newlines()
            if self.kind == "end":
                break
            self._item()
            if self.kind == ";":
                self.advance()
        return n.Program(self._rules, self._functions, self.lexer.warnings)

    def _item(self) -> None:
        kind, where = self.kind, self.where()
        if kind == ";":
            raise AwkError("each rule must have a pattern or an action part", where, "syntax")
        if kind == "function":
            self._function()
        elif kind in _KINDS:
            self.advance()
            self.rule = kind
            if self.kind != "{":
                if self.kind == "newline":
                    self.advance()
                raise AwkError(f"{kind} blocks must have an action part", self.where(), "syntax")
            self._rules.append(n.Rule(where, kind, None, None, self._block()))
            self.rule = ""
        else:
            first = last = body = None
            if kind != "{":
                first = self.expression()
                if self.kind == ",":
                    self.advance()
                    self.skip_newlines()
                    last = self.expression()
            if self.kind == "{":
                body = self._block()
            elif self.kind not in (";", "newline", "end"):
                raise self.error()
            self._rules.append(n.Rule(where, "", first, last, body))

    def _function(self) -> None:
        where = self.where()
        self.advance()
        name = str(self.lexer.value)
        if self.kind == "builtin":
            raise self.error(f"`{name}' is a built-in function, it cannot be redefined")
        if self.kind not in ("name", "call"):
            raise self.error()
        if name in SPECIAL or name in self._functions:
            raise AwkError(f"function name `{name}' previously defined", where, "error")
        self.advance()
        self.expect("(")
        parameters: list[str] = []
        while self.kind != ")" or parameters:
            if self.kind != "name":
                raise self.error()
            parameters.append(str(self.lexer.value))
            self.advance()
            if self.kind != ",":
                break
            self.advance()
            self.skip_newlines()
        self.expect(")")
        self.skip_newlines()
        for number, parameter in enumerate(parameters):
            if parameter == name:
                raise AwkError(f"function `{name}': cannot use function name as parameter name", where, "error")
            if parameter in SPECIAL:
                text = f"cannot use special variable `{parameter}' as a function parameter"
                raise AwkError(f"function `{name}': {text}", where, "error")
            if parameter in parameters[:number]:
                first = parameters.index(parameter) + 1
                text = f"parameter #{number + 1}, `{parameter}', duplicates parameter #{first}"
                raise AwkError(f"function `{name}': {text}", where, "error")
        self.function = name
        self._functions[name] = n.Function(where, name, parameters, self._block())
        self.function = ""

    def _block(self) -> n.Block:
        where = self.where()
        self.expect("{")
        body = self._statements(("}",))
        self.expect("}")
        return n.Block(where, body)

    def _statements(self, enders: tuple[str, ...]) -> list[n.Stmt]:
        body: list[n.Stmt] = []
        while True:
            self._skip_empty()
            if self.kind in enders:
                return body
            if self.kind == "end":
                raise self.error()
            body.append(self._statement())

    def _skip_empty(self) -> None:
        while self.kind in ("newline", ";"):
            self.advance()
        self.skip_newlines()

    def _terminate(self) -> None:
        if self.kind in (";", "newline"):
            self.advance()
        elif self.kind not in ("}", "end"):
            raise self.error()

    def _statement(self) -> n.Stmt:
        kind, where = self.kind, self.where()
        if kind == "{":
            return self._block()
        if kind == "if":
            return self._if()
        if kind == "while":
            self.advance()
            test = self._test()
            if self.kind == ";":
                self.advance()
                return n.Loop(where, None, test, None, n.Block(where, []))
            return n.Loop(where, None, test, None, self._body())
        if kind == "do":
            return self._do()
        if kind == "for":
            return self._for()
        if kind == "switch":
            return self._switch()
        if kind == ";":
            self.advance()
            return n.Block(where, [])
        found = self._simple()
        self._terminate()
        return found

    def _simple(self) -> n.Stmt:
        kind, where = self.kind, self.where()
        if kind in ("print", "printf"):
            self.advance()
            items, redirection, target = self.printed()
            return n.Print(where, kind == "printf", items, redirection, target)
        if kind == "delete":
            return self._delete()
        if kind in ("break", "continue"):
            if not self._loops and not (kind == "break" and self._switches):
                text = " or switch" if kind == "break" else ""
                raise AwkError(f"`{kind}' is not allowed outside a loop{text}", where, "error")
            self.advance()
            return n.Jump(where, kind)
        if kind in ("next", "nextfile"):
            if self.rule and not (kind == "nextfile" and self.rule == "BEGINFILE"):
                raise AwkError(f"`{kind}' used in {self.rule} action", where, "error")
            self.advance()
            return n.Jump(where, kind)
        if kind in ("exit", "return"):
            if kind == "return" and not self.function:
                raise self.error("`return' used outside function context")
            self.advance()
            if self.kind in (";", "newline", "}", "end"):
                value = None
            else:
                value = self.expression()
            return n.Jump(where, kind, value)
        return n.Simple(where, self.expression())

    def _test(self) -> n.Expr:
        self.expect("(")
        test = self.expression()
        self.expect(")")
        return test

    def _body(self) -> n.Stmt:
        """Parse the body of a loop."""
        self.skip_newlines()
        self._loops += 1
        body = self._statement()
        self._loops -= 1
        return body

    def _if(self) -> n.If:
        where = self.where()
        self.advance()
        test = self._test()
        self.skip_newlines()
        yes = self._statement()
        place = self.lexer.save()
        while self.kind in ("newline", ";"):
            self.advance()
        if self.kind != "else":
            self.lexer.restore(place)
            self.kind = self.lexer.kind
            return n.If(where, test, yes, None)
        self.advance()
        self.skip_newlines()
        return n.If(where, test, yes, self._statement())

    def _do(self) -> n.Loop:
        where = self.where()
        self.advance()
        body = self._body()
        self._skip_empty()
        self.expect("while")
        test = self._test()
        self._terminate()
        return n.Loop(where, None, test, None, body, True)

    def _for(self) -> n.Stmt:
        where = self.where()
        self.advance()
        self.expect("(")
        found = self._for_in(where)
        if found is not None:
            return found
        first = None if self.kind == ";" else self._simple()
        self.expect(";")
        self.skip_newlines()
        test = None if self.kind == ";" else self.expression()
        self.expect(";")
        self.skip_newlines()
        step = None if self.kind == ")" else self._simple()
        self.expect(")")
        if self.kind == ";":
            self.advance()
            return n.Loop(where, first, test, step, n.Block(where, []))
        return n.Loop(where, first, test, step, self._body())

    def _for_in(self, where: str) -> n.ForIn | None:
        """Parse ``name in array)`` and the body; return None and consume nothing if it is a ``for (;;)``."""
        if self.kind != "name":
            return None
        place = self.lexer.save()
        target = self.variable()
        if self.kind == "in":
            self.advance()
            array = self.array()
            if self.kind == ")":
                self.advance()
                return n.ForIn(where, target, array, self._body())
        self.lexer.restore(place)
        self.kind = "name"
        return None

    def _switch(self) -> n.Switch:
        where = self.where()
        self.advance()
        value = self._test()
        self.skip_newlines()
        self.expect("{")
        self.skip_newlines()
        cases: list[tuple[n.Label | None, n.Block]] = []
        known: set[bytes] = set()
        self._switches += 1
        while self.kind != "}":
            place = self.where()
            label: n.Label | None = None
            if self.kind == "default":
                if any(other is None for other, _ in cases):
                    raise AwkError("duplicate `default' detected in switch body", place, "error")
                self.advance()
            else:
                self.expect("case")
                label = self._label(known)
            self.expect(":")
            self.skip_newlines()
            cases.append((label, n.Block(place, self._statements(("case", "default", "}")))))
        self._switches -= 1
        self.advance()
        return n.Switch(where, value, cases)

    def _label(self, known: set[bytes]) -> n.Label:
        """Parse the label of a case: a number with an optional sign, a string or a regular expression."""
        where, sign = self.where(), self.kind
        if sign in ("-", "+"):
            self.advance()
            if self.kind != "number":
                raise self.error()
        elif sign not in ("number", "string", "/", "/=") and not (sign == "@" and self.lexer.peek() == "/"):
            raise self.error()
        found = self._primary()
        if isinstance(found, n.Number):
            found = n.Number(where, -found.value if sign == "-" else found.value)
            text = whole_text(found.value) or b"%.6g" % found.value
        elif isinstance(found, n.String):
            text = found.value
        else:
            assert isinstance(found, n.Regex)
            return found
        if text in known:
            shown = text.decode("utf-8", "replace")
            raise AwkError(f"duplicate case values in switch body: {shown}", where, "error")
        known.add(text)
        return found

    def _delete(self) -> n.Delete:
        where = self.where()
        self.advance()
        parenthesis = self.kind == "("
        if parenthesis:
            self.advance()
        found = self.variable()
        if parenthesis:
            self.expect(")")
        if isinstance(found, n.Index):
            return n.Delete(where, found.base, found.subscripts)
        return n.Delete(where, found, None)


@remembered(64)
def parse(fragments: tuple[tuple[str, str], ...]) -> n.Program:
    """Parse a program from (text, name) fragments; raise ``AwkError`` with gawk's message. Results are cached."""
    return Parser(Lexer(Source(fragments))).program()
