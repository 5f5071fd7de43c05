"""Mistakes of ours, and matchers that come to no end: no way around a guard (decisions own failures)."""

from __future__ import annotations

from typing import Any

import pytest
from own_failure_cells import COLUMNS, expected, fire, is_denied

from pyshellhooks import HookEngine, dialects
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.hooks.model import HookJob, HookOutcome, HookRun, HookSpec
from pyshellhooks.patterns import timed_regex

# -- mistakes of ours around a run ------------------------------------------------------------------------------------


def mistaken(*args: object) -> Any:
    raise ZeroDivisionError("odd")


AROUND = ("job", "parse", "merge", "deduplicate")


@pytest.mark.parametrize("part", AROUND)
@pytest.mark.parametrize("name", dialects.names())
def test_an_internal_error_does_not_bypass_a_guard(name: str, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dialect = dialects.get(name)
    if part == "deduplicate" and any(row.order != "parallel" for row in dialect.events.values()):
        pytest.skip("a chain asks for each hook by itself")
    monkeypatch.setattr(dialect, part, mistaken)
    monkeypatch.setattr(HookOutcome, "silent", False)  # of hooks that say nothing nothing is merged
    for row in dialect.events.values():
        for column, options in COLUMNS.items():
            verdict = fire(dialect, row, HookRun(), **options)
            ended = "bad_output" if part == "parse" else "not_started"
            assert is_denied(verdict) == expected(row, ended, options, None), (row.native, column, verdict.notices)
            assert any("ZeroDivisionError: odd" in notice for notice in verdict.notices)
            assert any("please report it" in notice for notice in verdict.notices)


def test_a_deny_of_another_hook_outlives_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where such mistakes count as the system's failures."""
    dialect = dialects.get("claude_code")
    job_of = dialect.job

    def job(event: Any, spec: HookSpec, around: Any) -> HookJob:
        return mistaken() if spec.command == "x" else job_of(event, spec, around)

    monkeypatch.setattr(dialect, "job", job)
    specs = [HookSpec("PreToolUse", "x"), HookSpec("PreToolUse", "y")]
    executor = RecordedExecutor({"y": HookRun(status=2, stderr=b"no")})
    with HookEngine(dialect, specs, executor=executor, cwd="/", env={}, own_failures="vendor") as engine:
        verdict = engine.fire("PreToolUse", tool_name="Bash")
    assert (verdict.decision, verdict.reason) == ("deny", "no")
    assert [row.ended for row in verdict.hooks] == ["not_started", "nonzero"]


def test_a_deny_outlives_a_mistake_in_putting_answers_together(monkeypatch: pytest.MonkeyPatch) -> None:
    dialect = dialects.get("crush")
    monkeypatch.setattr(dialect, "merge", mistaken)
    verdict = fire(dialect, dialect.events["PreToolUse"], HookRun(status=2), own_failures="vendor")
    assert verdict.decision == "deny"


def test_a_mistake_in_keeping_the_session_leaves_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    dialect = dialects.get("crush")
    monkeypatch.setattr(dialect, "settle", mistaken)
    verdict = fire(dialect, dialect.events["PreToolUse"], HookRun(status=2, stderr=b"no"))
    assert (verdict.decision, verdict.reason) == ("deny", "no")
    assert any("ZeroDivisionError" in notice for notice in verdict.notices)


# -- matchers that come to no end ---------------------------------------------------------------------------------------

ENDLESS = r"(?=a)(x|a|aa|aaa|a*b)*(b|c)[^a]\b"
TOOL = "a" * 5000
MATCHED: dict[str, tuple[str, dict[str, Any]]] = {
    "gemini": ("BeforeTool", {"BeforeTool": [{"matcher": ENDLESS, "hooks": [{"type": "command", "command": "x"}]}]}),
    "claude_code": ("PreToolUse", {"PreToolUse": [{"matcher": ENDLESS, "hooks": [{"type": "command", "command": "x"}]}]}),
    "cursor": ("preToolUse", {"preToolUse": [{"matcher": ENDLESS, "command": "x"}]}),
}  # fmt: skip


@pytest.mark.parametrize("name", MATCHED)
def test_a_matcher_that_does_not_end_runs_its_hook_with_a_notice_each_time(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timed_regex, "REGEX_TIMEOUT", 0.05)
    event, hooks = MATCHED[name]
    executor = RecordedExecutor({"x": HookRun(status=2, stderr=b"no")})
    with HookEngine.load({"version": 1, "hooks": hooks}, name, executor=executor, cwd="/", env={}) as engine:
        for _ in range(2):
            verdict = engine.fire(event, tool_name=TOOL)
            assert verdict.decision == "deny"
            (notice,) = [notice for notice in verdict.notices if "did not finish" in notice]
            assert notice.startswith(f"x ({engine.specs[0].origin}): ") and notice.endswith("the hook runs")
        (why,) = engine.explain(event, tool_name=TOOL)
        assert why.matches


@pytest.mark.parametrize("name", dialects.names())
def test_a_matcher_that_raises_runs_its_hook_on_every_event(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dialect = dialects.get(name)
    monkeypatch.setattr(dialect, "matches", mistaken)
    for row in dialect.events.values():
        verdict = fire(dialect, row, HookRun())
        assert len(verdict.hooks) == 1, row.native
        assert any("could not be evaluated: ZeroDivisionError: odd" in notice for notice in verdict.notices)
        assert any("/w/hooks.conf:7:3" in notice for notice in verdict.notices)


def test_loading_such_a_matcher_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told of a matcher at load is tried on names that the system knows; where that ends nowhere, nothing is."""
    monkeypatch.setattr(timed_regex, "REGEX_TIMEOUT", 0.0)
    hooks = {"SessionStart": [{"matcher": r"(?=s)(s|t)*\b", "hooks": [{"type": "command", "command": "x"}]}]}
    engine = HookEngine.load({"hooks": hooks}, "claude_code", cwd="/", env={})
    assert len(engine.specs) == 1


def test_an_internal_error_while_an_event_is_prepared_denies(monkeypatch: pytest.MonkeyPatch) -> None:
    from pyshellhooks.dialects.crush import Crush

    def broken(*_: object) -> object:
        raise KeyError("told")

    with HookEngine.load({"hooks": {"PreToolUse": [{"command": "exit 0"}]}}, "crush", spawn=False) as engine:
        monkeypatch.setattr(Crush, "make_event", broken)
        verdict = engine.fire("before_tool", tool_name="bash", tool_input={"command": "ls"})
    assert verdict.decision == "deny" and "while the event was prepared" in verdict.reason
