"""What adapters for frameworks need: questions that interrupt, subagents, and a word for what no hook can see."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from agent_runs import SHELL, hooks_of, output

from pyshellhooks import HookEngine, MemoryFS
from pyshellhooks.agent import AgentHooks, Gate, declared_name, json_text, parsed
from pyshellhooks.errors import ConfigError

Invoke = Callable[..., Gate]

ASK = output(hookEventName="PreToolUse", permissionDecision="ask", permissionDecisionReason="sure %d?")
COUNT = f"""echo x >> /log; {ASK.replace("%s ", "", 1)} "$(wc -l < /log)" """


class Interrupt(Exception):
    """A framework's interrupt."""


def asking(**options: Any) -> AgentHooks:
    """Return hooks that ask, and count how often they ran."""
    entries = {"PreToolUse": [{"hooks": [{"type": "command", "command": COUNT}]}]}
    engine = HookEngine.load({"hooks": entries}, "claude_code", cwd="/", env={}, fs=MemoryFS(), spawn=False)
    return AgentHooks(engine, **options)


def times(hooks: AgentHooks) -> int:
    """Say how often the hook has run; it runs once more."""
    invoke = hooks.before("Bash", SHELL, call_id="count").verdict.reason  # type: ignore[union-attr]
    return int(invoke.split()[1].rstrip("?")) - 1


def test_a_question_may_interrupt_and_the_tool_too(invoke: Invoke) -> None:
    """As LangGraph does it: what was answered is given again each time, and the call begins anew."""
    hooks = asking(ask="defer")
    answers: list[object] = []

    def interrupt(index: int) -> object:
        if len(answers) <= index:
            raise Interrupt
        return answers[index]

    def run(_: object) -> str:
        return f"{interrupt(1)} {interrupt(2)}"

    def call() -> Gate:
        return invoke(
            hooks,
            "call",
            "Bash",
            SHELL,
            run,
            asks=lambda gate: interrupt(0),
            passes=Interrupt,
            session="s",
            call_id="c",
        )

    for answer in (True, "one", "two"):
        with pytest.raises(Interrupt):
            call()
        answers.append(answer)
    assert call().value == "one two"
    assert not hooks._gates._found
    assert times(hooks) == 1


@pytest.mark.parametrize("answer", [False, None, "yes", 1])
def test_only_true_is_a_yes(invoke: Invoke, answer: object) -> None:
    hooks = asking(ask="defer")
    gate = invoke(hooks, "call", "Bash", SHELL, lambda _: pytest.fail("it ran"), asks=lambda gate: answer)
    assert gate.denied == "not confirmed: sure 1?"
    assert bool(gate.notices) == (answer is not False)


def test_a_callback_that_asks_fails(invoke: Invoke) -> None:
    hooks = asking(ask="defer")

    def broken(gate: Gate) -> bool:
        raise OSError("no terminal")

    gate = invoke(hooks, "call", "Bash", SHELL, lambda _: pytest.fail("it ran"), asks=broken)
    assert gate.denied == "not confirmed: sure 1?"
    assert "the question failed: OSError: no terminal" in gate.notices


def test_a_question_stays_until_it_is_answered(invoke: Invoke) -> None:
    hooks = asking(ask="defer")
    for _ in range(4):
        assert invoke(hooks, "before", "Bash", SHELL, call_id="c").ask == "sure 1?"
    assert times(hooks) == 1


def test_a_person_may_be_shown_the_arguments_that_hold(invoke: Invoke) -> None:
    """A framework that asks about what a hook has made of a call fires the call with that."""
    asking_and_rewriting = output(
        hookEventName="PreToolUse",
        permissionDecision="ask",
        updatedInput={"command": "ls"},
        permissionDecisionReason="?",
    )
    hooks = hooks_of({"PreToolUse": asking_and_rewriting}, ask="defer")
    seen = []

    def asks(gate: Gate) -> bool:
        seen.append(gate)
        if len(seen) == 1:
            raise Interrupt
        return True

    for arguments in (SHELL, {"command": "ls"}):
        try:
            gate = invoke(
                hooks, "call", "Bash", arguments, lambda given: given, asks=asks, passes=Interrupt, call_id="c"
            )
        except Interrupt:
            continue
    assert seen[0] is seen[1] and gate.value == {"command": "ls"}


def test_on_ask_is_called_once_if_the_tool_interrupts() -> None:
    asked = []
    hooks = asking(on_ask=lambda *words: asked.append(words) or True)

    def run(_: object) -> str:
        raise Interrupt

    for _ in range(3):
        with pytest.raises(Interrupt):
            hooks.call("Bash", SHELL, run, passes=Interrupt, call_id="c")
    assert len(asked) == 1 and times(hooks) == 1


def test_a_subagent_begins_and_ends(invoke: Invoke) -> None:
    stop = "jq -r 'if .stop_hook_active then empty else .agent_type end' | { read -r kind || exit 0; echo $kind >&2; exit 2; }"
    hooks = hooks_of({"SubagentStart": "jq -r .agent_type", "SubagentStop": stop})
    begun = invoke(hooks, "start", subagent="explore", agent_id="a", session="s")
    assert begun.denied is None
    assert invoke(hooks, "stop", "done", subagent="explore", agent_id="a", session="s").value == "explore"
    assert invoke(hooks, "stop", "done", subagent="explore", agent_id="a", session="s").value is None


def test_a_subagent_is_no_turn(invoke: Invoke) -> None:
    hooks = hooks_of({"SessionStart": "echo begun", "Stop": "echo more >&2; exit 2"})
    assert invoke(hooks, "start", subagent="explore", session="s").context == ""
    assert invoke(hooks, "stop", "done", subagent="explore", session="s").value is None
    assert invoke(hooks, "start", session="s").context == "begun"
    assert invoke(hooks, "stop", "done", session="s").value == "more"


def test_a_subagent_can_be_denied(invoke: Invoke) -> None:
    config = {
        "version": 1,
        "hooks": {"subagentStart": [{"command": """printf '{"permission": "deny", "user_message": "no"}'"""}]},
    }
    told: list[str] = []
    hooks = AgentHooks(HookEngine.load(config, "cursor", cwd="/", env={}, spawn=False), on_notice=told.append)
    assert invoke(hooks, "start", subagent="explore", prompt="look").denied == "no"
    assert told == []  # its type has the name that Claude Code gives it, and Cursor's hooks see it under theirs


def test_an_internal_fault_denies_a_subagent(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    hooks = hooks_of({})

    def broken(*_: object) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr(hooks.engine, "fire", broken)
    monkeypatch.setattr(hooks.engine, "afire", broken)
    denied = invoke(hooks, "start", subagent="explore").denied
    assert denied is not None and "RuntimeError: a fault" in denied
    assert invoke(hooks, "stop", subagent="explore").value is None


def test_tools_that_no_hook_sees_are_reported_or_refused() -> None:
    told: list[str] = []
    for strict in (False, True):
        engine = HookEngine.load({"hooks": {}}, "claude_code", cwd="/", env={}, spawn=False, strict=strict)
        hooks = AgentHooks(engine, on_notice=told.append)
        hooks.check_reach()
        if strict:
            with pytest.raises(ConfigError, match="web_search runs elsewhere"):
                hooks.check_reach("web_search runs elsewhere")
        else:
            hooks.check_reach("web_search runs elsewhere")
    assert len(told) == 1 and "web_search runs elsewhere" in told[0]


def test_several_gates_are_one() -> None:
    open_, first = Gate("a", context="seen"), Gate("b", "no", "why", True)
    made = Gate.joined([open_, Gate(), first, Gate(denied="later")])
    assert (made.denied, made.halt, made.context) == ("no", True, "seen\nwhy")
    assert Gate.joined([open_]).denied is None and Gate.joined([]).context == ""
    assert Gate.joined([Gate(denied="")]).denied == ""  # a denial without a word is one


def test_values_that_models_and_tools_get() -> None:
    assert [json_text(one) for one in ("ä", {"a": "ä"}, Path("x").parent)] == ["ä", '{"a": "ä"}', '"."']
    assert [parsed(one) for one in ('{"a": 1}', "", "no json", None, {"b": 2})] == [
        {"a": 1},
        {},
        "no json",
        {},
        {"b": 2},
    ]
    forms: list[dict[str, Any]] = [
        {"name": "a"},
        {"type": "function", "function": {"name": "b"}},
        {"type": "web_search"},
    ]
    assert [declared_name(one) for one in forms] == ["a", "b", "web_search"]
