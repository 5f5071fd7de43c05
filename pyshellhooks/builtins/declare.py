"""``declare``, ``typeset``, ``local``, ``export``, ``readonly`` (bash; POSIX XCU 2.14 export, readonly)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..errors import ShellSyntaxError, UsageError
from ..expand.transform import array_text, attribute_letters
from ..interp.assign import AssignArgument, set_array
from ..interp.builtin import builtin, each, write_lines, write_out
from ..interp.compile.units import modes_of
from ..interp.trace import trace_assignment
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.context import Frame, outwards
from ..state.failure import ExpansionError, discarding
from ..state.references import check_name, read_reference
from ..syntax.parser import parse_assignment
from ..syntax.quote import quote_assign
from .set import function_text, show_variables

_USAGE = "[-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]"
_NO_TARGET = (
    "invalid variable name for name reference"  # of ``declare -n`` alone: an assignment has another message (bash 5.2)
)

_MARKS = ("export", "readonly")


class Request:
    """The flags of one call: attributes to set (``-``) and to remove (``+``)."""

    __slots__ = ("off", "on")

    def __init__(self) -> None:
        self.on: set[str] = set()
        self.off: set[str] = set()


def _parse(argv: list[str], allowed: str, signs: str = "-+") -> tuple[Request, list[str]]:
    request = Request()
    args = argv[1:]
    while args and len(args[0]) > 1 and args[0][0] in signs:
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
        if wrong := sorted(request.on & {"i", "n"}):
            raise UsageError(f"-{wrong[-1]}: invalid option", 1, hint=False)
        return _functions(ctx, request, args, argv[0])
    if not args and not request.on and not request.off:
        show_variables(ctx)
        return 0
    if "p" in request.on or not args:
        return _print(ctx, request, args, argv[0])
    local = _function_frame(ctx) is not None and "g" not in request.on
    return apply(ctx, request, args, argv[0], local=local)


def _function_frame(ctx: Ctx) -> Frame | None:
    frame = ctx.writable_frames(inner=True)
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
        return _print_named(ctx, args or sorted(name for name in function.saved if declaration(ctx, name)), "local")
    return apply(ctx, request, args, "local", local=True)


@builtin(
    "export", summary="Mark variables for the environment.", usage="[-fn] [name[=value] ...] or export -p", special=True
)
def export(ctx: Ctx, argv: list[str]) -> int:
    request, args = _parse(argv, "fnp", "-")
    (request.off if "n" in request.on else request.on).add("x")
    request.on.discard("n")
    return _mark(ctx, request, args, "export", ctx.exports, ctx.exported_functions)


def _mark(
    ctx: Ctx, request: Request, args: list[str], who: str, names: Iterable[str], functions: frozenset[str]
) -> int:
    """Run ``export`` or ``readonly``: mark variables, or functions with ``-f``; without operands list marked ones."""
    if "f" in request.on:
        return _mark_functions(ctx, request, args, who) if args else _show_functions(ctx, functions)
    if args:
        return apply(ctx, request, args, who, local=False)
    write_lines(ctx, (_marked_line(ctx, who, name) for name in sorted(names)))
    return 0


def _mark_functions(ctx: Ctx, request: Request, names: list[str], who: str) -> int:
    """Run ``declare -fr`` or ``-fx``: set attributes without output.

    Child shells get an exported function (``export -f``).
    """
    functions = ctx.functions.keys() & names
    if "x" in request.off:
        ctx.exported_functions -= functions
    if "x" in request.on:
        ctx.exported_functions |= functions
    if "r" in request.on:
        ctx.readonly_functions |= functions
    missing = [name for name in names if name not in functions]
    if who in _MARKS:
        for name in missing:
            ctx.warn(f"{who}: {name}: not a function")
    return int(bool(missing))


def _function_letters(ctx: Ctx, name: str) -> str:
    return "r" * (name in ctx.readonly_functions) + "x" * (name in ctx.exported_functions)


def _show_functions(ctx: Ctx, names: frozenset[str]) -> int:
    for name in sorted(names & ctx.functions.keys()):
        write_lines(ctx, [f"{function_text(ctx, name)}declare -f{_function_letters(ctx, name)} {name}"])
    return 0


def _marked_line(ctx: Ctx, word: str, name: str) -> str:
    """Return a line of ``export -p`` or ``readonly -p``, which in posix mode begins with that word."""
    line = declaration(ctx, name) or f"declare -x {name}"
    if "posix" not in ctx.shopts:
        return line
    binding = ctx.vars.get(name)
    kind = f"-{binding.kind} " if variables.is_array(binding) else ""
    return f"{word} {kind}{line.split(' ', 2)[2]}"


@builtin(
    "readonly",
    summary="Mark variables as unchangeable.",
    usage="[-aAf] [name[=value] ...] or readonly -p",
    special=True,
)
def readonly(ctx: Ctx, argv: list[str]) -> int:
    request, args = _parse(argv, "aAfp", "-")
    request.on.add("r")
    names = (name for name, binding in ctx.vars.items() if variables.is_readonly(binding))
    return _mark(ctx, request, args, "readonly", names, ctx.readonly_functions)


def apply(ctx: Ctx, request: Request, args: list[str], who: str, *, local: bool) -> int:
    """Declare each argument."""
    status = 0
    marks = who in _MARKS
    for word in args:
        ctx.task.check()
        try:
            argument = _argument(word)
            if argument is None or (argument.subscript is not None and marks):
                shown = word if argument is None and "=" in word else word.partition("=")[0]
                raise ExpansionError(f"`{shown}': not a valid identifier")
            if ctx.xtrace and marks:
                trace_assignment(ctx, word)
            _declare_one(ctx, request, argument, local)
        except ExpansionError as error:
            if (error.fatal or error.discards) and not error.assignment:
                error.report(ctx, "" if error.unnamed else f"{who}: ")
                raise
            unnamed = error.unnamed or (error.assignment and marks)
            ctx.warn(error.message if unnamed else f"{who}: {error.message}")
            status = 1
    return status


class _Bare:
    """A name without a value."""

    __slots__ = ("name", "subscript")

    append = False
    value = None

    def __init__(self, name: str, subscript: str | None) -> None:
        self.name = name
        self.subscript = subscript


def _argument(word: str) -> AssignArgument | _Bare | None:
    if isinstance(word, AssignArgument) and (word.subscript is None or read_reference(word)[1] == word.subscript):
        return word  # else the expanded subscript ends elsewhere than the written one
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


def _declare_one(ctx: Ctx, request: Request, argument: AssignArgument | _Bare, local: bool) -> None:
    name = argument.name
    on, off = request.on, request.off
    if not local and "n" not in on | off:
        target, subscript = variables.find_target(ctx, name)
        if subscript is None:
            name = target
    if local:
        frame = _function_frame(ctx)
        assert frame is not None
        if name not in frame.saved:
            old = ctx.vars.get(name)
            if variables.is_readonly(old):
                raise ExpansionError(f"{name}: readonly variable")
            frame.keep(ctx, name)
            _make_local(ctx, name, old, "I" in on or "localvar_inherit" in ctx.shopts)
        frame.temporary = frame.temporary - {name}
    frames = (
        [frame for frame in outwards(ctx.writable_frames()) if name in frame.saved] if "g" in on and not local else []
    )
    if not frames:
        _set(ctx, request, argument, name)
        return
    # ``-g`` sets the outermost binding, beneath all local ones.
    inner, outer = ctx.vars.get(name), frames[-1]
    exported = name in ctx.exports
    outer.restore(ctx, name)
    try:
        _set(ctx, request, argument, name)
    finally:
        outer.keep(ctx, name)
        variables.restore_binding(ctx, name, inner, exported)


def _make_local(ctx: Ctx, name: str, old: str | variables.Var | None, inherit: bool) -> None:
    if inherit:
        if isinstance(old, variables.Var):
            ctx.vars[name] = old.copy(ctx.owner)
        return
    ctx.vars[name] = variables.Var(None, "s", ctx.owner)


def _set(ctx: Ctx, request: Request, argument: AssignArgument | _Bare, name: str) -> None:
    on, off, value = request.on, request.off, argument.value
    binding = ctx.vars.get(name)
    if variables.is_readonly(binding) and (value is not None or "n" in on or "r" in off):
        raise variables.readonly_error(ctx, name)
    if "n" in on:
        _refer(ctx, argument, name, binding)
    if isinstance(value, list):
        _prepare(ctx, request, name, array=True)
        set_array(ctx, name, value, argument.append, "A" in on)
    else:
        _prepare(ctx, request, name, array=argument.subscript is not None and value is None)
        if isinstance(argument, AssignArgument):
            _assign_text(ctx, request, argument, name)
    if "r" in on:
        variables.writable_variable(ctx, name).readonly = True
    if "x" in on:
        variables.export(ctx, name)
    if "x" in off:
        variables.unexport(ctx, name)
    binding = ctx.vars.get(name)
    if type(binding) is variables.Var and isinstance(binding.value, str) and not binding.flags():
        ctx.vars[name] = binding.value  # no attribute is left: back to the plain form


def _refer(ctx: Ctx, argument: AssignArgument | _Bare, name: str, binding: str | variables.Var | None) -> None:
    """Check the target of a nameref before any change; a new target replaces an old value."""
    if argument.subscript is not None or variables.is_array(binding):
        index = "" if argument.subscript is None else f"[{argument.subscript}]"
        raise ExpansionError(f"{name}{index}: reference variable cannot be an array")
    if not isinstance(argument.value, str):
        return
    if argument.value == name:
        raise ExpansionError(f"{name}: nameref variable self references not allowed")
    if not argument.value:
        raise ExpansionError("`': not a valid identifier")
    check_name(argument.value, _NO_TARGET)
    var = variables.writable_plain_variable(ctx, name)
    var.value = argument.value
    var.integer, var.case = False, ""


def _assign_text(ctx: Ctx, request: Request, argument: AssignArgument, name: str) -> None:
    value = str(argument.value)
    binding = ctx.vars.get(name)
    if argument.subscript is not None:
        try:
            variables.assign_element(ctx, name, argument.subscript, value, argument.append)
        except ExpansionError as error:
            error.unnamed = not error.assignment
            raise
        return
    if "n" in request.on:
        return  # ``_refer`` has set it
    if not variables.is_array(binding):
        variables.assign(ctx, name, value, argument.append)
        return
    if value.startswith("(") and value.endswith(")"):
        try:
            parsed = parse_assignment(f"{name}={value}", modes_of(ctx))
        except ShellSyntaxError as error:
            raise discarding(ctx, ExpansionError(error.diagnostic.message)) from None
        if parsed is not None:
            from ..interp.assign import compile_argument

            built = compile_argument(parsed, "A" in request.on)(ctx)
            if isinstance(built.value, list):
                set_array(ctx, name, built.value, argument.append, "A" in request.on)
                return
    variables.set_element(ctx, name, "0" if binding.kind == "A" else 0, value, argument.append)


def _prepare(ctx: Ctx, request: Request, name: str, *, array: bool) -> None:
    """Set a variable's attributes before its value."""
    on, off = request.on, request.off
    var = (
        variables.writable_plain_variable(ctx, name)
        if on & {"a", "A", "n"} or array
        else variables.writable_variable(ctx, name)
    )
    if on & {"a", "A"} or (array and var.kind == "s"):
        variables.make_array(ctx, name, "A" in on)
    if "n" in on and var.value and isinstance(var.value, str):
        check_name(var.value, _NO_TARGET)
    for letter, attribute in _ATTRIBUTES.items():
        if letter in on | off:
            setattr(var, attribute, letter not in off)
    for letter in "luc":
        if letter in on:
            var.case = letter
    if var.case in off or {"l", "u"} <= on:
        var.case = ""


_ATTRIBUTES = {"i": "integer", "n": "nameref", "t": "traced"}


def declaration(ctx: Ctx, name: str) -> str | None:
    """Return ``declare -x name="value"`` as ``declare -p`` prints it, or None for an unset name."""
    binding = ctx.vars.get(name)
    if binding is None:
        return f"declare -x {name}" if name in ctx.exports else None
    head = f"declare -{attribute_letters(ctx, name) or '-'} {name}"
    if variables.is_array(binding):
        if binding.value is None:
            return head
        return f"{head}={array_text(binding.refresh(ctx))}"
    value = (
        binding
        if isinstance(binding, str)
        else (str(binding.value) if binding.nameref and binding.value else binding.get(ctx))
    )
    return head if value is None else f"{head}={quote_assign(value)}"


def _print(ctx: Ctx, request: Request, args: list[str], who: str) -> int:
    if args:
        return _print_named(ctx, args, who)
    write_lines(ctx, _declared(ctx, request))
    return 0


def _declared(ctx: Ctx, request: Request) -> Iterator[str]:
    wanted = request.on & set("aAinrxluc")
    for name in sorted(ctx.vars):
        line = declaration(ctx, name) or ""
        _, letters, text = line.split(" ", 2)
        if wanted <= set(letters):
            yield line if request.on else text


def _print_named(ctx: Ctx, names: list[str], who: str) -> int:
    def handle_operand(name: str) -> None:
        line = declaration(ctx, name)
        if line is None:
            raise UsageError(f"{name}: not found")
        write_lines(ctx, [line])

    return each(ctx, who, names, handle_operand)


def _functions(ctx: Ctx, request: Request, args: list[str], who: str) -> int:
    if args and (request.on | request.off) & set("rtx") and "F" not in request.on:
        return _mark_functions(ctx, request, args, who)
    names = [name for name in args or sorted(ctx.functions) if name in ctx.functions]
    for name in names:
        function = ctx.functions[name]
        if "F" not in request.on:
            write_out(ctx, function_text(ctx, name))
        elif not args:
            write_lines(ctx, [f"declare -f{_function_letters(ctx, name)} {name}"])
        else:
            place = f" {function.line} {function.source}" if "extdebug" in ctx.shopts else ""
            write_lines(ctx, [name + place])
    return int(len(names) < len(args))
