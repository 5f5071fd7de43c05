"""What is Strands' own in one agent: interrupts, other hooks, direct calls, executors, structured output."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.adapters import story as common
from tests.adapters.story import Story, engine, shell
from tests.adapters.test_adapter_story import log

pytest.importorskip("strands", reason="strands-agents is not installed: python -m tests.adapters.run strands-agents")

from pydantic import BaseModel
from strands import Agent, ToolContext, tool
from strands.hooks import AfterInvocationEvent, AfterToolCallEvent, BeforeToolCallEvent
from strands.session.file_session_manager import FileSessionManager
from strands.tools.executors import SequentialToolExecutor
from strands.tools.tools import PythonAgentTool
from strands.types.exceptions import StructuredOutputException

from pyshellhooks.adapters.strands_agents import ShellHooks
from tests.adapters.drivers.strands_agents import Scripted, a_shell, answers

pytestmark = pytest.mark.not_on_windows("needs-tools")

PROMPTS = common.claude("UserPromptSubmit", "jq -r .prompt >> log")
DENY_ALL = common.claude("PreToolUse", "jq -r .tool_name >> log; echo 'no tools' >&2; exit 2")


def agent_of(story: Story, *, own: Any = None, **options: Any) -> Agent:
    """Return an agent with a shell; ``own`` are hooks of the developer's, told before ours."""
    hooks = [*(own or ()), ShellHooks(story.engine, on_ask=story.on_ask, ask=story.ask)]
    tools = options.pop("tools", None) or [a_shell(story, name) for name in story.tools]
    return Agent(Scripted(story.turns, story.seen), tools=tools, hooks=hooks, callback_handler=None, **options)


@pytest.mark.parametrize("command", ["git push", "ls"], ids=["after-a-question", "without-one"])
def test_a_tool_that_interrupts_twice(tmp_path: Path, command: str) -> None:
    """Up to three interrupts in one call: the hooks' question and two of the tool's own. No hook is asked again."""
    given = []

    @tool(context=True)
    def execute(command: str, tool_context: ToolContext) -> str:
        """Run a command."""
        given[:] = [tool_context.interrupt("first"), tool_context.interrupt("second")]
        return "ran it"

    story = Story([[shell(command, "execute")], "done"], engine(tmp_path, common.ASK, common.SEES), ask="defer")
    agent = agent_of(story, tools=[execute])
    result = agent("go")
    if command == "git push":
        reason = {"tool": "execute", "args": {"command": "git push"}, "question": "push it?"}
        assert result.interrupts[0].reason == reason and result.interrupts[0].name.startswith("pyshellhooks ")
        result = agent(answers(result.interrupts, True))
    assert [one.name for one in result.interrupts] == ["first"]
    result = agent(answers(result.interrupts, "a"))
    assert [one.name for one in result.interrupts] == ["second"]
    assert str(agent(answers(result.interrupts, "b"))).strip() == "done"
    assert given == ["a", "b"]
    asked, seen = log(tmp_path)
    assert asked == "asked" and "ran it" in seen


@pytest.mark.parametrize("response", ["yes", 1, "true", {"approved": True}, False])
def test_only_true_is_a_yes(tmp_path: Path, response: Any) -> None:
    story = Story([[shell("git push")], "done"], engine(tmp_path, common.ASK), ask="defer")
    agent = agent_of(story)
    assert str(agent(answers(agent("go").interrupts, response))).strip() == "done"
    assert story.ran == [] and "not confirmed" in story.seen[1]


@pytest.mark.parametrize("same", [True, False], ids=["the-same-question", "another-question"])
def test_a_yes_in_another_process_is_one_to_the_same_question(tmp_path: Path, same: bool) -> None:
    """A restored agent's hooks are asked again; who said yes to something else is asked too."""

    def restored(hooks: Any, turns: Any) -> tuple[Agent, Story]:
        story = Story(turns, engine(tmp_path, hooks, common.START), ask="defer")
        sessions = FileSessionManager("one", storage_dir=str(tmp_path / "sessions"))
        return agent_of(story, session_manager=sessions), story

    first, _ = restored(common.ASK, [[shell("git push")]])
    asked = first("go").interrupts
    other = {"hooks": {"PreToolUse": [{"hooks": [dict(common.ASK["hooks"]["PreToolUse"][0]["hooks"][0])]}]}}
    hook = other["hooks"]["PreToolUse"][0]["hooks"][0]
    hook["command"] = hook["command"].replace("push it?", "push it to the customer?")
    second, story = restored(common.ASK if same else other, ["done"])
    assert second.session_id == first.session_id == "one"
    result = second(answers(asked, True))
    assert log(tmp_path) == ["begun", "asked", "begun", "asked"]
    if same:
        assert story.ran == ["git push"] and result.stop_reason == "end_turn"
    else:
        assert story.ran == [] and result.interrupts[0].reason["question"] == "push it to the customer?"


@pytest.mark.parametrize("way", ["text", "parts", "messages", "history"])
def test_a_blocked_prompt_does_not_stay(tmp_path: Path, way: str) -> None:
    story = Story(["done"], engine(tmp_path, common.PROMPT))
    secret = {"text": "it is hunter2"}
    agent = agent_of(story, messages=[{"role": "user", "content": [secret]}] if way == "history" else None)
    image = {"image": {"format": "png", "source": {"bytes": b"hunter2"}}}
    prompts: dict[str, Any] = {
        "text": secret["text"],
        "parts": [{"text": "look"}, image, secret],
        "messages": [{"role": "user", "content": [secret]}, {"role": "user", "content": [{"text": "go"}]}],
        "history": None,
    }
    assert "no secrets here" in str(agent(prompts[way])) and story.seen == []
    assert "hunter2" not in str(agent.messages)
    assert agent.messages[0]["role"] == "user" and agent.messages[-1]["role"] == "assistant"  # models insist on it
    assert str(agent("go on")).strip() == "done"  # the next turn is free


def test_a_followup_of_a_hook_is_no_prompt(tmp_path: Path) -> None:
    story = Story(["all done", "tests pass"], engine(tmp_path, common.STOP, PROMPTS))
    agent_of(story)("go")
    assert log(tmp_path) == ["go", "stop", "stop"]


def test_hooks_see_calls_that_other_hooks_changed(tmp_path: Path) -> None:
    """They are registered before and after ours; ours stands last."""
    story = Story([[shell("ls")], [shell("ls")], "done"], engine(tmp_path, common.NO_RM))

    def worse(event: BeforeToolCallEvent) -> None:
        event.tool_use = {**event.tool_use, "input": {"command": "rm -rf build"}}

    agent = agent_of(story)
    agent.add_hook(worse)
    agent("go")
    assert story.ran == [] and "rm is off" in story.seen[1]


def test_hooks_see_a_tool_that_other_hooks_substituted(tmp_path: Path) -> None:
    story = Story([[("look", {"command": "rm -rf build"})], "done"], engine(tmp_path, common.NO_RM))
    real, renames = a_shell(story), False

    def exchange(event: BeforeToolCallEvent) -> None:
        event.selected_tool = real
        if renames:
            event.tool_use = {**event.tool_use, "name": "shell"}

    for renames in (False, True):
        story.turns = [[("look", {"command": "rm -rf build"})], "done"]
        agent_of(story, own=[exchange], tools=[tool(name="look")(lambda command: "seen")])("go")
        assert story.ran == []
        assert ("rm is off" if renames else 'another hook runs shell as "look"') in story.seen[-1]


def test_hooks_do_not_see_a_call_that_another_hook_cancelled(tmp_path: Path) -> None:
    failed = common.claude("PostToolUseFailure", "echo failed >> log")
    story = Story([[shell("git push")], "done"], engine(tmp_path, common.ASK, failed))

    def cancel(event: BeforeToolCallEvent) -> None:
        event.cancel_tool = "not today"

    agent_of(story, own=[cancel])("go")
    assert story.ran == [] and "not today" in story.seen[1] and log(tmp_path) == []


def test_hooks_see_a_call_again_that_another_hook_retries(tmp_path: Path) -> None:
    tries = []

    def again(event: AfterToolCallEvent) -> None:
        tries.append(1)
        event.retry = len(tries) < 3

    once = common.claude("PreToolUse", "test -e log && { echo 'not twice' >&2; exit 2; }; echo first > log")
    story = Story([[shell("ls")], "done"], engine(tmp_path, once))
    agent_of(story, own=[again])("go")
    assert story.ran == ["ls"] and "not twice" in story.seen[1]


def test_a_question_that_is_never_answered(tmp_path: Path) -> None:
    """The agent begins anew, and what its hooks said of a call before is no answer now."""
    story = Story([], engine(tmp_path, common.ASK), ask="defer")
    agent = agent_of(story)
    agent.model.turns = iter([(0, [shell("git push")]), (0, [shell("git push")])])  # type: ignore[attr-defined]
    fresh = agent.take_snapshot(preset="session")
    assert agent("go").stop_reason == "interrupt"
    agent.load_snapshot(fresh)
    assert agent("go").stop_reason == "interrupt"
    assert log(tmp_path) == ["asked", "asked"]


@pytest.mark.parametrize("halts", [False, True], ids=["goes-on", "halts"])
def test_an_agent_that_another_hook_has_go_on(tmp_path: Path, halts: bool) -> None:
    """It does not stop yet, and no hook is asked; after a halt it does."""
    more = ["once more"]

    def resume(event: AfterInvocationEvent) -> None:
        event.resume = more.pop() if more else None

    turns = [[shell("ls")], "done", "more", "really"]
    story = Story(turns, engine(tmp_path, common.STOP, *([common.HALT] if halts else [])))
    result = agent_of(story, own=[resume])("go")
    assert len(story.seen) == (1 if halts else 4) and ("enough for today" in str(result)) == halts
    assert log(tmp_path) == ([] if halts else ["stop", "stop"])


def test_ids_that_are_used_again(tmp_path: Path) -> None:
    """Some models name all calls of a tool alike: what was refused in one turn is no answer in the next."""
    story = Story([], engine(tmp_path, common.ASK), ask="defer")
    agent = agent_of(story)
    agent.model.turns = iter([(0, [shell("git push")]), (0, [shell("git push")]), (1, "done")])  # type: ignore[attr-defined]
    result = agent(answers(agent("go").interrupts, False))
    assert result.interrupts[0].reason["question"] == "push it?" and story.ran == []
    assert str(agent(answers(result.interrupts, True))).strip() == "done"
    assert story.ran == ["git push"] and log(tmp_path) == ["asked", "asked"]


def test_calls_in_a_row_end_with_a_halt(tmp_path: Path) -> None:
    halt = common.claude(
        "PostToolUse", """grep -q first && echo '{"continue": false, "stopReason": "enough for today"}'; exit 0"""
    )
    story = Story([[shell("first"), shell("second")], "done"], engine(tmp_path, halt))
    result = agent_of(story, tool_executor=SequentialToolExecutor())("go")
    assert story.ran == ["first"] and "enough for today" in str(result) and len(story.seen) == 1


def test_a_halt_and_a_question_at_once(tmp_path: Path) -> None:
    """The turn is over, whatever the answer is."""
    halt = common.claude(
        "PreToolUse", """grep -q '"ls"' && echo '{"continue": false, "stopReason": "enough for today"}'; exit 0"""
    )
    story = Story([[shell("git push"), shell("ls")], "done"], engine(tmp_path, halt, common.ASK), ask="defer")
    agent = agent_of(story)
    result = agent(answers(agent("go").interrupts, True))
    assert story.ran == [] and len(story.seen) == 1 and "enough for today" in str(result)


def test_after_an_interrupt_in_a_row_the_next_prompt_is_one(tmp_path: Path) -> None:
    """The call that was interrupted stands in the same context as the next turn, and no agent runs inside it."""
    story = Story([[shell("git push")], "done", "never"], engine(tmp_path, common.ASK, common.PROMPT), ask="defer")
    agent = agent_of(story, tool_executor=SequentialToolExecutor())

    async def go() -> None:
        result = await agent.invoke_async("go")
        other = agent_of(Story(["never"], engine(tmp_path, common.PROMPT)))
        assert "no secrets" in str(await other.invoke_async("it is hunter2"))
        await agent.invoke_async(answers(result.interrupts, True))
        assert "no secrets" in str(await agent.invoke_async("it is hunter2"))

    asyncio.run(go())
    assert story.ran == ["git push"] and len(story.seen) == 2


def test_after_a_cancelled_call_in_a_row_the_next_prompt_is_one(tmp_path: Path) -> None:
    @tool(name="shell")
    async def stuck(command: str) -> str:
        """Run a command."""
        raise asyncio.CancelledError

    story = Story([[shell("ls")], "never"], engine(tmp_path, common.PROMPT))
    agent = agent_of(story, tools=[stuck], tool_executor=SequentialToolExecutor())

    async def go() -> None:
        with pytest.raises(asyncio.CancelledError):
            await agent.invoke_async("go")
        for one in (agent, agent_of(story)):
            assert "no secrets" in str(await one.invoke_async("it is hunter2"))

    asyncio.run(go())
    assert len(story.seen) == 1


def test_direct_calls(tmp_path: Path) -> None:
    story = Story([], engine(tmp_path, common.NO_RM, common.BUN, common.START))
    agent = agent_of(story)
    denied = agent.tool.shell(command="rm -rf build")
    assert denied["status"] == "error" and "rm is off" in denied["content"][0]["text"]
    assert agent.tool.shell(command="npm test")["content"][0]["text"] == "ran bun test"
    assert story.ran == ["bun test"] and log(tmp_path) == ["begun"]


def test_a_direct_call_can_not_wait_for_a_person(tmp_path: Path) -> None:
    story = Story([], engine(tmp_path, common.ASK), ask="defer")
    agent = agent_of(story)
    with pytest.raises(RuntimeError, match="interrupt"):
        agent.tool.shell(command="git push")
    assert story.ran == []


def test_a_halt_of_a_direct_call_ends_no_turn(tmp_path: Path) -> None:
    story = Story(["done"], engine(tmp_path, common.HALT))
    agent = agent_of(story)
    assert "enough for today" in str(agent.tool.shell(command="ls"))
    assert str(agent("go")).strip() == "done" and story.ran == []


class Weather(BaseModel):
    """An answer."""

    degrees: int = 0


def test_a_tool_named_like_structured_output_is_a_tool(tmp_path: Path) -> None:
    class Sly(PythonAgentTool):
        tool_type = "structured_output"

    def run(tool_use: Any, **options: Any) -> Any:
        raise AssertionError("it ran")

    schema = {"type": "object", "properties": {"command": {"type": "string"}}}
    spec: Any = {"name": "shell", "description": "Runs.", "inputSchema": {"json": schema}}
    story = Story([[shell("rm -rf build")], "done"], engine(tmp_path, common.NO_RM))
    agent_of(story, tools=[Sly("shell", spec, run)])("go")
    assert "rm is off" in story.seen[1]


def test_structured_output_is_an_answer(tmp_path: Path) -> None:
    stop = common.claude("Stop", "jq -r .last_assistant_message >> log")
    story = Story([[shell("ls")], [("Weather", {"degrees": 7})]], engine(tmp_path, DENY_ALL, common.SEES, stop))
    result = agent_of(story)("go", structured_output_model=Weather)
    assert result.structured_output == Weather(degrees=7)
    assert story.ran == [] and log(tmp_path) == ["Bash", '{"degrees":7}']


def test_a_stop_continues_after_structured_output(tmp_path: Path) -> None:
    turns = [[("Weather", {"degrees": n})] for n in (1, 2)]
    story = Story(turns, engine(tmp_path, common.STOP))
    assert agent_of(story)("go", structured_output_model=Weather).structured_output == Weather(degrees=2)
    assert "run the tests first" in story.seen[1]


@pytest.mark.parametrize(("hooks", "prompt"), [(common.HALT, "go"), (common.PROMPT, "it is hunter2")])
def test_without_an_answer_there_is_no_structured_output(tmp_path: Path, hooks: Any, prompt: str) -> None:
    story = Story([[shell("ls")], [("Weather", {})]], engine(tmp_path, hooks))
    agent = agent_of(story)
    with pytest.raises(StructuredOutputException):
        agent(prompt, structured_output_model=Weather)
    assert story.ran == [] and len(story.seen) == (prompt == "go")


def test_a_blocked_run_is_free_again(tmp_path: Path) -> None:
    story = Story([[shell("ls")], "done", "more"], engine(tmp_path, common.HALT))
    agent = agent_of(story)
    assert "enough for today" in str(agent("go"))
    assert str(agent("go on")).strip() == "done"


def test_both_of_two_providers_run(tmp_path: Path) -> None:
    story = Story([[shell("rm -rf build")], [shell("npm test")], "done"], engine(tmp_path, common.NO_RM, common.AFTER))
    other = ShellHooks(engine(tmp_path, common.BUN))
    agent_of(story, own=[other])("go")
    assert story.ran == ["bun test"] and "rm is off" in story.seen[1] and "said after" in story.seen[2]


def test_a_result_in_two_forms_is_withheld_in_both(tmp_path: Path) -> None:
    def look(tool_use: Any, **options: Any) -> Any:
        return {
            "toolUseId": tool_use["toolUseId"],
            "status": "success",
            "content": [{"json": {"key": "hunter2"}}],
            "structuredContent": {"key": "hunter2"},
        }

    spec: Any = {"name": "look", "description": "Looks.", "inputSchema": {"json": {"type": "object", "properties": {}}}}
    for hooks, stays in ((common.SEES, True), (common.WITHHOLD, False)):
        story = Story([[("look", {})], "done"], engine(tmp_path, hooks, dialect="claude_code" if stays else "gemini"))
        agent = agent_of(story, tools=[PythonAgentTool("look", spec, look)])
        agent("go")
        assert ("hunter2" in str(agent.messages)) == stays
    assert log(tmp_path) == ['{"key":"hunter2"}']
