"""Parameter transformation: ``${x@Q}`` and similar (bash "Parameter transformation")."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import Stop
from ..patterns import case_mapping
from ..state import variables
from ..state.failure import ExpansionError, fatal_status
from ..syntax import nodes as n
from ..syntax.quote import quote_assign, quote_key, quote_word
from ..text import paced
from .bytewise import is_bytewise

if TYPE_CHECKING:
    from ..state.context import ExecutionContext as Ctx

Fetched = str | list[str] | None


def transform(ctx: Ctx, node: n.Parameter, letter: str, value: Fetched) -> Fetched:
    """Return a value after ``@letter``. Raises ``ExpansionError`` for an unknown letter."""
    # These three are about the variable, which may have no value.
    if letter == "a":
        return _attributes(ctx, _target(ctx, node), value)
    if letter == "A":
        return _declaration(ctx, node, value)
    if letter in ("K", "k"):
        return _pairs(ctx, node, value, letter == "k")
    if value is None or value == []:
        return value
    changes: dict[str, Callable[[str], str]] = {
        "Q": quote_word,
        "E": _escapes,
        "P": lambda text: ctx.run.evaluator.expand_prompt(ctx, text),
        "U": lambda text: case_mapping.upper(text, is_bytewise(ctx, text)),
        "u": lambda text: case_mapping.capital(text, is_bytewise(ctx, text)),
        "L": lambda text: case_mapping.lower(text, is_bytewise(ctx, text)),
    }
    change = changes.get(letter)
    if change is None:
        text = f"${{{node.name}@{letter}}}: bad substitution"
        raise ExpansionError(text, fatal=True, status=fatal_status(ctx))
    if isinstance(value, str):
        # Each ``'`` becomes four characters. They are counted only in a text that could become too long.
        may_be_long = len(value) * 4 > ctx.limits.string
        if may_be_long and len(value) + 3 * value.count("'") > ctx.limits.string:
            raise Stop("limit", f"a value is longer than {ctx.limits.string} characters", "string")
        return change(value)
    return type(value)([change(item) for item in value])


def _target(ctx: Ctx, node: n.Parameter) -> str:
    """Return the name of the variable; with ``!`` that of the variable it refers to."""
    if not node.indirect:
        return node.name
    if node.index is None:
        text = variables.get(ctx, node.name)
    elif node.index.kind:
        text = " ".join(variables.elements(ctx.vars.get(node.name), ctx))
    else:
        text = variables.get_element(ctx, node.name, node.index.word.literal() or "")
    return (text or "").partition("[")[0]


def _escapes(text: str) -> str:
    from ..syntax.parser.escapes import decode_ansi

    return decode_ansi(text)


def _attributes(ctx: Ctx, name: str, value: Fetched) -> Fetched:
    letters = attribute_letters(ctx, name)
    if isinstance(value, list):
        return type(value)([letters for _ in value])
    return letters


def attribute_letters(ctx: Ctx, name: str) -> str:
    """Return the letters of a variable's attributes, in the order of ``declare -p`` and ``${x@a}``."""
    binding = ctx.vars.get(name)
    if isinstance(binding, variables.Var):
        letters, case = binding.flags(), binding.case
    else:
        letters = case = ""
    if name not in ctx.exports:
        return letters
    # The letter of the case (``l``, ``u``, ``c``) is the last one (bash).
    return letters.removesuffix(case) + "x" + case


def _declaration(ctx: Ctx, node: n.Parameter, value: Fetched) -> Fetched:
    name, index = node.name, node.index
    if name in "@*":
        words = ["set", "--", *map(quote_word, ctx.args)] if ctx.args else []
        return _command(ctx, words, name == "@")
    every = index is not None and index.kind == "@"
    binding = ctx.vars.get(name)
    if binding is None:
        return [] if every else None
    is_other_element = index is not None and isinstance(binding, str)  # of a variable that is not an array
    if value is None and is_other_element:
        return None
    letters = attribute_letters(ctx, name)
    if isinstance(value, list):
        if variables.is_array(binding):
            return _command(ctx, ["declare", f"-{letters}", f"{name}={array_text(binding)}"], every)
        value = next(iter(value), None)
    assignment = name
    if value is not None:
        assignment = f"{name}={quote_word(value)}"
    if not letters:
        return assignment
    return f"declare -{letters} {assignment}"


def _command(ctx: Ctx, words: list[str], every: bool) -> Fetched:
    """Return the words of a command as one text, or for ``@`` as a list if IFS has a space, even in quotes (bash)."""
    ifs = variables.get(ctx, "IFS")
    splits = ifs is None or " " in ifs or not words
    if every and splits:
        return words
    return " ".join(words)


def _pairs(ctx: Ctx, node: n.Parameter, value: Fetched, separate: bool) -> Fetched:
    if value is None:
        return None
    if isinstance(value, str):
        return quote_word(value)
    binding = ctx.vars.get(node.name)
    if not variables.is_array(binding):
        return type(value)(map(quote_word, value))
    pairs = list(zip(variables.keys(binding, ctx), variables.elements(binding, ctx), strict=True))
    if separate:
        return type(value)([text for pair in pairs for text in pair])
    if binding.kind == "A":  # each followed by a space, as in `declare -p`
        return "".join(f"{quote_key(k)} {quote_assign(v)} " for k, v in pairs)
    return " ".join(f"{k} {quote_assign(v)}" for k, v in pairs)


def array_text(array: variables.Var) -> str:
    """Return an array's value as ``declare -p`` prints it: ``([0]="a" [1]="b")``."""
    if array.kind == "a":
        items = array.indexed()
        return "(" + " ".join(f"[{i}]={quote_assign(items[i])}" for i in paced(sorted(items))) + ")"
    items_by_key = array.associative()
    if not items_by_key:
        return "()"
    keys = variables.hash_order(items_by_key)
    inner = " ".join(f"[{quote_key(key)}]={quote_assign(items_by_key[key])}" for key in paced(keys))
    return f"({inner} )"  # the blank is bash's
