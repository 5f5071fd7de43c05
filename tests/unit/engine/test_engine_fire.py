"""Firing: failures and what they mean, side by side, observers, explanations."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from clock import patient

from pyshellhooks.cancel import CancelScope
from pyshellhooks.engine import HookEngine, RecordedExecutor
from pyshellhooks.errors import Stop, UnknownEventError
from pyshellhooks.hooks.model import Decision, HookJob, HookRun, HookSpec
from pyshellhooks.hooks.verdict import Verdict

Run = Callable[[HookJob, CancelScope], HookRun]


def engine(runs: dict[str, HookRun] | Run, *entries: dict[str, Any], **options: Any) -> HookEngine:
    hooks = list(entries) or [{"command": command} for command in (runs if isinstance(runs, dict) else ["x"])]
    options = {"cwd": "/w", "env": {}, **options}
    return HookEngine.load({"hooks": {"PreToolUse": hooks}}, "crush", executor=RecordedExecutor(runs), **options)


def raising(error: BaseException) -> Run:
    def run(job: HookJob, scope: CancelScope) -> HookRun:
        raise error

    return run


FAILURES: list[tuple[str, HookRun]] = [
    ("nonzero", HookRun(status=1)),
    ("nonzero", HookRun(status=127, notices=("jq: not found",))),
    ("nonzero", HookRun("signaled", 137)),
    ("timed_out", HookRun("stopped", None, reason="deadline")),
    ("stopped", HookRun("stopped", None, reason="limit", detail="call_depth")),
    ("abandoned", HookRun("abandoned", None, reason="deadline")),
    ("not_started", HookRun("not_started", None, detail="no shell")),
    ("bad_output", HookRun(stdout=b"hello")),
    (
        "too_much_output",
        HookRun("stopped", None, reason="limit", detail="stderr is larger than 9 bytes", limit="output"),
    ),
    ("cancelled", HookRun("stopped", None, reason="cancelled")),
]


@pytest.mark.parametrize(("ended", "run"), FAILURES)
def test_a_failure_has_no_decision_but_always_a_notice(ended: str, run: HookRun) -> None:
    verdict = engine({"x": run}, own_failures="vendor").fire("PreToolUse", tool_name="bash", tool_input={})
    assert (verdict.decision, verdict.hooks[0].ended, verdict.proceeds) == ("none", ended, True)
    assert verdict.notices and verdict.notices[0].startswith("x (<text>:1:25): ")


@pytest.mark.parametrize(("ended", "run"), FAILURES)
@pytest.mark.parametrize(
    "options", [{"strict": True}, {"on_failure": "closed"}, {"strict": True, "on_failure": "open"}]
)
def test_closed_and_strict_make_it_a_deny(ended: str, run: HookRun, options: dict[str, Any]) -> None:
    verdict = engine({"x": run}, **options).fire("PreToolUse", tool_name="bash")
    assert (verdict.decision, verdict.hooks[0].ended, verdict.halt) == ("deny", ended, False)
    assert verdict.reason.startswith("hook failed: x: ")


def test_a_hooks_own_policy_overrides_the_engines() -> None:
    def fire(own: str, engines: str) -> Decision:
        spec = HookSpec("PreToolUse", "x", on_failure=own)
        made = HookEngine("crush", [spec], executor=RecordedExecutor({"x": HookRun(status=1)}), on_failure=engines)
        return made.fire("PreToolUse").decision

    assert fire("closed", "open") == "deny" and fire("open", "closed") == "none"


def test_a_hooks_deny_keeps_its_reason_under_strict() -> None:
    assert engine({"x": HookRun(status=2, stderr=b"no")}, strict=True).fire("PreToolUse").reason == "no"


FAULTS = [
    HookRun(faults=("./x: not found",), notices=("./x: not found",)),
    HookRun(stdout=b'{"decision":"block"}'),
    HookRun(stdout=b'{"updated_input":[1]}'),
]


@pytest.mark.parametrize("run", FAULTS)
def test_faults_are_notices_and_denies_under_strict(run: HookRun) -> None:
    verdict = engine({"x": run}).fire("PreToolUse")
    assert verdict.decision == "none" and verdict.notices
    strict = engine({"x": run}, strict=True).fire("PreToolUse")
    assert strict.decision == "deny" and strict.reason and strict.updated_input is None


@pytest.mark.parametrize(
    ("error", "ended", "notice"),
    [
        (FileNotFoundError(2, "No such file or directory", "/gone"), "not_started", "/gone: No such file or directory"),
        (ValueError("odd"), "not_started", "odd"),
        (RuntimeError(), "not_started", "RuntimeError"),
        (Stop("limit", "array"), "stopped", "array"),
        (Stop("deadline"), "timed_out", "timed out"),
    ],
)
@pytest.mark.parametrize("count", [1, 3])
def test_an_exception_of_an_executor_is_a_failure(error: BaseException, ended: str, notice: str, count: int) -> None:
    entries = [{"command": f"x{n}"} for n in range(count)]
    verdict = engine(raising(error), *entries).fire("PreToolUse")
    assert [row.ended for row in verdict.hooks] == [ended] * count
    assert sum(notice in told for told in verdict.notices) == count


def test_the_scope_carries_the_hooks_own_deadline() -> None:
    left: list[float | None] = []

    def run(job: HookJob, scope: CancelScope) -> HookRun:
        left.append(scope.remaining())
        return HookRun()

    engine(run, {"command": "x", "timeout": 7}).fire("PreToolUse")
    engine(run, {"command": "x", "timeout": 7}).fire("PreToolUse", timeout=3)
    assert left[0] is not None and 6 < left[0] <= 7
    assert left[1] is not None and 2 < left[1] <= 3


def test_a_cancelled_scope_starts_nothing() -> None:
    scope = CancelScope()
    scope.cancel()
    recorded = engine({"x": HookRun()})
    verdict = recorded.fire("PreToolUse", scope=scope)
    assert verdict.hooks[0].ended == "cancelled" and recorded.executor.jobs == []  # type: ignore[attr-defined]


def test_hooks_run_side_by_side() -> None:
    barrier = threading.Barrier(4, timeout=60)

    def run(job: HookJob, scope: CancelScope) -> HookRun:
        barrier.wait()
        return HookRun()

    assert len(engine(run, *({"command": str(n)} for n in range(4))).fire("PreToolUse").hooks) == 4


def test_a_single_hook_runs_on_the_callers_thread() -> None:
    threads: list[threading.Thread] = []

    def run(job: HookJob, scope: CancelScope) -> HookRun:
        threads.append(threading.current_thread())
        return HookRun()

    engine(run).fire("PreToolUse")
    assert threads == [threading.current_thread()]


def test_an_executor_that_does_not_return_is_abandoned() -> None:
    release = threading.Event()

    def run(job: HookJob, scope: CancelScope) -> HookRun:
        if job.command == "stuck":
            release.wait(20)
        return HookRun(status=2, stderr=b"late" if job.command == "stuck" else b"no")

    begun = time.monotonic()
    made = engine(run, {"command": "quick"}, {"command": "stuck", "timeout": 0.1})
    verdict = made.fire("PreToolUse")
    release.set()
    assert time.monotonic() - begun < patient(3)
    assert [row.ended for row in verdict.hooks] == ["nonzero", "abandoned"]
    assert verdict.reason == "no\nhook failed: stuck: abandoned" and made.stats()["abandoned"] == 1


def test_fields_are_keywords_a_mapping_or_text() -> None:
    made = engine({"x": HookRun()})
    jobs = made.executor.jobs  # type: ignore[attr-defined]
    made.fire("PreToolUse", tool_name="bash", tool_input={"n": 1.0})
    made.fire("pre_tool_use", {"tool_name": "bash", "tool_input": {"n": 1.0}})
    made.fire("before_tool", '{"tool_input": {"n": 1.0}, "tool_name": "bash"}')
    made.fire("PreToolUse", b'{"tool_input": {"n": 0}}', tool_name="bash", tool_input='{"n":1.0}')
    assert len({job.stdin for job in jobs}) == 1
    made.fire("PreToolUse", '{"tool_input": {"n": 1e0, "n": 2}}')
    assert json.loads(jobs[-1].stdin)["tool_input"] == {"n": 2} and b'{"n":1e0,"n":2}' in jobs[-1].stdin
    for wrong in ("[]", "{", '{"a": NaN}'):
        with pytest.raises(ValueError):
            made.fire("PreToolUse", wrong)
    verdict = made.fire("PreToolUse", tool_name="bash", tool_input={"n": float("nan")})
    assert json.loads(jobs[-1].stdin)["tool_input"] == {"n": None} and "tool_input.n is nan" in verdict.notices[0]


def test_an_unknown_event_raises() -> None:
    with pytest.raises(UnknownEventError, match="did you mean"):
        engine({}).fire("PreTolUse")


def test_ask_becomes_deny_only_by_the_option() -> None:
    asked = Verdict("E", Decision.ASK, updated_input_text='{"a":1}', context="c")
    made = engine({})
    denied = made.enforce(asked)
    assert (denied.decision, denied.context, denied.updated_input) == ("deny", "c", None) and denied.reason
    assert asked.decision == "ask"
    allowed = Verdict("E", Decision.ALLOW)
    assert made.enforce(allowed) is allowed


def test_observers_see_everything_and_decide_nothing() -> None:
    seen: list[tuple[str, dict[str, Any]]] = []
    made = engine({"x": HookRun(status=2, stderr=b"no", notices=("n",))}, observe=lambda *event: seen.append(event))
    made.fire("PreToolUse")
    assert [name for name, _ in seen] == ["hook.invoked", "hook.completed", "hook.warning", "hook.blocked"]
    completed = seen[1][1]
    assert (completed["ended"], completed["exit_code"], completed["decision"]) == ("nonzero", 2, "deny")
    assert completed["id"] == made.specs[0].id and seen[2][1]["message"] == "n" and seen[3][1]["reason"] == "no"

    def broken(name: str, data: dict[str, Any]) -> None:
        raise RuntimeError

    assert engine({"x": HookRun(status=2)}, observe=broken).fire("PreToolUse").decision == "deny"


def test_explain_has_a_reason_for_every_hook() -> None:
    entries = [
        {"command": "a", "matcher": "^bash$"},
        {"command": "b", "matcher": "^ls$"},
        {"command": "c"},
        {"command": "c"},
    ]
    made = engine({}, *entries)
    found = made.explain("before_tool", tool_name="Bash")
    assert [(why.matches, why.reason) for why in found[:3]] == [
        (True, 'its matcher "^bash$" matches tool_name "bash"'),
        (False, 'its matcher "^ls$" does not match tool_name "Bash" or "bash"'),
        (True, "it has no matcher"),
    ]
    assert not found[3].matches and found[3].reason.startswith("the same command already runs, as given:PreToolUse:")
    assert made.executor.jobs == [] and found[0].as_json()["command"] == "a"  # type: ignore[attr-defined]


def test_stats_and_close() -> None:
    with engine({"x": HookRun(status=2), "y": HookRun(status=1)}) as made:
        made.fire("PreToolUse")
        stats = made.stats()
    assert {name: stats[name] for name in ("fires", "hooks", "failures", "blocked", "abandoned")} == {
        "fires": 1,
        "hooks": 2,
        "failures": 1,
        "blocked": 1,
        "abandoned": 0,
    }
    with pytest.raises(RuntimeError, match="closed"):
        made.fire("PreToolUse")


def test_an_engine_is_shared_between_threads() -> None:
    def run(job: HookJob, scope: CancelScope) -> HookRun:
        return HookRun(status=2, stderr=job.env["CRUSH_TOOL_INPUT_COMMAND"].encode())

    made = engine(run, {"command": "a"}, {"command": "b"})
    wrong: list[str] = []

    def work(name: str) -> None:
        for n in range(50):
            verdict = made.fire("PreToolUse", tool_name=name, tool_input={"command": f"{name}{n}"})
            if verdict.reason != f"{name}{n}\n{name}{n}":
                wrong.append(verdict.reason)

    threads = [threading.Thread(target=work, args=(name,)) for name in "pqrs"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == [] and made.stats()["hooks"] == 400
