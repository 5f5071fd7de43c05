"""Parser of jq 1.8 programs: text to nodes.

``parse_program`` parses the program of ``jq FILTER`` or ``jq -f``, ``parse`` only its main filter. Both raise
``CompileError`` with the messages of jq 1.8.2.

The parser is the LALR automaton of ``tables.py``: a stack of states, and for each state the action before each token.
It stops at the first error; ``syntax_errors.py`` then parses the text again as jq does, to report all errors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....errors import Stop
from .lexer import BadEscape, Number, Token, decode, go_on, tokens, unescape, utf8_as_latin1
from .nodes import Import, Node, Pattern, Program
from .tables import RULES, STATES

if TYPE_CHECKING:
    from ..running import Run


class Mistake(Exception):
    """An error that a rule finds: the message, the symbol at fault (None for the whole rule), and the value to use."""

    def __init__(self, message: str, symbol: int | None, value: object) -> None:
        super().__init__(message)
        self.message = message
        self.symbol = symbol
        self.value = value


__all__ = ["Import", "Node", "Pattern", "Program", "parse", "parse_module", "parse_program", "read"]

IDENTITY = Node("identity")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_UNUSUAL = 'try .["field"] instead of .field for unusually named fields'
_KEY = "May need parentheses around object key expression"


class Builder:
    """The actions of the grammar's rules. ``v`` has the values of a rule's symbols: tokens, nodes, lists."""

    __slots__ = ("check", "known", "line", "run", "text", "where")

    def __init__(self, text: str, where: str, run: Run | None) -> None:
        self.text = text
        self.where = where
        self.run = run
        self.check = run.check if run is not None else go_on
        self.line = 0, 1  # a position in the text, and its line
        self.known: dict[int, tuple[Node, Any]] = {}  # constant keys that were checked, by identity, with their values

    # -- lists and values of one symbol

    def none(self, v: list[Any]) -> list[Any]:
        return []

    def one(self, v: list[Any]) -> list[Any]:
        return [v[0]]

    def more(self, v: list[Any]) -> list[Any]:
        v[0].append(v[2])
        return v[0]  # type: ignore[no-any-return]

    def cons(self, v: list[Any]) -> list[Any]:
        """Append to a list that is built from its end."""
        v[-1].append(v[0])
        return v[-1]  # type: ignore[no-any-return]

    def second(self, v: list[Any]) -> Any:
        return v[1]

    def word(self, v: list[Any]) -> str:
        return v[0][1]  # type: ignore[no-any-return]

    # -- programs

    def main(self, v: list[Any]) -> Program:
        return Program(v[0], tuple(reversed(v[1])), (), v[2])

    def library(self, v: list[Any]) -> Program:
        definitions = tuple(Node("def", (body, None), value) for value, body in reversed(v[2]))
        return Program(v[0], tuple(reversed(v[1])), definitions, None)

    def no_header(self, v: list[Any]) -> None:
        return None

    def header(self, v: list[Any]) -> Any:
        return self._metadata(v[1], None)

    def _metadata(self, query: Node, instead: object) -> Any:
        from ..compiler.constants import NOT_CONSTANT, constant

        value = constant(query, self)
        if value is NOT_CONSTANT:
            raise Mistake("Module metadata must be constant", 1, instead)
        if type(value) is not dict:
            raise Mistake("Module metadata must be an object", 1, instead)
        return value

    def dependency_meta(self, v: list[Any]) -> Import:
        v[0].meta = self._metadata(v[1], v[0])
        return v[0]  # type: ignore[no-any-return]

    def import_data(self, v: list[Any]) -> Import:
        return Import(v[1], v[3][1][1:], True, {})

    def import_module(self, v: list[Any]) -> Import:
        return Import(v[1], v[3][1], False, {})

    def include(self, v: list[Any]) -> Import:
        return Import(v[1], None, False, {})

    def path(self, v: list[Any]) -> str:
        if v[0].kind != "literal":
            raise Mistake("Import path must be constant", 0, "")
        return v[0].value  # type: ignore[no-any-return]

    def definition(self, v: list[Any]) -> tuple[tuple[str, tuple[str, ...]], Node]:
        return (v[1][1], ()), v[3]

    def function(self, v: list[Any]) -> tuple[tuple[str, tuple[str, ...]], Node]:
        return (v[1][1], tuple(v[3])), v[6]

    # -- queries

    def define(self, v: list[Any]) -> Node:
        value, body = v[0]
        return Node("def", (body, v[1]), value)

    def bind(self, v: list[Any]) -> Node:
        return Node("bind", (v[0], v[4]), v[2])

    def label(self, v: list[Any]) -> Node:
        return Node("label", (v[3],), v[1][1])

    def pipe(self, v: list[Any]) -> Node:
        return Node("pipe", (v[0], v[2]))

    def comma(self, v: list[Any]) -> Node:
        return Node("comma", (v[0], v[2]))

    def binary(self, v: list[Any]) -> Node:
        return Node("binary", (v[0], v[2]), v[1][1])

    # -- strings

    def string_format(self, v: list[Any]) -> str:
        return v[0][1][1:]  # type: ignore[no-any-return]

    def string_plain(self, v: list[Any]) -> str:
        return "text"

    def string_text(self, v: list[Any]) -> list[Any]:
        raw = v[1][1]
        v[0].append(unescape(raw, self.check) if raw[:1] == "\\" else decode(raw))
        return v[0]  # type: ignore[no-any-return]

    def string_query(self, v: list[Any]) -> list[Any]:
        v[0].append(v[2])
        return v[0]  # type: ignore[no-any-return]

    def string(self, v: list[Any]) -> Node:
        """Return a string's node, with the texts between the expressions joined."""
        parts: list[Node] = []
        texts: list[str] = []
        for part in v[1]:
            if type(part) is str:
                texts.append(part)
            else:
                parts += (Node("literal", (), "".join(texts)), part)
                texts = []
        last = Node("literal", (), "".join(texts))
        return Node("string", (*parts, last), v[0]) if parts else last

    def format(self, v: list[Any]) -> Node:
        return Node("format", (), v[0][1][1:])

    # -- terms

    def identity(self, v: list[Any]) -> Node:
        return IDENTITY

    def skipped(self, v: list[Any]) -> Node:
        """Return a node in place of brackets with an error inside."""
        return IDENTITY

    def recurse(self, v: list[Any]) -> Node:
        return Node("recurse")

    def number(self, v: list[Any]) -> Node:
        return Node("literal", (), Number(v[0][1]))

    def variable(self, v: list[Any]) -> Node:
        return Node("variable", (), v[0][1], v[0][2])

    def taken_variable(self, v: list[Any]) -> Node:
        """Return the node of ``$$$$x``, a syntax of jq's own definitions, where it also empties the variable."""
        return Node("variable", (), v[3][1], v[0][2])

    def location(self, v: list[Any]) -> Node:
        at, line = self.line
        start = v[0][2]
        if start < at:  # ``syntax_errors.py`` parses the text again
            at, line = 0, 1
        line += self.text.count("\n", at, start)
        self.line = start, line
        return Node("location", (), line)

    def name(self, v: list[Any]) -> Node:
        word = v[0][1]
        if word in _WORDS:
            return Node("literal", (), _WORDS[word])
        return Node("call", (), word, v[0][2])

    def call(self, v: list[Any]) -> Node:
        return Node("call", tuple(v[2]), v[0][1], v[0][2])

    def negate(self, v: list[Any]) -> Node:
        return Node("negate", (v[1],))

    def array(self, v: list[Any]) -> Node:
        return Node("array", (v[1],))

    def empty_array(self, v: list[Any]) -> Node:
        return Node("array")

    def break_(self, v: list[Any]) -> Node:
        return Node("break", (), v[1][1], v[0][2])

    def break_mistake(self, v: list[Any]) -> Node:
        raise Mistake("break requires a label to break to", None, IDENTITY)

    def dot_mistake(self, v: list[Any]) -> Node:
        raise Mistake(_UNUSUAL, None, IDENTITY)

    def attempt(self, v: list[Any]) -> Node:
        return Node("try", (v[0], None))

    # -- terms with indexes

    def own_field(self, v: list[Any]) -> Node:
        return Node("index", (IDENTITY, Node("literal", (), v[0][1][1:])), False)

    def own_field_try(self, v: list[Any]) -> Node:
        return Node("index", (IDENTITY, Node("literal", (), v[0][1][1:])), True)

    def field(self, v: list[Any]) -> Node:
        return Node("index", (v[0], Node("literal", (), v[1][1][1:])), False)

    def field_try(self, v: list[Any]) -> Node:
        return Node("index", (v[0], Node("literal", (), v[1][1][1:])), True)

    def own_string(self, v: list[Any]) -> Node:
        return Node("index", (IDENTITY, v[1]), False)

    def own_string_try(self, v: list[Any]) -> Node:
        return Node("index", (IDENTITY, v[1]), True)

    def index(self, v: list[Any]) -> Node:
        """Return the node of ``a[k]`` and ``a."k"``; in ``a.[k]`` the key is one symbol later."""
        return Node("index", (v[0], v[2]), False)

    def index_try(self, v: list[Any]) -> Node:
        return Node("index", (v[0], v[2]), True)

    def dot_index(self, v: list[Any]) -> Node:
        return Node("index", (v[0], v[3]), False)

    def dot_index_try(self, v: list[Any]) -> Node:
        return Node("index", (v[0], v[3]), True)

    def each(self, v: list[Any]) -> Node:
        return Node("each", (v[0],), False)

    def each_try(self, v: list[Any]) -> Node:
        return Node("each", (v[0],), True)

    def slice(self, v: list[Any]) -> Node:
        return Node("slice", (v[0], v[2], v[4]), False)

    def slice_try(self, v: list[Any]) -> Node:
        return Node("slice", (v[0], v[2], v[4]), True)

    def slice_from(self, v: list[Any]) -> Node:
        return Node("slice", (v[0], v[2], None), False)

    def slice_from_try(self, v: list[Any]) -> Node:
        return Node("slice", (v[0], v[2], None), True)

    def slice_to(self, v: list[Any]) -> Node:
        return Node("slice", (v[0], None, v[3]), False)

    def slice_to_try(self, v: list[Any]) -> Node:
        return Node("slice", (v[0], None, v[3]), True)

    # -- keywords

    def condition(self, v: list[Any]) -> Node:
        return Node("if", (v[1], v[3], v[4]))

    def no_else(self, v: list[Any]) -> None:
        return None

    def if_mistake(self, v: list[Any]) -> Node:
        raise Mistake("Possibly unterminated 'if' statement", None, v[1])

    def try_(self, v: list[Any]) -> Node:
        return Node("try", (v[1], None))

    def try_catch(self, v: list[Any]) -> Node:
        return Node("try", (v[1], v[3]))

    def try_mistake(self, v: list[Any]) -> Node:
        raise Mistake("Possibly unterminated 'try' statement", None, v[1])

    def reduce(self, v: list[Any]) -> Node:
        return Node("reduce", (v[1], v[5], v[7]), v[3])

    def foreach(self, v: list[Any]) -> Node:
        return Node("foreach", (v[1], v[5], v[7], v[9] if len(v) > 9 else None), v[3])

    # -- patterns

    def single(self, v: list[Any]) -> tuple[Pattern, ...]:
        return (v[0],)

    def last_pattern(self, v: list[Any]) -> tuple[Pattern, ...]:
        return (*v[0], v[2])

    def variable_pattern(self, v: list[Any]) -> Pattern:
        return Pattern("variable", v[0][1])

    def array_pattern(self, v: list[Any]) -> Pattern:
        return Pattern("array", elements=tuple(v[1]))

    def object_pattern(self, v: list[Any]) -> Pattern:
        return Pattern("object", entries=tuple(v[1]))

    def variable_entry(self, v: list[Any]) -> tuple[Node, str, None]:
        return Node("literal", (), v[0][1][1:]), v[0][1], None

    def variable_pattern_entry(self, v: list[Any]) -> tuple[Node, str, Pattern]:
        return Node("literal", (), v[0][1][1:]), v[0][1], v[2]

    def word_entry(self, v: list[Any]) -> tuple[Node, None, Pattern]:
        return Node("literal", (), _spelled(v[0])), None, v[2]

    def entry(self, v: list[Any]) -> tuple[Node, None, Pattern]:
        return v[0], None, v[2]

    def query_entry(self, v: list[Any]) -> Any:
        return self._checked(v[1], (v[1], None, v[4]))

    def entry_mistake(self, v: list[Any]) -> tuple[Node, None, Pattern]:
        raise Mistake(_KEY, None, (IDENTITY, None, v[2]))

    # -- objects

    def object(self, v: list[Any]) -> Node:
        return Node("object", tuple([node for pair in reversed(v[1]) for node in pair]))

    def word_pair(self, v: list[Any]) -> tuple[Node, Node]:
        return Node("literal", (), _spelled(v[0])), v[2]

    def pair(self, v: list[Any]) -> tuple[Node, Node]:
        return v[0], v[2]

    def string_pair(self, v: list[Any]) -> tuple[Node, Node | None]:
        key = v[0]
        return key, Node("index", (IDENTITY, key), False) if key.kind == "literal" else None

    def short_pair(self, v: list[Any]) -> tuple[Node, Node]:
        key = Node("literal", (), _spelled(v[0]))
        return key, Node("index", (IDENTITY, key), False)

    def variable_key_pair(self, v: list[Any]) -> tuple[Node, Node]:
        return self.variable(v), v[2]

    def variable_pair(self, v: list[Any]) -> tuple[Node, Node]:
        return Node("literal", (), v[0][1][1:]), self.variable(v)

    def location_pair(self, v: list[Any]) -> tuple[Node, Node]:
        return Node("literal", (), "__loc__"), self.location(v)

    def query_pair(self, v: list[Any]) -> Any:
        return self._checked(v[1], (v[1], v[4]))

    def pair_mistake(self, v: list[Any]) -> tuple[Node, Node]:
        raise Mistake(_KEY, 0, (IDENTITY, v[2]))

    def _checked(self, key: Node, value: Any) -> Any:
        """Return the value. Raise ``Mistake`` if the key is a constant other than a string."""
        if key.kind in _MAY_BE_CONSTANT:
            from ..compiler.constants import bad_key

            message = bad_key(key, self)
            if message:
                raise Mistake(message, 1, value)
        return value


_MAY_BE_CONSTANT = frozenset(("literal", "array", "object", "binary", "pipe", "def", "location"))
Method = Callable[[Builder, list[Any]], Any]


def _spelled(word: Any) -> Any:
    """Return the text of a keyword or a name before a colon."""
    if type(word) is str:
        return word
    return word[1]


def _read_rules() -> list[tuple[str, int, Method | None]]:
    rules: list[tuple[str, int, Method | None]] = []
    for rule in RULES:
        left, size, name = rule.split()
        rules.append((left, int(size), None if name == "-" else getattr(Builder, name)))
    return rules


PRODUCTIONS = _read_rules()
_ROWS: list[dict[str, int] | None] = [None] * len(STATES)  # decoded at the first use
_TURNS = 4096
_MOST_WORDS = 200_000
_LONGEST = 1 << 19  # so that no call in C takes long, nor the garbage collector's pass over the nodes
_STACK = 9000  # jq gives up at 10,000 states; near that ``syntax_errors`` counts them as jq does


def row_of(state: int) -> dict[str, int]:
    """Return a state's action before each symbol; ``""`` is the default."""
    row = _ROWS[state]
    if row is None:
        words = STATES[state].split()
        row = {"": int(words[0])}
        for at in range(1, len(words), 2):
            row[words[at]] = int(words[at + 1])
        _ROWS[state] = row
    return row


def _run(builder: Builder, words: list[Token]) -> Any:
    """Run the automaton to the end of the text. Return None for an error, or near jq's limit of states."""
    rows = _ROWS
    state = 0
    states = [0]
    values: list[Any] = []
    at = 0
    kind = words[0][0]
    while True:
        row = rows[state] or row_of(state)
        action = row.get(kind)
        if action is None:
            action = row[""]
        if action > 0:
            if kind == "EOF":
                return values[0]
            state = action
            states.append(state)
            values.append(words[at])
            at += 1
            kind = words[at][0]
            if not at % _TURNS:
                builder.check()
                if len(states) > _STACK:
                    return None
        elif action < 0:
            left, size, method = PRODUCTIONS[-action]
            if size == 1:
                if method is not None:
                    values[-1] = method(builder, [values[-1]])
                state = rows[states[-2]][left]  # type: ignore[index]  # states on the stack are known
                states[-1] = state
                continue
            if not size:
                assert method is not None
                values.append(method(builder, values))
            else:
                if method is not None:
                    values[-size] = method(builder, values[-size:])
                del values[1 - size :], states[-size:]
            state = rows[states[-1]][left]  # type: ignore[index]
            states.append(state)
        else:
            return None


def read(text: str, where: str, run: Run | None) -> Program:
    """Parse a main program or a module of any nesting depth; the compiler limits the depth."""
    if len(text) > _LONGEST:
        raise Stop("limit", f"a program of jq is longer than {_LONGEST} characters")
    text = utf8_as_latin1(text)
    builder = Builder(text, where, run)
    words = tokens(text, builder.check)
    if len(words) > _MOST_WORDS:
        raise Stop("limit", f"a program of jq has more than {_MOST_WORDS} words", "memory")
    try:
        program = _run(builder, words)
    except (Mistake, BadEscape):
        program = None
    if program is None:
        from .syntax_errors import explain

        program = explain(builder, words)
    assert isinstance(program, Program)
    return program


def parse_program(text: str, run: Run | None = None) -> Program:
    """Parse the program of ``jq FILTER`` or ``jq -f``, which has a body."""
    program = read(text, "<top-level>", run)
    if program.body is None:
        from .syntax_errors import compile_error

        raise compile_error(['jq: error: Top-level program not given (try ".")'])
    return program


def parse_module(text: str, path: str, run: Run | None = None) -> Program:
    """Parse a module's file, which has definitions, but no body."""
    program = read(text, path, run)
    if program.body is not None:
        from .syntax_errors import compile_error

        message = "jq: error: jq: error: library should only have function definitions, not a main expression"
        raise compile_error([message])
    return program


def parse(text: str) -> Node:
    """Parse a program and return its main filter."""
    body = parse_program(text).body
    assert body is not None
    return body
