"""What is told of a hook that failed: what became of the call; of one that took too long also the time that it had."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from mistakes import OF
from own_failure_cells import fire as fire_run
from own_failure_cells import systems

from pyshellhooks import HookEngine, dialects
from pyshellhooks.errors import Stop
from pyshellhooks.hooks.dialect import Dialect
from pyshellhooks.hooks.model import HookJob, HookRun
from pyshellhooks.hooks.verdict import Verdict
from pyshellhooks.notice import Notice

CALL: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
#: System, what is written into its config, what it says of that, and whether the system denies the call.
TABLE: list[tuple[str, dict[str, Any], str, bool]] = [
    ("crush", {"timeout": 7}, 'it had 7 s: raise "timeout" (in seconds)', False),
    ("crush", {}, 'it had 30 s: raise "timeout" (in seconds)', False),
    ("gemini", {"timeout": 7500}, 'it had 7.5 s: raise "timeout" (in milliseconds)', False),
    ("gemini", {}, 'it had 60 s: raise "timeout" (in milliseconds)', False),
    ("docker_agent", {}, 'it had 60 s: raise "timeout" (in seconds)', False),
    ("everruns", {"timeout_ms": 700}, 'it had 0.7 s: raise "timeout_ms" (in milliseconds)', False),
    ("everruns", {"on_error": "block"}, 'it had 5 s: raise "timeout_ms" (in milliseconds)', True),
    ("firebender", {"timeout": 7}, 'it had 7 s: raise "timeout" (in seconds)', False),
    ("firebender", {"failClosed": True}, 'it had 60 s: raise "timeout" (in seconds)', True),
    ("cursor", {"timeout": 7}, 'it had 7 s: raise "timeout" (in seconds)', False),
    ("cursor", {"failClosed": True}, 'it had 60 s: raise "timeout" (in seconds)', True),
    ("claude_code", {"timeout": 7}, 'it had 7 s: raise "timeout" (in seconds)', False),
    ("claude_code", {"onFailure": "block"}, 'it had 600 s: raise "timeout" (in seconds)', True),
]


class Slow:
    """An executor on which every hook takes too long; it takes no time to say so."""

    def run(self, job: HookJob, scope: object) -> HookRun:
        raise Stop("deadline")


def timeout_notice(verdict: Verdict) -> Notice:
    (one,) = [one for one in verdict.notices if isinstance(one, Notice) and one.kind == "hook-timed-out"]
    return one


@pytest.mark.parametrize(("system", "written", "hint", "denies"), TABLE)
def test_each_system(system: str, written: dict[str, Any], hint: str, denies: bool) -> None:
    config = OF[system]("true", **written)
    with HookEngine.load(config, system, executor=Slow()) as engine:
        verdict = engine.fire("before_tool", **CALL)
    one = timeout_notice(verdict)
    assert one.hint == hint + ", or make the hook faster" and one.hint in one
    assert verdict.blocked == denies
    goes_on = f"{dialects.get(system).title} runs the call unless another hook denies it"
    assert one.then == ("the call is denied" if denies else goes_on) and one.then in one
    assert "timed out; it had" not in verdict.reason  # the model is told no more than before


def test_on_failure_for_all_hooks_counts() -> None:
    with HookEngine.load(OF["crush"]("true"), "crush", executor=Slow(), on_failure="closed") as engine:
        assert timeout_notice(engine.fire("before_tool", **CALL)).then == "the call is denied"


class Garbled:
    """An executor on which every hook writes what nobody can read."""

    def run(self, job: HookJob, scope: object) -> HookRun:
        return HookRun(stdout=b'{"decision": }')


@pytest.mark.parametrize("policy", ["closed", "open"])
@pytest.mark.parametrize("system", ["crush", "gemini", "everruns", "firebender", "cursor", "claude_code"])
def test_an_answer_that_cannot_be_read(system: str, policy: str) -> None:
    """Also where the policy, and not the answer, has denied."""
    with HookEngine.load(OF[system]("true"), system, executor=Garbled(), on_failure=policy) as engine:
        verdict = engine.fire("before_tool", **CALL)
    (one,) = [one for one in verdict.notices if isinstance(one, Notice) and one.kind == "bad-output"]
    goes_on = f"{dialects.get(system).title} runs the call unless another hook denies it"
    assert verdict.blocked == (policy == "closed")
    assert one.then == ("the call is denied" if verdict.blocked else goes_on)


def test_a_firing_that_has_less_time_than_its_hook() -> None:
    with HookEngine.load(OF["crush"]("sleep 20"), "crush") as engine:
        one = timeout_notice(engine.fire("before_tool", timeout=0.1, **CALL))
    assert '"timeout"' not in one.hint and one.hint.startswith("the event's own timeout ended before")


@pytest.mark.parametrize("dialect", list(systems()), ids=lambda dialect: dialect.full_name)
def test_every_event_reports_its_consequence(dialect: Dialect) -> None:
    run = HookRun("stopped", None, reason="deadline")
    for row in dialect.events.values():
        for options in ({}, {"on_failure": "closed"}, {"strict": True}):
            verdict = fire_run(dialect, row, copy.copy(run), **options)
            then = timeout_notice(verdict).then
            assert then and ("is denied" in then or "is withheld" in then) == verdict.blocked, (
                row.native,
                options,
                then,
            )


@pytest.mark.parametrize("dialect", list(systems()), ids=lambda dialect: dialect.full_name)
@pytest.mark.parametrize("stderr", [b"", b"no"])
def test_a_status_that_blocks_nothing(dialect: Dialect, stderr: bytes) -> None:
    """``exit 1``, also without a word: told once, with what became of the call; nothing says that it goes on where it is denied."""
    for row in dialect.events.values():
        for options in ({}, {"on_failure": "closed"}, {"strict": True}):
            verdict = fire_run(dialect, row, HookRun(status=1, stderr=stderr), **options)
            notices = [one for one in verdict.notices if isinstance(one, Notice) and one.kind == "hook-failed"]
            if verdict.hooks[0].ended == "ok":  # only logged in some system
                continue
            assert len(notices) <= 1 and all(one.hint and one.then for one in notices), (row.native, notices)
            denied = [one for one in notices if "is denied" in one.then or "is withheld" in one.then]
            assert bool(denied) == (bool(notices) and verdict.blocked), (row.native, options, notices)
            assert not verdict.blocked or "continues" not in verdict.reason
