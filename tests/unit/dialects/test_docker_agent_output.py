"""What the run of one hook means: docker_agent 4, on recorded runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from docker_runs import engine, fire, inner, out

from pyshellhooks import Verdict
from pyshellhooks.dialects.docker_agent import tables
from pyshellhooks.hooks.model import HookRun


@pytest.mark.parametrize("text", [" {} \n", "{}", "\n", "", '{"x":1}', '{"continue":null}', '{"decision":""}'])
def test_answers_without_an_effect(text: str) -> None:
    for event in tables.EVENTS:
        verdict = fire(event, out(text))
        assert (verdict.decision, verdict.context, verdict.notices, verdict.user_message) == ("none", "", (), "")


CONTEXT = {"session_start", "post_tool_use", "stop"}


@pytest.mark.parametrize("text", ["two\nlines", "[1]", "null", "42", "true", '"x"', "log\n{}", "\ufeff{}"])
def test_plain_text_is_context_for_three_events(text: str) -> None:
    for event in tables.EVENTS:
        verdict = fire(event, out(f" {text}\n"))
        assert verdict.context == (text if event in CONTEXT else "")
        assert (verdict.decision, verdict.hooks[0].ended) == ("none", "ok")


@pytest.mark.parametrize("text", ["{bad", "{} tail", "{}{}", '{"continue":"false"}', '{"hook_specific_output":[]}'])
def test_an_answer_that_cannot_be_parsed_is_reported(text: str) -> None:
    for event in tables.EVENTS:
        verdict = fire(event, out(text))
        assert (verdict.decision, verdict.hooks[0].ended) == ("none", "bad_output")
        assert verdict.context == (text if event in CONTEXT else "") and verdict.notices
    assert fire("pre_tool_use", out(text), edition="failclosed").decision == "deny"
    assert fire("stop", out(text), edition="failclosed").decision == "none"


@pytest.mark.parametrize(
    ("text", "reason", "shown"),
    [
        ('{"continue":false,"stop_reason":"s"}', "s", "s"),
        ('{"decision":"block","reason":"r"}', "r", ""),
        (inner('"permission_decision":"deny","permission_decision_reason":"p"'), "p", "p"),
        ('{"continue":false}', "blocked by hook", ""),
        (
            '{"continue":false,"stop_reason":"s","decision":"block","reason":"r","system_message":"m",'
            '"hook_specific_output":{"permission_decision":"deny","permission_decision_reason":"p"}}',
            "s\nr\np",
            "m\ns\np",
        ),
        # the decoder takes keys in any letter case (docker_agent 4)
        ('{"Continue":false,"STOP_REASON":"s"}', "s", "s"),
        # null is no value, and of two values the last one counts
        ('{"decision":"block","decision":null,"reason":"r"}', "r", ""),
        ('{"continue":true,"continue":false}', "blocked by hook", ""),
        (inner('"permission_decision":"deny"')[:-1] + ',"hook_specific_output":{}}', "blocked by hook", ""),
    ],
)
def test_denials(text: str, reason: str, shown: str) -> None:
    verdict = fire("pre_tool_use", out(text))
    assert (verdict.decision, verdict.halt, verdict.reason, verdict.user_message) == ("deny", False, reason, shown)
    assert verdict.hooks[0].ended == "ok"
    for event in tables.EVENTS.keys() - {"pre_tool_use"}:
        verdict = fire(event, out(text))
        assert (verdict.decision, verdict.reason) == ("none", "")
        assert any("hooks ignore decisions" in notice for notice in verdict.notices)


@pytest.mark.parametrize(
    "text",
    [
        'log\n{"decision":"block","reason":"r"}',
        '{"decision":"block","reason":"r"} tail',
        '{"decision":"block","reason":"r"}{"x":1}',
        '\ufeff{"decision":"block","reason":"r"}',
        '[{"decision":"block","reason":"r"}]',
        '{"continue":"no","decision":"block","reason":"r"}',
        '{"suppress_output":1,"decision":"block","reason":"r"}',
        '{"stop_reason":1,"decision":"block","reason":"r"}',
        '{"hook_specific_output":1,"decision":"block","reason":"r"}',
        '{"hook_specific_output":{"updated_input":[]},"decision":"block","reason":"r"}',
        '{"hook_specific_output":{"hook_event_name":1},"decision":"block","reason":"r"}',
        '{"x":' + "[" * 5000 + "]" * 5000 + ',"decision":"block","reason":"r"} tail',
    ],
)
def test_a_denial_is_never_lost_to_noise(text: str) -> None:
    verdict = fire("pre_tool_use", out(text))
    assert (verdict.decision, verdict.reason) == ("deny", "r")
    assert any("its deny counts" in notice for notice in verdict.notices)
    assert fire("pre_tool_use", out(text), edition="shipped").decision == "none"


def test_nothing_but_a_denial_is_salvaged() -> None:
    for text in (
        "log\n" + inner('"permission_decision":"allow","updated_input":{"a":1},"additional_context":"c"'),
        "log\n" + inner('"permission_decision":"ask"'),
        '"{\\"decision\\":\\"block\\"}"',
    ):
        verdict = fire("pre_tool_use", out(text), tool_input={"b": 2})
        assert (verdict.decision, verdict.context, verdict.updated_input) == ("none", "", None)


@pytest.mark.parametrize(
    ("text", "suspicious"),
    [
        ('{"decision":"deny"}', True),
        ('{"decision":"Block"}', True),
        (inner('"permission_decision":"maybe"'), True),
        ('{"decision":"allow"}', False),
        ('{"decision":"approve"}', False),
    ],
)
def test_words_that_it_does_not_know(text: str, suspicious: bool) -> None:
    verdict = fire("pre_tool_use", out(text))
    assert verdict.decision == "none" and "is unknown to Docker Agent" in verdict.notices[0]
    assert fire("pre_tool_use", out(text), strict=True).decision == ("deny" if suspicious else "none")
    assert fire("pre_tool_use", out(text), edition="failclosed").decision == "deny"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '{"permission_decision":"deny"}',
            '"permission_decision" is ignored; Docker Agent\'s key is "permission_decision", inside hook_specific_output',
        ),
        ('{"hookSpecificOutput":{"permissionDecision":"deny"}}', 'Docker Agent\'s key is "hook_specific_output"'),
        ('{"stopReason":"x"}', 'Docker Agent\'s key is "stop_reason"'),
        (inner('"permissionDecision":"deny"'), 'Docker Agent\'s key is "permission_decision"'),
        (inner('"decision":"block"'), 'key is "decision", outside of hook_specific_output'),
    ],
)
def test_keys_that_are_not_read_but_look_like_it(text: str, said: str) -> None:
    verdict = fire("pre_tool_use", out(text))
    assert verdict.decision == "none" and any(said in notice for notice in verdict.notices)
    assert fire("pre_tool_use", out(text), strict=True).decision == "deny"


@pytest.mark.parametrize(
    "spelled", [str.upper, str.title, str.capitalize, str.swapcase], ids=lambda change: change.__name__
)
def test_keys_in_other_letter_case_are_read_without_a_notice(spelled: Callable[[str], str]) -> None:
    """docker_agent 4: the decoder takes keys in any letter case."""
    said = {
        "continue": True,
        "suppress_output": False,
        "system_message": "m",
        "hook_specific_output": {
            "hook_event_name": "pre_tool_use",
            "permission_decision": "allow",
            "permission_decision_reason": "p",
            "updated_input": {"cmd": "ls"},
            "additional_context": "c",
        },
    }
    deny = {"decision": "block", "reason": "r", "stop_reason": "s"}
    for answer in (said, deny):
        plain = fire("pre_tool_use", out(json.dumps(answer)), strict=True)
        verdict = fire("pre_tool_use", out(json.dumps(_renamed(answer, spelled))), strict=True)
        assert (plain.notices, verdict.notices) == ((), ())
        assert verdict.decision == plain.decision == ("deny" if answer is deny else "allow")
        assert (verdict.reason, verdict.context, verdict.user_message) == (
            plain.reason,
            plain.context,
            plain.user_message,
        )
        assert verdict.updated_input == plain.updated_input


def _renamed(value: dict[str, Any], spelled: Callable[[str], str]) -> dict[str, Any]:
    """Spell the keys of an answer, and of the object in it, in other letters."""
    found: dict[str, Any] = {}
    for key, one in value.items():
        found[spelled(key)] = _renamed(one, spelled) if key == "hook_specific_output" else one
    return found


def test_exit_codes() -> None:
    def ended(status: int, stdout: str = "", stderr: str = "", event: str = "pre_tool_use") -> Verdict:
        return fire(event, HookRun(status=status, stdout=stdout.encode(), stderr=stderr.encode()))

    verdict = ended(2, '{"continue":true,"system_message":"m"}', " no \n")
    assert (verdict.decision, verdict.reason, verdict.user_message) == ("deny", "no", "")
    assert ended(2).reason == "blocked by hook"
    assert ended(2, "plain words").reason == "blocked by hook"
    assert ended(2, '{"reason":"r"}').reason == "r"
    assert ended(2, 'log {"decision":"block","reason":"r"}').reason == "r"
    assert ended(2, inner('"permission_decision":"deny","permission_decision_reason":"p"'), "e").reason == "e"
    for status in (1, 3, 126, 127, 255):
        verdict = ended(status, '{"decision":"block"}', "oops")
        assert (verdict.decision, verdict.reason) == ("none", "") and "deny on stdout" in "".join(verdict.notices)
    for event in tables.EVENTS.keys() - {"pre_tool_use"}:
        verdict = ended(2, "text", "e", event)
        assert (verdict.decision, verdict.context) == ("none", "") and "can't be blocked" in verdict.notices[0]


@pytest.mark.parametrize(
    "run",
    [
        HookRun("stopped", None, reason="deadline"),
        HookRun("stopped", None, reason="cancelled"),
        HookRun("stopped", None, reason="limit", detail="steps"),
        HookRun("not_started", None, detail="no such directory"),
        HookRun("abandoned", None, reason="deadline"),
        HookRun("signaled", 137),
        HookRun("exited", 1),
        HookRun("exited", 0, late=True, reason="deadline"),
    ],
    ids=["timeout", "cancel", "limit", "spawn", "abandoned", "signal", "exit 1", "late"],
)
def test_failures_are_open_unless_the_edition_or_the_host_decides_otherwise(run: HookRun) -> None:
    verdict = engine("pre_tool_use", run, own_failures="vendor").fire("pre_tool_use")
    assert verdict.decision == "none" and verdict.notices
    assert fire("pre_tool_use", run, edition="failclosed").decision == "deny"
    assert fire("pre_tool_use", run, strict=True).decision == "deny"
    for event in tables.EVENTS.keys() - {"pre_tool_use"}:
        assert fire(event, run, edition="failclosed").decision == "none"


def test_a_denial_in_the_grace_counts() -> None:
    late = out('{"decision":"block","reason":"r"}', late=True, reason="deadline")
    assert fire("pre_tool_use", late).reason == "r"
    assert fire("pre_tool_use", late, edition="shipped").hooks[0].ended == "timed_out"
    allowed = out(inner('"permission_decision":"allow","updated_input":{"a":1}'), late=True, reason="deadline")
    verdict = fire("pre_tool_use", allowed)
    assert (verdict.decision, verdict.updated_input, verdict.hooks[0].ended) == ("none", None, "timed_out")


@pytest.mark.parametrize("make", [lambda: b"x" * 5_000_000, lambda: b"\xff\xfe{", lambda: b"{" * 100_000])
def test_output_abuse_leads_to_notices_and_no_exception(make: Callable[[], bytes]) -> None:
    for event in tables.EVENTS:
        verdict = fire(event, HookRun(stdout=make()))
        assert verdict.decision == "none" and "internal error" not in "".join(verdict.notices)
