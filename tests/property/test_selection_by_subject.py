"""Hooks are found by an event's subjects: those that run are those that asking every hook gives, in every system.

``explain`` asks every hook about every event; ``fire`` remembers what subjects decide.
"""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyshellhooks import HookEngine, dialects
from pyshellhooks.engine.config.excluded import ExcludedHook
from pyshellhooks.engine.executor import RecordedExecutor
from pyshellhooks.errors import Stop
from pyshellhooks.hooks.failure_notices import left_out
from pyshellhooks.hooks.fields import sample
from pyshellhooks.hooks.model import HookSpec

TOOLS = [
    *(
        "bash",
        "Bash",
        "shell",
        "Shell",
        "run_shell_command",
        "execute",
        "terminal",
        "view",
        "Read",
        "str_replace_editor",
    ),
    *(
        "mcp__github__search",
        "mcp_github_search",
        "mcp_github__search",
        "mcp:github:search",
        "MCP:search",
        "unheard",
        "",
    ),
]
INPUTS: list[Any] = [
    *({"command": "rm -rf /"}, {"command": "ls"}, {"cmd": "rm -rf /"}, {"commands": "rm x"}, {"file_path": "a.ts"}),
    *({}, {"command": ["rm", "-rf", "/"]}, '{"command": "rm -rf /"}', "no JSON"),
]
MATCHERS = [
    *("", ".+", "bash", "Bash", "^bash$", "Shell|Read", "^(view|Read)$", "run_.*|view", "mcp__.*", "mcp_.*", "MCP"),
    *(".*", "[bB]ash", "nothing", "sh$", "startup", "rm ", "^$"),
]
#: What a hook may ask beside its matcher, where its system has such a thing.
BESIDE = {
    "claude_code": ["rule", "rule", "tool rule", "once"],
    "everruns": ["path", "regex"],
    "cursor": ["command", "tool"],
    "firebender": ["command", "tool"],
}
RULES = {"rule": "Bash(rm *)", "tool rule": "mcp__github"}
NEUTRAL = ["before_tool", "after_tool", "before_prompt", "after_agent", "session_start"]


class Endless:
    """A matcher that comes to no end."""

    def search(self, subject: str, /) -> bool:
        raise Stop("regex", "no end")


def entry(matcher: str, beside: str, number: int) -> dict[str, Any]:
    """Write one hook of a group, with its condition where that stands on the hook."""
    hook: dict[str, Any] = {"type": "command", "command": f"true {number % 3}"}  # some are equal
    if beside in RULES:
        hook["if"] = RULES[beside]
    return {"matcher": matcher, "hooks": [hook]}


def everruns(event: str, matcher: str, beside: str, number: int) -> dict[str, Any]:
    """Write one hook of Everruns."""
    test: dict[str, str] = {}
    if "tool" in event:
        test = {"tool_name_glob": "*" if matcher in (".*", "") else matcher.strip("^$()").replace(".*", "*")}
        if set(test["tool_name_glob"]) & set("[]"):
            test = {"tool_name": "bash"}
        if beside in ("path", "regex"):
            test["args_jsonpath"] = "$.command"
        if beside == "regex":
            test["match_regex"] = "rm"
    hook = {"id": f"h{number}", "event": event, "executor": {"type": "bash", "command": f"true {number % 3}"}}
    return {**hook, "matcher": test} if test else hook


def text_of(system: str, hooks: list[tuple[str, str, str]]) -> str:
    """Write a configuration."""
    events: dict[str, list[Any]] = {}
    for number, (event, matcher, beside) in enumerate(hooks):
        one: Any = {"matcher": matcher, "command": f"true {number % 3}"}
        if system in ("cursor", "firebender"):
            if beside in ("command", "tool"):
                one["matcher"] = {"command": "rm ", "pattern": "."} if beside == "command" else {"tool_name": matcher}
        elif system == "everruns":
            one = everruns(event, matcher, beside, number)
        elif system != "crush":
            one = entry(matcher, beside if system == "claude_code" else "", number)
            if system == "docker_agent" and "tool" not in event:
                one = one["hooks"][0]
        events.setdefault(event, []).append(one)
    if system == "everruns":
        return json.dumps({"hooks": [one for group in events.values() for one in group]})
    if system == "docker_agent":
        return json.dumps({"agents": {"root": {"model": "m", "hooks": events}}})
    return json.dumps({"version": 1, "hooks": events} if system in ("cursor", "firebender") else {"hooks": events})


def specs_of(system: str, hooks: list[tuple[str, str, str]]) -> list[HookSpec]:
    """Load hooks, and make some of them run once, or endless."""
    specs = list(HookEngine.load(text_of(system, hooks), system, cwd="/", env={}).specs)
    besides = {f"true {number % 3}": beside for number, (_, _, beside) in enumerate(hooks)}
    for spec in specs:
        if besides[spec.command] == "once" and system == "claude_code":
            spec.extra = {**spec.extra, "once": True}
        elif besides[spec.command] == "fails":
            spec.pattern = Endless()
    return specs


def fields_of(system: str, name: str, tool: str, given: Any) -> dict[str, Any]:
    """Return an event's fields: a tool's call, or a sample of what else the event tells."""
    rows = [row for row in dialects.get(system).events.values() if name in (row.native, *row.neutral)]
    fields = sample(rows[0], True) if rows else {}
    if not rows or any("tool_name" in row.places for row in rows):
        fields |= {"tool_name": tool, "tool_input": given}
    return {**fields, "session_id": "s1", "cwd": "/"}


@pytest.mark.parametrize("system", dialects.names())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_exactly_the_matching_hooks_run(system: str, data: st.DataObject) -> None:
    events = dialects.get(system).events
    natives = sorted(events, key=lambda name: "tool_name" not in events[name].places)[:4]
    names = data.draw(
        st.lists(st.sampled_from(["before_tool", natives[0], *natives, *NEUTRAL]), min_size=1, max_size=2)
    )
    shells = st.sampled_from(dialects.get(system).tools["shell"])
    tools = data.draw(st.lists(shells | st.sampled_from(TOOLS), min_size=1, max_size=2))
    beside = st.sampled_from(["", "fails", *BESIDE.get(system, [])])
    hook = st.tuples(st.sampled_from([natives[0], *natives]), st.just("") | st.sampled_from(MATCHERS), beside)
    inputs = [{"command": "ls"}, {"command": "rm -rf /"}, {}, data.draw(st.sampled_from(INPUTS))]
    hooks = data.draw(st.lists(hook, min_size=1, max_size=8))
    told = {"execute": "shell"} if data.draw(st.booleans()) else None
    options: dict[str, Any] = {"cwd": "/", "env": {}, "tools": told, "executor": RecordedExecutor()}
    specs = specs_of(system, hooks)
    engine = HookEngine(system, specs, **options)
    if data.draw(st.booleans()):
        engine = HookEngine(system, specs, disabled=[spec.id for spec in specs[3:4]], **options)
    silent = HookEngine(
        system, left_out=[ExcludedHook(one, left_out("not trusted")) for one in specs_of(system, hooks)], **options
    )
    alone = [HookEngine(system, [one], **options) for one in specs_of(system, hooks)]
    for name, tool, arguments in product(names, tools, inputs):  # what one call decides must not decide the next
        fields = fields_of(system, name, tool, arguments)
        expected = [why.id for why in engine.explain(name, fields) if why.matches]
        assert sorted(hook.id for hook in engine.fire(name, fields).hooks) == sorted(expected), (name, fields)
        places = {why.origin for one in alone for why in one.explain(name, fields) if why.matches}
        said = [one.partition("): skipped")[0].rpartition("(")[2] for one in silent.fire(name, fields).faults]
        assert {one for one in said if one.startswith("<")} == places, (name, fields)
