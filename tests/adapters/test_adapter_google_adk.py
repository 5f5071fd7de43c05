"""What is ADK's own: plugins, confirmations, agents as tools, in loops and in workflows, long-running tools, executors."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pyshellhooks import HookEngine
from pyshellhooks.errors import ConfigError
from tests.adapters import story as common
from tests.adapters.story import Story, engine, shell
from tests.adapters.test_adapter_story import log

pytest.importorskip("google.adk", reason="google-adk is not installed: python -m tests.adapters.run google-adk")

from google.adk.agents import BaseAgent, LlmAgent, SequentialAgent
from google.adk.code_executors.unsafe_local_code_executor import UnsafeLocalCodeExecutor
from google.adk.events import Event
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.tools import FunctionTool, LongRunningFunctionTool, google_search
from google.adk.workflow import START, Workflow
from google.genai import types

from pyshellhooks.adapters.google_adk import ShellHooks
from tests.adapters.drivers.google_adk import (
    SESSION,
    Runs,
    a_runner,
    a_shell,
    an_agent,
    answered,
    go,
    responses,
    scripted,
    user_message,
)

pytestmark = pytest.mark.not_on_windows("needs-tools")


def order(what: str) -> None:
    """Order something, which comes later."""


# -- prompts ----------------------------------------------------------------------------------------------------------


def test_a_blocked_prompt_does_not_stay_and_the_next_turn_is_free(tmp_path: Path) -> None:
    story = Story(["done"], engine(tmp_path, common.PROMPT))
    hooks = ShellHooks(story.engine)
    runner = a_runner(an_agent(story), hooks)
    picture = types.Part(inline_data=types.Blob(mime_type="image/png", data=b"x"))
    secret = types.Content(role="user", parts=[types.Part(text="it is"), picture, types.Part(text="hunter2")])
    (event,) = go(hooks, runner, secret)
    assert "no secrets here" in event.content.parts[0].text and story.seen == []
    session = asyncio.run(runner.session_service.get_session(app_name="app", **SESSION))
    assert session is not None and "hunter2" not in str(session.events) and "image" not in str(session.events)
    assert go(hooks, runner, "go on")[-1].content.parts[0].text == "done"


@pytest.mark.filterwarnings("ignore:SequentialAgent is deprecated:DeprecationWarning")
def test_a_prompt_beside_a_late_result_is_blocked(tmp_path: Path) -> None:
    """ADK itself refuses such a message where a model's agent is the root, and nowhere else."""
    story = Story([[("order", {"what": "tea"})], "done"], engine(tmp_path, common.PROMPT))
    hooks = ShellHooks(story.engine)
    agent = an_agent(story, tools=[LongRunningFunctionTool(order)])
    runner = a_runner(SequentialAgent(name="row", sub_agents=[agent]), hooks)
    go(hooks, runner)
    late = types.FunctionResponse(id="main-0-0", name="order", response={"result": "tea"})
    parts = [types.Part(function_response=late), types.Part(text="it is hunter2")]
    go(hooks, runner, types.Content(role="user", parts=parts))
    assert "hunter2" not in "".join(story.seen)


def test_a_blocked_prompt_does_not_begin_a_workflow(tmp_path: Path) -> None:
    story = Story([], engine(tmp_path, common.PROMPT), prompt="ls # hunter2")
    hooks = ShellHooks(story.engine)
    (event,) = go(hooks, a_runner(Workflow(name="flow", edges=[(START, a_shell(story))]), hooks), story.prompt)
    assert "no secrets here" in event.content.parts[0].text and story.ran == []


def test_two_people_may_name_their_sessions_alike(tmp_path: Path) -> None:
    story = Story(["a", "b", "c"], engine(tmp_path, common.START))
    hooks = ShellHooks(story.engine)
    runner = a_runner(an_agent(story), hooks)
    for person in ("one", "two", "one"):
        go(hooks, runner, user_id=person)
    assert log(tmp_path) == ["begun", "begun"]


def test_a_prompt_is_rewritten_and_its_picture_stays(tmp_path: Path) -> None:
    story = Story(["done"], HookEngine.load({"hooks": [common.SPELL_OUT]}, "everruns", cwd=str(tmp_path)))
    hooks = ShellHooks(story.engine)
    picture = types.Part(inline_data=types.Blob(mime_type="image/png", data=b"x"))
    runner = a_runner(an_agent(story), hooks)
    go(hooks, runner, types.Content(role="user", parts=[types.Part(text="tidy up"), picture, types.Part(text="asap")]))
    session = asyncio.run(runner.session_service.get_session(app_name="app", **SESSION))
    assert session is not None and session.events[0].content is not None
    assert session.events[0].content.parts == [types.Part(text="tidy up\nnow"), picture]


# -- results ----------------------------------------------------------------------------------------------------------


def test_a_mapping_keeps_its_keys_beside_the_context_of_hooks(tmp_path: Path) -> None:
    def look() -> dict[str, Any]:
        """Look."""
        return {"found": 1}

    timed = common.claude("PostToolUse", "jq -r '.duration_ms | type' >> log")
    story = Story([[("look", {})], "done"], engine(tmp_path, common.AFTER, common.SEES, timed))
    hooks = ShellHooks(story.engine)
    events = go(hooks, a_runner(an_agent(story, tools=[look]), hooks))
    assert responses(events) == [{"found": 1, "hook_context": "said after"}]
    assert sorted(log(tmp_path)) == ["number", '{"found":1}']


def test_hooks_see_the_answer_of_another_callback(tmp_path: Path) -> None:
    """It stands for the result: a plugin that is asked later, or the agent's own callback, need not run the tool."""

    class Cache(BasePlugin):
        async def before_tool_callback(self, **call: Any) -> Any:
            return {"result": "ran cat key"}

    for options, plugins in (({}, [Cache("cache")]), ({"before_tool_callback": lambda **call: {"result": "key"}}, [])):
        story = Story([[shell("cat key")], "done"], engine(tmp_path, common.WITHHOLD, dialect="gemini"))
        hooks = ShellHooks(story.engine)
        events = go(hooks, a_runner(an_agent(story, **options), hooks, *plugins))
        assert story.ran == [] and responses(events) == [{"error": "the result is secret"}]


def test_an_error_that_a_tool_raises_can_be_withheld(tmp_path: Path) -> None:
    story = Story([[shell("boom")], "done"], engine(tmp_path, common.WITHHOLD, dialect="gemini"))
    outcome = Runs(story).run()
    assert outcome.said == "done" and outcome.results[0][1] and "the result is secret" in outcome.results[0][0]


def test_a_call_that_is_cancelled_is_no_failure(tmp_path: Path) -> None:
    """ADK cancels what runs beside a call that raises."""

    async def wait() -> None:
        """Wait."""
        await asyncio.sleep(60)

    failures = common.claude("PostToolUseFailure", "jq -r .tool_name >> log")
    story = Story([[("wait", {}), shell("boom")], "done"], engine(tmp_path, failures))
    hooks = ShellHooks(story.engine)
    with pytest.raises(ValueError, match="the tool broke"):
        go(hooks, a_runner(an_agent(story, tools=[wait, a_shell(story)]), hooks))
    assert log(tmp_path) == ["Bash"]


def test_hooks_see_the_final_result_of_a_long_running_tool(tmp_path: Path) -> None:
    story = Story([[("order", {"what": "key"})], "done"], engine(tmp_path, common.WITHHOLD, dialect="gemini"))
    hooks = ShellHooks(story.engine)
    runner = a_runner(an_agent(story, tools=[LongRunningFunctionTool(order)]), hooks)
    assert responses(go(hooks, runner)) == []
    result = types.FunctionResponse(id="main-0-0", name="order", response={"result": "a key"})
    go(hooks, runner, types.Content(role="user", parts=[types.Part(function_response=result)]))
    assert "the result is secret" in story.seen[-1] and "a key" not in "\n".join(story.seen)


# -- questions --------------------------------------------------------------------------------------------------------


def test_a_person_sees_the_call_that_would_run(tmp_path: Path) -> None:
    both = """jq -c '{hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: "ask",
        permissionDecisionReason: "push it?", updatedInput: {command: "git push --dry-run"}}}'"""
    story = Story([[shell("git push")], "done"], engine(tmp_path, common.claude("PreToolUse", both)), ask="defer")
    one = Runs(story)
    assert one.run().questions == ['push it? (shell {"command": "git push --dry-run"})']
    one.resume(True)
    assert story.ran == ["git push --dry-run"]


def test_an_answer_holds_in_another_process(tmp_path: Path) -> None:
    story = Story([[shell("git push")], "done"], engine(tmp_path, common.ASK))
    first = ShellHooks(story.engine, ask="defer")
    runner = a_runner(an_agent(story), first)
    events = go(first, runner)
    second = ShellHooks(engine(tmp_path, common.ASK), ask="defer")
    other = a_runner(an_agent(Story(["done"], story.engine, ran=story.ran)), second)
    other.session_service = runner.session_service
    go(second, other, answered(events))
    assert story.ran == ["git push"] and log(tmp_path) == ["asked", "asked"]


def test_an_answer_to_the_tools_own_question_does_not_answer_a_hooks(tmp_path: Path) -> None:
    """The hook asks when the call is fired again, and nobody has said yes to that; ADK asks once about a call."""
    later = common.claude(
        "PreToolUse",
        """if [ -e asked ]; then jq -nc '{hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: "ask",
        permissionDecisionReason: "push it?"}}'; fi; touch asked""",
    )
    story = Story([[shell("git push")], "done"], engine(tmp_path, later))
    hooks = ShellHooks(story.engine, ask="defer")
    tool = FunctionTool(a_shell(story).func, require_confirmation=True)
    tool.name = "shell"
    runner = a_runner(an_agent(story, tools=[tool]), hooks)
    events = go(hooks, runner, answered(go(hooks, runner)))
    assert story.ran == [] and responses(events) == [{"error": "not confirmed: push it?"}]


# -- what no hook sees ------------------------------------------------------------------------------------------------


class Own(BaseAgent):
    """An agent that does things of its own."""

    async def _run_async_impl(self, ctx: Any) -> AsyncIterator[Event]:
        yield Event(
            author=self.name, invocation_id=ctx.invocation_id, content=types.Content(parts=[types.Part(text="x")])
        )


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("search", "google_search runs at the model's provider"),
        ("code", "main has a code executor"),
        ("own", "own is a Own"),
        ("task", "ADK begins the task of explore"),
    ],
)
def test_tools_that_no_hook_sees_are_reported_or_refused(tmp_path: Path, caplog: Any, what: str, words: str) -> None:
    for strict in (False, True):
        story = Story(["done"], engine(tmp_path, common.PROMPT, strict=strict))
        hooks = ShellHooks(story.engine)
        runner = a_runner(_odd(what, story), hooks)
        with caplog.at_level(logging.WARNING, "pyshellhooks"):
            if strict:
                with pytest.raises(ConfigError, match=words):
                    go(hooks, runner)
                assert story.seen == []
            else:
                go(hooks, runner)
    assert words in caplog.text


def _odd(what: str, story: Story) -> Any:
    if what == "search":
        agent = an_agent(story, tools=[google_search])
        agent.model.model = "gemini-2.5-flash"  # type: ignore[union-attr]
        return agent
    if what == "code":
        return an_agent(story, code_executor=UnsafeLocalCodeExecutor())
    if what == "own":
        return Own(name="own")
    task = LlmAgent(name="explore", model=scripted([], []), mode="task", description="looks")
    return an_agent(story, sub_agents=[task])


def test_a_live_run_is_reported_or_refused(tmp_path: Path) -> None:
    hooks = ShellHooks(engine(tmp_path, common.PROMPT, strict=True))
    with pytest.raises(ConfigError, match="in a live run no hook sees the user's messages"):
        asyncio.run(hooks.before_run_callback(invocation_context=SimpleNamespace(live_request_queue=object())))


def test_only_the_runner_fires_the_end_and_reports_that_it_can_not_continue(tmp_path: Path, caplog: Any) -> None:
    says = common.claude("Stop", "jq -r .last_assistant_message >> log")
    story = Story(["all done"], engine(tmp_path, says, common.STOP))
    hooks = ShellHooks(story.engine)
    runner = a_runner(an_agent(story), hooks)

    async def run() -> None:
        async for _ in runner.run_async(**SESSION, new_message=user_message("go")):
            pass

    with caplog.at_level(logging.WARNING, "pyshellhooks"):
        asyncio.run(run())
    assert (
        sorted(log(tmp_path)) == ["all done", "stop"]
        and "which needs hooks.run_async: run the tests first" in caplog.text
    )


def test_a_followup_of_a_hook_is_no_prompt(tmp_path: Path) -> None:
    says = common.claude("UserPromptSubmit", "jq -r .prompt >> log")
    story = Story(["all done", "tests pass"], engine(tmp_path, common.STOP, says))
    assert Runs(story).run().said == "tests pass"
    assert log(tmp_path) == ["go", "stop", "stop"]


def test_a_turn_that_waits_is_not_done(tmp_path: Path) -> None:
    story = Story([[shell("git push")], "done", "done"], engine(tmp_path, common.ASK, common.STOP), ask="defer")
    one = Runs(story)
    one.run()
    assert log(tmp_path) == ["asked"]
    one.resume(True)
    assert log(tmp_path) == ["asked", "stop", "stop"]
