"""Subscripts in arithmetic: expansions in them stay data, and an invalid one is a warning."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..regexes import lazy_pattern
from ..state import variables
from ..syntax import nodes as n
from ..syntax.parser.arithmetic import ATOM, flatten

if TYPE_CHECKING:
    from ..state.context import ExecutionContext as Ctx
    from .words import WordCompiler

String = Callable[["Ctx"], str]


_BRACKETS = lazy_pattern(r"[][]")
_SPECIAL = lazy_pattern(r"[][$`\"'\\]")


def knows(part: n.WordPart) -> bool:
    """Return whether arithmetic supports this quoting: double quotes, and a backslash as in them (bash)."""
    return type(part) is not n.Quoted or part.style not in ("'", "\\")


def as_written(part: n.WordPart) -> n.WordPart:
    """Return a part whose quoting arithmetic does not support as literal text with its quotes."""
    if not isinstance(part, n.Quoted) or knows(part):
        return part
    if part.style == "'":
        text = f"'{part.text}'"
    elif part.text in '$`"\\':  # a backslash quotes only these in double quotes
        text = part.text
    else:
        text = f"\\{part.text}"
    return n.Literal(text, part.pos, part.end)


def _fixed(text: str) -> String:
    return lambda ctx: text


def _shield(string: String, special: re.Pattern[str]) -> String:
    return lambda ctx: special.sub(r"\\\g<0>", string(ctx))


def shielded(words: WordCompiler, word: n.Word, depth: int = 0) -> String:
    """Compile a word to text in which the special characters of expansions in subscripts are escaped (bash 5.2).

    So a ``$v`` with the value ``a[$(…)]`` is an invalid number there and not an element, and a key stays a key.
    ``depth``: the number of brackets around the word; 0 is the text of a whole expression, whose subscripts are
    expanded after it was parsed.
    """
    pieces: list[str] = []
    parts: list[n.WordPart] = []
    flatten(word.parts, pieces, parts)
    expansions = iter(strings_of(words, pieces, parts, depth))
    strings = [next(expansions) if piece == ATOM else _fixed(piece) for piece in pieces]
    if len(strings) == 1:
        return strings[0]
    return lambda ctx: "".join([string(ctx) for string in strings])


def strings_of(words: WordCompiler, pieces: list[str], parts: list[n.WordPart], depth: int = 0) -> list[String]:
    """Compile the expansions of a flat text; those in subscripts are escaped."""
    special = _BRACKETS if depth else _SPECIAL
    left = iter(parts)
    strings = []
    for piece in pieces:
        if piece != ATOM:
            depth += piece.count("[") - piece.count("]")
            continue
        string = words.part(next(left))
        if depth > 0:
            string = _shield(string, special)
        strings.append(string)
    return strings


def base(ctx: Ctx, name: str) -> tuple[str, str | variables.Var | None]:
    """Follow namerefs, and return the name and the value of the target."""
    binding = ctx.vars.get(name)
    if variables.is_nameref(binding):
        target, subscript = variables.find_target(ctx, name)
        if subscript is not None:
            return name, None  # an element has no elements (bash)
        name, binding = target, ctx.vars.get(target)
    return name, binding


def was_assigned(ctx: Ctx, name: str) -> bool:
    """Return whether a variable has ever been assigned: under ``set -u`` arithmetic asks for no more than that (bash).

    An array counts without an element, too, and a variable of one value as an array of one element.
    """
    binding = ctx.vars.get(name)
    if variables.is_nameref(binding):
        binding = ctx.vars.get(variables.find_target(ctx, name)[0])
    if binding is None:
        return False
    if isinstance(binding, str):
        return True
    if binding.dynamic:
        return bool(variables.elements(binding, ctx))
    return binding.value is not None


def read_element(ctx: Ctx, binding: str | variables.Var | None, name: str, key: int | str) -> str | None:
    """Return an element by an evaluated subscript, or None if it is unset."""
    if isinstance(key, str):
        assert isinstance(binding, variables.Var)
        if binding.value is None:
            return None
        return binding.associative().get(key)
    return variables.element_at(ctx, binding, name, key)


def read_strictly(ctx: Ctx, binding: str | variables.Var | None, real: str, key: int | str, shown: str) -> str | None:
    """Return an element for arithmetic: an empty subscript (two warnings, as in bash) and ``@`` are invalid."""
    if key == "":
        variables.bad_subscript(ctx, f"{shown}[]")
        variables.bad_subscript(ctx, f"{shown}[]")
        return None
    if isinstance(key, str) and not variables.is_associative(binding):
        # ``a[@]`` is a list, which has no number.
        variables.bad_subscript(ctx, f"{shown}[{key}]")
        return None
    return read_element(ctx, binding, real, key)


def set_strictly(ctx: Ctx, real: str, key: int | str, value: int, shown: str) -> None:
    """Set an element for arithmetic: an invalid subscript is a warning, and the expression continues (bash)."""
    if key == "":
        ctx.warn(f"`{shown}[]': not a valid identifier")
        return
    binding = ctx.vars.get(real)
    if isinstance(key, str):
        is_valid = variables.is_associative(binding)
    else:  # a negative number counts from the end
        is_valid = key >= 0 or key + variables.array_size(binding) >= 0
    if is_valid:
        variables.set_element(ctx, real, key, str(value))
    else:
        ctx.warn(f"{shown}[{key}]: bad array subscript")
