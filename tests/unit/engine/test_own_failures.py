"""What can happen to a hook only here, on every event of every system (decisions own failures; ADR 9).

The facts are made for real, once: a script that breaches a bound, a worker that is killed, an executor that raises. They are
then what every system's hooks come to, on each event of its table, under each policy. A new event is a new cell.
"""

from __future__ import annotations

import os
import shlex
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from own_failure_cells import COLUMNS, GUARDS, WRITTEN, expected, fire, is_denied, systems, twin

from pyshellhooks import HookEngine, Limits, MemoryFS, Shell, dialects
from pyshellhooks.cancel import CancelScope
from pyshellhooks.command import utility
from pyshellhooks.command.call import Call
from pyshellhooks.engine.executor import ShellExecutor, as_run
from pyshellhooks.engine.scheduler import HookRunner
from pyshellhooks.hooks.dialect import OPEN, Dialect
from pyshellhooks.hooks.internal_failures import Kind
from pyshellhooks.hooks.model import HookJob, HookOutcome, HookRun, HookSpec
from pyshellhooks.patterns import timed_regex
from pyshellhooks.workers import isolation

PROGRAM = shlex.quote(sys.executable)  # one that is on every machine
POSIX = os.name == "posix"


def job(command: str, timeout: float = 20.0) -> HookJob:
    env = {"PATH": os.environ.get("PATH", "")}
    return HookJob(HookSpec("x", command), stdin=b"", env=env, cwd="/", timeout=timeout)


def run(command: str, timeout: float = 20.0, **options: Any) -> HookRun:
    return HookRunner(ShellExecutor(env={}, **options)).run_hook(job(command, timeout), None)


class Raising:
    """An executor of the host's with a mistake in it."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def run(self, job: HookJob, scope: CancelScope) -> HookRun:
        raise self.error


def regex_timeout() -> HookRun:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timed_regex, "REGEX_TIMEOUT", 0.05)
        lines = "x=$(printf %2000s | sed 's/ /ab/g')"
        return run(rf"{lines}; printf 'z%s\n' $x | grep -E '^(.*)(.*)(.*)(.*)\4\3\2\1[xyz]$' || exit 0")


def worker_lost() -> HookRun:
    main = (
        f"import functools, os, sys\nsys.path[:0] = {[path for path in sys.path if path]!r}\n"
        "from pyshellhooks import Shell\nfrom pyshellhooks.command import utility\n"
        "from pyshellhooks.workers.shell_worker import serve\n"
        "@utility('crash', summary='end the process')\ndef crash(call):\n    os._exit(3)\n"
        "serve(functools.partial(Shell, utilities=[crash]))\n"
    )
    isolation.pool.close()
    isolation.pool.command = [sys.executable, "-B", "-I", "-c", main]
    try:
        return run("crash || true; exit 0", isolation="process")
    finally:
        isolation.pool.close()
        isolation.pool.command = None


def crashed() -> HookRun:
    @utility("broken", summary="a mistake of ours")
    def broken(call: Call) -> int:
        raise ValueError("odd")

    with CancelScope() as scope:
        return as_run(Shell(spawn=False, utilities=[broken]).run("broken || true; exit 0"), scope)


def abandoned() -> HookRun:
    release = threading.Event()

    class Stuck:
        def run(self, job: HookJob, scope: CancelScope) -> HookRun:
            if job.command == "stuck":
                release.wait(20)
            return HookRun()

    try:
        return HookRunner(Stuck()).run_hooks([job("quick"), job("stuck", 0.05)], None)[1]
    finally:
        release.set()


def hurried(command: str, timeout: float = 0.05) -> HookRun:
    """Run a hook with 20 seconds in a firing that has less."""
    with CancelScope(timeout=timeout) as scope:
        if not timeout:
            scope.cancel("deadline")
        return HookRunner(ShellExecutor(env={})).run_hook(job(command), scope)


#: What is made, and what it is.
MADE: dict[str, tuple[Callable[[], HookRun], Kind]] = {
    "output": (lambda: run("printf %200s x", limits=Limits(output=100)), Kind.LIMIT),
    "errors": (lambda: run("printf %200s x >&2", limits=Limits(output=100)), Kind.LIMIT),
    "string": (lambda: run("x=$(printf %99s); y=$x$x$x || exit 0", limits=Limits(string=200)), Kind.LIMIT),
    "array": (lambda: run("a=({1..50}); exit 0", limits=Limits(array=20)), Kind.LIMIT),
    "depth": (lambda: run("f() { f; }; f || exit 0"), Kind.LIMIT),
    "parser": (lambda: run("{ " * 30 + "exit 0" + "; }" * 30, limits=Limits(parser_depth=10)), Kind.LIMIT),
    "commands": (lambda: run("while :; do :; done", limits=Limits(commands=100)), Kind.LIMIT),
    "open files": (lambda: run("exec 3</dev/null 4<&3 5<&3 6<&3", limits=Limits(open_files=5)), Kind.LIMIT),
    "written": (lambda: run("printf %200s x > f", fs=MemoryFS(), limits=Limits(written=100)), Kind.LIMIT),
    "regex": (regex_timeout, Kind.REGEX),
    "refused": (lambda: run(f"{PROGRAM} -c 0 || exit 0", spawn=False), Kind.REFUSED),
    "unseen": (lambda: run("./p || exit 0", fs=MemoryFS({"/p": b"#!/usr/bin/perl\n"}), spawn=True), Kind.REFUSED),
    "argument": (lambda: run(f"{PROGRAM} -c 0 \"$(printf %3000000s)\" || exit 0"), Kind.TOO_LARGE),
    "variable": (lambda: run(f"export x=$(printf %3000000s); {PROGRAM} -c 0"), Kind.TOO_LARGE),
    "worker": (worker_lost, Kind.LOST),
    "crash": (crashed, Kind.CRASHED),
    "executor": (lambda: HookRunner(Raising(RuntimeError("odd"))).run_hook(job("x"), None), Kind.CRASHED),
    "executor's OSError": (lambda: HookRunner(Raising(OSError(24, "Too many open files"))).run_hook(job("x"), None), Kind.CRASHED),
    "abandoned": (abandoned, Kind.ABANDONED),
    "firing": (lambda: hurried("sleep 9"), Kind.FIRING),
    "firing's grace": (lambda: hurried("trap 'exit 0' TERM; sleep 9"), Kind.FIRING),
    "firing over": (lambda: hurried("exit 0", 0.0), Kind.FIRING),
}  # fmt: skip
#: What the systems have themselves keeps their meaning: none of it is ours.
VENDORS: dict[str, Callable[[], HookRun]] = {
    "timeout": lambda: run("sleep 9", 0.05),
    "missing": lambda: run("no-such-program-here"),
    "missing script": lambda: run("/no/such/guard.sh"),
    "status": lambda: run("exit 3"),
    "signal": lambda: run("kill -9 $$"),
    "no directory": lambda: HookRunner(ShellExecutor(env={})).run_hook(
        HookJob(HookSpec("x", "x"), stdin=b"", env={}, cwd="/no/such", timeout=1), None
    ),
}
NEEDS_PROCESSES = {"argument", "variable"}


@cache
def made(name: str) -> HookRun:
    """Make a fact once; every cell gets the same."""
    return MADE[name][0]()


@pytest.fixture(autouse=True, scope="module")
def _forget() -> Iterator[None]:
    yield
    made.cache_clear()


@pytest.mark.one_in(10, slow=2)
@pytest.mark.parametrize("name", MADE)
def test_internal_failures_are_recognized(name: str) -> None:
    if name in NEEDS_PROCESSES and not POSIX:
        pytest.skip("limits of execve(2)")
    own = made(name).internal_failure
    assert own is not None and own.kind is MADE[name][1], (own, made(name).detail)
    assert own.text and own.hint


@pytest.mark.parametrize("name", VENDORS)
def test_failures_that_every_system_has_are_not_internal(name: str) -> None:
    found = VENDORS[name]()
    assert found.internal_failure is None and found.classify() != "ok"


LIMIT_NAMES = {
    "output": "output", "errors": "output", "string": "string", "array": "array", "depth": "call_depth",
    "parser": "parser_depth", "commands": "commands", "open files": "open_files", "written": "written",
}  # fmt: skip


@pytest.mark.parametrize("name", LIMIT_NAMES)
def test_a_bound_is_named_so_that_it_can_be_raised(name: str) -> None:
    own = made(name).internal_failure
    assert own is not None and own.limit == LIMIT_NAMES[name] and f"Limits({own.limit}=" in own.hint
    assert own.limit in Limits.__slots__


# -- every system, every event, every policy --------------------------------------------------------------------------


@pytest.mark.one_in(40, slow=3)
@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("dialect", list(systems()), ids=lambda dialect: dialect.full_name)
def test_every_cell(dialect: Dialect, name: str) -> None:
    if name in NEEDS_PROCESSES and not POSIX:
        pytest.skip("limits of execve(2)")
    found = made(name)
    own = found.internal_failure
    assert own is not None
    wrong = []
    for row in dialect.events.values():
        for column, options in COLUMNS.items():
            for written in WRITTEN:
                verdict = fire(dialect, row, found, written, **options)
                denied = is_denied(verdict)
                if found.kind == "exited" and is_denied(fire(dialect, row, twin(found), OPEN)):
                    assert denied  # its own reading of the run is a deny already
                    continue
                if denied != expected(row, verdict.hooks[0].ended, options, written):
                    wrong.append((row.native, row.guards, column, written, denied, verdict.notices))
                told = "\n".join(verdict.notices)
                assert "(/w/hooks.conf:7:3): " in told and own.hint in told, (row.native, column, told)
                if denied:
                    assert "hook failed: x: " in verdict.reason
                    assert verdict.updated_input_text is None and not verdict.proceeds
                    assert verdict.withholds == (row.guards == "result")
    assert not wrong


def test_the_table_is_not_empty() -> None:
    """At least one system guards each thing; else the cells above would prove nothing."""
    guards = {row.guards for dialect in systems() for row in dialect.events.values()}
    assert guards >= {*GUARDS, "act", "stop", ""}


# -- the engine's and the command's switches ---------------------------------------------------------------------------


def test_the_switch_is_deny_or_vendor() -> None:
    with pytest.raises(ValueError, match='own_failures must be "deny" or "vendor"'):
        HookEngine("crush", own_failures="open")


def test_a_block_of_the_hooks_own_keeps_its_reason() -> None:
    """A program was refused, and the hook denies all the same: its words stand, and the refusal is told."""
    found = run(f"{PROGRAM} -c 0 || {{ echo mine >&2; exit 2; }}", spawn=False)
    verdict = fire(dialects.get("crush"), dialects.get("crush").events["PreToolUse"], found)
    assert verdict.decision == "deny" and verdict.reason.endswith("mine") and "hook failed" not in verdict.reason
    assert any("spawn=True" in notice for notice in verdict.notices)


def test_an_outcome_reports_it_only_once() -> None:
    verdict = fire(dialects.get("crush"), dialects.get("crush").events["PreToolUse"], made("depth"))
    assert len(verdict.notices) == 1


def test_isolated_runs_carry_the_same_facts() -> None:
    """What the worker knows of a run, its host knows too: faults, refusals, texts that do not parse, the bound."""
    for command, options in (
        ("if then", {}),
        ("no-such-program-here || true", {}),
        (f"{PROGRAM} -c 0 || true", {"spawn": False}),
        ("printf %200s x", {"limits": Limits(output=100)}),
        ("f() { f; }; f", {}),
    ):
        here, there = run(command, **options), run(command, isolation="process", **options)
        for fact in ("kind", "status", "reason", "limit", "faults", "unparsed"):
            assert getattr(here, fact) == getattr(there, fact), (command, fact)
        assert repr(here.internal_failure) == repr(there.internal_failure), command


def test_a_whole_hook_outcome_is_unchanged_by_a_switch_it_does_not_need() -> None:
    row = dialects.get("crush").events["PreToolUse"]
    verdict = fire(dialects.get("crush"), row, HookRun())
    assert (verdict.decision, verdict.notices) == ("none", ())
    assert isinstance(verdict.hooks[0].outcome, HookOutcome)
