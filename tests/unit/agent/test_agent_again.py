"""A call that a framework asks about again, and many at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from agent_runs import SHELL, hooks_of

from pyshellhooks import HookEngine, MemoryFS
from pyshellhooks.agent import AgentHooks, Gate

Invoke = Callable[..., Gate]

COUNT = "echo x >> /log; n=$(wc -l < /log); echo $((n)) >&2; exit 2"


def counting() -> AgentHooks:
    entries = {"PreToolUse": [{"hooks": [{"type": "command", "command": COUNT}]}]}
    engine = HookEngine.load({"hooks": entries}, "claude_code", cwd="/", env={}, fs=MemoryFS(), spawn=False)
    return AgentHooks(engine)


def test_a_gate_is_remembered_once(invoke: Invoke) -> None:
    hooks = counting()
    said = [invoke(hooks, "before", "Bash", SHELL, session="s", call_id="c").denied for _ in range(4)]
    assert said == ["1", "1", "2", "2"]


@pytest.mark.parametrize(
    "other",
    [{"session": "t"}, {"call_id": "d"}, {"turn": "2"}, {"tool": "Bash2"}, {"arguments": {"command": "ls"}}],
    ids=str,
)
def test_hooks_see_another_call(invoke: Invoke, other: dict[str, Any]) -> None:
    hooks = counting()
    given = {"tool": "Bash", "arguments": SHELL, "session": "s", "call_id": "c", "turn": "1"}
    assert invoke(hooks, "before", **given).denied == "1"
    assert invoke(hooks, "before", **{**given, **other}).denied == "2"


def test_without_an_id_nothing_is_remembered(invoke: Invoke) -> None:
    hooks = counting()
    assert [invoke(hooks, "before", "Bash", SHELL, session="s").denied for _ in range(3)] == ["1", "2", "3"]


def test_a_call_that_is_over_is_forgotten(invoke: Invoke) -> None:
    hooks = hooks_of({"PreToolUse": "exit 0"})
    invoke(hooks, "call", "Bash", SHELL, lambda _: "done", call_id="c")
    invoke(hooks, "before", "Bash", SHELL, call_id="d")
    invoke(hooks, "after", "Bash", SHELL, "done", call_id="d")
    assert not hooks._gates._found


def test_the_memory_of_calls_has_a_bound() -> None:
    hooks = hooks_of({})
    for number in range(1100):
        hooks.before("Bash", SHELL, call_id=str(number))
    assert len(hooks._gates._found) == 1000


def test_threads_share_one_object() -> None:
    hooks = hooks_of({"PreToolUse": "grep -q '\"rm\"' && exit 2; exit 0"})
    gates: list[Gate] = []

    def work() -> None:
        for number in range(20):
            gates.append(hooks.before("Bash", {"command": "rm" if number % 2 else "ls"}, call_id=f"{number}"))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((gate.denied is not None) is (gate.value["command"] == "rm") for gate in gates) and len(gates) == 80
