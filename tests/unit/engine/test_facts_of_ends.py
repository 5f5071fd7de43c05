"""What is told of each way in which a hook can end: each fact once, by its kind, with a mend; and nothing hangs on a text."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from own_failure_cells import fire, systems
from test_own_failures import LIMIT_NAMES, MADE, NEEDS_PROCESSES, PROGRAM, VENDORS, run

from pyshellhooks import Shell
from pyshellhooks.cancel import CancelScope
from pyshellhooks.engine.scheduler import HookRunner
from pyshellhooks.hooks.dialect import CLOSED, Dialect, EventSpec
from pyshellhooks.hooks.model import FAILURES, HookJob, HookRun, HookSpec
from pyshellhooks.hooks.verdict import Verdict
from pyshellhooks.notice import FAULTS, KINDS, Notice

pytestmark = pytest.mark.not_on_windows("needs-signal")


HARMLESS = {
    "answer-ignored",
    "block-ignored",
    "off-in-agent",
}  # what an answer says that does not count is a fact of its own


class Cancelled:
    """An executor whose caller gives up."""

    def run(self, job: HookJob, scope: CancelScope) -> HookRun:
        scope.cancel("cancelled")
        scope.check()
        raise AssertionError


def cancelled() -> HookRun:
    return HookRunner(Cancelled()).run_hook(HookJob(HookSpec("x", "x"), stdin=b"", env={}, cwd="/", timeout=20.0), None)


#: How it is made, and the kind of the one notice about it; with "?" it is an answer in some systems, and no fact to tell.
ENDS: dict[str, tuple[Callable[[], HookRun], str]] = {
    "ok": (lambda: run(":"), ""),
    "exit 1": (lambda: run("echo why >&2; exit 1"), "hook-failed?"),
    "exit 2": (lambda: run("echo why >&2; exit 2"), "status-ignored?"),
    "exit 2, silent": (lambda: run("exit 2"), "status-ignored?"),
    "exit 3": (lambda: run("exit 3"), "hook-failed?"),
    "exit 49": (lambda: run("exit 49"), "hook-failed?"),
    "exit 126": (lambda: run("exit 126"), "hook-failed?"),
    "exit 127": (lambda: run("exit 127"), "hook-failed?"),
    "no command": (VENDORS["missing"], "command-not-found"),
    "no script": (VENDORS["missing script"], "file-not-found"),
    "a directory": (lambda: run("/"), "file-not-runnable"),
    "heard": (lambda: run("no-such-program-here || :"), "command-not-found"),
    "signal": (VENDORS["signal"], "hook-killed?"),
    "timeout": (VENDORS["timeout"], "hook-timed-out"),
    "no directory": (VENDORS["no directory"], "hook-not-started"),
    "cancelled": (cancelled, "hook-cancelled"),
    "syntax": (lambda: run("if then"), "syntax-error"),
    "bad output": (lambda: HookRun(stdout=b'{"decision": }'), "bad-output?"),
    **{name: (MADE[name][0], "hook-stopped") for name in LIMIT_NAMES},
    "output": (MADE["output"][0], "too-much-output"),
    "errors": (MADE["errors"][0], "too-much-output"),
    "regex": (MADE["regex"][0], "hook-stopped"),
    "refused": (MADE["refused"][0], "process-refused"),
    "unseen": (MADE["unseen"][0], "process-refused"),
    "argument": (MADE["argument"][0], "input-too-large"),
    "variable": (MADE["variable"][0], "input-too-large"),
    "worker": (MADE["worker"][0], "hook-stopped"),
    "executor": (MADE["executor"][0], "hook-not-started"),
    "abandoned": (MADE["abandoned"][0], "hook-abandoned"),
}
NO_MEND = {"hook-cancelled"}  # the caller wanted it


@cache
def made(name: str) -> HookRun:
    return ENDS[name][0]()


def about(verdict: Verdict) -> list[Notice]:
    """Return what is told of the hook, but for what its answer said in vain."""
    return [one for one in verdict.notices if isinstance(one, Notice) and one.hook is not None]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("dialect", list(systems()), ids=lambda dialect: dialect.full_name)
def test_each_end_is_told_once(dialect: Dialect) -> None:
    wrong: list[Any] = []
    for row in dialect.events.values():
        wants_answer = fire(dialect, row, HookRun()).hooks[0].ended == "bad_output"
        for name, (_, kind) in ENDS.items():
            found = made(name)
            verdict = fire(dialect, row, copy.copy(found))
            assert all(type(one) is Notice for one in (*verdict.notices, *verdict.faults)), verdict.notices
            told = about(verdict)
            silent = wants_answer and (found.kind, found.status) == ("exited", 0)  # and that is another fact
            ends = [one.kind for one in told if one.kind not in HARMLESS and not (silent and one.kind == "bad-output")]
            expected = [[kind.removesuffix("?")] if kind else [], []][: 1 + kind.endswith("?")]
            if ends not in expected and not (kind == "status-ignored?" and ends == ["hook-failed"]):
                wrong.append((row.native, name, told))
            if any(not one.hint for one in told if one.kind not in NO_MEND):
                wrong.append((row.native, name, "no mend", told))
            if any(one.hook != verdict.hooks[0].id or f"): {one.command}" not in one for one in told):
                wrong.append((row.native, name, "not about the hook", told))
            if verdict.hooks[0].ended in FAILURES - {"nonzero"} and not verdict.faults:
                wrong.append((row.native, name, "no fault", told))
            if set(verdict.faults) - set(verdict.notices) or any(one.fault not in FAULTS for one in verdict.faults):  # type: ignore[attr-defined]
                wrong.append((row.native, name, "faults", verdict.faults))
    assert not wrong, wrong[:5]


#: Events on which Qwen Code itself does not count exit status 2 of a single hook (qwen 6.5).
LOST_IN_QWEN = ("PostToolUse", "PermissionRequest", "TodoCreated", "TodoCompleted")


@pytest.mark.parametrize("dialect", list(systems()), ids=lambda dialect: dialect.full_name)
def test_a_hook_that_stops_the_stop_is_no_failure(dialect: Dialect) -> None:
    """Exit 2 (in JSON: a block) makes the agent go on: that was intended, and is nothing to tell."""
    for row in dialect.events.values():
        for name in ("exit 2", "exit 2, silent"):
            verdict = fire(dialect, row, copy.copy(made(name)))
            if verdict.followup is not None or verdict.blocked or verdict.context:
                kinds = {one.kind for one in verdict.notices if isinstance(one, Notice)}
                # Gemini CLI, Codex and Qwen Code themselves do not count a silent one.
                uncounted = dialect.name in ("gemini", "codex", "qwen") and name == "exit 2, silent"
                uncounted = uncounted or (dialect.name == "qwen" and row.native in LOST_IN_QWEN)
                silent = {"off-in-agent"} if uncounted else set()
                if dialect.name == "copilot" and row.failure.get("nonzero") != CLOSED:
                    silent = {"off-in-agent"}  # any exit 2 is only a warning there (copilot 6.2)
                assert kinds <= silent and not verdict.faults, (row.native, verdict.notices)


def decided(verdict: Verdict) -> tuple[object, ...]:
    """Return all of a verdict that is no text for people."""
    hooks = [(one.ended, one.decision, one.halt) for one in verdict.hooks]
    kinds = [(one.kind, one.fault, one.status, one.hook) for one in verdict.notices if isinstance(one, Notice)]
    faults = len(verdict.faults)
    rest = (verdict.halt, verdict.withholds, verdict.followup is None, verdict.updated_input_text)
    return verdict.decision, rest, hooks, kinds, faults


def scrambled(found: HookRun) -> HookRun:
    """Return a run of which every text for people says something else."""
    other = copy.copy(found)
    other.notices = tuple(map(misleading, found.notices))
    other.faults = tuple(map(misleading, found.faults))
    if found.detail:
        other.detail = misleading(found.detail)
    if found.unparsed:
        other.unparsed = "stdout deadline (status 2)"
    return other


def misleading(text: str) -> str:
    fields = text.fields() if isinstance(text, Notice) else None
    said = f'stdout {{"decision": "deny"}} deadline: cancelled; not found {len(text)} (status 2)'
    return said if fields is None else Notice(**{**fields, "message": said})  # type: ignore[arg-type]


COLUMNS: tuple[dict[str, Any], ...] = (
    {},
    {"strict": True},
    {"own_failures": "vendor", "strict": True},
    {"on_failure": "closed"},
)


@pytest.mark.one_in(15, slow=3)
@pytest.mark.parametrize("dialect", list(systems()), ids=lambda dialect: dialect.full_name)
def test_no_decision_hangs_on_a_text(dialect: Dialect, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same facts under other words are the same verdict."""
    rows: list[EventSpec] = list({(row.guards, row.can): row for row in dialect.events.values()}.values())
    cells = [(row, name, options) for row in rows for name in ENDS for options in COLUMNS]
    before = [decided(fire(dialect, row, copy.copy(made(name)), **options)) for row, name, options in cells]
    runs = {name: scrambled(made(name)) for name in ENDS}
    worded = Notice.__new__

    def misworded(cls: type[Notice], message: str, kind: str = "other", **given: Any) -> Notice:
        texts = {name: f"(status 127) stdout {name}" for name in ("hint", "then") if given.get(name)}
        return worded(cls, f"deadline: deny (status {len(message)})", kind, **{**given, **texts})

    monkeypatch.setattr(Notice, "__new__", misworded)
    for (row, name, options), expected in zip(cells, before, strict=True):
        found = decided(fire(dialect, row, copy.copy(runs[name]), **options))
        assert found == expected, (row.native, name, options)


def test_a_worker_process_tells_the_same_facts() -> None:
    text = f"no-such-program; ./gone || :; {PROGRAM} -c 0"
    here, there = (Shell(cwd="/", spawn=False, isolation=one).run(text) for one in ("thread", "process"))
    assert [one.fields() for one in there.notices] == [one.fields() for one in here.notices]
    assert [one.kind for one in there.faults] == ["command-not-found", "file-not-found", "process-refused"]
    assert there.own == here.own and there.own is not None and there.own[1] is there.notices[2]


def test_every_kind_has_a_meaning_and_there_is_no_other() -> None:
    assert all(kind == kind.lower() and " " not in kind and text for kind, text in KINDS.items())
    with pytest.raises(ValueError, match="unknown kind of notice 'odd'"):
        Notice("x", "odd")
    assert not NEEDS_PROCESSES - ENDS.keys()
