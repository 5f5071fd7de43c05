"""An answer that its system does not read: it stands among log lines, or is nearly JSON. ``fire`` says where, and the mend."""

from __future__ import annotations

import pytest
from own_failure_cells import fire

from pyshellhooks import dialects
from pyshellhooks.hooks.model import Decision, HookRun
from pyshellhooks.hooks.verdict import Verdict
from pyshellhooks.jsontext.explain import LOOKED_AT, hint_for, ignored

#: An answer of each system that lets the call pass or changes it; it does nothing where it is not read.
ANSWERS = {
    "claude_code": '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}',
    "crush": '{"decision": "allow", "context": "c"}',
    "gemini": '{"decision": "allow", "systemMessage": "m"}',
    "docker_agent": '{"hook_specific_output": {"permission_decision": "allow"}}',
    "everruns": '{"decision": "mutate", "patch": {"arguments": {"command": "true"}}}',
    "firebender": '{"permission": "allow", "agent_message": "m"}',
    "cursor": '{"permission": "allow", "agent_message": "m"}',
}
#: What is made of the answer; what the notice says (of a text that begins with "{": also where); and the mend.
ODD: dict[str, tuple[str, str, str]] = {
    "behind a log line": ("checking\n{}", "", "write everything but the answer on line 2 to stderr (>&2)"),
    "among log lines": ("a: 1\nb\n  {}\ndone", "", "write everything but the answer on line 3 to stderr (>&2)"),
    "before a log line": ("{}\ndone", "line 2, column 1: text after", "but the answer on line 1 to stderr"),
    "beside a log of JSON": ('{{"level": "info"}}\n{}', "line 2, column 1: text after", "but the answer on line 2"),
    "twice": ("{}\n{}", "line 2, column 1: text after", "print one answer, not several: jq -s add"),
    "a trailing comma": ('{{"x": 1, "decision": "allow",}}', "line 1, column 29: a trailing comma", "remove the comma"),
    "single quotes": ("{{'decision': 'allow'}}", "line 1, column 2: keys need double quotes", "use \" instead of '"),
    "single quotes around a text": ("{{\n\"decision\": 'allow'}}", "line 2, column 13: strings need", "use \" instead of '"),
    "Python's True": ('{{"continue": True}}', "line 1, column 14: expected a JSON value, not 'True'", "write true"),
    "Python's None": ('{{"decision": None}}', "line 1, column 14: expected a JSON value, not 'None'", "write null"),
    "a key without quotes": ('{{decision: "allow"}}', "line 1, column 2: the key decision needs", 'write "decision"'),
    "a text without quotes": ('{{"decision": allow}}', "line 1, column 14: expected a JSON value", 'write "allow"'),
    "no comma": ('{{"x": 1 "decision": "allow"}}', 'line 1, column 8: expected ","', 'is there a "," missing?'),
    "a line break in a text": ('{{"decision": "al\nlow"}}', "line 1, column 17: a line break", "write \\n"),
    "no end": ('{{"decision": "allow"', 'the text ends before the "{" of line 1', "correct it there"),
}  # fmt: skip
#: Nobody meant these as an answer.
ORDINARY = (
    "all is well",
    "see {x}: 1",
    "a\n{not: json}\nb",
    'done {"decision": "allow"} done',
    '[{"decision": "allow"}]',
    'loaded\n{"level": "info", "reason": "start"}',
    '{"level": "info"}\n{"level": "warn"}',
    "{ echo; }",
    "",
)
TAKES_TEXT = ("claude_code", "docker_agent")  # systems to which a text is no mistake


def fired(system: str, stdout: str) -> Verdict:
    dialect = dialects.get(system)
    row = next(row for row in dialect.events.values() if "before_tool" in row.neutral)
    return fire(dialect, row, HookRun(stdout=stdout.encode()))


def effects(verdict: Verdict) -> tuple[object, ...]:
    return verdict.decision, verdict.updated_input, verdict.context


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("system", ANSWERS)
def test_it_is_reported_and_has_no_effect(system: str, name: str) -> None:
    form, what, better = ODD[name]
    verdict = fired(system, form.format(*[ANSWERS[system]] * 2))
    assert effects(verdict) == (Decision.NONE, None, "")
    (one,) = verdict.notices
    assert what in one and better in one, one


@pytest.mark.parametrize("system", ANSWERS)
def test_its_hint_makes_it_an_answer(system: str) -> None:
    """The same answer alone is read, so that it was the noise that kept it from being one."""
    verdict = fired(system, ANSWERS[system])
    assert verdict.notices == () and (effects(verdict) != (Decision.NONE, None, "") or verdict.user_message)


@pytest.mark.parametrize("system", ANSWERS)
def test_a_text_that_is_no_answer_gets_no_such_advice(system: str) -> None:
    for text in ORDINARY:
        verdict = fired(system, text)
        assert not any("stderr" in one or "jq -s" in one for one in verdict.notices), (text, verdict.notices)
        if system in TAKES_TEXT and not text.startswith(("{ ", '{"')):
            assert verdict.notices == (), (text, verdict.notices)


@pytest.mark.parametrize("system", ANSWERS)
def test_a_deny_in_noise_still_counts(system: str) -> None:
    words = {"everruns": "block", "docker_agent": "block", "claude_code": "block"}
    deny = f'{{"decision": "{words.get(system, "deny")}", "reason": "no"}}'
    verdict = fired(system, f"checking\n{deny}")
    assert verdict.blocked and verdict.reason == "no"
    assert any("but the answer on line 2" in one for one in verdict.notices)


def test_strict_is_not_changed_by_advice() -> None:
    """To Claude Code a text is no mistake: advice on one is no fault, and denies nothing under ``strict``."""
    (one,) = ignored(f"checking\n{ANSWERS['claude_code']}")
    assert one.fault is None and one.kind == "answer-ignored"
    dialect = dialects.get("claude_code")
    run = HookRun(stdout=f"checking\n{ANSWERS['claude_code']}".encode())
    assert not fire(dialect, dialect.events["PreToolUse"], run, strict=True).blocked


def test_long_or_hostile_texts_are_not_examined_for_long() -> None:
    answer = ANSWERS["crush"]
    for text in ("x\n" * LOOKED_AT + answer, "{" * LOOKED_AT, "{\n" * (LOOKED_AT // 2), '{"a":' * (LOOKED_AT // 5)):
        assert "around" not in hint_for(text) and len(ignored(text)) <= 1
