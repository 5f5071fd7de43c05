"""The engine in an agent's loop: what each gate says, and that nothing gets through where hooks can't be asked."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
from agent_runs import SHELL, hooks_of, output

from pyshellhooks.agent import AgentHooks, Gate

Invoke = Callable[..., Gate]


def broken_engine(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> AgentHooks:
    """Make hooks whose engine raises."""
    hooks = hooks_of({"PreToolUse": "exit 0"})

    def fire(*_: object, **__: object) -> None:
        raise error

    async def afire(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(hooks.engine, "fire", fire)
    monkeypatch.setattr(hooks.engine, "afire", afire)
    return hooks


# -- what hooks say


def test_a_call_without_objections(invoke: Invoke) -> None:
    gate = invoke(hooks_of({}), "before", "bash", SHELL)
    assert (gate.value, gate.denied, gate.ask, gate.halt, gate.rewritten) == (SHELL, None, None, False, False)


@pytest.mark.parametrize("gate", [Gate(), Gate(denied="no"), Gate(ask="sure?", denied="no")], ids=repr)
def test_a_gate_is_neither_true_nor_false(gate: Gate) -> None:
    with pytest.raises(TypeError, match="gate.denied"):
        if gate:
            pytest.fail("it has a truth value")
    with pytest.raises(TypeError, match="gate.denied"):
        bool(gate)


def test_a_deny(invoke: Invoke) -> None:
    gate = invoke(hooks_of({"PreToolUse": "echo no >&2; exit 2"}), "before", "Bash", SHELL)
    assert (gate.denied, gate.value, gate.ask) == ("no", SHELL, None)
    assert gate.verdict is not None and gate.verdict.decision == "deny"


def test_a_rewrite(invoke: Invoke) -> None:
    config = {
        "PreToolUse": output(hookEventName="PreToolUse", permissionDecision="allow", updatedInput={"command": "ls"})
    }
    gate = invoke(hooks_of(config), "before", "Bash", SHELL)
    assert (gate.value, gate.rewritten, gate.denied) == ({"command": "ls"}, True, None)
    gate = invoke(hooks_of(config), "before", "Bash", '{"command": "rm",  "n": 1.50}')
    assert json.loads(gate.value) == {"command": "ls"} and gate.rewritten


def test_arguments_as_text_keep_their_spelling(invoke: Invoke) -> None:
    text = '{"command":  "ls", "n": 1.50}'
    assert invoke(hooks_of({"PreToolUse": "exit 0"}), "before", "Bash", text).value is text


def test_halting_denies(invoke: Invoke) -> None:
    stop = """printf %s '{"continue": false, "stopReason": "enough"}'"""
    for event, name, words in (
        ("PreToolUse", "before", ("Bash", SHELL)),
        ("PostToolUse", "after", ("Bash", SHELL, "done")),
        ("UserPromptSubmit", "prompt", ("hi",)),
        ("Stop", "stop", ("done",)),
    ):
        gate = invoke(hooks_of({event: stop}), name, *words)
        assert gate.halt and gate.denied is not None, name
    assert gate.value is None


def test_context_of_all_that_is_before_a_result(invoke: Invoke) -> None:
    config = {
        "PreToolUse": output(hookEventName="PreToolUse", additionalContext="before"),
        "PostToolUse": output(hookEventName="PostToolUse", additionalContext="after"),
    }
    gate = invoke(hooks_of(config), "call", "Bash", SHELL, lambda given: f"ran {given['command']}")
    assert (gate.value, gate.context) == ("ran rm -rf /", "before\nafter")


def test_a_result_that_a_hook_objects_to_is_unchanged(invoke: Invoke) -> None:
    gate = invoke(hooks_of({"PostToolUse": "echo lint >&2; exit 2"}), "after", "Bash", SHELL, "done")
    assert (gate.value, gate.denied, gate.context) == ("done", None, "lint")


def test_a_session_starts_once_and_before_the_first_prompt(invoke: Invoke) -> None:
    hooks = hooks_of({"SessionStart": "echo started", "UserPromptSubmit": "echo prompted"})
    assert invoke(hooks, "prompt", "hi", session="s").context == "started\nprompted"
    assert invoke(hooks, "prompt", "hi", session="s").context == "prompted"
    assert invoke(hooks, "start", session="s").context == ""
    assert invoke(hooks, "start", session="t").context == "started"
    invoke(hooks, "end", session="s")
    assert invoke(hooks, "start", session="s").context == "started"


def test_a_stop_is_refused_until_the_system_overrules_it(invoke: Invoke) -> None:
    hooks = hooks_of({"Stop": "echo more >&2; exit 2"})
    said = [invoke(hooks, "stop", "done").value for _ in range(12)]
    assert said[0] == "more" and None in said
    invoke(hooks, "prompt", "a person's")
    assert invoke(hooks, "stop", "done").value == "more"


def test_a_blocked_prompt(invoke: Invoke) -> None:
    gate = invoke(hooks_of({"UserPromptSubmit": "echo secret >&2; exit 2"}), "prompt", "my password")
    assert gate.denied == "secret"


# -- questions

QUESTION = {
    "PreToolUse": output(hookEventName="PreToolUse", permissionDecision="ask", permissionDecisionReason="sure?")
}


def test_a_question_without_a_person_is_a_deny(invoke: Invoke) -> None:
    gate = invoke(hooks_of(QUESTION), "before", "Bash", SHELL)
    assert (gate.denied, gate.ask) == ("not confirmed: sure?", None)


def test_a_question_that_is_left_open_is_denied_until_it_is_answered(invoke: Invoke) -> None:
    gate = invoke(hooks_of(QUESTION, ask="defer"), "before", "Bash", SHELL)
    assert (gate.denied, gate.ask) == ("not confirmed: sure?", "sure?")
    assert gate.answered(True).denied is None
    for no in (False, None, 1, "yes"):
        assert gate.answered(no).denied == "not confirmed: sure?"  # type: ignore[arg-type]
    assert gate.answered(True).answered(False).denied is None


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize(
    ("answer", "allowed"), [(True, True), (False, False), ("no", False), (1, False), (None, False)]
)
def test_answers_of_a_person(invoke: Invoke, answer: Any, allowed: bool, waits: bool) -> None:
    asked: list[Any] = []

    def at_once(*question: Any) -> Any:
        asked.append(question)
        return answer

    async def later(*question: Any) -> Any:
        return at_once(*question)

    told: list[str] = []
    gate = invoke(hooks_of(QUESTION, on_ask=later if waits else at_once, told=told), "before", "Bash", SHELL)
    assert (gate.denied is None) is allowed
    assert asked == [("Bash", SHELL, "sure?")]
    assert gate.ask is None
    assert any("must be True or False" in notice for notice in told) is not isinstance(answer, bool)


def test_a_person_who_can_not_be_prompted_is_a_deny(invoke: Invoke) -> None:
    def fails(*_: Any) -> bool:
        raise OSError("no terminal")

    told: list[str] = []
    gate = invoke(hooks_of(QUESTION, on_ask=fails, told=told), "before", "Bash", SHELL)
    assert gate.denied == "not confirmed: sure?"
    assert told == ["the question failed: OSError: no terminal"] == list(gate.notices)


def test_a_coroutine_that_asks_is_not_waited_for_in_its_own_loop() -> None:
    async def later(*_: Any) -> bool:
        return True

    async def main() -> Gate:
        return hooks_of(QUESTION, on_ask=later).before("Bash", SHELL)

    gate = asyncio.run(main())
    assert gate.denied == "not confirmed: sure?"
    assert "the coroutine version" in gate.notices[0]


# -- its own faults


@pytest.mark.parametrize(
    "error", [RuntimeError("the engine is closed"), ValueError(), MemoryError(), RecursionError("x")]
)
def test_hooks_that_can_not_run(invoke: Invoke, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    hooks = broken_engine(monkeypatch, error)
    for name, words in (("before", ("Bash", SHELL)), ("prompt", ("hi",)), ("after", ("Bash", SHELL, "secret"))):
        gate = invoke(hooks, name, *words)
        assert gate.denied is not None and type(error).__name__ in gate.denied, name
        assert gate.verdict is None
    assert gate.value is None  # withheld
    for name, words in (("stop", ("done",)), ("end", ()), ("start", ())):
        gate = invoke(hooks, name, *words, session=name)
        assert (gate.value, gate.denied, len(gate.notices)) == (None, None, 1), name


def test_a_call_whose_hooks_can_not_run_is_not_made(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[Any] = []
    assert invoke(broken_engine(monkeypatch, ValueError()), "call", "Bash", SHELL, ran.append).denied
    assert not ran


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit()])
def test_exceptions_that_are_no_errors_pass(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    with pytest.raises(type(error)):
        invoke(broken_engine(monkeypatch, error), "before", "Bash", SHELL)


def test_a_misspelt_field_is_a_deny(invoke: Invoke) -> None:
    gate = invoke(hooks_of({"PreToolUse": "exit 0"}), "before", "Bash", SHELL, toolname="Bash")
    assert gate.denied is not None and 'did you mean "tool_name"' in gate.denied


def test_a_rewrite_that_is_no_object_is_a_deny(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    config = {"PreToolUse": output(hookEventName="PreToolUse", permissionDecision="allow", updatedInput=["ls"])}
    gate = invoke(hooks_of(config), "before", "Bash", SHELL)
    assert gate.denied is not None or gate.value == SHELL


def test_notices_go_to_the_callback(
    invoke: Invoke, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: str) -> None:
        raise OSError("closed")

    hooks = broken_engine(monkeypatch, ValueError("x"))
    hooks._on_notice = fails
    with caplog.at_level(logging.WARNING, "pyshellhooks"):
        assert invoke(hooks, "before", "Bash", SHELL).denied
        hooks._on_notice = None
        invoke(hooks, "before", "Bash", SHELL)
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]


# -- a call


def test_an_error_of_a_tool_is_raised_with_the_context_of_hooks(invoke: Invoke) -> None:
    def run(_: Any) -> None:
        raise OSError("disk full")

    config = {"PostToolUseFailure": output(hookEventName="PostToolUseFailure", additionalContext="free some")}
    with pytest.raises(OSError, match="disk full") as caught:
        invoke(hooks_of(config), "call", "Bash", SHELL, run)
    assert caught.value.__notes__ == ["free some"]


def test_an_interrupt_is_no_error(invoke: Invoke) -> None:
    class Interrupt(Exception):
        pass

    def run(_: Any) -> None:
        raise Interrupt

    with pytest.raises(Interrupt) as caught:
        invoke(hooks_of({"PostToolUseFailure": "echo no"}), "call", "Bash", SHELL, run, passes=Interrupt)
    assert not hasattr(caught.value, "__notes__")


def test_a_result_that_can_not_be_shown_is_withheld(invoke: Invoke) -> None:
    gate = invoke(hooks_of({"PostToolUse": "exit 0"}), "call", "Bash", SHELL, lambda _: "secret", seen=lambda _: 1 / 0)
    assert gate.value is None and gate.denied is not None and "ZeroDivisionError" in gate.denied


def test_hooks_see_the_shown_form_of_a_result(invoke: Invoke) -> None:
    config = {"PostToolUse": "cat >&2; exit 2"}
    gate = invoke(
        hooks_of(config), "call", "Bash", SHELL, lambda _: ["result"], seen=lambda result: f"seen {result[0]}"
    )
    assert gate.value == ["result"] and "seen result" in gate.context
