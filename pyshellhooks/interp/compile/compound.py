"""Groups, subshells, ``if``, ``case``, function definitions (POSIX XCU 2.9.4, 2.9.5)."""

from __future__ import annotations

from ...expand.bytewise import is_bytewise, narrow
from ...expand.drives import is_absolute_path
from ...patterns.glob import compile_glob
from ...state.context import ExecutionContext as Ctx
from ...state.context import FunctionDefinition
from ...state.control import ExitShell
from ...syntax import nodes as n
from ...syntax.printer import print_word
from ..jobs.traps import before_command, on_failure
from ..redirect import with_redirects
from ..subshell import run_subshell
from ..trace import trace_text
from . import WORDS, Exec, compile_command, compile_list


def compile_group(node: n.Group) -> Exec:
    """Compile ``{ list; }``."""
    return with_redirects(node.redirects, compile_list(node.body), node.line)


def compile_subshell(node: n.Subshell) -> Exec:
    """Compile ``( list )``."""
    body = compile_list(node.body)

    def run(ctx: Ctx) -> int:
        sub = ctx.subshell(waits=True)
        sub.outer_jobs = None
        ctx.status = run_subshell(sub, body)
        return ctx.status

    guarded = with_redirects(node.redirects, run, node.line, external=True)

    line = node.line

    def outer(ctx: Ctx) -> int:
        status = guarded(ctx)
        ctx.pipestatus = status
        ctx.line = line
        ctx.command = node
        if status:
            on_failure(ctx, status)
        return status

    return outer


def compile_if(node: n.If) -> Exec:
    """Compile ``if``."""
    clauses = tuple((compile_list(test), compile_list(body)) for test, body in node.clauses)
    otherwise = compile_list(node.otherwise) if node.otherwise is not None else None

    def run(ctx: Ctx) -> int:
        for test, body in clauses:
            ctx.condition += 1  # errexit is off in the condition (POSIX XCU set -e)
            try:
                status = test(ctx)
            finally:
                ctx.condition -= 1
            if status == 0:
                return body(ctx)
        if otherwise is not None:
            return otherwise(ctx)
        ctx.status = 0  # not that of the last condition, which was not 0 (POSIX XCU 2.9.4)
        return 0

    return with_redirects(node.redirects, run, node.line)


def compile_case(node: n.Case) -> Exec:
    """Compile ``case``: the first arm that matches; ``;&`` falls through to the next, ``;;&`` tests the next ones."""
    word = WORDS.string(node.word)
    arms = tuple(
        (
            tuple(WORDS.pattern(p) for p in arm.patterns),
            compile_list(arm.body) if arm.body.items else None,
            arm.terminator,
        )
        for arm in node.arms
    )
    line = node.line

    def run(ctx: Ctx) -> int:
        ctx.line = line
        if ctx.debugging:
            before_command(ctx, f"case {print_word(node.word)} in ")
        if ctx.xtrace:
            trace_text(ctx, f"case {print_word(node.word)} in")
        ctx.substituted = None
        text = word(ctx)
        bytewise = is_bytewise(ctx, text)
        if bytewise:
            text = narrow(text)
        nocase = "nocasematch" in ctx.shopts
        extglob = "extglob" in ctx.shopts
        status = 0
        falling = False
        for patterns, body, terminator in arms:
            if not falling:
                for pattern in patterns:
                    wanted = narrow(pattern(ctx)) if bytewise else pattern(ctx)
                    if compile_glob(wanted, extglob=extglob, ignore_case=nocase).matches(text):
                        break
                    if is_absolute_path(ctx, wanted, text):
                        break
                else:
                    continue
            if body is None:
                ctx.status = status = 0
            else:
                status = body(ctx)
            if terminator == ";;":
                return status
            falling = terminator == ";&"
        ctx.status = status
        return status

    return with_redirects(node.redirects, run, node.line)


def compile_function(node: n.Function) -> Exec:
    """Compile a function definition: running it adds the function to the table."""
    body = compile_command(node.body)
    name, line = node.name, node.line
    # bash parses a name that contains quotes or ``$`` and refuses it only when the definition runs.
    valid = not any(c in name for c in "$`'\"\\")

    def run(ctx: Ctx) -> int:
        ctx.line = line
        if not valid:
            ctx.warn(f"`{name}': not a valid identifier")
            ctx.status = 1
            return 1
        function = ctx.functions.get(name)
        if function is not None and name in ctx.readonly_functions:
            ctx.warn(f"{name}: readonly function")
            ctx.status = 1
            return 1
        if "posix" in ctx.shopts and name in _SPECIAL:  # POSIX XCU 2.9.5 forbids the name
            ctx.warn(f"`{name}': is a special builtin")
            raise ExitShell(2)
        ctx.writable_functions()[name] = FunctionDefinition(name, node, body, ctx.name, line)
        ctx.status = 0
        return 0

    return run


_SPECIAL = frozenset(
    ": . break continue eval exec exit export readonly return set shift source times trap unset".split()
)


def compile_coproc(node: n.Coproc) -> Exec:
    """Compile ``coproc``."""
    body = compile_command(node.body)
    name = node.name or "COPROC"

    def run(ctx: Ctx) -> int:
        from ..jobs.background import start_coprocess

        start_coprocess(ctx, name, body, node)
        ctx.status = 0
        return 0

    return run
