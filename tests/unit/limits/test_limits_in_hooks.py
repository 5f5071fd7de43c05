"""A hook that breaches a limit has failed, wherever in its script that was: its verdict is never an allow (rule 1)."""

from __future__ import annotations

import pytest

from pyshellhooks import HookEngine, Limits, MemoryFS
from pyshellhooks.engine.executor import ShellExecutor
from pyshellhooks.hooks.verdict import Verdict

LIMITS = Limits(
    output=20_000,
    substitution=10_000,
    string=10_000,
    array=500,
    expansion=500,
    glob=20,
    call_depth=60,
    parser_depth=30,
    script=20_000,
    commands=20_000,
    jobs=4,
    threads=6,
    stages=4,
    open_files=12,
    written=50_000,
    files=10,
)
# What is breached, as its name and what the detail of the end has to name.
BREACHES = {
    "output": "yes | head -c 30000",
    "errors": "yes | head -c 30000 >&2",
    "substitution": "x=$(yes | head -c 12000)",
    "file-substitution": "yes | head -c 12000 > f; x=$(< f)",
    "string": "x=x; while :; do x=$x$x; done",
    "string-append": "x=xxxx; while :; do x+=$x; done",
    "string-element": "x=xxxx; while :; do a[1]=$x; x=${a[1]}${a[1]}; done",
    "string-replace": "x=aaaaaaaa; while :; do x=${x//a/aa}; done",
    "string-printf": "printf -v x %12000s",
    "string-argument": 'x=$(printf %6000s); : "$x$x$x"',
    "array": "for i in {1..400}; do a+=(1 2); done",
    "array-literal": "a=({1..400} {1..400})",
    "array-keys": "declare -A a; i=0; while :; do a[k$i]=$i; i=$((i+1)); done",
    "variables": "i=0; while :; do declare v$i=1; i=$((i+1)); done",
    "braces": "echo {1..100000} > /dev/null",
    "fields": "x=$(printf '%800s' | tr ' ' x); set -- ${x//x/x }",
    "glob": "cd many; echo *",
    "functions": "f() { f; }; f",
    "subshells": "f() { ( f ); }; f",
    "evaluated": 'e=\'eval "$e"\'; eval "$e"',
    "sourced": "printf '. /self' > /self; . /self",
    "parser": "eval \"$(printf '{ %.0s' {1..50})\"",
    "parser-arithmetic": "x=$(printf '(%.0s' {1..150}); : $(( $x 1 ))",
    "parser-braces": "eval \"echo $(printf '{a,%.0s' {1..150})$(printf '}%.0s' {1..150})\"",
    "script": "yes : | head -n 20000 > /self; . /self",
    "commands": "while :; do :; done",
    "jobs": "for i in 1 2 3 4 5 6 7 8; do sleep 20 & done",
    "threads": "f() { cat <(f) <(f); }; f",
    "stages": ": | : | : | : | :",
    "descriptors": "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do exec {fd}< /dev/null; done",
    "written": "while :; do printf %1000s >> f; done",
    "files": "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do : > f$i; done",
    "directories": "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do mkdir d$i; done",
}
AROUND = {
    "plain": "%s",
    "if": "if { %s; }; then :; fi",
    "not": "! { %s; }",
    "or": "{ %s; } 2>/dev/null || :",
    "substitution": "y=$( { %s; } >&2 )",
    "first-stage": "{ %s; } | cat",
    "background": "{ %s; } & wait",
}
NAMED = {
    "errors": "stderr", "output": "stdout", "substitution": "$( )", "file-substitution": "$( )", "array": "elements",
    "array-literal": "elements", "array-keys": "elements", "variables": "variables", "braces": "brace", "fields": "fields",
    "glob": "directory entries", "functions": "nested", "subshells": "nested", "evaluated": "nested", "sourced": "nested",
    "parser": "nested in each other", "parser-arithmetic": "nested", "parser-braces": "nested in each other", "script": "script",
    "commands": "commands", "jobs": "jobs", "threads": "threads", "stages": "pipeline", "descriptors": "open files", "written": "written",
    "files": "files created", "directories": "files created",
}  # fmt: skip
#: The field of ``Limits``, where it is another than ``string``; a bound that is none of them has no name.
BOUND = {
    "output": "output", "errors": "output", "substitution": "substitution", "file-substitution": "substitution",
    "array": "array", "array-literal": "array", "array-keys": "array", "variables": "array", "braces": "expansion",
    "fields": "expansion", "glob": "glob", "functions": "call_depth", "subshells": "call_depth", "evaluated": "call_depth",
    "sourced": "call_depth", "parser": "parser_depth", "parser-arithmetic": "", "parser-braces": "", "script": "script",
    "commands": "commands", "jobs": "jobs", "threads": "threads", "stages": "stages", "descriptors": "open_files", "written": "written",
    "files": "files", "directories": "files",
}  # fmt: skip
ALLOW = 'echo \'{"decision":"allow"}\''
EXCEPT = {("errors", "or")}  # thrown away there: no output of the hook


def fire(script: str, bounds: Limits = LIMITS, **options: object) -> Verdict:
    files = {"/": b"", "/many/": b"", **{f"/many/{number}": b"" for number in range(40)}}
    executor = ShellExecutor(fs=MemoryFS(files), env={}, spawn=False, limits=bounds)
    config = {"hooks": {"PreToolUse": [{"command": script, "timeout": 20}]}}
    engine = HookEngine.load(config, "crush", executor=executor, cwd="/", env={}, **options)
    return engine.fire("PreToolUse", tool_name="bash", tool_input={"command": "ls"})


@pytest.mark.one_in(6)
@pytest.mark.parametrize("place", AROUND)
@pytest.mark.parametrize("breach", BREACHES)
def test_a_breach_is_no_allow(breach: str, place: str) -> None:
    if (breach, place) in EXCEPT:
        return
    verdict = fire(f"{AROUND[place] % BREACHES[breach]}\n{ALLOW}\nexit 0")
    hook = verdict.hooks[0]
    assert hook.outcome.ended in ("stopped", "too_much_output"), (hook.outcome.ended, hook.run.detail)
    assert hook.run.reason == "limit"
    if place == "plain":
        assert NAMED.get(breach, "10000") in hook.run.detail
        assert hook.run.limit == BOUND.get(breach, "string")
    assert verdict.decision == "deny" and verdict.reason.startswith("hook failed: ")
    hint = f"Limits({hook.run.limit}=" if hook.run.limit else "use less"
    assert any(hint in notice and "<text>:1:" in notice for notice in verdict.notices)


@pytest.mark.parametrize("breach", BREACHES)
def test_an_exit_trap_does_not_hide_it(breach: str) -> None:
    verdict = fire(f"f_() {{ {BREACHES[breach]}; }}\ntrap f_ EXIT\n{ALLOW}\nexit 0")
    assert verdict.hooks[0].outcome.ended in ("stopped", "too_much_output")
    assert verdict.decision == "deny"


@pytest.mark.parametrize("breach", BREACHES)
def test_strict_denies_and_the_option_restores_the_systems_meaning(breach: str) -> None:
    script = f"{BREACHES[breach]}\n{ALLOW}"
    assert fire(script, strict=True, own_failures="vendor").decision == "deny"
    assert fire(script, own_failures="vendor").decision == "none"


RAISED = {"output", "substitution", "file-substitution", "string-printf", "string-argument", "array", "array-literal",
          "braces", "fields", "glob", "parser", "stages", "descriptors", "files", "directories"}  # fmt: skip


@pytest.mark.parametrize("breach", sorted(RAISED))
def test_the_hint_fixes_it(breach: str) -> None:
    """The bounds that the notices name, raised one after another, let the hook come to its own answer."""
    bounds = LIMITS
    verdict = fire(f"{BREACHES[breach]}\nexit 0", bounds)
    for _ in range(2):
        if verdict.decision == "deny":
            bounds = bounds.replace(**{verdict.hooks[0].run.limit: 10_000_000})
            verdict = fire(f"{BREACHES[breach]}\nexit 0", bounds)
    assert verdict.decision == "none" and verdict.hooks[0].ended in ("ok", "bad_output"), verdict.notices
