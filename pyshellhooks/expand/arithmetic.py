"""Shell arithmetic: 64-bit signed integers, evaluated by closures (POSIX XCU 2.6.4, bash "Shell Arithmetic")."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import ShellSyntaxError, Stop
from ..state import variables
from ..state.failure import ExpansionError, discarding, unbound
from ..syntax import nodes as n
from ..syntax.parser.arithmetic import ATOM, flatten
from ..text import paced, pause
from . import subscripts
from .arithmetic_operations import (
    BINARY,
    COMPARE,
    FAULTY,
    MAX,
    MIN,
    UNARY,
    ArithmeticFault,
    Facts,
    faulty,
    pure,
    stepped,
    wrap,
)

if TYPE_CHECKING:
    from ..state.context import ExecutionContext as Ctx
    from .words import WordCompiler

Eval = Callable[["Ctx"], int]


class NotPlain(Exception):
    """An expansion in an expression is not a plain number, so the whole expanded text must be parsed."""


def number_of(ctx: Ctx, text: str | None, depth: int = 0) -> int:
    """Return the value of a variable's text, which is a number or another expression."""
    if not text:
        return 0
    if is_plain(text) or (text[0] == "-" and is_plain(text[1:])):
        return int(text)
    return evaluate_text(ctx, text, depth + 1)


def is_plain(text: str) -> bool:
    """Return whether a text is a decimal number with the same value in Python: no sign, no octal, not too large."""
    if not text.isdecimal() or not text.isascii() or len(text) >= 19:
        return False
    return text[0] != "0" or len(text) == 1


def evaluate_text(ctx: Ctx, text: str, depth: int = 0) -> int:
    """Parse and evaluate an expression that is known only at run time. Raises ``ExpansionError``."""
    if depth > 100:
        raise ExpansionError(f'{text.lstrip()}: expression recursion level exceeded (error token is "{text.lstrip()}")')
    if not text.strip():
        return 0
    return ctx.run.evaluator.expression(text)(ctx, depth)


class ArithCompiler:
    """Compiles ``Arith`` nodes to closures."""

    def __init__(self, words: WordCompiler, expanded: bool = False) -> None:
        self.words = words
        self.expanded = expanded  # the text was expanded before it was parsed

    def arithmetic(self, node: n.Arithmetic) -> Eval:
        """Compile ``$(( ))``: the parse at compile time, with the expanded text as a fallback.

        bash expands the text once, and then parses and evaluates it. The early parse is used only if the result is the
        same: every expansion in it is a plain number, and is read before the expression changes it.
        """
        textual = subscripts.shielded(self.words, node.text)

        def slow(ctx: Ctx) -> int:
            return number_of(ctx, textual(ctx))

        expr = node.expr
        if expr is None or isinstance(expr, n.Expansion):
            return slow
        facts = Facts(expr)
        # Without expansions the text is known, and bash would parse the same.
        if not facts.expansions:
            return self._located(self.compile(expr), facts, textual, node.text.pos)
        if not facts.early:
            if facts.divides:
                return slow  # a message about the division quotes the expanded text
            return self._expanded_first(node, expr, facts, slow)
        fast = self.compile(expr)
        first: list[Eval] = []
        if facts.branches:
            # An expansion in a branch that is not taken must be a number too, since bash parses the whole text.
            first = [self._expansion(expansion) for expansion in facts.expansions]

        def run(ctx: Ctx) -> int:
            try:
                for expansion in first:
                    expansion(ctx)
                return fast(ctx)
            except (NotPlain, ArithmeticFault):
                return slow(ctx)

        return run

    def _expanded_first(self, node: n.Arithmetic, expr: n.Arith, facts: Facts, slow: Eval) -> Eval:
        """Compile for expansions that are all read once, in order, before the expression has effects (``i++ + $i``)."""
        pieces: list[str] = []
        parts: list[n.WordPart] = []
        flatten(node.text.parts, pieces, parts)
        if len(parts) != len(facts.expansions):
            return slow  # some are in subscripts
        places = [number for number, piece in enumerate(pieces) if piece == ATOM]
        texts = subscripts.strings_of(self.words, pieces, parts)
        fast = OperandCompiler(self.words, parts).compile(expr)

        def run(ctx: Ctx) -> int:
            values = [text(ctx) for text in texts]
            if not all(map(is_plain, values)):
                whole = pieces.copy()
                for place, expanded in zip(places, values, strict=True):
                    whole[place] = expanded
                return number_of(ctx, "".join(whole))
            # A variable may contain an expression, which is evaluated meanwhile with operands of its own.
            outer, ctx.operands = ctx.operands, [int(text) for text in values]
            try:
                return fast(ctx)
            finally:
                ctx.operands = outer

        return run

    def _located(self, fast: Eval, facts: Facts, textual: Callable[[Ctx], str], pos: int) -> Eval:
        if not facts.divides:
            return fast

        def run(ctx: Ctx) -> int:
            try:
                return fast(ctx)
            except ArithmeticFault as fault:
                raise fault.message(textual(ctx), pos) from None

        return run

    def compile(self, node: n.Arith) -> Eval:
        """Compile one expression."""
        method: Callable[[n.Arith], Eval] = getattr(self, f"_{type(node).__name__.lower()}")
        return method(node)

    def _number(self, node: n.Number) -> Eval:
        value = node.value
        return lambda ctx: value

    def _variable(self, node: n.Variable) -> Eval:
        name = node.name
        if node.index is not None:
            key = self.subscript(node.index, strict=True)

            def element(ctx: Ctx) -> int:
                target, binding = subscripts.base(ctx, name)
                value = subscripts.read_strictly(ctx, binding, target, key(ctx, binding), name)
                if value is None and ctx.nounset:
                    _require_assigned(ctx, name)
                return number_of(ctx, value)

            return element

        def run(ctx: Ctx) -> int:
            binding = ctx.vars.get(name)
            if binding.__class__ is str:
                # ``is_plain`` without a call: loops in scripts spend most of their time here.
                if binding.isdecimal() and binding[:1] != "0" and len(binding) < 19 and binding.isascii():
                    return int(binding)
                return number_of(ctx, binding)
            value = variables.get(ctx, name)
            if value is None and ctx.nounset:
                _require_assigned(ctx, name)
            return number_of(ctx, value)

        return run

    def subscript(
        self, index: n.Subscript, strict: bool = False
    ) -> Callable[[Ctx, str | variables.Var | None], int | str]:
        """Compile a subscript: to text for an associative array, otherwise to a number.

        ``strict``: an empty expansion is "" instead of 0, as in arithmetic, where it is an error.
        """
        parts = index.word.parts
        if strict and self.expanded:
            strict = all(isinstance(part, n.Literal | n.Quoted) for part in parts)
        text = self.words.string(index.word, tilde=False)
        if not all(map(subscripts.knows, parts)):
            fast = plain = None
            as_written = n.Word(tuple(map(subscripts.as_written, parts)), 0, 0)
            shielded = self.words.string(as_written, tilde=False)
        else:
            fast = self._constant_subscript(index, text)
            plain = self._plain_subscript(index)
            shielded = text
            if strict and not self.expanded:
                shielded = subscripts.shielded(self.words, index.word, 1)
        is_empty = all(isinstance(part, n.Literal | n.Quoted) and not part.text for part in parts)
        if strict and is_empty:
            fast = None

        def key(ctx: Ctx, binding: str | variables.Var | None) -> int | str:
            if variables.is_associative(binding):
                return text(ctx)
            try:
                return number(ctx)
            except ExpansionError as error:
                raise discarding(ctx, error)

        def number(ctx: Ctx) -> int | str:
            if fast is not None:
                return fast(ctx)
            if plain is not None:
                try:
                    return plain(ctx)
                except NotPlain:
                    pass
            expanded = shielded(ctx)
            if strict and expanded in ("", "@", "*"):
                return expanded
            return number_of(ctx, expanded)

        return key

    def _constant_subscript(self, index: n.Subscript, text: Callable[[Ctx], str]) -> Eval | None:
        """Compile a subscript without expansions, or return None."""
        if index.arith is None:
            return None
        facts = Facts(index.arith)
        if facts.expansions:
            return None
        return self._located(self.compile(index.arith), facts, text, index.word.pos)

    def _plain_subscript(self, index: n.Subscript) -> Eval | None:
        """Compile a subscript that is a parameter (``a[$i]``), or return None."""
        if not isinstance(index.arith, n.Expansion) or not pure(index.arith):
            return None
        return self._expansion(index.arith)

    def _expansion(self, node: n.Expansion) -> Eval:
        text_of = self.words.string(node.word)

        def run(ctx: Ctx) -> int:
            text = text_of(ctx)
            if is_plain(text):
                return int(text)
            raise NotPlain

        return run

    def _unary(self, node: n.Unary) -> Eval:
        operand = self.compile(node.operand)
        function = UNARY[node.op]
        return lambda ctx: function(operand(ctx))

    def _chain(self, node: n.Binary) -> Eval:
        """Compile ``a + b - c …`` from the left in a loop instead of recursion, so that a long sum is not too deep."""
        steps: list[tuple[Callable[[int, int], int], Eval]] = []
        first: n.Arith = node
        while isinstance(first, n.Binary) and first.op in BINARY:
            pause()
            steps.append((stepped(first), self.compile(first.right)))
            first = first.left
        start = self.compile(first)
        steps.reverse()

        def run(ctx: Ctx) -> int:
            value = start(ctx)
            for function, operand in paced(steps):
                value = function(value, operand(ctx))
            return value

        return run

    def _binary(self, node: n.Binary) -> Eval:
        inner = node.left
        if isinstance(inner, n.Binary) and isinstance(inner.left, n.Binary) and node.op in BINARY:
            return self._chain(node)
        left, right = self.compile(node.left), self.compile(node.right)
        op = node.op
        if op == "&&":
            return lambda ctx: 1 if left(ctx) and right(ctx) else 0
        if op == "||":
            return lambda ctx: 1 if left(ctx) or right(ctx) else 0
        if op == "+":

            def add(ctx: Ctx) -> int:
                value = left(ctx) + right(ctx)
                if MIN <= value <= MAX:
                    return value
                return wrap(value)

            return add
        if op == "-":

            def subtract(ctx: Ctx) -> int:
                value = left(ctx) - right(ctx)
                if MIN <= value <= MAX:
                    return value
                return wrap(value)

            return subtract
        if op in COMPARE:
            return COMPARE[op](left, right)
        function = BINARY[op]
        # The message of a fault quotes the source from its operand on.
        if op in FAULTY:
            return faulty(node, lambda ctx: function(left(ctx), right(ctx)))
        return lambda ctx: function(left(ctx), right(ctx))

    def _ternary(self, node: n.Ternary) -> Eval:
        condition, yes, no = self.compile(node.condition), self.compile(node.yes), self.compile(node.no)
        return lambda ctx: yes(ctx) if condition(ctx) else no(ctx)

    def _comma(self, node: n.Comma) -> Eval:
        left, right = self.compile(node.left), self.compile(node.right)

        def run(ctx: Ctx) -> int:
            left(ctx)
            return right(ctx)

        return run

    def _assignment(self, node: n.Assignment) -> Eval:
        value = self.compile(node.value)
        store = self._store(node.target)
        if node.op == "=":

            def assign(ctx: Ctx) -> int:
                result = value(ctx)
                store(ctx, result)
                return result

            return assign
        op = node.op[:-1]
        function = BINARY[op]
        if node.target.index is not None:
            return self._update_element(node.target, lambda ctx, old: function(old, value(ctx)), False)
        old = self._variable(node.target)

        def update(ctx: Ctx) -> int:
            result = function(old(ctx), value(ctx))
            store(ctx, result)
            return result

        return update

    def _incdec(self, node: n.IncDec) -> Eval:
        step = 1 if node.op == "++" else -1
        post = not node.prefix
        if node.target.index is not None:
            return self._update_element(node.target, lambda ctx, old: wrap(old + step), post)
        old = self._variable(node.target)
        store = self._store(node.target)

        def run(ctx: Ctx) -> int:
            before = old(ctx)
            after = wrap(before + step)
            store(ctx, after)
            return before if post else after

        return run

    def _update_element(self, target: n.Variable, change: Callable[[Ctx, int], int], post: bool) -> Eval:
        """Compile a read and an assignment of an element whose subscript is evaluated once."""
        name = target.name
        assert target.index is not None
        key = self.subscript(target.index, strict=True)

        def run(ctx: Ctx) -> int:
            real, binding = subscripts.base(ctx, name)
            at = key(ctx, binding)
            if ctx.nounset:
                _require_assigned(ctx, name)
            before = number_of(ctx, subscripts.read_strictly(ctx, binding, real, at, name))
            after = change(ctx, before)
            subscripts.set_strictly(ctx, real, at, after, name)
            return before if post else after

        return run

    def _store(self, target: n.Variable) -> Callable[[Ctx, int], None]:
        name = target.name
        if target.index is None:

            def store(ctx: Ctx, value: int) -> None:
                binding = ctx.vars.get(name)
                has_no_attributes = binding.__class__ is str or binding is None
                if has_no_attributes and not ctx.allexport:
                    ctx.vars[name] = str(value)
                else:
                    variables.assign(ctx, name, str(value))

            return store
        key = self.subscript(target.index, strict=True)

        def store_element(ctx: Ctx, value: int) -> None:
            real, binding = subscripts.base(ctx, name)
            subscripts.set_strictly(ctx, real, key(ctx, binding), value, name)

        return store_element


def _require_assigned(ctx: Ctx, name: str) -> None:
    """Raise the error of ``set -u``."""
    if not subscripts.was_assigned(ctx, name):
        raise unbound(ctx, name)


class OperandCompiler(ArithCompiler):
    """Compiles an expression whose expansions are read before: ``ctx.operands``, in the order of ``parts``."""

    def __init__(self, words: WordCompiler, parts: list[n.WordPart]) -> None:
        super().__init__(words)
        self.parts = parts

    def _expansion(self, node: n.Expansion) -> Eval:
        number = next(i for i, part in enumerate(self.parts) if part is node.word.parts[0])
        return lambda ctx: ctx.operands[number]


def compile_text(text: str, words: WordCompiler) -> Callable[[Ctx, int], int]:
    """Compile an expression known only at run time. A syntax error is raised at its evaluation, with bash's message."""
    from ..syntax.parser import parse_arithmetic

    try:
        fast = ArithCompiler(words, expanded=True).compile(parse_arithmetic(text))
    except RecursionError:
        # A status would be wrong here: the expression is valid (rule 1).
        raise Stop("limit", "an expression nests deeper than the stack") from None
    except ShellSyntaxError as error:
        message = error.diagnostic.message

        def fail(ctx: Ctx, depth: int) -> int:
            raise ExpansionError(message)

        return fail

    def run(ctx: Ctx, depth: int) -> int:
        # A variable may contain an expression with the same variable, so the context counts the depth. A depth of 64
        # still allows 2**64 evaluations, so check whether the run is over.
        ctx.task.check()
        ctx.arith_depth += 1
        try:
            if ctx.arith_depth > 64:
                raise ExpansionError(
                    f'{text.lstrip()}: expression recursion level exceeded (error token is "{text.lstrip()}")'
                )
            return fast(ctx)
        except ArithmeticFault as fault:
            raise fault.message(text, 0) from None
        except NotPlain:
            raise ExpansionError(f'{text}: syntax error: operand expected (error token is "{text}")') from None
        finally:
            ctx.arith_depth -= 1

    return run
