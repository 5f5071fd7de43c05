"""How answers come together: docker_agent 5, on recorded runs."""

from __future__ import annotations

import pytest
from clock import patient
from docker_runs import engine, fire, inner, out

from pyshellhooks import HookEngine
from pyshellhooks.cancel import CancelScope
from pyshellhooks.dialects.docker_agent import shipped, tables
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.hooks.model import HookRun


def permission(word: str, reason: str) -> HookRun:
    return out(inner(f'"permission_decision":"{word}","permission_decision_reason":"{reason}"'))


@pytest.mark.parametrize(
    ("words", "decision", "reason"),
    [
        ("allow", "allow", "0"),
        ("ask", "ask", "0"),
        ("allow ask allow", "ask", "1"),
        ("ask deny allow", "deny", "1"),
        ("deny deny ask", "deny", "0\n1"),
        ("ask ask", "ask", "0"),
    ],
)
def test_the_strongest_permission_counts(words: str, decision: str, reason: str) -> None:
    runs = [permission(word, str(number)) for number, word in enumerate(words.split())]
    verdict = fire("pre_tool_use", *runs)
    assert (verdict.decision, verdict.reason) == (decision, reason)
    assert verdict.user_message == "\n".join(str(number) for number in range(len(runs)))
    shipped_decision = "deny" if decision == "deny" else "none"
    assert fire("pre_tool_use", *runs, edition="shipped").decision == shipped_decision


def rewrite(text: str) -> HookRun:
    return out(inner(f'"updated_input":{text}'))


@pytest.mark.parametrize(
    ("original", "patches", "text"),
    [
        ('{"cmd":"a","cwd":"/"}', ['{"cmd":"b"}'], '{"cmd":"b"}'),
        ('{"cmd":"a"}', ['{"x":1.0,"cmd":"b"}', '{"cmd":"c","y":1e400}'], '{"x":1.0,"cmd":"c","y":1e400}'),
        ('{"cmd":"a"}', ["{}"], "{}"),
        ('{"cmd":"a"}', ['{"cmd": "a"}'], None),
        ('{"cmd":"a"}', ["null"], None),
        ("", ['{"cmd":"b"}'], '{"cmd":"b"}'),
        ("", ["{}"], None),
        ("[1]", ['{"cmd":"b"}'], '{"cmd":"b"}'),
    ],
)
def test_rewrites_together_replace_the_input(original: str, patches: list[str], text: str | None) -> None:
    verdict = fire("pre_tool_use", *map(rewrite, patches), tool_input=original)
    assert verdict.updated_input_text == text


def test_shipped_rewrites_go_through_a_map() -> None:
    verdict = fire("pre_tool_use", rewrite('{"b":1.0,"a":9007199254740993}'), edition="shipped", tool_input="{}")
    assert verdict.updated_input_text == '{"a":9007199254740992,"b":1}'


def test_a_map_of_very_many_keys_is_sorted_as_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "MANY", 2)
    assert (
        shipped.as_map('{"c":1,"\U0001f600":2,"\uffff":3,"a":4,"b":5}')
        == '{"a":4,"b":5,"c":1,"\uffff":3,"\U0001f600":2}'
    )


def test_a_denied_call_is_not_rewritten_and_other_events_rewrite_nothing() -> None:
    verdict = fire("pre_tool_use", rewrite('{"a":1}'), out('{"decision":"block"}'), tool_input={})
    assert (verdict.decision, verdict.updated_input) == ("deny", None)
    verdict = fire("post_tool_use", rewrite('{"a":1}'), tool_input={})
    assert verdict.updated_input is None and "updated_input" in verdict.notices[0]


def test_contexts_join_in_config_order() -> None:
    runs = [out(" plain \n"), out(inner('"additional_context":" json "')), out("{}"), out("last")]
    assert fire("post_tool_use", *runs).context == "plain\n json \nlast"
    assert fire("pre_tool_use", out(inner('"additional_context":"c"'))).context == "c"
    verdict = fire("notification", out(inner('"additional_context":"c"')))
    assert verdict.context == "" and "additional_context" in verdict.notices[0]


def test_messages_and_suppressed_output() -> None:
    runs = [out('{"system_message":"one"}'), out('{"system_message":"two","suppress_output":true}')]
    for event in tables.EVENTS:
        verdict = fire(event, *runs)
        assert (verdict.user_message, verdict.effects) == ("one\ntwo", {"suppress_output": True})
        verdict = fire(event, *runs, edition="shipped")
        mute = event in ("session_end", "on_user_input", "notification")
        assert (verdict.user_message, verdict.effects) == ("" if mute else "one\ntwo", {})


def test_shipped_shows_the_reason_of_a_block_and_no_message() -> None:
    runs = [out('{"system_message":"m"}'), out('{"decision":"block","reason":"r"}')]
    assert fire("pre_tool_use", *runs).user_message == "m"
    assert fire("pre_tool_use", *runs, edition="shipped").user_message == "r"


def test_equal_commands_run_once_with_the_first_time() -> None:
    groups = [
        {"matcher": matcher, "hooks": [{"type": "command", "command": command, "timeout": time}]}
        for matcher, command, time in (("a", "x", 5), ("shell", "x", 6), ("*", "x", 7), ("*", "y", 8))
    ]
    made = HookEngine.load({"hooks": {"pre_tool_use": groups}}, "docker_agent", executor=RecordedExecutor())
    assert [hook.spec.timeout for hook in made.fire("pre_tool_use", tool_name="shell").hooks] == [6, 8]


def test_session_end_runs_although_the_caller_gave_up() -> None:
    # seed 002: "run even when the session is interrupted"; docker_agent 2.2
    for event, ended in (("session_end", "ok"), ("session_start", "cancelled")):
        scope = CancelScope()
        scope.cancel("cancelled", "interrupted")
        verdict = engine(event, out("text")).fire(event, scope=scope)
        assert [hook.ended for hook in verdict.hooks] == [ended]
        scope.close()


def test_session_end_has_its_own_time() -> None:
    hooks = {"session_end": [{"type": "command", "command": "sleep 30", "timeout": 1}]}
    scope = CancelScope()
    scope.cancel("cancelled", "interrupted")
    with HookEngine.load({"hooks": hooks}, "docker_agent") as made:
        verdict = made.fire("session_end", scope=scope)
    assert verdict.hooks[0].ended == "timed_out" and 0.9 < verdict.hooks[0].seconds < patient(4)
    scope.close()
