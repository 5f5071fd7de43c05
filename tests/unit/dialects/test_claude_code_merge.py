"""What all hooks of an event say together, and what a session keeps (claude_code 4 and 6)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.hooks.model import HookRun, HookSession


def engine(name: str, *runs: HookRun, **handler: Any) -> HookEngine:
    handlers = [{"type": "command", "command": str(number), **handler} for number in range(len(runs))]
    executor = RecordedExecutor({str(number): run for number, run in enumerate(runs)})
    return HookEngine.load({"hooks": {name: [{"hooks": handlers}]}}, "claude_code", executor=executor, env={})


def answer(**value: Any) -> HookRun:
    return HookRun(stdout=json.dumps(value).encode())


def specific(event: str = "PreToolUse", **value: Any) -> HookRun:
    return answer(hookSpecificOutput={"hookEventName": event, **value})


BLOCK = HookRun(status=2, stderr=b"more")


@pytest.mark.parametrize(
    ("words", "decision", "halt", "effects"),
    [
        (["allow", "allow"], "allow", False, {}),
        (["allow", "ask"], "ask", False, {}),
        (["ask", "defer"], "deny", True, {"defer": True}),
        (["defer", "deny"], "deny", False, {}),
        (["deny", "defer"], "deny", False, {}),
        (["deny", "allow"], "deny", False, {}),
        (["defer", "defer"], "deny", True, {"defer": True}),
    ],
)
def test_order_of_decisions(words: list[str], decision: str, halt: bool, effects: dict[str, Any]) -> None:
    runs = [specific(permissionDecision=word, permissionDecisionReason=word) for word in words]
    verdict = engine("PreToolUse", *runs).fire("PreToolUse", tool_name="Bash")
    assert (verdict.decision, verdict.halt, verdict.effects) == (decision, halt, effects)
    deciding = "deny" if "deny" in words else "defer" if "defer" in words else decision
    assert set(verdict.reason.split("\n")) == {deciding}
    assert verdict.proceeds == (decision == "allow") and verdict.needs_approval == (decision == "ask")


def test_a_halt_leaves_no_decision_that_could_be_taken_for_a_yes() -> None:
    runs = [specific(permissionDecision="allow", updatedInput={"a": 1}), answer(**{"continue": False})]
    verdict = engine("PreToolUse", *runs).fire("PreToolUse", tool_name="Bash")
    assert verdict.halt and verdict.decision == "deny" and verdict.updated_input is None
    verdict = engine("Elicitation", specific("Elicitation", action="accept"), answer(**{"continue": False})).fire(
        "Elicitation"
    )
    assert verdict.halt and verdict.decision == "deny"


def test_a_halt_on_stop_leaves_no_followup() -> None:
    verdict = engine("Stop", BLOCK, answer(**{"continue": False})).fire("Stop")
    assert verdict.halt and verdict.followup is None


def test_a_rewrite_that_is_no_object_is_refused() -> None:
    runs = [specific(updatedInput={"a": 1.50}), specific(updatedInput=5)]
    verdict = engine("PreToolUse", *runs).fire("PreToolUse", tool_name="Bash", tool_input={"b": 2})
    assert verdict.updated_input == {"a": 1.5} and verdict.hooks[1].ended == "bad_output"


def test_the_spelling_of_a_rewrite_is_kept() -> None:
    run = HookRun(
        stdout=b'{"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"b": 1.50, "a": 1e3}}}'
    )
    verdict = engine("PreToolUse", run).fire("PreToolUse", tool_name="Bash")
    assert verdict.updated_input_text == '{"b":1.50,"a":1e3}'


def test_stops_are_counted_by_session_and_subagent() -> None:
    one = engine("SubagentStop", BLOCK)
    session, other = HookSession("a"), HookSession("b")
    for _ in range(8):
        assert one.fire("SubagentStop", session=session, agent_id="x").followup == "more"
    ninth = one.fire("SubagentStop", session=session, agent_id="x")
    assert ninth.followup is None and ninth.decision == "none" and any("8 stops" in text for text in ninth.notices)
    assert one.fire("SubagentStop", session=session, agent_id="y").followup == "more"
    assert one.fire("SubagentStop", session=other, agent_id="x").followup == "more"
    # The one that stood was a stop without a block: the count begins anew.
    assert one.fire("SubagentStop", session=session, agent_id="x").followup == "more"


@pytest.mark.parametrize(("cap", "followups"), [("2", 2), ("0", 20), ("", 8), ("many", 8), ("-1", 8)])
def test_how_many_stops_may_be_refused_is_set_in_the_environment(cap: str, followups: int) -> None:
    config = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "0"}]}]}}
    env = {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": cap}
    one = HookEngine.load(config, "claude_code", executor=RecordedExecutor({"0": BLOCK}), env=env)
    session = HookSession("a")
    refused = [one.fire("Stop", session=session).followup for _ in range(20)]
    assert refused[: followups + 1].count("more") == followups


def test_context_that_continues_counts_as_well() -> None:
    one = engine("Stop", specific("Stop", additionalContext="c"))
    session = HookSession("a")
    followups = [one.fire("Stop", session=session).followup for _ in range(9)]
    assert followups == ["c"] * 8 + [None]


def test_other_events_do_not_touch_the_count() -> None:
    one = engine("PreToolUse", BLOCK)
    session = HookSession("a")
    one.fire("PreToolUse", session=session, tool_name="Bash")
    assert session.counters == {}


def test_exported_variables_reach_the_host_and_no_hooks() -> None:
    one = engine("SessionStart", HookRun(env_text=b"A=1"), HookRun(env_text=b"export A=2 # x\nB=3\n"))
    session = HookSession("a")
    verdict = one.fire("SessionStart", session=session)
    assert verdict.effects == {"env": {"A": "2", "B": "3"}, "env_file": "A=1\nexport A=2 # x\nB=3\n"}
    assert session.env == {"A": "2", "B": "3"}
    one.fire("SessionStart", session=session)
    executor = one.executor
    assert isinstance(executor, RecordedExecutor) and all("A" not in job.env for job in executor.jobs)


def test_effects_add_up() -> None:
    runs = [
        specific("SessionStart", watchPaths=["a"], sessionTitle="x", reloadSkills=True),
        specific("SessionStart", watchPaths=["b", "a"], sessionTitle="y", reloadSkills=False),
        answer(terminalSequence="\x07", suppressOutput=True),
        answer(terminalSequence="\x07"),
    ]
    verdict = engine("SessionStart", *runs).fire("SessionStart")
    assert verdict.effects == {
        "watch_paths": ["a", "b"], "session_title": "y", "reload_skills": True,
        "terminal_sequence": "\x07\x07", "suppress_output": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("actions", "action"),
    [
        (["accept", "decline"], "decline"),
        (["decline", "accept"], "decline"),
        (["decline", "cancel", "accept"], "cancel"),
        (["accept", "accept"], "accept"),
    ],
)
def test_the_strongest_answer_to_an_elicitation(actions: list[str], action: str) -> None:
    runs = [specific("Elicitation", action=word, content={"n": n}) for n, word in enumerate(actions)]
    verdict = engine("Elicitation", *runs).fire("Elicitation")
    assert verdict.effects["elicitation"]["action"] == action
    assert verdict.decision == ("allow" if action == "accept" else "deny")


def test_reasons_of_asynchronous_hooks_are_joined_in_rewake() -> None:
    runs = [HookRun(status=2, stderr=b"a"), HookRun(status=2, stderr=b"b")]
    verdict = engine("Stop", *runs, asyncRewake=True).fire("Stop")
    assert verdict.followup is None and verdict.effects == {"rewake": "a\nb"}


def test_strict_denies_every_failure_of_a_guard() -> None:
    config = {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x", "async": True}]}]}}
    for run in (HookRun(status=1), HookRun(stdout=b"{x}"), HookRun("stopped", None, reason="deadline")):
        executor = RecordedExecutor(default=run)
        with HookEngine.load(config, "claude_code", executor=executor, on_failure="closed") as one:
            assert one.fire("PreToolUse").decision == "none"  # its own policy: nobody waits for it
        plain = {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x"}]}]}}
        with HookEngine.load(plain, "claude_code", executor=executor, strict=True) as one:
            assert one.fire("PreToolUse").decision == "deny"
