"""The grammar of jq 1.8: text to nodes.

``parse_program`` reads what stands in ``jq FILTER`` or in a module's file, ``parse`` only the main filter.

What is new against the first table: patterns are trees (``Pattern``), a ``string`` alternates text and expression,
``location`` has its line, ``at`` is set on calls, variables and breaks, and programs have imports (``Program``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .lexer import Lexer, NotUnderstood, Number, Token


class Node:
    r"""One construct. ``parts`` are the expressions in it, ``value`` what else it has.

    ============ ============================================ =============================================
    kind         parts                                        value
    ============ ============================================ =============================================
    identity
    recurse      (``..``)
    literal                                                   str, bool, None, or Number for its text
    string       text, expression, text ... text              name of the format, "text" without one
    format                                                    name
    index        term, key                                    True with ``?``
    slice        term, from, to (None where absent)           True with ``?``
    each         term                                         True with ``?``
    array        the query, if any
    object       key, value, key, value ...
    negate       term
    pipe, comma  left, right
    binary       left, right                                  operator
    if           condition, then, else (None where absent)
    try          body, handler (None where absent)
    reduce       source, initial, update                      patterns
    foreach      source, initial, update, extract (or None)   patterns
    bind         source, body                                 patterns
    label        body                                         name
    break                                                     name
    call         arguments                                    name
    variable                                                  name
    location     (``$__loc__``)                               line, from 1
    def          the function's body, rest                    (name, parameters); a ``$x`` keeps its dollar
    ============ ============================================ =============================================

    - Names of variables and labels keep their dollar: ``"$x"``, ``"$lib::x"``. Names of functions may have a prefix.
    - ``string``: the texts are literals and stand at even places, so ``"\("a")"`` has three parts.
    - ``patterns`` is a tuple of ``Pattern``; more than one where ``?//`` stands between.
    - In ``Program.definitions`` the rest of a ``def`` is None.

    These may be chains of thousands, which no one may walk with a Python frame for each: ``pipe`` on the right, ``comma``
    on the left, ``binary`` on the left (on the right for ``//``), ``if`` in its else (``elif``), ``index``, ``slice``,
    ``each`` and ``try`` without handler in their first part, ``def``, ``bind`` and ``label`` in their last. All other
    nesting ends at 100 levels (``Stop``).
    """

    __slots__ = ("at", "kind", "parts", "value")

    def __init__(self, kind: str, parts: tuple[Node | None, ...] = (), value: object = None, at: int = -1) -> None:
        self.kind = kind
        self.parts = parts
        self.value = value
        self.at = at  # where a call, a variable or a break stands, in bytes of the program's UTF-8

    def walk(self) -> Iterator[Node]:
        """Give this node and all below it, those in patterns included."""
        pending: list[Node] = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(part for part in node.parts if part is not None)
            if node.kind in ("reduce", "foreach", "bind"):
                pending.extend(pattern_keys(node.value))

    def __repr__(self) -> str:
        return f"{self.kind}({self.value!r}, {self.parts!r})"


class Pattern:
    """What ``as`` takes apart.

    ======== =============================== ===================================================
    kind     what it has                     example
    ======== =============================== ===================================================
    variable ``name``                        ``$x``
    array    ``elements``, patterns          ``[$a, [$b]]``
    object   ``entries``, tuples of three:   ``{a: $x, "b": [$y], (e): $z, $v, $w: [$u]}``
             key (a Node), the variable that
             gets the whole value or None,
             the pattern or None
    ======== =============================== ===================================================
    """

    __slots__ = ("elements", "entries", "kind", "name")

    def __init__(
        self,
        kind: str,
        name: str = "",
        elements: tuple[Pattern, ...] = (),
        entries: tuple[tuple[Node, str | None, Pattern | None], ...] = (),
    ) -> None:
        self.kind = kind
        self.name = name
        self.elements = elements
        self.entries = entries

    def _walk(self) -> Iterator[Pattern]:
        pending = [self]
        while pending:
            pattern = pending.pop()
            yield pattern
            inner = pattern.elements or [entry[2] for entry in pattern.entries]
            pending.extend(part for part in reversed(inner) if part is not None)

    @property
    def names(self) -> list[str]:
        """The variables that it binds; one may stand twice."""
        found = []
        for pattern in self._walk():
            if pattern.kind == "variable":
                found.append(pattern.name)
            found.extend(name for _, name, _ in pattern.entries if name is not None)
        return found

    @property
    def keys(self) -> list[Node]:
        """The expressions that stand as keys."""
        return [key for pattern in self._walk() for key, _, _ in pattern.entries]


def pattern_keys(patterns: object) -> list[Node]:
    """Give the key expressions of the patterns of a bind, reduce or foreach."""
    assert isinstance(patterns, tuple)
    return [key for pattern in patterns for key in pattern.keys]


class Import:
    """``import "path" as name;``, ``import "path" as $name;`` (``is_data``) or ``include "path";`` (``name`` is None).

    ``meta`` is the object that follows, {} without one; ``name`` has no dollar.
    """

    __slots__ = ("is_data", "meta", "name", "path")

    def __init__(self, path: str, name: str | None, is_data: bool, meta: dict[str, object]) -> None:
        self.path = path
        self.name = name
        self.is_data = is_data
        self.meta = meta


class Program:
    """A main program or a module.

    ``meta`` is what ``module`` says, None without it. ``definitions`` are ``def`` nodes without rest, of a text that has
    no main expression; ``body`` is the main expression, its own definitions included, or None.
    """

    __slots__ = ("body", "definitions", "imports", "meta")

    def __init__(
        self,
        meta: dict[str, object] | None,
        imports: tuple[Import, ...],
        definitions: tuple[Node, ...],
        body: Node | None,
    ) -> None:
        self.meta = meta
        self.imports = imports
        self.definitions = definitions
        self.body = body


class _Parser:
    __slots__ = ("at", "depth", "tokens")

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = 0

    # -- tokens

    def peek(self, text: str) -> bool:
        token = self.tokens[self.at]
        return token.text == text and token.kind in ("op", "keyword")

    def accept(self, text: str) -> bool:
        if self.peek(text):
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.accept(text):
            raise NotUnderstood(f"{text!r} expected, not {self.tokens[self.at].text!r}")

    def take(self, kind: str) -> str:
        token = self.tokens[self.at]
        if token.kind != kind:
            raise NotUnderstood(f"{kind} expected, not {token.text!r}")
        self.at += 1
        return token.text

    def kind(self) -> str:
        return self.tokens[self.at].kind

    # -- queries

    def program(self) -> Node:
        node = self.query()
        if self.kind() != "end":
            raise NotUnderstood(f"trailing {self.tokens[self.at].text!r}")
        return node

    def query(self) -> Node:
        """``|`` binds loosest and to the right, then ``,`` to the left; def, label and as reach to the end."""
        self.depth += 1
        if self.depth > 100:
            raise NotUnderstood("too deep")
        left = self.commas()
        # A pipeline of a thousand stages must not be a thousand frames.
        stages = [left]
        while self.accept("|"):
            stages.append(self.commas())
        self.depth -= 1
        node = stages.pop()
        while stages:
            node = Node("pipe", (stages.pop(), node))
        return node

    def commas(self) -> Node:
        left = self.open_ended()
        while self.accept(","):
            left = Node("comma", (left, self.open_ended()))
        return left

    def open_ended(self) -> Node:
        if self.accept("def"):
            return self.definition()
        if self.accept("label"):
            name = self.take("variable")
            self.expect("|")
            return Node("label", (self.query(),), name)
        left = self.binary(0)
        if self.accept("as"):
            patterns = self.patterns()
            self.expect("|")
            return Node("bind", (left, self.query()), patterns)
        return left

    def definition(self) -> Node:
        name = self.tokens[self.at].text
        self.take("name")
        parameters: list[str] = []
        if self.accept("("):
            while True:
                parameters.append(self.take("variable" if self.kind() == "variable" else "name"))
                if not self.accept(";"):
                    break
            self.expect(")")
        self.expect(":")
        body = self.query()
        self.expect(";")
        return Node("def", (body, self.query()), (name, tuple(parameters)))

    # Operators, loosest first, and how they group.
    LEVELS = (
        (("//",), "right"),
        (("=", "|=", "+=", "-=", "*=", "/=", "%=", "//="), "none"),
        (("or",), "left"),
        (("and",), "left"),
        (("==", "!=", "<", ">", "<=", ">="), "none"),
        (("+", "-"), "left"),
        (("*", "/", "%"), "left"),
    )

    def binary(self, level: int) -> Node:
        if level == len(self.LEVELS):
            return self.postfix()
        operators, associativity = self.LEVELS[level]
        left = self.binary(level + 1)
        if associativity == "right":
            operands = [left]
            while self.accept("//"):
                operands.append(self.binary(level + 1))
            node = operands.pop()
            while operands:
                node = Node("binary", (operands.pop(), node), "//")
            return node
        while self.kind() in ("op", "keyword") and self.tokens[self.at].text in operators:
            operator = self.tokens[self.at].text
            self.at += 1
            left = Node("binary", (left, self.binary(level + 1)), operator)
            if associativity == "none":
                break
        return left

    # -- terms

    def postfix(self) -> Node:
        self.depth += 1
        if self.depth > 100:
            raise NotUnderstood("too deep")
        node = self.term()
        while True:
            if self.kind() == "field":
                key = Node("literal", (), self.take("field")[1:])
                node = Node("index", (node, key), self.accept("?"))
            elif self.peek(".") and self.tokens[self.at + 1].kind == "string":
                self.at += 1
                node = Node("index", (node, self.string("text")), self.accept("?"))
            elif self.peek(".") and self.tokens[self.at + 1].text == "[":
                self.at += 1
            elif self.accept("["):
                node = self.brackets(node)
            elif self.accept("?"):
                node = Node("try", (node, None))
            else:
                self.depth -= 1
                return node

    def brackets(self, term: Node) -> Node:
        if self.accept("]"):
            return Node("each", (term,), self.accept("?"))
        if self.accept(":"):
            end = self.query()
            self.expect("]")
            return Node("slice", (term, None, end), self.accept("?"))
        key = self.query()
        if self.accept(":"):
            last = None if self.peek("]") else self.query()
            self.expect("]")
            return Node("slice", (term, key, last), self.accept("?"))
        self.expect("]")
        return Node("index", (term, key), self.accept("?"))

    def term(self) -> Node:
        kind = self.kind()
        if kind == "op":
            return self.punctuation()
        if kind == "keyword":
            return self.keyword()
        reader = self.READERS.get(kind)
        if reader is None:
            raise NotUnderstood(f"unexpected {self.tokens[self.at].text!r}")
        return reader(self)

    def punctuation(self) -> Node:
        if self.accept("."):
            if self.kind() == "string":
                return Node("index", (Node("identity"), self.string("text")), self.accept("?"))
            return Node("identity")
        if self.accept(".."):
            return Node("recurse")
        if self.accept("-"):
            return Node("negate", (self.postfix(),))
        if self.accept("("):
            node = self.query()
            self.expect(")")
            return node
        if self.accept("["):
            if self.accept("]"):
                return Node("array")
            node = Node("array", (self.query(),))
            self.expect("]")
            return node
        if self.accept("{"):
            return self.object()
        raise NotUnderstood(f"unexpected {self.tokens[self.at].text!r}")

    def keyword(self) -> Node:
        if self.accept("if"):
            return self.condition()
        if self.accept("try"):
            body = self.postfix()
            return Node("try", (body, self.postfix() if self.accept("catch") else None))
        if self.accept("reduce"):
            return self.fold("reduce", 2, 2)
        if self.accept("foreach"):
            return self.fold("foreach", 2, 3)
        if self.accept("break"):
            return Node("break", (), self.take("variable"))
        raise NotUnderstood(f"unexpected {self.tokens[self.at].text!r}")

    def condition(self) -> Node:
        test = self.query()
        self.expect("then")
        then = self.query()
        otherwise: Node | None = None
        if self.accept("elif"):
            otherwise = self.condition()
        else:
            if self.accept("else"):
                otherwise = self.query()
            self.expect("end")
        return Node("if", (test, then, otherwise))

    def fold(self, kind: str, least: int, most: int) -> Node:
        source = self.binary(0)
        self.expect("as")
        patterns = self.patterns()
        self.expect("(")
        clauses: list[Node | None] = [self.query()]
        while len(clauses) < most and self.accept(";"):
            clauses.append(self.query())
        self.expect(")")
        if len(clauses) < least:
            raise NotUnderstood(f"{kind} needs {least} clauses")
        if kind == "foreach" and len(clauses) == 2:
            clauses.append(None)
        return Node(kind, (source, *clauses), patterns)

    def read_field(self) -> Node:
        key = Node("literal", (), self.take("field")[1:])
        return Node("index", (Node("identity"), key), self.accept("?"))

    def read_number(self) -> Node:
        return Node("literal", (), Number(self.take("number")))

    def read_variable(self) -> Node:
        name = self.take("variable")
        return Node("location") if name == "$__loc__" else Node("variable", (), name)

    def read_format(self) -> Node:
        name = self.take("format")[1:]
        return self.string(name) if self.kind() == "string" else Node("format", (), name)

    def read_string(self) -> Node:
        return self.string("text")

    def read_name(self) -> Node:
        at = self.tokens[self.at].at
        name = self.take("name")
        arguments: list[Node] = []
        if self.accept("("):
            while True:
                arguments.append(self.query())
                if not self.accept(";"):
                    break
            self.expect(")")
        elif name in ("true", "false", "null"):
            return Node("literal", (), {"true": True, "false": False, "null": None}[name])
        return Node("call", tuple(arguments), name, at)

    READERS: dict[str, Callable[[_Parser], Node]] = {
        "field": read_field,
        "number": read_number,
        "variable": read_variable,
        "format": read_format,
        "string": read_string,
        "name": read_name,
    }

    def string(self, format_: str) -> Node:
        token = self.tokens[self.at]
        if token.kind != "string" or token.parts is None:
            raise NotUnderstood("string expected")
        self.at += 1
        if len(token.parts) == 1:
            return Node("literal", (), token.parts[0])
        parts: list[Node] = []
        for part in token.parts:
            if isinstance(part, str):
                parts.append(Node("literal", (), part))
            else:
                inner = _Parser(part)
                inner.depth = self.depth + 1
                parts.append(inner.program())
        return Node("string", tuple(parts), format_)

    # -- objects and patterns

    def object(self) -> Node:
        parts: list[Node] = []
        while not self.accept("}"):
            parts.extend(self.pair())
            if not self.accept(","):
                self.expect("}")
                break
        return Node("object", tuple(parts))

    def pair(self) -> tuple[Node, Node]:
        kind = self.kind()
        if kind == "op":
            self.expect("(")
            key = self.query()
            self.expect(")")
            self.expect(":")
            return key, self.pair_value()
        if kind == "variable":
            name = self.take("variable")
            if self.accept(":"):
                return Node("variable", (), name), self.pair_value()
            value = Node("location") if name == "$__loc__" else Node("variable", (), name)
            return Node("literal", (), name[1:]), value
        if kind in ("name", "keyword"):
            key = Node("literal", (), self.take(kind))
        elif kind == "format":
            format_ = self.take("format")[1:]
            key = self.string(format_)
        elif kind == "string":
            key = self.string("text")
        else:
            raise NotUnderstood("object key expected")
        if self.accept(":"):
            return key, self.pair_value()
        return key, Node("index", (Node("identity"), key), False)

    def pair_value(self) -> Node:
        stages = [self.binary(0)]
        while self.accept("|"):
            stages.append(self.binary(0))
        node = stages.pop()
        while stages:
            node = Node("pipe", (stages.pop(), node))
        return node

    def patterns(self) -> tuple[Pattern, ...]:
        found = [self.pattern()]
        while self.accept("?//"):
            found.append(self.pattern())
        return tuple(found)

    def pattern(self) -> Pattern:
        self.depth += 1
        if self.depth > 100:
            raise NotUnderstood("too deep")
        if self.kind() == "variable":
            made = Pattern("variable", self.take("variable"))
        elif self.accept("["):
            elements = [self.pattern()]
            while self.accept(","):
                elements.append(self.pattern())
            self.expect("]")
            made = Pattern("array", elements=tuple(elements))
        else:
            self.expect("{")
            entries = [self.pattern_pair()]
            while self.accept(","):
                entries.append(self.pattern_pair())
            self.expect("}")
            made = Pattern("object", entries=tuple(entries))
        self.depth -= 1
        return made

    def pattern_pair(self) -> tuple[Node, str | None, Pattern | None]:
        kind = self.kind()
        if kind == "variable":
            name = self.take("variable")
            return Node("literal", (), name[1:]), name, self.pattern() if self.accept(":") else None
        if kind in ("name", "keyword"):
            key = Node("literal", (), self.take(kind))
        elif kind == "string":
            key = self.string("text")
        else:
            self.expect("(")
            key = self.query()
            self.expect(")")
        self.expect(":")
        return key, None, self.pattern()


def parse(program: str) -> Node:
    """Read a program; ``NotUnderstood`` where this grammar ends."""
    if len(program) > 100_000:
        raise NotUnderstood("long")
    return _Parser(Lexer(program).tokens()).program()


def parse_program(text: str, where: str = "<top-level>") -> Program:
    """Read a main program or a module; ``where`` is what its mistakes name."""
    return Program(None, (), (), parse(text))
