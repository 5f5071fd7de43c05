"""``[[ … ]]`` and ``(( … ))`` (bash "Conditional Constructs")."""

from __future__ import annotations

import operator
from collections.abc import Callable

from ...expand.bytewise import is_bytewise, narrow, widen
from ...expand.drives import is_absolute_path
from ...patterns.glob import compile_glob
from ...state.context import ExecutionContext as Ctx
from ...state.failure import ExpansionError
from ...state.references import is_name
from ...syntax import nodes as n
from ..redirect import with_redirects
from ..shell_tests import ShellTests
from . import WORDS, Exec
from .simple import one_command

Test = Callable[[Ctx], bool]
String = Callable[[Ctx], str]
PATTERN_OPERATORS = frozenset(("=", "==", "!="))


def compile_arith_command(node: n.ArithCommand) -> Exec:
    """Compile ``(( … ))``: status 0 for a value other than 0."""
    value = WORDS.arith.arithmetic(node.expression)

    def run(ctx: Ctx) -> int:
        if ctx.xtrace:
            from ..trace import trace_text

            trace_text(ctx, "(( " + WORDS.string(node.expression.text)(ctx) + " ))")
        try:
            return 0 if value(ctx) else 1
        except ExpansionError as error:
            fail_expression(ctx, error)
            return 1

    return with_redirects(node.redirects, one_command(node, run), node.line)


def fail_expression(ctx: Ctx, error: ExpansionError) -> None:
    """Report a bad expression in double parentheses: only the command fails, unless the error is in a subscript."""
    if error.fatal or error.discards:
        raise error
    ctx.warn(error.message if error.assignment else f"((: {error.message}")


def compile_test_command(node: n.TestCommand) -> Exec:
    """Compile ``[[ … ]]``."""
    test = compile_test(node.expression)
    traced: list[Test] = []  # compiled when it is first needed

    def run(ctx: Ctx) -> int:
        if ctx.xtrace and not traced:
            from .traced_tests import compile_traced

            traced.append(compile_traced(node.expression))
        try:
            evaluate = traced[0] if ctx.xtrace else test
            return 0 if evaluate(ctx) else 1
        except BadRegex:
            return 2

    return with_redirects(node.redirects, one_command(node, run), node.line)


class BadRegex(Exception):
    """The right side of ``=~`` is not a regular expression: status 2."""


def compile_test(node: n.Test) -> Test:
    """Compile one test."""
    match node:
        case n.TestWord():
            word = WORDS.string(node.word)
            return lambda ctx: bool(word(ctx))
        case n.TestNot():
            operand = compile_test(node.operand)
            return lambda ctx: not operand(ctx)
        case n.TestAnd():
            every = _operands(node, n.TestAnd)
            return lambda ctx: _all(ctx, every)
        case n.TestOr():
            some = _operands(node, n.TestOr)
            return lambda ctx: _any(ctx, some)
        case n.TestUnary():
            return _unary(node)
        case n.TestBinary():
            return _binary(node)


def _operands(node: n.TestAnd | n.TestOr, kind: type[n.TestAnd] | type[n.TestOr]) -> tuple[Test, ...]:
    """Compile ``a && b && c …`` into one flat tuple, so that a long chain does not nest deeply."""
    return tuple(map(compile_test, operands(node, kind)))


def operands(node: n.TestAnd | n.TestOr, kind: type[n.TestAnd] | type[n.TestOr]) -> list[n.Test]:
    """Return the tests of ``a && b && c …`` in their order."""
    tests: list[n.Test] = []
    rest: n.Test = node
    while isinstance(rest, kind):
        tests.append(rest.right)
        rest = rest.left
    tests.append(rest)
    return tests[::-1]


def _all(ctx: Ctx, tests: tuple[Test, ...]) -> bool:
    return all(test(ctx) for test in tests)


def _any(ctx: Ctx, tests: tuple[Test, ...]) -> bool:
    return any(test(ctx) for test in tests)


def _unary(node: n.TestUnary) -> Test:
    return unary_test(node, WORDS.string(node.word))


def unary_test(node: n.TestUnary | None, word: String) -> Test:
    """Return a test of one operand, by its expanded text; without a node it is ``-n``."""
    op = "-n" if node is None else node.op
    if op == "-z":
        return lambda ctx: not word(ctx)
    if op == "-n":
        return lambda ctx: bool(word(ctx))

    if op == "-v" and node is not None and _has_bracket(node.word.parts):

        def is_set(ctx: Ctx) -> bool:
            name, bracket, key = word(ctx).partition("[")
            is_reference = bracket and key.endswith("]") and is_name(name)
            return bool(is_reference) and ShellTests(ctx).has_element(name, key[:-1])

        return is_set

    def run(ctx: Ctx) -> bool:
        return _file_test((op, word(ctx)), ctx)

    return run


def _has_bracket(parts: tuple[n.WordPart, ...]) -> bool:
    """Return whether a word has an unquoted or double-quoted ``[`` in its source, not only in its expansion."""
    for part in parts:
        match part:
            case n.Literal() if "[" in part.text:
                return True
            case n.Quoted() if part.style == '"' and "[" in part.text:
                return True
            case n.DoubleQuoted() if _has_bracket(part.parts):
                return True
    return False


def _binary(node: n.TestBinary) -> Test:
    op = node.op
    if op in PATTERN_OPERATORS:
        right = WORDS.pattern(node.right)
    elif op == "=~":
        right = WORDS.regex(node.right)
    else:
        right = WORDS.string(node.right)
    return binary_test(op, WORDS.string(node.left), right)


def binary_test(op: str, left: String, right: String) -> Test:
    """Return a test of two operands. The left one is expanded first."""
    if op in PATTERN_OPERATORS:
        wanted = op != "!="

        def compare(ctx: Ctx) -> bool:
            text, pattern = left(ctx), right(ctx)
            if is_bytewise(ctx, text):
                text, pattern = narrow(text), narrow(pattern)
            glob = compile_glob(pattern, extglob=True, ignore_case="nocasematch" in ctx.shopts)
            is_match = glob.matches(text) or is_absolute_path(ctx, pattern, text)
            return is_match is wanted

        return compare
    if op == "=~":
        return _regex(left, right)
    if op in _TEXTUAL:
        order = _TEXTUAL[op]
        return lambda ctx: order(left(ctx), right(ctx))
    if op in _NUMERIC:
        function = _NUMERIC[op]

        def numeric(ctx: Ctx) -> bool:
            first, second, arithmetic = left(ctx), right(ctx), ctx.run.evaluator.arithmetic
            try:
                return function(arithmetic(ctx, first), arithmetic(ctx, second))
            except ExpansionError as error:
                # A bad expression is false and does not end the command.
                if error.fatal:
                    raise
                ctx.warn(f"[[: {error.message}")
                return False

        return numeric

    def files(ctx: Ctx) -> bool:
        return _file_test((left(ctx), op, right(ctx)), ctx)

    return files


def _file_test(args: tuple[str, ...], ctx: Ctx) -> bool:
    return ctx.run.conditions(args, ctx.fs, ctx.cwd, ShellTests(ctx))


_TEXTUAL: dict[str, Callable[[str, str], bool]] = {"<": operator.lt, ">": operator.gt}
_NUMERIC: dict[str, Callable[[int, int], bool]] = {
    "-eq": operator.eq,
    "-ne": operator.ne,
    "-lt": operator.lt,
    "-le": operator.le,
    "-gt": operator.gt,
    "-ge": operator.ge,
}


def _regex(left: Callable[[Ctx], str], right: Callable[[Ctx], str]) -> Test:
    """Return a test of ``=~``; it sets BASH_REMATCH to the matched groups, or empties it."""

    def run(ctx: Ctx) -> bool:
        from ...patterns.engines import match_text
        from ...patterns.tree import PatternError
        from ...state.variables import Var

        text, pattern = left(ctx), right(ctx)
        bytewise = is_bytewise(ctx, text)
        if bytewise:
            text, pattern = narrow(text), narrow(pattern)
        try:
            groups = match_text(pattern, text, "nocasematch" in ctx.shopts, ctx.task.scope)
        except PatternError:
            raise BadRegex from None
        texts = [group or "" for group in groups or ()]  # a group that took no part is empty, not unset (bash)
        if bytewise:
            texts = [widen(text) for text in texts]
        ctx.vars["BASH_REMATCH"] = Var(dict(enumerate(texts)), "a", ctx.owner)
        return groups is not None

    return run
