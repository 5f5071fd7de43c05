"""Simple commands (POSIX XCU 2.9.1): words, then redirections, then assignments, then the command."""

from __future__ import annotations

from collections.abc import Callable

from ...expand import variables
from ...expand.failure import ExpansionError
from ...syntax import nodes as n
from ..assign import compile_argument, compile_assignment
from ..context import ExecutionContext as Ctx
from ..context import Frame
from ..invoke import invoke
from ..redirect import apply_redirects, compile_redirects, undo_redirects
from ..traps import attend, on_failure
from . import WORDS, Exec

Words = Callable[[Ctx], list[str]]


def compile_simple(node: n.Simple) -> Exec:
    """Compile a simple command."""
    if not node.words:
        return _compile_assignments(node)
    words = _compile_words(node.words)
    if not node.assigns and not node.redirects:
        return _compile_plain(words, node.line)
    return _compile_full(node, words)


def _compile_words(words: tuple[n.Word | n.Assign, ...]) -> Words:
    """Compile arguments; assignments among them stay what they are."""
    if not any(isinstance(w, n.Assign) for w in words):
        return WORDS.words(words)  # type: ignore[arg-type]
    plan: list[Words] = []
    for word in words:
        if isinstance(word, n.Assign):
            argument = compile_argument(word)
            plan.append(lambda ctx, argument=argument: [argument(ctx)])  # type: ignore[misc]
        else:
            plan.append(WORDS.words((word,)))

    def run(ctx: Ctx) -> list[str]:
        return [field for part in plan for field in part(ctx)]

    return run


def _compile_plain(words: Words, line: int) -> Exec:
    """A command without assignments and redirections: the hot path."""

    def run(ctx: Ctx) -> int:
        if ctx.task.stop is not None:
            attend(ctx)
        ctx.line = line
        ctx.substituted = None
        argv = words(ctx)
        if ctx.xtrace:
            _trace(ctx, argv)
        status = invoke(ctx, argv) if argv else (ctx.substituted or 0)
        ctx.status = status
        ctx.pipestatus = None
        if argv:
            ctx.last_argument = argv[-1]
        if status and not ctx.condition:
            on_failure(ctx, status)
        return status

    return run


def _trace(ctx: Ctx, argv: list[str]) -> None:
    from ..trace import trace_command

    trace_command(ctx, argv)


def _compile_assignments(node: n.Simple) -> Exec:
    """Assignments and redirections alone: they change the shell; the status is the last substitution's."""
    assigns = tuple(compile_assignment(a) for a in node.assigns)
    redirects = compile_redirects(node.redirects)
    line = node.line

    def assign(ctx: Ctx) -> int:
        if ctx.task.stop is not None:
            attend(ctx)
        ctx.line = line
        ctx.substituted = None
        for run in assigns:
            run(ctx)
        status = ctx.status = ctx.substituted or 0
        ctx.pipestatus = None
        if status and not ctx.condition:
            on_failure(ctx, status)
        return status

    if not redirects:
        return assign

    def both(ctx: Ctx) -> int:
        ctx.line = line
        ctx.substituted = None
        undo = apply_redirects(ctx, redirects)
        if undo is None:
            assign(ctx)  # bash makes the assignments all the same
            return _failed(ctx)
        try:
            return assign(ctx)
        finally:
            undo_redirects(ctx, undo)

    return both


def _failed(ctx: Ctx) -> int:
    ctx.status = 1
    ctx.pipestatus = None
    if not ctx.condition:
        on_failure(ctx, 1)
    return 1


def _compile_full(node: n.Simple, words: Words) -> Exec:
    """A command with assignments (for its time only) or redirections."""
    assigns = tuple(compile_assignment(a) for a in node.assigns)
    names = tuple(a.name for a in node.assigns)
    redirects = compile_redirects(node.redirects)
    line = node.line
    keeps = _keeps_redirections(node)

    def call(ctx: Ctx, argv: list[str]) -> int:
        if not argv:
            for run in assigns:
                run(ctx)
            return ctx.substituted or 0
        if not assigns:
            return invoke(ctx, argv)
        frame = bind_temporary(ctx, assigns, names)
        try:
            return invoke(ctx, argv, frame)
        finally:
            frame.restore_all(ctx)

    def run(ctx: Ctx) -> int:
        if ctx.task.stop is not None:
            attend(ctx)
        ctx.line = line
        ctx.substituted = None
        argv = words(ctx)
        if ctx.xtrace and argv:
            _trace(ctx, argv)
        undo = apply_redirects(ctx, redirects)
        if undo is None:
            return _failed(ctx)
        try:
            status = call(ctx, argv)
        finally:
            if keeps and argv == ["exec"]:
                _keep(undo)
            else:
                undo_redirects(ctx, undo)
        ctx.status = status
        ctx.pipestatus = None
        if argv:
            ctx.last_argument = argv[-1]
        if status and not ctx.condition:
            on_failure(ctx, status)
        return status

    return run


def _keeps_redirections(node: n.Simple) -> bool:
    first = node.words[0]
    return isinstance(first, n.Word)


def _keep(undo: list[tuple[int, object]]) -> None:
    """``exec`` without a command: the redirections stay, what they replaced is let go."""
    for _, old in undo:
        if old is not None:
            old.release()  # type: ignore[attr-defined]


def bind_temporary(ctx: Ctx, assigns: tuple[Callable[[Ctx], None], ...], names: tuple[str, ...]) -> Frame:
    """Make the assignments before a command: exported, and undone after it."""
    frame = Frame("", None, ctx.line, ctx.name, function=False)
    try:
        for run, name in zip(assigns, names, strict=True):
            frame.keep(ctx, name)
            held = ctx.vars.get(name)
            if isinstance(held, variables.Var) and not held.readonly and held.kind == "s" and not held.nameref:
                if type(held) is variables.Var:
                    ctx.vars[name] = held.copy(ctx.owner)
            try:
                run(ctx)
            except ExpansionError as error:
                if not isinstance(held, variables.Var) or not held.readonly:
                    raise
                ctx.warn(error.message)  # the command runs without it (bash)
                continue
            variables.export(ctx, name)
    except BaseException:
        frame.restore_all(ctx)
        raise
    frame.temporary = frozenset(names)
    return frame
