"""Parser from the tokens of an expression to one callable (POSIX XCU find; messages of GNU find 4.9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...errors import Stop, UsageError
from ...text import paced, pause
from .files import File

Test = Callable[[File], bool]

_RANK = {",": 1, "-o": 2, "-or": 2, "-a": 3, "-and": 3}
_DEEPEST = 60  # nested parentheses; each level needs a few Python frames


class Token:
    """A word of the expression: ``kind`` is ``test``, ``binary``, ``not``, ``(`` or ``)``."""

    __slots__ = ("kind", "name", "test")

    def __init__(self, kind: str, name: str, test: Test | None = None) -> None:
        self.kind = kind
        self.name = name
        self.test = test


def kind_of(word: str) -> str:
    """Return the kind of an operator, or "" for another word."""
    if word in _RANK:
        return "binary"
    return {"!": "not", "-not": "not", "(": "(", ")": ")"}.get(word, "")


def with_ands(tokens: Sequence[Token]) -> list[Token]:
    """Insert the ``-a`` that is implied between two adjacent expressions."""
    out: list[Token] = []
    for token in paced(tokens):
        if out and out[-1].kind in ("test", ")") and token.kind in ("test", "not", "("):
            out.append(Token("binary", "-a"))
        out.append(token)
    return out


def _wrong(message: str) -> UsageError:
    return UsageError(message, 1, hint=False)


class Parser:
    """Precedence climbing over the tokens. ``wrapped``: the expression is in an implied ``( EXPRESSION ) -print``."""

    __slots__ = ("_at", "_depth", "_tokens", "_wrapped")

    def __init__(self, tokens: Sequence[Token], wrapped: bool) -> None:
        self._tokens = with_ands(tokens)
        self._at = 0
        self._depth = 0
        self._wrapped = wrapped

    def parse(self) -> Test:
        """Parse all tokens."""
        test = self._expression(0, None)
        if self._at < len(self._tokens):
            raise _wrong("you have too many ')'")
        return test

    def _peek(self) -> Token | None:
        if self._at >= len(self._tokens):
            return None
        return self._tokens[self._at]

    def _expression(self, rank: int, before: Token | None) -> Test:
        # The operands of equal operators are kept in one list: scripts generate expressions with hundreds of -o.
        joined, operator = [self._operand(before)], 0
        while (token := self._peek()) is not None and token.kind == "binary" and _RANK[token.name] > rank:
            pause()
            self._at += 1
            here = _RANK[token.name]
            if operator not in (0, here):
                joined = [_joined(operator, joined)]
            operator = here
            joined.append(self._expression(here, token))
        return _joined(operator, joined)

    def _operand(self, before: Token | None) -> Test:
        token = self._peek()
        if token is None:
            if self._wrapped and before is not None:
                raise _wrong(f"expected an expression after '{before.name}'")
            raise _wrong("invalid expression")
        if token.kind == "binary":
            raise _wrong(f"invalid expression; you have used a binary operator '{token.name}' with nothing before it.")
        if token.kind == ")":
            if before is not None and before.kind in ("not", "binary"):
                raise _wrong(f"expected an expression between '{before.name}' and ')'")
            raise _wrong("invalid expression: expected expression before closing parentheses ')'.")
        self._at += 1
        if token.kind == "not":
            return self._negated(token)
        if token.kind == "(":
            self._depth += 1
            if self._depth > _DEEPEST:
                raise Stop("limit", f"find: more than {_DEEPEST} nested parentheses")
            inner = self._parenthesised(token)
            self._depth -= 1
            return inner
        assert token.test is not None
        return token.test

    def _negated(self, token: Token) -> Test:
        negative = True
        while (following := self._peek()) is not None and following.kind == "not":
            token = following
            negative = not negative
            self._at += 1
        inner = self._operand(token)
        if not negative:
            return inner
        return lambda file: not inner(file)

    def _parenthesised(self, opening: Token) -> Test:
        following = self._peek()
        if following is None:
            hint = f"Perhaps you need an extra predicate after '{opening.name}'"
            raise _wrong(f"invalid expression; expected to find a ')' but didn't see one. {hint}")
        if following.kind == ")":
            raise _wrong("invalid expression; empty parentheses are not allowed.")
        inner = self._expression(0, opening)
        closing = self._peek()
        if closing is None or closing.kind != ")":
            raise _wrong("invalid expression; I was expecting to find a ')' somewhere but did not see one.")
        self._at += 1
        return inner


def _joined(rank: int, tests: list[Test]) -> Test:
    if len(tests) == 1:
        return tests[0]
    if len(tests) == 2:  # the most frequent case, without a loop for each file
        left, right = tests
        if rank == _RANK["-a"]:
            return lambda file: left(file) and right(file)
        if rank == _RANK["-o"]:
            return lambda file: left(file) or right(file)
    if rank == _RANK["-a"]:
        return lambda file: all(test(file) for test in tests)
    if rank == _RANK["-o"]:
        return lambda file: any(test(file) for test in tests)
    return lambda file: [test(file) for test in tests][-1]  # a comma evaluates all
