"""``unset`` (POSIX XCU 2.14, bash)."""

from __future__ import annotations

from ..errors import UsageError
from ..interp.builtin import Options, builtin, each
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

    def remove(name: str) -> None:
        try:
            _unset(ctx, name, mode)
        except ExpansionError as error:
            if error.drop:
                raise
            raise UsageError(error.message) from None

    return each(ctx, "unset", options.operands, remove)


def _unset(ctx: Ctx, name: str, mode: str) -> None:
    ctx.task.check()
    reference = split_reference(name)
    if mode == "f":
        return _function(ctx, name)
    if reference is None:
        if mode == "":  # a name invalid for variables may be a function's
            return _function(ctx, name)
        if mode == "n" and name in ctx.functions:
            return _function(ctx, name)
        raise UsageError(f"`{name}': not a valid identifier")
    base, subscript = reference
    if subscript is None and mode != "n":
        if mode == "" and name not in ctx.vars and name in ctx.functions:
            return _function(ctx, name)
        # ``unset ref`` unsets the variable that a nameref refers to; with -n, the nameref.
        base, subscript = variables.find_target(ctx, base)
    if subscript is None:
        return variables.unset(ctx, base)
    return _element(ctx, base, subscript)


def _function(ctx: Ctx, name: str) -> None:
    if name in ctx.readonly_functions:
        raise UsageError(f"{name}: cannot unset: readonly function")
    ctx.writable_functions().pop(name, None)


def _element(ctx: Ctx, base: str, subscript: str) -> None:
    base = variables.find_target(ctx, base)[0]
    binding = ctx.vars.get(base)
    if binding is None:
        return
    every = subscript in ("@", "*")
    if not variables.is_array(binding):
        if every or _index(ctx, subscript):
            raise UsageError(f"{base}: not an array variable")
        variables.unset(ctx, base)
        return
    if binding.readonly:
        raise UsageError(f"{base}: cannot unset: readonly variable")
    own = variables.writable_variable(ctx, base)
    if own.kind == "A":
        # ``@`` and ``*`` are keys like others here (bash 5.2).
        key = subscript if every else ctx.run.evaluator.expand_subscript(ctx, subscript)
        if not key:
            raise UsageError(f"[{subscript}]: bad array subscript")
        own.associative().pop(key, None)
        return
    if every:
        own.indexed().clear()  # the name stays, with no elements (bash 5.2)
        return
    index = variables.position(_index(ctx, subscript), own.indexed())
    if index < 0:
        raise UsageError(f"[{subscript}]: bad array subscript")
    own.indexed().pop(index, None)


def _index(ctx: Ctx, subscript: str) -> int:
    try:
        return ctx.run.evaluator.subscript_number(ctx, subscript)
    except ExpansionError as error:  # an invalid expression is an error of the shell, not of an operand
        error.drop = True
        raise
