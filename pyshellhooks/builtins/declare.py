"""``declare``, ``typeset``, ``local``, ``export``, ``readonly`` (bash; POSIX XCU 2.14 export, readonly)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..errors import ShellSyntaxError, UsageError
from ..expand.transform import array_text, attribute_letters
from ..interp.assign import AssignArgument, Element, set_array
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
    for at, word in enumerate(argv[1:], 1):
        if len(word) < 2 or word[0] not in signs:
            return request, argv[at:]
        if word == "--":
            return request, argv[at + 1 :]
        attributes = request.on if word[0] == "-" else request.off
        for letter in word[1:]:
            if letter not in allowed:
                raise UsageError(f"{word[0]}{letter}: invalid option", 2)
            attributes.add(letter)
    return request, []


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
    has_attributes = bool(request.on or request.off)
    if not args and not has_attributes:
        show_variables(ctx)
        return 0
    if "p" in request.on or not args:
        return _print(ctx, request, args, argv[0])
    is_in_function = _function_frame(ctx) is not None
    return apply(ctx, request, args, argv[0], local=is_in_function and "g" not in request.on)


def _function_frame(ctx: Ctx) -> Frame | None:
    frame = ctx.writable_frames(inner=True)
    if frame is None:
        return None
    return frame.enclosing()


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
    if not args:
        names = sorted(name for name in function.saved if declaration(ctx, name))
        return _print_named(ctx, names, "local")
    if "p" in request.on:
        return _print_named(ctx, args, "local")
    return apply(ctx, request, args, "local", local=True)


@builtin(
    "export", summary="Mark variables for the environment.", usage="[-fn] [name[=value] ...] or export -p", special=True
)
def export(ctx: Ctx, argv: list[str]) -> int:
    request, args = _parse(argv, "fnp", "-")
    if "n" in request.on:  # here it is not the nameref of ``declare -n``
        request.on.remove("n")
        request.off.add("x")
    else:
        request.on.add("x")
    return _mark(ctx, request, args, "export", ctx.exports, ctx.exported_functions)


def _mark(
    ctx: Ctx, request: Request, args: list[str], who: str, names: Iterable[str], functions: frozenset[str]
) -> int:
    """Run ``export`` or ``readonly``: mark variables, or functions with ``-f``; without operands list marked ones."""
    if "f" in request.on:
        if args:
            return _mark_functions(ctx, request, args, who)
        return _show_functions(ctx, functions)
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
    assignment = line.split(" ", 2)[2]
    if variables.is_array(binding):
        return f"{word} -{binding.kind} {assignment}"
    return f"{word} {assignment}"


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
            argument = _valid_argument(word, marks)
            if ctx.xtrace and marks:
                trace_assignment(ctx, word)
            _declare_one(ctx, request, argument, local)
        except ExpansionError as error:
            _report(ctx, error, who)
            status = 1
    return status


def _report(ctx: Ctx, error: ExpansionError, who: str) -> None:
    """Report an argument that failed. Raise the error again if it ends the command, as that of a bad expansion does."""
    ends = error.fatal or error.discards
    if ends and not error.assignment:
        error.report(ctx, "" if error.unnamed else f"{who}: ")
        raise error
    is_unnamed = error.unnamed
    if error.assignment and who in _MARKS:
        is_unnamed = True
    ctx.warn(error.message if is_unnamed else f"{who}: {error.message}")


class _Bare:
    """A name without a value."""

    __slots__ = ("name", "subscript")

    append = False
    value = None

    def __init__(self, name: str, subscript: str | None) -> None:
        self.name = name
        self.subscript = subscript


def _valid_argument(word: str, marks: bool) -> AssignArgument | _Bare:
    """Parse an argument. ``export`` and ``readonly`` (``marks``) take no elements."""
    argument = _argument(word)
    if argument is None:
        raise ExpansionError(f"`{word}': not a valid identifier")
    if marks and argument.subscript is not None:
        raise ExpansionError(f"`{word.partition('=')[0]}': not a valid identifier")
    return argument


def _argument(word: str) -> AssignArgument | _Bare | None:
    if isinstance(word, AssignArgument) and word.subscript is None:
        return word
    name, subscript, end = read_reference(word)
    # The expanded subscript may end elsewhere than the written one.
    if isinstance(word, AssignArgument) and word.subscript == subscript:
        return word
    if not name:
        return None
    rest = word[end:]
    if not rest:
        return None if subscript == "" else _Bare(name, subscript)
    if rest.startswith("+="):
        return AssignArgument.make(name, subscript, True, rest[2:])
    if rest.startswith("="):
        return AssignArgument.make(name, subscript, False, rest[1:])
    return None


def _declare_one(ctx: Ctx, request: Request, argument: AssignArgument | _Bare, local: bool) -> None:
    name = argument.name
    on, off = request.on, request.off
    if not local and "n" not in on | off:
        target, subscript = variables.find_target(ctx, name)
        if subscript is None:
            name = target
    if local:
        _begin_local(ctx, name, "I" in on or "localvar_inherit" in ctx.shopts)
    outer = None
    if "g" in on and not local:
        outer = _outermost_frame(ctx, name)
    if outer is None:
        _set(ctx, request, argument, name)
        return
    # ``-g`` sets the outermost binding, beneath all local ones.
    inner = ctx.vars.get(name)
    exported = name in ctx.exports
    outer.restore(ctx, name)
    try:
        _set(ctx, request, argument, name)
    finally:
        outer.keep(ctx, name)
        variables.restore_binding(ctx, name, inner, exported)


def _outermost_frame(ctx: Ctx, name: str) -> Frame | None:
    """Return the outermost call with a local variable of a name."""
    outermost = None
    for frame in outwards(ctx.writable_frames()):
        if name in frame.saved:
            outermost = frame
    return outermost


def _begin_local(ctx: Ctx, name: str, inherit: bool) -> None:
    """Make a variable local to the function, unless it is so already."""
    frame = _function_frame(ctx)
    assert frame is not None
    if name not in frame.saved:
        old = ctx.vars.get(name)
        if variables.is_readonly(old):
            raise ExpansionError(f"{name}: readonly variable")
        frame.keep(ctx, name)
        if not inherit:
            ctx.vars[name] = variables.Var(None, "s", ctx.owner)
        elif isinstance(old, variables.Var):
            ctx.vars[name] = old.copy(ctx.owner)
    frame.temporary = frame.temporary - {name}


def _set(ctx: Ctx, request: Request, argument: AssignArgument | _Bare, name: str) -> None:
    on, off, value = request.on, request.off, argument.value
    binding = ctx.vars.get(name)
    changes = value is not None or "n" in on or "r" in off
    if changes and variables.is_readonly(binding):
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
    if type(binding) is variables.Var and not binding.flags():
        if isinstance(binding.value, str):
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
    if value.startswith("(") and value.endswith(")"):  # ``declare -a "$v"`` with v='x=(1 2)'
        elements = _elements(ctx, f"{name}={value}", "A" in request.on)
        if elements is not None:
            set_array(ctx, name, elements, argument.append, "A" in request.on)
            return
    variables.set_element(ctx, name, "0" if binding.kind == "A" else 0, value, argument.append)


def _elements(ctx: Ctx, text: str, associative: bool) -> list[Element] | None:
    """Parse and expand an array's assignment that is known only at run time; None if it is not one."""
    try:
        parsed = parse_assignment(text, modes_of(ctx))
    except ShellSyntaxError as error:
        raise discarding(ctx, ExpansionError(error.diagnostic.message)) from None
    if parsed is None:
        return None
    from ..interp.assign import compile_argument

    value = compile_argument(parsed, associative)(ctx).value
    return value if isinstance(value, list) else None


def _prepare(ctx: Ctx, request: Request, name: str, *, array: bool) -> None:
    """Set a variable's attributes before its value."""
    on, off = request.on, request.off
    becomes_array = bool(on & {"a", "A"})
    if becomes_array or array or "n" in on:
        var = variables.writable_plain_variable(ctx, name)
    else:
        var = variables.writable_variable(ctx, name)
    if becomes_array or (array and var.kind == "s"):
        variables.make_array(ctx, name, "A" in on)
    if "n" in on and var.value and isinstance(var.value, str):
        check_name(var.value, _NO_TARGET)
    for letter, attribute in _ATTRIBUTES.items():
        if letter in on | off:
            setattr(var, attribute, letter not in off)
    for letter in "luc":
        if letter in on:
            var.case = letter
    if var.case in off or {"l", "u"} <= on:  # ``-l`` and ``-u`` together cancel each other (bash)
        var.case = ""


_ATTRIBUTES = {"i": "integer", "n": "nameref", "t": "traced"}


def declaration(ctx: Ctx, name: str) -> str | None:
    """Return ``declare -x name="value"`` as ``declare -p`` prints it, or None for an unset name."""
    binding = ctx.vars.get(name)
    if binding is None:
        if name not in ctx.exports:
            return None
        return f"declare -x {name}"  # exported, but not set
    head = f"declare -{attribute_letters(ctx, name) or '-'} {name}"
    if isinstance(binding, str):
        return f"{head}={quote_assign(binding)}"
    if variables.is_array(binding):
        if binding.value is None:
            return head
        return f"{head}={array_text(binding.refresh(ctx))}"
    if binding.nameref and binding.value:  # a nameref shows its target's name, not its value
        return f"{head}={quote_assign(str(binding.value))}"
    value = binding.get(ctx)
    if value is None:
        return head
    return f"{head}={quote_assign(value)}"


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
    only_names = "F" in request.on
    has_attributes = bool((request.on | request.off) & set("rtx"))
    if args and has_attributes and not only_names:
        return _mark_functions(ctx, request, args, who)
    names = [name for name in args or sorted(ctx.functions) if name in ctx.functions]
    for name in names:
        function = ctx.functions[name]
        if not only_names:
            write_out(ctx, function_text(ctx, name))
        elif not args:
            write_lines(ctx, [f"declare -f{_function_letters(ctx, name)} {name}"])
        elif "extdebug" in ctx.shopts:
            write_lines(ctx, [f"{name} {function.line} {function.source}"])
        else:
            write_lines(ctx, [name])
    return int(len(names) < len(args))
