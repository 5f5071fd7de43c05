"""The arguments of a call: the tool gets those that hooks judged, whoever writes into the caller's object meanwhile."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import pytest
from agent_runs import SHELL, hooks_of, output

from pyshellhooks import HookEngine
from pyshellhooks.agent import AgentHooks, Gate, copied

Invoke = Callable[..., Gate]
Write = Callable[[Any], object]

QUESTION = {
    "PreToolUse": output(hookEventName="PreToolUse", permissionDecision="ask", permissionDecisionReason="sure?")
}


class Step:
    """An object that an agent hands to its tool."""

    def __init__(self, command: str) -> None:
        self.command = command


class Locked(Step):
    """One that can't be copied."""

    def __init__(self, command: str) -> None:
        super().__init__(command)
        self._lock = threading.Lock()


def plain() -> Any:
    return {"command": "ls", "more": ["a", {"b": 1}]}


#: Arguments, and what writes into them: at the top, deep inside, inside an object, inside what can't be copied.
WRITTEN: list[tuple[str, Callable[[], Any], Write]] = [
    ("a key", plain, lambda given: given.update(command="rm")),
    ("a new key", plain, lambda given: given.update(force=True)),
    ("a key less", plain, lambda given: given.pop("command")),
    ("a list", plain, lambda given: given["more"].append("c")),
    ("an object in a list", plain, lambda given: given["more"][1].update(b=2)),
    ("a value that JSON lacks", plain, lambda given: given.update(command={"rm"})),
    ("an attribute", lambda: {"step": Step("ls")}, lambda given: setattr(given["step"], "command", "rm")),
    ("of what can't be copied", lambda: {"step": Locked("ls")}, lambda given: setattr(given["step"], "command", "rm")),
    ("beside what can't be copied", lambda: {"a": ["ls"], "l": Locked("x")}, lambda given: given["a"].append("rm")),
    ("a bytearray", lambda: {"command": bytearray(b"ls")}, lambda given: given["command"].extend(b"; rm")),
]


def while_judged(hooks: AgentHooks, monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Have something happen while the hooks run."""
    fire, afire = hooks.engine.fire, hooks.engine.afire

    def fire_and(event: str, *words: Any, **fields: Any) -> Any:
        if event == "before_tool":
            act()
        return fire(event, *words, **fields)

    async def afire_and(event: str, *words: Any, **fields: Any) -> Any:
        if event == "before_tool":
            act()
        return await afire(event, *words, **fields)

    monkeypatch.setattr(hooks.engine, "fire", fire_and)
    monkeypatch.setattr(hooks.engine, "afire", afire_and)


@pytest.mark.parametrize(("make", "write"), [row[1:] for row in WRITTEN], ids=[row[0] for row in WRITTEN])
@pytest.mark.parametrize("when", ["judged", "asked", "asked by the framework"])
def test_arguments_that_change_are_denied(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[], Any], write: Write, when: str
) -> None:
    given, ran = make(), []

    def act(*_: object) -> bool:
        write(given)
        return True

    hooks = hooks_of({}) if when == "judged" else hooks_of(QUESTION, on_ask=act)
    if when == "judged":
        while_judged(hooks, monkeypatch, act)
    asks: Any = None
    if when == "asked by the framework":
        hooks, asks = hooks_of(QUESTION, ask="defer"), act
    gate = hooks.call("Bash", given, ran.append, asks=asks)
    assert not ran
    assert gate.denied is not None and "changed while hooks judged them" in gate.denied
    assert gate.denied in gate.notices


@pytest.mark.parametrize(("make", "write"), [row[1:] for row in WRITTEN], ids=[row[0] for row in WRITTEN])
def test_a_gate_has_a_copy(make: Callable[[], Any], write: Write) -> None:
    """What can't be copied is the caller's own: ``call`` compares it once more, and ``before`` can't."""
    given, unchanged = make(), make()
    gate = hooks_of({}).before("Bash", given)
    assert gate.denied is None and gate.value is not given
    write(given)
    if copied(make())[1]:
        assert repr_of(gate.value) == repr_of(unchanged)


def repr_of(value: Any) -> str:
    return repr({key: vars(one) if isinstance(one, Step) else one for key, one in value.items()})


@pytest.mark.parametrize(
    "value", [MappingProxyType({"command": "ls"}), {"lock": Locked("ls")}, {"x": object()}, "text"]
)
def test_arguments_that_are_not_changed(invoke: Invoke, value: Any) -> None:
    ran: list[Any] = []
    gate = invoke(
        hooks_of(QUESTION, ask="defer"), "call", "Bash", value, ran.append, asks=lambda gate: True, call_id="c"
    )
    assert gate.denied is None and len(ran) == 1


def test_a_callback_that_asks_can_not_change_them(invoke: Invoke) -> None:
    def on_ask(tool: str, arguments: Any, question: str) -> bool:
        arguments["command"] = "rm"
        return True

    assert invoke(hooks_of(QUESTION, on_ask=on_ask), "before", "Bash", {"command": "ls"}).value == {"command": "ls"}


def test_a_framework_that_asks_can_not_change_them(invoke: Invoke) -> None:
    ran: list[Any] = []

    def asks(gate: Gate) -> bool:
        gate.value["command"] = "rm"
        return True

    gate = invoke(hooks_of(QUESTION, ask="defer"), "call", "Bash", {"command": "ls"}, ran.append, asks=asks)
    assert gate.denied is not None and not ran


class Interrupt(Exception):
    """A framework's interrupt."""


def test_a_tool_that_changes_its_arguments_gets_the_judged_ones_again(invoke: Invoke) -> None:
    """It may interrupt after that, and the framework fires the call again."""
    got: list[Any] = []

    def run(arguments: Any) -> str:
        got.append(dict(arguments))
        arguments["command"] = "rm"
        if len(got) == 1:
            raise Interrupt
        return "done"

    hooks = hooks_of({})
    for _ in range(2):
        try:
            invoke(hooks, "call", "Bash", {"command": "ls"}, run, passes=Interrupt, call_id="c")
        except Interrupt:
            continue
    assert got == [{"command": "ls"}] * 2


def test_an_earlier_gate_whose_value_changed_is_judged_again(invoke: Invoke) -> None:
    hooks = hooks_of({"PreToolUse": "echo no >&2; [ -z \"$(jq -r '.tool_input.command' | grep rm)\" ] || exit 2"})
    kept = invoke(hooks, "before", "Bash", {"command": "ls"}, call_id="c")
    kept.value["command"] = "rm"
    again = invoke(hooks, "before", "Bash", {"command": "ls"}, call_id="c")
    assert again.value == {"command": "ls"} and again.denied is None


COMMAND = '"command": "rm"'


@pytest.mark.parametrize(
    "text",
    [
        "{%s}",
        '{%s, "x": NaN}',
        '{"x": [1, {"y": -Infinity}], %s}',
        '{"x": Infinity, %s}',
        '{"command": NaN, %s}',  # the last one counts
        '{%s, "x": 1e400}',
        '{%s, "x": -1e400}',
        '{%s, "x": "NaN and Infinity"}',
        "\ufeff{%s}",
        '{%s, "x": "a\nb"}',  # a control character
        "{%s,}",
        '{%s, "x": nan}',
        '{%s, "x": +1}',
        '{%s, "x": .5}',
        '{%s, "x": NaN} NaN',
        "\xa0{%s}",
        "{'command': 'rm'}",
        '{%s, "x": "\\ud800"}',
        "// NaN\n{%s}",
        "{%s",
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_json_text_is_read_as_python_reads_it(text: str, strict: bool) -> None:
    """Or it is a fault: a tool reads its arguments with ``json.loads`` (https://docs.python.org/3/library/json.html)."""
    text = text.replace("%s", COMMAND)
    try:
        python = json.loads(text)["command"]
    except ValueError:
        python = None
    deny = {"type": "command", "command": "jq -r .tool_input.command | grep -q rm && exit 2; exit 0"}
    config = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [deny]}]}}
    with HookEngine.load(config, "claude_code", cwd="/", env={"PATH": ""}, spawn=False, strict=strict) as engine:
        gate = AgentHooks(engine, on_notice=lambda _: None).before("Bash", text)
    assert (gate.denied is not None) is (python is not None or strict)
    if python is None:
        assert gate.verdict is not None and gate.verdict.faults
    assert gate.value is text


def test_numbers_that_json_lacks_keep_a_notice_and_the_text_its_spelling(invoke: Invoke) -> None:
    gate = invoke(hooks_of({"PreToolUse": "jq -c .tool_input >&2; exit 2"}), "before", "Bash", '{"n": 1.50, "x": NaN}')
    assert gate.denied == '{"n":1.5,"x":null}' and "x is nan: hooks see null" in gate.notices[0]
    gate = invoke(
        hooks_of({"PreToolUse": "grep -o 'n.*[0-9]' >&2; exit 2"}), "before", "Bash", '{"n": 1.50, "x": "NaN"}'
    )
    assert "1.50" in (gate.denied or "")


@pytest.mark.parametrize("turn", ["prompt", "stop", "end"])
def test_a_later_turn_uses_no_yes_of_an_earlier_one(invoke: Invoke, turn: str) -> None:
    hooks = hooks_of({})
    for session in ("s", "other"):
        invoke(hooks, "before", "Bash", SHELL, session=session, call_id="call_0")
    invoke(hooks, turn, *(("hi",) if turn != "end" else ()), session="s")
    assert [key[0] for key in hooks._gates._found] == ["other"]


@pytest.mark.parametrize("how", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_a_call_that_is_cut_off_leaves_no_yes(invoke: Invoke, how: type[BaseException]) -> None:
    def run(_: Any) -> None:
        raise how

    hooks = hooks_of({})
    with pytest.raises(how):
        invoke(hooks, "call", "Bash", SHELL, run, session="s", call_id="call_0", passes=Interrupt)
    assert not hooks._gates._found


def test_a_call_that_runs_lends_its_yes_to_no_other(invoke: Invoke) -> None:
    hooks = hooks_of({})

    def run(_: Any) -> None:
        assert not hooks._gates._found

    assert invoke(hooks, "call", "Bash", SHELL, run, session="s", call_id="call_0").denied is None
