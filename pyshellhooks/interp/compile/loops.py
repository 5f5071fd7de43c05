"""Loops (POSIX XCU 2.9.4; bash ``for ((``, ``select``)."""

from __future__ import annotations

from collections.abc import Callable

from ...state import variables
from ...state.context import ExecutionContext as Ctx
from ...state.control import BreakLoop, ContinueLoop, ExitShell
from ...state.failure import ExpansionError
from ...state.references import check_name, is_name
from ...syntax import nodes as n
from ...syntax.printer import print_arithmetic
from ..jobs.traps import before_command, handle_stop, on_failure
from ..redirect import with_redirects
from ..trace import trace_text
from . import WORDS, Exec, compile_list
from .tests import fail_expression


def loop_status(flow: BreakLoop | ContinueLoop, ctx: Ctx) -> int:
    """Return the status that ``break`` or ``continue`` gives this loop; raise it again if it is for an outer loop."""
    # The outermost loop takes whatever is left: ``break 9`` ends all loops, however few there are (POSIX XCU break).
    if flow.levels > 1 and ctx.loops > 1:
        flow.levels -= 1
        raise flow
    return flow.status


def compile_while(node: n.While) -> Exec:
    """Compile ``while`` and ``until``."""
    condition, body = compile_list(node.condition), compile_list(node.body)
    until = node.until

    def run(ctx: Ctx) -> int:
        status = 0
        task = ctx.task
        ctx.loops += 1
        try:
            while True:
                if task.stop is not None:
                    handle_stop(ctx)
                try:
                    ctx.condition += 1  # errexit is off in the condition (POSIX XCU set -e)
                    try:
                        tested = condition(ctx)
                    finally:
                        ctx.condition -= 1
                    if (tested != 0) is not until:
                        break
                    status = body(ctx)
                except ContinueLoop as flow:
                    status = loop_status(flow, ctx)
                except BreakLoop as flow:
                    status = loop_status(flow, ctx)
                    break
        finally:
            ctx.loops -= 1
        ctx.status = status
        return status

    return with_redirects(node.redirects, run, node.line)


def _invalid(ctx: Ctx, name: str) -> int:
    ctx.warn(f"`{name}': not a valid identifier")
    if "posix" in ctx.shopts:
        raise ExitShell(2)
    ctx.status = 1
    on_failure(ctx, 1)
    return 1


def _loop_over(ctx: Ctx, items: list[str], node: n.For, body: Exec) -> int:
    """Run the body for each item and return the status of the loop."""
    status = 0
    task = ctx.task
    name, line = node.name, node.line
    ctx.loops += 1
    try:
        for item in items:
            if task.stop is not None:
                handle_stop(ctx)
            if ctx.debugging:
                ctx.line = line
                before_command(ctx, _header(node))
            if ctx.xtrace:
                trace_text(ctx, _header(node))
            binding = ctx.vars.get(name)
            is_plain = binding.__class__ is str or binding is None
            if is_plain and not ctx.allexport:
                ctx.vars[name] = item
            elif not _bind(ctx, name, binding, item, line):
                status = 1
                break
            try:
                status = body(ctx)
            except ContinueLoop as flow:
                status = loop_status(flow, ctx)
            except BreakLoop as flow:
                status = loop_status(flow, ctx)
                break
    finally:
        ctx.loops -= 1
    ctx.status = status
    return status


def _header(node: n.For | n.Select) -> str:
    from ...syntax.printer import print_word

    word = "for" if isinstance(node, n.For) else "select"
    items = " ".join(map(print_word, node.words)) if node.words is not None else '"$@"'
    return f"{word} {node.name} in {items}"


def _bind(ctx: Ctx, name: str, binding: variables.Binding, item: str, line: int) -> bool:
    """Set the variable of a loop; a readonly one ends the loop, not the command (bash)."""
    try:
        if variables.is_nameref(binding):
            # A loop variable that is a nameref refers to each item in turn (bash).
            check_name(item)
            variables.writable_variable(ctx, name).value = item
        else:
            variables.assign(ctx, name, item)
    except ExpansionError as error:
        if error.fatal:
            raise
        ctx.line = line
        ctx.warn(error.message)
        if ctx.errexit:  # even if the loop's status is tested: bash exits right after the message
            raise ExitShell(1) from None
        return False
    return True


def compile_for(node: n.For) -> Exec:
    """Compile ``for name in words``."""
    body = compile_list(node.body)
    words = WORDS.words(node.words) if node.words is not None else None
    name, line = node.name, node.line
    valid = is_name(name)

    def run(ctx: Ctx) -> int:
        ctx.line = line
        if not valid:
            return _invalid(ctx, name)
        items = list(ctx.args) if words is None else words(ctx)  # a copy: the body may ``shift``
        return _loop_over(ctx, items, node, body)

    return with_redirects(node.redirects, run, node.line)


def _arith_part(expression: n.Arithmetic | None) -> tuple[Callable[[Ctx], int], Callable[[Ctx], None]]:
    """Compile a part of ``for ((…))``, and its announcement to ``set -x`` and the DEBUG trap; "" is 1 (bash)."""
    if expression is None:
        shown = "1"
        text: Callable[[Ctx], str] = lambda ctx: "1"  # noqa: E731
        value: Callable[[Ctx], int] = lambda ctx: 1  # noqa: E731
    else:
        shown = print_arithmetic(expression)
        text, value = WORDS.string(expression.text), WORDS.arith.arithmetic(expression)

    def announce(ctx: Ctx) -> None:
        if ctx.debugging:
            before_command(ctx, f"(({shown}))")
        if ctx.xtrace:
            trace_text(ctx, f"(( {text(ctx).lstrip()} ))")

    return value, announce


def compile_for_arith(node: n.ForArith) -> Exec:
    """Compile ``for ((a; b; c))``."""
    body, line = compile_list(node.body), node.line
    (init, see_init), (condition, see_condition), (step, see_step) = map(
        _arith_part, (node.init, node.condition, node.step)
    )

    def run(ctx: Ctx) -> int:
        status = 0
        task = ctx.task
        ctx.line = line
        ctx.loops += 1
        inside = False
        try:
            see_init(ctx)
            init(ctx)
            while True:
                if ctx.xtrace or ctx.debugging:
                    see_condition(ctx)
                if not condition(ctx):
                    break
                ctx.line = line
                if task.stop is not None:
                    handle_stop(ctx)
                inside = True
                try:
                    status = body(ctx)
                except ContinueLoop as flow:
                    status = loop_status(flow, ctx)
                except BreakLoop as flow:
                    status = loop_status(flow, ctx)
                    break
                inside = False
                ctx.line = line
                if ctx.xtrace or ctx.debugging:
                    see_step(ctx)
                step(ctx)
        except ExpansionError as error:
            if inside:
                raise
            fail_expression(ctx, error)
            status = 1
        finally:
            ctx.loops -= 1
        ctx.status = status
        return status

    return with_redirects(node.redirects, run, node.line)


def compile_select(node: n.Select) -> Exec:
    """Compile ``select name in words``: menu on stderr, choice from stdin."""
    body = compile_list(node.body)
    words = WORDS.words(node.words) if node.words is not None else None
    name = node.name
    valid = is_name(name)
    line = node.line

    def run(ctx: Ctx) -> int:
        from ..menu import choices

        ctx.line = line
        if ctx.debugging:
            before_command(ctx, _header(node))

        if not valid:
            return _invalid(ctx, name)
        items = list(ctx.args) if words is None else words(ctx)
        status = 0
        ctx.loops += 1
        try:
            for chosen in choices(ctx, items):
                if ctx.task.stop is not None:
                    handle_stop(ctx)
                variables.assign(ctx, name, chosen)
                try:
                    status = body(ctx)
                except ContinueLoop as flow:
                    loop_status(flow, ctx)
                except BreakLoop as flow:
                    status = loop_status(flow, ctx)
                    break
            else:
                status = 1
        finally:
            ctx.loops -= 1
        ctx.status = status
        return status

    return with_redirects(node.redirects, run, node.line)
