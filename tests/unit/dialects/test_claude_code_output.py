"""What one hook's run means (claude_code 6 and 8, docs/contracts/README.md)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pyshellhooks.dialects.claude_code import ClaudeCode
from pyshellhooks.dialects.claude_code.events import EVENTS
from pyshellhooks.hooks.model import ENDED, HookEvent, HookOutcome, HookRun, HookSpec


def event(name: str, **payload: Any) -> HookEvent:
    return HookEvent(EVENTS[name], {"tool_name": "Bash", **payload}, fields={})


def parse(name: str, run: HookRun, edition: str = "", **extra: Any) -> HookOutcome:
    kind = extra.pop("kind", "command")
    return ClaudeCode(edition).parse(run, HookSpec(name, "x", kind=kind, extra=extra), event(name))


def outcome_of(name: str, answer: Any, status: int = 0, stderr: bytes = b"", **extra: Any) -> HookOutcome:
    text = answer if isinstance(answer, str) else json.dumps(answer)
    return parse(name, HookRun(status=status, stdout=text.encode(), stderr=stderr), **extra)


def specific(name: str, **fields: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": name, **fields}}


@pytest.mark.parametrize("name", EVENTS)
def test_exit_2_on_every_event(name: str) -> None:
    outcome = parse(name, HookRun(status=2, stderr=b" why \n"))
    effect = {
        "deny": ("deny", False, None), "discard": ("deny", False, None), "result": ("deny", False, None),
        "decline": ("deny", False, None), "halt": ("deny", True, None), "followup": ("none", False, "why"),
        "context": ("none", False, None), "": ("none", False, None),
    }[EVENTS[name].output_rules.exit2]  # fmt: skip
    assert (outcome.decision, outcome.halt, outcome.followup) == effect
    assert outcome.ended == "nonzero"
    told = " ".join((outcome.reason, outcome.followup or "", outcome.context, *outcome.notices))
    assert "why" in told


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", EVENTS)
@pytest.mark.parametrize("status", [1, 3, 126, 127, 255])
def test_other_statuses_block_nothing_by_themselves(name: str, status: int) -> None:
    outcome = parse(name, HookRun(status=status, stdout=b"text", stderr=b"why\nmore"))
    assert (outcome.decision, outcome.halt, outcome.followup, outcome.context) == ("none", False, None, "")
    assert outcome.ended == "nonzero" and outcome.notices == (f"exit status {status}: why",)


@pytest.mark.parametrize("name", EVENTS)
@pytest.mark.parametrize("status", [0, 1])
def test_continue_false_halts_on_every_event(name: str, status: int) -> None:
    outcome = outcome_of(name, {"continue": False, "stopReason": "enough", "decision": "approve"}, status)
    assert outcome.halt and outcome.user_message == "enough" and outcome.followup is None
    assert (outcome.decision == "deny") == ("deny" in EVENTS[name].can)


@pytest.mark.parametrize("name", EVENTS)
def test_noise_of_every_kind_never_raises_and_never_allows(name: str) -> None:
    dialect = ClaudeCode()
    texts = [
        b"", b"\xff", b"{", b"}", b"{}", b"{}{}", b"[]", b"null", b'"x"', b"{\n}", b'{"a":1}\n{"b":2}',
        b'{"continue": 0}', b'{"decision": {}}', b'{"hookSpecificOutput": 5}', b'{"hookSpecificOutput": {"decision": 5}}',
        b'{"hookSpecificOutput": {"permissionDecision": {}, "action": 1, "updatedInput": 5, "watchPaths": "x"}}',
        b'{"hookSpecificOutput": {"decision": {"behavior": 5}}}', b'{"x":' * 5000 + b"1" + b"}" * 5000,
        b'{"hookSpecificOutput": {"updatedInput": ' + b"[" * 5000 + b"]" * 5000 + b"}}",
    ]  # fmt: skip
    for text in texts:
        for status in (0, 1, 2):
            run = HookRun(status=status, stdout=text, stderr=text)
            outcome = dialect.parse(run, HookSpec(name, "x"), event(name))
            assert outcome.ended in ENDED and outcome.decision in ("none", "deny")
            assert status == 2 or outcome.decision == "none" or name == "WorktreeCreate"


WRONG: list[Any] = [5, "x", [], {}, [[]], {"a": {"b": 1}}, True, 1.5]


@pytest.mark.parametrize("wrong", WRONG, ids=json.dumps)
@pytest.mark.parametrize("key", ["stopReason", "suppressOutput", "systemMessage", "terminalSequence", "reason"])
def test_a_deny_counts_beside_a_wrong_type_at_the_top(key: str, wrong: Any) -> None:
    assert (
        outcome_of("PreToolUse", {**specific("PreToolUse", permissionDecision="deny"), key: wrong}).decision == "deny"
    )
    assert outcome_of("UserPromptSubmit", {"decision": "block", key: wrong}).decision == "deny"
    assert outcome_of("Stop", {"decision": "block", key: wrong}).followup


@pytest.mark.parametrize("wrong", WRONG, ids=json.dumps)
@pytest.mark.parametrize("key", ["permissionDecisionReason", "updatedInput", "additionalContext", "hookEventName"])
def test_a_deny_counts_beside_a_wrong_type_inside(key: str, wrong: Any) -> None:
    assert (
        outcome_of("PreToolUse", specific("PreToolUse", **{"permissionDecision": "deny", key: wrong})).decision
        == "deny"
    )
    assert outcome_of("PreToolUse", {"decision": "block", **specific("PreToolUse", **{key: wrong})}).decision == "deny"


@pytest.mark.parametrize("wrong", WRONG, ids=json.dumps)
@pytest.mark.parametrize("key", ["message", "interrupt", "updatedInput", "updatedPermissions"])
def test_a_refused_permission_counts_beside_a_wrong_type(key: str, wrong: Any) -> None:
    answer = specific("PermissionRequest", decision={"behavior": "deny", key: wrong})
    assert outcome_of("PermissionRequest", answer).decision == "deny"


@pytest.mark.parametrize("event_name", ["", "SubagentStop", "Nope"])
@pytest.mark.parametrize(
    ("word", "decision"), [("deny", "deny"), ("defer", "deny"), ("ask", "ask"), ("allow", "none"), ("", "none")]
)
def test_an_answer_for_no_event_or_another_one_grants_nothing(event_name: str, word: str, decision: str) -> None:
    # Claude Code 2.1.332 honours nothing of it, and with onFailure "block" blocks (2026-11-27).
    specific = {"updatedInput": {"command": "true"}, "additionalContext": "c"}
    specific |= {"hookEventName": event_name} if event_name else {}
    specific |= {"permissionDecision": word} if word else {}
    outcome = outcome_of("PreToolUse", {"hookSpecificOutput": specific})
    assert (outcome.ended, outcome.decision) == ("bad_output", decision)
    assert outcome.rewrite is None and not outcome.context and not outcome.effects
    assert ("hookEventName" in outcome.notices[0]) and (decision != "ask" or "its ask counts" in outcome.notices[-1])


@pytest.mark.parametrize("event_name", ["PreSkillShellCommand", "PreToolUse", "PermissionRequest", ""])
@pytest.mark.parametrize(
    ("specific", "refuses"),
    [
        ({"permissionDecision": "allow"}, False),
        ({"permissionDecision": "deny", "permissionDecisionReason": "no"}, True),
        ({"permissionDecision": "ask"}, True),
        ({"permissionDecision": "defer"}, True),
        ({"permissionDecision": "allow", "updatedInput": {"command": "true"}}, True),
        ({"decision": {"behavior": "allow"}}, False),
        ({"decision": {"behavior": "deny", "message": "no"}}, True),
        ({"decision": {"behavior": "allow", "updatedInput": {}}}, True),
        ({"decision": {"behavior": "allow", "updatedPermissions": [{}]}}, True),
    ],
)
def test_a_skill_s_command_is_refused_or_runs(event_name: str, specific: dict[str, Any], refuses: bool) -> None:
    named = {**specific, "hookEventName": event_name} if event_name else specific
    outcome = outcome_of("PreSkillShellCommand", {"hookSpecificOutput": named})
    denies = refuses and (
        bool(event_name) or "updated" not in str(specific)
    )  # a rewrite for no event is read by nobody
    assert outcome.decision == ("deny" if denies else "none")
    assert outcome.rewrite is None


@pytest.mark.parametrize(
    ("event", "effect"), [("PreCompact", "compact_instructions"), ("SessionStart", ""), ("PostCompact", "")]
)
def test_how_texts_are_parsed(event: str, effect: str) -> None:
    outcome = parse(event, HookRun(stdout=b"keep the plan"))
    assert outcome.effects == ({effect: "keep the plan"} if effect else {})
    assert (outcome.context, outcome.user_message) == {
        "PreCompact": ("", ""), "SessionStart": ("keep the plan", ""), "PostCompact": ("", "keep the plan"),
    }[event]  # fmt: skip


def test_keys_at_the_top_are_one_notice() -> None:
    outcome = outcome_of("PreToolUse", {"permissionDecision": "deny", "permissionDecisionReason": "no"})
    assert outcome.decision == "none" and len(outcome.notices) == len(outcome.faults) == 1
    assert "permissionDecision and permissionDecisionReason are ignored" in outcome.notices[0]
    assert '"hookSpecificOutput": {"hookEventName": "PreToolUse", …}' in outcome.notices[0]


@pytest.mark.parametrize(
    ("run", "ended", "notice"),
    [
        (HookRun("stopped", None, reason="deadline"), "timed_out", "timed out"),
        (HookRun("abandoned", None, reason="deadline"), "abandoned", "abandoned"),
        (HookRun("stopped", None, reason="limit", detail="call_depth"), "stopped", "stopped: call_depth"),
        (HookRun("not_started", None, detail="/x: No such file"), "not_started", "not started: /x: No such file"),
    ],
)
def test_failures_have_no_decision_but_a_notice(run: HookRun, ended: str, notice: str) -> None:
    outcome = parse("PreToolUse", run)
    assert (outcome.ended, outcome.decision, outcome.notices) == (ended, "none", (notice,))


def test_a_signal_is_no_exit_2() -> None:
    outcome = parse("PreToolUse", HookRun("signaled", 130, stderr=b"x"))
    assert (outcome.decision, outcome.ended) == ("none", "nonzero")


@pytest.mark.parametrize(("late", "decision", "ended"), [(False, "deny", "nonzero"), (True, "deny", "nonzero")])
def test_a_deny_in_the_grace_counts(late: bool, decision: str, ended: str) -> None:
    outcome = parse("PreToolUse", HookRun(status=2, stderr=b"x", late=late))
    assert (outcome.decision, outcome.ended) == (decision, ended)


def test_an_allow_in_the_grace_does_not() -> None:
    answer = json.dumps(specific("PreToolUse", permissionDecision="allow", updatedInput={})).encode()
    outcome = parse("PreToolUse", HookRun(stdout=answer, late=True))
    assert (outcome.decision, outcome.ended, outcome.rewrite) == ("none", "timed_out", None)


def test_faults_of_the_run_are_passed_on() -> None:
    run = HookRun(faults=("jq: not found (status 127)",))
    for extra in ({}, {"async": True}, {"kind": "prompt"}):
        assert parse("PreToolUse", run, **extra).faults[:1] == run.faults


@pytest.mark.parametrize(
    ("text", "context", "ended"),
    [
        ("plain", "plain", "ok"),
        ("{ open", "{ open", "ok"),
        ("shut }", "shut }", "ok"),
        ("[1, 2]", "[1, 2]", "ok"),
        ('"quoted"', '"quoted"', "ok"),
        ('{"a": 1}\n\n{"b": 2}', '{"a": 1}\n\n{"b": 2}', "ok"),
        ('{"a": 1}\n{"systemMessage": "m"}', "", "bad_output"),
        ("{not json}", "", "bad_output"),
        ('{"a": 1}', "", "ok"),
        ("{a}\n{b}", "", "bad_output"),
    ],
)
def test_text_or_json(text: str, context: str, ended: str) -> None:
    outcome = outcome_of("SessionStart", f"  {text}\n")
    assert (outcome.context, outcome.ended) == (context, ended)


def test_long_context_is_reported_and_passed_on() -> None:
    text = "x" * 10_001
    for outcome in (
        outcome_of("SessionStart", text),
        outcome_of("PostToolUse", specific("PostToolUse", additionalContext=text)),
    ):
        assert outcome.context == text and any("into a file" in notice for notice in outcome.notices)


@pytest.mark.parametrize(
    ("sequence", "taken"),
    [
        ("\x07", True), ("\x1b]0;t\x07", True), ("\x1b]9;a\x1b\\\x07", True), ("\x1b]777;notify;a;b\x07", True),
        ("\x1b]52;c;eA==\x07", False), ("\x1b[2J", False), ("\x1b]0;a\x1b[2J\x07", False), ("text", False),
        ("\x1b]10;?\x07", False), ("\x1b]0;a\x9b\x07", False), ("\x07" * 2500, True), ("\x07" * 2500 + "a", False),
    ],
)  # fmt: skip
def test_terminal_sequences(sequence: str, taken: bool) -> None:
    assert ("terminal_sequence" in outcome_of("Stop", {"terminalSequence": sequence}).effects) is taken


@pytest.mark.parametrize(
    "answer", [{"permissionDecision": "deny"}, {"hookSpecificOutput": {"permisionDecision": "deny"}}]
)
def test_a_deny_in_the_wrong_place_is_not_silent(answer: dict[str, Any]) -> None:
    assert outcome_of("PreToolUse", answer).notices


def test_a_deny_where_it_does_not_count_is_a_fault() -> None:
    assert outcome_of("PostToolUse", specific("PostToolUse", permissionDecision="deny")).faults
    assert outcome_of("Notification", {"decision": "block"}).faults
    assert outcome_of("PreToolUse", {"permissionDecision": "deny"}).faults


@pytest.mark.parametrize("name", EVENTS)
@pytest.mark.parametrize("mode", [{"async": True}, {"rewake": True}])
def test_asynchronous_hooks_decide_nothing(name: str, mode: dict[str, Any]) -> None:
    answers = [
        {"continue": False}, {"decision": "block"}, specific(name, permissionDecision="deny", updatedInput={}),
        specific(name, decision={"behavior": "deny"}, action="decline", displayContent="x", updatedToolOutput="x"),
    ]  # fmt: skip
    for answer in answers:
        for status in (0, 1, 2):
            outcome = outcome_of(name, answer, status, b"e", **mode)
            assert not outcome.blocks and outcome.followup is None and outcome.rewrite is None
            assert outcome.output is None and set(outcome.effects) <= {"rewake"}


@pytest.mark.parametrize(
    ("answer", "decision", "ended"),
    [
        ('{"ok": true}', "none", "ok"),
        ('{"ok": false}', "deny", "ok"),
        ('{"ok": false, "reason": 5}', "deny", "bad_output"),
        ('{"ok": "false"}', "deny", "bad_output"),
        ('{"ok": "true"}', "none", "bad_output"),
        ('{"ok": null}', "none", "bad_output"),
        ("{}", "none", "bad_output"),
        ("", "none", "bad_output"),
        ('No: {"ok": false}', "deny", "bad_output"),
        ('{"ok": true} {"ok": false}', "deny", "bad_output"),
    ],
)
@pytest.mark.parametrize("kind", ["prompt", "agent"])
def test_answers_of_models(kind: str, answer: str, decision: str, ended: str) -> None:
    outcome = outcome_of("PreToolUse", answer, kind=kind)
    assert (outcome.decision, outcome.ended) == (decision, ended)


def test_a_failed_model_is_no_answer() -> None:
    outcome = outcome_of("PreToolUse", '{"ok": false}', 1, b"quota", kind="prompt")
    assert (outcome.decision, outcome.ended, outcome.notices) == ("none", "nonzero", ("the prompt hook failed: quota",))


@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("PostToolUseFailure", ("none", False, None, "r")),
        ("SubagentStop", ("none", False, "r", "")),
        ("TeammateIdle", ("none", False, "r", "")),
        ("TaskCreated", ("deny", False, None, "")),
        ("UserPromptExpansion", ("deny", False, None, "")),
    ],
)
def test_a_no_elsewhere_is_the_events_block(name: str, effect: tuple[str, bool, str | None, str]) -> None:
    outcome = outcome_of(name, '{"ok": false, "reason": "r"}', kind="agent")
    assert (outcome.decision, outcome.halt, outcome.followup, outcome.context) == effect


def test_continue_on_block_is_for_post_tool_use() -> None:
    for name, halts in (("PostToolUse", False), ("PostToolBatch", True), ("UserPromptSubmit", True)):
        assert outcome_of(name, '{"ok": false}', kind="prompt", continue_on_block=True).halt is halts


def test_older_clients_read_json_beside_exit_0_only() -> None:
    deny = specific("PreToolUse", permissionDecision="deny", additionalContext="c")
    assert outcome_of("PreToolUse", deny, 1, edition="v2.1.208").decision == "none"
    assert outcome_of("PreToolUse", deny, 0, edition="v2.1.208").decision == "deny"
    outcome = outcome_of("PreToolUse", deny, 2, b"e", edition="v2.1.208")
    assert (outcome.decision, outcome.reason, outcome.context) == ("deny", "e", "")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a\n/w\n\n", "/w"),
        ("a\n \n\t/w", "/w"),
        (" /w ", "/w"),
        (json.dumps(specific("WorktreeCreate", worktreePath="/w")), "/w"),
    ],
)
def test_worktree_paths(text: str, path: str) -> None:
    assert outcome_of("WorktreeCreate", text).effects == {"worktree_path": path}


@pytest.mark.parametrize("text", ["", " \n", "{}", '{"hookSpecificOutput": {"worktreePath": 5}}'])
def test_no_worktree_path(text: str) -> None:
    outcome = outcome_of("WorktreeCreate", text)
    assert outcome.ended == "bad_output" and "worktree_path" not in outcome.effects


def test_env_text() -> None:
    outcome = parse("SessionStart", HookRun(env_text=b"export A='x'\nexport P=$PATH\n"))
    assert outcome.effects == {"env": {"A": "x"}, "env_file": "export A='x'\nexport P=$PATH\n"}
    assert outcome.notices == ("CLAUDE_ENV_FILE: only a shell can read this: export P=$PATH",)


@pytest.mark.parametrize(
    ("answer", "faults"),
    [({}, 1), ({"systemMessage": "m"}, 1), ({"decision": "approve"}, 0), ({"decision": "block"}, 0)],
)
def test_json_that_decides_nothing_does_not_hide_a_crash_from_strict(answer: dict[str, Any], faults: int) -> None:
    outcome = outcome_of("PreToolUse", answer, 1)
    assert outcome.ended == "ok" and len(outcome.faults) == faults
