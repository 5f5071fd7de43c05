"""``unset`` (POSIX XCU 2.14, bash)."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import Options, builtin
from ..interp.text_expansion import expand_subscript, subscript_number
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.failure import ExpansionError
from ..state.references import split_reference


@builtin("unset", summary="Unset variables and functions.", usage="[-f] [-v] [-n] [name ...]", special=True)
def unset(ctx: Ctx, argv: list[str]) -> int:
    mode = ""
    options = Options(argv, "fvn")
    for letter, _ in options:
        if {mode, letter} == {"f", "v"}:
            raise UsageError("cannot simultaneously unset a function and a variable", 1, hint=False)
        mode = letter
    status = 0
    for name in options.operands:
        try:
            status = _unset(ctx, name, mode) or status
        except ExpansionError as error:
            if error.drop:
                raise
            ctx.warn(f"unset: {error.message}")
            status = 1
    return status


def _unset(ctx: Ctx, name: str, mode: str) -> int:
    ctx.task.check()
    if mode == "f":
        return _function(ctx, name)
    reference = split_reference(name)
    if reference is not None and reference[1] is not None:
        return _element(ctx, reference[0], reference[1])
    if reference is None:
        if mode != "v" and name in ctx.functions:
            return _function(ctx, name)
        if mode == "":
            return 0  # it could have been a function's name
        ctx.warn(f"unset: `{name}': not a valid identifier")
        return 1
    if mode == "" and name not in ctx.vars and name in ctx.functions:
        return _function(ctx, name)
    if mode == "n":
        variables.unset(ctx, name)
        return 0
    target, within = variables.find_target(ctx, name)
    if within is not None:
        return _element(ctx, target, within)
    variables.unset(ctx, target)
    return 0


def _function(ctx: Ctx, name: str) -> int:
    if name in ctx.readonly_functions:
        ctx.warn(f"unset: {name}: cannot unset: readonly function")
        return 1
    ctx.own_functions().pop(name, None)
    return 0


def _element(ctx: Ctx, base: str, subscript: str) -> int:
    base = variables.find_target(ctx, base)[0]
    held = ctx.vars.get(base)
    if held is None:
        return 0
    if isinstance(held, str) or held.kind == "s":
        if subscript in ("@", "*") or _index(ctx, subscript) == 0:
            if subscript not in ("@", "*"):
                variables.unset(ctx, base)
                return 0
        ctx.warn(f"unset: {base}: not an array variable")
        return 1
    if held.readonly:
        raise ExpansionError(f"{base}: cannot unset: readonly variable")
    if subscript in ("@", "*") and (held.kind == "a" or subscript not in held.associative()):
        own = variables.own(ctx, base)
        if own.kind == "a":
            own.indexed().clear()  # the name stays, with no elements (bash 5.2)
        return 0
    own = variables.own(ctx, base)
    if own.kind == "A":
        key = expand_subscript(ctx, subscript)
        if not key:
            ctx.warn(f"unset: [{subscript}]: bad array subscript")
            return 1
        own.associative().pop(key, None)
        return 0
    items = own.indexed()
    index = _index(ctx, subscript)
    if index < 0:
        index += (max(items) + 1) if items else 0
        if index < 0:
            ctx.warn(f"unset: [{subscript}]: bad array subscript")
            return 1
    items.pop(index, None)
    return 0


def _index(ctx: Ctx, subscript: str) -> int:
    try:
        return subscript_number(ctx, subscript)
    except ExpansionError as error:  # an expression that does not parse is the shell's mistake, not an operand's
        error.drop = True
        raise
