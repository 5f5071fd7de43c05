"""What an engine does in any system: native events behind a neutral one, lanes, sessions, handlers, several systems."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from clock import patient
from toy_dialect import Toy

from pyshellhooks import CancelScope, ConfigError, HookEngine, HookSession, UnknownEventError
from pyshellhooks.engine.config.loading import Configuration
from pyshellhooks.hooks.model import HookSpec


def engine(*specs: HookSpec, **options: Any) -> HookEngine:
    return HookEngine(Toy(), specs, **options)


def echo(text: str) -> str:
    return f"echo '{text}'"


# -- native events behind a neutral one ------------------------------------------------------------------------------


def test_stages_run_in_the_tables_order_and_see_the_rewrite() -> None:
    first = HookSpec("check", echo('{"input": {"command": "ls -l"}}'))
    second = HookSpec("check_shell", "grep -q 'ls -l' && echo '{\"context\": \"seen\"}'")
    with engine(first, second) as e:
        verdict = e.fire("before_tool", tool_name="Bash", tool_input={"command": "ls", "n": 1})
    assert [result.spec.event for result in verdict.hooks] == ["check", "check_shell"]
    assert verdict.context == "seen"
    assert verdict.updated_input == {"command": "ls -l", "n": 1}
    assert verdict.event == "before_tool"


def test_a_deny_ends_the_stages() -> None:
    with engine(HookSpec("check", "echo no >&2; exit 2"), HookSpec("check_shell", "exit 2")) as e:
        verdict = e.fire("before_tool", tool_name="Bash", tool_input={})
    assert (verdict.decision, verdict.reason, len(verdict.hooks)) == ("deny", "no", 1)


def test_a_stage_whose_condition_does_not_hold_is_left_out() -> None:
    with engine(HookSpec("check", ":"), HookSpec("check_shell", "exit 2")) as e:
        assert e.fire("before_tool", tool_name="Read", tool_input={}).decision == "none"
        assert e.fire("before_tool", tool_name="shell", tool_input={}).decision == "deny"
        assert e.fire("check", tool_name="shell").decision == "none"  # the native name is one event


def test_a_native_name_of_a_field_is_replaced_too() -> None:
    first = HookSpec("check", echo('{"input": {"a": 2}}'))
    second = HookSpec("check_shell", "jq -r .tool_input.a | grep -qx 2 && exit 2")
    with engine(first, second) as e:
        assert (
            e.fire("before_tool", '{"tool_name": "Bash", "tool_input": {"command": "ls", "a": 1}}').decision == "deny"
        )


def test_a_neutral_event_that_no_system_has_runs_nothing() -> None:
    with engine(HookSpec("check", "exit 2")) as e:
        verdict = e.fire("before_model")
        assert (verdict.decision, verdict.hooks, verdict.event) == ("none", (), "before_model")
        with pytest.raises(UnknownEventError, match="before_modell"):
            e.fire("before_modell")


# -- lanes -----------------------------------------------------------------------------------------------------------


def test_a_lane_chains_and_lanes_run_side_by_side() -> None:
    slow = "sleep 0.3; jq -c '{input: {steps: (.tool_input.steps + 1)}}'"
    lanes = [
        HookSpec("check", slow, lane="a", name="a1"),
        HookSpec("check", slow, lane="b", name="b1"),
        HookSpec("check", f"{slow} # again", lane="a", name="a2"),
        HookSpec("check", "jq -c '{context: (.tool_input.steps | tostring)}'", name="alone"),
    ]
    with engine(*lanes) as e:
        began = time.monotonic()
        verdict = e.fire("check", tool_name="x", tool_input={"steps": 0})
        seconds = time.monotonic() - began
    assert [result.name for result in verdict.hooks] == ["a1", "b1", "a2", "alone"]
    assert verdict.updated_input == {"steps": 2}
    assert verdict.context == "0"
    assert 0.6 <= seconds < patient(5)


def test_a_lane_that_hangs_does_not_hide_the_others() -> None:
    stubborn = threading.Event()

    def handler(request: Any) -> str:
        stubborn.wait(20)
        return "{}"

    specs = [
        HookSpec("check", "exit 2", lane="a"),
        HookSpec("check", "ask", kind="prompt", lane="b", timeout=0.2),
        HookSpec("check", ":", lane="b", timeout=0.2),
    ]
    with engine(*specs, handlers={"prompt": handler}) as e:
        began = time.monotonic()
        verdict = e.fire("check", tool_name="x")
        assert time.monotonic() - began < patient(5)
    stubborn.set()
    assert [result.ended for result in verdict.hooks] == ["nonzero", "timed_out", "ok"]
    assert verdict.decision == "deny"


# -- sessions --------------------------------------------------------------------------------------------------------


def test_follow_ups_are_counted_by_session() -> None:
    with engine(HookSpec("done", "jq -c '{followup: (.turn | tostring)}'")) as e:
        assert [e.fire("after_agent", session_id="s").followup for _ in range(3)] == ["0", "1", "2"]
        assert e.fire("after_agent", session_id="other").followup == "0"
        mine = HookSession("mine")
        assert [e.fire("after_agent", session=mine).followup for _ in range(2)] == ["0", "1"]
        assert [e.fire("after_agent").followup for _ in range(2)] == ["0", "1"]  # without an id: one for all


def test_variables_of_a_session_reach_later_hooks() -> None:
    writer = HookSpec("check", 'echo COLOUR=red >> "$TOY_ENV"')
    reader = HookSpec("result", 'printf \'{"context":"%s"}\' "$COLOUR"')
    with engine(writer, reader) as e:
        assert e.fire("check", tool_name="x", session="s").effects == {"env": {"COLOUR": "red"}}
        assert e.fire("result", session="s").context == "red"
        assert e.fire("result", session="t").context == ""


def test_the_file_for_variables_is_gone_afterwards(tmp_path: Path) -> None:
    with engine(HookSpec("check", 'echo "$TOY_ENV" > where'), cwd=str(tmp_path)) as e:
        e.fire("check", tool_name="x")
    path = (tmp_path / "where").read_text().strip()
    assert path and not Path(path).exists()


def test_the_end_of_a_session_runs_though_its_scope_is_cancelled(tmp_path: Path) -> None:
    scope = CancelScope()
    scope.cancel()
    with engine(HookSpec("ended", "echo bye > bye"), HookSpec("check", "echo no > no"), cwd=str(tmp_path)) as e:
        assert e.fire("check", tool_name="x", scope=scope).hooks[0].ended == "cancelled"
        assert e.fire("session_end", scope=scope).hooks[0].ended == "ok"
    assert (tmp_path / "bye").exists() and not (tmp_path / "no").exists()


# -- several systems -------------------------------------------------------------------------------------------------


def loaded(name: str, engine: HookEngine) -> Configuration:
    from pyshellhooks import dialects

    found = Configuration(dialects.get(name))
    found.specs = list(engine.specs)
    return found


def several(*specs: HookSpec, crush: str, **options: Any) -> HookEngine:
    from pyshellhooks import dialects

    other = Configuration(dialects.get("crush"))
    other.specs = [HookSpec("PreToolUse", crush)]
    return HookEngine(Toy(), specs, others=[other], **options)


def test_a_neutral_event_is_fired_in_every_system() -> None:
    with several(HookSpec("check", echo('{"context": "toy"}')), crush=echo('{"context": "crush"}')) as e:
        verdict = e.fire("before_tool", tool_name="x", tool_input={})
        assert verdict.context == "toy\ncrush"
        assert [result.spec.event for result in verdict.hooks] == ["check", "PreToolUse"]
        assert e.fire("PreToolUse", tool_name="x").context == "crush"
        assert e.fire("after_tool", tool_name="x").hooks == ()
        assert [why.event for why in e.explain("before_tool", tool_name="x")] == ["check", "PreToolUse"]


def test_a_name_that_is_native_here_and_neutral_there_is_fired_in_both() -> None:
    agent = "agents: {root: {hooks: {session_start: [{type: command, command: echo docker}]}}}"
    answer = '{"hookSpecificOutput": {"additionalContext": "gemini"}}'
    hooks = {"SessionStart": [{"hooks": [{"type": "command", "command": echo(answer)}]}]}
    other = HookEngine.load({"hooks": hooks}, "gemini")
    made = HookEngine.load(None, "docker_agent", text=agent)
    both = loaded("gemini", other), loaded("docker_agent", made)
    with HookEngine("crush", others=both) as e:
        assert e.fire("session_start").context == "gemini\ndocker"
        assert e.fire("SessionStart").context == "gemini"


def test_each_system_is_fired_under_its_own_spellings() -> None:
    made = HookEngine.load({"hooks": [{"event": "turn_end", "executor": {"type": "bash", "command": ":"}}]}, "everruns")
    guard = [HookSpec("PreToolUse", "echo no >&2; exit 2")]
    with HookEngine("crush", guard, others=[loaded("everruns", made)]) as e:
        assert e.fire("pre_tool_use", tool_name="x").reason == "no"


def test_a_deny_of_one_system_is_a_deny() -> None:
    with several(HookSpec("check", ":"), crush="echo never >&2; exit 2") as e:
        verdict = e.fire("before_tool", tool_name="x")
    assert (verdict.decision, verdict.reason) == ("deny", "never")


def test_the_next_system_sees_the_rewrite() -> None:
    guard = 'jq -e ".tool_input.command == \\"rm -rf /\\"" > /dev/null && exit 2; exit 0'
    with several(HookSpec("check", echo('{"input": {"command": "rm -rf /"}}')), crush=guard) as e:
        assert e.fire("before_tool", tool_name="x", tool_input={"command": "ls"}).decision == "deny"


def test_an_event_that_no_system_has_is_an_error() -> None:
    with several(crush=":") as e, pytest.raises(UnknownEventError):
        e.fire("nothing_like_that")


def test_files_of_several_systems_load_together(tmp_path: Path) -> None:
    from pyshellhooks import dialects

    dialects.register(Toy)
    try:
        (tmp_path / "toy.json").write_text('echo "{\\"context\\": \\"t\\"}"')
        (tmp_path / "crush.json").write_text('{"hooks": {"PreToolUse": [{"command": "exit 2"}]}}')
        paths = [tmp_path / "toy.json", tmp_path / "crush.json"]
        with HookEngine.load(paths) as e:
            assert sorted(system.dialect.name for system in e.systems) == ["crush", "toy"]
            assert e.fire("before_tool", tool_name="x").decision == "deny"
        with pytest.raises(ConfigError, match="the hook system can't be detected"):
            (tmp_path / "other.txt").write_text("nothing")
            HookEngine.load([*paths, tmp_path / "other.txt"])
    finally:
        dialects._known.pop("toy")


def test_hooks_of_a_command_line_are_appended() -> None:
    with HookEngine.load("toy :\n", Toy(), hooks=[("check", "exit 2"), ("after_tool", ":")]) as e:
        assert [(spec.event, spec.command) for spec in e.specs] == [
            ("check", ":"),
            ("check", "exit 2"),
            ("result", ":"),
        ]
        assert e.fire("check", tool_name="x").decision == "deny"


def test_the_agent_reaches_the_loader() -> None:
    with HookEngine.load("toy :\n", Toy(), agent="second") as e:
        assert e.specs[0].matcher == "second"
