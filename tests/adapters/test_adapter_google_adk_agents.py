"""Agents in ADK that others call, hand over to or run in a loop, and workflows."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.errors import ConfigError
from tests.adapters import story as common
from tests.adapters.story import Story, engine, shell
from tests.adapters.test_adapter_story import log

pytest.importorskip("google.adk", reason="google-adk is not installed: python -m tests.adapters.run google-adk")

from google.adk.agents import LlmAgent, LoopAgent, SequentialAgent
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.workflow import START, Workflow

from pyshellhooks.adapters.google_adk import ShellHooks
from tests.adapters.drivers.google_adk import (
    SESSION,
    a_runner,
    a_shell,
    an_agent,
    explore,
    go,
    responses,
    scripted,
    user_message,
)

pytestmark = pytest.mark.not_on_windows("needs-tools")

NO_AGENTS = {"permission": "deny", "user_message": "no agents"}
LOOK = [("explore", {"request": "look"})]


def test_an_agent_as_a_tool_can_be_denied_given_context_and_halted(tmp_path: Path, caplog: Any) -> None:
    context = """echo '{"hookSpecificOutput": {"hookEventName": "SubagentStart", "additionalContext": "be brief"}}'"""
    halt = """echo '{"continue": false, "stopReason": "enough for today"}'"""
    again = "echo 'look again' >&2; exit 2"

    cursor = {"version": 1, "hooks": {"subagentStart": [{"command": f"echo '{json.dumps(NO_AGENTS)}'"}]}}

    def run_story(hooks: Any) -> tuple[Story, list[Any], list[Any]]:
        given = hooks if isinstance(hooks, HookEngine) else engine(tmp_path, hooks)
        story = Story([LOOK, "done"], given, subagent_turns=["found nothing"])
        plugin, asked = ShellHooks(story.engine), []

        class Watch(BasePlugin):
            async def before_model_callback(self, *, callback_context: Any, llm_request: Any) -> None:
                asked.append((callback_context.agent_name, llm_request.config.system_instruction or ""))

        events = go(plugin, a_runner(explore(story), plugin, Watch("watch")))
        return story, events, asked

    story, events, _ = run_story(common.claude("PreToolUse", "echo 'no agents' >&2; exit 2"))
    assert responses(events) == [{"error": "no agents"}] and len(story.seen) == 2
    story, events, _ = run_story(HookEngine.load(cursor, "cursor", cwd=str(tmp_path)))
    assert responses(events) == [{"error": "no agents"}] and len(story.seen) == 2
    _, _, asked = run_story(common.claude("SubagentStart", context))
    assert [name for name, text in asked if "be brief" in text] == ["explore"]
    story, events, _ = run_story(common.claude("SubagentStop", halt))
    assert events[-1].content.parts[0].text == "enough for today" and len(story.seen) == 2
    with caplog.at_level(logging.WARNING, "pyshellhooks"):
        run_story(common.claude("SubagentStop", again))
    assert "ADK ends it with its answer" in caplog.text and "look again" in caplog.text


def test_a_halt_inside_of_an_agent_as_a_tool_ends_the_turn(tmp_path: Path) -> None:
    halt = common.claude("PreToolUse", """echo '{"continue": false, "stopReason": "enough for today"}'""", "Bash")
    story = Story([LOOK, "done"], engine(tmp_path, halt), subagent_turns=[[shell("ls")], "found nothing"])
    hooks = ShellHooks(story.engine)
    events = go(hooks, a_runner(explore(story), hooks))
    assert story.ran == [] and len(story.seen) == 2  # neither model is asked again
    assert events[-1].content.parts[0].text == "enough for today"


def test_no_person_can_answer_an_agent_that_runs_as_a_tool(tmp_path: Path) -> None:
    turns = [[shell("git push")], "found nothing"]
    story = Story([LOOK, "done"], engine(tmp_path, common.ASK), subagent_turns=turns)
    hooks = ShellHooks(story.engine, ask="defer")
    events = go(hooks, a_runner(explore(story), hooks))
    assert story.ran == [] and "push it?" in story.seen[2]
    assert responses(events) == [{"result": "found nothing"}]


def test_a_run_after_an_agent_as_a_tool_is_no_subagent(tmp_path: Path) -> None:
    story = Story([LOOK, "done"], engine(tmp_path, common.PROMPT), subagent_turns=["found nothing"])
    other = Story(["done"], story.engine)
    hooks, events = ShellHooks(story.engine), []

    class After(BasePlugin):
        async def after_tool_callback(self, **call: Any) -> None:
            run = hooks.run_async(
                a_runner(an_agent(other), hooks), **SESSION, new_message=user_message("it is hunter2")
            )
            events.extend([event async for event in run])

    go(hooks, a_runner(explore(story), hooks, After("after")))
    assert other.seen == [] and "no secrets here" in events[0].content.parts[0].text


def test_hooks_see_the_calls_of_a_task_but_not_the_task(tmp_path: Path) -> None:
    """ADK would begin it all the same, and tell the model that it was denied."""
    turns = [[("explore", {"request": "look"}), shell("ls")], "done"]
    hook = common.claude("PreToolUse", "jq -r .tool_name >> log; echo 'nothing goes' >&2; exit 2", "explore|Bash")
    story = Story(turns, engine(tmp_path, hook))
    script = scripted([[shell("ls")], [("finish_task", {"result": "found nothing"})]], story.seen, "task")
    task = LlmAgent(name="explore", model=script, mode="task", description="looks", tools=[a_shell(story)])
    hooks = ShellHooks(story.engine)
    events = go(hooks, a_runner(an_agent(story, sub_agents=[task]), hooks))
    assert story.ran == [] and log(tmp_path) == ["Bash", "Bash"]
    assert events[-1].content.parts[0].text == "done"


def test_an_agent_without_plugins_is_reported_or_refused(tmp_path: Path, caplog: Any) -> None:
    for strict in (False, True):
        story = Story([LOOK, "done"], engine(tmp_path, common.NO_RM, strict=strict), subagent_turns=["found nothing"])
        hooks = ShellHooks(story.engine)
        with caplog.at_level(logging.WARNING, "pyshellhooks"):
            if strict:
                with pytest.raises(ConfigError, match="explore runs as a tool without plugins"):
                    go(hooks, a_runner(explore(story, include_plugins=False), hooks))
                assert story.seen == []
            else:
                go(hooks, a_runner(explore(story, include_plugins=False), hooks))
    assert "explore runs as a tool without plugins" in caplog.text


@pytest.mark.filterwarnings("ignore:SequentialAgent is deprecated:DeprecationWarning")
def test_agents_in_a_row_and_agents_that_are_handed_over_to_are_guarded(tmp_path: Path) -> None:
    hand = [("transfer_to_agent", {"agent_name": "second"})]
    story = Story([hand, "done"], engine(tmp_path, common.NO_RM))
    second = an_agent(Story([[shell("rm -rf build")], "done"], story.engine, seen=story.seen, ran=story.ran), "second")
    hooks = ShellHooks(story.engine)
    go(hooks, a_runner(an_agent(story, sub_agents=[second]), hooks))
    third = an_agent(Story([[shell("rm -rf build")], "done"], story.engine, seen=story.seen, ran=story.ran), "third")
    go(hooks, a_runner(SequentialAgent(name="row", sub_agents=[third]), hooks), session_id="two")
    assert story.ran == [] and sum("rm is off" in text for text in story.seen) == 2


@pytest.mark.filterwarnings("ignore:LoopAgent is deprecated:DeprecationWarning")
def test_a_halt_ends_a_loop(tmp_path: Path) -> None:
    story = Story([[shell("ls")], "done"], engine(tmp_path, common.HALT))
    hooks = ShellHooks(story.engine)
    events = go(hooks, a_runner(LoopAgent(name="loop", sub_agents=[an_agent(story)]), hooks))
    assert story.ran == [] and len(story.seen) == 1
    assert events[-1].content.parts[0].text == "enough for today"


def test_a_halt_ends_the_agents_of_a_workflow(tmp_path: Path) -> None:
    halt = """grep -q first && echo '{"continue": false, "stopReason": "enough"}'; exit 0"""
    story = Story([], engine(tmp_path, common.claude("PreToolUse", halt)))

    def first() -> dict[str, str]:
        return {"command": "first"}

    def second() -> dict[str, str]:
        return {"command": "second"}

    hooks = ShellHooks(story.engine)
    go(
        hooks,
        a_runner(Workflow(name="flow", edges=[(START, first, a_shell(story), second, a_shell(story, "bash"))]), hooks),
    )
    assert story.ran == []


def test_a_workflows_tool_is_guarded(tmp_path: Path) -> None:
    story = Story([], engine(tmp_path, common.NO_RM))
    hooks = ShellHooks(story.engine)

    def first() -> dict[str, str]:
        return {"command": "rm -rf build"}

    runner = a_runner(Workflow(name="flow", edges=[(START, first, a_shell(story))]), hooks)
    events = go(hooks, runner)
    assert story.ran == [] and "rm is off" in str([event.output for event in events])
