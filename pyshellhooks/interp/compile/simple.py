"""Simple commands (POSIX XCU 2.9.1): words, then redirections, then assignments, then the command."""

from __future__ import annotations

from collections.abc import Callable

from ...errors import Stop
from ...expand.braces import count_words, expand_braces
from ...state import variables
from ...state.context import ExecutionContext as Ctx
from ...state.context import Frame
from ...state.control import ExitShell
from ...state.failure import ExpansionError
from ...syntax import nodes as n
from ...syntax.printer import print_word
from ...text import paced
from ..assign import compile_argument, compile_assignment
from ..builtin import BUILTINS, FAILURES, Builtin, failed
from ..invoke import invoke, is_special
from ..jobs.traps import before_command, handle_stop, on_failure
from ..redirect import apply_redirects, compile_redirects, in_child, keep_redirects, undo_redirects
from ..substitution import has_process_substitution, releasing
from . import WORDS, Exec

_MAX_ARGUMENTS = 1000  # that the braces of one assignment may expand to
_MAX_TEXT = 1 << 20  # characters of these arguments
Words = Callable[[Ctx], list[str]]


def compile_simple(node: n.Simple, *, fuses: bool = True) -> Exec:
    """Compile a simple command. ``fuses``: try the fused run first (fused.py)."""
    run = _compile(node)
    if fuses and node.redirects:
        from .fused import fuse_simple

        run = fuse_simple(node, run)
    parts = (*node.words, *(r.target for r in node.redirects), *(a.value for a in node.assigns))
    return releasing(run) if has_process_substitution(parts) else run


def _compile(node: n.Simple) -> Exec:
    if not node.words:
        return _compile_assignments(node)
    words = _compile_words(_declared(node.words))
    if node.assigns or node.redirects:
        return one_command(node, _compile_full(node, words))
    first = node.words[0]
    name = first.literal() if isinstance(first, n.Word) else None
    if name is not None:
        command = BUILTINS.get(name)
        if command is not None:
            return one_command(node, _compile_builtin(words, command))
    return one_command(node, _compile_plain(words))


def _declared(words: tuple[n.Word | n.Assign, ...]) -> tuple[n.Word | n.Assign, ...]:
    """Turn assignments behind ``builtin`` or ``command`` into ordinary words, which are split (bash 5.2)."""
    first = words[0]
    if isinstance(first, n.Assign) or first.literal() not in ("builtin", "command"):
        return words
    return tuple(_as_word(word) for word in words)


def _as_word(node: n.Word | n.Assign) -> n.Word | n.Assign:
    """Return an assignment of a string as the word that it was written as; other words and array literals as is."""
    if not isinstance(node, n.Assign) or not isinstance(node.value, n.Word):
        return node
    index: tuple[n.WordPart, ...] = ()
    if node.index is not None:
        index = (n.Literal("[", node.pos, node.pos), *node.index.word.parts, n.Literal("]", node.pos, node.pos))
    name = n.Literal(node.name, node.pos, node.pos)
    equals = n.Literal("+=" if node.append else "=", node.pos, node.pos)
    return n.Word((name, *index, equals, *node.value.parts), node.pos, node.end)


def _compile_words(words: tuple[n.Word | n.Assign, ...]) -> Words:
    """Compile arguments. Assignments among them expand to ``AssignArgument``s."""
    if not any(isinstance(w, n.Assign) for w in words):
        return WORDS.words(words)  # type: ignore[arg-type]
    plan: list[Words] = []
    associative = False
    for word in words:
        if isinstance(word, n.Assign):
            plan.append(_arguments(word, associative))
        else:
            option = word.literal() or ""
            if option.startswith("-") and "A" in option:
                associative = True
            plan.append(WORDS.words((word,)))

    def run(ctx: Ctx) -> list[str]:
        return [field for part in plan for field in part(ctx)]

    return run


def _arguments(node: n.Assign, associative: bool) -> Words:
    """Compile ``k=value`` among arguments. bash expands its braces first: ``k={a,b}`` is ``k=a k=b``."""
    whole = compile_argument(node, associative)
    value = node.value
    if not isinstance(value, n.Word):
        return lambda ctx: [whole(ctx)]
    count = count_words(value)
    if not 1 < count <= _MAX_ARGUMENTS:
        return lambda ctx: [whole(ctx)]
    if count * (value.end - value.pos) > _MAX_TEXT:
        raise Stop("limit", f"a brace expansion in an assignment makes more than {_MAX_TEXT} characters")
    parts = [
        compile_argument(n.Assign(node.name, node.index, node.append, each, node.pos, node.end))
        for each in expand_braces(value)
    ]

    def run(ctx: Ctx) -> list[str]:
        if "braceexpand" in ctx.shopts:
            return [part(ctx) for part in parts]
        return [whole(ctx)]

    return run


def one_command(node: n.Simple | n.TestCommand | n.ArithCommand, body: Exec) -> Exec:
    """Wrap a body in the steps of every command: signals and traps, the current line, ``$?``, ERR and ``set -e``."""
    line = node.line

    def run(ctx: Ctx) -> int:
        if ctx.task.stop is not None:
            handle_stop(ctx)
        ctx.line = line
        ctx.command = node
        if ctx.debugging:
            before_command(ctx, node)
        ctx.substituted = None
        status = ctx.status = ctx.pipestatus = body(ctx)
        if status:
            on_failure(ctx, status)
        return status

    return run


def _compile_plain(words: Words) -> Exec:
    """Compile a command without assignments and redirections: the hot path."""

    def run(ctx: Ctx) -> int:
        argv = words(ctx)
        if not argv:  # the words expanded to nothing: the status is the last substitution's (POSIX XCU 2.9.1)
            return ctx.substituted or 0
        if ctx.xtrace:
            _trace(ctx, argv)
        status = invoke(ctx, argv)
        ctx.last_argument = argv[-1]
        return status

    return run


def _compile_builtin(words: Words, command: Builtin) -> Exec:
    """Compile a plain command whose name is a builtin's. At run time a function of that name takes precedence."""
    name, builtin = command.name, command.run

    def run(ctx: Ctx) -> int:
        argv = words(ctx)
        if ctx.xtrace:
            _trace(ctx, argv)
        if name in ctx.functions or ctx.disabled_builtins:
            status = invoke(ctx, argv)
        else:
            try:
                status = builtin(ctx, argv)
            except FAILURES as error:
                status = failed(ctx, command, argv, error)
        ctx.last_argument = argv[-1]
        return status

    return run


def _trace(ctx: Ctx, argv: list[str]) -> None:
    from ..trace import trace_command

    trace_command(ctx, argv)


def _compile_assignments(node: n.Simple) -> Exec:
    """Compile assignments and redirections without words: they change the shell. Status: the last substitution's."""
    assigns = tuple(compile_assignment(a) for a in paced(node.assigns))

    def assign(ctx: Ctx) -> int:
        for run in assigns:
            run(ctx)
        ctx.last_argument = ""
        return ctx.substituted or 0

    command = one_command(node, assign)
    if not node.redirects:
        return command

    redirects, forks = compile_redirects(node.redirects), in_child(node.redirects)

    def both(ctx: Ctx) -> int:
        # The assignments come first, as in bash: a redirection does not apply to the substitutions in them.
        ctx.substituted = command(ctx)
        undo = apply_redirects(ctx, redirects, external=forks)
        if undo is None:
            return _failed(ctx)
        undo_redirects(ctx, undo)
        ctx.status = ctx.substituted
        return ctx.status

    return both


def _failed(ctx: Ctx) -> int:
    status = ctx.pipestatus = ctx.status
    on_failure(ctx, status)
    return status


_MARKERS = ("export", "readonly", "declare", "typeset")


def _settle(ctx: Ctx, frame: Frame, argv: list[str]) -> None:
    """Keep assignments before a special builtin in posix mode, and those of ``x=1 export x`` always (bash)."""
    if "posix" in ctx.shopts and is_special(argv[0]):
        # POSIX XCU 2.14; variables that the builtin has unset are restored.
        frame.saved = {name: old for name, old in frame.saved.items() if name not in ctx.vars}
    if argv[0] not in _MARKERS:
        return
    # ``export`` and ``readonly`` mark variables by themselves, ``declare`` and ``typeset`` only with -x or -r.
    if argv[0] in ("declare", "typeset") and not any(map(_is_marking_option, argv[1:])):
        return
    for word in argv[1:]:
        frame.saved.pop(word.partition("=")[0], None)


def _is_marking_option(word: str) -> bool:
    return word[:1] == "-" and ("x" in word or "r" in word)


def _compile_full(node: n.Simple, words: Words) -> Exec:
    """Compile a command with redirections, or with assignments that last as long as the command."""
    assigns = tuple(compile_assignment(a) for a in paced(node.assigns))
    bindings = tuple(compile_binding(a) for a in paced(node.assigns))
    redirects = compile_redirects(node.redirects)
    forks = in_child(node.redirects)

    def call(ctx: Ctx, argv: list[str], frame: Frame | None, aside: Values) -> int:
        if not argv:
            for run in assigns:
                run(ctx)
            return ctx.substituted or 0
        if frame is None:
            return invoke(ctx, argv)
        if aside:
            _redo_bindings(ctx, frame, aside)
        try:
            status = invoke(ctx, argv, frame)
            _settle(ctx, frame, argv)
            return status
        finally:
            frame.restore_all(ctx)

    def run(ctx: Ctx) -> int:
        argv = words(ctx)
        # bash evaluates the assignments before the redirections, which do not see them (its manual differs).
        frame, aside = None, _NOTHING
        if bindings and argv:
            frame = bind_temporary(ctx, bindings)
            if redirects:
                aside = _undo_bindings(ctx, frame)
        if ctx.xtrace and argv:
            _trace(ctx, argv)
        if argv:
            external = argv[0] not in ctx.functions and argv[0] not in BUILTINS
        else:
            external = forks
        undo = apply_redirects(ctx, redirects, external=external)
        if undo is None:
            if argv and "posix" in ctx.shopts and is_special(argv[0]):
                raise ExitShell(1)  # POSIX XCU 2.8.1
            return ctx.status
        try:
            status = call(ctx, argv, frame, aside)
        except ExpansionError as error:
            error.report(ctx)
            raise
        finally:
            if argv in (["exec"], ["exec", "--"]):
                keep_redirects(undo)  # ``exec`` without a command
            else:
                undo_redirects(ctx, undo)
        if argv:
            ctx.last_argument = argv[-1]
        return status

    return run


Values = dict[str, tuple[str | variables.Var | None, bool]]
_NOTHING: Values = {}


def _undo_bindings(ctx: Ctx, frame: Frame) -> Values:
    """Undo the bindings of a frame; return their values, and whether each was exported."""
    values = {name: (ctx.vars.get(name), name in ctx.exports) for name in frame.saved}
    frame.restore_all(ctx)
    return values


def _redo_bindings(ctx: Ctx, frame: Frame, values: Values) -> None:
    """Restore the bindings that ``_undo_bindings`` returned."""
    for name, (value, exported) in values.items():
        frame.keep(ctx, name)
        variables.restore_binding(ctx, name, value, exported)


Binding = tuple[str, bool, Callable[[Ctx], None]]


def compile_binding(node: n.Assign) -> Binding:
    """Compile an assignment before a command. An environment has no arrays: bash assigns the literal's text."""
    if node.index is not None:
        name = f"{node.name}[{print_word(node.index.word)}]"

        def refuse(ctx: Ctx) -> None:
            ctx.warn(f"`{name}': not a valid identifier")

        return "", False, refuse
    if isinstance(node.value, n.ArrayLiteral):
        from ...syntax.printer.commands import CommandPrinter

        text = CommandPrinter()._assign(node).partition("=")[2]
        word = n.Word((n.Quoted(text, "'", node.pos, node.end),), node.pos, node.end)
        node = n.Assign(node.name, None, node.append, word, node.pos, node.end)
    return node.name, node.append, compile_assignment(node)


def bind_temporary(ctx: Ctx, bindings: tuple[Binding, ...]) -> Frame:
    """Make and export the assignments before a command; return the frame that undoes them."""
    frame = Frame("", None, ctx.line, ctx.name, function=False)
    try:
        for name, append, run in bindings:
            if not name:
                run(ctx)
                continue
            frame.keep(ctx, name)
            binding = ctx.vars.get(name)
            if variables.is_nameref(binding):
                name, subscript = variables.find_target(ctx, name)
                if subscript is None:
                    frame.keep(ctx, name)
                binding = ctx.vars.get(name)
            if isinstance(binding, variables.Var) and not binding.readonly and not binding.nameref:
                # In bash this is a new variable without attributes; only += and special variables need the old one.
                needs_old = append or type(binding) is not variables.Var
                if needs_old and binding.kind == "s":
                    ctx.vars[name] = binding.copy(ctx.owner)
                else:
                    del ctx.vars[name]
            try:
                run(ctx)
            except ExpansionError as error:
                if not error.assignment or error.fatal:
                    raise
                ctx.warn(error.message)
                if ctx.errexit:
                    raise ExitShell(1) from None  # even if the command's status is tested (bash)
                continue  # the command runs without it
            variables.export(ctx, name)
    except BaseException:
        frame.restore_all(ctx)
        raise
    frame.temporary = frozenset(name for name, _, _ in bindings)
    return frame
