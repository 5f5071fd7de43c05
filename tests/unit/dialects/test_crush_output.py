"""What one hook's run means (crush 4, docs/contracts/README.md)."""

from __future__ import annotations

from typing import Any

import pytest

from pyshellhooks.dialects.crush import Crush
from pyshellhooks.hooks.model import HookEvent, HookOutcome, HookRun, HookSpec

EVENT = HookEvent(Crush.events["PreToolUse"], {}, fields={})
SPEC = HookSpec("PreToolUse", "x")


def parse(run: HookRun, edition: str = "") -> HookOutcome:
    return Crush(edition).parse(run, SPEC, EVENT)


def outcome_of(stdout: str, edition: str = "") -> HookOutcome:
    return parse(HookRun(stdout=stdout.encode()), edition)


@pytest.mark.parametrize(
    ("status", "stderr", "expected"),
    [
        (2, b" no \n", ("deny", False, "no")),
        (2, b"", ("deny", False, "blocked by hook")),
        (49, b"enough\n", ("deny", True, "enough")),
        (49, b" \n", ("deny", True, "turn halted by hook")),
        (258, b"", ("deny", False, "blocked by hook")),  # statuses are bytes
        (1, b"oops", ("none", False, "")),
        (126, b"", ("none", False, "")),
        (127, b"jq: command not found", ("none", False, "")),
        (137, b"", ("none", False, "")),
    ],
)
def test_statuses(status: int, stderr: bytes, expected: tuple[str, bool, str]) -> None:
    outcome = parse(HookRun(status=status, stdout=b'{"decision":"allow"}', stderr=stderr))
    assert (outcome.decision, outcome.halt, outcome.reason) == expected
    assert outcome.ended == "nonzero" and outcome.context == "" and outcome.rewrite is None


def test_a_signal_is_no_answer_even_if_its_number_looks_like_one() -> None:
    assert parse(HookRun("signaled", 130)).decision == "none"


@pytest.mark.parametrize(
    ("run", "ended", "notice"),
    [
        (HookRun("stopped", None, reason="deadline"), "timed_out", "timed out"),
        (HookRun("abandoned", None, reason="deadline"), "abandoned", "abandoned"),
        (HookRun("stopped", None, reason="cancelled"), "cancelled", "cancelled"),
        (HookRun("stopped", None, reason="limit", detail="call_depth"), "stopped", "stopped: call_depth"),
        (HookRun("not_started", None, detail="/x: No such file"), "not_started", "not started: /x: No such file"),
        (
            HookRun(
                "stopped",
                None,
                b'{"decision":"deny"}',
                reason="limit",
                detail="stdout is larger than 9 bytes",
                limit="output",
            ),
            "too_much_output",
            "too much output: stdout is larger than 9 bytes",
        ),
    ],
)
def test_failures_have_no_decision_but_a_notice(run: HookRun, ended: str, notice: str) -> None:
    outcome = parse(run)
    assert (outcome.ended, outcome.decision, outcome.notices) == (ended, "none", (notice,))


NATIVE: list[tuple[str, dict[str, Any]]] = [
    ("", {}),
    ("  \n\t ", {}),
    ("{}", {}),
    ("null", {}),
    ('{"decision":"allow","context":" c "}', {"decision": "allow", "context": " c "}),
    ('\n {"decision":"deny","reason":"r"} \n', {"decision": "deny", "reason": "r"}),
    ('{"decision":"DENY"}', {"decision": "deny"}),
    ('{"Decision":"deny","REASON":"r"}', {"decision": "deny", "reason": "r"}),
    ('{"decision":null,"halt":null,"reason":null,"context":null,"updated_input":null,"version":null}', {}),
    ('{"decision":"allow","decision":"deny"}', {"decision": "deny"}),
    ('{"version":1,"decision":"deny"}', {"decision": "deny"}),
    ('{"version":99,"decision":"deny"}', {"decision": "deny"}),
    ('{"halt":true,"reason":"stop"}', {"halt": True, "reason": "stop"}),
    ('{"decision":"deny","halt":true}', {"decision": "deny", "halt": True}),
    ('{"unknown":[1],"decision":"allow"}', {"decision": "allow"}),
    ('{"context":["a","","b",null]}', {"context": "a\nb"}),
    ('{"context":[]}', {}),
    ('{"updated_input":{"b": 1.0,"a":2}}', {"rewrite": '{"b": 1.0,"a":2}'}),
    ('{"updated_input":"{\\"a\\":1}"}', {"rewrite": '{"a":1}'}),
    ('{"updated_input":""}', {}),
    ('{"updated_input":[1]}', {"rewrite": "[1]"}),
    ('{"Updated_Input":5}', {"rewrite": "5"}),
]

CLAUDE: list[tuple[str, dict[str, Any]]] = [
    ('{"permissionDecision":"allow","permissionDecisionReason":"r"}', {"decision": "allow", "reason": "r"}),
    ('{"permissionDecision":"deny","permissionDecisionReason":"r"}', {"decision": "deny", "reason": "r"}),
    ('{"permissionDecision":"allow","updatedInput":{"a":1.0}}', {"decision": "allow", "rewrite": '{"a":1.0}'}),
    ('{"updatedInput":"{}"}', {"rewrite": '"{}"'}),  # not unwrapped, and so refused later
    ('{"updatedInput":null}', {}),
    ('{"additionalContext":"c"}', {"context": "c"}),
    ("{}", {}),
    ("null", {}),
    ('{"hookEventName":"Whatever","halt":true}', {}),
]


def facts(outcome: HookOutcome) -> dict[str, Any]:
    names = ("decision", "halt", "reason", "context", "rewrite")
    found = {name: getattr(outcome, name) for name in names}
    return {name: value for name, value in found.items() if value not in ("", "none", None, False)}


@pytest.mark.parametrize(("stdout", "expected"), NATIVE)
@pytest.mark.parametrize("edition", ["documented", "shipped"])
def test_native_answers(stdout: str, expected: dict[str, Any], edition: str) -> None:
    outcome = outcome_of(stdout, edition)
    assert facts(outcome) == expected and outcome.ended == "ok" and outcome.notices == ()


@pytest.mark.parametrize(("inner", "expected"), CLAUDE)
@pytest.mark.parametrize("edition", ["documented", "shipped"])
def test_answers_of_claude_code_are_not_mixed_with_native_ones(
    inner: str, expected: dict[str, Any], edition: str
) -> None:
    beside = '"decision":"allow","context":"no","updated_input":{}' if edition == "documented" else '"decision":"deny"'
    outcome = outcome_of("{" + beside + ',"hookSpecificOutput":' + inner + "}", edition)
    assert facts(outcome) == expected and outcome.ended == "ok"


@pytest.mark.parametrize(("inner", "expected"), CLAUDE)
def test_a_native_deny_counts_beside_a_claude_answer(inner: str, expected: dict[str, Any]) -> None:
    """Its document says what decision and halt do; that the program looks elsewhere is no reason to lose a deny."""
    outcome = outcome_of('{"decision":"deny","halt":true,"hookSpecificOutput":' + inner + "}")
    reason = expected.get("reason", "") if expected.get("decision") == "deny" else ""
    assert (outcome.decision, outcome.halt) == ("deny", True) and outcome.reason in (reason, "r", "blocked by hook")
    assert outcome.notices == ("Crush ignores other keys beside hookSpecificOutput; its deny counts",)


@pytest.mark.parametrize("word", ["block", "approve", " deny", "maybe"])
def test_an_unknown_decision_is_no_opinion_with_a_notice(word: str) -> None:
    outcome = outcome_of('{"decision":"' + word + '","context":"c"}')
    assert facts(outcome) == {"context": "c"} and outcome.ended == "ok"
    assert outcome.notices == outcome.faults == (f'decision "{word}" is unknown to Crush; write "allow" or "deny"',)


def test_ask_is_the_normal_prompt() -> None:
    outcome = outcome_of('{"hookSpecificOutput":{"permissionDecision":"ask"}}')
    assert outcome.decision == "none" and outcome.faults == () and len(outcome.notices) == 1


@pytest.mark.parametrize("context", ['["a",1]', "5", "{}", "true"])
def test_a_context_of_a_wrong_type_is_left_out_and_the_rest_stays(context: str) -> None:
    outcome = outcome_of('{"decision":"allow","context":' + context + "}")
    assert facts(outcome) == {"decision": "allow"} and len(outcome.notices) == 1


UNREADABLE = [
    'log line\n{"decision":"%s","context":"c","updated_input":{}}',
    '{"decision":"%s"} tail',
    '{"decision":"%s"}{"log":1}',
    '{"version":"1","decision":"%s"}',
    '{"version":1.0,"decision":"%s"}',
    '{"version":true,"decision":"%s"}',
    '{"version":9223372036854775808,"decision":"%s"}',
    '{"halt":"true","decision":"%s"}',
    '{"reason":5,"decision":"%s"}',
    '[{"decision":"%s"}]',
    '{"hookSpecificOutput":{"permissionDecision":"%s","additionalContext":[1]}}',
    'x {"hookSpecificOutput":{"permissionDecision":"%s"}}',
    '{"decision":"%s","n":NaN}{"decision":"%s"}',
    '\ufeff{"decision":"%s"}',
    '{"decision":"%s",} {"decision":"%s"}',
]


@pytest.mark.parametrize("template", UNREADABLE)
def test_a_deny_is_never_lost_to_noise(template: str) -> None:
    outcome = outcome_of(template.replace("%s", "deny"))
    assert (outcome.decision, outcome.ended, outcome.context, outcome.rewrite) == ("deny", "bad_output", "", None)
    assert outcome.notices[0].endswith("; its deny counts") and outcome.reason == (
        "blocked by hook" if template.count("%s") == 1 or "NaN" in template or ",}" in template else ""
    )


@pytest.mark.parametrize("template", UNREADABLE)
def test_an_allow_is_never_salvaged(template: str) -> None:
    outcome = outcome_of(template.replace("%s", "allow"))
    assert facts(outcome) == {} and outcome.ended == "bad_output" and len(outcome.notices) == 1


@pytest.mark.parametrize("template", UNREADABLE)
def test_shipped_loses_it(template: str) -> None:
    outcome = outcome_of(template.replace("%s", "deny"), "shipped")
    assert facts(outcome) == {} and outcome.ended == "bad_output"


@pytest.mark.parametrize("text", ["plain text", "[1]", "5", '"x"', "true", "{broken", "[" * 200_000, '{"a":' * 200_000])
def test_output_that_is_no_object(text: str) -> None:
    outcome = outcome_of(text)
    assert facts(outcome) == {} and outcome.ended == "bad_output" and outcome.notices


def test_depth_does_not_lose_a_deny() -> None:
    deep = "[" * 200_000 + "]" * 200_000  # Python 3.14 reads 50,000 levels
    assert outcome_of('{"x":' + deep + ',"decision":"deny","reason":"r"}').reason == "r"
    assert outcome_of('{"x":' + deep + ',"decision":"allow"}').decision == "none"


def test_a_halt_in_noise_counts_too() -> None:
    outcome = outcome_of('starting...\n{"halt":true,"reason":"stop"}')
    assert (outcome.decision, outcome.halt, outcome.reason) == ("deny", True, "stop")


def test_the_reasons_of_several_denies_in_noise_are_joined() -> None:
    outcome = outcome_of('{"decision":"deny","reason":"a"}\n{"decision":"allow"}\n{"decision":"deny","reason":"b"}')
    assert (outcome.decision, outcome.reason) == ("deny", "a\nb")


def test_a_deny_beside_a_status_is_a_notice_and_a_fault() -> None:
    outcome = parse(HookRun(status=1, stdout=b'{"decision":"deny"}'))
    assert outcome.decision == "none" and len(outcome.notices) == 2
    assert outcome.faults == ("a deny on stdout is ignored with exit status 1; use exit 0 with it, or exit 2",)
    assert parse(HookRun(status=1, stdout=b'{"decision":"deny"}'), "shipped").faults == ()


def test_bytes_that_are_not_utf8() -> None:
    assert parse(HookRun(stdout=b'{"decision":"deny","reason":"\xff"}')).reason == "\ufffd"


LATE = [
    (HookRun(status=2, late=True, reason="deadline"), "deny", "nonzero"),
    (HookRun(status=49, late=True, reason="deadline"), "deny", "nonzero"),
    (HookRun(stdout=b'{"decision":"deny"}', late=True, reason="deadline"), "deny", "ok"),
    (HookRun(stdout=b'{"halt":true}', late=True, reason="deadline"), "none", "ok"),
    (HookRun(stdout=b'{"decision":"allow"}', late=True, reason="deadline"), "none", "timed_out"),
    (HookRun(status=0, late=True, reason="deadline"), "none", "timed_out"),
    (HookRun(status=1, late=True, reason="cancelled"), "none", "cancelled"),
]


@pytest.mark.parametrize(("run", "decision", "ended"), LATE)
def test_only_a_block_counts_in_the_grace(run: HookRun, decision: str, ended: str) -> None:
    outcome = parse(run)
    assert (outcome.decision, outcome.ended) == (decision, ended) and outcome.notices


def test_in_shipped_everything_counts_in_the_grace() -> None:
    assert outcome_of('{"decision":"allow"}', "shipped").decision == "allow"
    assert parse(HookRun(stdout=b'{"decision":"allow"}', late=True), "shipped").decision == "allow"


def test_programs_that_were_missing_are_faults() -> None:
    assert parse(HookRun(faults=("jq: not found",))).faults == ("jq: not found",)
