"""What Gemini CLI's hooks say, one by one and together: what verdicts do not hold (gemini 2.3 to 5)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pyshellhooks import HookEngine, Verdict
from pyshellhooks.dialects.gemini import Gemini
from pyshellhooks.dialects.gemini.parse_output import parse
from pyshellhooks.dialects.gemini.shipped import filled_in, pasted, quoted
from pyshellhooks.dialects.gemini.stable_model import stable_request, union
from pyshellhooks.engine import RecordedExecutor
from pyshellhooks.hooks.model import HookRun
from pyshellhooks.jsontext.compact import JsonText

MODEL = {"model": "m", "messages": [], "config": {}}
FIELDS: dict[str, dict[str, Any]] = {
    "BeforeTool": {"tool_name": "t", "tool_input": {"a": 1}},
    "AfterTool": {"tool_name": "t", "tool_input": {}, "tool_response": {"llmContent": "x"}},
    "BeforeAgent": {"prompt": "p"},
    "AfterAgent": {"prompt": "p", "prompt_response": "r"},
    "BeforeModel": {"llm_request": MODEL},
    "BeforeToolSelection": {"llm_request": MODEL},
    "AfterModel": {"llm_request": MODEL, "llm_response": {"candidates": []}},
    "SessionStart": {},
    "SessionEnd": {},
    "Notification": {},
    "PreCompress": {},
}


def fire(event: str, *runs: HookRun | dict[str, Any], edition: str = "documented", **options: Any) -> Verdict:
    """Fire an event at hooks of recorded runs; a dict is an answer with exit status 0."""
    table = {
        str(n): run if isinstance(run, HookRun) else HookRun(stdout=json.dumps(run).encode())
        for n, run in enumerate(runs)
    }
    hooks = [{"type": "command", "command": name} for name in table]
    text = json.dumps({"hooks": {event: [{"hooks": hooks}]}})
    engine = HookEngine.load(text, f"gemini@{edition}", executor=RecordedExecutor(table), **options)
    return engine.fire(event, FIELDS[event])


DENY = {"decision": "deny", "reason": "no"}


def test_every_event_can_be_fired() -> None:
    assert set(FIELDS) == set(Gemini().events)
    for event in FIELDS:
        assert fire(event, {}).decision == "none"


def test_a_deny_leaves_no_rewrite_and_no_output() -> None:
    verdict = fire("AfterTool", DENY)
    assert (verdict.decision, verdict.reason, verdict.updated_output, dict(verdict.effects)) == ("deny", "no", None, {})
    verdict = fire("BeforeTool", {"hookSpecificOutput": {"tool_input": {"b": 1}}}, DENY)
    assert verdict.updated_input is None and not verdict.proceeds


def test_a_denied_request_has_no_effect() -> None:
    assert fire("BeforeModel", {"hookSpecificOutput": {"llm_request": {"model": "x"}}}, DENY).effects == {}


def test_a_stop_keeps_the_prompt_and_a_deny_discards_it() -> None:
    assert fire("BeforeAgent", {"continue": False}).effects == {}
    assert fire("BeforeAgent", DENY).effects == {"discard_prompt": True}
    both = {"continue": False, "decision": "deny"}
    assert fire("BeforeAgent", both).effects == {"discard_prompt": True}
    assert fire("BeforeAgent", both, edition="shipped").effects == {}


def test_a_stop_on_after_agent_is_no_retry() -> None:
    verdict = fire("AfterAgent", {**DENY, "continue": False, "stopReason": "s"})
    assert (verdict.halt, verdict.followup, verdict.reason) == (True, None, "s")
    verdict = fire("AfterAgent", DENY, {"continue": False})
    assert verdict.halt and verdict.followup is None


def test_a_retry_has_no_reason_of_a_deny() -> None:
    verdict = fire("AfterAgent", DENY)
    assert (verdict.followup, verdict.decision, verdict.reason) == ("no", "none", "")
    assert fire("AfterAgent", {}).followup is None


@pytest.mark.parametrize("clear", ["true", 1, None])
def test_only_true_clears_the_context(clear: object) -> None:
    assert fire("AfterAgent", {"hookSpecificOutput": {"clearContext": clear}}).effects == {}


def test_clear_context_without_a_block() -> None:
    answer = {"hookSpecificOutput": {"clearContext": True}}
    assert fire("AfterAgent", answer).effects == {"clear_context": True}
    assert fire("AfterAgent", answer, edition="shipped").effects == {}
    assert fire("AfterAgent", {**answer, "continue": False}, edition="shipped").effects == {"clear_context": True}


def test_a_synthetic_response_without_a_deny() -> None:
    answer: dict[str, Any] = {"hookSpecificOutput": {"llm_response": {"candidates": []}}}
    assert fire("BeforeModel", answer).effects == {"llm_response": {"candidates": []}}
    assert fire("BeforeModel", answer, edition="shipped").effects == {}


def test_a_replacement_that_is_empty() -> None:
    answer: dict[str, Any] = {"hookSpecificOutput": {"llm_response": {"candidates": [{"content": {"parts": []}}]}}}
    assert fire("AfterModel", answer).effects == answer["hookSpecificOutput"]
    assert fire("AfterModel", answer, edition="shipped").effects == {}


def test_no_selection_without_a_tool_config() -> None:
    assert fire("BeforeToolSelection", {"suppressOutput": False}).effects == {}
    config = {"mode": "AUTO", "allowedFunctionNames": []}
    assert fire("BeforeToolSelection", {}, edition="shipped").effects == {"tool_config": config}


@pytest.mark.parametrize("edition", Gemini.editions)
@pytest.mark.parametrize("event", ["SessionStart", "SessionEnd", "Notification", "PreCompress", "BeforeToolSelection"])
def test_events_that_cannot_be_blocked(event: str, edition: str) -> None:
    verdict = fire(event, {**DENY, "continue": False, "stopReason": "s"}, edition=edition, strict=True)
    assert (verdict.decision, verdict.halt, verdict.reason, verdict.user_message) == ("none", False, "", "")
    assert verdict.proceeds


def test_a_block_in_noise_where_nothing_can_be_blocked() -> None:
    run = HookRun(stdout=b'x {"continue": false, "stopReason": "s"}')
    verdict = fire("SessionStart", run)
    assert (verdict.decision, verdict.halt, verdict.user_message) == ("none", False, "")


@pytest.mark.parametrize("edition", Gemini.editions)
@pytest.mark.parametrize("event", [name for name, row in Gemini().events.items() if "deny" in row.can])
def test_failures_deny_under_strict(event: str, edition: str) -> None:
    timed_out = HookRun("stopped", None, reason="deadline")
    for others in ([], [{"decision": "allow"}]):
        verdict = fire(event, timed_out, *others, edition=edition, strict=True)
        assert verdict.decision == "deny" and "hook failed" in verdict.reason, (event, edition)
    assert fire(event, timed_out, edition=edition).decision == "none"


@pytest.mark.parametrize("status", [2, 258])
def test_statuses_are_bytes(status: int) -> None:
    assert fire("BeforeTool", HookRun(status=status, stderr=b"why")).reason == "why"


def test_a_late_answer() -> None:
    for run, decision in (
        (HookRun(stdout=json.dumps(DENY).encode(), late=True, reason="deadline"), "deny"),
        (HookRun(stdout=b'{"decision": "allow"}', late=True, reason="deadline"), "none"),
    ):
        assert fire("BeforeTool", run).decision == decision
        assert fire("BeforeTool", run, edition="shipped").decision == "none"


def test_the_patch_keeps_its_spelling() -> None:
    run = HookRun(stdout=b'{"hookSpecificOutput": {"tool_input": {"n": 1.50, "big": 12345678901234567890123}}}')
    verdict = fire("BeforeTool", run)
    assert verdict.updated_input_text == '{"a":1,"n":1.50,"big":12345678901234567890123}'


def test_double_encoded_patches_preserve_it_too() -> None:
    inner = '{"hookSpecificOutput": {"tool_input": {"n": 1.50}}}'
    verdict = fire("BeforeTool", HookRun(stdout=json.dumps(inner).encode()))
    assert verdict.updated_input_text == '{"a":1,"n":1.50}'


def test_requests_in_the_stable_form() -> None:
    text = stable_request({"messages": ["a", {"role": "assistant", "parts": [{"text": "b"}, 5]}]}, frozenset())
    assert json.loads(text) == {"messages": [{"role": "user", "content": "a"}, {"role": "model", "content": "b"}]}
    for odd in (["x"], 5, JsonText('"{"')):  # mistyped: the event says so, and hooks see it
        assert stable_request(odd, frozenset()) == (odd if isinstance(odd, str) else json.dumps(odd))


def test_a_request_too_deep_to_be_looked_into_is_sent() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    assert stable_request(JsonText(f'{{"x": {deep}}}'), frozenset()) == f'{{"x":{deep}}}'


def test_names_are_sorted_by_code_unit() -> None:
    names = ["\uffff", "\U0001f600", "b", "B"]
    assert union([{"allowedFunctionNames": names}])["allowedFunctionNames"] == ["B", "b", "\U0001f600", "\uffff"]


def test_parse_is_pure() -> None:
    run, row = HookRun(stdout=json.dumps(DENY).encode()), Gemini().events["BeforeTool"]
    assert parse(run, row).reason == parse(run, row).reason == "no" and run.stdout == json.dumps(DENY).encode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("$A ${A} ${A:-x} $B ${B} ${B:-x}", "1 1 1 $B ${B} x"),
        ("$(echo $1) $$ ${A#x} ${B:-}", "$(echo $1) $$ ${A#x} "),
    ],
)
def test_variables_are_filled_in(text: str, shown: str) -> None:
    assert filled_in(text, {"A": "1"}) == shown


# The rules of gemini 3, "Textual substitution".
@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("/a/b", "/a/b"),
        ("/a b", "'/a b'"),
        ("a'b c", '"a\'b c"'),
        ("a$b", "a\\$b"),
        ("", ""),
        ("a;touch x", "'a;touch x'"),
    ],
)
def test_values_are_quoted(value: str, shown: str) -> None:
    assert quoted(value) == shown


def test_pasting_has_no_word_boundary() -> None:
    assert pasted("$GEMINI_CWDX ${GEMINI_CWD} $GEMINI_SESSION_ID", {"GEMINI_CWD": "/w", "GEMINI_SESSION_ID": "s"}) == (
        "/wX ${GEMINI_CWD} s"
    )


KEYS = ["systemMessage", "suppressOutput", "continue", "stopReason", "reason", "hookSpecificOutput", "other"]
SPECIFIC = ["tool_input", "additionalContext", "clearContext", "llm_request", "llm_response", "toolConfig"]
VALUES: list[Any] = [None, True, 0, 1.5, "x", [], [1], {}, {"a": {"b": []}}, [[["deep"]]], "\ud800", "\u0000"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("edition", Gemini.editions)
@pytest.mark.parametrize("event", list(FIELDS))
def test_a_wrong_type_never_hides_a_deny(event: str, edition: str) -> None:
    answers = [{**DENY, key: value} for key in KEYS for value in VALUES]
    answers += [
        {**DENY, "hookSpecificOutput": {key: value}} for key in [*SPECIFIC, "tailToolCallRequest"] for value in VALUES
    ]
    can = Gemini().events[event].can
    runs = {"x": HookRun()}
    text = json.dumps({"hooks": {event: [{"hooks": [{"type": "command", "command": "x"}]}]}})
    engine = HookEngine.load(text, f"gemini@{edition}", executor=RecordedExecutor(runs))
    for answer in answers:
        runs["x"] = HookRun(stdout=json.dumps(answer).encode())
        verdict = engine.fire(event, FIELDS[event])
        said = json.dumps(verdict.as_json())
        assert "internal error" not in said, (answer, said)
        assert (verdict.decision == "deny") == ("deny" in can), answer
        assert (verdict.followup is not None) == ("followup" in can), answer


@pytest.mark.parametrize("edition", Gemini.editions)
@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("event", ["BeforeTool", "BeforeModel", "AfterAgent"])
def test_decisions_of_any_type(event: str, value: object, edition: str) -> None:
    verdict = fire(event, {"decision": value}, edition=edition)
    assert verdict.proceeds and verdict.followup is None
    assert "internal error" not in json.dumps(verdict.as_json())
