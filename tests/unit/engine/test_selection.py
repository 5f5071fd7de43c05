"""What is asked once, what each time, and what nobody asks for (``engine.selection``)."""

from __future__ import annotations

from typing import Any

import pytest

from pyshellhooks import HookEngine, dialects
from pyshellhooks.cancel import CancelScope
from pyshellhooks.engine.executor import RecordedExecutor, ShellExecutor
from pyshellhooks.errors import Stop
from pyshellhooks.hooks.fields import sample
from pyshellhooks.hooks.model import HookEvent, HookJob, HookOutcome, HookRun, HookSpec
from pyshellhooks.hooks.verdict import HookResult, Verdict
from tests.unit.engine.toy_dialect import Toy


class Counted:
    """A matcher for some tools that counts how often it is asked; for "endless" it comes to no end."""

    def __init__(self, *tools: str) -> None:
        self.tools = tools
        self.asked: list[str] = []

    def search(self, subject: str, /) -> bool:
        self.asked.append(subject)
        if subject == "endless":
            raise Stop("regex", "no end")
        return subject in self.tools


def engine_of(*patterns: Counted, **options: Any) -> HookEngine:
    specs = [HookSpec("check", f"true {number}", pattern=pattern) for number, pattern in enumerate(patterns)]
    return HookEngine(Toy(), specs, cwd="/", env={}, executor=RecordedExecutor(), **options)


def test_a_matcher_is_evaluated_once_for_each_tool() -> None:
    pattern = Counted("a")
    engine = engine_of(pattern)
    ran = [len(engine.fire("check", tool_name=tool).hooks) for tool in "ababcba"]
    assert ran == [1, 0, 1, 0, 0, 0, 1]
    assert pattern.asked == ["a", "b", "c"]


def test_a_matcher_that_does_not_end_runs_its_hook_with_a_notice_every_time() -> None:
    engine = engine_of(Counted("a"), Counted())
    for _ in range(3):
        verdict = engine.fire("check", tool_name="endless")
        assert len(verdict.hooks) == 2
        assert sum("its matcher did not finish" in notice for notice in verdict.notices) == 2


def test_the_caches_are_bounded() -> None:
    engine = engine_of(Counted())
    selection = engine.systems[0].selection
    for number in range(1200):
        engine.fire("check", tool_name=f"tool {number}")
    assert len(selection._known) <= 512
    before = len(selection._known)
    engine.fire("check", tool_name="x" * 5000)
    assert len(selection._known) == before


def test_a_hook_that_is_switched_off_does_not_run() -> None:
    pattern = Counted("a")
    engine = engine_of(pattern)
    disabled = HookEngine(Toy(), engine.specs, disabled=[engine.specs[0].id], executor=RecordedExecutor())
    assert not disabled.fire("check", tool_name="a").hooks
    assert pattern.asked == []


def test_a_system_that_overrides_matches_is_refused() -> None:
    with pytest.raises(TypeError, match="override matches_subject, has_conditions and matches_conditions"):

        class Old(Toy):
            def matches(self, spec: HookSpec, event: HookEvent) -> bool:  # type: ignore[misc]
                return True


def test_a_rewrite_that_changes_the_subjects_denies() -> None:
    class Renaming(Toy):
        def rewritten(self, event: HookEvent, outcome: HookOutcome) -> HookEvent:
            changed = super().rewritten(event, outcome)
            changed.subjects = ("another",)
            return changed

    specs = [HookSpec("result", f'echo \'{{"input": {{"n": {number}}}}}\'') for number in range(2)]
    verdict = HookEngine(Renaming(), specs, cwd="/").fire("result", tool_name="a", tool_input={})
    assert verdict.decision == "deny"
    assert "changes an event's subjects" in verdict.reason


def every_event() -> list[tuple[str, str]]:
    return [(name, native) for name in dialects.names() for native in dialects.get(name).events]


@pytest.mark.parametrize(("system", "native"), every_event())
def test_silent_hooks_make_the_same_verdict_in_every_system(system: str, native: str) -> None:
    for edition in dialects.get(system).editions:
        inner = HookEngine(f"{system}@{edition}", cwd="/", env={}).systems[0]
        row = inner.dialect.events[native]
        event = inner.make_views(row, False, sample(row, False), None).event
        results = [HookResult(HookSpec(native, "true"), HookRun(), HookOutcome()) for _ in range(2)]
        for silent in ([], results):
            merged = inner.dialect.merge(event, silent)
            plain = Verdict(native, hooks=silent, notices=event.notices)
            assert {name: getattr(merged, name) for name in Verdict.__slots__} == {
                name: getattr(plain, name) for name in Verdict.__slots__
            }


@pytest.mark.parametrize(
    "said",
    [
        {"reason": "x"}, {"user_message": "x"}, {"context": "x"}, {"halt": True}, {"rewrite": "{}"}, {"output": '""'},
        {"followup": ""}, {"effects": {"env": {}}}, {"decision": "allow"}, {"ended": "nonzero"}, {"keeps_result": True},
    ],
)  # fmt: skip
def test_a_hook_with_any_effect_is_not_silent(said: dict[str, Any]) -> None:
    assert HookOutcome().silent
    assert not HookOutcome(**said).silent


def test_a_payload_is_spelled_once_and_only_for_a_reader() -> None:
    spelled: list[int] = []

    def spell() -> dict[str, Any]:
        spelled.append(1)
        return {"a": 1}

    event = HookEvent(Toy.events["check"], None, fields={}, spell=spell)
    assert spelled == []
    assert event.payload is event.payload
    assert (event.payload, spelled) == ({"a": 1}, [1])
    with pytest.raises(AttributeError):
        event.nothing  # noqa: B018


def test_a_hosts_own_executor_runs_under_a_scope_with_the_deadline() -> None:
    asked: list[float | None] = []

    class Own(ShellExecutor):
        def run(self, job: HookJob, scope: CancelScope) -> HookRun:
            asked.append(scope.remaining())
            return super().run(job, scope)

    engine = HookEngine(Toy(), [HookSpec("check", "true", timeout=20)], executor=Own(), cwd="/")
    assert engine.fire("check", tool_name="a").hooks[0].ended == "ok"
    assert asked[0] is not None and 10 < asked[0] <= 20
