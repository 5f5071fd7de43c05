"""Lists, AND-OR lists and pipelines (POSIX XCU 2.9.2, 2.9.3)."""

from __future__ import annotations

from ...state.context import ExecutionContext as Ctx
from ...syntax import nodes as n
from ...text import paced
from ..jobs.traps import before_command, on_failure
from ..redirect import with_redirects
from . import Exec, compile_command, compile_list


def compile_list_command(node: n.List) -> Exec:
    """Compile ``a; b & c``."""
    commands: list[Exec] = []
    for command, background in paced(node.items):
        run = compile_command(command)
        commands.append(_background(run, command) if background else run)
    if not commands:
        return _nothing
    if len(commands) == 1:
        return commands[0]
    if len(commands) == 2:
        first, second = commands

        def run_two(ctx: Ctx) -> int:
            first(ctx)
            return second(ctx)

        return run_two
    last = commands[-1]
    rest = tuple(commands[:-1])

    def run_list(ctx: Ctx) -> int:
        for command in rest:
            command(ctx)
        return last(ctx)

    return run_list


def _nothing(ctx: Ctx) -> int:
    ctx.status = 0
    return 0


def _background(run: Exec, node: n.Command) -> Exec:
    if isinstance(node, n.Simple):
        body = _quiet(run)
    elif isinstance(node, n.Subshell):  # the job is that subshell: its traps get the signals
        body = with_redirects(node.redirects, compile_list(node.body), node.line, external=True)
    else:
        body = run

    def start(ctx: Ctx) -> int:
        from ..jobs.background import start_background

        start_background(ctx, body, node)
        ctx.status = 0
        return 0

    return start


def _quiet(run: Exec) -> Exec:
    """Disable the ERR trap for a simple command in the background, because the command replaces its subshell."""

    def body(ctx: Ctx) -> int:
        ctx.in_trap = True
        return run(ctx)

    return body


def compile_and_or(node: n.AndOr) -> Exec:
    """Compile ``a && b || c``: every command but the last is a test (errexit is off in it)."""
    first = compile_command(node.first)
    rest = tuple((op == "&&", compile_command(command)) for op, command in paced(node.rest))
    if len(rest) == 1:
        wanted, last = rest[0]

        def run_two(ctx: Ctx) -> int:
            ctx.condition += 1  # errexit counts only for the last command of the list (POSIX XCU set -e)
            try:
                status = first(ctx)
            finally:
                ctx.condition -= 1
            if (status == 0) is wanted:
                return last(ctx)
            return status

        return run_two
    final = len(rest) - 1

    def run(ctx: Ctx) -> int:
        ctx.condition += 1
        try:
            status = first(ctx)
        finally:
            ctx.condition -= 1
        for index, (wanted, command) in enumerate(rest):
            if (status == 0) is not wanted:
                continue
            if index == final:
                return command(ctx)
            ctx.condition += 1
            try:
                status = command(ctx)
            finally:
                ctx.condition -= 1
        return status

    return run


def compile_pipeline(node: n.Pipeline, *, fuses: bool = True) -> Exec:
    """Compile ``[time] [!] a | b``. ``fuses``: try the fused run first (fused.py)."""
    if not node.commands:
        run: Exec = _nothing
    elif len(node.commands) == 1:
        run = compile_command(node.commands[0])
    else:
        run = _pipe(node, fuses)
    if node.negated:
        run = _negate(run, len(node.commands) != 1 or isinstance(node.commands[0], _FAILING))
    if node.timed is not None:
        from ..timing import timed

        run = timed(run, node.timed == "-p")
    return run


def _pipe(node: n.Pipeline, fuses: bool) -> Exec:
    from ..pipeline import Stage, run_pipeline
    from .fused import fuse_pipeline

    stages = tuple(
        Stage(compile_command(command), both, type(command) is not n.Simple)
        for command, both in paced(zip(node.commands, (*node.both, False), strict=False))
    )

    line = node.line
    simple = tuple(command for command in node.commands if type(command) is n.Simple)
    last = node.commands[-1]

    def unfused(ctx: Ctx) -> int:
        return run_pipeline(ctx, stages)

    pipeline = fuse_pipeline(node, unfused) if fuses else unfused

    def run(ctx: Ctx) -> int:
        ctx.line = line
        if ctx.debugging and "functrace" not in ctx.shopts:
            for command in simple:  # the stages run in subshells, which do not inherit the trap (bash)
                before_command(ctx, command)
        status = ctx.status = pipeline(ctx)
        if type(last) is n.Simple:
            ctx.command = last
        if status:
            on_failure(ctx, status)
        return status

    return run


# Commands that call on_failure themselves; in other compound commands the inner commands do.
_FAILING = (n.Simple, n.Subshell, n.ArithCommand, n.TestCommand)


def _negate(run: Exec, failing: bool) -> Exec:
    """Invert a status. Commands inside fail as anywhere else unless ``set -e`` was on before (bash 5.2)."""

    def negated(ctx: Ctx) -> int:
        tested, inverted = int(ctx.errexit), ctx.inverted
        ctx.condition += tested
        if failing:
            ctx.inverted = ctx.depth
        try:
            status = run(ctx)
        finally:
            ctx.condition -= tested
            ctx.inverted = inverted
        ctx.status = 0 if status else 1
        return ctx.status

    return negated
