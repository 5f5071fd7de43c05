"""Calling functions (POSIX XCU 2.9.5), and evaluation that nests deeper than Python's stack."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

from ..errors import Stop
from ..state import variables
from ..state.context import ExecutionContext as Ctx
from ..state.context import Frame, FunctionDefinition, outwards
from ..state.control import ReturnFrom
from ..state.failure import ExpansionError
from .jobs.traps import hide_for_function, on_return, show_after_function


def call_function(ctx: Ctx, function: FunctionDefinition, argv: list[str], temporary: Frame | None = None) -> int:
    """Run a function's body with its own arguments and locals."""
    if "FUNCNEST" in ctx.vars:
        _check_nesting(ctx, function.name)
    frame = Frame(function.name, ctx.frame, ctx.line, function.source, owner=ctx.owner)
    if temporary is not None:
        # The assignments before the call last as long as the call, as its locals.
        frame.saved, temporary.saved = temporary.saved, {}
        frame.temporary = temporary.temporary
    saved_args, saved_loops, saved_name = ctx.args, ctx.loops, ctx.name
    ctx.args = argv[1:]
    ctx.loops = 0  # ``break`` in a function does not end a loop of its caller (bash)
    ctx.frame = frame
    ctx.depth += 1
    if function.source != saved_name and function.source:
        ctx.name = function.source  # messages name the file that defines the function
    hidden = hide_for_function(ctx) if ctx.traps else None
    try:
        try:
            status = nested(ctx, function.body)
        except ReturnFrom as flow:
            status = flow.status
        if ctx.traps:
            on_return(ctx)
        return status
    finally:
        if hidden:
            show_after_function(ctx, hidden)
        ctx.line = frame.line
        ctx.depth -= 1
        ctx.frame = frame.parent
        ctx.args = saved_args
        ctx.loops = saved_loops
        ctx.name = saved_name
        if frame.options is not None:
            frame.restore_options(ctx)
        if frame.saved:
            frame.restore_all(ctx)


def _check_nesting(ctx: Ctx, name: str) -> None:
    """Raise ExpansionError, which drops the complete command, if function calls nest deeper than ``FUNCNEST``."""
    text = variables.get(ctx, "FUNCNEST") or ""
    if not text.isdecimal() or len(text) >= 10:
        return
    most = int(text)
    if most and sum(frame.function for frame in outwards(ctx.frame)) >= most:
        raise ExpansionError(f"{name}: maximum function nesting level exceeded ({most})")


# How often a thread's free Python frames are checked, and how many must be left: a level may take 8 frames and more.
_LEVELS_BETWEEN_LOOKS = 8
_FRAMES_TO_LEAVE = 420


def nested(ctx: Ctx, body: Callable[[Ctx], int]) -> int:
    """Run a body one level deeper, on another thread's stack if this thread's frames run short.

    Python counts frames per thread, and only the host may change the limit (rule 2): so deep recursion of a script
    continues on another thread instead of raising the limit. ``Limits.call_depth`` bounds the levels.
    """
    depth = ctx.depth
    if depth > ctx.limits.call_depth:
        raise Stop("limit", f"calls nested deeper than {ctx.limits.call_depth}", "call_depth")
    if depth % _LEVELS_BETWEEN_LOOKS == 0 and _frames_run_short():
        return _on_fresh_stack(ctx, body)
    try:
        return body(ctx)
    except RecursionError:
        raise Stop("limit", "the script nests deeper than the stack") from None


def _frames_run_short() -> bool:
    # Walking the frames one by one would create an object for each, and cost more the deeper the level.
    try:
        sys._getframe(sys.getrecursionlimit() - _FRAMES_TO_LEAVE)
    except ValueError:  # the stack is not so deep
        return False
    return True


def _on_fresh_stack(ctx: Ctx, body: Callable[[Ctx], int]) -> int:
    from ..cancel import about_to_block

    done = threading.Event()
    outcome: list[int] = []
    failure: list[BaseException] = []

    def work() -> None:
        try:
            outcome.append(body(ctx))
        except RecursionError:
            failure.append(Stop("limit", "the script nests deeper than the stack"))
        except BaseException as error:
            failure.append(error)
        finally:
            done.set()

    ctx.run.start_thread(work, ctx.task)
    if not done.wait(0.01):
        about_to_block()
        # This wait needs no cancellation: the body on the other thread sees the same stop slot and ends.
        while not done.wait(1.0):
            pass
    if failure:
        raise failure[0]
    return outcome[0]
