"""Gemini CLI's exits, streams and answers: what counts by default and to the letter of its document (decisions stricter).

The expected words come from seed 003 (exit codes), from gemini 4, and from runs of Gemini CLI 0.61.0 against a scripted API.
"""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

from pyshellhooks.dialects.gemini import Gemini
from pyshellhooks.hooks.model import Decision, HookEvent, HookOutcome, HookRun, HookSpec
from pyshellhooks.notice import Notice

DENY: dict[str, Any] = {"decision": "deny", "reason": "no"}
TEXTS = {
    "deny": json.dumps(DENY),
    "block": json.dumps({**DENY, "decision": "block"}),
    "twice encoded": json.dumps(json.dumps(DENY)),
    "deny and rewrite": json.dumps({**DENY, "hookSpecificOutput": {"tool_input": {"a": 1}, "additionalContext": "c"}}),
    "ask": json.dumps({**DENY, "decision": "ask"}),
    "stop": json.dumps({"continue": False, "stopReason": "no"}),
    "stop and allow": json.dumps({"continue": False, "decision": "allow"}),
    "allow": json.dumps({"decision": "allow"}),
    "rewrite": json.dumps({"hookSpecificOutput": {"tool_input": {"a": 1}}}),
    "text": "all of it is denied",
    "broken": '{"decision": "deny", "reason": "no"',
    "noise": "rule 7: " + json.dumps(DENY),
    "silence": "",
}
LIKE = {"block": "deny", "twice encoded": "deny", "deny and rewrite": "deny", "stop and allow": "stop"}
# The stream on which an answer is: alone there, the same on both, behind a text on stdout, or beside an allow on stdout.
STREAMS = {
    "stdout": lambda text: (text, ""),
    "stderr": lambda text: ("", text),
    "both": lambda text: (text, text),
    "split": lambda text: ("checking", text),
    "beside an allow": lambda text: (TEXTS["allow"], text),
}
# answer, stream: at exit 0, at exit 2 and at any other, to the letter of the document; and the same by default.
TABLE = """
deny    | stdout          | deny    deny none | deny deny      deny
deny    | stderr          | none    deny none | deny deny      deny
deny    | both            | deny    deny none | deny deny      deny
deny    | split           | none    deny none | deny deny      deny
deny    | beside an allow | allow   deny none | allow deny     none
ask     | stdout          | ask     deny none | ask deny       ask
ask     | stderr          | none    deny none | ask deny       ask
ask     | both            | ask     deny none | ask deny       ask
ask     | split           | none    deny none | ask deny       ask
ask     | beside an allow | allow   deny none | allow deny     none
stop    | stdout          | stop    deny none | stop deny+stop stop
stop    | stderr          | none    deny none | stop deny+stop stop
stop    | both            | stop    deny none | stop deny+stop stop
stop    | split           | none    deny none | stop deny+stop stop
stop    | beside an allow | allow   deny none | allow deny     none
allow   | stdout          | allow   deny none | allow deny     none
allow   | stderr          | none    deny none | none deny      none
allow   | both            | allow   deny none | allow deny     none
allow   | split           | none    deny none | none deny      none
allow   | beside an allow | allow   deny none | allow deny     none
rewrite | stdout          | rewrite deny none | rewrite deny   none
rewrite | stderr          | none    deny none | none deny      none
rewrite | both            | rewrite deny none | rewrite deny   none
rewrite | split           | none    deny none | none deny      none
rewrite | beside an allow | allow   deny none | allow deny     none
text    | stdout          | none    deny none | none deny      none
text    | stderr          | none    deny none | none deny      none
text    | both            | none    deny none | none deny      none
text    | split           | none    deny none | none deny      none
text    | beside an allow | allow   deny none | allow deny     none
broken  | stdout          | none    deny none | none deny      none
broken  | stderr          | none    deny none | none deny      none
broken  | both            | none    deny none | none deny      none
broken  | split           | none    deny none | none deny      none
broken  | beside an allow | allow   deny none | allow deny     none
noise   | stdout          | deny    deny none | deny deny      deny
noise   | stderr          | none    deny none | none deny      none
noise   | both            | deny    deny none | deny deny      deny
noise   | split           | none    deny none | none deny      none
noise   | beside an allow | allow   deny none | allow deny     none
silence | stdout          | none    deny none | none deny      none
silence | stderr          | none    deny none | none deny      none
silence | both            | none    deny none | none deny      none
silence | split           | none    deny none | none deny      none
silence | beside an allow | allow   deny none | allow deny     none
"""
ROWS = {tuple(map(str.strip, line.split("|")[:2])): line.split("|")[2:] for line in TABLE.strip().splitlines()}
EXITS = [
    ("exited", 0),
    ("exited", 1),
    ("exited", 2),
    ("exited", 3),
    ("exited", 126),
    ("exited", 127),
    ("signaled", 143),
]
EVENTS = {name: row for name, row in Gemini().events.items() if "halt" in row.can}
SPEC = HookSpec("BeforeTool", "x", timeout=60.0)


def run(kind: str, status: int, stream: str, answer: str) -> HookRun:
    out, error = STREAMS[stream](TEXTS[answer])
    return HookRun(kind, status, out.encode(), error.encode())


def read(edition: str, event: str, one: HookRun) -> HookOutcome:
    dialect = Gemini(edition)
    return dialect.parse(one, SPEC, HookEvent(dialect.events[event], {}, fields={}))


def named(outcome: HookOutcome) -> str:
    if outcome.halt:
        return "deny+stop" if outcome.decision is Decision.DENY else "stop"
    rewrites = outcome.rewrite is not None and outcome.decision is Decision.NONE
    return "rewrite" if rewrites else outcome.decision.value


def strictness(outcome: HookOutcome) -> int:
    if outcome.blocks or outcome.followup is not None:
        return 3
    return {Decision.DENY: 3, Decision.ASK: 2, Decision.NONE: 1, Decision.ALLOW: 0}[outcome.decision]


def kinds(notices: tuple[str, ...]) -> list[str]:
    return [one.kind for one in notices if isinstance(one, Notice)]


def test_the_table_is_whole() -> None:
    answers = {LIKE.get(answer, answer) for answer in TEXTS}
    assert set(ROWS) == set(product(answers, STREAMS))


@pytest.mark.parametrize(("column", "edition"), [(0, "document"), (1, "")])
@pytest.mark.parametrize("answer", TEXTS)
def test_fields_that_count_before_a_tool(answer: str, column: int, edition: str) -> None:
    for stream, (kind, status) in product(STREAMS, EXITS):
        at_0, at_2, other = ROWS[LIKE.get(answer, answer), stream][column].split()
        expected = {0: at_0, 2: at_2}.get(status, other)
        outcome = read(edition, "BeforeTool", run(kind, status, stream, answer))
        assert named(outcome) == expected, (stream, kind, status)
        assert not outcome.context and (expected == "rewrite" or outcome.rewrite is None or status == 0)


@pytest.mark.parametrize("event", EVENTS)
def test_the_default_is_the_stricter_of_the_two(event: str) -> None:
    """An explicit deny, stop or question counts if either counts it; an allow or a rewrite only if both do."""
    for answer, stream, (kind, status) in product(TEXTS, STREAMS, EXITS):
        one = run(kind, status, stream, answer)
        ours, letter, program = (read(edition, event, one) for edition in ("", "document", "shipped"))
        where = (answer, stream, kind, status)
        assert strictness(ours) >= strictness(letter), where
        if LIKE.get(answer, answer) in ("deny", "stop"):  # of others only a text may block
            assert strictness(ours) >= strictness(program), where
        assert ours.rewrite in (None, letter.rewrite) and ours.context in ("", letter.context), where
        assert set(ours.effects) <= {*letter.effects, "discard_prompt"}, where
        if strictness(ours) > strictness(letter):
            assert "deny-counts" in kinds(ours.notices), where


@pytest.mark.parametrize("event", sorted(Gemini().events.keys() - EVENTS.keys()))
def test_answers_that_can_stop_nothing_are_read_to_the_letter(event: str) -> None:
    for answer, stream, (kind, status) in product(TEXTS, STREAMS, EXITS):
        one = run(kind, status, stream, answer)
        ours, letter = (read(edition, event, one) for edition in ("", "document"))
        assert not ours.blocks and ours.notices == letter.notices and ours.user_message == letter.user_message


def test_the_reason_is_the_answers_own() -> None:
    for stream, status in product(("stdout", "stderr", "split"), (1, 3)):
        assert read("", "BeforeTool", run("exited", status, stream, "deny")).reason == "no"
        assert read("", "AfterAgent", run("exited", status, stream, "deny")).followup == "no"
        assert read("", "BeforeTool", run("exited", 2, stream, "stop")).user_message == "no"


def test_a_deny_beside_an_answer_is_reported() -> None:
    """The document and the program agree that the allow on stdout is the answer; under ``strict`` it is a deny."""
    for status in (0, 1):
        outcome = read("", "BeforeTool", run("exited", status, "beside an allow", "deny"))
        assert kinds(outcome.faults) == ["deny-ignored"]


def test_a_question_on_both_streams_is_reported_once() -> None:
    assert read("", "BeforeTool", run("exited", 0, "both", "ask")).notices == ()
    assert kinds(read("", "BeforeTool", run("exited", 1, "both", "ask")).notices) == ["deny-counts"]


def test_a_timeout_has_no_answer() -> None:
    """gemini 3: neither the document nor the program counts the output of a hook before its timeout."""
    one = HookRun("stopped", None, TEXTS["deny"].encode(), TEXTS["deny"].encode(), reason="deadline")
    for edition in ("", "document", "shipped"):
        assert named(read(edition, "BeforeTool", one)) == "none"


# What Gemini CLI 0.61.0 did: whether its tool ran. The hooks' texts are shortened.
RAN = [
    ("exit 2 with text on stderr", HookRun(status=2, stderr=b"no"), False),
    ("exit 2, silent", HookRun(status=2), True),
    ("exit 2 with an allow", HookRun(status=2, stdout=TEXTS["allow"].encode()), True),
    ("exit 2 with an allow on stderr", HookRun(status=2, stderr=TEXTS["allow"].encode()), True),
    ("exit 1 with a deny", HookRun(status=1, stdout=TEXTS["deny"].encode()), False),
    ("exit 3 with a deny", HookRun(status=3, stdout=TEXTS["deny"].encode()), False),
    ("exit 1 with text on stderr", HookRun(status=1, stderr=b"no"), True),
    ("exit 1 with a deny on stderr", HookRun(status=1, stderr=TEXTS["deny"].encode()), False),
    ("exit 127", HookRun(status=127, stderr=b"bash: /no/such: No such file or directory"), False),
    ("a deny on stderr", HookRun(stderr=TEXTS["deny"].encode()), False),
    ("a deny in noise", HookRun(stdout=TEXTS["noise"].encode()), True),
    ("text, and a deny on stderr", HookRun(stdout=b"hi", stderr=TEXTS["deny"].encode()), True),
    ("a deny, twice encoded", HookRun(stdout=TEXTS["twice encoded"].encode()), False),
    ("an array", HookRun(stdout=f"[{TEXTS['deny']}]".encode()), True),
    ("a question", HookRun(stdout=TEXTS["ask"].encode()), False),
    ("a stop", HookRun(stdout=TEXTS["stop"].encode()), False),
    ("an unknown word", HookRun(stdout=b'{"decision": "DENY"}'), True),
]


@pytest.mark.parametrize(("name", "one", "ran"), RAN, ids=[row[0] for row in RAN])
def test_the_programs_recorded_behavior(name: str, one: HookRun, ran: bool) -> None:
    shipped, ours = read("shipped", "BeforeTool", one), read("", "BeforeTool", one)
    assert (shipped.blocks or shipped.decision is Decision.ASK) == (not ran)
    # By default nothing that it held back goes ahead, but for a bare exit status: that stays with the document.
    assert ran or name == "exit 127" or ours.blocks or ours.decision is Decision.ASK
