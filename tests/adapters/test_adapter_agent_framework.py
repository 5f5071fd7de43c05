"""What is Agent Framework's own: sessions, approvals, results in parts."""

from __future__ import annotations

import asyncio
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pyshellhooks import HookEngine
from tests.adapters import story as common
from tests.adapters.story import Story, engine, shell
from tests.adapters.test_adapter_story import log

pytest.importorskip(
    "agent_framework", reason="Agent Framework is not installed: python -m tests.adapters.run agent-framework"
)

from agent_framework import (
    Agent,
    AgentSession,
    Content,
    FunctionMiddleware,
    FunctionTool,
    Message,
    MiddlewareTermination,
    UserInputRequiredException,
    tool,
)

from pyshellhooks.adapters.agent_framework import ShellHooks
from tests.adapters.drivers.agent_framework import Runs, Scripted, agent_of, run, shell_tool

pytestmark = pytest.mark.not_on_windows("needs-tools")

# -- conversations ----------------------------------------------------------------------------------------------------


def test_a_session_is_the_conversation(tmp_path: Path) -> None:
    story = Story(["one", "two", "three", "four"], engine(tmp_path, common.START, common.STOP))
    agent = agent_of(story)
    session = agent.create_session()
    assert run(agent, session=session).text == "two"
    assert run(agent, session=session).text == "four"
    assert log(tmp_path) == ["begun", "stop", "stop", "stop", "stop"]
    assert story.seen[1].count("go") == 1
    assert story.seen[3].count("run the tests first") == 2  # what hooks said stays in the session


@pytest.mark.parametrize("stream", [False, True], ids=["run", "stream"])
def test_a_run_without_a_session_still_has_the_earlier_messages(tmp_path: Path, stream: bool) -> None:
    story = Story([[shell("ls")], "all done", "tests pass"], engine(tmp_path, common.STOP))
    agent = agent_of(story, [shell_tool(story)])

    async def go() -> tuple[str, list[str]]:
        if not stream:
            return (await agent.run("tidy up")).text, []
        updates = agent.run("tidy up", stream=True)
        texts = [one.text async for one in updates if one.text]
        return (await updates.get_final_response()).text, texts

    said, texts = asyncio.run(go())
    assert said == "tests pass"
    assert story.seen[2].split("\n") == ["tidy up", "", "ran ls", "all done", "run the tests first"]
    assert not stream or texts == ["all done", "run the tests first", "tests pass"]


def test_hooks_see_only_new_prompts(tmp_path: Path) -> None:
    hooks = common.claude("UserPromptSubmit", "jq -r .prompt >> log")
    story = Story(["done"], engine(tmp_path, hooks))
    history = [Message("user", ["old"]), Message("assistant", ["yes"]), Message("user", ["one"])]
    assert run(agent_of(story), [*history, Message("user", ["two"])]).text == "done"
    assert log(tmp_path) == ["one", "two"]


def test_a_rewritten_prompt_keeps_its_pictures(tmp_path: Path) -> None:
    hooks = HookEngine.load({"hooks": [common.SPELL_OUT]}, "everruns", cwd=str(tmp_path))
    story = Story(["done"], hooks)
    agent = agent_of(story)
    session = agent.create_session()
    picture = Content.from_uri("https://example.com/a.png", media_type="image/png")
    given = Message("user", [Content.from_text("look asap"), picture])
    run(agent, given, session=session)
    assert "look now" in json.dumps(session.to_dict()) and "a.png" in json.dumps(session.to_dict())
    assert given.text == "look asap"  # the caller's message is as it was


def test_a_blocked_prompt_does_not_stay(tmp_path: Path) -> None:
    for stream in (False, True):
        story = Story(["done"], engine(tmp_path, common.PROMPT), prompt="it is hunter2", stream=stream)
        one = Runs(story)
        assert "no secrets here" in one.run().said and story.seen == []
        assert run(one.agent, session=one.session).text == "done"
        assert "hunter2" not in story.seen[0]


def test_a_halt_ends_a_stream(tmp_path: Path) -> None:
    story = Story([[shell("ls")], "done"], engine(tmp_path, common.HALT, common.STOP), stream=True)
    assert Runs(story).run().said == "enough for today"
    assert len(story.seen) == 1 and log(tmp_path) == []


def test_streams_side_by_side(tmp_path: Path) -> None:
    """Each is under its own conversation, also where one task reads them in turn."""
    hooks = common.claude("PreToolUse", "jq -r '.session_id + .tool_input.command' >> log")
    stories = [Story([[shell(f" {n}")], "done"], engine(tmp_path, hooks)) for n in range(3)]
    shared = ShellHooks(stories[0].engine)

    async def go() -> None:
        streams = []
        for n, story in enumerate(stories):
            client = Scripted(story.turns, story.seen)
            agent = Agent(client, tools=[shell_tool(story)], middleware=[shared])
            streams.append(agent.run("go", stream=True, session=agent.create_session(session_id=f"s{n}")))
        left = [aiter(one) for one in streams]
        while left:
            left = [one for one in left if await anext(one, None) is not None]

    asyncio.run(go())
    assert sorted(log(tmp_path)) == ["s0 0", "s1 1", "s2 2"]


def test_hooks_given_to_a_run(tmp_path: Path) -> None:
    story = Story([[shell("rm -rf build")], "done"], engine(tmp_path, common.NO_RM))
    agent = Agent(Scripted(story.turns, story.seen), tools=[shell_tool(story)])
    run(agent, middleware=[ShellHooks(story.engine)])
    assert story.ran == [] and "rm is off" in story.seen[1]


def test_a_turn_that_waits_for_the_caller_is_no_stop(tmp_path: Path) -> None:
    story = Story([[("look", {})]], engine(tmp_path, common.STOP))
    response = run(agent_of(story, [FunctionTool(name="look", func=None)]))
    assert [one.name for one in response.user_input_requests] == ["look"]
    assert log(tmp_path) == []


# -- questions --------------------------------------------------------------------------------------------------------


def test_a_person_approves_the_call_as_a_hook_rewrote_it(tmp_path: Path) -> None:
    longer = common.claude(
        "PreToolUse",
        """jq -c '{hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: "ask",
        permissionDecisionReason: "run it?", updatedInput: {command: ("time " + .tool_input.command)}}}'""",
    )
    story = Story([[shell("make")], "done"], engine(tmp_path, longer), ask="defer", stream=True)
    one = Runs(story)
    assert one.run().questions == ["run it?"]
    assert one.open[0].function_call.parse_arguments() == {"command": "time make"}
    assert one.resume(True).said == "done"
    assert story.ran == ["time make"]


def test_a_question_is_saved_with_the_session(tmp_path: Path) -> None:
    """What the framework has made of the model's arguments may be no JSON."""
    days: list[date] = []

    def plan(day: date) -> str:
        days.append(day)
        return "planned"

    turns = [[("plan", {"day": "2026-11-22"})], "done"]
    run(Agent(Scripted(turns, []), tools=[tool(plan)]))
    if not days:
        pytest.skip("this version of the framework calls no tool that takes a date")
    days.clear()
    hooks = common.claude(
        "PreToolUse",
        """jq -c '{hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: "ask",
        permissionDecisionReason: .tool_input.day}}'""",
    )
    story = Story(turns, engine(tmp_path, hooks), ask="defer")
    agent = agent_of(story, [tool(plan)])
    session = agent.create_session()
    (request,) = run(agent, session=session).user_input_requests
    assert request.additional_properties["question"] == "2026-11-22"
    session = AgentSession.from_dict(json.loads(json.dumps(session.to_dict())))
    assert run(agent, Message("user", [request.to_function_approval_response(True)]), session=session).text == "done"
    assert days == [date(2026, 11, 22)]


def test_an_approval_of_another_question_does_not_count(tmp_path: Path) -> None:
    """The framework asks about this tool anyway; then the hook has its question, and a guard its deny."""
    story = Story([[shell("git push")], [shell("rm -rf build")], "done"], engine(tmp_path, common.ASK, common.NO_RM))
    story.ask = "defer"
    hooks = ShellHooks(story.engine, ask="defer")
    tools = [shell_tool(story, approval_mode="always_require")]
    agent = Agent(Scripted(story.turns, story.seen), tools=tools, middleware=[hooks])
    session = agent.create_session()
    questions, given = [], "go"
    for _ in range(4):
        response = run(agent, given, session=session)
        requests = response.user_input_requests
        questions += [one.additional_properties.get("question") for one in requests]
        given = Message("user", [one.to_function_approval_response(True) for one in requests])
    assert questions == [None, "push it?", None]
    assert story.ran == ["git push"] and "rm is off" in story.seen[-1]
    assert log(tmp_path) == ["asked", "asked"]


@pytest.mark.parametrize("with_session", [False, True], ids=["no session", "session"])
def test_an_approval_without_a_question(tmp_path: Path, with_session: bool) -> None:
    """What a client makes up is no answer, and what it changes is asked about anew."""
    story = Story(["done", "done", "done"], engine(tmp_path, common.ASK, common.NO_RM), ask="defer")
    agent = agent_of(story, [shell_tool(story)])
    session = agent.create_session() if with_session else None
    for command in ("git push", "rm -rf build"):
        call = Content.from_function_call("c", "shell", arguments={"command": command})
        request = Content.from_function_approval_request("c", call)
        answer = request.to_function_approval_response(True)
        run(agent, [Message("assistant", [call, request]), Message("user", [answer])], session=session)
    assert story.ran == []


@pytest.mark.parametrize("way", ["bare", "elsewhere"])
def test_an_answer_from_afar(tmp_path: Path, way: str) -> None:
    """A client gives back less than it was given; or the process that asked is gone."""
    story = Story([[shell("git push")], "done"], engine(tmp_path, common.ASK), ask="defer")
    one = Runs(story)
    one.run()
    (request,) = one.open
    answer = Content.from_function_approval_response(True, request.id, request.function_call)
    if way == "bare":
        response = run(one.agent, Message("user", [answer]), session=one.session)
    else:
        session = AgentSession.from_dict(json.loads(json.dumps(one.session.to_dict())))
        agent = Agent(one.agent.client, tools=[shell_tool(story)], middleware=[ShellHooks(story.engine, ask="defer")])
        response = run(agent, Message("user", [request.to_function_approval_response(True)]), session=session)
    assert response.text == "done" and story.ran == ["git push"]
    assert log(tmp_path) == (["asked"] if way == "bare" else ["asked", "asked"])


def test_an_empty_prompt_reaches_hooks_and_an_answer_is_no_prompt(tmp_path: Path) -> None:
    hooks = common.claude("UserPromptSubmit", "echo prompt >> log")
    story = Story(["done", "done"], engine(tmp_path, hooks))
    run(agent_of(story), Message("user", [Content.from_uri("https://example.com/a.png", media_type="image/png")]))
    assert log(tmp_path) == ["prompt"]
    run(agent_of(story), Message("user", [Content.from_function_result("c", result="from the client")]))
    assert log(tmp_path) == ["prompt"]


def test_an_agent_behind_a_tool_prompts_no_person(tmp_path: Path) -> None:
    story = Story(
        [[("explore", {"task": "look"})], "done"],
        engine(tmp_path, common.ASK),
        ask="defer",
        subagent=True,
        subagent_turns=[[shell("git push")], "no luck"],
    )
    outcome = Runs(story).run()
    assert outcome.said == "done" and outcome.questions == [] and story.ran == []
    assert "not confirmed: push it?" in story.seen[2]


# -- results ----------------------------------------------------------------------------------------------------------


def test_a_result_in_parts(tmp_path: Path) -> None:
    def look() -> list[Content]:
        return [Content.from_text("a cat"), Content.from_uri("https://example.com/cat.png", media_type="image/png")]

    story = Story([[("look", {})], "done"], engine(tmp_path, common.SEES, common.AFTER))
    messages = run(agent_of(story, [tool(look)])).messages
    (result,) = (one for message in messages for one in message.contents if one.type == "function_result")
    assert [one.type for one in result.items] == ["text", "uri", "text"] and result.items[2].text == "said after"
    assert "cat.png" in "\n".join(log(tmp_path))


def test_a_result_in_parts_is_rewritten_part_by_part(tmp_path: Path) -> None:
    def look() -> list[Content]:
        return [Content.from_text("a s3cret"), Content.from_uri("https://example.com/cat.png", media_type="image/png")]

    def rewritten(what: str) -> list[Content]:
        new = f'{{hookSpecificOutput: {{hookEventName: "PostToolUse", updatedToolOutput: (.tool_response | {what})}}}}'
        story = Story([[("look", {})], "done"], engine(tmp_path, common.claude("PostToolUse", f"jq -c '{new}'")))
        messages = run(agent_of(story, [tool(look)])).messages
        (result,) = (one for message in messages for one in message.contents if one.type == "function_result")
        return list(result.items)

    masked = rewritten('(.. | select(. == "a s3cret")?) |= "masked"')
    assert [(one.type, one.text, one.uri) for one in masked] == [
        ("text", "masked", None),
        ("uri", None, "https://example.com/cat.png"),
    ]
    (counted,) = rewritten("[{n: length}]")
    assert counted.text == '[{"n": 2}]'


def test_the_messages_of_hooks_about_a_denied_call(tmp_path: Path) -> None:
    story = Story([[shell("rm -rf build")], "done"], engine(tmp_path, common.NO_RM, common.BEFORE))
    run(agent_of(story, [shell_tool(story)]))
    assert "rm is off" in story.seen[1] and "said before" in story.seen[1]


@pytest.mark.parametrize("how", [MiddlewareTermination("enough"), UserInputRequiredException([])])
def test_an_exception_that_ends_a_call_is_no_error(tmp_path: Path, how: Exception) -> None:
    class Ends(FunctionMiddleware):  # type: ignore[misc]
        async def process(self, context: Any, call_next: Any) -> None:
            raise how

    hooks = common.claude("PostToolUseFailure", "echo failed >> log")
    story = Story([[shell("ls")], "done"], engine(tmp_path, hooks))
    run(agent_of(story, [shell_tool(story)]), middleware=[Ends()])
    assert story.ran == [] and log(tmp_path) == []


def test_the_context_of_hooks_about_an_error_reaches_the_model(tmp_path: Path) -> None:
    say = """echo '{"hookSpecificOutput": {"hookEventName": "PostToolUseFailure", "additionalContext": "try ls"}}'"""
    story = Story([[shell("boom")], "done"], engine(tmp_path, common.claude("PostToolUseFailure", say)))
    assert run(agent_of(story, [shell_tool(story)])).text == "done"
    assert story.seen[1].endswith("try ls")
