"""``declare``, ``typeset``, ``local``, ``export``, ``readonly`` (bash; POSIX XCU 2.14 export, readonly)."""

from __future__ import annotations

from ..errors import ShellSyntaxError, UsageError
from ..expand.transform import array_text, attribute_letters
from ..interp.assign import AssignArgument, set_array
from ..interp.builtin import builtin
from ..interp.compile.units import modes_of
from ..interp.trace import trace_assignment
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.context import Frame
from ..state.failure import ExpansionError, thrown_away
from ..state.references import check_name, read_reference
from ..syntax.parser import parse_assignment
from ..syntax.quote import quote_assign
from ..text import encode
from .set import function_text, show_variables

_USAGE = "[-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]"
_NO_TARGET = (
    "invalid variable name for name reference"  # of ``declare -n`` alone: an assignment says otherwise (bash 5.2)
)


class Request:
    """The flags of one call: what to set (``-``) and to take away (``+``)."""

    __slots__ = ("off", "on")

    def __init__(self) -> None:
        self.on: set[str] = set()
        self.off: set[str] = set()


def _parse(argv: list[str], allowed: str, signs: str = "-+") -> tuple[Request, list[str]]:
    request = Request()
    args = argv[1:]
    while args and len(args[0]) > 1 and args[0][0] in signs and not isinstance(args[0], AssignArgument):
        word, args = args[0], args[1:]
        if word == "--":
            break
        for letter in word[1:]:
            if letter not in allowed:
                raise UsageError(f"{word[0]}{letter}: invalid option", 2)
            (request.on if word[0] == "-" else request.off).add(letter)
    return request, args


@builtin("declare", summary="Set variable values and attributes.", usage=_USAGE)
def declare(ctx: Ctx, argv: list[str]) -> int:
    return _declare(ctx, argv)


@builtin("typeset", summary="Set variable values and attributes.", usage=_USAGE)
def typeset(ctx: Ctx, argv: list[str]) -> int:
    return _declare(ctx, argv)


def _declare(ctx: Ctx, argv: list[str]) -> int:
    request, args = _parse(argv, "aAfFgiIlnprtuxc")
    if request.on & {"f", "F"}:
        for letter in "ni":
            if letter in request.on:
                raise UsageError(f"-{letter}: invalid option", 1, hint=False)
        return _functions(ctx, request, args, argv[0])
    if not args and not request.on and not request.off:
        show_variables(ctx)
        return 0
    if "p" in request.on or not args:
        return _print(ctx, request, args, argv[0])
    local = _function_frame(ctx) is not None and "g" not in request.on
    return apply(ctx, request, args, argv[0], local=local)


def _function_frame(ctx: Ctx) -> Frame | None:
    frame = ctx.own_frames(inner=True)
    return None if frame is None else frame.enclosing()


@builtin("local", summary="Define local variables.", usage="[option] name[=value] ...")
def local(ctx: Ctx, argv: list[str]) -> int:
    function = _function_frame(ctx)
    if function is None:
        ctx.warn("local: can only be used in a function")
        return 1
    if argv[1:] == ["-"]:
        function.keep_options(ctx)
        return 0
    request, args = _parse(argv, "aAfFgiIlnprtuxc")
    if not args or "p" in request.on:
        return _print_locals(ctx, args)
    return apply(ctx, request, args, "local", local=True)


@builtin(
    "export", summary="Mark variables for the environment.", usage="[-fn] [name[=value] ...] or export -p", special=True
)
def export(ctx: Ctx, argv: list[str]) -> int:
    request, args = _parse(argv, "fnp", "-")
    if "f" in request.on:
        if not args:
            return _show_marked(ctx, ctx.exported_functions)
        return _export_functions(ctx, args, on="n" not in request.on)
    if not args:
        names = sorted(name for name in ctx.exports)
        _write(ctx, [_export_line(ctx, name) for name in names])
        return 0
    if "n" in request.on:
        request.off.add("x")
    else:
        request.on.add("x")
    request.on.discard("n")
    return apply(ctx, request, args, "export", local=False)


def _export_functions(ctx: Ctx, names: list[str], *, on: bool, who: str = "export") -> int:
    """``export -f``: shells below get the function, native ones by bash's own variable for it."""
    status = 0
    for name in names:
        if name not in ctx.functions:
            status = 1
            if who == "export":
                ctx.warn(f"export: {name}: not a function")
    held = {name for name in names if name in ctx.functions}
    ctx.exported_functions = ctx.exported_functions | held if on else ctx.exported_functions - held
    return status


def _mark_functions(ctx: Ctx, request: Request, names: list[str], who: str) -> int:
    """``declare -fr``, ``-fx``: attributes, and nothing is shown."""
    status = 0
    if "x" in request.on | request.off:
        status = _export_functions(ctx, names, on="x" in request.on, who=who)
    if "r" in request.on:
        for name in names:
            if name in ctx.functions:
                ctx.readonly_functions |= {name}
            else:
                status = 1
                if who == "readonly":
                    ctx.warn(f"readonly: {name}: not a function")
    return status


def _function_letters(ctx: Ctx, name: str) -> str:
    return "r" * (name in ctx.readonly_functions) + "x" * (name in ctx.exported_functions)


def _show_marked(ctx: Ctx, names: set[str] | frozenset[str]) -> int:
    for name in sorted(names):
        if name in ctx.functions:
            text = function_text(ctx, name)
            ctx.fds.get(1).write(encode(f"{text}declare -f{_function_letters(ctx, name)} {name}\n"))
    return 0


def _export_line(ctx: Ctx, name: str) -> str:
    if "posix" in ctx.shopts:
        value = variables.get(ctx, name)
        return f"export {name}" if value is None else f"export {name}={quote_assign(value)}"
    return declaration(ctx, name) or f"declare -x {name}"


def _posix_line(ctx: Ctx, name: str, held: variables.Var) -> str | None:
    """In posix mode what ``readonly -p`` prints of a plain variable can be read again by any shell."""
    if "posix" not in ctx.shopts or held.kind != "s":
        return None
    value = held.get(ctx)
    return f"readonly {name}" if value is None else f"readonly {name}={quote_assign(value)}"


@builtin(
    "readonly",
    summary="Mark variables as unchangeable.",
    usage="[-aAf] [name[=value] ...] or readonly -p",
    special=True,
)
def readonly(ctx: Ctx, argv: list[str]) -> int:
    request, args = _parse(argv, "aAfp", "-")
    if "f" in request.on:
        if not args:
            return _show_marked(ctx, ctx.readonly_functions)
        request.on.add("r")
        return _mark_functions(ctx, request, args, "readonly")
    if not args:
        lines = []
        for name in sorted(ctx.vars):
            held = ctx.vars[name]
            if variables.is_readonly(held):
                lines.append(_posix_line(ctx, name, held) or declaration(ctx, name) or "")
        _write(ctx, lines)
        return 0
    request.on.add("r")
    return apply(ctx, request, args, "readonly", local=False)


def apply(ctx: Ctx, request: Request, args: list[str], who: str, *, local: bool) -> int:
    """Declare each argument."""
    status = 0
    for word in args:
        ctx.task.check()
        try:
            argument = _argument(word)
            if argument is None or (argument.subscript is not None and who in ("export", "readonly")):
                name = word.partition("=")[0]
                ctx.warn(f"{who}: `{word if argument is None and '=' in word else name}': not a valid identifier")
                status = 1
                continue
            if ctx.xtrace and who in ("export", "readonly"):
                trace_assignment(ctx, word)
            _declare_one(ctx, request, argument, who, local)
        except ExpansionError as error:
            if (error.fatal or error.discards) and not error.assignment:
                error.say(ctx, "" if error.unnamed else f"{who}: ")
                raise
            unnamed = error.unnamed or (error.assignment and who in ("export", "readonly"))
            ctx.warn(error.message if unnamed else f"{who}: {error.message}")
            status = 1
    return status


class _Bare:
    """A name without a value."""

    __slots__ = ("name", "subscript")

    def __init__(self, name: str, subscript: str | None) -> None:
        self.name = name
        self.subscript = subscript


def _argument(word: str) -> AssignArgument | _Bare | None:
    if isinstance(word, AssignArgument) and (word.subscript is None or read_reference(word)[1] == word.subscript):
        return word  # else the expanded subscript does not end where the written one did
    name, subscript, end = read_reference(word)
    rest = word[end:]
    if not name or (not rest and subscript == ""):
        return None
    if not rest:
        return _Bare(name, subscript)
    append = rest.startswith("+=")
    if not append and rest[0] != "=":
        return None
    return AssignArgument.make(name, subscript, append, rest[1 + append :])


def _declare_one(ctx: Ctx, request: Request, argument: AssignArgument | _Bare, who: str, local: bool) -> None:
    name = argument.name
    on, off = request.on, request.off
    if "n" not in on and "n" not in off and not local:
        target, subscript = variables.find_target(ctx, name)
        if subscript is None and target != name:
            name = target
    if local:
        frame = _function_frame(ctx)
        assert frame is not None
        fresh = name not in frame.saved
        old = ctx.vars.get(name)
        if variables.is_readonly(old) and fresh:
            raise ExpansionError(f"{name}: readonly variable")
        frame.keep(ctx, name)
        if fresh:
            _make_local(ctx, name, old, "I" in on or "localvar_inherit" in ctx.shopts)
        frame.temporary = frame.temporary - {name}
    elif "g" in on:
        _declare_global(ctx, request, argument, who, name)
        return
    _set(ctx, request, argument, name)


def _make_local(ctx: Ctx, name: str, old: str | variables.Var | None, inherit: bool) -> None:
    if inherit:
        if isinstance(old, variables.Var):
            ctx.vars[name] = old.copy(ctx.owner)
        return
    ctx.vars[name] = variables.Var(None, "s", ctx.owner)


def _declare_global(ctx: Ctx, request: Request, argument: AssignArgument | _Bare, who: str, name: str) -> None:
    """``-g``: work on the outermost binding, below every local one."""
    frames = []
    frame = ctx.own_frames()
    while frame is not None:
        if name in frame.saved:
            frames.append(frame)
        frame = frame.parent
    if not frames:
        _set(ctx, request, argument, name)
        return
    inner = (ctx.vars.get(name), name in ctx.exports)
    outer = frames[-1]
    outer.restore(ctx, name)
    try:
        _set(ctx, request, argument, name)
    finally:
        outer.saved[name] = (ctx.vars.get(name), name in ctx.exports)
        if inner[0] is None:
            ctx.vars.pop(name, None)
        else:
            ctx.vars[name] = inner[0]


def _set(ctx: Ctx, request: Request, argument: AssignArgument | _Bare, name: str) -> None:
    on, off = request.on, request.off
    bare = isinstance(argument, _Bare)
    held = ctx.vars.get(name)
    if variables.is_readonly(held) and (not bare or "n" in on or "r" in off):
        raise variables.readonly_error(ctx, name)
    if "n" in on:
        _refer(ctx, argument, name, held)
    if not isinstance(argument, _Bare) and isinstance(argument.value, list):
        _prepare(ctx, request, name, array=True)
        set_array(ctx, name, argument.value, argument.append, "A" in on)
    else:
        needs = on & set("aAilucnrt") or off & set("ilucnt") or argument.subscript is not None
        if needs or held is None:
            _prepare(ctx, request, name, array=argument.subscript is not None and bare)
        if not isinstance(argument, _Bare):
            _assign_text(ctx, request, argument, name)
    if "r" in on:
        variables.own(ctx, name).readonly = True
    if "x" in on:
        variables.export(ctx, name)
    if "x" in off:
        variables.unexport(ctx, name)
    held = ctx.vars.get(name)
    if isinstance(held, variables.Var) and type(held) is variables.Var and held.kind == "s" and held.value is not None:
        if not (held.readonly or held.integer or held.nameref or held.case or held.traced):
            ctx.vars[name] = str(held.value)  # nothing special is left: back to the plain form


def _refer(ctx: Ctx, argument: AssignArgument | _Bare, name: str, held: str | variables.Var | None) -> None:
    """Look at what a nameref is to name before anything changes; a new name takes the place of an old value."""
    if argument.subscript is not None or variables.is_array(held):
        if argument.subscript is not None:
            name = f"{name}[{argument.subscript}]"
        raise ExpansionError(f"{name}: reference variable cannot be an array")
    if isinstance(argument, _Bare) or isinstance(argument.value, list):
        return
    if argument.value == name:
        raise ExpansionError(f"{name}: nameref variable self references not allowed")
    if not argument.value:
        raise ExpansionError("`': not a valid identifier")
    check_name(argument.value, _NO_TARGET)
    var = variables.own_plain(ctx, name)
    var.value = argument.value
    var.integer, var.case = False, ""


def _assign_text(ctx: Ctx, request: Request, argument: AssignArgument, name: str) -> None:
    value = str(argument.value)
    held = ctx.vars.get(name)
    if argument.subscript is not None:
        try:
            variables.assign_element(ctx, name, argument.subscript, value, argument.append)
        except ExpansionError as error:
            error.unnamed = not error.assignment
            raise
        return
    is_array = bool(request.on & {"a", "A"}) or variables.is_array(held)
    if is_array and value.startswith("(") and value.endswith(")") and not isinstance(argument, _Bare):
        try:
            parsed = parse_assignment(f"{name}={value}", modes_of(ctx))
        except ShellSyntaxError as error:
            raise thrown_away(ctx, ExpansionError(error.diagnostic.message)) from None
        if parsed is not None:
            from ..interp.assign import compile_argument

            built = compile_argument(parsed, "A" in request.on)(ctx)
            if isinstance(built.value, list):
                set_array(ctx, name, built.value, argument.append, "A" in request.on)
                return
    if "n" in request.on:
        return
    if is_array and variables.is_array(held):
        key: int | str = "0" if held.kind == "A" else 0
        variables.set_element(ctx, name, key, value, argument.append)
        return
    variables.assign(ctx, name, value, argument.append)


def _prepare(ctx: Ctx, request: Request, name: str, *, array: bool) -> None:
    """Give a variable its attributes before its value."""
    on, off = request.on, request.off
    var = variables.own_plain(ctx, name) if on & {"a", "A", "n"} or array else variables.own(ctx, name)
    if "A" in on:
        variables.make_array(ctx, name, True)
    elif "a" in on or (array and var.kind == "s"):
        variables.make_array(ctx, name)
    if "i" in on:
        var.integer = True
    if "i" in off:
        var.integer = False
    for letter in "luc":
        if letter in on:
            var.case = letter
        if letter in off and var.case == letter:
            var.case = ""
    if {"l", "u"} <= on:
        var.case = ""
    if "n" in on:
        if var.value and not isinstance(var.value, dict):
            check_name(str(var.value), _NO_TARGET)
        var.nameref = True
    if "n" in off:
        var.nameref = False
    var.traced = "t" not in off and (var.traced or "t" in on)


def declaration(ctx: Ctx, name: str) -> str | None:
    """Return ``declare -x name="value"`` as ``declare -p`` prints it; None if there is no such name."""
    held = ctx.vars.get(name)
    if held is None:
        return f"declare -x {name}" if name in ctx.exports else None
    head = f"declare -{attribute_letters(ctx, name) or '-'} {name}"
    if variables.is_array(held):
        if held.value is None:
            return head
        return f"{head}={array_text(held.refresh(ctx))}"
    value = held if isinstance(held, str) else (str(held.value) if held.nameref and held.value else held.get(ctx))
    return head if value is None else f"{head}={quote_assign(value)}"


def _write(ctx: Ctx, lines: list[str]) -> None:
    if lines:
        ctx.fds.get(1).write(encode("\n".join(lines) + "\n"))


def _print(ctx: Ctx, request: Request, args: list[str], who: str) -> int:
    status = 0
    lines = []
    if args:
        for name in args:
            line = declaration(ctx, name)
            if line is None:
                ctx.warn(f"{who}: {name}: not found")
                status = 1
            else:
                lines.append(line)
        _write(ctx, lines)
        return status
    wanted = request.on & set("aAinrxluc")
    for name in sorted(ctx.vars):
        line = declaration(ctx, name) or ""
        letters = line.split(" ", 2)[1]
        if all(letter in letters for letter in wanted):
            lines.append(line if request.on else line.split(" ", 2)[2])
    _write(ctx, lines)
    return 0


def _print_locals(ctx: Ctx, args: list[str]) -> int:
    frame = _function_frame(ctx)
    assert frame is not None
    status = 0
    lines = []
    for name in args or sorted(frame.saved):
        line = declaration(ctx, name)
        if line is not None:
            lines.append(line)
        elif args:
            ctx.warn(f"local: {name}: not found")
            status = 1
    _write(ctx, lines)
    return status


def _functions(ctx: Ctx, request: Request, args: list[str], who: str) -> int:
    status = 0
    if args and (request.on | request.off) & set("rtx") and "F" not in request.on:
        return _mark_functions(ctx, request, args, who)
    for name in args or sorted(ctx.functions):
        function = ctx.functions.get(name)
        if function is None:
            status = 1
            continue
        if "F" in request.on:
            text = f"{name} {function.line} {function.source}" if "extdebug" in ctx.shopts and args else name
            if not args:
                text = f"declare -f{_function_letters(ctx, name)} {name}"
            _write(ctx, [text])
        else:
            ctx.fds.get(1).write(encode(function_text(ctx, name)))
    return status
