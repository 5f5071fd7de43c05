"""A short way to write trees down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyshellhooks.syntax import nodes as n
from pyshellhooks.syntax.parser import Modes, parse


def _word(word: n.Word | None) -> Any:
    """A word: a string if it is one literal, else the tuple of its parts."""
    if word is None:
        return None
    literal = word.literal()
    return literal if literal is not None else tuple(map(_part, word.parts))


def _part(part: n.WordPart) -> Any:
    match part:
        case n.Literal():
            return part.text
        case n.Quoted():
            return (part.style, part.text)
        case n.DoubleQuoted():
            return ("dq", *map(_part, part.parts))
        case n.Parameter():
            return _parameter(part)
        case n.CommandSub():
            return ("`" if part.backquoted else "$(", *_list(part.body))
        case n.Arithmetic():
            return ("$((", _word(part.text), arith(part.expr))
        case n.ProcessSub():
            return (part.op + "(", *_list(part.body))
    raise AssertionError(part)


def _parameter(node: n.Parameter) -> Any:
    subject = ("#" if node.length else "") + ("!" if node.indirect else "") + node.name
    if node.index is not None:
        subject += f"[{node.index.kind or _word(node.index.word)}]"
    out: tuple[Any, ...] = ("${" if node.braced else "$", subject)
    if node.op:
        out += (node.op,)
    if node.word is not None:
        out += (_word(node.word),)
    if node.word2 is not None:
        out += (_word(node.word2),)
    return out


def arith(node: n.Arith | None) -> Any:
    """An expression as nested tuples."""
    match node:
        case n.Number():
            return node.value
        case n.Variable():
            return node.name if node.index is None else (node.name, node.index.kind or _word(node.index.word))
        case n.Expansion():
            return _word(node.word)
        case n.Unary():
            return (node.op, arith(node.operand))
        case n.Binary():
            return (arith(node.left), node.op, arith(node.right))
        case n.Comma():
            return (arith(node.left), ",", arith(node.right))
        case n.Ternary():
            return (arith(node.condition), "?", arith(node.yes), arith(node.no))
        case n.Assignment():
            return (arith(node.target), node.op, arith(node.value))
        case n.IncDec():
            return (node.op, arith(node.target)) if node.prefix else (arith(node.target), node.op)
    return None


def _assign(node: n.Assign) -> Any:
    name = node.name if node.index is None else f"{node.name}[{node.index.kind or _word(node.index.word)}]"
    name += "+=" if node.append else "="
    if isinstance(node.value, n.Word):
        return (name, _word(node.value))
    return (name, [_item(item) for item in node.value.items])


def _item(item: n.ArrayItem) -> Any:
    if item.index is None:
        return _word(item.word)
    return (f"[{_word(item.index.word)}]{'+=' if item.append else '='}", _word(item.word))


def redirect(node: n.Redirect) -> Any:
    """A redirection: (prefix and operator, target)."""
    prefix = "" if node.fd is None else str(node.fd)
    if node.variable:
        prefix = "{" + node.variable + "}"
    if isinstance(node.target, n.HereDoc):
        return (prefix + node.op, node.target.delimiter, _word(node.target.body))
    return (prefix + node.op, _word(node.target))


def _list(body: n.List) -> list[Any]:
    return [("&", command(item)) if background else command(item) for item, background in body.items]


def command(node: n.Command) -> Any:
    """A command as nested tuples; a simple one is the list of its words."""
    match node:
        case n.Simple():
            words = [*map(_assign, node.assigns)]
            words += [_assign(w) if isinstance(w, n.Assign) else _word(w) for w in node.words]
            return words + [redirect(r) for r in node.redirects]
        case n.Pipeline():
            flags = ("!",) * node.negated + (() if node.timed is None else ("time" + node.timed,))
            return ("|", *flags, *map(command, node.commands), *(["both"] if any(node.both) else []))
        case n.AndOr():
            return (command(node.first), *(x for op, c in node.rest for x in (op, command(c))))
        case n.If():
            clauses = [(_list(a), _list(b)) for a, b in node.clauses]
            out: tuple[Any, ...] = ("if", *clauses, *(() if node.otherwise is None else (_list(node.otherwise),)))
        case n.While():
            out = ("until" if node.until else "while", _list(node.condition), _list(node.body))
        case n.For() | n.Select():
            values = None if node.words is None else [*map(_word, node.words)]
            out = (type(node).__name__.lower(), node.name, values, _list(node.body))
        case n.ForArith():
            parts = [None if p is None else arith(p.expr) for p in (node.init, node.condition, node.step)]
            out = ("for((", *parts, _list(node.body))
        case n.Case():
            arms = [([*map(_word, a.patterns)], _list(a.body), a.terminator) for a in node.arms]
            out = ("case", _word(node.word), *arms)
        case n.Subshell():
            out = ("(", *_list(node.body))
        case n.Group():
            out = ("{", *_list(node.body))
        case n.ArithCommand():
            out = ("((", arith(node.expression.expr))
        case n.TestCommand():
            out = ("[[", test_expression(node.expression))
        case n.Function():
            return ("function", node.name, command(node.body))
        case n.Coproc():
            return ("coproc", node.name, command(node.body))
        case _:
            raise AssertionError(node)
    return (*out, *map(redirect, node.redirects))


def test_expression(node: n.Test) -> Any:
    """A test as nested tuples."""
    match node:
        case n.TestWord():
            return _word(node.word)
        case n.TestUnary():
            return (node.op, _word(node.word))
        case n.TestBinary():
            return (_word(node.left), node.op, _word(node.right))
        case n.TestNot():
            return ("!", test_expression(node.operand))
        case n.TestAnd():
            return (test_expression(node.left), "&&", test_expression(node.right))
        case n.TestOr():
            return (test_expression(node.left), "||", test_expression(node.right))


@pytest.fixture
def tree() -> Callable[..., Any]:
    """Parse a text and give its commands as nested tuples."""

    def read(text: str, modes: Modes | None = None) -> list[Any]:
        return _list(parse(text, modes or Modes()))

    return read


@pytest.fixture
def words(tree: Callable[..., Any]) -> Callable[..., Any]:
    """Parse the arguments of ``x`` and give them as nested tuples."""

    def read(text: str, modes: Modes | None = None) -> Any:
        (found,) = tree("x " + text, modes)
        return found[1] if len(found) == 2 else found[1:]

    return read


@pytest.fixture
def expression() -> Callable[[n.Arith | None], Any]:
    """Return an expression as nested tuples."""
    return arith


@pytest.fixture
def one_word() -> Callable[[n.Word | None], Any]:
    """Return a word as nested tuples."""
    return _word
