"""What a typed hook prints is what its system's own reader reads: all systems, events and things that can be said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from typed import EVENTS, Process, model, module, payload, sent

from pyshellhooks import Verdict, dialects
from pyshellhooks.errors import AnswerError
from pyshellhooks.hooks.dialect import EventSpec
from pyshellhooks.hooks.effects import EFFECTS
from pyshellhooks.hooks.model import Decision
from pyshellhooks.hooks.render import HookOutput
from pyshellhooks.types.event import Event
from tests.contract.said_again import Bench, differences, weaker
from tests.generators.types import pascal
from tests.generators.types_said import calls

RESULTS: tuple[Any, ...] = (
    {"stdout": "x", "stderr": "", "interrupted": False, "isImage": False},
    {"a": 1},
    "x",
)


def parts(row: EventSpec) -> Iterator[dict[str, Any]]:
    """Yield every single thing that some event of some system can be told, beside its decision."""
    yield from ({"user_message": "dear person"}, {"context": "by <the> way"}, {"followup": "go on"})
    yield {
        "updated_input": "another" if row.target == "prompt" else {"command": "ls é", "timeout": 5, "n": [1.5, None]}
    }
    yield from ({"updated_output": result} for result in RESULTS)
    yield from ({name: effect.sample} for name, effect in EFFECTS.items())


#: Where a deny has no place for its reason: the server is told "decline"; and where an older program lets it pass
#: (claude_code 6; its quirk worktree_remove_is_logged).
NO_REASON = {"Elicitation", "ElicitationResult"}
LOGGED = {("claude_code@v2.1.208", "WorktreeRemove")}

BASES: tuple[dict[str, Any], ...] = (
    {},
    {"decision": "allow"},
    {"decision": "ask", "reason": "is\nit?"},
    {"decision": "deny", "reason": 'because "no"\né'},
    {"halt": True, "reason": "enough"},
)


def verdict_of(native: str, said: dict[str, Any]) -> Verdict:
    """Return what a call of ``answer`` means."""
    own = dict(said)
    texts = {key: own.pop(key, None) for key in ("updated_input", "updated_output")}
    known = {
        key: own.pop(key) for key in ("decision", "reason", "halt", "user_message", "context", "followup") if key in own
    }
    written = {f"{key}_text": None if value is None else json.dumps(value) for key, value in texts.items()}
    return Verdict(native, **known, **written, effects=own)


def answered(process: Process, event: Event, said: dict[str, Any]) -> HookOutput | None:
    """Answer; None where the event refuses it, by its signature or by what it can be told."""
    try:
        with pytest.raises(SystemExit) as stop:
            event.answer(**said)  # type: ignore[attr-defined]
    except (AnswerError, TypeError):
        return None
    return process.ended(stop)


def check(bench: Bench, row: EventSpec, said: HookOutput, meant: Verdict, fields: dict[str, Any]) -> None:
    """Hold what was printed to what was meant, as the reader of an edition has it."""
    read = bench.read(row.native, said, fields)
    if row.native in NO_REASON:
        meant = meant.replace(reason="")
    lost = weaker(row, meant, read) + differences(meant, read, allows=bench.dialect.full_name == "gemini@shipped")
    faults = [fault for hook in read.hooks for fault in hook.outcome.faults]
    assert not lost and not faults, f"{row.native}: {meant.as_json()}\n{said}\n{lost}{faults}"


@pytest.mark.one_in(10)
@pytest.mark.parametrize(("system", "native"), EVENTS)
def test_answers_are_parsed_again(system: str, native: str, process: Process) -> None:
    bench = Bench(system)
    row = bench.dialect.events[native]
    told: dict[str, int] = {}
    for fields in calls(bench.dialect, row):
        data = payload(bench.dialect, row, fields)
        for base in BASES:
            for part in ({}, *parts(row)):
                process.set_stdin(data)
                event = model(system, native).read()
                answer = answered(process, event, {**base, **part})
                if answer is None:
                    continue
                if answer.stdout.startswith("{"):  # the output class is what is printed
                    getattr(module(system), f"{pascal(native)}Output").model_validate_json(answer.stdout)
                session = bench.fields(row)  # a conversation of its own
                place = row.places["session_id"]
                check(bench, row, answer, verdict_of(native, {**base, **part}), {**fields, place: session[place]})
                for name in {**base, **part}:
                    told[name] = told.get(name, 0) + 1
    needs = {"followup": "followup", "context": "context", "rewrite": "updated_input", "output": "updated_output"}
    for can, name in needs.items():
        # On a stop context makes the agent go on (claude_code 6); of PermissionRequest and the like say what holds.
        if can in row.can and not (can == "context" and "followup" in row.can):
            assert name in told, (name, told)


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("system", "native"), EVENTS)
@pytest.mark.parametrize("word", ["allow", "ask", "deny", "halt"])
def test_a_word_is_a_method_that_counts_or_no_method(system: str, native: str, word: str, process: Process) -> None:
    """Read by every edition of the system: a deny stays one."""
    dialect = dialects.get(system)
    row = dialect.events[native]
    fields = next(calls(dialect, row))
    process.set_stdin(payload(dialect, row, fields))
    event = model(system, native).read()
    if not hasattr(event, word):
        with pytest.raises(AttributeError, match=f"can't express {word} on {native}; the event has: .*answer"):
            getattr(event, word)
        parts: dict[str, Any] = {"halt": True} if word == "halt" else {"decision": word}
        with pytest.raises(AnswerError, match="can't express"):
            event._answer(**{"decision": None, **parts}, reason="why")
        return
    with pytest.raises(SystemExit) as stop:
        getattr(event, word)("because")
    ended = process.ended(stop)
    for edition in dialect.editions:
        bench = Bench(f"{system}@{edition}")
        read = bench.read(native, ended, {**fields, row.places["session_id"]: "another"})
        if word == "halt":
            assert read.halt or read.decision is Decision.DENY
        elif word == "deny":
            assert read.decision is Decision.DENY or (bench.dialect.full_name, native) in LOGGED
            assert native in NO_REASON or "because" in read.reason + read.user_message + str(read.notices)
        elif edition == next(iter(dialect.editions)):
            assert read.decision is Decision(word)


@pytest.mark.parametrize(("system", "native"), EVENTS)
def test_no_opinion(system: str, native: str, process: Process) -> None:
    bench = Bench(system)
    row = bench.dialect.events[native]
    if native == "WorktreeCreate":
        return  # it must say where the worktree is, or fails
    fields = next(calls(bench.dialect, row))
    process.set_stdin(payload(bench.dialect, row, fields))
    with pytest.raises(SystemExit) as stop:
        model(system, native).read().answer()  # type: ignore[attr-defined]
    check(bench, row, process.ended(stop), Verdict(native), fields)


def test_an_event_made_by_hand_answers_too(process: Process) -> None:
    process.set_stdin(b"")
    event = model("crush", "PreToolUse")(tool_name="bash", tool_input={"command": "rm x", "timeout": 5})
    with pytest.raises(SystemExit) as stop:
        event.answer(updated_input={"command": "ls", "timeout": 5})  # type: ignore[attr-defined]
    assert process.ended(stop).stdout == '{"updated_input":{"command":"ls"}}\n'
    with pytest.raises(AnswerError, match="this rewrite"):
        process.set_stdin(b"")
        event.answer(updated_input={"command": "ls"})  # type: ignore[attr-defined]  # Crush would keep the timeout


def test_a_second_answer_is_refused(process: Process) -> None:
    process.set_stdin(sent({"event": "PreToolUse", "tool_name": "bash", "tool_input": {}}))
    event = model("crush", "PreToolUse").read()
    with pytest.raises(SystemExit):
        event.deny("no")  # type: ignore[attr-defined]
    with pytest.raises(AnswerError, match="answered already"):
        event.allow()  # type: ignore[attr-defined]


@pytest.mark.parametrize("word", ["block", "approve", "Deny", ""])
def test_an_unknown_decision(word: str) -> None:
    event = model("cursor", "preToolUse")(tool_name="Shell", tool_input={})
    with pytest.raises(AnswerError, match="expected allow, ask or deny"):
        event.answer(word)  # type: ignore[attr-defined]


def test_a_refused_answer_changes_nothing() -> None:
    event = model("claude_code", "PreToolUse")(tool_name="Bash", tool_input={})
    with pytest.raises(AnswerError, match="a deny or halt has no updated_input"):
        event.answer("deny", "no", updated_input={})  # type: ignore[attr-defined]


def test_an_output_in_the_systems_own_words(process: Process) -> None:
    from pyshellhooks.types.gemini import BeforeToolOutput

    process.set_stdin(b"")
    with pytest.raises(SystemExit) as stop:
        BeforeToolOutput(continue_=False, stopReason="enough").answer()
    assert process.ended(stop) == HookOutput('{"continue":false,"stopReason":"enough"}\n', 0)
    from pyshellhooks.types.cursor import BeforeShellExecutionOutput, PreToolUseOutput

    with pytest.raises(ValueError, match="permission"):
        BeforeShellExecutionOutput(permission="denied")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="permission"):
        PreToolUseOutput(permission="ask")  # type: ignore[arg-type]  # nobody would be asked there (cursor 5)
    with pytest.raises(ValueError, match="stopreason"):
        BeforeToolOutput(stopreason="x")  # type: ignore[call-arg]


def test_the_check_can_fail() -> None:
    """The check itself finds an answer that says less than was meant."""
    bench = Bench("crush")
    row = bench.dialect.events["PreToolUse"]
    with pytest.raises(AssertionError):
        check(bench, row, HookOutput("{}"), Verdict("PreToolUse", "deny", reason="no"), bench.fields(row))
